//! What a new definition does to trigger rows, their generations and the ledger, decided once for every store.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use horarium_core::{
    job::{JobDefinition, TriggerDefinition},
    misfire::Range,
    names::{JobName, TriggerKey, TriggerName},
    record::{FireDecision, TriggerGeneration, TriggerRecord},
    state::{FireVerdict, TriggerState},
};
use uuid::Uuid;

use super::{
    JobDelete, JobPut, TriggerChange, TriggerPut, TriggerRemove, TriggerRestart, TriggerStart,
    moves,
};

/// The rows that a definition changes.
#[derive(Debug, Default)]
pub(super) struct Redefined {
    /// Generations that end, and when.
    pub closed: Vec<(Uuid, i64, DateTime<Utc>)>,
    /// Generations that begin.
    pub opened: Vec<TriggerGeneration>,
    /// Trigger rows that go, before any is written.
    pub removed: Vec<TriggerKey>,
    /// Trigger rows, new or changed, as a whole.
    pub saved: Vec<TriggerRecord>,
    /// Verdicts over what was due and never decided.
    pub decisions: Vec<FireDecision>,
}

/// What is the same for every trigger of one write.
struct Scene<'a> {
    job: &'a JobName,
    job_paused: bool,
    /// The job's own part changed: what was claimed ahead carries the old one.
    job_changed: bool,
    zone_data: &'a str,
    now: DateTime<Utc>,
}

/// A job written over the triggers it has; none when one of them is not as it was read.
pub(super) fn put(
    put: &JobPut,
    before: Option<&JobDefinition>,
    job_paused: bool,
    rows: Vec<TriggerRecord>,
) -> Option<Redefined> {
    let scene = Scene {
        job: &put.definition.name,
        job_paused,
        job_changed: before.is_some_and(|b| *b != without_triggers(&put.definition)),
        zone_data: &put.zone_data,
        now: put.now,
    };
    let (users, engines): (Vec<_>, Vec<_>) = rows.into_iter().partition(|t| t.one_time.is_none());
    let mut users: BTreeMap<TriggerName, TriggerRecord> = users
        .into_iter()
        .map(|t| (t.definition.name.clone(), t))
        .collect();
    let mut out = Redefined::default();
    for remove in &put.removed {
        out.remove(users.remove(&remove.name)?, remove, put.now)?;
    }
    for trigger in &put.triggers {
        let row = users.remove(&trigger.definition.name);
        out.change(&scene, trigger, row)?;
    }
    if scene.job_changed {
        out.saved.extend(engines.into_iter().map(|mut trigger| {
            moves::disarm(&mut trigger);
            trigger
        }));
    }
    // whoever wrote this did not know a trigger that is left over
    users.is_empty().then_some(out)
}

/// A job that goes; none when one of its triggers is not as it was read.
pub(super) fn delete(delete: &JobDelete, rows: Vec<TriggerRecord>) -> Option<Redefined> {
    let mut out = Redefined::default();
    for row in rows {
        if row.one_time.is_some() {
            out.removed.push(row.key());
            continue;
        }
        let remove = delete
            .triggers
            .iter()
            .find(|r| r.name == row.definition.name)?;
        out.remove(row, remove, delete.now)?;
    }
    (delete.triggers.len() <= out.closed.len()).then_some(out)
}

/// A trigger that starts again with the definition it has; none when it is not as it was read.
pub(super) fn restart(restart: &TriggerRestart, mut row: TriggerRecord) -> Option<Redefined> {
    if row.version != restart.expected {
        return None;
    }
    let mut out = Redefined::default();
    row.zone_data = restart.zone_data.clone();
    out.restart(row, &restart.start, restart.superseded, restart.now);
    Some(out)
}

/// The definition as it is kept: triggers have rows of their own.
pub(super) fn without_triggers(job: &JobDefinition) -> JobDefinition {
    JobDefinition {
        triggers: Vec::new(),
        ..job.clone()
    }
}

impl Redefined {
    fn change(
        &mut self,
        scene: &Scene<'_>,
        put: &TriggerPut,
        row: Option<TriggerRecord>,
    ) -> Option<()> {
        match (&put.change, row) {
            (TriggerChange::Create { uid, start }, None) => {
                self.create(scene, *uid, &put.definition, start);
            }
            (TriggerChange::Keep { expected }, Some(row)) if row.version == *expected => {
                self.keep(scene, &put.definition, row);
            }
            (
                TriggerChange::Restart {
                    expected,
                    start,
                    superseded,
                },
                Some(mut row),
            ) if row.version == *expected => {
                row.definition = put.definition.clone();
                row.zone_data = scene.zone_data.to_owned();
                self.restart(row, start, *superseded, scene.now);
            }
            _ => return None,
        }
        Some(())
    }

    fn create(
        &mut self,
        scene: &Scene<'_>,
        uid: Uuid,
        definition: &TriggerDefinition,
        start: &TriggerStart,
    ) {
        let mut row = TriggerRecord {
            job: scene.job.clone(),
            definition: definition.clone(),
            uid,
            generation: 1,
            version: 0,
            state: TriggerState::Waiting,
            paused: None,
            job_paused: scene.job_paused,
            next_fire_at: None,
            watermark: scene.now,
            fired_count: 0,
            claim_node: None,
            claim_token: None,
            error: None,
            complete_reason: None,
            one_time: None,
            zone_data: scene.zone_data.to_owned(),
            created_at: scene.now,
        };
        moves::go_on(&mut row, start.next);
        self.open(row, start, scene.now);
    }

    /// Progress, state and pause stay. A claim made ahead carries the old definition, so it ends (A34).
    fn keep(&mut self, scene: &Scene<'_>, definition: &TriggerDefinition, mut row: TriggerRecord) {
        if row.definition == *definition && !scene.job_changed {
            return;
        }
        row.definition = definition.clone();
        moves::disarm(&mut row);
        self.saved.push(row);
    }

    /// The next generation, from now on. A run that goes on ends under its own and no longer touches the row (A35).
    fn restart(
        &mut self,
        mut row: TriggerRecord,
        start: &TriggerStart,
        superseded: Option<Range>,
        now: DateTime<Utc>,
    ) {
        self.closed.push((row.uid, row.generation, now));
        self.decide(
            &row,
            superseded,
            FireVerdict::Superseded,
            "another definition took over",
            now,
        );
        row.generation += 1;
        row.fired_count = 0;
        row.watermark = now;
        moves::go_on(&mut row, start.next);
        self.open(row, start, now);
    }

    fn open(&mut self, row: TriggerRecord, start: &TriggerStart, now: DateTime<Utc>) {
        self.opened.push(TriggerGeneration {
            trigger_uid: row.uid,
            generation: row.generation,
            key: row.key(),
            schedule: row.definition.schedule.to_string(),
            calendar: start.calendar.clone(),
            zone_data: row.zone_data.clone(),
            from: now,
            to: None,
        });
        self.saved.push(row);
    }

    fn remove(
        &mut self,
        row: TriggerRecord,
        remove: &TriggerRemove,
        now: DateTime<Utc>,
    ) -> Option<()> {
        if row.version != remove.expected {
            return None;
        }
        self.closed.push((row.uid, row.generation, now));
        self.decide(
            &row,
            remove.expired,
            FireVerdict::Expired,
            "the trigger was deleted",
            now,
        );
        self.removed.push(row.key());
        Some(())
    }

    fn decide(
        &mut self,
        row: &TriggerRecord,
        range: Option<Range>,
        verdict: FireVerdict,
        reason: &str,
        now: DateTime<Utc>,
    ) {
        self.decisions.extend(range.map(|range| FireDecision {
            trigger_uid: row.uid,
            generation: row.generation,
            from: range.from,
            to: range.to,
            verdict,
            run: None,
            status: None,
            reason: reason.to_owned(),
            decided_at: now,
        }));
    }
}
