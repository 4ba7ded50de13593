//! What the engine tells about itself, for metrics.

use std::time::Duration;

use chrono::TimeDelta;
use horarium_core::{names::JobName, state::RunStatus};

/// Receives what happened. Every method does nothing by default and must return at once.
pub trait Observer: Send + Sync + 'static {
    /// A run began; lateness is start − planned (S289).
    fn run_started(&self, _job: &JobName, _lateness: TimeDelta) {}
    /// A run ended; duration is finish − start (S289).
    fn run_finished(&self, _job: &JobName, _status: RunStatus, _duration: TimeDelta) {}
    /// So many runs go on here now.
    fn running(&self, _count: usize) {}
    /// A cycle took so long.
    fn cycle(&self, _duration: Duration) {}
    /// A write was refused because its token was out of date (R4).
    fn fenced_write(&self) {}
    /// A second run for one nominal instant was refused (R3): an alarm.
    fn duplicate(&self) {}
}

/// An observer that looks away.
pub struct NoObserver;

impl Observer for NoObserver {}
