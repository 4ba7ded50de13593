//! From a begun run to its end: the job's body in its pipeline, and the one transaction that closes it.

use std::{
    convert::Infallible,
    panic::AssertUnwindSafe,
    sync::{Arc, OnceLock},
};

use chrono::{DateTime, Utc};
use futures::FutureExt as _;
use horarium_core::{
    code::ErrorCode,
    job::JobDefinition,
    names::TriggerName,
    record::{RunError, RunRecord, TriggerRecord},
    run_id::RunId,
    state::{CancelReason, JobOrigin, RunStatus},
};
use tokio_util::sync::CancellationToken;
use tower::{ServiceExt as _, util::BoxCloneSyncService};
use tracing::Instrument as _;

use crate::{
    finish::{close, local_retry, retry_wait},
    job::{Outcome, RunContext},
    run_log::SPAN,
    shared::{LocalRetry, Running, Shared},
};

/// The pipeline of a run (S10): from its context to its outcome.
pub type RunService = BoxCloneSyncService<RunContext, Outcome, Infallible>;
/// A layer around every run, for instance for tenants or tracing of the host program.
pub type RunLayer = Arc<dyn Fn(RunService) -> RunService + Send + Sync>;
/// The layers of a host program, the outermost first.
pub type Layers = Vec<RunLayer>;

/// A run on record that is to be executed here.
pub(crate) struct Dispatch {
    pub(crate) run: RunRecord,
    pub(crate) job: JobDefinition,
    pub(crate) origin: JobOrigin,
    /// The claimed trigger behind it, as it was before the begin.
    pub(crate) trigger: Option<TriggerRecord>,
    /// Whether it is a run of a local job.
    pub(crate) local: bool,
}

/// Registers the run, then executes it in the background. The answer is the run as it ended.
pub(crate) fn spawn(
    shared: &Arc<Shared>,
    dispatch: Dispatch,
) -> tokio::task::JoinHandle<RunRecord> {
    let running = Running {
        job: dispatch.run.job.clone(),
        local: dispatch.local,
        cancellation: CancellationToken::new(),
        reason: Arc::new(OnceLock::new()),
    };
    let (cancellation, reason) = (running.cancellation.clone(), Arc::clone(&running.reason));
    let id = dispatch.run.id;
    shared.running().insert(id, running);
    shared.observer.running(shared.running_count());
    let shared = Arc::clone(shared);
    tokio::spawn(async move {
        let span = tracing::info_span!(SPAN, run_id = %id, job = %dispatch.run.job);
        let ended = execute(&shared, dispatch, cancellation, reason)
            .instrument(span)
            .await;
        shared.running().remove(&id);
        shared.observer.running(shared.running_count());
        shared.idle.notify_waiters();
        shared.wake.notify_one();
        ended
    })
}

async fn execute(
    shared: &Arc<Shared>,
    dispatch: Dispatch,
    cancellation: CancellationToken,
    reason: Arc<OnceLock<CancelReason>>,
) -> RunRecord {
    let mut run = dispatch.run.clone();
    let started = shared.now();
    run.started_at = Some(started);
    shared
        .observer
        .run_started(&run.job, started - run.scheduled_at);
    let context = RunContext {
        id: run.id,
        job: run.job.clone(),
        trigger: run.trigger.clone(),
        nominal_at: run.nominal_at,
        scheduled_at: run.scheduled_at,
        attempt: run.attempt,
        data: run.data.clone(),
        cancellation,
        token: run.token,
        origin: dispatch.origin,
        log: shared.logs.open(run.id),
        reason: Arc::clone(&reason),
    };
    let outcome = within_limit(shared, context, &dispatch.job).await;
    let finished = shared.now();
    run.finished_at = Some(finished);
    settle(&mut run, outcome, reason.get().copied(), &dispatch.job);
    let duration = finished - started;
    shared.observer.run_finished(&run.job, run.status, duration);
    tracing::info!(status = %run.status, milliseconds = duration.num_milliseconds(), "run ended");
    close(shared, &dispatch, &run).await;
    if let Some(wait) = retry_wait(&dispatch.job, &run).filter(|_| dispatch.local) {
        let retry = local_retry(&run, finished + wait);
        shared.add_local_retry(LocalRetry {
            run: retry,
            job: dispatch.job,
            origin: dispatch.origin,
        });
    }
    shared.logs.close(run.id);
    run
}

/// Runs the pipeline; at the time limit the token is cancelled, and the end is awaited (S122–S124).
async fn within_limit(shared: &Arc<Shared>, context: RunContext, job: &JobDefinition) -> Outcome {
    let reason = Arc::clone(&context.reason);
    let cancellation = context.cancellation.clone();
    let service = pipeline(shared, job);
    let body = AssertUnwindSafe(service.oneshot(context)).catch_unwind();
    let body = async {
        match body.await {
            Ok(Ok(outcome)) => outcome,
            Err(panic) => Outcome::Failed(RunError::of(ErrorCode::Unexpected, panic_text(&*panic))),
        }
    };
    let Some(limit) = job.timeout.and_then(|t| t.to_std().ok()) else {
        return body.await;
    };
    tokio::pin!(body);
    tokio::select! {
        biased;
        () = shared.clock.sleep(limit) => {}
        outcome = &mut body => return outcome,
    }
    if reason.set(CancelReason::Timeout).is_ok() {
        cancellation.cancel();
    }
    body.await
}

fn pipeline(shared: &Arc<Shared>, job: &JobDefinition) -> RunService {
    let body = shared.types.get(&job.job_type);
    let job_type = job.job_type.clone();
    let innermost = tower::service_fn(move |context: RunContext| {
        let (body, job_type) = (body.clone(), job_type.clone());
        async move {
            Ok::<_, Infallible>(match body {
                Some(body) => body.run(context).await,
                None => Outcome::Failed(RunError::of(ErrorCode::TypeNotFound, job_type)),
            })
        }
    });
    let innermost = RunService::new(innermost);
    shared
        .layers
        .iter()
        .rev()
        .fold(innermost, |service, layer| layer(service))
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "the job panicked".to_owned())
}

/// What the run became (S13, S123, S127).
fn settle(
    run: &mut RunRecord,
    outcome: Outcome,
    reason: Option<CancelReason>,
    job: &JobDefinition,
) {
    let (answer, failure) = match outcome {
        Outcome::Succeeded(answer) => (answer, None),
        Outcome::Failed(error) => (None, Some(error)),
    };
    run.result = answer;
    run.cancel = reason;
    (run.status, run.error) = match reason {
        Some(CancelReason::Timeout) => {
            let limit = job
                .timeout
                .map(horarium_core::interval::format_duration)
                .unwrap_or_default();
            (
                RunStatus::Failed,
                Some(RunError::of(ErrorCode::RunTimeout, limit)),
            )
        }
        Some(reason) => (
            RunStatus::Canceled,
            Some(RunError::of(ErrorCode::RunCanceled, cancel_words(reason))),
        ),
        None if failure.is_some() => (RunStatus::Failed, failure),
        None => (RunStatus::Succeeded, None),
    };
}

fn cancel_words(reason: CancelReason) -> &'static str {
    match reason {
        CancelReason::Request => "somebody asked for it",
        CancelReason::Timeout => "the time limit passed",
        CancelReason::Shutdown => "the node was stopping",
        CancelReason::Fenced => "another node took it over",
    }
}

/// The name of an engine-made trigger.
pub(crate) fn once_name(prefix: &str, rest: &str) -> TriggerName {
    // prefix, run id and number are lower-case letters, digits and hyphens, together far below the limit
    TriggerName::try_from(format!("{prefix}-{rest}")).expect("a legal name")
}

/// A new random id for a run that no nominal instant stands behind.
pub(crate) fn random_run_id(now: DateTime<Utc>) -> RunId {
    let chance = *uuid::Uuid::new_v4().as_bytes();
    let mut rest = [0; 10];
    // bytes 6 and 8 hold the version of a UUID: not random
    rest[..6].copy_from_slice(&chance[..6]);
    rest[6..].copy_from_slice(&chance[9..13]);
    RunId::random(now, rest)
}

/// Where a run's definition counts as coming from: an override that leaves type and address as they are in code keeps
/// the rights of code, for instance to call an internal address.
pub(crate) fn trusted_origin(
    origin: JobOrigin,
    running: &JobDefinition,
    code: Option<&JobDefinition>,
) -> JobOrigin {
    let same = |code: &JobDefinition| {
        code.job_type == running.job_type && code.data.get("url") == running.data.get("url")
    };
    match (origin, code) {
        (JobOrigin::Overridden, Some(code)) if same(code) => JobOrigin::Code,
        _ => origin,
    }
}
