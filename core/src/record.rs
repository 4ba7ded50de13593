//! What the stores keep, as the engine and the console see it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    code::ErrorCode,
    data::Data,
    job::{JobDefinition, TriggerDefinition},
    names::{JobName, NodeId, TriggerKey, TriggerName},
    run_id::RunId,
    state::{
        CancelReason, CompleteReason, FireVerdict, JobOrigin, RunCause, RunStatus, ShownState,
        TriggerState,
    },
};

/// Who paused something, when, why, and until when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// When it was paused.
    pub at: DateTime<Utc>,
    /// Who did it.
    pub by: String,
    /// Why, as they said.
    pub reason: String,
    /// When it resumes by itself.
    pub until: Option<DateTime<Utc>>,
}

/// A job as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct JobRecord {
    /// Its running definition; `triggers` holds the users' triggers, in the order of their names.
    pub definition: JobDefinition,
    /// Where the definition came from.
    pub origin: JobOrigin,
    /// The code definition's fingerprint: of the running one, or of the one that was overridden (S152).
    pub fingerprint: Option<String>,
    /// The code definition behind an override, for the diff and for Restore.
    pub code_definition: Option<JobDefinition>,
    /// The job's own pause flag (A25).
    pub paused: Option<Pause>,
    /// Grows with every change; a write that expects another one fails.
    pub version: i64,
    /// The run that holds the job's one slot, when it allows no concurrency (S174).
    pub active_run: Option<RunId>,
    /// When it was first registered.
    pub created_at: DateTime<Utc>,
    /// When its definition last changed.
    pub updated_at: DateTime<Utc>,
    /// Who changed it last; empty for code.
    pub updated_by: String,
    /// The states of its triggers, the engine's own among them, in the order of their names.
    pub triggers: Vec<TriggerRecord>,
}

/// What the engine-made trigger of one run carries besides its schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OneTime {
    /// Manual, retry or recovery.
    pub cause: RunCause,
    /// The attempt its run will be.
    pub attempt: u32,
    /// The first run of a retry chain (S9).
    pub retry_of: Option<RunId>,
    /// The lost run that it stands in for (A32).
    pub recovered_from: Option<RunId>,
    /// The trigger that the first run came from, for filters.
    pub origin_trigger: Option<TriggerName>,
    /// The whole data of the run, already merged (S118).
    pub data: Data,
    /// Who asked for it.
    pub requested_by: Option<String>,
}

/// A trigger as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct TriggerRecord {
    /// The job it belongs to.
    pub job: JobName,
    /// Its definition.
    pub definition: TriggerDefinition,
    /// New whenever the trigger is created again.
    pub uid: Uuid,
    /// Grows when schedule, calendar or zone data change.
    pub generation: i64,
    /// Grows with every change of the row.
    pub version: i64,
    /// The stored state.
    pub state: TriggerState,
    /// The trigger's own pause flag.
    pub paused: Option<Pause>,
    /// The job's pause flag.
    pub job_paused: bool,
    /// When it fires next.
    pub next_fire_at: Option<DateTime<Utc>>,
    /// All nominal instants up to here have a verdict.
    pub watermark: DateTime<Utc>,
    /// Schedule-sourced runs that began (A12).
    pub fired_count: u32,
    /// The node that claimed it ahead of its instant, or runs it.
    pub claim_node: Option<NodeId>,
    /// The claim's fencing token.
    pub claim_token: Option<i64>,
    /// Why it is in `Error`.
    pub error: Option<String>,
    /// Why it is `Complete`.
    pub complete_reason: Option<CompleteReason>,
    /// Set on the one-time triggers that the engine made.
    pub one_time: Option<OneTime>,
    /// The zone data with which `next_fire_at` was computed.
    pub zone_data: String,
    /// When it was created.
    pub created_at: DateTime<Utc>,
}

impl TriggerRecord {
    /// Which trigger.
    pub fn key(&self) -> TriggerKey {
        TriggerKey {
            job: self.job.clone(),
            trigger: self.definition.name.clone(),
        }
    }

    /// Whether it or its job is paused. The engine's `manual-` triggers ignore the pause (A26).
    pub fn is_paused(&self) -> bool {
        let manual = self
            .one_time
            .as_ref()
            .is_some_and(|o| o.cause == RunCause::Manual);
        !manual && (self.job_paused || self.paused.is_some())
    }

    /// The state as people see it (A25).
    pub fn shown_state(&self) -> ShownState {
        ShownState::of(self.state, self.is_paused())
    }
}

/// The error of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunError {
    /// A scheduling code, or the job's own (S13).
    pub code: String,
    /// What happened, in full.
    pub message: String,
}

impl RunError {
    /// An error with one of the scheduler's codes.
    pub fn of(code: ErrorCode, arg: impl Into<String>) -> Self {
        Self {
            code: code.as_str().to_owned(),
            message: code.message(&[arg.into()]),
        }
    }
}

/// A run as stored (S5, S288).
#[derive(Debug, Clone, PartialEq)]
pub struct RunRecord {
    /// Its id.
    pub id: RunId,
    /// The job's name.
    pub job: JobName,
    /// The trigger; none for a direct manual run (A37).
    pub trigger: Option<TriggerName>,
    /// The user's trigger behind an engine-made one, for filters.
    pub origin_trigger: Option<TriggerName>,
    /// Which incarnation of the trigger.
    pub trigger_uid: Option<Uuid>,
    /// Which generation of the trigger.
    pub generation: i64,
    /// The instant in the ledger; none outside it.
    pub nominal_at: Option<DateTime<Utc>>,
    /// The planned instant that it shows.
    pub scheduled_at: DateTime<Utc>,
    /// When it was handed to the node's runner.
    pub dispatched_at: DateTime<Utc>,
    /// When the job's code began.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended.
    pub finished_at: Option<DateTime<Utc>>,
    /// Its state.
    pub status: RunStatus,
    /// Where it came from.
    pub cause: RunCause,
    /// 1 for a first run (S8).
    pub attempt: u32,
    /// The first run of the chain (S9).
    pub retry_of: Option<RunId>,
    /// The lost run it stands in for (A32).
    pub recovered_from: Option<RunId>,
    /// The merged data.
    pub data: Data,
    /// The node that runs it.
    pub node: NodeId,
    /// The fencing token.
    pub token: i64,
    /// What the job answered.
    pub result: Option<String>,
    /// What went wrong.
    pub error: Option<RunError>,
    /// Whether, and why, it was asked to stop.
    pub cancel: Option<CancelReason>,
    /// Who asked for it, or asked to stop it.
    pub requested_by: Option<String>,
    /// What arrived after it had been given up (A3).
    pub late_result: Option<String>,
}

/// One line of a run's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// Its number inside the run, from 1.
    pub number: i64,
    /// When it was written.
    pub at: DateTime<Utc>,
    /// `error`, `warn`, `info`, `debug`, `trace`; `stdout` and `stderr` for commands.
    pub level: String,
    /// The text, without line end.
    pub text: String,
}

/// A node of the cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeRecord {
    /// Its id.
    pub id: NodeId,
    /// Random per process, so that two processes with one id are told apart (A8).
    pub incarnation: Uuid,
    /// When it started.
    pub started_at: DateTime<Utc>,
    /// Its last sign of life.
    pub heartbeat_at: DateTime<Utc>,
    /// Runs on it.
    pub running: u32,
    /// Its limit.
    pub max_concurrent_runs: u32,
    /// The product's version.
    pub version: String,
    /// The job types it knows.
    pub job_types: Vec<String>,
    /// Whether it takes no new runs.
    pub draining: bool,
}

/// One range of the fire ledger: consecutive nominal instants with one verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct FireDecision {
    /// Which trigger incarnation.
    pub trigger_uid: Uuid,
    /// Which generation.
    pub generation: i64,
    /// The first instant.
    pub from: DateTime<Utc>,
    /// The last instant.
    pub to: DateTime<Utc>,
    /// What happened to them.
    pub verdict: FireVerdict,
    /// The run that stands for them.
    pub run: Option<RunId>,
    /// The run's status, once retention has folded the run in here.
    pub status: Option<RunStatus>,
    /// The evidence in words.
    pub reason: String,
    /// When it was decided.
    pub decided_at: DateTime<Utc>,
}

/// A period during which one text of a trigger was in force; never pruned, so old ranges can be computed again.
#[derive(Debug, Clone, PartialEq)]
pub struct TriggerGeneration {
    /// Which trigger incarnation.
    pub trigger_uid: Uuid,
    /// Which generation.
    pub generation: i64,
    /// The trigger's key.
    pub key: TriggerKey,
    /// The schedule's text.
    pub schedule: String,
    /// The calendar as it was, as JSON; empty without one.
    pub calendar: String,
    /// The zone data in force.
    pub zone_data: String,
    /// Instants after this one are covered.
    pub from: DateTime<Utc>,
    /// The last covered instant; open while in force.
    pub to: Option<DateTime<Utc>>,
}

/// Something that happened, in the outbox (S223, S224).
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Grows by one per event.
    pub id: i64,
    /// For instance `scheduling.run.failed`.
    pub topic: String,
    /// The run id or the job name.
    pub subject: String,
    /// The JSON body.
    pub data: serde_json::Value,
    /// When it happened.
    pub at: DateTime<Utc>,
}
