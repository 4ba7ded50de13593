//! Exclusion calendars: when a schedule must not run (S79–S88, A22, A23, A67).
//!
//! Exclusion is about wall time in the calendar's own zone, so a repeated hour is excluded both
//! times. Calendars answer not only whether an instant is excluded but also where the exclusion
//! ends, so that a search jumps over a holiday instead of counting its seconds.

mod parts;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::civil::{CivilDate, DAY, weekday_of};
use crate::cron::CronExpression;
use crate::names::CalendarName;
use crate::zone::{PieceKind, Zone, instant};
pub use parts::{TimeOfDay, Weekdays};
pub use text::CalendarError;

/// How far ahead a calendar looks for the end of an exclusion: five years and a bit, in seconds.
const HORIZON: i64 = 1830 * DAY;
/// Jumps that a composite makes before it is taken to exclude everything (S82).
const MOST_JUMPS: usize = 10_000;

/// A rule for instants at which nothing may run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "text::Raw", into = "text::Raw")]
pub enum Calendar {
    /// Whole dates (S83).
    Holiday {
        /// The excluded dates.
        dates: BTreeSet<CivilDate>,
        /// Whose dates they are.
        zone: Zone,
    },
    /// Days of the week (S84).
    Weekly {
        /// The excluded weekdays.
        days: Weekdays,
        /// Whose weekdays they are.
        zone: Zone,
    },
    /// A part of every day (S85); `from` later than `to` spans midnight.
    Daily {
        /// First excluded second.
        from: TimeOfDay,
        /// First second that is not excluded any more; never equal to `from` (A23).
        to: TimeOfDay,
        /// Whose clock it is.
        zone: Zone,
    },
    /// The seconds that match an expression (S86).
    Cron {
        /// The matching seconds.
        expression: CronExpression,
        /// Whose clock it is.
        zone: Zone,
    },
    /// Excluded when any member excludes (S87).
    Composite {
        /// The members.
        members: Vec<Calendar>,
    },
}

impl Calendar {
    /// Whether nothing may run at an instant (S79).
    pub fn is_excluded(&self, at: DateTime<Utc>) -> bool {
        match self.zone() {
            Some(zone) => self.excludes_wall(at.timestamp() + i64::from(zone.offset_at(at))),
            None => self.members().iter().any(|member| member.is_excluded(at)),
        }
    }

    /// First instant at or after `at` that is not excluded, or `None` when there is none within five years (A22).
    pub fn next_included(&self, at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        match self.zone() {
            Some(zone) => self.next_in_zone(zone, at),
            None => self.fixpoint(at, Calendar::next_included),
        }
    }

    /// Last instant at or before `at` that is not excluded: `at` itself or a whole second, or `None`
    /// when there is none within five years.
    pub fn previous_included(&self, at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        match self.zone() {
            Some(zone) => self.previous_in_zone(zone, at),
            None => self.fixpoint(at, Calendar::previous_included),
        }
    }

    fn zone(&self) -> Option<&Zone> {
        match self {
            Calendar::Holiday { zone, .. }
            | Calendar::Weekly { zone, .. }
            | Calendar::Daily { zone, .. }
            | Calendar::Cron { zone, .. } => Some(zone),
            Calendar::Composite { .. } => None,
        }
    }

    fn members(&self) -> &[Calendar] {
        match self {
            Calendar::Composite { members } => members,
            _ => &[],
        }
    }

    /// Moves `at` by every member in turn until none moves it any more.
    fn fixpoint(
        &self,
        mut at: DateTime<Utc>,
        step: impl Fn(&Calendar, DateTime<Utc>) -> Option<DateTime<Utc>>,
    ) -> Option<DateTime<Utc>> {
        let start = at;
        for _ in 0..MOST_JUMPS {
            let before = at;
            for member in self.members() {
                at = step(member, at)?;
            }
            if at == before {
                return Some(at);
            }
            if at.timestamp().abs_diff(start.timestamp()) > HORIZON as u64 {
                return None;
            }
        }
        None
    }

    fn excludes_wall(&self, wall: i64) -> bool {
        let second = wall.rem_euclid(DAY) as u32;
        match self {
            Calendar::Holiday { dates, .. } => {
                dates.contains(&CivilDate::from_epoch_day(wall.div_euclid(DAY)))
            }
            Calendar::Weekly { days, .. } => days.contains(weekday_of(wall.div_euclid(DAY))),
            Calendar::Daily { from, to, .. } if from <= to => (from.0..to.0).contains(&second),
            Calendar::Daily { from, to, .. } => second >= from.0 || second < to.0,
            Calendar::Cron { expression, .. } => expression.rule().matches(wall),
            Calendar::Composite { .. } => false,
        }
    }

    /// First wall second at or after `wall` that is not excluded, up to `limit`.
    fn next_wall(&self, wall: i64, limit: i64) -> Option<i64> {
        if let Calendar::Cron { expression, .. } = self {
            return expression.rule().next_unmatched(wall, limit);
        }
        let mut wall = wall;
        while wall <= limit {
            if !self.excludes_wall(wall) {
                return Some(wall);
            }
            let midnight = wall - wall.rem_euclid(DAY);
            wall = match self {
                Calendar::Daily { to, .. } if midnight + i64::from(to.0) > wall => {
                    midnight + i64::from(to.0)
                }
                Calendar::Daily { to, .. } => midnight + DAY + i64::from(to.0),
                _ => midnight + DAY,
            };
        }
        None
    }

    /// Last wall second at or before `wall` that is not excluded, not before `limit`.
    fn previous_wall(&self, wall: i64, limit: i64) -> Option<i64> {
        if let Calendar::Cron { expression, .. } = self {
            return expression.rule().previous_unmatched(wall, limit);
        }
        let mut wall = wall;
        while wall >= limit {
            if !self.excludes_wall(wall) {
                return Some(wall);
            }
            let midnight = wall - wall.rem_euclid(DAY);
            wall = match self {
                Calendar::Daily { from, .. } if midnight + i64::from(from.0) <= wall => {
                    midnight + i64::from(from.0) - 1
                }
                Calendar::Daily { from, .. } => midnight - DAY + i64::from(from.0) - 1,
                _ => midnight - 1,
            };
        }
        None
    }

    fn next_in_zone(&self, zone: &Zone, at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        if !self.is_excluded(at) {
            return Some(at);
        }
        let table = zone.table();
        let limit = at.timestamp() + HORIZON;
        let mut from = at.timestamp();
        for piece in &table.pieces[table.index_at(from)..] {
            if piece.start > limit {
                break;
            }
            if piece.kind == PieceKind::Missing {
                continue;
            }
            let offset = i64::from(piece.offset);
            from = from.max(piece.start);
            let last = (piece.wall_end - 1).min(limit + offset);
            if let Some(wall) = self.next_wall(from + offset, last) {
                return Some(instant(wall - offset));
            }
        }
        None
    }

    fn previous_in_zone(&self, zone: &Zone, at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        if !self.is_excluded(at) {
            return Some(at);
        }
        let table = zone.table();
        let limit = at.timestamp() - HORIZON;
        let mut from = at.timestamp();
        for piece in table.pieces[..=table.index_at(from)].iter().rev() {
            if piece.kind == PieceKind::Missing {
                continue;
            }
            let offset = i64::from(piece.offset);
            from = from.min(piece.wall_end - 1 - offset);
            if from < limit {
                break;
            }
            let first = piece.wall_start.max(limit + offset);
            if let Some(wall) = self.previous_wall(from + offset, first) {
                return Some(instant(wall - offset));
            }
        }
        None
    }
}

/// The registered calendars by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Calendars(pub BTreeMap<CalendarName, Calendar>);

impl Calendars {
    /// No calendars.
    pub fn new() -> Calendars {
        Calendars::default()
    }

    /// The calendar of that name.
    pub fn get(&self, name: &CalendarName) -> Option<&Calendar> {
        self.0.get(name)
    }

    /// Adds or replaces a calendar.
    pub fn insert(&mut self, name: CalendarName, calendar: Calendar) -> Option<Calendar> {
        self.0.insert(name, calendar)
    }
}

impl FromIterator<(CalendarName, Calendar)> for Calendars {
    fn from_iter<I: IntoIterator<Item = (CalendarName, Calendar)>>(calendars: I) -> Calendars {
        Calendars(calendars.into_iter().collect())
    }
}
