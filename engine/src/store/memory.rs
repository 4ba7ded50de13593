//! The store that keeps everything in this process: nothing outlives it (S181).
//!
//! One mutex around plain maps. No method waits while it holds it, so a call is as atomic as a transaction.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

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

use super::{
    AccountStore, AuditEntry, Begun, ClaimDue, ClaimRef, Claimed, Finished, JobDelete, JobPut,
    JobStore, NewDecision, OnceTrigger, Orphans, RunBegin, RunFinish, Session, TriggerAdvance,
    TriggerRestart, User, Written,
};

mod accounts;
mod calendars;
mod claims;
mod events;
mod history;
mod jobs;
mod ledger;
mod nodes;
mod rows;
mod runs;
mod triggers;

/// Rows in memory.
#[derive(Debug)]
pub struct MemoryStore {
    tables: Mutex<rows::Tables>,
    max_runs: usize,
}

impl MemoryStore {
    /// An empty store that keeps at most so many runs (S182).
    pub fn new(max_runs: usize) -> Self {
        Self {
            tables: Mutex::default(),
            max_runs,
        }
    }

    fn tables(&self) -> MutexGuard<'_, rows::Tables> {
        // a panic inside leaves rows as they were or as they were to become
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl JobStore for MemoryStore {
    fn is_shared(&self) -> bool {
        false
    }

    async fn now(&self, local: DateTime<Utc>) -> Result<DateTime<Utc>> {
        Ok(local)
    }

    async fn ping(&self) -> Result<String> {
        Ok("memory".to_owned())
    }

    async fn job_put(&self, put: JobPut) -> Result<Written> {
        Ok(self.tables().job_put(put))
    }

    async fn job_delete(&self, delete: JobDelete) -> Result<Written> {
        Ok(self.tables().job_delete(delete))
    }

    async fn job_get(&self, name: &JobName) -> Result<Option<JobRecord>> {
        Ok(self.tables().job_get(name))
    }

    async fn job_list(&self, query: &JobQuery) -> Result<Vec<JobRecord>> {
        Ok(self.tables().job_list(query))
    }

    async fn job_count(&self, query: &JobQuery) -> Result<i64> {
        Ok(self.tables().job_count(query))
    }

    async fn job_set_paused(
        &self,
        jobs: &[JobName],
        pause: Option<&Pause>,
        _now: DateTime<Utc>,
    ) -> Result<Vec<bool>> {
        Ok(self.tables().job_set_paused(jobs, pause))
    }

    async fn trigger_claim_due(&self, claim: &ClaimDue) -> Result<Vec<Claimed>> {
        Ok(self.tables().trigger_claim_due(claim))
    }

    async fn trigger_unclaim(&self, claims: &[ClaimRef]) -> Result<u64> {
        Ok(self.tables().trigger_unclaim(claims))
    }

    async fn trigger_advance(&self, advances: Vec<TriggerAdvance>) -> Result<Vec<Written>> {
        Ok(self.tables().trigger_advance(advances))
    }

    async fn trigger_set_paused(
        &self,
        keys: &[TriggerKey],
        pause: Option<&Pause>,
        _now: DateTime<Utc>,
    ) -> Result<Vec<bool>> {
        Ok(self.tables().trigger_set_paused(keys, pause))
    }

    async fn trigger_add_once(&self, triggers: &[OnceTrigger]) -> Result<Vec<bool>> {
        self.tables().trigger_add_once(triggers)
    }

    async fn trigger_set_error(
        &self,
        keys: &[TriggerKey],
        reason: Option<&str>,
        _now: DateTime<Utc>,
    ) -> Result<()> {
        self.tables().trigger_set_error(keys, reason);
        Ok(())
    }

    async fn trigger_list_local(&self) -> Result<Vec<(TriggerRecord, JobDefinition, JobOrigin)>> {
        Ok(self.tables().trigger_list_local())
    }

    async fn trigger_restart(&self, restarts: Vec<TriggerRestart>) -> Result<Vec<Written>> {
        Ok(self.tables().trigger_restart(restarts))
    }

    async fn pause_expire(&self, now: DateTime<Utc>) -> Result<(Vec<JobName>, Vec<TriggerKey>)> {
        Ok(self.tables().pause_expire(now))
    }

    async fn run_begin(&self, begins: Vec<RunBegin>) -> Result<Vec<Begun>> {
        self.tables().run_begin(begins, self.max_runs)
    }

    async fn run_finish(&self, finishes: Vec<RunFinish>) -> Result<Vec<Finished>> {
        self.tables().run_finish(finishes)
    }

    async fn run_request_cancel(
        &self,
        runs: &[RunId],
        by: &str,
        _now: DateTime<Utc>,
    ) -> Result<Vec<Option<NodeId>>> {
        Ok(self.tables().run_request_cancel(runs, by))
    }

    async fn run_cancels(&self, node: &NodeId) -> Result<Vec<RunId>> {
        Ok(self.tables().run_cancels(node))
    }

    async fn run_get(&self, id: RunId) -> Result<Option<RunRecord>> {
        Ok(self.tables().run_get(id))
    }

    async fn run_list(&self, query: &RunQuery) -> Result<Vec<RunRecord>> {
        Ok(self.tables().run_list(query))
    }

    async fn run_count(&self, query: &RunQuery) -> Result<i64> {
        Ok(self.tables().run_count(query))
    }

    async fn run_chain(&self, first: RunId) -> Result<Vec<RunRecord>> {
        Ok(self.tables().run_chain(first))
    }

    async fn run_recent(
        &self,
        jobs: &[JobName],
        n: u32,
    ) -> Result<BTreeMap<JobName, Vec<RunRecord>>> {
        Ok(self.tables().run_recent(jobs, n))
    }

    async fn run_running(&self, jobs: &[JobName]) -> Result<BTreeMap<JobName, u32>> {
        Ok(self.tables().run_running(jobs))
    }

    async fn run_log_append(&self, lines: &[(RunId, LogLine)]) -> Result<()> {
        self.tables().run_log_append(lines);
        Ok(())
    }

    async fn run_log_list(&self, run: RunId, after: i64, limit: u32) -> Result<Vec<LogLine>> {
        Ok(self.tables().run_log_list(run, after, limit))
    }

    async fn run_prune(
        &self,
        finished_before: DateTime<Utc>,
        limit: u32,
        now: DateTime<Utc>,
    ) -> Result<u64> {
        Ok(self.tables().run_prune(finished_before, limit, now))
    }

    async fn node_heartbeat(&self, node: &NodeRecord) -> Result<bool> {
        Ok(self.tables().node_heartbeat(node))
    }

    async fn node_list(&self) -> Result<Vec<NodeRecord>> {
        Ok(self.tables().node_list())
    }

    async fn node_remove(&self, node: &NodeId) -> Result<()> {
        self.tables().node_remove(node);
        Ok(())
    }

    async fn orphans(&self, which: Orphans) -> Result<(Vec<RunRecord>, Vec<ClaimRef>)> {
        Ok(self.tables().orphans(&which))
    }

    async fn ledger_generations(&self) -> Result<Vec<TriggerGeneration>> {
        Ok(self.tables().ledger_generations())
    }

    async fn ledger_decided(&self, trigger_uid: Uuid, generation: i64) -> Result<Vec<Range>> {
        Ok(self.tables().ledger_decided(trigger_uid, generation))
    }

    async fn ledger_list(
        &self,
        trigger_uid: Uuid,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<FireDecision>> {
        Ok(self.tables().ledger_list(trigger_uid, from, to, limit))
    }

    async fn ledger_record(&self, decisions: &[NewDecision], now: DateTime<Utc>) -> Result<()> {
        self.tables().ledger_record(decisions, now);
        Ok(())
    }

    async fn calendar_put(
        &self,
        calendars: &[(CalendarName, Calendar)],
        _now: DateTime<Utc>,
    ) -> Result<()> {
        self.tables().calendar_put(calendars);
        Ok(())
    }

    async fn calendar_list(&self) -> Result<Calendars> {
        Ok(self.tables().calendar_list())
    }

    async fn event_list(&self, after: i64, limit: u32) -> Result<Vec<Event>> {
        Ok(self.tables().event_list(after, limit))
    }

    async fn event_prune(&self, before: DateTime<Utc>) -> Result<u64> {
        Ok(self.tables().event_prune(before))
    }
}

#[async_trait]
impl AccountStore for MemoryStore {
    async fn user_create(&self, user: &User) -> Result<bool> {
        Ok(self.tables().user_create(user))
    }

    async fn user_create_first(&self, user: &User) -> Result<bool> {
        Ok(self.tables().user_create_first(user))
    }

    async fn user_by_name(&self, name: &str) -> Result<Option<User>> {
        Ok(self.tables().user_by_name(name))
    }

    async fn user_list(&self) -> Result<Vec<User>> {
        Ok(self.tables().user_list())
    }

    async fn user_update(&self, user: &User) -> Result<()> {
        self.tables().user_update(user);
        Ok(())
    }

    async fn session_create(&self, session: &Session) -> Result<()> {
        self.tables().session_create(session);
        Ok(())
    }

    async fn session_get(&self, id_hash: &str) -> Result<Option<(Session, User)>> {
        Ok(self.tables().session_get(id_hash))
    }

    async fn session_touch(&self, id_hash: &str, seen_at: DateTime<Utc>) -> Result<()> {
        self.tables().session_touch(id_hash, seen_at);
        Ok(())
    }

    async fn session_delete(&self, id_hash: &str) -> Result<()> {
        self.tables().session_delete(id_hash);
        Ok(())
    }

    async fn session_delete_user(&self, user: Uuid) -> Result<()> {
        self.tables().session_delete_user(user);
        Ok(())
    }

    async fn session_prune(
        &self,
        created_before: DateTime<Utc>,
        seen_before: DateTime<Utc>,
    ) -> Result<u64> {
        Ok(self.tables().session_prune(created_before, seen_before))
    }

    async fn audit_append(&self, entry: &AuditEntry) -> Result<()> {
        self.tables().audit_append(entry);
        Ok(())
    }

    async fn audit_list(
        &self,
        object: Option<&str>,
        skip: i64,
        limit: i64,
    ) -> Result<Vec<AuditEntry>> {
        Ok(self.tables().audit_list(object, skip, limit))
    }

    async fn setting_get(&self, key: &str) -> Result<Option<String>> {
        Ok(self.tables().setting_get(key))
    }

    async fn setting_put(&self, key: &str, value: Option<&str>) -> Result<()> {
        self.tables().setting_put(key, value);
        Ok(())
    }
}
