//! Civil dates and times as plain integers.
//!
//! A *wall second* is the number of seconds from 1970-01-01T00:00:00 to a civil time, counted as if
//! no zone existed: `wall = utc + offset`. All searches work on wall seconds, so there is no
//! date-time object to step and nothing that can fail half way.

use std::fmt;
use std::str::FromStr;

/// Seconds of a civil day.
pub const DAY: i64 = 86_400;

/// Epoch day (days since 1970-01-01) of a date in the proleptic Gregorian calendar.
pub fn days_from_civil(year: i32, month: u32, day: u32) -> i64 {
    // Years start in March, so that the leap day is the last day of its year.
    let year = i64::from(year) - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let shifted = (i64::from(month) + 9) % 12;
    let day_of_year = (153 * shifted + 2) / 5 + i64::from(day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Year, month and day of an epoch day. Years beyond `i32` are clamped.
pub fn civil_from_days(days: i64) -> (i32, u32, u32) {
    let days = days.clamp(-700_000_000_000, 700_000_000_000) + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * shifted + 2) / 5 + 1) as u32;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    } as u32;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (
        year.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32,
        month,
        day,
    )
}

/// Weekday of an epoch day, 0 = Sunday.
pub fn weekday_of(days: i64) -> u32 {
    (days + 4).rem_euclid(7) as u32
}

/// Whether the year has a 29 February.
pub fn is_leap(year: i32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Number of days of a month.
pub fn days_in_month(year: i32, month: u32) -> u32 {
    match month {
        2 => 28 + u32::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// A calendar date without a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CivilDate {
    /// Year, proleptic Gregorian.
    pub year: i32,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

impl CivilDate {
    /// The date, or `None` when there is no such day or the year is outside 1 to 9999.
    pub fn new(year: i32, month: u32, day: u32) -> Option<CivilDate> {
        let real = (1..=9999).contains(&year)
            && (1..=12).contains(&month)
            && day >= 1
            && day <= days_in_month(year, month);
        real.then_some(CivilDate {
            year,
            month: month as u8,
            day: day as u8,
        })
    }

    /// Date of an epoch day.
    pub fn from_epoch_day(days: i64) -> CivilDate {
        let (year, month, day) = civil_from_days(days);
        CivilDate {
            year,
            month: month as u8,
            day: day as u8,
        }
    }

    /// Days since 1970-01-01.
    pub fn epoch_day(self) -> i64 {
        days_from_civil(self.year, u32::from(self.month), u32::from(self.day))
    }

    /// Weekday, 0 = Sunday.
    pub fn weekday(self) -> u32 {
        weekday_of(self.epoch_day())
    }

    /// Wall second of the first moment of the date.
    pub fn wall(self) -> i64 {
        self.epoch_day() * DAY
    }
}

impl fmt::Display for CivilDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for CivilDate {
    type Err = String;

    fn from_str(text: &str) -> Result<CivilDate, String> {
        let number = |part: &str, len: usize| {
            (part.len() == len && part.bytes().all(|b| b.is_ascii_digit()))
                .then(|| part.parse::<u32>().ok())
                .flatten()
        };
        let mut parts = text.splitn(3, '-');
        let (year, month, day) = (parts.next(), parts.next(), parts.next());
        let date = (|| {
            CivilDate::new(
                number(year?, 4)? as i32,
                number(month?, 2)?,
                number(day?, 2)?,
            )
        })();
        date.ok_or_else(|| format!("{text:?} is not a date: write it as 2026-10-01"))
    }
}

/// A civil date and time without a zone, to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CivilDateTime {
    /// The date.
    pub date: CivilDate,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59.
    pub second: u8,
}

impl CivilDateTime {
    /// Civil time of a wall second.
    pub fn from_wall(wall: i64) -> CivilDateTime {
        let second = wall.rem_euclid(DAY);
        CivilDateTime {
            date: CivilDate::from_epoch_day(wall.div_euclid(DAY)),
            hour: (second / 3600) as u8,
            minute: (second / 60 % 60) as u8,
            second: (second % 60) as u8,
        }
    }

    /// Wall second of this civil time.
    pub fn wall(self) -> i64 {
        self.date.wall()
            + i64::from(self.hour) * 3600
            + i64::from(self.minute) * 60
            + i64::from(self.second)
    }
}

impl fmt::Display for CivilDateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}T{:02}:{:02}:{:02}",
            self.date, self.hour, self.minute, self.second
        )
    }
}

/// Writes an offset from UTC, `+01:00` or `-03:30:15`.
pub fn write_offset(f: &mut fmt::Formatter<'_>, seconds: i32) -> fmt::Result {
    let sign = if seconds < 0 { '-' } else { '+' };
    let size = seconds.unsigned_abs();
    write!(f, "{sign}{:02}:{:02}", size / 3600, size / 60 % 60)?;
    if !size.is_multiple_of(60) {
        write!(f, ":{:02}", size % 60)
    } else {
        Ok(())
    }
}

/// A civil time together with the offset that the zone's clock showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalTime {
    /// What the wall clock shows.
    pub civil: CivilDateTime,
    /// Seconds east of UTC.
    pub offset: i32,
}

impl LocalTime {
    /// Local time of a wall second with its offset.
    pub fn from_wall(wall: i64, offset: i32) -> LocalTime {
        LocalTime {
            civil: CivilDateTime::from_wall(wall),
            offset,
        }
    }
}

impl fmt::Display for LocalTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.civil)?;
        write_offset(f, self.offset)
    }
}
