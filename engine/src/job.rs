//! What a job is in code: a body that runs, its context, and the registry of types (S22, S23).

use std::{
    collections::BTreeMap,
    future::Future,
    sync::{Arc, OnceLock},
};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use horarium_core::{
    data::Data,
    error::{Result, SchedulingError},
    names::{JobName, TriggerName},
    record::RunError,
    run_id::RunId,
    state::{CancelReason, JobOrigin},
};
use tokio_util::sync::CancellationToken;

use crate::run_log::RunLog;

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// As wished; with an answer to keep, if any.
    Succeeded(Option<String>),
    /// With an error code and message of its own (S13).
    Failed(RunError),
}

impl Outcome {
    /// A failure with a code of the job's own and a sentence.
    pub fn failed(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Failed(RunError {
            code: code.into(),
            message: message.into(),
        })
    }
}

/// A job's code. It must pass the cancellation token to every downstream call; otherwise timeout and cancel wait for
/// its own return (S126).
#[async_trait]
pub trait Job: Send + Sync + 'static {
    /// Runs once.
    async fn run(&self, context: RunContext) -> Outcome;

    /// What is wrong with the data of a definition that wants this type: a sentence each.
    fn check(&self, _data: &Data) -> Vec<String> {
        Vec::new()
    }
}

/// Everything a run knows about itself (S5, S12).
#[derive(Debug, Clone)]
pub struct RunContext {
    /// The run's id; also its correlation id (S11).
    pub id: RunId,
    /// The job.
    pub job: JobName,
    /// The trigger; none for a direct manual run.
    pub trigger: Option<TriggerName>,
    /// The instant in the ledger.
    pub nominal_at: Option<DateTime<Utc>>,
    /// The planned instant.
    pub scheduled_at: DateTime<Utc>,
    /// 1 for a first run.
    pub attempt: u32,
    /// The merged data.
    pub data: Data,
    /// Cancelled on request, at the time limit, and when the host stops (S125).
    pub cancellation: CancellationToken,
    /// The fencing token: pass it to whatever must refuse an outdated run (A3).
    pub token: i64,
    /// Where the job's definition came from; what an `http` job may call depends on it.
    pub origin: JobOrigin,
    /// Lines written here are kept with the run.
    pub log: RunLog,
    pub(crate) reason: Arc<OnceLock<CancelReason>>,
}

impl RunContext {
    /// Why the cancellation token was cancelled.
    pub fn cancel_reason(&self) -> Option<CancelReason> {
        self.reason.get().copied()
    }
}

struct JobFn<F>(F);

#[async_trait]
impl<F, R> Job for JobFn<F>
where
    F: Fn(RunContext) -> R + Send + Sync + 'static,
    R: Future<Output = Outcome> + Send + 'static,
{
    async fn run(&self, context: RunContext) -> Outcome {
        (self.0)(context).await
    }
}

/// A job from an async closure.
pub fn job_fn<F, R>(run: F) -> Arc<dyn Job>
where
    F: Fn(RunContext) -> R + Send + Sync + 'static,
    R: Future<Output = Outcome> + Send + 'static,
{
    Arc::new(JobFn(run))
}

/// The job types that this node can run, by key.
#[derive(Clone, Default)]
pub struct JobTypes(BTreeMap<String, Arc<dyn Job>>);

impl JobTypes {
    /// An empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a type.
    ///
    /// # Errors
    /// `SCHEDULING_VALIDATION_001` when the key is taken.
    pub fn register(&mut self, key: impl Into<String>, job: Arc<dyn Job>) -> Result<()> {
        let key = key.into();
        if self.0.contains_key(&key) {
            return Err(SchedulingError::invalid(format!(
                "the job type '{key}' is registered twice"
            )));
        }
        self.0.insert(key, job);
        Ok(())
    }

    /// The registered keys, in order (S23).
    pub fn keys(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    /// The type with this key.
    pub fn get(&self, key: &str) -> Option<Arc<dyn Job>> {
        self.0.get(key).cloned()
    }
}
