//! A world in which an engine lives under a clock that the test owns.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use horarium_core::{
    calendar::Calendars,
    data::Data,
    job::{JobDefinition, TriggerDefinition},
    names::{JobName, TriggerKey, TriggerName},
    query::RunQuery,
    record::{RunRecord, TriggerRecord},
    state::RunStatus,
};
use horarium_engine::{
    clock::{Clock as _, ManualClock},
    config::SchedulingConfig,
    engine::{Engine, EngineParts},
    job::{Job, JobTypes, Outcome, RunContext},
    leader::memory::MemoryElection,
    observer::NoObserver,
    run_log::RunLogs,
    scheduler::Scheduler,
    store::{AccountStore, JobStore},
};
use tempfile::TempDir;
use tokio::sync::Notify;

use super::StoreKind;
use crate::store::Both;

/// 2026-06-01 00:00:00 UTC, a Monday.
pub fn start() -> DateTime<Utc> {
    at("2026-06-01T00:00:00Z")
}

pub fn at(text: &str) -> DateTime<Utc> {
    text.parse().expect("an instant")
}

pub fn name(text: &str) -> JobName {
    text.parse().expect("a name")
}

pub fn key(job: &str, trigger: &str) -> TriggerKey {
    TriggerKey {
        job: name(job),
        trigger: trigger_name(trigger),
    }
}

pub fn trigger_name(text: &str) -> TriggerName {
    text.parse().expect("a name")
}

/// A job of the scripted type with one trigger `default`.
pub fn job(job: &str, schedule: &str) -> JobDefinition {
    JobDefinition::new(name(job), "scripted").on(schedule.parse().expect("a schedule"))
}

pub fn trigger(trigger: &str, schedule: &str) -> TriggerDefinition {
    TriggerDefinition::new(trigger_name(trigger), schedule.parse().expect("a schedule"))
}

pub fn data(json: serde_json::Value) -> Data {
    json.as_object().cloned().expect("an object")
}

/// What a run of the scripted type does.
#[derive(Debug, Clone)]
pub enum Act {
    Succeed,
    Fail,
    Panic,
    /// Waits until the test lets it go, ignoring its token.
    Hold,
    /// Waits until it is cancelled.
    UntilCancelled,
}

/// The scripted job type: plays its acts in order, then succeeds; remembers each context.
#[derive(Default)]
pub struct Script {
    acts: Mutex<VecDeque<Act>>,
    seen: Mutex<Vec<RunContext>>,
    go: Notify,
    holding: AtomicUsize,
}

impl Script {
    pub fn next(&self, acts: impl IntoIterator<Item = Act>) {
        self.acts.lock().unwrap().extend(acts);
    }

    pub fn seen(&self) -> Vec<RunContext> {
        self.seen.lock().unwrap().clone()
    }

    /// How many runs wait for the test.
    pub fn holding(&self) -> usize {
        self.holding.load(Ordering::SeqCst)
    }

    /// Lets one held run go.
    pub fn release(&self) {
        self.holding.fetch_sub(1, Ordering::SeqCst);
        self.go.notify_one();
    }
}

#[async_trait]
impl Job for Script {
    async fn run(&self, context: RunContext) -> Outcome {
        self.seen.lock().unwrap().push(context.clone());
        let act = self.acts.lock().unwrap().pop_front();
        match act.unwrap_or(Act::Succeed) {
            Act::Succeed => Outcome::Succeeded(Some("done".to_owned())),
            Act::Fail => Outcome::failed("E_JOB", "it did not work"),
            Act::Panic => panic!("out of cheese"),
            Act::Hold => {
                self.holding.fetch_add(1, Ordering::SeqCst);
                self.go.notified().await;
                Outcome::Succeeded(None)
            }
            Act::UntilCancelled => {
                self.holding.fetch_add(1, Ordering::SeqCst);
                context.cancellation.cancelled().await;
                self.holding.fetch_sub(1, Ordering::SeqCst);
                Outcome::failed("E_STOPPED", "stopped")
            }
        }
    }
}

/// An open store with what must live as long as it.
pub struct Store {
    rows: Arc<dyn Both>,
    _folder: Option<TempDir>,
}

impl Store {
    async fn open(kind: StoreKind) -> Self {
        let (rows, folder) = match kind {
            StoreKind::Memory => crate::store::memory().await,
            StoreKind::Sqlite => crate::store::sqlite().await,
        };
        Self {
            rows,
            _folder: folder,
        }
    }

    pub fn jobs(&self) -> Arc<dyn JobStore> {
        self.rows.clone()
    }

    fn accounts(&self) -> Arc<dyn AccountStore> {
        self.rows.clone()
    }
}

/// One store, one clock, and the engine that runs now.
pub struct World {
    pub store: Store,
    pub clock: Arc<ManualClock>,
    pub script: Arc<Script>,
    pub engine: Arc<Engine>,
    pub config: SchedulingConfig,
    pub calendars: Calendars,
    code: Vec<JobDefinition>,
}

impl World {
    /// A serving engine whose first cycle has not run.
    pub async fn new(kind: StoreKind, code: Vec<JobDefinition>) -> Self {
        Self::with(
            kind,
            code,
            SchedulingConfig::default(),
            Calendars::default(),
        )
        .await
    }

    pub async fn with(
        kind: StoreKind,
        code: Vec<JobDefinition>,
        config: SchedulingConfig,
        calendars: Calendars,
    ) -> Self {
        let store = Store::open(kind).await;
        let clock = ManualClock::at(start());
        let script = Arc::new(Script::default());
        let engine = engine(
            &store,
            &clock,
            &script,
            code.clone(),
            config.clone(),
            calendars.clone(),
        );
        engine.serve();
        Self {
            store,
            clock,
            script,
            engine,
            config,
            calendars,
            code,
        }
    }

    pub fn scheduler(&self) -> Scheduler {
        self.engine.scheduler()
    }

    pub fn rows(&self) -> Arc<dyn JobStore> {
        self.store.jobs()
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// One cycle now, and the ends of all runs that end by themselves.
    pub async fn crank(&self) {
        self.engine.cycle().await;
        self.settle().await;
    }

    /// Lets every task run that can, until only runs go on that the script holds.
    pub async fn settle(&self) {
        // a store may answer from another thread: the number of looks bounds the wait, not the time
        for look in 0..100_000_000_u32 {
            tokio::task::yield_now().await;
            if look > 20 && self.scheduler().info().running as usize <= self.script.holding() {
                return;
            }
        }
        panic!("a run neither ends nor holds");
    }

    /// Cranks once per second up to and including the instant.
    pub async fn run_until(&self, until: DateTime<Utc>) {
        while self.now() < until {
            self.clock
                .advance(TimeDelta::seconds(1).min(until - self.now()));
            self.crank().await;
        }
    }

    pub async fn run_for(&self, seconds: i64) {
        self.run_until(self.now() + TimeDelta::seconds(seconds))
            .await;
    }

    /// The process dies now: nothing is told to the store. Another one starts after the pause, with this code.
    pub async fn crash_and_restart(&mut self, down: TimeDelta, code: Option<Vec<JobDefinition>>) {
        self.clock.advance(down);
        if let Some(code) = code {
            self.code = code;
        }
        self.script = Arc::new(Script::default());
        self.engine = engine(
            &self.store,
            &self.clock,
            &self.script,
            self.code.clone(),
            self.config.clone(),
            self.calendars.clone(),
        );
        self.engine.serve();
    }

    pub async fn trigger(&self, job: &str, trigger: &str) -> TriggerRecord {
        self.find_trigger(job, trigger).await.expect("the trigger")
    }

    pub async fn find_trigger(&self, job: &str, trigger: &str) -> Option<TriggerRecord> {
        let job = self.rows().job_get(&name(job)).await.unwrap()?;
        job.triggers
            .into_iter()
            .find(|t| t.definition.name.as_str() == trigger)
    }

    /// All runs of a job, planned earliest first.
    pub async fn runs(&self, job: &str) -> Vec<RunRecord> {
        let query = RunQuery {
            job: Some(name(job)),
            limit: 1000,
            ..RunQuery::default()
        };
        let mut runs = self.rows().run_list(&query).await.unwrap();
        runs.reverse();
        runs
    }

    pub async fn statuses(&self, job: &str) -> Vec<RunStatus> {
        self.runs(job)
            .await
            .into_iter()
            .map(|run| run.status)
            .collect()
    }

    /// When the job's runs were planned, as `hh:mm:ss`.
    pub async fn planned(&self, job: &str) -> Vec<String> {
        self.runs(job)
            .await
            .iter()
            .map(|run| run.scheduled_at.format("%H:%M:%S").to_string())
            .collect()
    }

    /// When the job's runs began, as `hh:mm:ss`.
    pub async fn began(&self, job: &str) -> Vec<String> {
        self.runs(job)
            .await
            .iter()
            .map(|run| run.dispatched_at.format("%H:%M:%S").to_string())
            .collect()
    }

    /// The certificate has neither hole nor double, over at least so many instants.
    pub async fn assert_certified(&self, at_least: u64) {
        let certificate = self.scheduler().audit(None, None).await.unwrap();
        assert_eq!(
            (&certificate.holes, &certificate.doubles),
            (&vec![], &vec![])
        );
        assert!(
            certificate.instants >= at_least,
            "{} instants",
            certificate.instants
        );
    }
}

/// An engine over the store: another one over the same store is the next process.
pub fn engine(
    store: &Store,
    clock: &Arc<ManualClock>,
    script: &Arc<Script>,
    code_jobs: Vec<JobDefinition>,
    config: SchedulingConfig,
    calendars: Calendars,
) -> Arc<Engine> {
    let mut types = JobTypes::new();
    types
        .register("scripted", Arc::clone(script) as Arc<dyn Job>)
        .unwrap();
    engine_of(store, clock, types, code_jobs, config, calendars)
}

/// An engine without code jobs over the world's store, that knows other types.
pub fn engine_with(world: &World, types: JobTypes) -> Arc<Engine> {
    engine_of(
        &world.store,
        &world.clock,
        types,
        vec![],
        world.config.clone(),
        Calendars::default(),
    )
}

fn engine_of(
    store: &Store,
    clock: &Arc<ManualClock>,
    types: JobTypes,
    code_jobs: Vec<JobDefinition>,
    config: SchedulingConfig,
    calendars: Calendars,
) -> Arc<Engine> {
    Engine::new(EngineParts {
        store: store.jobs(),
        accounts: store.accounts(),
        election: Arc::new(MemoryElection::new(clock.clone())),
        clock: clock.clone(),
        types,
        code_jobs,
        calendars,
        logs: RunLogs::new(clock.clone(), config.log_lines_per_run),
        config,
        layers: Vec::new(),
        observer: Arc::new(NoObserver),
        machine: "test".to_owned(),
        version: "0".to_owned(),
    })
    .expect("an engine")
}
