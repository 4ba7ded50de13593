//! A scheduler on a clock of the test's, with jobs from a configuration text.

use std::{path::Path, sync::Arc, time::Duration};

use horarium::{
    Horarium, HorariumBuilder, JobDefinition, JobName, ManualClock, Scheduler,
    accounts::Hasher,
    config::{Config, Environment},
};
use horarium_core::{data::Data, record::RunRecord};
use horarium_engine::scheduler::TriggerRequest;

/// The longest that anything in a test may take; only reached by a failure.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A scheduler in memory whose engine serves but turns only when the test says so.
pub struct Workbench {
    pub horarium: Horarium,
    pub clock: Arc<ManualClock>,
}

impl Workbench {
    pub async fn new(config: &str) -> Self {
        Self::with(config, |builder| builder).await
    }

    pub async fn with(config: &str, more: impl FnOnce(HorariumBuilder) -> HorariumBuilder) -> Self {
        let clock = ManualClock::at("2026-10-01T00:00:00Z".parse().expect("an instant"));
        let environment = Environment::default();
        let config = Config::read(Some((Path::new("test.toml"), config)), &environment)
            .unwrap_or_else(|error| panic!("{error}"));
        let builder = Horarium::builder()
            .config(config, &environment)
            .store("memory:")
            .clock(Arc::clone(&clock) as _)
            .hasher(Hasher::for_tests());
        let horarium = more(builder).build().await.expect("a scheduler");
        horarium.engine().serve();
        horarium.engine().cycle().await;
        Self { horarium, clock }
    }

    pub fn scheduler(&self) -> Scheduler {
        self.horarium.scheduler()
    }

    /// Runs a job and waits for its end.
    pub async fn run(&self, job: &str, data: serde_json::Value) -> RunRecord {
        let request = request(job, data);
        let mut done = self.scheduler().trigger(vec![request], "test").await;
        done.remove(0)
            .unwrap_or_else(|error| panic!("{job}: {error}"))
    }

    /// The text of a run's log, a line each.
    pub async fn log(&self, run: &RunRecord) -> Vec<String> {
        self.horarium.engine().cycle().await;
        let lines = self.scheduler().run_log(run.id, 0, 1000).await;
        let lines = lines.expect("a log");
        lines
            .into_iter()
            .map(|line| format!("{}: {}", line.level, line.text))
            .collect()
    }

    pub async fn schedule(&self, definition: JobDefinition) {
        let mut done = self.scheduler().schedule(vec![definition], "test").await;
        done.remove(0).unwrap_or_else(|error| panic!("{error}"));
    }
}

pub fn request(job: &str, data: serde_json::Value) -> TriggerRequest {
    TriggerRequest {
        job: name(job),
        data: object(data),
    }
}

pub fn name(text: &str) -> JobName {
    text.parse().expect("a name")
}

pub fn object(data: serde_json::Value) -> Data {
    data.as_object().cloned().expect("an object")
}

/// Waits for something that happens outside, and fails when it does not.
pub async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future)
        .await
        .unwrap_or_else(|_| panic!("{what} did not happen"))
}
