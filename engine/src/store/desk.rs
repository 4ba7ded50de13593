//! Begin and finish of runs, decided once for every store.
//!
//! A store puts the rows that a batch is about on the desk, lets the desk work through the batch in order, and writes
//! what changed, all in one transaction that nobody else's write can enter. The rules are thus the same everywhere,
//! and a database needs a handful of statements whatever the size of the batch.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use horarium_core::{
    error::Result,
    names::{JobName, TriggerKey},
    record::{FireDecision, RunRecord, TriggerRecord},
    run_id::RunId,
    state::{RunCause, RunStatus, TriggerState},
};
use serde_json::json;
use uuid::Uuid;

use super::{AfterBegin, Begun, Finished, NewEvent, Rearm, RunBegin, RunFinish, moves};

/// A nominal instant that a run stands for: trigger incarnation, generation, instant, and the node of a run that
/// every instance makes for itself, else nothing.
pub(super) type Instant = (Uuid, i64, DateTime<Utc>, String);

/// What runs change in a job's row.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Slot {
    /// The run that holds the job's one slot.
    pub active_run: Option<RunId>,
    /// When its latest run was handed out.
    pub last_run_at: Option<DateTime<Utc>>,
    /// When its latest finished run ended.
    pub last_finished_at: Option<DateTime<Utc>>,
    /// How it ended.
    pub last_status: Option<RunStatus>,
}

/// A job on the desk.
#[derive(Debug, Clone, Default)]
pub(super) struct DeskJob {
    pub slot: Slot,
    pub paused: bool,
    /// Whether any of its runs goes on, with the slot or without.
    pub running: bool,
}

/// The rows of a batch, and what became of them.
#[derive(Debug, Default)]
pub(super) struct Desk {
    // --- what the store puts on it: only rows that exist
    pub jobs: BTreeMap<JobName, DeskJob>,
    pub triggers: BTreeMap<TriggerKey, TriggerRecord>,
    /// Token and status of runs that have an id of the batch (begin).
    pub known: BTreeMap<RunId, (i64, RunStatus)>,
    /// Nominal instants of the batch that have a run (begin).
    pub instants: BTreeSet<Instant>,
    /// The runs of the batch (finish). Its triggers are those of the runs, those to delete or to add, and the
    /// blocked ones of the same jobs.
    pub runs: BTreeMap<RunId, RunRecord>,

    // --- what it wants written
    pub begun: Vec<(RunRecord, Option<Instant>)>,
    pub ended: BTreeSet<RunId>,
    /// Runs that only got a `late_result`.
    pub late: BTreeSet<RunId>,
    pub slots: BTreeSet<JobName>,
    pub moved: BTreeSet<TriggerKey>,
    pub removed: BTreeSet<TriggerKey>,
    pub added: Vec<TriggerRecord>,
    pub decisions: Vec<FireDecision>,
    pub events: Vec<(NewEvent, DateTime<Utc>)>,
}

/// The nominal instant that a begin takes up: only runs made by a schedule have one.
pub(super) fn instant(begin: &RunBegin) -> Option<Instant> {
    let run = &begin.run;
    if run.cause != RunCause::Schedule {
        return None;
    }
    // without a claim, every instance runs it for itself
    let node = match begin.claim {
        Some(_) => String::new(),
        None => run.node.0.clone(),
    };
    Some((run.trigger_uid?, run.generation, run.nominal_at?, node))
}

/// The trigger that a run came from, as far as its name tells.
pub(super) fn trigger_key(run: &RunRecord) -> Option<TriggerKey> {
    Some(TriggerKey {
        job: run.job.clone(),
        trigger: run.trigger.clone()?,
    })
}

impl Desk {
    /// Begins one run. `fresh` is the token for a run without a claim.
    pub(super) fn begin(&mut self, begin: RunBegin, fresh: i64) -> Begun {
        let token = begin.claim.as_ref().map_or(fresh, |c| c.token);
        let instant = instant(&begin);
        let mut taken = instant.as_ref().is_some_and(|i| self.instants.contains(i));
        if let Some(&(held, status)) = self.known.get(&begin.run.id) {
            let mine = begin.claim.as_ref().is_none_or(|c| c.token == held);
            match status {
                // asked again because the answer got lost
                RunStatus::Running if mine => return Begun::Begun { token: held },
                _ if mine && begin.claim.is_some() => return Begun::Stale,
                _ => taken = true,
            }
        }
        // a run that began when the job still allowed concurrency holds no slot and counts all the same
        let Some(busy) = self
            .jobs
            .get(&begin.run.job)
            .map(|j| j.slot.active_run.is_some() || j.running)
        else {
            return Begun::NoJob;
        };
        if !self.is_claim_valid(&begin) {
            return Begun::Stale;
        }
        if taken {
            self.move_on(&begin, false);
            self.keep_decisions(&begin);
            return Begun::Duplicate;
        }
        if begin.exclusive && busy {
            self.block(&begin);
            return Begun::Blocked;
        }
        self.enter(&begin);
        self.move_on(&begin, true);
        self.keep_decisions(&begin);
        self.known.insert(begin.run.id, (token, RunStatus::Running));
        self.instants.extend(instant.clone());
        self.events.push((begin.event, begin.run.dispatched_at));
        let mut run = begin.run;
        run.token = token;
        self.begun.push((run, instant));
        Begun::Begun { token }
    }

    fn enter(&mut self, begin: &RunBegin) {
        let Some(job) = self.jobs.get_mut(&begin.run.job) else {
            return;
        };
        if begin.exclusive {
            job.slot.active_run = Some(begin.run.id);
        }
        job.running = true;
        job.slot.last_run_at = job.slot.last_run_at.max(Some(begin.run.dispatched_at));
        self.slots.insert(begin.run.job.clone());
    }

    fn is_claim_valid(&self, begin: &RunBegin) -> bool {
        begin.claim.as_ref().is_none_or(|claim| {
            self.triggers
                .get(&claim.key)
                .is_some_and(|t| moves::is_claimed_by(t, claim) && !t.is_paused())
        })
    }

    fn claimed(&mut self, begin: &RunBegin) -> Option<&mut TriggerRecord> {
        let key = &begin.claim.as_ref()?.key;
        self.moved.insert(key.clone());
        self.triggers.get_mut(key)
    }

    fn block(&mut self, begin: &RunBegin) {
        if let Some(trigger) = self.claimed(begin) {
            moves::release(trigger);
            trigger.state = TriggerState::Blocked;
        }
    }

    fn move_on(&mut self, begin: &RunBegin, made: bool) {
        let after = begin.trigger;
        let Some(trigger) = self.claimed(begin) else {
            return;
        };
        match after {
            AfterBegin::None => moves::release(trigger),
            AfterBegin::Hold { watermark } => {
                moves::raise_watermark(trigger, watermark);
                if made {
                    trigger.state = TriggerState::Acquired;
                    trigger.version += 1;
                } else {
                    // no run of ours will ever give it its next fire: somebody has to look at it
                    moves::set_error(trigger, Some("its instant has a run already"));
                }
            }
            AfterBegin::Advance { next, watermark } => {
                moves::go_on(trigger, next);
                moves::raise_watermark(trigger, watermark);
            }
        }
        if made && begin.counts {
            trigger.fired_count += 1;
        }
    }

    fn keep_decisions(&mut self, begin: &RunBegin) {
        let now = begin.run.dispatched_at;
        self.decisions
            .extend(begin.decisions.iter().map(|d| moves::decided(d, now)));
    }

    /// Ends one run.
    pub(super) fn finish(&mut self, finish: RunFinish) -> Result<Finished> {
        let Some(run) = self.runs.get_mut(&finish.id) else {
            return Ok(Finished::Fenced);
        };
        if run.status.is_final() || run.token != finish.token {
            if is_repeated(run, &finish) {
                return Ok(Finished::Done);
            }
            // the first thing that came late is kept
            if run.late_result.is_none() {
                run.late_result = Some(late_result(&finish));
                self.late.insert(finish.id);
            }
            return Ok(Finished::Fenced);
        }
        end(run, &finish);
        let run = run.clone();
        self.ended.insert(run.id);
        self.free(&run, finish.finished_at);
        if let Some(rearm) = finish.rearm {
            self.rearm(&run, rearm);
        }
        if let Some(key) = finish.delete_once {
            self.delete_once(&run, key);
        }
        if let Some(once) = finish.follow_up {
            self.add_once(&once)?;
        }
        self.events.push((finish.event, finish.finished_at));
        Ok(Finished::Done)
    }

    /// Frees the job's slot if it is this run's, and lets what waits for it try again (S99).
    fn free(&mut self, run: &RunRecord, finished_at: DateTime<Utc>) {
        let Some(job) = self.jobs.get_mut(&run.job) else {
            return;
        };
        let slot = &mut job.slot;
        if slot.active_run == Some(run.id) {
            slot.active_run = None;
        }
        if slot.last_finished_at <= Some(finished_at) {
            slot.last_finished_at = Some(finished_at);
            slot.last_status = Some(run.status);
        }
        let is_free = slot.active_run.is_none();
        self.slots.insert(run.job.clone());
        if !is_free {
            return;
        }
        let of_job = self.triggers.range_mut(moves::first_key(&run.job)..);
        for (key, trigger) in of_job.take_while(|(k, _)| k.job == run.job) {
            if trigger.state == TriggerState::Blocked {
                trigger.state = TriggerState::Waiting;
                trigger.version += 1;
                self.moved.insert(key.clone());
            }
        }
    }

    fn held_by(&mut self, run: &RunRecord) -> Option<&mut TriggerRecord> {
        self.triggers
            .get_mut(&trigger_key(run)?)
            .filter(|t| t.state == TriggerState::Acquired && t.claim_token == Some(run.token))
    }

    fn rearm(
        &mut self,
        run: &RunRecord,
        Rearm {
            uid,
            generation,
            next,
        }: Rearm,
    ) {
        let held = self
            .held_by(run)
            .filter(|t| t.uid == uid && t.generation == generation);
        if let Some(trigger) = held {
            moves::go_on(trigger, next);
            let key = trigger.key();
            self.moved.insert(key);
        }
    }

    fn delete_once(&mut self, run: &RunRecord, key: TriggerKey) {
        let is_its_own = self.triggers.get(&key).is_some_and(|t| {
            t.one_time.is_some() && run.trigger_uid.is_none_or(|uid| uid == t.uid)
        });
        if is_its_own {
            self.triggers.remove(&key);
            self.moved.remove(&key);
            self.removed.insert(key);
        }
    }

    /// Adds an engine-made trigger unless its name is there already; false when the job is gone.
    pub(super) fn add_once(&mut self, once: &super::OnceTrigger) -> Result<bool> {
        let Some(job) = self.jobs.get(&once.key.job) else {
            return Ok(false);
        };
        if !self.triggers.contains_key(&once.key) {
            let row = moves::once(once, job.paused)?;
            self.triggers.insert(once.key.clone(), row.clone());
            self.added.push(row);
        }
        Ok(true)
    }
}

/// Whether this finish is on record already, so that only its answer got lost.
fn is_repeated(run: &RunRecord, finish: &RunFinish) -> bool {
    run.token == finish.token
        && run.status == finish.status
        && run.finished_at == Some(finish.finished_at)
}

fn end(run: &mut RunRecord, finish: &RunFinish) {
    run.status = finish.status;
    run.started_at = finish.started_at.or(run.started_at);
    run.finished_at = Some(finish.finished_at);
    run.result = finish.result.clone();
    run.error = finish.error.clone();
    run.cancel = finish.cancel.or(run.cancel);
}

fn late_result(finish: &RunFinish) -> String {
    json!({
        "status": finish.status,
        "finished_at": finish.finished_at,
        "result": finish.result,
        "error": finish.error,
    })
    .to_string()
}
