//! Errors of cron texts: what is wrong, where, and what to write instead.

use std::fmt;
use std::ops::Range;

/// A field of a cron expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// 0–59.
    Second,
    /// 0–59.
    Minute,
    /// 0–23.
    Hour,
    /// 1–31.
    Day,
    /// 1–12 or JAN–DEC.
    Month,
    /// By dialect; 0–7 with Sunday at 0 and 7, or 1–7 with Sunday at 1.
    Weekday,
    /// 1970–2099.
    Year,
}

impl Field {
    /// All fields in the order of a seven-field text.
    pub const ALL: [Field; 7] = [
        Field::Second,
        Field::Minute,
        Field::Hour,
        Field::Day,
        Field::Month,
        Field::Weekday,
        Field::Year,
    ];

    /// English name, as it stands in messages.
    pub fn name(self) -> &'static str {
        match self {
            Field::Second => "second",
            Field::Minute => "minute",
            Field::Hour => "hour",
            Field::Day => "day of month",
            Field::Month => "month",
            Field::Weekday => "day of week",
            Field::Year => "year",
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What kind of mistake a cron text holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CronErrorKind {
    /// The text is empty.
    Empty,
    /// More than 256 characters.
    TooLong,
    /// A character that no field can hold.
    Character,
    /// The dialect wants another number of fields.
    FieldCount,
    /// A macro such as `@daily` where the dialect has none, or an unknown one.
    Macro,
    /// An element of a list is missing.
    EmptyElement,
    /// Not a number or name of the field.
    Value,
    /// A number outside of the field's range.
    OutOfRange,
    /// A range that runs backwards.
    Reversed,
    /// A range or step that is not complete or has too many parts.
    Malformed,
    /// A step that is no whole number above zero.
    Step,
    /// `?`, `L`, `W` or `#` where the field or dialect has none.
    Special,
    /// Parts that are legal each but not together.
    Combination,
}

impl CronErrorKind {
    /// Stable key for texts in other languages.
    pub fn key(self) -> &'static str {
        match self {
            CronErrorKind::Empty => "cron.empty",
            CronErrorKind::TooLong => "cron.too_long",
            CronErrorKind::Character => "cron.character",
            CronErrorKind::FieldCount => "cron.field_count",
            CronErrorKind::Macro => "cron.macro",
            CronErrorKind::EmptyElement => "cron.empty_element",
            CronErrorKind::Value => "cron.value",
            CronErrorKind::OutOfRange => "cron.out_of_range",
            CronErrorKind::Reversed => "cron.reversed",
            CronErrorKind::Malformed => "cron.malformed",
            CronErrorKind::Step => "cron.step",
            CronErrorKind::Special => "cron.special",
            CronErrorKind::Combination => "cron.combination",
        }
    }
}

/// A cron text that cannot be read. `Display` is a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CronError {
    /// Kind of mistake.
    pub kind: CronErrorKind,
    /// What is wrong and what to do, as sentences.
    pub message: String,
    /// Bytes of the text that are wrong.
    pub at: Range<usize>,
    /// The field they belong to, when there is one.
    pub field: Option<Field>,
    /// What the field takes, or empty.
    pub allowed: &'static str,
    /// The whole text put right, when there is one clear way.
    pub suggestion: Option<String>,
}

impl fmt::Display for CronError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if !self.allowed.is_empty() {
            write!(f, " Allowed here: {}.", self.allowed)?;
        }
        if let Some(suggestion) = &self.suggestion {
            write!(f, " Did you mean {suggestion:?}?")?;
        }
        Ok(())
    }
}

impl std::error::Error for CronError {}
