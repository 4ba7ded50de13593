//! How instants and faults are written on a terminal.

use std::ops::Range;

use chrono::{DateTime, SecondsFormat, Utc};

use crate::config::Mark;

/// `2026-10-01T06:00:00Z`, with a fraction only when there is one.
pub fn utc(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// Reads an instant with its offset.
pub fn instant(text: &str) -> Result<DateTime<Utc>, String> {
    DateTime::parse_from_rfc3339(text)
        .map(|at| at.with_timezone(&Utc))
        .map_err(|_| {
            format!("'{text}' is not an instant; write it like 2026-10-01T06:00:00Z or 2026-10-01T08:00:00+02:00")
        })
}

/// A sentence, the text it is about, and a caret under the place.
pub fn marked(sentence: &str, text: &str, at: Range<usize>) -> String {
    let mark = Mark {
        text: text.to_owned(),
        at,
    };
    format!("{sentence}\n{mark}")
}
