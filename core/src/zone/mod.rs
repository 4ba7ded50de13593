//! Time zones: names, offsets, and what a wall time means (S43, S305, S306).
//!
//! Rules come from IANA data, the copy compiled into the program or the system's when that is
//! newer. Each zone is compiled once into a table of integers and shared.

mod database;
mod table;
mod windows;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::civil::{CivilDateTime, LocalTime, write_offset};
pub use database::BUNDLED_VERSION;
pub(crate) use table::{Piece, PieceKind, Table};
pub use windows::WINDOWS_ZONES;

/// A time zone: a region with rules, or a fixed offset. Cheap to clone, equal by [`Zone::id`].
#[derive(Clone)]
pub struct Zone(Arc<ZoneData>);

struct ZoneData {
    id: String,
    fixed: bool,
    rules: TimeZone,
    table: Table,
}

/// A change of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    /// First instant with the new offset.
    pub at: DateTime<Utc>,
    /// Seconds east of UTC until then.
    pub offset_before: i32,
    /// Seconds east of UTC from then on.
    pub offset_after: i32,
}

/// The instants that show a wall time (S306).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolved {
    /// The clock jumped over it.
    None {
        /// The jump.
        gap: Transition,
    },
    /// The normal case.
    One(DateTime<Utc>),
    /// The clock showed it twice; first and last instant.
    Two(DateTime<Utc>, DateTime<Utc>),
}

/// Why a text names no zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZoneError {
    /// The refused text.
    pub text: String,
    /// Up to three zones that look alike, best first.
    pub suggestions: Vec<String>,
}

impl fmt::Display for ZoneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a known time zone; ", self.text)?;
        match self.suggestions.as_slice() {
            [] => f.write_str("use an IANA name such as Europe/Berlin, a Windows id such as China Standard Time, or an offset such as +08:00"),
            [one] => write!(f, "did you mean {one}?"),
            [most @ .., last] => write!(f, "did you mean {} or {last}?", most.join(", ")),
        }
    }
}

impl std::error::Error for ZoneError {}

/// The instant of a UTC second, clamped to what the type can hold.
pub(crate) fn instant(utc: i64) -> DateTime<Utc> {
    let edge = if utc < 0 {
        DateTime::<Utc>::MIN_UTC
    } else {
        DateTime::<Utc>::MAX_UTC
    };
    DateTime::from_timestamp(utc, 0).unwrap_or(edge)
}

impl Zone {
    /// Coordinated Universal Time.
    pub fn utc() -> Zone {
        database::utc()
    }

    /// A zone by IANA name (any case), Windows id, or offset such as `+08:00`. Empty text is UTC.
    pub fn parse(text: &str) -> Result<Zone, ZoneError> {
        database::find(text)
    }

    /// A fixed offset in seconds east of UTC, at most 18 hours either way.
    pub fn fixed(offset: i32) -> Option<Zone> {
        if offset == 0 {
            return Some(Zone::utc());
        }
        let rules = TimeZone::fixed(jiff::tz::Offset::from_seconds(offset).ok()?);
        let id = OffsetText(offset).to_string();
        (offset.abs() <= 18 * 3600).then(|| {
            Zone(Arc::new(ZoneData {
                id,
                fixed: true,
                rules,
                table: Table::fixed(offset),
            }))
        })
    }

    fn region(id: &str, rules: TimeZone) -> Zone {
        let table = Table::of(&rules);
        Zone(Arc::new(ZoneData {
            id: id.to_owned(),
            fixed: false,
            rules,
            table,
        }))
    }

    /// Canonical spelling: the IANA name, `UTC`, or `+08:00`.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// Whether this is UTC or a fixed offset and not a region whose rules can change (S305).
    pub fn is_fixed(&self) -> bool {
        self.0.fixed
    }

    /// All names of IANA zones that [`Zone::parse`] takes, sorted.
    pub fn names() -> &'static [String] {
        database::names()
    }

    /// Version of the zone data in use, for example `2026f` (S309).
    pub fn data_version() -> String {
        database::version().to_owned()
    }

    /// Seconds east of UTC at an instant.
    pub fn offset_at(&self, at: DateTime<Utc>) -> i32 {
        self.0.table.offset_at(at.timestamp())
    }

    /// Abbreviation shown at an instant, for example `CEST`, or the offset where there is none.
    pub fn abbreviation_at(&self, at: DateTime<Utc>) -> String {
        if self.0.fixed {
            return self.0.id.clone();
        }
        let edge = if at.timestamp() < 0 {
            jiff::Timestamp::MIN
        } else {
            jiff::Timestamp::MAX
        };
        let at = jiff::Timestamp::from_second(at.timestamp()).unwrap_or(edge);
        self.0.rules.to_offset_info(at).abbreviation().to_owned()
    }

    /// What the wall clock shows at an instant; fractions of a second are cut.
    pub fn local_at(&self, at: DateTime<Utc>) -> LocalTime {
        let offset = self.offset_at(at);
        LocalTime::from_wall(at.timestamp() + i64::from(offset), offset)
    }

    /// The instants at which the wall clock shows a civil time.
    pub fn resolve(&self, civil: CivilDateTime) -> Resolved {
        let wall = civil.wall();
        let table = &self.0.table;
        // No offset is larger than 26 hours, so everything that matters lies in this range.
        let reach = 26 * 3600;
        let mut shown: Option<(i64, i64)> = None;
        let mut gap = None;
        for piece in &table.pieces[table.index_at(wall - reach)..] {
            if piece.start > wall + reach {
                break;
            }
            if wall < piece.wall_start || wall >= piece.wall_end {
                continue;
            }
            if piece.kind == PieceKind::Missing {
                gap = Some(piece);
            } else {
                let at = wall - i64::from(piece.offset);
                shown = Some((shown.map_or(at, |first| first.0), at));
            }
        }
        match (shown, gap) {
            (Some((first, last)), _) if first == last => Resolved::One(instant(first)),
            (Some((first, last)), _) => Resolved::Two(instant(first), instant(last)),
            (None, Some(gap)) => Resolved::None {
                gap: Transition {
                    at: instant(gap.start),
                    offset_before: gap.offset,
                    offset_after: table.offset_at(gap.start),
                },
            },
            // Pieces cover every wall time, so this is out of reach; the offset is as good an answer as any.
            (None, None) => Resolved::One(instant(wall - i64::from(table.offset_at(wall)))),
        }
    }

    /// Changes of the offset after `from` and up to `to`, in order.
    pub fn transitions(
        &self,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
    ) -> impl Iterator<Item = Transition> + '_ {
        let segments = &self.0.table.segments;
        let first = segments
            .partition_point(|segment| segment.0 <= from.timestamp())
            .max(1);
        (first..segments.len())
            .take_while(move |index| segments[*index].0 <= to.timestamp())
            .map(move |index| Transition {
                at: instant(segments[index].0),
                offset_before: segments[index - 1].1,
                offset_after: segments[index].1,
            })
    }

    pub(crate) fn table(&self) -> &Table {
        &self.0.table
    }
}

struct OffsetText(i32);

impl fmt::Display for OffsetText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_offset(f, self.0)
    }
}

impl PartialEq for Zone {
    fn eq(&self, other: &Zone) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.id == other.0.id
    }
}

impl Eq for Zone {}

impl Hash for Zone {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.id.hash(state);
    }
}

impl Default for Zone {
    fn default() -> Zone {
        Zone::utc()
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Zone({})", self.0.id)
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.id)
    }
}

impl FromStr for Zone {
    type Err = ZoneError;

    fn from_str(text: &str) -> Result<Zone, ZoneError> {
        Zone::parse(text)
    }
}

impl Serialize for Zone {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.id)
    }
}

impl<'de> Deserialize<'de> for Zone {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Zone, D::Error> {
        let text = String::deserialize(deserializer)?;
        Zone::parse(&text).map_err(serde::de::Error::custom)
    }
}
