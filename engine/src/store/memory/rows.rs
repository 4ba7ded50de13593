//! The tables of the memory store, with the few indexes that it needs. Every change of a trigger or a run goes
//! through here, so that the indexes follow.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use chrono::{DateTime, Utc};
use horarium_core::{
    calendar::Calendars,
    job::JobDefinition,
    names::{JobName, NodeId, TriggerKey},
    record::{
        Event, FireDecision, JobRecord, LogLine, NodeRecord, Pause, RunRecord, TriggerGeneration,
        TriggerRecord,
    },
    run_id::RunId,
    state::{JobOrigin, RunStatus, TriggerState},
};
use uuid::Uuid;

use crate::store::{
    AuditEntry, NewEvent, Session, User,
    desk::{Instant, Slot},
    moves,
};

/// A job's own row.
#[derive(Debug, Clone)]
pub(super) struct JobRow {
    /// Without triggers.
    pub definition: JobDefinition,
    pub search: String,
    pub origin: JobOrigin,
    pub fingerprint: Option<String>,
    pub code_definition: Option<JobDefinition>,
    pub paused: Option<Pause>,
    pub version: i64,
    pub slot: Slot,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub updated_by: String,
}

/// A run with the nominal instant that it stands for.
#[derive(Debug, Clone)]
pub(super) struct RunRow {
    pub record: RunRecord,
    pub instant: Option<Instant>,
}

/// What can be claimed, in the order of claiming (A33).
pub(super) type DueKey = (Reverse<i32>, DateTime<Utc>, TriggerKey);

/// Everything.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub token: i64,
    pub jobs: BTreeMap<JobName, JobRow>,
    pub triggers: BTreeMap<TriggerKey, TriggerRecord>,
    pub due: BTreeSet<DueKey>,
    pub blocked: BTreeSet<TriggerKey>,
    pub generations: BTreeMap<(Uuid, i64), TriggerGeneration>,
    pub runs: BTreeMap<RunId, RunRow>,
    pub instants: BTreeMap<Instant, RunId>,
    pub running: BTreeMap<JobName, BTreeSet<RunId>>,
    pub finished: BTreeSet<(DateTime<Utc>, RunId)>,
    pub logs: BTreeMap<(RunId, i64), LogLine>,
    pub decisions: BTreeMap<(Uuid, i64), Vec<FireDecision>>,
    pub nodes: BTreeMap<NodeId, NodeRecord>,
    pub calendars: Calendars,
    pub last_event: i64,
    pub events: BTreeMap<i64, Event>,
    pub users: BTreeMap<Uuid, User>,
    pub sessions: BTreeMap<String, Session>,
    pub audit: Vec<AuditEntry>,
    pub settings: BTreeMap<String, String>,
}

impl Tables {
    /// The next token.
    pub fn next_token(&mut self) -> i64 {
        self.token += 1;
        self.token
    }

    /// The triggers of a job, by name.
    pub fn triggers_of(&self, job: &JobName) -> impl Iterator<Item = &TriggerRecord> {
        self.triggers
            .range(moves::first_key(job)..)
            .take_while(move |(key, _)| key.job == *job)
            .map(|(_, trigger)| trigger)
    }

    fn due_key(&self, trigger: &TriggerRecord) -> Option<DueKey> {
        // the engine's own triggers stand for one run on one node
        let local = trigger.one_time.is_none()
            && self
                .jobs
                .get(&trigger.job)
                .is_none_or(|j| j.definition.run_on_every_instance);
        let at = trigger.next_fire_at?;
        (moves::is_claimable(trigger) && !local)
            .then(|| (Reverse(trigger.definition.priority), at, trigger.key()))
    }

    /// Writes a trigger's row; its job's row is there already.
    pub fn save_trigger(&mut self, trigger: TriggerRecord) {
        self.remove_trigger(&trigger.key());
        self.due.extend(self.due_key(&trigger));
        if trigger.state == TriggerState::Blocked {
            self.blocked.insert(trigger.key());
        }
        self.triggers.insert(trigger.key(), trigger);
    }

    /// Removes a trigger's row.
    pub fn remove_trigger(&mut self, key: &TriggerKey) {
        self.blocked.remove(key);
        if let Some(old) = self.triggers.remove(key)
            && let Some(at) = old.next_fire_at
        {
            self.due
                .remove(&(Reverse(old.definition.priority), at, key.clone()));
        }
    }

    /// Changes a trigger if it is there.
    pub fn change_trigger(&mut self, key: &TriggerKey, change: impl FnOnce(&mut TriggerRecord)) {
        if let Some(mut trigger) = self.triggers.get(key).cloned() {
            change(&mut trigger);
            self.save_trigger(trigger);
        }
    }

    /// Writes a run's row.
    pub fn save_run(&mut self, row: RunRow) {
        self.remove_run(row.record.id);
        let RunRow { record, instant } = &row;
        if record.status == RunStatus::Running {
            let running = self.running.entry(record.job.clone()).or_default();
            running.insert(record.id);
        }
        if let Some(at) = record.finished_at {
            self.finished.insert((at, record.id));
        }
        if let Some(instant) = instant {
            self.instants.insert(instant.clone(), record.id);
        }
        self.runs.insert(row.record.id, row);
    }

    /// Removes a run's row; its log stays.
    pub fn remove_run(&mut self, id: RunId) -> Option<RunRow> {
        let row = self.runs.remove(&id)?;
        if let Some(running) = self.running.get_mut(&row.record.job) {
            running.remove(&id);
            if running.is_empty() {
                self.running.remove(&row.record.job);
            }
        }
        if let Some(at) = row.record.finished_at {
            self.finished.remove(&(at, id));
        }
        if let Some(instant) = &row.instant {
            self.instants.remove(instant);
        }
        Some(row)
    }

    /// Puts an event into the outbox.
    pub fn add_event(&mut self, event: NewEvent, at: DateTime<Utc>) {
        self.last_event += 1;
        let event = Event {
            id: self.last_event,
            topic: event.topic.to_owned(),
            subject: event.subject,
            data: event.data,
            at,
        };
        self.events.insert(event.id, event);
    }

    /// Puts a verdict into the ledger.
    pub fn add_decision(&mut self, decision: FireDecision) {
        let ranges = self
            .decisions
            .entry((decision.trigger_uid, decision.generation))
            .or_default();
        let place = ranges.partition_point(|d| d.from <= decision.from);
        ranges.insert(place, decision);
    }

    /// A job with its triggers.
    pub fn job_record(&self, row: &JobRow) -> JobRecord {
        let triggers: Vec<_> = self.triggers_of(&row.definition.name).cloned().collect();
        let mut definition = row.definition.clone();
        definition.triggers = triggers
            .iter()
            .filter(|t| t.one_time.is_none())
            .map(|t| t.definition.clone())
            .collect();
        JobRecord {
            definition,
            origin: row.origin,
            fingerprint: row.fingerprint.clone(),
            code_definition: row.code_definition.clone(),
            paused: row.paused.clone(),
            version: row.version,
            active_run: row.slot.active_run,
            created_at: row.created_at,
            updated_at: row.updated_at,
            updated_by: row.updated_by.clone(),
            triggers,
        }
    }
}
