//! The search for the next and the previous wall second that a rule names.
//!
//! It asks for the day mask of a month (dates of a month that match, as bits), finds the first set
//! bit, and then the time of day from the masks of hour, minute and second. Months outside the
//! month mask are jumped over, so the work is bounded by the months between start and limit.

use super::rule::{CronRule, FIRST_YEAR, LAST_DAY, LAST_YEAR, all};
use crate::civil::{DAY, civil_from_days, days_from_civil};

/// Last wall second of the last year.
const LAST_WALL: i64 = (LAST_DAY + 1) * DAY - 1;

/// Smallest set bit at or above `from`.
fn next_bit(mask: u64, from: u32) -> Option<u32> {
    let rest = if from < 64 {
        mask & (u64::MAX << from)
    } else {
        0
    };
    (rest != 0).then(|| rest.trailing_zeros())
}

/// Largest set bit at or below `from`.
fn previous_bit(mask: u64, from: u32) -> Option<u32> {
    let rest = if from < 63 {
        mask & ((1 << (from + 1)) - 1)
    } else {
        mask
    };
    (rest != 0).then(|| 63 - rest.leading_zeros())
}

impl CronRule {
    /// First matching wall second in `from..=limit`.
    pub fn next(&self, from: i64, limit: i64) -> Option<i64> {
        let from = from.max(0);
        if from > limit || self.never {
            return None;
        }
        let mut day = from / DAY;
        let mut second = (from % DAY) as u32;
        if second > 0 {
            match self.time_from(second).filter(|_| self.matches_day(day)) {
                Some(time) => {
                    return Some(day * DAY + i64::from(time)).filter(|wall| *wall <= limit);
                }
                None => (day, second) = (day + 1, 0),
            }
        }
        let day = self.next_day(day, limit / DAY)?;
        let wall = day * DAY + i64::from(self.time_from(second)?);
        (wall <= limit).then_some(wall)
    }

    /// Last matching wall second in `limit..=from`.
    pub fn previous(&self, from: i64, limit: i64) -> Option<i64> {
        let (from, limit) = (from.min(LAST_WALL), limit.max(0));
        if from < limit || self.never {
            return None;
        }
        let mut day = from / DAY;
        let mut second = (from % DAY) as u32;
        if second < DAY as u32 - 1 {
            match self.time_back(second).filter(|_| self.matches_day(day)) {
                Some(time) => {
                    return Some(day * DAY + i64::from(time)).filter(|wall| *wall >= limit);
                }
                None => (day, second) = (day - 1, DAY as u32 - 1),
            }
        }
        let day = self.previous_day(day, limit / DAY)?;
        let wall = day * DAY + i64::from(self.time_back(second)?);
        (wall >= limit).then_some(wall)
    }

    /// First second of the day at or after `second` that the time fields take.
    fn time_from(&self, second: u32) -> Option<u32> {
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let first_minute = self.minutes.trailing_zeros();
        let first_second = self.seconds.trailing_zeros();
        if self.hours >> hour & 1 == 1 {
            if self.minutes >> minute & 1 == 1
                && let Some(second) = next_bit(self.seconds, second)
            {
                return Some(hour * 3600 + minute * 60 + second);
            }
            if let Some(minute) = next_bit(self.minutes, minute + 1) {
                return Some(hour * 3600 + minute * 60 + first_second);
            }
        }
        let hour = next_bit(u64::from(self.hours), hour + 1)?;
        Some(hour * 3600 + first_minute * 60 + first_second)
    }

    /// Last second of the day at or before `second` that the time fields take.
    fn time_back(&self, second: u32) -> Option<u32> {
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let last_minute = previous_bit(self.minutes, 59)?;
        let last_second = previous_bit(self.seconds, 59)?;
        if self.hours >> hour & 1 == 1 {
            if self.minutes >> minute & 1 == 1
                && let Some(second) = previous_bit(self.seconds, second)
            {
                return Some(hour * 3600 + minute * 60 + second);
            }
            if let Some(minute) = minute
                .checked_sub(1)
                .and_then(|minute| previous_bit(self.minutes, minute))
            {
                return Some(hour * 3600 + minute * 60 + last_second);
            }
        }
        let hour = hour
            .checked_sub(1)
            .and_then(|hour| previous_bit(u64::from(self.hours), hour))?;
        Some(hour * 3600 + last_minute * 60 + last_second)
    }

    /// First matching epoch day in `from..=limit`.
    fn next_day(&self, from: i64, limit: i64) -> Option<i64> {
        if self.every_day {
            return (from <= limit.min(LAST_DAY)).then_some(from);
        }
        let (mut year, mut month, day) = civil_from_days(from);
        let mut first = from - i64::from(day) + 1;
        let mut open = u32::MAX << day;
        while first <= limit && year <= LAST_YEAR {
            if self.has_month(year, month) {
                let days = self.month_days(year, month, first) & open;
                if days != 0 {
                    let found = first + i64::from(days.trailing_zeros()) - 1;
                    return (found <= limit).then_some(found);
                }
            }
            open = u32::MAX;
            // The next month of the mask, in this year or the next year of the mask.
            match next_bit(u64::from(self.months), month + 1).filter(|_| self.has_year(year)) {
                Some(next) => month = next,
                None => (year, month) = (self.year_after(year)?, self.months.trailing_zeros()),
            }
            first = days_from_civil(year, month, 1);
        }
        None
    }

    /// Last matching epoch day in `limit..=from`.
    fn previous_day(&self, from: i64, limit: i64) -> Option<i64> {
        let (mut year, mut month, mut day) = civil_from_days(from);
        let mut first = from - i64::from(day) + 1;
        while year >= FIRST_YEAR && first + 31 > limit {
            if self.has_month(year, month) {
                let days = self.month_days(year, month, first) & ((1_u64 << (day + 1)) - 1) as u32;
                if days != 0 {
                    let found = first + 30 - i64::from(days.leading_zeros());
                    return (found >= limit).then_some(found);
                }
            }
            day = 31;
            match previous_bit(u64::from(self.months), month - 1).filter(|_| self.has_year(year)) {
                Some(next) => month = next,
                None => {
                    (year, month) = (
                        self.year_before(year)?,
                        previous_bit(u64::from(self.months), 12)?,
                    )
                }
            }
            first = days_from_civil(year, month, 1);
        }
        None
    }

    fn year_after(&self, year: i32) -> Option<i32> {
        (year + 1..=LAST_YEAR).find(|year| self.has_year(*year))
    }

    fn year_before(&self, year: i32) -> Option<i32> {
        (FIRST_YEAR..year).rev().find(|year| self.has_year(*year))
    }

    /// First wall second at or after `from` that does *not* match, or `None` when every second up to
    /// `limit` does. Whole minutes, hours and days that match are jumped over.
    pub(crate) fn next_unmatched(&self, from: i64, limit: i64) -> Option<i64> {
        let all_seconds = self.seconds == all(60);
        let all_minutes = all_seconds && self.minutes == all(60);
        let all_hours = all_minutes && u64::from(self.hours) == all(24);
        let mut wall = from;
        while wall <= limit {
            if !self.matches(wall) {
                return Some(wall);
            }
            let step = if all_hours {
                DAY
            } else if all_minutes {
                3600
            } else if all_seconds {
                60
            } else {
                1
            };
            wall = wall - wall.rem_euclid(step) + step;
        }
        None
    }

    /// Last wall second at or before `from` that does not match, not before `limit`.
    pub(crate) fn previous_unmatched(&self, from: i64, limit: i64) -> Option<i64> {
        let all_seconds = self.seconds == all(60);
        let all_minutes = all_seconds && self.minutes == all(60);
        let all_hours = all_minutes && u64::from(self.hours) == all(24);
        let mut wall = from;
        while wall >= limit {
            if !self.matches(wall) {
                return Some(wall);
            }
            let step = if all_hours {
                DAY
            } else if all_minutes {
                3600
            } else if all_seconds {
                60
            } else {
                1
            };
            wall = wall - wall.rem_euclid(step) - 1;
        }
        None
    }
}
