//! Retries: how often and after which wait (S112–S121).

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use crate::{
    error::{Result, SchedulingError},
    state::{Backoff, RunStatus},
};

/// The most retries a policy may ask for (S112).
pub const MAX_RETRIES_LIMIT: u32 = 100;
/// The longest wait (S113, S115).
pub const DELAY_LIMIT: TimeDelta = TimeDelta::days(30);

/// When a failed run is tried again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetryPolicy {
    /// Extra runs after the first failure, 1–100.
    pub max_retries: u32,
    /// How the wait grows.
    pub backoff: Backoff,
    /// The first wait.
    #[serde(with = "millis")]
    pub delay: TimeDelta,
    /// The cap of an exponential wait.
    #[serde(
        with = "optional_millis",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub max_delay: Option<TimeDelta>,
}

impl RetryPolicy {
    /// The same wait each time (S116). Out-of-range values are an error.
    pub fn fixed(max_retries: u32, delay: TimeDelta) -> Result<Self> {
        Self {
            max_retries,
            backoff: Backoff::Fixed,
            delay,
            max_delay: None,
        }
        .validated()
    }

    /// A wait that doubles, up to the cap (S116). Out-of-range values are an error.
    pub fn exponential(
        max_retries: u32,
        delay: TimeDelta,
        max_delay: Option<TimeDelta>,
    ) -> Result<Self> {
        Self {
            max_retries,
            backoff: Backoff::Exponential,
            delay,
            max_delay,
        }
        .validated()
    }

    /// The policy itself when every value is in range, else `SCHEDULING_VALIDATION_001`.
    pub fn validated(self) -> Result<Self> {
        if !(1..=MAX_RETRIES_LIMIT).contains(&self.max_retries) {
            return Err(SchedulingError::invalid(format!(
                "max_retries is {}, it must be 1 to {MAX_RETRIES_LIMIT}",
                self.max_retries
            )));
        }
        let waits = [("delay", Some(self.delay)), ("max_delay", self.max_delay)];
        for (key, wait) in waits {
            if wait.is_some_and(|w| w <= TimeDelta::zero() || w > DELAY_LIMIT) {
                return Err(SchedulingError::invalid(format!(
                    "the retry's {key} must be longer than nothing and at most 30 days"
                )));
            }
        }
        Ok(self)
    }

    /// The wait before the n-th retry, n from 1 (S114, S115).
    pub fn wait(&self, n: u32) -> TimeDelta {
        let wait = match self.backoff {
            Backoff::Fixed => self.delay,
            Backoff::Exponential => {
                let millis =
                    i128::from(self.delay.num_milliseconds()) << n.saturating_sub(1).min(63);
                let capped = millis.min(i128::from(DELAY_LIMIT.num_milliseconds()));
                TimeDelta::milliseconds(i64::try_from(capped).unwrap_or(i64::MAX))
            }
        };
        self.max_delay.map_or(wait, |cap| wait.min(cap))
    }

    /// The wait before the next run of the chain, or none when it is over. Only failures retry (S117); `attempt` is
    /// that of the run that ended.
    pub fn next(policy: Option<&Self>, attempt: u32, status: RunStatus) -> Option<TimeDelta> {
        let policy = policy?;
        (status == RunStatus::Failed && attempt <= policy.max_retries).then(|| policy.wait(attempt))
    }
}

/// Milliseconds as a number.
pub(crate) mod millis {
    use chrono::TimeDelta;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(d: &TimeDelta, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_i64(d.num_milliseconds())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<TimeDelta, D::Error> {
        let millis = i64::deserialize(d)?;
        TimeDelta::try_milliseconds(millis).ok_or_else(|| serde::de::Error::custom("out of range"))
    }
}

/// Milliseconds as a number, or nothing.
pub(crate) mod optional_millis {
    use chrono::TimeDelta;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(d: &Option<TimeDelta>, s: S) -> Result<S::Ok, S::Error> {
        match d {
            Some(d) => s.serialize_some(&d.num_milliseconds()),
            None => s.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<TimeDelta>, D::Error> {
        Option::<i64>::deserialize(d)?
            .map(|m| {
                TimeDelta::try_milliseconds(m)
                    .ok_or_else(|| serde::de::Error::custom("out of range"))
            })
            .transpose()
    }
}
