//! The engine's settings (S228–S239) with their limits.

use std::time::Duration;

use chrono::TimeDelta;
use horarium_core::names;
use serde::Deserialize;

/// The section `[scheduling]`; times are in seconds, fractions allowed.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SchedulingConfig {
    /// How often a cycle runs (S228).
    pub poll_interval_seconds: f64,
    /// This node's id; none makes `machine:pid:8 random` (S229).
    pub node_id: Option<String>,
    /// The most runs on this node at once (S230).
    pub max_concurrent_runs: u32,
    /// The most triggers claimed at once (S231).
    pub acquire_batch_size: u32,
    /// More than this behind is a misfire (S232).
    pub misfire_threshold_seconds: f64,
    /// The lease of the leader (S233).
    pub lease_resource: String,
    /// The life of the leader's lease (S234).
    pub lease_time_to_live_seconds: f64,
    /// A node silent for longer is lost (S235).
    pub node_timeout_seconds: f64,
    /// How often the leader tidies up (S236).
    pub housekeeping_interval_seconds: f64,
    /// How long finished runs are kept; 0 keeps all (S237).
    pub history_retention_days: f64,
    /// How far ahead of its instant a trigger is claimed, so that a timer and not a poll makes it punctual.
    pub claim_ahead_seconds: f64,
    /// The most lines that one run's log keeps.
    pub log_lines_per_run: u32,
}

impl Default for SchedulingConfig {
    fn default() -> Self {
        Self {
            poll_interval_seconds: 1.0,
            node_id: None,
            max_concurrent_runs: 32,
            acquire_batch_size: 16,
            misfire_threshold_seconds: 60.0,
            lease_resource: "scheduling.jobs".to_owned(),
            lease_time_to_live_seconds: 30.0,
            node_timeout_seconds: 90.0,
            housekeeping_interval_seconds: 60.0,
            history_retention_days: 7.0,
            claim_ahead_seconds: 2.0,
            log_lines_per_run: 10_000,
        }
    }
}

/// The longest time that any key takes, in seconds: a hundred years.
const LONGEST: f64 = 3.2e9;

impl SchedulingConfig {
    /// What is wrong: the key and a sentence each (S238).
    pub fn problems(&self) -> Vec<(String, String)> {
        let mut problems = Vec::new();
        let positive = [
            ("poll_interval_seconds", self.poll_interval_seconds),
            (
                "lease_time_to_live_seconds",
                self.lease_time_to_live_seconds,
            ),
            ("node_timeout_seconds", self.node_timeout_seconds),
            (
                "housekeeping_interval_seconds",
                self.housekeeping_interval_seconds,
            ),
        ];
        let not_negative = [
            ("misfire_threshold_seconds", self.misfire_threshold_seconds),
            ("history_retention_days", self.history_retention_days),
            ("claim_ahead_seconds", self.claim_ahead_seconds),
        ];
        let mut add = |key: &str, text: String| problems.push((key.to_owned(), text));
        for (key, value) in positive {
            if !(value > 0.0 && value <= LONGEST) {
                add(key, format!("is {value}, it must be greater than 0"));
            }
        }
        for (key, value) in not_negative {
            if !(0.0..=LONGEST).contains(&value) {
                add(key, format!("is {value}, it must be 0 or more"));
            }
        }
        if self.max_concurrent_runs == 0 {
            add(
                "max_concurrent_runs",
                "is 0, it must be 1 or more".to_owned(),
            );
        }
        if self.acquire_batch_size == 0 {
            add(
                "acquire_batch_size",
                "is 0, it must be 1 or more".to_owned(),
            );
        }
        if !names::is_valid(&self.lease_resource) {
            add(
                "lease_resource",
                format!("is '{}', which is not a legal name", self.lease_resource),
            );
        }
        problems
    }

    /// The poll interval.
    pub fn poll_interval(&self) -> Duration {
        Duration::from_secs_f64(self.poll_interval_seconds)
    }

    /// The misfire threshold.
    pub fn misfire_threshold(&self) -> TimeDelta {
        seconds(self.misfire_threshold_seconds)
    }

    /// The look-ahead of claims.
    pub fn claim_ahead(&self) -> TimeDelta {
        seconds(self.claim_ahead_seconds)
    }

    /// The life of the leader's lease.
    pub fn lease_time_to_live(&self) -> Duration {
        Duration::from_secs_f64(self.lease_time_to_live_seconds)
    }

    /// How often the leader tidies up.
    pub fn housekeeping_interval(&self) -> Duration {
        Duration::from_secs_f64(self.housekeeping_interval_seconds)
    }

    /// How long finished runs are kept; none keeps all.
    pub fn history_retention(&self) -> Option<TimeDelta> {
        (self.history_retention_days > 0.0).then(|| seconds(self.history_retention_days * 86_400.0))
    }
}

fn seconds(value: f64) -> TimeDelta {
    // problems() keeps the values small enough
    #[allow(clippy::cast_possible_truncation)]
    let micros = (value * 1e6) as i64;
    TimeDelta::microseconds(micros)
}
