//! Slows down guessing: after a few failures a name has to wait, twice as long each time (T10). Addresses are not
//! counted: behind a proxy on this machine everybody has the same one, and one guesser would lock out all.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use chrono::{DateTime, TimeDelta, Utc};
use horarium_engine::clock::Clock;

/// After so many failures in a row a name has to wait.
const FREE: u32 = 5;
/// The first wait.
const FIRST_WAIT: TimeDelta = TimeDelta::seconds(2);
/// The longest wait.
const LONGEST_WAIT: TimeDelta = TimeDelta::minutes(15);
/// A name without failures for so long starts afresh.
const FORGET: TimeDelta = TimeDelta::hours(1);
/// How many names are remembered; guessing with ever new ones must not fill the memory.
const MAX_NAMES: usize = 10_000;

pub(super) struct Throttle {
    clock: Arc<dyn Clock>,
    attempts: Mutex<HashMap<String, Attempts>>,
}

#[derive(Clone, Copy)]
struct Attempts {
    count: u32,
    last: DateTime<Utc>,
    closed_until: DateTime<Utc>,
}

impl Throttle {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            attempts: Mutex::default(),
        }
    }

    /// Counts an attempt before it is looked at, so that many at once are not all free; false when the name has to
    /// wait. A success is followed by [`Self::forget`].
    pub(super) fn admit(&self, name: &str) -> bool {
        let now = self.clock.now();
        let mut attempts = self.lock();
        if attempts.len() >= MAX_NAMES {
            attempts.retain(|_, a| a.closed_until > now);
        }
        let fresh = Attempts {
            count: 0,
            last: now,
            closed_until: now,
        };
        let entry = attempts.entry(key(name)).or_insert(fresh);
        if entry.closed_until > now {
            return false;
        }
        if now - entry.last > FORGET {
            *entry = fresh;
        }
        entry.count = entry.count.saturating_add(1);
        entry.last = now;
        if entry.count >= FREE {
            let doublings = (entry.count - FREE).min(20);
            entry.closed_until = now + (FIRST_WAIT * (1 << doublings)).min(LONGEST_WAIT);
        }
        true
    }

    /// Until when the name has to wait.
    pub(super) fn closed_until(&self, name: &str) -> Option<DateTime<Utc>> {
        let now = self.clock.now();
        let attempts = self.lock();
        let until = attempts.get(&key(name))?.closed_until;
        (until > now).then_some(until)
    }

    pub(super) fn forget(&self, name: &str) {
        self.lock().remove(&key(name));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Attempts>> {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Names are one whatever their case; what is longer than a name is cut.
fn key(name: &str) -> String {
    name.trim()
        .chars()
        .take(64)
        .flat_map(char::to_lowercase)
        .collect()
}
