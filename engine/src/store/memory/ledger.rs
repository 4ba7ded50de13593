//! The fire ledger, in memory.

use std::cmp::Reverse;

use chrono::{DateTime, Utc};
use horarium_core::{
    misfire::Range,
    record::{FireDecision, TriggerGeneration},
    run_id::RunId,
    state::{FireVerdict, RunStatus},
};
use uuid::Uuid;

use super::rows::{RunRow, Tables};
use crate::store::{NewDecision, desk::Instant, moves};

impl Tables {
    pub(super) fn ledger_generations(&self) -> Vec<TriggerGeneration> {
        let mut all: Vec<_> = self.generations.values().cloned().collect();
        all.sort_by_key(|g| (g.from, g.trigger_uid, g.generation));
        all
    }

    pub(super) fn ledger_decided(&self, uid: Uuid, generation: i64) -> Vec<Range> {
        let decisions = self.decisions.get(&(uid, generation));
        let decisions = decisions.into_iter().flatten().map(|d| Range {
            from: d.from,
            to: d.to,
        });
        let runs = self
            .instants_of(uid, generation)
            .map(|(i, _)| Range { from: i.2, to: i.2 });
        let mut ranges: Vec<_> = decisions.chain(runs).collect();
        ranges.sort_by_key(|range| (range.from, range.to));
        ranges
    }

    pub(super) fn ledger_list(
        &self,
        uid: Uuid,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
        limit: u32,
    ) -> Vec<FireDecision> {
        let generations = (uid, i64::MIN)..=(uid, i64::MAX);
        let decisions = self.decisions.range(generations).flat_map(|(_, d)| d);
        let runs = self.runs.values().filter_map(fired);
        let mut found: Vec<_> = decisions
            .cloned()
            .chain(runs)
            .filter(|d| d.trigger_uid == uid && d.from <= to && d.to >= from)
            .collect();
        found.sort_by_key(|d| Reverse((d.from, d.generation, d.to)));
        found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        found
    }

    pub(super) fn ledger_record(&mut self, decisions: &[NewDecision], now: DateTime<Utc>) {
        for decision in decisions {
            let new = moves::decided(decision, now);
            let key = (new.trigger_uid, new.generation);
            let known = self.decisions.get(&key).into_iter().flatten();
            if !known.into_iter().any(|d| is_same(d, &new)) {
                self.add_decision(new);
            }
        }
    }

    /// Keeps the instant of a run that is gone: in the range beside it, when nothing else was decided between the
    /// two and the verdicts are the same, else in a range of its own.
    pub(super) fn ledger_fold(
        &mut self,
        uid: Uuid,
        generation: i64,
        at: DateTime<Utc>,
        status: RunStatus,
        now: DateTime<Utc>,
    ) {
        let ranges = self.decisions.get(&(uid, generation));
        let ranges = ranges.map_or(&[][..], Vec::as_slice);
        let next = ranges.partition_point(|d| d.from <= at);
        let joins = |d: &&FireDecision, from: DateTime<Utc>, to: DateTime<Utc>| {
            let fired = d.verdict == FireVerdict::Fired && d.status == Some(status);
            let between = |i: &Instant| from < i.2 && i.2 < to;
            fired && !self.instants_of(uid, generation).any(|(i, _)| between(i))
        };
        let before = next
            .checked_sub(1)
            .filter(|i| ranges.get(*i).is_some_and(|d| joins(&d, d.to, at)));
        let after = Some(next).filter(|i| ranges.get(*i).is_some_and(|d| joins(&d, at, d.from)));
        let ranges = self.decisions.entry((uid, generation)).or_default();
        match (before, after) {
            (Some(before), Some(after)) => {
                ranges[before].to = ranges[after].to;
                ranges.remove(after);
            }
            (Some(before), None) => ranges[before].to = ranges[before].to.max(at),
            (None, Some(after)) => ranges[after].from = at,
            (None, None) => self.add_decision(folded(uid, generation, at, status, now)),
        }
    }

    fn instants_of(&self, uid: Uuid, generation: i64) -> impl Iterator<Item = (&Instant, &RunId)> {
        let first = (uid, generation, DateTime::<Utc>::MIN_UTC, String::new());
        self.instants
            .range(first..)
            .take_while(move |(i, _)| i.0 == uid && i.1 == generation)
    }
}

fn folded(
    trigger_uid: Uuid,
    generation: i64,
    at: DateTime<Utc>,
    status: RunStatus,
    now: DateTime<Utc>,
) -> FireDecision {
    FireDecision {
        trigger_uid,
        generation,
        from: at,
        to: at,
        verdict: FireVerdict::Fired,
        run: None,
        status: Some(status),
        reason: String::new(),
        decided_at: now,
    }
}

/// A run as the ledger shows it.
fn fired(row: &RunRow) -> Option<FireDecision> {
    let (trigger_uid, generation, at, _) = row.instant.clone()?;
    Some(FireDecision {
        trigger_uid,
        generation,
        from: at,
        to: at,
        verdict: FireVerdict::Fired,
        run: Some(row.record.id),
        status: Some(row.record.status),
        reason: String::new(),
        decided_at: row.record.dispatched_at,
    })
}

fn is_same(a: &FireDecision, b: &FireDecision) -> bool {
    (a.from, a.to, a.verdict, &a.reason) == (b.from, b.to, b.verdict, &b.reason)
}
