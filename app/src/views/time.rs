//! An instant, formatted.

use serde::{Deserialize, Serialize};

/// An instant as the page shows it: the display zone's clock, and what else a reader may need.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Moment {
    /// The instant in UTC, for instance `2026-12-01T05:00:00Z`.
    pub iso: String,
    /// The local date, `2026-12-01`.
    pub date: String,
    /// The local time, `06:00:00`.
    pub time: String,
    /// The zone's label at that instant: `UTC`, `CET`, `+08:00`.
    pub label: String,
    /// The zone's name, `Europe/Berlin`.
    pub zone: String,
    /// The offset, `+01:00`.
    pub offset: String,
    /// Milliseconds since 1970, for relative times.
    pub ms: i64,
}

impl Moment {
    /// The local date and time with the zone's label: `2026-12-01 06:00:00 CET`.
    pub fn full(&self) -> String {
        format!("{} {} {}", self.date, self.time, self.label)
    }

    /// Everything there is to say, for a tooltip.
    pub fn detail(&self) -> String {
        format!(
            "{} {} {} ({}) · {}",
            self.date, self.time, self.offset, self.zone, self.iso
        )
    }
}
