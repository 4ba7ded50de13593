//! Business windows: the stretch of instants that a zone calls one date (S290, S291).

use chrono::{DateTime, Utc};

use crate::civil::{CivilDate, DAY};
use crate::zone::{PieceKind, Zone, instant};

/// The instants of one local date: `start` inclusive, `end` exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// First instant of the date.
    pub start: DateTime<Utc>,
    /// First later instant of a later date.
    pub end: DateTime<Utc>,
}

impl Window {
    /// Length in seconds; 23 or 25 hours on the days of a clock change.
    pub fn seconds(&self) -> i64 {
        self.end.timestamp() - self.start.timestamp()
    }
}

/// The window of a date in a zone, or `None` when the zone skipped that date.
///
/// Both edges come from the local calendar, never from adding 24 hours: a midnight that does not
/// exist moves the edge to the end of the gap.
pub fn window(zone: &Zone, date: CivilDate) -> Option<Window> {
    let table = zone.table();
    let (first, after) = (date.wall(), date.wall() + DAY);
    let mut start = None;
    for piece in &table.pieces[table.index_at(first - 2 * DAY)..] {
        if piece.start > after + 2 * DAY {
            break;
        }
        if piece.kind == PieceKind::Missing {
            continue;
        }
        let offset = i64::from(piece.offset);
        if start.is_none() {
            let wall = piece.wall_start.max(first);
            start = (wall < piece.wall_end.min(after)).then(|| wall - offset);
        }
        if let Some(start) = start
            && piece.wall_end > after
        {
            let end = piece.wall_start.max(after) - offset;
            return Some(Window {
                start: instant(start),
                end: instant(end),
            });
        }
    }
    None
}
