//! Single answers made from the list of fires: next, last, the first few, how many.

use chrono::{DateTime, Utc};

use super::{Candidate, FireOptions, fires, fires_before};
use crate::calendar::Calendars;
use crate::civil::{DAY, days_from_civil};
use crate::cron::LAST_YEAR;
use crate::schedule::{CronSchedule, Schedule, ScheduleKind};

/// When a schedule runs next, or why never.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextFire {
    /// At this instant.
    At(DateTime<Utc>),
    /// Not any more.
    None(NoFire),
}

impl NextFire {
    /// The instant, when there is one.
    pub fn at(self) -> Option<DateTime<Utc>> {
        match self {
            NextFire::At(at) => Some(at),
            NextFire::None(_) => None,
        }
    }
}

/// Why there is no next fire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoFire {
    /// It runs only by hand.
    Manual,
    /// No date matches, now or later.
    Never,
    /// There are matching dates, but none within five years (S77).
    NotWithinFiveYears,
    /// The schedule has ended (S46).
    AfterEnd,
    /// The calendar excludes everything in reach (S82, A17, A22).
    CalendarExhausted,
    /// Its one instant is past.
    OnceDone,
}

/// The next fire strictly after `after`. For `every`, `base` is the finish of the previous run or the
/// creation of the trigger (S41, A13), and the next fire is one interval after it; a base so old that
/// this lies in the past counts on by whole intervals. Repeat counts are the caller's.
pub fn next_fire(
    schedule: &Schedule,
    calendars: &Calendars,
    after: DateTime<Utc>,
    base: DateTime<Utc>,
) -> NextFire {
    let options = FireOptions {
        base: Some(base),
        ..FireOptions::runs()
    };
    let mut list = fires(schedule, calendars, after, options);
    match list.step() {
        Some((fire, _)) => NextFire::At(fire.at),
        None => NextFire::None(reason(schedule, after, list.calendar_exhausted())),
    }
}

fn reason(schedule: &Schedule, after: DateTime<Utc>, exhausted: bool) -> NoFire {
    let cron = match &schedule.kind {
        ScheduleKind::Manual => return NoFire::Manual,
        ScheduleKind::Once(at) if *at <= after => return NoFire::OnceDone,
        _ if exhausted => return NoFire::CalendarExhausted,
        ScheduleKind::Once(at) if schedule.start.is_some_and(|start| *at < start) => {
            return NoFire::Never;
        }
        ScheduleKind::Cron(cron) => Some(cron),
        _ => None,
    };
    match cron {
        Some(cron) if cron.expression.rule().is_never() => NoFire::Never,
        Some(cron)
            if schedule.end.is_none()
                && is_over(cron, after.max(schedule.start.unwrap_or(after))) =>
        {
            NoFire::Never
        }
        _ if schedule.end.is_some() => NoFire::AfterEnd,
        _ => NoFire::NotWithinFiveYears,
    }
}

/// Whether no wall time matches any more up to the last year.
fn is_over(cron: &CronSchedule, after: DateTime<Utc>) -> bool {
    let wall = after.timestamp() + i64::from(cron.zone.offset_at(after));
    let last = days_from_civil(LAST_YEAR + 1, 1, 1) * DAY - 1;
    cron.expression.rule().next(wall + 1, last).is_none()
}

/// The next `count` fires after an instant; runs of `every` are taken to last no time.
pub fn next_n(
    schedule: &Schedule,
    calendars: &Calendars,
    after: DateTime<Utc>,
    count: usize,
) -> Vec<Candidate> {
    fires(schedule, calendars, after, FireOptions::runs())
        .take(count)
        .collect()
}

/// The last `count` fires before an instant, latest first; none for `every`, whose past is not in its text.
pub fn previous_n(
    schedule: &Schedule,
    calendars: &Calendars,
    before: DateTime<Utc>,
    count: usize,
) -> Vec<Candidate> {
    fires_before(schedule, calendars, before, FireOptions::runs())
        .take(count)
        .collect()
}

/// The instants that run in `(from, to]`, at most `limit` of them. For `every` the base is `from`.
pub fn runs_between(
    schedule: &Schedule,
    calendars: &Calendars,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
    limit: usize,
) -> Vec<DateTime<Utc>> {
    let options = FireOptions {
        until: Some(to),
        ..FireOptions::runs()
    };
    let mut list = fires(schedule, calendars, from, options);
    std::iter::from_fn(|| Some(list.step()?.0.at))
        .take(limit)
        .collect()
}

/// The latest instant in `(after, at]` that runs, found backwards, so that a long outage of a fast
/// rule costs one step. None for `every`: its nominal instant is the stored next fire.
pub fn latest_at_or_before(
    schedule: &Schedule,
    calendars: &Calendars,
    at: DateTime<Utc>,
    after: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    let before = at
        .checked_add_signed(chrono::TimeDelta::microseconds(1))
        .unwrap_or(at);
    let options = FireOptions {
        until: Some(after),
        ..FireOptions::runs()
    };
    let latest = fires_before(schedule, calendars, before, options).step()?.0;
    (latest.at > after).then_some(latest.at)
}
