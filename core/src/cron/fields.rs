//! Cron texts before their fields are read: where the fields are, macros, and small corrections.

use std::ops::Range;

use super::error::Field;

/// Macros and the five fields they stand for.
const MACROS: [(&str, &str); 7] = [
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
    ("@monthly", "0 0 1 * *"),
    ("@weekly", "0 0 * * 0"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@hourly", "0 * * * *"),
];

/// The fields of a text with the bytes they occupy.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    ranges: [(usize, usize); 8],
    /// Number of fields found; more than eight count as eight.
    pub count: usize,
}

impl Fields {
    /// Splits at runs of blanks.
    pub fn split(text: &str) -> Fields {
        let mut fields = Fields {
            ranges: [(0, 0); 8],
            count: 0,
        };
        let mut start = None;
        for (at, byte) in text.bytes().enumerate().chain([(text.len(), b' ')]) {
            match (byte.is_ascii_whitespace(), start) {
                (false, None) => start = Some(at),
                (true, Some(from)) => {
                    if fields.count < 8 {
                        fields.ranges[fields.count] = (from, at);
                        fields.count += 1;
                    }
                    start = None;
                }
                _ => {}
            }
        }
        fields
    }

    pub fn range(&self, index: usize) -> Range<usize> {
        self.ranges[index].0..self.ranges[index].1
    }

    /// The field names that stand at each position, by the number of fields.
    pub fn names(&self) -> &'static [Field] {
        match self.count {
            5 => &Field::ALL[1..6],
            6 => &Field::ALL[..6],
            _ => &Field::ALL,
        }
    }

    /// Bytes of a field, or `None` when the text has no such field.
    pub fn of(&self, field: Field) -> Option<Range<usize>> {
        self.names()
            .iter()
            .position(|name| *name == field)
            .filter(|index| *index < self.count)
            .map(|index| self.range(index))
    }
}

/// The text with a part replaced.
pub(super) fn replaced(text: &str, at: &Range<usize>, new: &str) -> String {
    format!("{}{new}{}", &text[..at.start], &text[at.end..])
        .trim()
        .to_owned()
}

/// The five fields behind a macro, for dialects that have macros.
pub(super) fn expand_macro(text: &str) -> Option<&'static str> {
    MACROS
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(text))
        .map(|(_, fields)| *fields)
}

/// Five or six fields with `?` put where Quartz wants it.
pub(super) fn with_question(text: &str) -> String {
    let mut parts: Vec<&str> = text.split_ascii_whitespace().collect();
    let week = parts.len() - 1;
    let day = week - 2;
    if parts[week] == "*" {
        parts[week] = "?";
    } else if parts[day] == "*" {
        parts[day] = "?";
    }
    // Sunday is 1 there; the name is safe.
    if parts[week] == "0" {
        parts[week] = "SUN";
    }
    parts.join(" ")
}

/// The text with full-width forms narrowed, when that is all that was wrong with it.
pub(super) fn narrow(text: &str) -> Option<String> {
    let narrowed: String = text
        .chars()
        .map(|c| match c {
            '\u{3000}' | '\u{a0}' => ' ',
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            other => other,
        })
        .collect();
    narrowed.is_ascii().then(|| narrowed.trim().to_owned())
}
