//! Candidate instants of a schedule, before calendars and limits are asked.

use chrono::{DateTime, Utc};

use crate::cron::CronRule;
use crate::schedule::{CronSchedule, Gap, Overlap};
use crate::zone::{Piece, PieceKind, Table, instant};

/// Largest offset from UTC, in seconds.
const REACH: i64 = 26 * 3600;

/// A candidate with the place on the wall clock it comes from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Raw {
    pub at: DateTime<Utc>,
    pub wall: i64,
    pub offset: i32,
    pub kind: PieceKind,
}

/// UTC second at or before an instant.
pub(super) fn floor(at: DateTime<Utc>) -> i64 {
    at.timestamp()
}

/// UTC second at or after an instant.
fn ceil(at: DateTime<Utc>) -> i64 {
    at.timestamp() + i64::from(at.timestamp_subsec_nanos() > 0)
}

/// Candidates of a cron schedule, walked piece by piece along the zone's table.
pub(super) struct CronSource<'a> {
    rule: &'a CronRule,
    table: &'a Table,
    gap: Gap,
    first_runs: bool,
    second_runs: bool,
    /// Whether wall times that do not run are candidates too.
    skipped: bool,
    forward: bool,
    piece: usize,
    /// Next wall second to look at, inclusive.
    wall: i64,
    /// Second of the last candidate, or of the seek; never given again as a run.
    last: Option<i64>,
    /// A candidate that was found but comes after a shifted one.
    held: Option<Raw>,
    /// Where shifted candidates are looked for, exclusive.
    edge: i64,
}

impl<'a> CronSource<'a> {
    pub fn new(cron: &'a CronSchedule, forward: bool, skipped: bool) -> CronSource<'a> {
        let rule = cron.expression.rule();
        let both = cron.overlap == Overlap::Both
            || cron.overlap == Overlap::Auto && rule.is_interval_like();
        CronSource {
            rule,
            table: cron.zone.table(),
            gap: cron.gap,
            first_runs: both || cron.overlap != Overlap::Second,
            second_runs: both || cron.overlap == Overlap::Second,
            skipped,
            forward,
            piece: 0,
            wall: 0,
            last: None,
            held: None,
            edge: 0,
        }
    }

    /// Whether a candidate of this kind runs.
    pub fn runs(&self, kind: PieceKind) -> bool {
        match kind {
            PieceKind::Plain => true,
            PieceKind::FirstPass => self.first_runs,
            PieceKind::SecondPass => self.second_runs,
            PieceKind::Missing => false,
        }
    }

    /// Continues behind an instant, in the direction of the walk.
    pub fn seek(&mut self, at: DateTime<Utc>) {
        let utc = if self.forward {
            floor(at)
        } else {
            ceil(at) - 1
        };
        self.piece = self.table.index_at(utc);
        self.wall = utc + i64::from(self.table.pieces[self.piece].offset) + i64::from(self.forward);
        self.edge = if self.forward { utc } else { utc + 1 };
        self.last = None;
        self.held = None;
    }

    /// The next candidate up to a UTC second, inclusive.
    pub fn next(&mut self, limit: i64) -> Option<Raw> {
        if self.gap != Gap::Shift {
            return self.walk(limit);
        }
        let plain = match self.held.take() {
            Some(held) => Some(held),
            None => self.walk(limit),
        };
        let bound = plain.map_or(limit, |plain| floor(plain.at));
        let shifted = if self.forward {
            self.shifted_after(bound)
        } else {
            self.shifted_before(bound)
        };
        let found = match (plain, shifted) {
            (Some(plain), Some(shifted)) if shifted.at != plain.at => {
                self.held = Some(plain);
                shifted
            }
            // At the same instant both mean one run.
            (Some(plain), _) => plain,
            (None, shifted) => shifted?,
        };
        self.edge = floor(found.at);
        Some(found)
    }

    fn walk(&mut self, limit: i64) -> Option<Raw> {
        if self.forward {
            self.walk_forward(limit)
        } else {
            self.walk_back(limit)
        }
    }

    fn walk_forward(&mut self, limit: i64) -> Option<Raw> {
        loop {
            let piece = self.table.pieces.get(self.piece)?;
            if piece.start > limit {
                return None;
            }
            if let Some(raw) = self.within(piece, limit) {
                return Some(raw);
            }
            if piece.kind != PieceKind::Missing && piece.wall_end - i64::from(piece.offset) > limit
            {
                return None;
            }
            self.piece += 1;
            self.wall = self.table.pieces.get(self.piece)?.wall_start;
        }
    }

    fn walk_back(&mut self, limit: i64) -> Option<Raw> {
        loop {
            let piece = self.table.pieces.get(self.piece)?;
            if piece.kind == PieceKind::Missing && piece.start < limit {
                return None;
            }
            if let Some(raw) = self.within(piece, limit) {
                return Some(raw);
            }
            if piece.start < limit {
                return None;
            }
            self.piece = self.piece.checked_sub(1)?;
            self.wall = self.table.pieces.get(self.piece)?.wall_end - 1;
        }
    }

    /// The next candidate within a piece.
    fn within(&mut self, piece: &Piece, limit: i64) -> Option<Raw> {
        let offset = i64::from(piece.offset);
        if piece.kind == PieceKind::Missing {
            return self.within_gap(piece);
        }
        if !self.skipped && !self.runs(piece.kind) {
            return None;
        }
        let edge = if self.forward {
            (piece.wall_end - 1).min(limit + offset)
        } else {
            piece.wall_start.max(limit + offset)
        };
        loop {
            let wall = self.search(edge)?;
            let at = wall - offset;
            if self.last.replace(at) != Some(at) {
                return Some(Raw {
                    at: instant(at),
                    wall,
                    offset: piece.offset,
                    kind: piece.kind,
                });
            }
        }
    }

    fn within_gap(&mut self, piece: &Piece) -> Option<Raw> {
        let edge = if self.forward {
            piece.wall_end - 1
        } else {
            piece.wall_start
        };
        match self.gap {
            Gap::Skip if self.skipped => {
                let wall = self.search(edge)?;
                Some(Raw {
                    at: instant(piece.start),
                    wall,
                    offset: piece.offset,
                    kind: PieceKind::Missing,
                })
            }
            Gap::End => {
                self.search(edge)?;
                // One run stands for the whole gap.
                self.wall = if self.forward {
                    piece.wall_end
                } else {
                    piece.wall_start - 1
                };
                (self.last.replace(piece.start) != Some(piece.start))
                    .then(|| self.plain(piece.start))
            }
            Gap::Skip | Gap::Shift => None,
        }
    }

    /// The next matching wall second up to an edge; moves on.
    fn search(&mut self, edge: i64) -> Option<i64> {
        let wall = if self.forward {
            self.rule.next(self.wall, edge)?
        } else {
            self.rule.previous(self.wall, edge)?
        };
        self.wall = if self.forward { wall + 1 } else { wall - 1 };
        Some(wall)
    }

    fn plain(&self, at: i64) -> Raw {
        let offset = self.table.offset_at(at);
        Raw {
            at: instant(at),
            wall: at + i64::from(offset),
            offset,
            kind: PieceKind::Plain,
        }
    }

    /// First skipped wall time that is shifted to an instant behind the edge, up to `limit`.
    fn shifted_after(&self, limit: i64) -> Option<Raw> {
        let first = self.table.index_at(self.edge - REACH);
        let reached = self.table.pieces[first..]
            .iter()
            .take_while(|piece| piece.start <= limit);
        reached
            .filter(|piece| piece.kind == PieceKind::Missing)
            .find_map(|piece| {
                let offset = i64::from(piece.offset);
                let from = piece.wall_start.max(self.edge + offset + 1);
                let wall = self
                    .rule
                    .next(from, (piece.wall_end - 1).min(limit + offset))?;
                Some(self.plain(wall - offset))
            })
    }

    /// Last skipped wall time that is shifted to an instant before the edge, down to `limit`.
    fn shifted_before(&self, limit: i64) -> Option<Raw> {
        let last = self.table.index_at(self.edge);
        let reached = self.table.pieces[..=last]
            .iter()
            .rev()
            .take_while(|piece| piece.start >= limit - REACH);
        reached
            .filter(|piece| piece.kind == PieceKind::Missing)
            .find_map(|piece| {
                let offset = i64::from(piece.offset);
                let from = (piece.wall_end - 1).min(self.edge + offset - 1);
                let wall = self
                    .rule
                    .previous(from, piece.wall_start.max(limit + offset))?;
                Some(self.plain(wall - offset))
            })
    }
}

/// Candidates at even distances: `origin + k × interval`, in microseconds.
pub(super) struct Steps {
    origin: i128,
    interval: i128,
    /// Smallest and largest k.
    counts: (i128, i128),
    forward: bool,
    next: i128,
}

impl Steps {
    /// An interval of zero or less has no candidates.
    pub fn new(
        origin: DateTime<Utc>,
        interval: chrono::TimeDelta,
        counts: (i128, i128),
        forward: bool,
    ) -> Steps {
        let interval = i128::from(interval.num_milliseconds()) * 1000;
        let counts = if interval > 0 { counts } else { (1, 0) };
        Steps {
            origin: i128::from(origin.timestamp_micros()),
            interval: interval.max(1),
            counts,
            forward,
            next: 0,
        }
    }

    /// Continues behind an instant, in the direction of the walk.
    pub fn seek(&mut self, at: DateTime<Utc>) {
        let distance = i128::from(at.timestamp_micros()) - self.origin;
        self.next = if self.forward {
            (distance.div_euclid(self.interval) + 1).max(self.counts.0)
        } else {
            ((distance - 1).div_euclid(self.interval)).min(self.counts.1)
        };
    }

    /// The next candidate.
    pub fn next(&mut self) -> Option<DateTime<Utc>> {
        if self.next < self.counts.0 || self.next > self.counts.1 {
            return None;
        }
        let micros = i64::try_from(self.origin + self.next * self.interval).ok()?;
        self.next += if self.forward { 1 } else { -1 };
        DateTime::from_timestamp_micros(micros)
    }
}
