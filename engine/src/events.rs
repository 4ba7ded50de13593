//! The events of the outbox (S223–S225).

use horarium_core::{names::JobName, record::RunRecord, state::RunStatus};
use serde_json::json;

use crate::store::NewEvent;

/// A job was added or replaced (S225).
pub(crate) const JOB_SCHEDULED: &str = "scheduling.job.scheduled";
/// A job was deleted.
pub(crate) const JOB_UNSCHEDULED: &str = "scheduling.job.unscheduled";
/// A run began.
pub(crate) const RUN_STARTED: &str = "scheduling.run.started";

/// An event about a job.
pub(crate) fn job(topic: &'static str, job: &JobName, by: &str) -> NewEvent {
    NewEvent {
        topic,
        subject: job.to_string(),
        data: json!({ "job": job, "by": by }),
    }
}

/// An event about a run as it is after the change.
pub(crate) fn run(topic: &'static str, run: &RunRecord) -> NewEvent {
    let data = json!({
        "job": run.job,
        "trigger": run.trigger,
        "runId": run.id,
        "cause": run.cause,
        "status": run.status,
        "scheduledAt": run.scheduled_at,
        "startedAt": run.started_at,
        "finishedAt": run.finished_at,
        "errorCode": run.error.as_ref().map(|e| &e.code),
        "errorMessage": run.error.as_ref().map(|e| &e.message),
        "attempt": run.attempt,
        "retryOf": run.retry_of,
        "node": run.node,
    });
    NewEvent {
        topic,
        subject: run.id.to_string(),
        data,
    }
}

/// The topic of a run that ended.
pub(crate) fn ended(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Succeeded => "scheduling.run.succeeded",
        RunStatus::Canceled => "scheduling.run.canceled",
        RunStatus::Lost => "scheduling.run.lost",
        RunStatus::Failed | RunStatus::Pending | RunStatus::Running => "scheduling.run.failed",
    }
}
