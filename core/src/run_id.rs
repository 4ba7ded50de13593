//! Run ids: sortable by time, and for scheduled runs derived from what they stand for.

use std::{fmt, str::FromStr};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// The id of a run: a UUIDv8 of 48-bit milliseconds and 74 bits of hash or chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(pub Uuid);

impl RunId {
    /// The id of the run that a schedule makes at a nominal instant: the same decision, taken again, is the same
    /// row. `node` is empty unless the job runs on every instance.
    pub fn scheduled(
        trigger_uid: Uuid,
        generation: i64,
        nominal_at: DateTime<Utc>,
        node: &str,
    ) -> Self {
        let mut hash = Sha256::new();
        hash.update(trigger_uid.as_bytes());
        hash.update(generation.to_be_bytes());
        hash.update(nominal_at.timestamp_micros().to_be_bytes());
        hash.update(node.as_bytes());
        let hash = hash.finalize();
        let mut rest = [0; 10];
        rest.copy_from_slice(&hash[..10]);
        Self::with(nominal_at, rest)
    }

    /// The id of a run that nothing but chance tells apart: by hand, retry, recovery.
    pub fn random(at: DateTime<Utc>, chance: [u8; 10]) -> Self {
        Self::with(at, chance)
    }

    fn with(at: DateTime<Utc>, rest: [u8; 10]) -> Self {
        let millis = at.timestamp_millis().max(0).to_be_bytes();
        let mut bytes = [0; 16];
        bytes[..6].copy_from_slice(&millis[2..]);
        bytes[6..].copy_from_slice(&rest);
        Self(Uuid::new_v8(bytes))
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for RunId {
    type Err = uuid::Error;
    fn from_str(text: &str) -> Result<Self, uuid::Error> {
        Uuid::parse_str(text).map(Self)
    }
}
