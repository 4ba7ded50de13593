//! Coming fires of triggers, with what stands in their way.

use chrono::{DateTime, TimeDelta, Utc};
use horarium_core::{
    calendar::Calendars,
    fires::{Detail, FireOptions, Verdict, fires},
    job::TriggerDefinition,
    record::TriggerRecord,
    schedule::{Schedule, ScheduleKind},
    state::TriggerState,
    zone::Zone,
};

use super::time::{Clockface, moment};
use crate::views::NextFireRow;

/// One coming fire.
pub(super) struct Coming {
    /// When.
    pub at: DateTime<Utc>,
    /// What stands in its way; empty when nothing does.
    pub obstacle: String,
}

/// Why an instant does not run; empty when it does.
pub(super) fn obstacle(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Runs => String::new(),
        Verdict::Excluded(calendar) => format!("excluded by {calendar}"),
        Verdict::DoesNotExist => "this local time does not exist".to_owned(),
        Verdict::SecondOccurrence => "the clock shows it a second time".to_owned(),
        Verdict::FirstOccurrence => "the rule runs at the second occurrence".to_owned(),
        Verdict::BeforeStart => "before the start".to_owned(),
        Verdict::AfterEnd => "after the end".to_owned(),
        _ => "does not run".to_owned(),
    }
}

/// The next `n` fires of a schedule strictly after an instant. An `every` schedule knows only its next one: the one
/// after depends on when the run ends.
pub(super) fn of_schedule(
    schedule: &Schedule,
    calendars: &Calendars,
    after: DateTime<Utc>,
    n: usize,
) -> Vec<Coming> {
    let options = FireOptions {
        detail: Detail::Brief,
        base: Some(after),
        ..FireOptions::default()
    };
    let n = match schedule.kind {
        ScheduleKind::Every { .. } => n.min(1),
        _ => n,
    };
    fires(schedule, calendars, after, options)
        .take(n)
        .map(|candidate| Coming {
            at: candidate.at,
            obstacle: obstacle(&candidate.verdict),
        })
        .collect()
}

/// The next `n` fires of a trigger as it stands.
pub(super) fn of_trigger(
    trigger: &TriggerRecord,
    calendars: &Calendars,
    now: DateTime<Utc>,
    n: usize,
) -> Vec<Coming> {
    if trigger.state == TriggerState::Complete {
        return Vec::new();
    }
    let schedule = &trigger.definition.schedule;
    let mut list = match (&schedule.kind, trigger.next_fire_at) {
        (ScheduleKind::Every { .. }, Some(at)) => vec![Coming {
            at,
            obstacle: String::new(),
        }],
        (_, next) => {
            let after = next.map_or(now, |at| at - TimeDelta::microseconds(1));
            of_schedule(schedule, calendars, after, n)
        }
    };
    let held = if trigger.job_paused {
        "the job is paused"
    } else if trigger.paused.is_some() {
        "the trigger is paused"
    } else if trigger.state == TriggerState::Error {
        "the trigger cannot run"
    } else {
        ""
    };
    if !held.is_empty() {
        for coming in list.iter_mut().filter(|c| c.obstacle.is_empty()) {
            held.clone_into(&mut coming.obstacle);
        }
    }
    list
}

/// As a row, with the trigger's own local time when that is another clock than the display's.
pub(super) fn row(definition: &TriggerDefinition, coming: Coming, face: &Clockface) -> NextFireRow {
    NextFireRow {
        trigger: definition.name.to_string(),
        at: face.moment(coming.at),
        local: own_zone(&definition.schedule)
            .filter(|zone| **zone != face.zone)
            .map(|zone| moment(coming.at, zone)),
        obstacle: coming.obstacle,
    }
}

fn own_zone(schedule: &Schedule) -> Option<&Zone> {
    schedule.as_cron().map(|cron| &cron.zone)
}

/// The next `n` fires of several triggers together.
pub(super) fn together(mut rows: Vec<(DateTime<Utc>, NextFireRow)>, n: usize) -> Vec<NextFireRow> {
    rows.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.trigger.cmp(&b.1.trigger)));
    rows.truncate(n);
    rows.into_iter().map(|(_, row)| row).collect()
}
