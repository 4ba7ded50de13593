//! A zone compiled to integers: which offset holds from when to when, cut so that every piece of
//! the time line is uniform.
//!
//! A *piece* is a stretch with one offset in which the wall clock is always shown once, always
//! shown for the first of several times, or always shown again. Wall times that a clock change
//! skipped are pieces too: they take no time, but they stand where the change happened. A search
//! then walks pieces and never has to ask about ambiguity again.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Start of the first piece and end of the last one, far outside of every instant there is.
const BEGIN: i64 = -(1 << 50);
const END: i64 = 1 << 50;
/// Transitions are tabulated up to 2200-01-01; cron years end in 2099. Later the last offset stays.
const LAST_TRANSITION: i64 = 7_258_118_400;
/// Seconds of one bucket of the index, about 194 days: at most a few transitions fall into one.
const BUCKET_BITS: u32 = 24;
/// How many neighbours can show the same wall time. Transitions are hours apart, offsets at most a day.
const NEIGHBOURS: usize = 4;

/// How a piece shows its wall times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PieceKind {
    /// Once.
    Plain,
    /// Now for the first time, and again later.
    FirstPass,
    /// They were shown before.
    SecondPass,
    /// Never: the clock jumped over them at `start`.
    Missing,
}

/// A uniform stretch of the time line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    /// First UTC second; for `Missing` the instant of the jump.
    pub start: i64,
    /// First wall second.
    pub wall_start: i64,
    /// Wall second behind the last one.
    pub wall_end: i64,
    /// Seconds east of UTC; for `Missing` the offset before the jump.
    pub offset: i32,
    /// How the wall times are shown.
    pub kind: PieceKind,
}

/// The compiled zone.
#[derive(Debug)]
pub(crate) struct Table {
    /// Start and offset of every stretch of constant offset.
    pub segments: Vec<(i64, i32)>,
    /// Sorted by start; missing pieces come before the piece that starts at the same instant.
    pub pieces: Vec<Piece>,
    /// For every bucket since 1970 the last piece that starts at or before it.
    buckets: Vec<u16>,
}

impl Table {
    /// A zone whose offset never changes.
    pub fn fixed(offset: i32) -> Table {
        Table::build(vec![(BEGIN, offset)])
    }

    /// Compiles the rules of a zone.
    pub fn of(zone: &TimeZone) -> Table {
        let mut segments = vec![(BEGIN, zone.to_offset(Timestamp::MIN).seconds())];
        for transition in zone.following(Timestamp::MIN) {
            let (at, offset) = (
                transition.timestamp().as_second(),
                transition.offset().seconds(),
            );
            if at > LAST_TRANSITION {
                break;
            }
            match segments.last_mut() {
                // Only the abbreviation changed.
                Some(last) if last.1 == offset => {}
                Some(last) if last.0 == at => last.1 = offset,
                _ => segments.push((at, offset)),
            }
        }
        Table::build(segments)
    }

    fn build(segments: Vec<(i64, i32)>) -> Table {
        let mut pieces = Vec::with_capacity(segments.len() * 3);
        for index in 0..segments.len() {
            push_missing(&segments, index, &mut pieces);
            push_shown(&segments, index, &mut pieces);
        }
        let mut buckets = Vec::new();
        if pieces.len() > 1 {
            let mut at = 0;
            for bucket in 0..=(LAST_TRANSITION >> BUCKET_BITS) {
                while pieces
                    .get(at + 1)
                    .is_some_and(|next: &Piece| next.start <= bucket << BUCKET_BITS)
                {
                    at += 1;
                }
                buckets.push(at.min(usize::from(u16::MAX)) as u16);
            }
        }
        Table {
            segments,
            pieces,
            buckets,
        }
    }

    /// Index of the piece that holds an instant; never a missing one.
    pub fn index_at(&self, utc: i64) -> usize {
        let bucket = usize::try_from(utc >> BUCKET_BITS)
            .ok()
            .and_then(|bucket| self.buckets.get(bucket));
        match bucket {
            Some(first) => {
                let mut index = usize::from(*first);
                while self
                    .pieces
                    .get(index + 1)
                    .is_some_and(|next| next.start <= utc)
                {
                    index += 1;
                }
                index
            }
            None => self
                .pieces
                .partition_point(|piece| piece.start <= utc)
                .saturating_sub(1),
        }
    }

    /// Offset at an instant.
    pub fn offset_at(&self, utc: i64) -> i32 {
        self.pieces[self.index_at(utc)].offset
    }
}

fn wall_range(segments: &[(i64, i32)], index: usize) -> (i64, i64) {
    let (start, offset) = segments[index];
    let end = segments.get(index + 1).map_or(END, |next| next.0);
    (start + i64::from(offset), end + i64::from(offset))
}

/// Cuts `range` wherever one of `others` begins or ends inside it.
fn cuts(range: (i64, i64), others: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut points = vec![range.0, range.1];
    points.extend(
        others
            .iter()
            .flat_map(|other| [other.0, other.1])
            .filter(|at| *at > range.0 && *at < range.1),
    );
    points.sort_unstable();
    points.dedup();
    points.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

fn neighbours(segments: &[(i64, i32)], from: usize, to: usize) -> Vec<(i64, i64)> {
    (from..to.min(segments.len()))
        .map(|index| wall_range(segments, index))
        .collect()
}

fn covered(part: (i64, i64), ranges: &[(i64, i64)]) -> bool {
    ranges
        .iter()
        .any(|range| range.0 <= part.0 && part.1 <= range.1)
}

fn push_shown(segments: &[(i64, i32)], index: usize, pieces: &mut Vec<Piece>) {
    let (start, offset) = segments[index];
    let range = wall_range(segments, index);
    let earlier = neighbours(segments, index.saturating_sub(NEIGHBOURS), index);
    let later = neighbours(segments, index + 1, index + 1 + NEIGHBOURS);
    let all: Vec<_> = earlier.iter().chain(&later).copied().collect();
    for part in cuts(range, &all) {
        let kind = match (covered(part, &earlier), covered(part, &later)) {
            (true, _) => PieceKind::SecondPass,
            (false, true) => PieceKind::FirstPass,
            (false, false) => PieceKind::Plain,
        };
        pieces.push(Piece {
            start: start + (part.0 - range.0),
            wall_start: part.0,
            wall_end: part.1,
            offset,
            kind,
        });
    }
}

fn push_missing(segments: &[(i64, i32)], index: usize, pieces: &mut Vec<Piece>) {
    let Some(before) = index.checked_sub(1).map(|index| segments[index].1) else {
        return;
    };
    let (start, after) = segments[index];
    let gap = (start + i64::from(before), start + i64::from(after));
    if gap.0 >= gap.1 {
        return;
    }
    let around = neighbours(
        segments,
        index.saturating_sub(NEIGHBOURS),
        index + 1 + NEIGHBOURS,
    );
    for part in cuts(gap, &around) {
        if !covered(part, &around) {
            pieces.push(Piece {
                start,
                wall_start: part.0,
                wall_end: part.1,
                offset: before,
                kind: PieceKind::Missing,
            });
        }
    }
}
