//! How dense the fires of a schedule are, and how two schedules differ.

use chrono::{DateTime, TimeDelta, Utc};

use crate::calendar::Calendars;
use crate::fires::{FireOptions, fires, runs_between};
use crate::schedule::Schedule;

/// Fires that are looked at for the distances, and the time they are looked for.
const MOST_FIRES: usize = 2_000;
const SAMPLE_DAYS: i64 = 28;

/// Distances between fires over a bounded sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gaps {
    /// Shortest distance between two fires that follow each other.
    pub shortest: TimeDelta,
    /// Longest distance.
    pub longest: TimeDelta,
    /// Fires a day, on average over the sample.
    pub per_day: f64,
    /// Fires a week, on average over the sample.
    pub per_week: f64,
    /// Number of fires in the sample.
    pub fires: usize,
    /// Last fire of the sample; the sample is four weeks or two thousand fires, and at least two fires.
    pub until: DateTime<Utc>,
}

/// Measures the distances of the fires after an instant; `None` when there are fewer than two.
pub fn gaps(schedule: &Schedule, calendars: &Calendars, from: DateTime<Utc>) -> Option<Gaps> {
    let mut list = fires(schedule, calendars, from, FireOptions::runs()).map(|fire| fire.at);
    let first = list.next()?;
    let end = first.checked_add_signed(TimeDelta::days(SAMPLE_DAYS))?;
    let (mut previous, mut count) = (first, 1);
    let (mut shortest, mut longest) = (TimeDelta::MAX, TimeDelta::zero());
    for at in list.take(MOST_FIRES) {
        if at > end && count > 1 {
            break;
        }
        let distance = at - previous;
        (shortest, longest) = (shortest.min(distance), longest.max(distance));
        (previous, count) = (at, count + 1);
    }
    let span = (previous - first).num_milliseconds() as f64;
    let per_day = (count > 1).then(|| (count - 1) as f64 * 86_400_000.0 / span.max(1.0))?;
    Some(Gaps {
        shortest,
        longest,
        per_day,
        per_week: per_day * 7.0,
        fires: count,
        until: previous,
    })
}

/// The fires of two schedules side by side.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Only in the second.
    pub added: Vec<DateTime<Utc>>,
    /// Only in the first.
    pub removed: Vec<DateTime<Utc>>,
    /// In both.
    pub kept: Vec<DateTime<Utc>>,
    /// Up to where the comparison goes, inclusive: the end of the range, or earlier when one side
    /// has more fires than the limit.
    pub until: Option<DateTime<Utc>>,
}

/// Compares the runs of two schedules in `(from, to]`, at most `limit` of each side. Runs of `every`
/// are counted from `from` and taken to last no time.
pub fn compare(
    before: &Schedule,
    after: &Schedule,
    calendars: &Calendars,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
    limit: usize,
) -> Comparison {
    let old = runs_between(before, calendars, from, to, limit);
    let new = runs_between(after, calendars, from, to, limit);
    // Beyond the last fire of a side that was cut, nothing is known about it.
    let cut = |list: &[DateTime<Utc>]| {
        (list.len() == limit)
            .then(|| list.last().copied())
            .flatten()
            .unwrap_or(to)
    };
    let until = cut(&old).min(cut(&new));
    let mut comparison = Comparison {
        until: Some(until),
        ..Comparison::default()
    };
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    loop {
        let next = match (old.peek().copied(), new.peek().copied()) {
            (None, None) => break,
            (Some(a), Some(b)) => a.min(b),
            (Some(one), None) | (None, Some(one)) => one,
        };
        if next > until {
            break;
        }
        match (
            old.next_if_eq(&next).is_some(),
            new.next_if_eq(&next).is_some(),
        ) {
            (true, true) => comparison.kept.push(next),
            (true, false) => comparison.removed.push(next),
            (false, _) => comparison.added.push(next),
        }
    }
    comparison
}
