//! Times of day and sets of weekdays.

use std::fmt;
use std::str::FromStr;

use crate::civil::DAY;

/// A time of day to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeOfDay(pub(super) u32);

impl TimeOfDay {
    /// The time of day that many seconds after midnight, below 24 hours.
    pub fn from_second(second: u32) -> Option<TimeOfDay> {
        (i64::from(second) < DAY).then_some(TimeOfDay(second))
    }

    /// Seconds after midnight.
    pub fn second(self) -> u32 {
        self.0
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 3600, self.0 / 60 % 60)?;
        if !self.0.is_multiple_of(60) {
            write!(f, ":{:02}", self.0 % 60)
        } else {
            Ok(())
        }
    }
}

impl FromStr for TimeOfDay {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeOfDay, String> {
        let wrong = || format!("{text:?} is not a time of day: write it as 22:00 or 22:00:30");
        let parts: Vec<&str> = text.split(':').collect();
        let mut numbers = [0; 3];
        if !(2..=3).contains(&parts.len()) {
            return Err(wrong());
        }
        for (number, part) in numbers.iter_mut().zip(&parts) {
            let plain = matches!(part.len(), 1 | 2) && part.bytes().all(|b| b.is_ascii_digit());
            *number = part
                .parse::<u32>()
                .ok()
                .filter(|_| plain)
                .ok_or_else(wrong)?;
        }
        let [hour, minute, second] = numbers;
        if hour < 24 && minute < 60 && second < 60 {
            Ok(TimeOfDay(hour * 3600 + minute * 60 + second))
        } else {
            Err(wrong())
        }
    }
}

/// A set of weekdays, Sunday being 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Weekdays(u8);

impl Weekdays {
    /// Saturday and Sunday.
    pub const WEEKEND: Weekdays = Weekdays(0b100_0001);
    /// Three-letter names from Sunday on.
    pub const NAMES: [&'static str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

    /// The set of the given weekdays, 0 = Sunday; larger numbers are ignored.
    pub fn new(days: impl IntoIterator<Item = u32>) -> Weekdays {
        Weekdays(
            days.into_iter()
                .filter(|day| *day < 7)
                .fold(0, |mask, day| mask | 1 << day),
        )
    }

    /// Whether a weekday is in the set.
    pub fn contains(self, weekday: u32) -> bool {
        weekday < 7 && self.0 >> weekday & 1 == 1
    }

    /// The names of the days in the set, Sunday first.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Weekdays::NAMES
            .into_iter()
            .enumerate()
            .filter(move |(day, _)| self.contains(*day as u32))
            .map(|(_, name)| name)
    }
}
