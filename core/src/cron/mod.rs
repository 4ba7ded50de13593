//! Cron expressions: parsing by dialect, printing, and the search for matching wall times.

mod detective;
mod dialect;
mod element;
mod error;
mod fields;
mod parse;
mod rule;
mod search;
mod special;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use detective::{Detected, DialectReading, convert, detect, readings};
pub use dialect::{Dialect, UnknownDialect};
pub use error::{CronError, CronErrorKind, Field};
pub use parse::MAX_TEXT;
pub use rule::{CronRule, FIRST_YEAR, LAST_YEAR};

/// A cron expression: the text as it was written, and the rule it means.
///
/// Equal when the rules are equal, so `0 3 * * *` equals `0 0 3 ? * *`.
#[derive(Clone)]
pub struct CronExpression {
    text: Box<str>,
    dialect: Dialect,
    rule: CronRule,
}

impl CronRule {
    /// Reads a text without keeping it; uses no heap unless the text is wrong.
    pub fn parse(text: &str, dialect: Dialect) -> Result<CronRule, CronError> {
        parse::parse(text, dialect)
    }
}

impl CronExpression {
    /// Reads a text by the rules of a dialect.
    pub fn parse(text: &str, dialect: Dialect) -> Result<CronExpression, CronError> {
        let rule = parse::parse(text, dialect)?;
        let mut kept = String::with_capacity(text.len());
        for part in text.split_ascii_whitespace() {
            if !kept.is_empty() {
                kept.push(' ');
            }
            kept.push_str(part);
        }
        Ok(CronExpression {
            text: kept.into(),
            dialect,
            rule,
        })
    }

    /// The text with single blanks and the writer's number of fields (A9).
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The dialect the text is written in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The compiled rule.
    pub fn rule(&self) -> &CronRule {
        &self.rule
    }

    /// Whether another expression fires at the same wall times, however it is written.
    pub fn same_fires(&self, other: &CronExpression) -> bool {
        detective::same_fires(&self.rule, &other.rule)
    }

    /// The fields as written, with their bytes in [`CronExpression::as_str`]. A macro has none.
    pub fn fields(&self) -> Vec<(Field, Range<usize>)> {
        if self.text.starts_with('@') {
            return Vec::new();
        }
        let fields = fields::Fields::split(&self.text);
        Field::ALL
            .into_iter()
            .filter_map(|field| Some((field, fields.of(field)?)))
            .collect()
    }

    /// The text of a field, `*` or `0` standing for what is not written. Macros are expanded.
    pub fn field(&self, field: Field) -> &str {
        detective::field_text(&self.text, field)
    }
}

impl FromStr for CronExpression {
    type Err = CronError;

    fn from_str(text: &str) -> Result<CronExpression, CronError> {
        CronExpression::parse(text, Dialect::Horarium)
    }
}

impl fmt::Display for CronExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for CronExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CronExpression({:?}, {})", self.text, self.dialect)
    }
}

impl PartialEq for CronExpression {
    fn eq(&self, other: &CronExpression) -> bool {
        self.rule == other.rule
    }
}

impl Eq for CronExpression {}

impl Hash for CronExpression {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rule.hash(state);
    }
}

/// Serialises as its text; read back in the Horarium dialect.
impl Serialize for CronExpression {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for CronExpression {
    fn deserialize<D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<CronExpression, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
