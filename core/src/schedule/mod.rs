//! Schedules and their canonical text (S38–S50, A9–A14, A21).

mod parts;
mod print;
mod text;

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::calendar::Calendars;
use crate::cron::{CronExpression, Dialect};
use crate::names::CalendarName;
use crate::zone::Zone;
pub use parts::ScheduleError;

/// When something runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Schedule {
    /// The rule itself.
    pub kind: ScheduleKind,
    /// No run before it; inclusive (S45, A14).
    pub start: Option<DateTime<Utc>>,
    /// No run after it; inclusive (S46, A14).
    pub end: Option<DateTime<Utc>>,
    /// Exclusion calendar (S47).
    pub calendar: Option<CalendarName>,
}

/// The kinds of schedule (S38, A11).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ScheduleKind {
    /// Only by hand.
    Manual,
    /// Fixed delay: one interval after the previous run finished (S39).
    Every {
        /// Delay, above zero, to the millisecond.
        interval: TimeDelta,
        /// Total number of runs (S40); unlimited without.
        repeat: Option<u32>,
    },
    /// By the wall clock of a zone (S42, S74).
    Cron(CronSchedule),
    /// One time (S44).
    Once(DateTime<Utc>),
    /// Fixed rate (A11): at `anchor + k × interval` for every whole k.
    Rate {
        /// Distance, above zero, to the millisecond.
        interval: TimeDelta,
        /// Phase. Without it the phase is that of `start`, or else of 1970-01-01T00:00Z.
        anchor: Option<DateTime<Utc>>,
    },
}

/// A cron expression with everything that decides its instants.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CronSchedule {
    /// The expression; it knows its dialect.
    pub expression: CronExpression,
    /// Whose wall clock it is.
    pub zone: Zone,
    /// What happens to a wall time that is shown twice.
    pub overlap: Overlap,
    /// What happens to a wall time that is skipped.
    pub gap: Gap,
}

/// What happens to a wall time that the clock shows twice (S76, A21).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Overlap {
    /// Runs the first time.
    #[default]
    First,
    /// Runs the second time.
    Second,
    /// Runs both times.
    Both,
    /// Both times for rules that read like an interval, once for fixed times.
    Auto,
}

/// What happens to a wall time that the clock skips (S75, A21).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Gap {
    /// Does not run.
    #[default]
    Skip,
    /// Runs once when the gap ends, however many times it skipped.
    End,
    /// Runs later by the length of the gap: 02:30 at 03:30.
    Shift,
}

impl Overlap {
    /// All choices with their names in schedule texts.
    pub const ALL: [(Overlap, &'static str); 4] = [
        (Overlap::First, "first"),
        (Overlap::Second, "second"),
        (Overlap::Both, "both"),
        (Overlap::Auto, "auto"),
    ];
}

impl Gap {
    /// All choices with their names in schedule texts.
    pub const ALL: [(Gap, &'static str); 3] = [
        (Gap::Skip, "skip"),
        (Gap::End, "end"),
        (Gap::Shift, "shift"),
    ];
}

impl CronSchedule {
    /// An expression in a zone, with the default rules for clock changes.
    pub fn new(expression: CronExpression, zone: Zone) -> CronSchedule {
        CronSchedule {
            expression,
            zone,
            overlap: Overlap::First,
            gap: Gap::Skip,
        }
    }

    /// The dialect of the expression.
    pub fn dialect(&self) -> Dialect {
        self.expression.dialect()
    }
}

impl From<ScheduleKind> for Schedule {
    fn from(kind: ScheduleKind) -> Schedule {
        Schedule {
            kind,
            start: None,
            end: None,
            calendar: None,
        }
    }
}

impl Schedule {
    /// A schedule that runs only by hand.
    pub fn manual() -> Schedule {
        ScheduleKind::Manual.into()
    }

    /// A schedule that runs one time.
    pub fn once(at: DateTime<Utc>) -> Schedule {
        ScheduleKind::Once(at).into()
    }

    /// A fixed delay without limit.
    pub fn every(interval: TimeDelta) -> Schedule {
        ScheduleKind::Every {
            interval,
            repeat: None,
        }
        .into()
    }

    /// A cron schedule in a zone.
    pub fn cron(expression: CronExpression, zone: Zone) -> Schedule {
        ScheduleKind::Cron(CronSchedule::new(expression, zone)).into()
    }

    /// Reads the full text, or a bare cron expression in the given dialect and zone (the command line).
    pub fn parse_lenient(
        text: &str,
        dialect: Dialect,
        default_zone: &Zone,
    ) -> Result<Schedule, ScheduleError> {
        text::parse_lenient(text, dialect, default_zone)
    }

    /// The cron part, when there is one.
    pub fn as_cron(&self) -> Option<&CronSchedule> {
        match &self.kind {
            ScheduleKind::Cron(cron) => Some(cron),
            _ => None,
        }
    }

    /// Whether the calendar it names is registered (S89); `Err` holds the missing name.
    pub fn check_calendar(&self, calendars: &Calendars) -> Result<(), CalendarName> {
        match &self.calendar {
            Some(name) if calendars.get(name).is_none() => Err(name.clone()),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::print(self, f)
    }
}

impl FromStr for Schedule {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<Schedule, ScheduleError> {
        text::parse(text)
    }
}

impl TryFrom<&str> for Schedule {
    type Error = ScheduleError;

    fn try_from(text: &str) -> Result<Schedule, ScheduleError> {
        text.parse()
    }
}

impl TryFrom<String> for Schedule {
    type Error = ScheduleError;

    fn try_from(text: String) -> Result<Schedule, ScheduleError> {
        text.parse()
    }
}

impl From<Schedule> for String {
    fn from(schedule: Schedule) -> String {
        schedule.to_string()
    }
}
