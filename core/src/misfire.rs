//! What becomes of a trigger that is due: run it, run it late, or pass over what was missed (S90–S97).

use chrono::{DateTime, TimeDelta, Utc};

use crate::{
    calendar::Calendars,
    error::{Result, SchedulingError},
    fires::{self, NextFire},
    schedule::{Schedule, ScheduleKind},
    state::MisfirePolicy,
};

/// A closed range of nominal instants of one trigger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The first instant.
    pub from: DateTime<Utc>,
    /// The last instant; the same as `from` for one.
    pub to: DateTime<Utc>,
}

/// The trigger that is due, as it was claimed.
#[derive(Debug, Clone, Copy)]
pub struct Due<'a> {
    /// Its schedule.
    pub schedule: &'a Schedule,
    /// The calendars it may name.
    pub calendars: &'a Calendars,
    /// What to do when it is late.
    pub policy: MisfirePolicy,
    /// The instant it was to fire at.
    pub nominal_at: DateTime<Utc>,
    /// More than this behind now is a misfire (S90).
    pub threshold: TimeDelta,
}

/// What to do with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Begin a run.
    Fire {
        /// The instant in the ledger that the run carries.
        nominal_at: DateTime<Utc>,
        /// The planned time that the run shows: the nominal instant, or now for RunOnce (S93).
        scheduled_at: DateTime<Utc>,
        /// Earlier instants that this run stands for.
        merged: Option<Range>,
        /// When the trigger fires next; an `every` trigger learns it when its run ends.
        next: NextFire,
    },
    /// Run nothing and go on.
    Skip {
        /// The instants that were passed over.
        skipped: Range,
        /// When the trigger fires next.
        next: NextFire,
    },
}

/// Decides over one due trigger at `now` (S92–S95). Never looks at more instants than two searches need.
pub fn decide(due: Due<'_>, now: DateTime<Utc>) -> Decision {
    let late = now.signed_duration_since(due.nominal_at);
    let missed = late > due.threshold;
    match due.policy {
        _ if !missed => due.fire_as_planned(),
        MisfirePolicy::RunAll => due.fire_as_planned(),
        MisfirePolicy::RunOnce => due.fire_once(now),
        MisfirePolicy::Skip => due.skip(now),
    }
}

impl Due<'_> {
    fn next_after(&self, instant: DateTime<Utc>) -> NextFire {
        fires::next_fire(self.schedule, self.calendars, instant, instant)
    }

    fn fire_as_planned(&self) -> Decision {
        Decision::Fire {
            nominal_at: self.nominal_at,
            scheduled_at: self.nominal_at,
            merged: None,
            next: self.next_after(self.nominal_at),
        }
    }

    /// The latest instant that has come by now; `every` and `once` have only the one.
    fn latest(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        match self.schedule.kind {
            ScheduleKind::Every { .. } | ScheduleKind::Once(_) | ScheduleKind::Manual => {
                self.nominal_at
            }
            _ => fires::latest_at_or_before(self.schedule, self.calendars, now, self.nominal_at)
                .unwrap_or(self.nominal_at),
        }
    }

    fn fire_once(&self, now: DateTime<Utc>) -> Decision {
        let latest = self.latest(now);
        let merged = (latest > self.nominal_at).then(|| {
            let before = fires::latest_at_or_before(
                self.schedule,
                self.calendars,
                latest - TimeDelta::microseconds(1),
                self.nominal_at,
            );
            Range {
                from: self.nominal_at,
                to: before.unwrap_or(self.nominal_at),
            }
        });
        Decision::Fire {
            nominal_at: latest,
            scheduled_at: now,
            merged,
            next: self.next_after(now),
        }
    }

    fn skip(&self, now: DateTime<Utc>) -> Decision {
        Decision::Skip {
            skipped: Range {
                from: self.nominal_at,
                to: self.latest(now),
            },
            next: self.next_after(now),
        }
    }
}

/// The first fire of a trigger made at `now` (A13): nothing before its making counts as missed.
///
/// # Errors
/// A one-time schedule whose instant is excluded by its calendar (A17).
pub fn first_fire(
    schedule: &Schedule,
    calendars: &Calendars,
    now: DateTime<Utc>,
) -> Result<NextFire> {
    if let (ScheduleKind::Once(at), Some(calendar)) = (&schedule.kind, &schedule.calendar)
        && calendars.get(calendar).is_some_and(|c| c.is_excluded(*at))
    {
        return Err(SchedulingError::invalid(format!(
            "the instant {at} is excluded by the calendar '{calendar}'"
        )));
    }
    Ok(fires::next_fire(schedule, calendars, now, now))
}
