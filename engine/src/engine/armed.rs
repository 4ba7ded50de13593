//! Triggers claimed ahead of their instants, in the order in which they are to begin.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use horarium_core::names::TriggerKey;

use crate::store::{ClaimRef, Claimed};

/// Claimed triggers by instant; among those due together priority decides, then the key (A33).
#[derive(Default)]
pub(super) struct Armed(BTreeMap<(DateTime<Utc>, i64, TriggerKey), Claimed>);

impl Armed {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn add(&mut self, claimed: Claimed) {
        // a claimed trigger has a next fire: that is what it was claimed for
        let at = claimed
            .trigger
            .next_fire_at
            .unwrap_or(DateTime::<Utc>::MIN_UTC);
        let rank = -i64::from(claimed.trigger.definition.priority);
        self.0.insert((at, rank, claimed.trigger.key()), claimed);
    }

    /// Takes at most `limit` triggers that are due: the highest priority first, then the earliest, then by key.
    pub(super) fn take_due(
        &mut self,
        now: DateTime<Utc>,
        limit: usize,
        wait: impl Fn(&Claimed) -> bool,
    ) -> Vec<Claimed> {
        let mut due: Vec<_> = self
            .0
            .iter()
            .take_while(|((at, ..), _)| *at <= now)
            .filter(|(_, claimed)| !wait(claimed))
            .map(|(key, _)| key.clone())
            .collect();
        due.sort_by(|a, b| (a.1, a.0, &a.2).cmp(&(b.1, b.0, &b.2)));
        due.truncate(limit);
        due.iter().filter_map(|key| self.0.remove(key)).collect()
    }

    /// The nearest instant after now: what is due already waits for room, not for time.
    pub(super) fn next_after(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.0.keys().map(|(at, ..)| *at).find(|at| *at > now)
    }

    /// Gives everything back.
    pub(super) fn drain(&mut self) -> Vec<ClaimRef> {
        std::mem::take(&mut self.0)
            .into_values()
            .map(|claimed| claimed.claim())
            .collect()
    }
}
