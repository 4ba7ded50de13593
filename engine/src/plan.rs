//! How a definition is written over what the store holds: which triggers keep their progress, which start again.

use chrono::{DateTime, TimeDelta, Utc};
use horarium_core::{
    calendar::Calendars,
    code::ErrorCode,
    data::{self, Data},
    error::{Result, SchedulingError},
    fires,
    job::{JobDefinition, TriggerDefinition},
    misfire::{self, Range},
    names::CalendarName,
    record::{JobRecord, TriggerRecord},
    schedule::{Schedule, ScheduleKind},
    state::{JobOrigin, TriggerState},
};
use uuid::Uuid;

use crate::{
    events,
    finish::next_of,
    job::JobTypes,
    store::{
        JobDelete, JobPut, TriggerChange, TriggerPut, TriggerRemove, TriggerRestart, TriggerStart,
    },
};

/// Everything about a write that is not in the definition itself.
pub(crate) struct Write<'a> {
    pub(crate) existing: Option<&'a JobRecord>,
    pub(crate) origin: JobOrigin,
    pub(crate) fingerprint: Option<String>,
    pub(crate) code_definition: Option<JobDefinition>,
    pub(crate) by: &'a str,
    pub(crate) now: DateTime<Utc>,
    pub(crate) zone_data: &'a str,
    pub(crate) calendars: &'a Calendars,
}

/// Checks a definition as far as this node can (S130). A run gets the job's data merged with the trigger's, so that is
/// what the type looks at; without triggers it is the job's alone.
pub(crate) fn check(
    definition: &JobDefinition,
    calendars: &Calendars,
    types: &JobTypes,
) -> Result<()> {
    definition.validate(|name| calendars.get(name).is_some())?;
    let body = types.get(&definition.job_type).ok_or_else(|| {
        SchedulingError::new(ErrorCode::TypeNotFound, definition.job_type.clone())
    })?;
    let mut merged: Vec<Data> = definition
        .triggers
        .iter()
        .map(|t| data::merge([&definition.data, &t.data]))
        .collect();
    if merged.is_empty() {
        merged.push(definition.data.clone());
    }
    match merged.iter().flat_map(|data| body.check(data)).next() {
        Some(problem) => Err(SchedulingError::invalid(format!(
            "job '{}': {problem}",
            definition.name
        ))),
        None => Ok(()),
    }
}

/// The whole write of a job (A34): the same schedule text keeps its progress, another one starts from now.
pub(crate) fn put(definition: JobDefinition, write: &Write<'_>) -> Result<JobPut> {
    let old = |trigger: &TriggerDefinition| {
        write
            .existing
            .and_then(|job| user_triggers(job).find(|t| t.definition.name == trigger.name))
    };
    let triggers = definition
        .triggers
        .iter()
        .map(|trigger| {
            Ok(TriggerPut {
                definition: trigger.clone(),
                change: change(trigger, old(trigger), write)?,
            })
        })
        .collect::<Result<Vec<_>>>()?;
    let removed = write
        .existing
        .map(|job| {
            user_triggers(job)
                .filter(|t| {
                    !definition
                        .triggers
                        .iter()
                        .any(|d| d.name == t.definition.name)
                })
                .map(|t| remove(t, write.calendars, write.now))
                .collect()
        })
        .unwrap_or_default();
    let event = events::job(events::JOB_SCHEDULED, &definition.name, write.by);
    Ok(JobPut {
        definition,
        origin: write.origin,
        fingerprint: write.fingerprint.clone(),
        code_definition: write.code_definition.clone(),
        expected: write.existing.map(|job| job.version),
        triggers,
        removed,
        by: write.by.to_owned(),
        now: write.now,
        zone_data: write.zone_data.to_owned(),
        event,
    })
}

/// The deletion of a job with what its triggers leave undecided.
pub(crate) fn delete(
    job: &JobRecord,
    calendars: &Calendars,
    now: DateTime<Utc>,
    by: &str,
) -> JobDelete {
    let name = job.definition.name.clone();
    JobDelete {
        expected: job.version,
        triggers: user_triggers(job)
            .map(|t| remove(t, calendars, now))
            .collect(),
        now,
        event: events::job(events::JOB_UNSCHEDULED, &name, by),
        name,
    }
}

/// A new generation of a trigger whose calendar or zone data changed.
pub(crate) fn restart(
    trigger: &TriggerRecord,
    calendars: &Calendars,
    zone_data: &str,
    now: DateTime<Utc>,
) -> TriggerRestart {
    let schedule = &trigger.definition.schedule;
    TriggerRestart {
        key: trigger.key(),
        expected: trigger.version,
        start: TriggerStart {
            next: next_of(fires::next_fire(schedule, calendars, now, now)),
            calendar: calendar_text(schedule, calendars),
        },
        superseded: undecided(trigger, calendars, now),
        zone_data: zone_data.to_owned(),
        now,
    }
}

/// A job's triggers without the engine's own.
pub(crate) fn user_triggers(job: &JobRecord) -> impl Iterator<Item = &TriggerRecord> {
    job.triggers.iter().filter(|t| t.one_time.is_none())
}

fn change(
    new: &TriggerDefinition,
    old: Option<&TriggerRecord>,
    write: &Write<'_>,
) -> Result<TriggerChange> {
    let Some(old) = old else {
        return Ok(TriggerChange::Create {
            uid: Uuid::new_v4(),
            start: start(&new.schedule, write)?,
        });
    };
    // an operator who replaces a trigger in Error wants it looked at again (A44)
    if old.definition.schedule == new.schedule && old.state != TriggerState::Error {
        return Ok(TriggerChange::Keep {
            expected: old.version,
        });
    }
    Ok(TriggerChange::Restart {
        expected: old.version,
        start: start(&new.schedule, write)?,
        superseded: undecided(old, write.calendars, write.now),
    })
}

fn start(schedule: &Schedule, write: &Write<'_>) -> Result<TriggerStart> {
    Ok(TriggerStart {
        next: next_of(misfire::first_fire(schedule, write.calendars, write.now)?),
        calendar: calendar_text(schedule, write.calendars),
    })
}

fn remove(trigger: &TriggerRecord, calendars: &Calendars, now: DateTime<Utc>) -> TriggerRemove {
    TriggerRemove {
        name: trigger.definition.name.clone(),
        expected: trigger.version,
        expired: undecided(trigger, calendars, now),
    }
}

/// Instants that have come due and have no verdict: those of a trigger that was paused, blocked or late.
pub(crate) fn undecided(
    trigger: &TriggerRecord,
    calendars: &Calendars,
    now: DateTime<Utc>,
) -> Option<Range> {
    // an acquired `every` trigger shows the instant that its run carries: decided
    let from = trigger
        .next_fire_at
        .filter(|at| *at <= now && trigger.state != TriggerState::Acquired)?;
    let schedule = &trigger.definition.schedule;
    let to = match schedule.kind {
        ScheduleKind::Every { .. } | ScheduleKind::Once(_) | ScheduleKind::Manual => from,
        _ => {
            fires::latest_at_or_before(schedule, calendars, now, from - TimeDelta::microseconds(1))
                .unwrap_or(from)
        }
    };
    Some(Range { from, to })
}

/// The calendar that a schedule names, as it is now.
fn calendar_text(schedule: &Schedule, calendars: &Calendars) -> String {
    let calendar = schedule
        .calendar
        .as_ref()
        .and_then(|name: &CalendarName| calendars.get(name));
    // a calendar is plain data: it always has a JSON form
    calendar
        .map(|c| serde_json::to_string(c).unwrap_or_default())
        .unwrap_or_default()
}
