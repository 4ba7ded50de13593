//! Printing the canonical text of schedules.

use std::fmt;

use chrono::{DateTime, SecondsFormat, SubsecRound, Utc};

use super::{CronSchedule, Gap, Overlap, Schedule, ScheduleKind};
use crate::cron::Dialect;
use crate::interval::format_interval;
use crate::zone::Zone;

/// An instant as RFC 3339 in UTC, with as many digits as it needs up to microseconds.
fn instant_text(at: DateTime<Utc>) -> String {
    at.trunc_subsecs(6)
        .to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

fn name_of<T: Copy + PartialEq>(choice: T, choices: &[(T, &'static str)]) -> &'static str {
    choices
        .iter()
        .find(|(known, _)| *known == choice)
        .map_or("", |(_, name)| name)
}

/// Prints the canonical text: tails in the order tz, start, end, calendar, then ours; defaults are left out.
pub(super) fn print(schedule: &Schedule, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match &schedule.kind {
        ScheduleKind::Manual => f.write_str("manual")?,
        ScheduleKind::Once(at) => write!(f, "once {}", instant_text(*at))?,
        ScheduleKind::Every { interval, repeat } => {
            write!(f, "every {}", format_interval(*interval))?;
            if let Some(repeat) = repeat {
                write!(f, " x{repeat}")?;
            }
        }
        ScheduleKind::Rate { interval, .. } => write!(f, "rate {}", format_interval(*interval))?,
        ScheduleKind::Cron(cron) => {
            write!(f, "cron {}", cron.expression)?;
            if cron.zone != Zone::utc() {
                write!(f, " tz={}", cron.zone)?;
            }
        }
    }
    for (key, at) in [("start", schedule.start), ("end", schedule.end)] {
        if let Some(at) = at {
            write!(f, " {key}={}", instant_text(at))?;
        }
    }
    if let Some(calendar) = &schedule.calendar {
        write!(f, " calendar={calendar}")?;
    }
    match &schedule.kind {
        ScheduleKind::Rate {
            anchor: Some(anchor),
            ..
        } => write!(f, " anchor={}", instant_text(*anchor)),
        ScheduleKind::Cron(cron) => print_choices(cron, f),
        _ => Ok(()),
    }
}

fn print_choices(cron: &CronSchedule, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if cron.overlap != Overlap::default() {
        write!(f, " overlap={}", name_of(cron.overlap, &Overlap::ALL))?;
    }
    if cron.gap != Gap::default() {
        write!(f, " gap={}", name_of(cron.gap, &Gap::ALL))?;
    }
    match cron.dialect() {
        Dialect::Horarium => Ok(()),
        dialect => write!(f, " dialect={dialect}"),
    }
}
