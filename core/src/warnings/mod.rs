//! What a reader of a schedule should know before trusting it (S63, S303, A20, A21), how dense its
//! fires are, and how two schedules differ.

mod clock;
mod sample;
mod shape;

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};

use crate::calendar::Calendars;
use crate::fires::{NextFire, NoFire, next_fire};
use crate::schedule::{Schedule, ScheduleKind};
pub use sample::{Comparison, Gaps, compare, gaps};

/// Something unexpected about a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Stable key, for texts in other languages and for tests.
    pub key: &'static str,
    /// English text: a sentence or two.
    pub text: String,
}

impl Warning {
    fn new(key: &'static str, text: impl Into<String>) -> Warning {
        Warning {
            key,
            text: text.into(),
        }
    }
}

/// All warnings about a schedule as seen at an instant.
pub fn warnings(schedule: &Schedule, calendars: &Calendars, from: DateTime<Utc>) -> Vec<Warning> {
    let mut list = Vec::new();
    if let Err(name) = schedule.check_calendar(calendars) {
        list.push(Warning::new(
            "calendar.unknown",
            format!("The calendar {name} does not exist, so the schedule never fires."),
        ));
    } else {
        list.extend(first_fire(schedule, calendars, from));
    }
    if let ScheduleKind::Cron(cron) = &schedule.kind {
        list.extend(shape::warnings(cron));
        if list.iter().all(|warning| warning.key != "never") {
            list.extend(clock::warnings(schedule, cron, from));
        }
    }
    list
}

fn first_fire(schedule: &Schedule, calendars: &Calendars, from: DateTime<Utc>) -> Option<Warning> {
    match next_fire(schedule, calendars, from, from) {
        NextFire::At(at) if at - from > TimeDelta::days(366) => {
            let day = at.to_rfc3339_opts(SecondsFormat::Secs, true);
            Some(Warning::new(
                "far",
                format!("The first fire is more than a year away: {day}."),
            ))
        }
        NextFire::At(_) | NextFire::None(NoFire::Manual) => None,
        NextFire::None(NoFire::Never) => {
            Some(Warning::new("never", "It never fires: no date matches."))
        }
        NextFire::None(NoFire::NotWithinFiveYears) => Some(Warning::new(
            "not_within_five_years",
            "It does not fire within five years, and no further ahead is searched.",
        )),
        NextFire::None(NoFire::AfterEnd) => Some(Warning::new(
            "after_end",
            "It does not fire any more before its end.",
        )),
        NextFire::None(NoFire::OnceDone) => {
            Some(Warning::new("once_done", "Its one instant is past."))
        }
        NextFire::None(NoFire::CalendarExhausted) => {
            let name = schedule.calendar.as_ref().map_or("", |name| name.as_str());
            Some(Warning::new(
                "calendar.exhausted",
                format!("It never fires: the calendar {name} excludes every instant."),
            ))
        }
    }
}
