//! What goes into a store and what comes out of it: the values of [`super::JobStore`].

use chrono::{DateTime, Utc};
use horarium_core::{
    job::{JobDefinition, TriggerDefinition},
    misfire::Range,
    names::{JobName, NodeId, TriggerKey, TriggerName},
    record::{OneTime, RunError, RunRecord, TriggerRecord},
    run_id::RunId,
    state::{CancelReason, CompleteReason, FireVerdict, JobOrigin, RunStatus},
};
use serde_json::Value;
use uuid::Uuid;

/// Whether a guarded write happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// It did.
    Done,
    /// The row was not as expected; nothing was written.
    Stale,
}

/// An event to put into the outbox in the same transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    /// For instance `scheduling.run.failed`.
    pub topic: &'static str,
    /// The run id or the job name.
    pub subject: String,
    /// The JSON body.
    pub data: Value,
}

/// A verdict to put into the ledger in the same transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct NewDecision {
    /// Which trigger incarnation.
    pub trigger_uid: Uuid,
    /// Which generation.
    pub generation: i64,
    /// Which instants.
    pub range: Range,
    /// What becomes of them.
    pub verdict: FireVerdict,
    /// The run that stands for them.
    pub run: Option<RunId>,
    /// The evidence in words.
    pub reason: String,
}

/// What a job becomes.
#[derive(Debug, Clone)]
pub struct JobPut {
    /// The new definition; its triggers are described by `triggers`.
    pub definition: JobDefinition,
    /// Where it comes from.
    pub origin: JobOrigin,
    /// The code definition's fingerprint.
    pub fingerprint: Option<String>,
    /// The code definition, when an override stands before it.
    pub code_definition: Option<JobDefinition>,
    /// The version read before; none when there was no such job.
    pub expected: Option<i64>,
    /// The whole set of user triggers from now on.
    pub triggers: Vec<TriggerPut>,
    /// The user triggers that go, with the version read before.
    pub removed: Vec<TriggerRemove>,
    /// Who asked for it; empty for code.
    pub by: String,
    /// When.
    pub now: DateTime<Utc>,
    /// The zone data in force.
    pub zone_data: String,
    /// What to publish.
    pub event: NewEvent,
}

/// What a user trigger becomes.
#[derive(Debug, Clone)]
pub struct TriggerPut {
    /// The new definition.
    pub definition: TriggerDefinition,
    /// How the row changes.
    pub change: TriggerChange,
}

/// How a trigger row changes when its job is written.
#[derive(Debug, Clone)]
pub enum TriggerChange {
    /// A new row with generation 1. It takes over the job's pause flag.
    Create {
        /// The new incarnation.
        uid: Uuid,
        /// Where it starts.
        start: TriggerStart,
    },
    /// The same schedule text: progress, state, pause and claim stay; the other fields are written (A34). When other
    /// fields change, a claim made ahead is cleared.
    Keep {
        /// The version read before.
        expected: i64,
    },
    /// Another schedule text, calendar or zone data: generation + 1, from now on (A34). Pause flags stay; a claim made
    /// ahead is cleared; the state becomes `Waiting` or `Complete`; the count starts again.
    Restart {
        /// The version read before.
        expected: i64,
        /// Where it starts.
        start: TriggerStart,
        /// Instants of the old generation that had come due and were never decided.
        superseded: Option<Range>,
    },
}

/// Where a generation starts.
#[derive(Debug, Clone)]
pub struct TriggerStart {
    /// The first fire, or why there is none.
    pub next: Next,
    /// The calendar as it is now, as JSON; empty without one.
    pub calendar: String,
}

/// When a trigger fires next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// At this instant.
    At(DateTime<Utc>),
    /// Never again.
    Complete(CompleteReason),
}

/// A user trigger that goes.
#[derive(Debug, Clone)]
pub struct TriggerRemove {
    /// Its name.
    pub name: TriggerName,
    /// The version read before.
    pub expected: i64,
    /// Instants that had come due and were never decided: they expire.
    pub expired: Option<Range>,
}

/// A job that goes with all its triggers.
#[derive(Debug, Clone)]
pub struct JobDelete {
    /// Its name.
    pub name: JobName,
    /// The version read before.
    pub expected: i64,
    /// Its user triggers.
    pub triggers: Vec<TriggerRemove>,
    /// When.
    pub now: DateTime<Utc>,
    /// What to publish.
    pub event: NewEvent,
}

/// A new start for a trigger outside a job write.
#[derive(Debug, Clone)]
pub struct TriggerRestart {
    /// Which trigger.
    pub key: TriggerKey,
    /// The version read before.
    pub expected: i64,
    /// Where it starts.
    pub start: TriggerStart,
    /// Undecided instants of the old generation.
    pub superseded: Option<Range>,
    /// The zone data in force.
    pub zone_data: String,
    /// When.
    pub now: DateTime<Utc>,
}

/// A wish to claim.
#[derive(Debug, Clone)]
pub struct ClaimDue {
    /// For this node.
    pub node: NodeId,
    /// What falls due up to here, inclusive.
    pub until: DateTime<Utc>,
    /// At most so many.
    pub limit: u32,
    /// The types this node knows (A45).
    pub job_types: Vec<String>,
}

/// A claimed trigger: everything a decision needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Claimed {
    /// The trigger as it is after the claim: its `version` and `claim_token` are the claim's.
    pub trigger: TriggerRecord,
    /// Its job's definition, without triggers.
    pub job: JobDefinition,
    /// Where that definition came from.
    pub origin: JobOrigin,
    /// The code definition behind an override, without triggers.
    pub code_definition: Option<JobDefinition>,
}

/// Which claim: compared as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRef {
    /// Which trigger.
    pub key: TriggerKey,
    /// Which incarnation.
    pub uid: Uuid,
    /// The version after the claim.
    pub version: i64,
    /// The token.
    pub token: i64,
}

impl Claimed {
    /// The reference to this claim.
    pub fn claim(&self) -> ClaimRef {
        ClaimRef {
            key: self.trigger.key(),
            uid: self.trigger.uid,
            version: self.trigger.version,
            // a claimed trigger always has a token; 0 is one that no row ever carries
            token: self.trigger.claim_token.unwrap_or(0),
        }
    }
}

/// A claimed trigger that moves on without a run.
#[derive(Debug, Clone)]
pub struct TriggerAdvance {
    /// The claim; it ends here.
    pub claim: ClaimRef,
    /// The next fire. A one-time trigger that is complete is deleted.
    pub next: Next,
    /// All instants up to here are decided.
    pub watermark: DateTime<Utc>,
    /// The verdicts.
    pub decisions: Vec<NewDecision>,
    /// When.
    pub now: DateTime<Utc>,
}

/// A one-time trigger that the engine makes. It gets its own uid, no generation row, state `Waiting`, priority and
/// misfire policy RunOnce (A27).
#[derive(Debug, Clone, PartialEq)]
pub struct OnceTrigger {
    /// Which job, and the name with its prefix.
    pub key: TriggerKey,
    /// When it fires.
    pub at: DateTime<Utc>,
    /// Its priority.
    pub priority: i32,
    /// What its run is.
    pub one_time: OneTime,
    /// When it is made.
    pub now: DateTime<Utc>,
}

/// A run that begins.
#[derive(Debug, Clone)]
pub struct RunBegin {
    /// The row, state `Running`. Its token is the claim's; for a direct run the store gives one.
    pub run: RunRecord,
    /// The claim behind it; none for direct and local runs. Begin compares uid, version, token and both pause flags.
    pub claim: Option<ClaimRef>,
    /// Whether it needs the job's one slot (S174).
    pub exclusive: bool,
    /// What becomes of the trigger.
    pub trigger: AfterBegin,
    /// Whether it counts as a schedule-sourced run (A12).
    pub counts: bool,
    /// Verdicts beside the run itself.
    pub decisions: Vec<NewDecision>,
    /// What to publish.
    pub event: NewEvent,
}

/// What becomes of the trigger at the begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterBegin {
    /// There is no trigger row to change.
    None,
    /// `Acquired` until the run ends: `every`, and the engine's one-time triggers. The watermark moves.
    Hold {
        /// All instants up to here are decided.
        watermark: DateTime<Utc>,
    },
    /// The claim ends, the next fire is known: `cron`, `rate`, `once`.
    Advance {
        /// The next fire.
        next: Next,
        /// All instants up to here are decided.
        watermark: DateTime<Utc>,
    },
}

/// What came of a begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begun {
    /// The run is on record with this token: start it.
    Begun {
        /// The fencing token.
        token: i64,
    },
    /// The job's slot is taken. A claimed trigger is `Blocked` now, its claim ended, its due instant kept (S98).
    Blocked,
    /// The claim was not valid any more: nothing was written.
    Stale,
    /// Another run stands for this nominal instant already: the trigger moved on, no run was made. Alarm.
    Duplicate,
    /// The job is gone.
    NoJob,
}

/// A run that ends.
#[derive(Debug, Clone)]
pub struct RunFinish {
    /// Which run.
    pub id: RunId,
    /// Its token.
    pub token: i64,
    /// How it ended; terminal.
    pub status: RunStatus,
    /// When the job's code began.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended.
    pub finished_at: DateTime<Utc>,
    /// What the job answered.
    pub result: Option<String>,
    /// What went wrong.
    pub error: Option<RunError>,
    /// Why it was asked to stop.
    pub cancel: Option<CancelReason>,
    /// The held trigger: `every` gets its next fire. Only when uid and generation still match (A35).
    pub rearm: Option<Rearm>,
    /// The one-time trigger to delete.
    pub delete_once: Option<TriggerKey>,
    /// A retry or a recovery to insert.
    pub follow_up: Option<OnceTrigger>,
    /// What to publish.
    pub event: NewEvent,
}

/// The next fire of a trigger that was held during its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rearm {
    /// Which incarnation.
    pub uid: Uuid,
    /// Which generation.
    pub generation: i64,
    /// The next fire.
    pub next: Next,
}

/// What came of a finish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finished {
    /// It is on record.
    Done,
    /// The run had ended already, or belongs to another token: the outcome was kept as `late_result` (A3), nothing
    /// else was written.
    Fenced,
}

/// Whose runs and claims nobody looks after.
#[derive(Debug, Clone)]
pub enum Orphans {
    /// Everything with a token up to this one: a store with one live node, at its start.
    All,
    /// Those of nodes whose last sign of life is older than this.
    SilentSince(DateTime<Utc>),
}
