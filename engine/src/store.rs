//! The contract between the engine and whatever keeps its rows.
//!
//! Stores store, the engine decides: no method here computes a next fire, a misfire or a retry. Methods are verbs on
//! rows, noun first. Each call is one short transaction of its own (S178); none is held while a job runs. `now` is
//! always an argument, and so is the claim token on everything that writes for a claim or a run.
//!
//! **Tokens.** A claim, and a run begun by hand, gets a token from one counter that only grows. Whatever is written
//! later for that claim or run states the token; when the row carries another one by then, nothing is written and the
//! answer says so (`Stale`, `Fenced`). A node that was given up and comes back can therefore change nothing.
//!
//! **Two things at once.** Every row that a decision was made from has a version. A write states the version that was
//! read; when the row has moved on, nothing is written and the engine reads again. Pause, replace and delete bump the
//! version and clear a claim made ahead of its instant in the same transaction: if they commit first, the begin finds
//! its claim gone and there is no run; if the begin commits first, the run goes on.
//!
//! **An answer that got lost** is unknown, not failed. Every write is idempotent under its token: asked again, a begin
//! answers [`Begun::Begun`] for the row it already made, a finish of a finished run changes nothing.
//!
//! Room is left for claims restricted to owned buckets, history in daily partitions, and begins and finishes in
//! groups (the latter two methods take batches already).

use std::collections::BTreeMap;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use horarium_core::{
    calendar::{Calendar, Calendars},
    error::Result,
    job::JobDefinition,
    misfire::Range,
    names::{CalendarName, JobName, NodeId, TriggerKey},
    query::{JobQuery, RunQuery},
    record::{
        Event, FireDecision, JobRecord, LogLine, NodeRecord, Pause, RunRecord, TriggerGeneration,
        TriggerRecord,
    },
    run_id::RunId,
    state::JobOrigin,
};
use uuid::Uuid;

mod accounts;
mod definitions;
mod desk;
pub mod memory;
mod moves;
pub mod sqlite;
mod values;

pub use accounts::*;
pub use values::*;

/// Rows of jobs, triggers, runs, nodes and the fire ledger.
#[async_trait]
pub trait JobStore: Send + Sync + 'static {
    /// Whether several nodes see the same rows (S172).
    fn is_shared(&self) -> bool;

    /// The clock that decides what is due: the database's own on a shared store, else the `local` instant given (A6).
    async fn now(&self, local: DateTime<Utc>) -> Result<DateTime<Utc>>;

    /// Whether the store answers, and what it is: product and version, for the readiness page.
    async fn ping(&self) -> Result<String>;

    // --- jobs -----------------------------------------------------------------------------------------------------

    /// Writes a job with its whole set of user triggers.
    async fn job_put(&self, put: JobPut) -> Result<Written>;

    /// Deletes a job with all its triggers; running runs go on, history stays (S131).
    async fn job_delete(&self, delete: JobDelete) -> Result<Written>;

    /// One job with its triggers, the engine's own among them.
    async fn job_get(&self, name: &JobName) -> Result<Option<JobRecord>>;

    /// A page of jobs with their triggers.
    async fn job_list(&self, query: &JobQuery) -> Result<Vec<JobRecord>>;

    /// How many jobs a query meets, whatever its paging.
    async fn job_count(&self, query: &JobQuery) -> Result<i64>;

    /// Pauses (`Some`) or resumes (`None`) jobs: the job's flag and the job flag of all its triggers. Answers, in
    /// order, whether each job exists.
    async fn job_set_paused(
        &self,
        jobs: &[JobName],
        pause: Option<&Pause>,
        now: DateTime<Utc>,
    ) -> Result<Vec<bool>>;

    // --- triggers -------------------------------------------------------------------------------------------------

    /// Claims what is due up to `until`: waiting, unclaimed, not paused (`manual-` triggers ignore pauses, A26), of a
    /// known type; not the user triggers of local jobs. Ordered by priority descending, instant, key (A33). Writes node, token, version.
    async fn trigger_claim_due(&self, claim: &ClaimDue) -> Result<Vec<Claimed>>;

    /// Gives claims back untouched. Answers how many were still held.
    async fn trigger_unclaim(&self, claims: &[ClaimRef]) -> Result<u64>;

    /// Moves claimed triggers on without a run: what was missed is skipped, or nothing is left to fire.
    async fn trigger_advance(&self, advances: Vec<TriggerAdvance>) -> Result<Vec<Written>>;

    /// Pauses or resumes single triggers; answers, in order, whether each exists.
    async fn trigger_set_paused(
        &self,
        keys: &[TriggerKey],
        pause: Option<&Pause>,
        now: DateTime<Utc>,
    ) -> Result<Vec<bool>>;

    /// Inserts the engine's one-time triggers: enqueued, retry, recovery. An existing name is left as it is. Answers,
    /// in order, whether the job exists.
    async fn trigger_add_once(&self, triggers: &[OnceTrigger]) -> Result<Vec<bool>>;

    /// Puts waiting triggers into `Error` with a reason (S184), or, with none, back to `Waiting` (A44).
    async fn trigger_set_error(
        &self,
        keys: &[TriggerKey],
        reason: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<()>;

    /// The user triggers, of unpaused local jobs and triggers, in state `Waiting` (S103, S105), with their jobs.
    async fn trigger_list_local(&self) -> Result<Vec<(TriggerRecord, JobDefinition, JobOrigin)>>;

    /// Sets new next fires, for instance after the zone data changed; opens a new generation for each.
    async fn trigger_restart(&self, restarts: Vec<TriggerRestart>) -> Result<Vec<Written>>;

    /// Pauses whose `until` has come: the keys of jobs and triggers that were resumed now.
    async fn pause_expire(&self, now: DateTime<Utc>) -> Result<(Vec<JobName>, Vec<TriggerKey>)>;

    // --- runs -----------------------------------------------------------------------------------------------------

    /// Begins runs, all in one transaction: run row, the job's one slot, the trigger's next fire, ledger, event.
    async fn run_begin(&self, begins: Vec<RunBegin>) -> Result<Vec<Begun>>;

    /// Ends runs, all in one transaction: terminal row, slot freed, the job's blocked triggers waiting again, an
    /// `every` trigger re-armed, one-time trigger deleted, retry inserted, event (design of claims).
    async fn run_finish(&self, finishes: Vec<RunFinish>) -> Result<Vec<Finished>>;

    /// Asks for the cancellation of runs. Answers, in order, the node of each that is running.
    async fn run_request_cancel(
        &self,
        runs: &[RunId],
        by: &str,
        now: DateTime<Utc>,
    ) -> Result<Vec<Option<NodeId>>>;

    /// Runs of a node for which cancellation was requested.
    async fn run_cancels(&self, node: &NodeId) -> Result<Vec<RunId>>;

    /// One run.
    async fn run_get(&self, id: RunId) -> Result<Option<RunRecord>>;

    /// A page of runs, planned latest first, then by id descending (S150, A40).
    async fn run_list(&self, query: &RunQuery) -> Result<Vec<RunRecord>>;

    /// How many runs meet the query's filters, whatever its paging (S151).
    async fn run_count(&self, query: &RunQuery) -> Result<i64>;

    /// The first run and all retries and recoveries of its chain, oldest first.
    async fn run_chain(&self, first: RunId) -> Result<Vec<RunRecord>>;

    /// For each job its last `n` runs, latest first. One query for the whole page.
    async fn run_recent(
        &self,
        jobs: &[JobName],
        n: u32,
    ) -> Result<BTreeMap<JobName, Vec<RunRecord>>>;

    /// How many runs of each job go on now; jobs without any are left out.
    async fn run_running(&self, jobs: &[JobName]) -> Result<BTreeMap<JobName, u32>>;

    /// Appends lines to the logs of runs. A run that is gone is passed over.
    async fn run_log_append(&self, lines: &[(RunId, LogLine)]) -> Result<()>;

    /// Lines of a run's log after the given number.
    async fn run_log_list(&self, run: RunId, after: i64, limit: u32) -> Result<Vec<LogLine>>;

    /// Deletes at most `limit` runs that finished before the instant, folding their instants into the ledger in the
    /// same transaction. Answers how many.
    async fn run_prune(
        &self,
        finished_before: DateTime<Utc>,
        limit: u32,
        now: DateTime<Utc>,
    ) -> Result<u64>;

    // --- nodes and recovery ---------------------------------------------------------------------------------------

    /// Writes this node's sign of life. False when a fresh row of another incarnation has the same id (A8).
    async fn node_heartbeat(&self, node: &NodeRecord) -> Result<bool>;

    /// All nodes, latest sign of life first.
    async fn node_list(&self) -> Result<Vec<NodeRecord>>;

    /// Removes a node that has stopped in order.
    async fn node_remove(&self, node: &NodeId) -> Result<()>;

    /// Running runs that nobody looks after, and claims made ahead by nodes that are gone.
    async fn orphans(&self, which: Orphans) -> Result<(Vec<RunRecord>, Vec<ClaimRef>)>;

    // --- ledger, calendars, events --------------------------------------------------------------------------------

    /// All generations of all triggers, deleted ones included, oldest first.
    async fn ledger_generations(&self) -> Result<Vec<TriggerGeneration>>;

    /// The ranges of instants of one generation that have a verdict, by a run or by a decision, oldest first.
    async fn ledger_decided(&self, trigger_uid: Uuid, generation: i64) -> Result<Vec<Range>>;

    /// The ledger of a trigger for a range, latest first: decisions, and runs shown as `Fired`.
    async fn ledger_list(
        &self,
        trigger_uid: Uuid,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<FireDecision>>;

    /// Records decisions that belong to no claim (local jobs).
    async fn ledger_record(&self, decisions: &[NewDecision], now: DateTime<Utc>) -> Result<()>;

    /// Adds or replaces calendars.
    async fn calendar_put(
        &self,
        calendars: &[(CalendarName, Calendar)],
        now: DateTime<Utc>,
    ) -> Result<()>;

    /// All calendars.
    async fn calendar_list(&self) -> Result<Calendars>;

    /// Events after the given id, oldest first.
    async fn event_list(&self, after: i64, limit: u32) -> Result<Vec<Event>>;

    /// Deletes events older than the instant. Answers how many.
    async fn event_prune(&self, before: DateTime<Utc>) -> Result<u64>;
}
