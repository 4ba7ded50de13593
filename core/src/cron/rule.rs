//! The compiled form of a cron expression: a handful of bit masks, without heap, and the dates of a
//! month that they name.

use crate::civil::{DAY, civil_from_days, days_from_civil, days_in_month, weekday_of};

/// First year of the year field (S53).
pub const FIRST_YEAR: i32 = 1970;
/// Last year of the year field (S53).
pub const LAST_YEAR: i32 = 2099;

/// Epoch day of the last day of the last year.
pub(super) const LAST_DAY: i64 = 47_481;

/// How the two day fields go together in a compiled rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Days {
    /// A date matches when both fields do; a free field has all bits set.
    Both,
    /// A date matches when either field does.
    Either,
}

/// A compiled cron rule. Two texts are equal when their rules are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CronRule {
    pub(crate) seconds: u64,
    pub(crate) minutes: u64,
    /// Bit n is year 1970 + n.
    pub(crate) years: [u64; 3],
    pub(crate) hours: u32,
    /// Bit n is day n.
    pub(crate) dom: u32,
    /// Bit n is the n-th day before the last; bit 0 is the last (`L`, `L-n`).
    pub(crate) dom_last: u32,
    /// Bit n is the working day nearest to day n (`nW`).
    pub(crate) dom_nearest: u32,
    /// Bit n is month n.
    pub(crate) months: u16,
    /// Bit n is weekday n, Sunday at 0.
    pub(crate) dow: u8,
    /// Weekdays whose last occurrence matches (`nL`).
    pub(crate) dow_last: u8,
    /// Weekdays whose k-th occurrence matches (`n#k`), k from 1 at index 0.
    pub(crate) dow_nth: [u8; 5],
    pub(crate) days: Days,
    /// `LW`.
    pub(crate) last_workday: bool,
    /// There is a year field (A20).
    pub(super) year_written: bool,
    /// Written with `*` or a step in second, minute or hour (A21 `auto`).
    pub(super) interval_like: bool,
    /// Every date matches, decided when parsed; the search need not ask for dates then.
    pub(super) every_day: bool,
    /// No date can ever match, decided when parsed.
    pub(super) never: bool,
}

/// Set bits of a mask, ascending.
fn bits(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros())?;
        mask &= mask - 1;
        Some(bit)
    })
}

impl CronRule {
    /// Whether no date can ever match: 31 February, 30 February, a fifth Monday of nothing.
    pub fn is_never(&self) -> bool {
        self.never
    }

    /// Whether there is a year field; then searches go to its last year (A20).
    pub fn has_year_field(&self) -> bool {
        self.year_written
    }

    /// Whether the rule reads like an interval (`*` or a step in second, minute or hour), which is
    /// what `overlap=auto` asks (A21).
    pub fn is_interval_like(&self) -> bool {
        self.interval_like
    }

    /// Whether a date matches when either day field does, rather than both (S70).
    pub fn days_either(&self) -> bool {
        self.days == Days::Either
    }

    pub(super) fn has_year(&self, year: i32) -> bool {
        let bit = year.wrapping_sub(FIRST_YEAR);
        (0..192).contains(&bit) && self.years[bit as usize / 64] >> (bit % 64) & 1 == 1
    }

    pub(super) fn has_month(&self, year: i32, month: u32) -> bool {
        self.months >> month & 1 == 1 && self.has_year(year)
    }

    /// Matching dates of a month as bits 1 to 31, the month being in the mask and beginning at an epoch day.
    pub(super) fn month_days(&self, year: i32, month: u32, first: i64) -> u32 {
        self.days_of(days_in_month(year, month), weekday_of(first))
    }

    /// The same by length of the month and weekday of its first day.
    pub(super) fn days_of(&self, length: u32, first: u32) -> u32 {
        let by_day = self.by_day_of_month(length, first);
        let by_weekday = self.by_weekday(length, first);
        let both = match self.days {
            Days::Both => by_day & by_weekday,
            Days::Either => by_day | by_weekday,
        };
        both & all_days(length)
    }

    fn by_day_of_month(&self, length: u32, first: u32) -> u32 {
        let mut mask = self.dom;
        if self.dom_last | self.dom_nearest != 0 || self.last_workday {
            for back in bits(self.dom_last).filter(|back| *back < length) {
                mask |= 1 << (length - back);
            }
            for day in bits(self.dom_nearest).filter(|day| *day <= length) {
                mask |= 1 << nearest_workday(day, length, first);
            }
            if self.last_workday {
                mask |= 1 << nearest_workday_back(length, first);
            }
        }
        mask
    }

    fn by_weekday(&self, length: u32, first: u32) -> u32 {
        let mut mask = spread(self.dow, first);
        if self.dow_last != 0 {
            mask |= spread(self.dow_last, first) & (all_days(7) << (length - 7));
        }
        if self.dow_nth != [0; 5] {
            for (index, weekdays) in self
                .dow_nth
                .iter()
                .enumerate()
                .filter(|(_, weekdays)| **weekdays != 0)
            {
                mask |= spread(*weekdays, first) & (all_days(7) << (7 * index));
            }
        }
        mask
    }

    /// Whether a wall second matches.
    pub fn matches(&self, wall: i64) -> bool {
        let (days, second) = (wall.div_euclid(DAY), wall.rem_euclid(DAY) as u32);
        self.hours >> (second / 3600) & 1 == 1
            && self.minutes >> (second / 60 % 60) & 1 == 1
            && self.seconds >> (second % 60) & 1 == 1
            && self.matches_day(days)
    }

    /// Whether an epoch day matches.
    pub fn matches_day(&self, days: i64) -> bool {
        if self.every_day {
            return (0..=LAST_DAY).contains(&days);
        }
        let (year, month, day) = civil_from_days(days);
        self.has_month(year, month)
            && self.month_days(year, month, days - i64::from(day) + 1) >> day & 1 == 1
    }

    /// Decides exactly whether any date can match.
    pub(super) fn decide_never(&self) -> bool {
        let every_year = (FIRST_YEAR..=LAST_YEAR).all(|year| self.has_year(year));
        let mut months = bits(u32::from(self.months));
        let possible = if every_year {
            // Over all years every month begins on every weekday, February in both its lengths.
            months.any(|month| {
                let longest = days_in_month(2000, month);
                let shortest = if month == 2 { 28 } else { longest };
                (shortest..=longest)
                    .any(|length| (0..7).any(|first| self.days_of(length, first) != 0))
            })
        } else {
            months.any(|month| {
                let years = (FIRST_YEAR..=LAST_YEAR).filter(|year| self.has_year(*year));
                years
                    .into_iter()
                    .any(|year| self.month_days(year, month, days_from_civil(year, month, 1)) != 0)
            })
        };
        !possible
    }

    /// Whether every date of every year matches, decided when parsed.
    pub(super) fn decide_every_day(&self) -> bool {
        let years = self.years == [u64::MAX, u64::MAX, all(2)];
        let days = match self.days {
            Days::Both => self.dom == u32::MAX - 1 && self.dow == 0x7f,
            Days::Either => self.dom == u32::MAX - 1 || self.dow == 0x7f,
        };
        years && self.months == 0x1ffe && days
    }
}

/// The lowest `count` bits.
pub(super) fn all(count: u32) -> u64 {
    u64::MAX >> (64 - count)
}

/// Bits 1 to `length`.
fn all_days(length: u32) -> u32 {
    ((1_u64 << (length + 1)) - 2) as u32
}

/// Weekday bits spread over a month whose first day is weekday `first`.
fn spread(weekdays: u8, first: u32) -> u32 {
    let weeks = u64::from(weekdays) * 0x0002_0408_1020_4081;
    ((weeks >> first) << 1) as u32
}

fn weekday(day: u32, first: u32) -> u32 {
    (first + day - 1) % 7
}

/// The working day nearest to `day` within the month (S66).
fn nearest_workday(day: u32, length: u32, first: u32) -> u32 {
    match weekday(day, first) {
        6 if day > 1 => day - 1,
        6 => day + 2,
        0 if day < length => day + 1,
        0 => day - 2,
        _ => day,
    }
}

/// The last working day at or before `day`.
fn nearest_workday_back(day: u32, first: u32) -> u32 {
    match weekday(day, first) {
        6 => day - 1,
        0 => day - 2,
        _ => day,
    }
}
