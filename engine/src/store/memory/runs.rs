//! Runs and their logs, in memory.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use chrono::{DateTime, Utc};
use horarium_core::{
    error::Result,
    names::{JobName, NodeId, TriggerKey},
    query::RunQuery,
    record::RunRecord,
    run_id::RunId,
    state::{CancelReason, RunStatus},
};

use super::rows::{RunRow, Tables};
use crate::store::{
    Begun, Finished, RunBegin, RunFinish,
    desk::{self, Desk, DeskJob},
    moves,
};

impl Tables {
    pub(super) fn run_begin(
        &mut self,
        begins: Vec<RunBegin>,
        max_runs: usize,
    ) -> Result<Vec<Begun>> {
        let mut desk = self.desk_for_begin(&begins);
        let now = begins.iter().map(|b| b.run.dispatched_at).max();
        let begun = begins
            .into_iter()
            .map(|begin| {
                let fresh = self.next_token();
                desk.begin(begin, fresh)
            })
            .collect();
        if let Some(now) = now {
            self.make_room(desk.begun.len(), max_runs, now)?;
        }
        self.clear_desk(desk);
        Ok(begun)
    }

    pub(super) fn run_finish(&mut self, finishes: Vec<RunFinish>) -> Result<Vec<Finished>> {
        let mut desk = self.desk_for_finish(&finishes);
        let finished = finishes
            .into_iter()
            .map(|finish| desk.finish(finish))
            .collect::<Result<_>>()?;
        self.clear_desk(desk);
        Ok(finished)
    }

    fn desk_for_begin(&self, begins: &[RunBegin]) -> Desk {
        let mut desk = Desk::default();
        for begin in begins {
            self.lay_out_job(&mut desk, &begin.run.job);
            if let Some(row) = self.runs.get(&begin.run.id) {
                let known = (row.record.token, row.record.status);
                desk.known.insert(begin.run.id, known);
            }
            let instant = desk::instant(begin);
            desk.instants
                .extend(instant.filter(|i| self.instants.contains_key(i)));
            let claim = begin.claim.iter().map(|c| c.key.clone());
            self.lay_out_triggers(&mut desk, claim.collect());
        }
        desk
    }

    fn desk_for_finish(&self, finishes: &[RunFinish]) -> Desk {
        let mut desk = Desk::default();
        for finish in finishes {
            let mut keys: Vec<_> = finish.delete_once.iter().cloned().collect();
            if let Some(row) = self.runs.get(&finish.id) {
                keys.extend(desk::trigger_key(&row.record));
                self.lay_out_job(&mut desk, &row.record.job);
                desk.runs.insert(finish.id, row.record.clone());
            }
            if let Some(once) = &finish.follow_up {
                keys.push(once.key.clone());
                self.lay_out_job(&mut desk, &once.key.job);
            }
            self.lay_out_triggers(&mut desk, keys);
        }
        let jobs: Vec<_> = desk.jobs.keys().cloned().collect();
        for job in &jobs {
            let blocked = self.blocked.range(moves::first_key(job)..);
            let blocked = blocked.take_while(|key| key.job == *job).cloned();
            self.lay_out_triggers(&mut desk, blocked.collect());
        }
        desk
    }

    fn lay_out_triggers(&self, desk: &mut Desk, keys: Vec<TriggerKey>) {
        for key in keys {
            if let Some(trigger) = self.triggers.get(&key) {
                desk.triggers.insert(key, trigger.clone());
            }
        }
    }

    fn lay_out_job(&self, desk: &mut Desk, name: &JobName) {
        if let Some(row) = self.jobs.get(name) {
            let job = DeskJob {
                slot: row.slot.clone(),
                paused: row.paused.is_some(),
                running: self.running.contains_key(name),
            };
            desk.jobs.insert(name.clone(), job);
        }
    }

    fn clear_desk(&mut self, desk: Desk) {
        for key in &desk.removed {
            self.remove_trigger(key);
        }
        for trigger in desk.added {
            self.save_trigger(trigger);
        }
        for key in &desk.moved {
            if let Some(trigger) = desk.triggers.get(key) {
                self.save_trigger(trigger.clone());
            }
        }
        for name in &desk.slots {
            if let (Some(row), Some(job)) = (self.jobs.get_mut(name), desk.jobs.get(name)) {
                row.slot = job.slot.clone();
            }
        }
        for (record, instant) in desk.begun {
            self.save_run(RunRow { record, instant });
        }
        for id in desk.ended.union(&desk.late) {
            if let (Some(row), Some(record)) = (self.runs.get(id), desk.runs.get(id)) {
                let instant = row.instant.clone();
                let record = record.clone();
                self.save_run(RunRow { record, instant });
            }
        }
        for decision in desk.decisions {
            self.add_decision(decision);
        }
        for (event, at) in desk.events {
            self.add_event(event, at);
        }
    }

    pub(super) fn run_request_cancel(&mut self, runs: &[RunId], by: &str) -> Vec<Option<NodeId>> {
        runs.iter()
            .map(|id| {
                let run = &mut self.runs.get_mut(id)?.record;
                if run.status != RunStatus::Running {
                    return None;
                }
                run.cancel = Some(CancelReason::Request);
                run.requested_by = Some(by.to_owned());
                Some(run.node.clone())
            })
            .collect()
    }

    pub(super) fn run_cancels(&self, node: &NodeId) -> Vec<RunId> {
        self.running_runs()
            .filter(|run| run.node == *node && run.cancel == Some(CancelReason::Request))
            .map(|run| run.id)
            .collect()
    }

    /// The runs that go on, by job.
    pub(super) fn running_runs(&self) -> impl Iterator<Item = &RunRecord> {
        self.running
            .values()
            .flatten()
            .filter_map(|id| self.runs.get(id).map(|row| &row.record))
    }

    pub(super) fn run_get(&self, id: RunId) -> Option<RunRecord> {
        self.runs.get(&id).map(|row| row.record.clone())
    }

    pub(super) fn run_list(&self, query: &RunQuery) -> Vec<RunRecord> {
        let mut found: Vec<_> = self.runs_that(query).collect();
        found.sort_by_key(|run| latest_first(run));
        let skip = usize::try_from(query.skip).unwrap_or(0);
        let limit = usize::try_from(query.limit).unwrap_or(0);
        found.into_iter().skip(skip).take(limit).cloned().collect()
    }

    pub(super) fn run_count(&self, query: &RunQuery) -> i64 {
        i64::try_from(self.runs_that(query).count()).unwrap_or(i64::MAX)
    }

    fn runs_that(&self, query: &RunQuery) -> impl Iterator<Item = &RunRecord> {
        self.runs.values().map(|row| &row.record).filter(|run| {
            let by = |trigger| {
                run.trigger.as_ref() == Some(trigger)
                    || run.origin_trigger.as_ref() == Some(trigger)
            };
            query.job.as_ref().is_none_or(|j| *j == run.job)
                && (query.statuses.is_empty() || query.statuses.contains(&run.status))
                && query.from.is_none_or(|from| run.scheduled_at >= from)
                && query.to.is_none_or(|to| run.scheduled_at < to)
                && query.trigger.as_ref().is_none_or(by)
                && query.node.as_ref().is_none_or(|n| *n == run.node)
                && query.has_error.is_none_or(|has| has == run.error.is_some())
                && query.cause.is_none_or(|c| c == run.cause)
        })
    }

    pub(super) fn run_chain(&self, first: RunId) -> Vec<RunRecord> {
        let mut chain = BTreeSet::from([first]);
        loop {
            let known = chain.len();
            let of_chain = self.runs.values().map(|row| &row.record).filter(|run| {
                [run.retry_of, run.recovered_from]
                    .iter()
                    .flatten()
                    .any(|of| chain.contains(of))
            });
            let ids: Vec<_> = of_chain.map(|run| run.id).collect();
            chain.extend(ids);
            if chain.len() == known {
                break;
            }
        }
        let mut runs: Vec<_> = chain
            .into_iter()
            .filter_map(|id| self.run_get(id))
            .collect();
        runs.sort_by_key(|run| (run.dispatched_at, run.id));
        runs
    }

    pub(super) fn run_recent(&self, jobs: &[JobName], n: u32) -> BTreeMap<JobName, Vec<RunRecord>> {
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        let mut recent: BTreeMap<JobName, Vec<RunRecord>> = BTreeMap::new();
        for row in self.runs.values() {
            if jobs.contains(&row.record.job) {
                let runs = recent.entry(row.record.job.clone()).or_default();
                runs.push(row.record.clone());
            }
        }
        for runs in recent.values_mut() {
            runs.sort_by_key(latest_first);
            runs.truncate(n);
        }
        recent
    }

    pub(super) fn run_running(&self, jobs: &[JobName]) -> BTreeMap<JobName, u32> {
        jobs.iter()
            .filter_map(|job| {
                let running = self.running.get(job)?.len();
                Some((job.clone(), u32::try_from(running).unwrap_or(u32::MAX)))
            })
            .collect()
    }
}

fn latest_first(run: &RunRecord) -> (Reverse<DateTime<Utc>>, Reverse<RunId>) {
    (Reverse(run.scheduled_at), Reverse(run.id))
}
