//! Time, injected everywhere: nobody but this file reads the system's clocks.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Notify;

/// Wall time for schedules, monotonic time for durations and leases (R14).
#[async_trait]
pub trait Clock: Send + Sync + 'static {
    /// The wall clock.
    fn now(&self) -> DateTime<Utc>;

    /// Time since an arbitrary start; never goes back.
    fn monotonic(&self) -> Duration;

    /// Waits so long by this clock.
    async fn sleep(&self, duration: Duration);
}

/// The machine's clocks.
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// The machine's clocks; monotonic time starts now.
    #[allow(
        clippy::disallowed_methods,
        reason = "the one place that reads the system's clocks"
    )]
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            start: Instant::now(),
        })
    }
}

#[async_trait]
impl Clock for SystemClock {
    #[allow(
        clippy::disallowed_methods,
        reason = "the one place that reads the system's clocks"
    )]
    fn now(&self) -> DateTime<Utc> {
        // stores keep microseconds: what is compared later must be what was written
        let now = Utc::now();
        DateTime::from_timestamp_micros(now.timestamp_micros()).unwrap_or(now)
    }

    fn monotonic(&self) -> Duration {
        self.start.elapsed()
    }

    #[allow(
        clippy::disallowed_methods,
        reason = "the one place that waits by the system's clock"
    )]
    async fn sleep(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}

/// A clock that stands still until it is moved: for tests of the engine, and of programs that embed it.
pub struct ManualClock {
    state: Mutex<(DateTime<Utc>, Duration)>,
    moved: Notify,
}

impl ManualClock {
    /// A clock that stands at this instant.
    pub fn at(now: DateTime<Utc>) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new((now, Duration::ZERO)),
            moved: Notify::new(),
        })
    }

    /// Moves wall and monotonic time on together.
    pub fn advance(&self, by: TimeDelta) {
        {
            let mut state = self.lock();
            state.0 += by;
            state.1 += by.to_std().unwrap_or_default();
        }
        self.moved.notify_waiters();
    }

    /// Moves time on to this instant; an earlier one is a jump of the wall clock alone.
    pub fn set(&self, now: DateTime<Utc>) {
        let by = now - self.now();
        if by >= TimeDelta::zero() {
            self.advance(by);
        } else {
            self.lock().0 = now;
        }
    }

    fn lock(&self) -> MutexGuard<'_, (DateTime<Utc>, Duration)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        self.lock().0
    }

    fn monotonic(&self) -> Duration {
        self.lock().1
    }

    async fn sleep(&self, duration: Duration) {
        let until = self.monotonic() + duration;
        loop {
            // registered before the look, so that a move in between is not missed
            let moved = self.moved.notified();
            if self.monotonic() >= until {
                return;
            }
            moved.await;
        }
    }
}
