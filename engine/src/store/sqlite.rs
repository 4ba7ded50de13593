//! The store in one SQLite file: one process, one machine.
//!
//! One connection writes, and every write is one `BEGIN IMMEDIATE` transaction under its lock: between what a
//! transaction reads and what it writes nothing can come. Readers have connections of their own and, in WAL mode, see
//! the last commit without waiting. A commit is on the disk before it is answered, unless the file was opened with
//! [`Synchronous::Normal`].

use std::{collections::BTreeMap, fs::File, path::PathBuf};

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
use sqlx::{SqliteConnection, SqlitePool};
use tokio::sync::Mutex;
use uuid::Uuid;

use rows::Failure;

use super::{
    AccountStore, AuditEntry, Begun, ClaimDue, ClaimRef, Claimed, Finished, JobDelete, JobPut,
    JobStore, NewDecision, OnceTrigger, Orphans, RunBegin, RunFinish, Session, TriggerAdvance,
    TriggerRestart, User, Written,
};

mod accounts;
mod calendars;
mod claims;
mod desk;
mod events;
mod history;
mod jobs;
mod ledger;
mod nodes;
mod open;
mod plans;
mod rows;
mod runs;
mod triggers;

pub use open::OpenError;
#[doc(hidden)]
pub use plans::statements;

/// Takes the right to write at once: a transaction that would take it later could fail after it has read.
const BEGIN: &str = "BEGIN IMMEDIATE";

/// How to open a database file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqliteOptions {
    /// The file; it is made when there is none.
    pub path: PathBuf,
    /// When a commit counts as done.
    pub synchronous: Synchronous,
}

/// When a commit counts as done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Synchronous {
    /// When it is on the disk.
    #[default]
    Full,
    /// When the system has it: a power cut can take the last commits back.
    Normal,
}

/// Rows in a SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    writer: Mutex<SqliteConnection>,
    readers: SqlitePool,
    /// Held as long as the store lives; declared last, so that it is given back last.
    _lock: File,
}

#[async_trait]
impl JobStore for SqliteStore {
    fn is_shared(&self) -> bool {
        false
    }

    async fn now(&self, local: DateTime<Utc>) -> Result<DateTime<Utc>> {
        Ok(local)
    }

    async fn ping(&self) -> Result<String> {
        let version: String = sqlx::query_scalar("SELECT sqlite_version()")
            .fetch_one(&self.readers)
            .await
            .map_err(Failure::from)?;
        Ok(format!("SQLite {version}"))
    }

    async fn job_put(&self, put: JobPut) -> Result<Written> {
        Ok(jobs::put(self, put).await?)
    }

    async fn job_delete(&self, delete: JobDelete) -> Result<Written> {
        Ok(jobs::delete(self, delete).await?)
    }

    async fn job_get(&self, name: &JobName) -> Result<Option<JobRecord>> {
        Ok(jobs::get(self, name).await?)
    }

    async fn job_list(&self, query: &JobQuery) -> Result<Vec<JobRecord>> {
        Ok(jobs::list(self, query).await?)
    }

    async fn job_count(&self, query: &JobQuery) -> Result<i64> {
        Ok(jobs::count(self, query).await?)
    }

    async fn job_set_paused(
        &self,
        jobs: &[JobName],
        pause: Option<&Pause>,
        _now: DateTime<Utc>,
    ) -> Result<Vec<bool>> {
        Ok(jobs::set_paused(self, jobs, pause).await?)
    }

    async fn trigger_claim_due(&self, claim: &ClaimDue) -> Result<Vec<Claimed>> {
        Ok(claims::claim_due(self, claim).await?)
    }

    async fn trigger_unclaim(&self, claims: &[ClaimRef]) -> Result<u64> {
        Ok(claims::unclaim(self, claims).await?)
    }

    async fn trigger_advance(&self, advances: Vec<TriggerAdvance>) -> Result<Vec<Written>> {
        Ok(claims::advance(self, advances).await?)
    }

    async fn trigger_set_paused(
        &self,
        keys: &[TriggerKey],
        pause: Option<&Pause>,
        _now: DateTime<Utc>,
    ) -> Result<Vec<bool>> {
        Ok(triggers::set_paused(self, keys, pause).await?)
    }

    async fn trigger_add_once(&self, triggers: &[OnceTrigger]) -> Result<Vec<bool>> {
        Ok(triggers::add_once(self, triggers).await?)
    }

    async fn trigger_set_error(
        &self,
        keys: &[TriggerKey],
        reason: Option<&str>,
        _now: DateTime<Utc>,
    ) -> Result<()> {
        Ok(triggers::set_error(self, keys, reason).await?)
    }

    async fn trigger_list_local(&self) -> Result<Vec<(TriggerRecord, JobDefinition, JobOrigin)>> {
        Ok(triggers::list_local(self).await?)
    }

    async fn trigger_restart(&self, restarts: Vec<TriggerRestart>) -> Result<Vec<Written>> {
        Ok(triggers::restart(self, restarts).await?)
    }

    async fn pause_expire(&self, now: DateTime<Utc>) -> Result<(Vec<JobName>, Vec<TriggerKey>)> {
        Ok(triggers::pause_expire(self, now).await?)
    }

    async fn run_begin(&self, begins: Vec<RunBegin>) -> Result<Vec<Begun>> {
        Ok(runs::begin(self, begins).await?)
    }

    async fn run_finish(&self, finishes: Vec<RunFinish>) -> Result<Vec<Finished>> {
        Ok(runs::finish(self, finishes).await?)
    }

    async fn run_request_cancel(
        &self,
        runs: &[RunId],
        by: &str,
        now: DateTime<Utc>,
    ) -> Result<Vec<Option<NodeId>>> {
        Ok(runs::request_cancel(self, runs, by, now).await?)
    }

    async fn run_cancels(&self, node: &NodeId) -> Result<Vec<RunId>> {
        Ok(runs::cancels(self, node).await?)
    }

    async fn run_get(&self, id: RunId) -> Result<Option<RunRecord>> {
        Ok(runs::get(self, id).await?)
    }

    async fn run_list(&self, query: &RunQuery) -> Result<Vec<RunRecord>> {
        Ok(runs::list(self, query).await?)
    }

    async fn run_count(&self, query: &RunQuery) -> Result<i64> {
        Ok(runs::count(self, query).await?)
    }

    async fn run_chain(&self, first: RunId) -> Result<Vec<RunRecord>> {
        Ok(runs::chain(self, first).await?)
    }

    async fn run_recent(
        &self,
        jobs: &[JobName],
        n: u32,
    ) -> Result<BTreeMap<JobName, Vec<RunRecord>>> {
        Ok(runs::recent(self, jobs, n).await?)
    }

    async fn run_running(&self, jobs: &[JobName]) -> Result<BTreeMap<JobName, u32>> {
        Ok(runs::running(self, jobs).await?)
    }

    async fn run_log_append(&self, lines: &[(RunId, LogLine)]) -> Result<()> {
        Ok(history::log_append(self, lines).await?)
    }

    async fn run_log_list(&self, run: RunId, after: i64, limit: u32) -> Result<Vec<LogLine>> {
        Ok(history::log_list(self, run, after, limit).await?)
    }

    async fn run_prune(
        &self,
        finished_before: DateTime<Utc>,
        limit: u32,
        now: DateTime<Utc>,
    ) -> Result<u64> {
        Ok(history::prune(self, finished_before, limit, now).await?)
    }

    async fn node_heartbeat(&self, node: &NodeRecord) -> Result<bool> {
        Ok(nodes::heartbeat(self, node).await?)
    }

    async fn node_list(&self) -> Result<Vec<NodeRecord>> {
        Ok(nodes::list(self).await?)
    }

    async fn node_remove(&self, node: &NodeId) -> Result<()> {
        Ok(nodes::remove(self, node).await?)
    }

    async fn orphans(&self, which: Orphans) -> Result<(Vec<RunRecord>, Vec<ClaimRef>)> {
        Ok(nodes::orphans(self, &which).await?)
    }

    async fn ledger_generations(&self) -> Result<Vec<TriggerGeneration>> {
        Ok(ledger::generations(self).await?)
    }

    async fn ledger_decided(&self, trigger_uid: Uuid, generation: i64) -> Result<Vec<Range>> {
        Ok(ledger::decided(self, trigger_uid, generation).await?)
    }

    async fn ledger_list(
        &self,
        trigger_uid: Uuid,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<FireDecision>> {
        Ok(ledger::list(self, trigger_uid, from, to, limit).await?)
    }

    async fn ledger_record(&self, decisions: &[NewDecision], now: DateTime<Utc>) -> Result<()> {
        Ok(ledger::record(self, decisions, now).await?)
    }

    async fn calendar_put(
        &self,
        calendars: &[(CalendarName, Calendar)],
        now: DateTime<Utc>,
    ) -> Result<()> {
        Ok(calendars::put(self, calendars, now).await?)
    }

    async fn calendar_list(&self) -> Result<Calendars> {
        Ok(calendars::list(self).await?)
    }

    async fn event_list(&self, after: i64, limit: u32) -> Result<Vec<Event>> {
        Ok(events::list(self, after, limit).await?)
    }

    async fn event_prune(&self, before: DateTime<Utc>) -> Result<u64> {
        Ok(events::prune(self, before).await?)
    }
}

#[async_trait]
impl AccountStore for SqliteStore {
    async fn user_create(&self, user: &User) -> Result<bool> {
        Ok(accounts::user_create(self, user).await?)
    }

    async fn user_create_first(&self, user: &User) -> Result<bool> {
        Ok(accounts::user_create_first(self, user).await?)
    }

    async fn user_by_name(&self, name: &str) -> Result<Option<User>> {
        Ok(accounts::user_by_name(self, name).await?)
    }

    async fn user_list(&self) -> Result<Vec<User>> {
        Ok(accounts::user_list(self).await?)
    }

    async fn user_update(&self, user: &User) -> Result<()> {
        Ok(accounts::user_update(self, user).await?)
    }

    async fn session_create(&self, session: &Session) -> Result<()> {
        Ok(accounts::session_create(self, session).await?)
    }

    async fn session_get(&self, id_hash: &str) -> Result<Option<(Session, User)>> {
        Ok(accounts::session_get(self, id_hash).await?)
    }

    async fn session_touch(&self, id_hash: &str, seen_at: DateTime<Utc>) -> Result<()> {
        Ok(accounts::session_touch(self, id_hash, seen_at).await?)
    }

    async fn session_delete(&self, id_hash: &str) -> Result<()> {
        Ok(accounts::session_delete(self, id_hash).await?)
    }

    async fn session_delete_user(&self, user: Uuid) -> Result<()> {
        Ok(accounts::session_delete_user(self, user).await?)
    }

    async fn session_prune(
        &self,
        created_before: DateTime<Utc>,
        seen_before: DateTime<Utc>,
    ) -> Result<u64> {
        Ok(accounts::session_prune(self, created_before, seen_before).await?)
    }

    async fn audit_append(&self, entry: &AuditEntry) -> Result<()> {
        Ok(accounts::audit_append(self, entry).await?)
    }

    async fn audit_list(
        &self,
        object: Option<&str>,
        skip: i64,
        limit: i64,
    ) -> Result<Vec<AuditEntry>> {
        Ok(accounts::audit_list(self, object, skip, limit).await?)
    }

    async fn setting_get(&self, key: &str) -> Result<Option<String>> {
        Ok(accounts::setting_get(self, key).await?)
    }

    async fn setting_put(&self, key: &str, value: Option<&str>) -> Result<()> {
        Ok(accounts::setting_put(self, key, value).await?)
    }
}
