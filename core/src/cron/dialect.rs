//! Cron dialects and in what they differ (S73, S296–S301, A10).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Whose rules read a cron text.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// Ours: 5, 6 or 7 fields, Sunday is 0 or 7, either day field matches.
    #[default]
    Horarium,
    /// User crontab: 5 fields, macros, no `?`, `L`, `W`, `#`.
    Unix,
    /// Spring: 6 fields from the second on, both day fields must match.
    Spring,
    /// Quartz: 6 or 7 fields, Sunday is 1, one of the day fields is `?`.
    Quartz,
}

impl Dialect {
    /// All dialects, ours first.
    pub const ALL: [Dialect; 4] = [
        Dialect::Horarium,
        Dialect::Unix,
        Dialect::Spring,
        Dialect::Quartz,
    ];

    /// Name in schedule texts and addresses.
    pub fn as_str(self) -> &'static str {
        match self {
            Dialect::Horarium => "horarium",
            Dialect::Unix => "unix",
            Dialect::Spring => "spring",
            Dialect::Quartz => "quartz",
        }
    }

    /// Name for people.
    pub fn title(self) -> &'static str {
        match self {
            Dialect::Horarium => "Horarium",
            Dialect::Unix => "Unix crontab",
            Dialect::Spring => "Spring",
            Dialect::Quartz => "Quartz",
        }
    }

    pub(super) fn traits(self) -> &'static Traits {
        match self {
            Dialect::Horarium => &HORARIUM,
            Dialect::Unix => &UNIX,
            Dialect::Spring => &SPRING,
            Dialect::Quartz => &QUARTZ,
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that names no dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a cron dialect; use horarium, unix, spring or quartz")]
pub struct UnknownDialect(pub String);

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(text: &str) -> Result<Dialect, UnknownDialect> {
        Dialect::ALL
            .into_iter()
            .find(|dialect| dialect.as_str() == text)
            .ok_or_else(|| UnknownDialect(text.to_owned()))
    }
}

/// The switches of a dialect.
#[derive(Debug)]
pub(super) struct Traits {
    /// Fewest and most fields.
    pub fields: (usize, usize),
    /// How the number of fields reads in a message.
    pub fields_text: &'static str,
    /// Weekday numbers start at 1 = Sunday.
    pub sunday_is_one: bool,
    /// `?` is legal in the day fields.
    pub question: bool,
    /// Exactly one of the day fields must be `?`.
    pub needs_question: bool,
    /// `L`, `W` and `#` are legal.
    pub specials: bool,
    /// `L`, `W`, `#` may stand in lists.
    pub specials_in_lists: bool,
    /// A bare `L` in the weekday field is Saturday.
    pub bare_last_weekday: bool,
    /// `22-2` wraps around.
    pub wrapping: bool,
    /// `SUN` at the end of a range is 7 (A64).
    pub sunday_ends_ranges: bool,
    /// `5/15` is legal.
    pub open_step: bool,
    /// A step may be larger than the field (A65).
    pub large_step: bool,
    /// `@daily` and its like are legal.
    pub macros: bool,
    /// How the two day fields go together.
    pub days: DayFields,
}

/// How day of month and day of week go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DayFields {
    /// Either, when both are something else than `*` or `?` (S70, A19).
    Either,
    /// Either, unless one begins with a star (vixie).
    EitherUnlessStar,
    /// Both.
    Both,
}

static HORARIUM: Traits = Traits {
    fields: (5, 7),
    fields_text: "5 fields (minute, hour, day, month, weekday), 6 with the second first, or 7 with the year last",
    sunday_is_one: false,
    question: true,
    needs_question: false,
    specials: true,
    specials_in_lists: true,
    bare_last_weekday: false,
    wrapping: false,
    sunday_ends_ranges: true,
    open_step: true,
    large_step: true,
    macros: false,
    days: DayFields::Either,
};

static UNIX: Traits = Traits {
    fields: (5, 5),
    fields_text: "exactly 5 fields (minute, hour, day, month, weekday)",
    question: false,
    specials: false,
    sunday_ends_ranges: false,
    open_step: false,
    macros: true,
    days: DayFields::EitherUnlessStar,
    ..HORARIUM
};

static SPRING: Traits = Traits {
    fields: (6, 6),
    fields_text: "exactly 6 fields (second, minute, hour, day, month, weekday)",
    macros: true,
    days: DayFields::Both,
    ..HORARIUM
};

static QUARTZ: Traits = Traits {
    fields: (6, 7),
    fields_text: "6 fields (second, minute, hour, day, month, weekday) and optionally the year",
    sunday_is_one: true,
    needs_question: true,
    specials_in_lists: false,
    bare_last_weekday: true,
    wrapping: true,
    sunday_ends_ranges: false,
    large_step: false,
    days: DayFields::Both,
    ..HORARIUM
};
