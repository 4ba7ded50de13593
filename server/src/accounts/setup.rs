//! The link that makes the first administrator: one at a time, short-lived, and nothing of it is kept but a hash (T17).

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use horarium_engine::clock::Clock;

use super::Secret;

/// How long a link is good for.
pub const SETUP_LIFE: TimeDelta = TimeDelta::minutes(15);

pub(super) struct SetupLink {
    clock: Arc<dyn Clock>,
    open: Mutex<Option<(String, DateTime<Utc>)>>,
}

impl SetupLink {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            open: Mutex::default(),
        }
    }

    pub(super) fn renew(&self) -> Secret {
        let token = Secret::random();
        self.set(Some((token.hash(), self.clock.now() + SETUP_LIFE)));
        token
    }

    pub(super) fn is_open(&self, token: &str) -> bool {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.as_ref().is_some_and(|(hash, until)| {
            // hashes are compared: how long it takes tells nothing about the token
            *hash == Secret::hash_of(token) && self.clock.now() < *until
        })
    }

    pub(super) fn close(&self) {
        self.set(None);
    }

    fn set(&self, to: Option<(String, DateTime<Utc>)>) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = to;
    }
}
