//! What the engine and its management API share.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use horarium_core::{
    calendar::Calendars,
    error::Result,
    job::JobDefinition,
    names::{JobName, NodeId},
    record::{NodeRecord, RunRecord},
    run_id::RunId,
    state::{CancelReason, JobOrigin},
};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    clock::Clock,
    config::SchedulingConfig,
    dispatch::Layers,
    job::JobTypes,
    observer::Observer,
    run_log::RunLogs,
    store::{AccountStore, JobStore},
};

/// Where the engine is in its life (S162, S163, S248).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Starting,
    Serving,
    Draining,
    Stopped,
}

/// A run that goes on here.
pub(crate) struct Running {
    pub(crate) job: JobName,
    pub(crate) local: bool,
    pub(crate) cancellation: CancellationToken,
    pub(crate) reason: Arc<OnceLock<CancelReason>>,
}

impl Running {
    /// Cancels the run's token; the first reason stays.
    pub(crate) fn cancel(&self, reason: CancelReason) {
        if self.reason.set(reason).is_ok() {
            self.cancellation.cancel();
        }
    }
}

/// A retry of a local job that waits in memory (S120).
pub(crate) struct LocalRetry {
    pub(crate) run: RunRecord,
    pub(crate) job: JobDefinition,
    pub(crate) origin: JobOrigin,
}

/// The parts that do not change after the start, and the little state that the API must see.
pub(crate) struct Shared {
    pub(crate) store: Arc<dyn JobStore>,
    pub(crate) accounts: Arc<dyn AccountStore>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) types: JobTypes,
    pub(crate) layers: Layers,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) logs: Arc<RunLogs>,
    pub(crate) config: SchedulingConfig,
    pub(crate) node: NodeId,
    pub(crate) incarnation: Uuid,
    pub(crate) version: String,
    pub(crate) zone_data: String,
    pub(crate) started_at: DateTime<Utc>,
    phase: AtomicU8,
    leader: AtomicBool,
    calendars: RwLock<Arc<Calendars>>,
    running: Mutex<HashMap<RunId, Running>>,
    local_retries: Mutex<Vec<LocalRetry>>,
    base: Mutex<Option<(DateTime<Utc>, Duration)>>,
    last_cycle: Mutex<Option<DateTime<Utc>>>,
    store_name: OnceLock<String>,
    /// Wakes the loop; carries no data.
    pub(crate) wake: Notify,
    /// Wakes whoever waits for the last run to end.
    pub(crate) idle: Notify,
    /// Set when local triggers changed on this instance (S105).
    pub(crate) local_changed: AtomicBool,
}

/// What a [`Shared`] is made from.
pub(crate) struct SharedParts {
    pub(crate) store: Arc<dyn JobStore>,
    pub(crate) accounts: Arc<dyn AccountStore>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) types: JobTypes,
    pub(crate) layers: Layers,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) logs: Arc<RunLogs>,
    pub(crate) config: SchedulingConfig,
    pub(crate) node: NodeId,
    pub(crate) version: String,
    pub(crate) zone_data: String,
}

impl Shared {
    pub(crate) fn new(parts: SharedParts) -> Self {
        let started_at = parts.clock.now();
        Self {
            store: parts.store,
            accounts: parts.accounts,
            clock: parts.clock,
            types: parts.types,
            layers: parts.layers,
            observer: parts.observer,
            logs: parts.logs,
            config: parts.config,
            node: parts.node,
            incarnation: Uuid::new_v4(),
            version: parts.version,
            zone_data: parts.zone_data,
            started_at,
            phase: AtomicU8::new(Phase::Starting as u8),
            leader: AtomicBool::new(false),
            calendars: RwLock::default(),
            running: Mutex::default(),
            local_retries: Mutex::default(),
            base: Mutex::default(),
            last_cycle: Mutex::default(),
            store_name: OnceLock::new(),
            wake: Notify::new(),
            idle: Notify::new(),
            local_changed: AtomicBool::new(true),
        }
    }

    pub(crate) fn phase(&self) -> Phase {
        match self.phase.load(Ordering::Acquire) {
            0 => Phase::Starting,
            1 => Phase::Serving,
            2 => Phase::Draining,
            _ => Phase::Stopped,
        }
    }

    pub(crate) fn set_phase(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Release);
    }

    pub(crate) fn is_leader(&self) -> bool {
        self.leader.load(Ordering::Acquire)
    }

    pub(crate) fn set_leader(&self, leader: bool) {
        if self.leader.swap(leader, Ordering::AcqRel) != leader {
            tracing::info!(node = %self.node, leader, "leadership changed");
        }
    }

    /// The instant that decides what is due: the clock's, or on a shared store the database's as of the last look plus
    /// the monotonic time since (A6).
    pub(crate) fn now(&self) -> DateTime<Utc> {
        match *lock(&self.base) {
            Some((at, stamp)) => {
                let passed = self.clock.monotonic().saturating_sub(stamp);
                at + TimeDelta::from_std(passed).unwrap_or_default()
            }
            None => self.clock.now(),
        }
    }

    /// Looks at the store's clock, once per cycle.
    pub(crate) async fn read_clock(&self) -> Result<DateTime<Utc>> {
        let stamp = self.clock.monotonic();
        let now = self.store.now(self.clock.now()).await?;
        if self.store.is_shared() {
            *lock(&self.base) = Some((now, stamp));
        }
        *lock(&self.last_cycle) = Some(now);
        Ok(now)
    }

    pub(crate) fn last_cycle(&self) -> Option<DateTime<Utc>> {
        *lock(&self.last_cycle)
    }

    pub(crate) fn calendars(&self) -> Arc<Calendars> {
        Arc::clone(
            &self
                .calendars
                .read()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }

    pub(crate) fn set_calendars(&self, calendars: Calendars) {
        *self
            .calendars
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Arc::new(calendars);
    }

    pub(crate) fn running(&self) -> MutexGuard<'_, HashMap<RunId, Running>> {
        lock(&self.running)
    }

    pub(crate) fn running_count(&self) -> usize {
        self.running().len()
    }

    /// How many more runs may start here (S170; a direct run counts too and the floor is 0, A29).
    pub(crate) fn free_slots(&self) -> usize {
        (self.config.max_concurrent_runs as usize).saturating_sub(self.running_count())
    }

    pub(crate) fn add_local_retry(&self, retry: LocalRetry) {
        lock(&self.local_retries).push(retry);
    }

    pub(crate) fn take_local_retries(&self, now: DateTime<Utc>) -> Vec<LocalRetry> {
        let mut retries = lock(&self.local_retries);
        let (due, waiting) = retries
            .drain(..)
            .partition(|retry| retry.run.scheduled_at <= now);
        *retries = waiting;
        due
    }

    /// Retries that a stop drops (S120): how many.
    pub(crate) fn drop_local_retries(&self) -> usize {
        lock(&self.local_retries).drain(..).count()
    }

    pub(crate) fn store_name(&self) -> String {
        self.store_name.get().cloned().unwrap_or_default()
    }

    pub(crate) fn set_store_name(&self, name: String) {
        // the first look stays
        let _ = self.store_name.set(name);
    }

    pub(crate) fn node_record(&self, now: DateTime<Utc>) -> NodeRecord {
        NodeRecord {
            id: self.node.clone(),
            incarnation: self.incarnation,
            started_at: self.started_at,
            heartbeat_at: now,
            running: u32::try_from(self.running_count()).unwrap_or(u32::MAX),
            max_concurrent_runs: self.config.max_concurrent_runs,
            version: self.version.clone(),
            job_types: self.types.keys(),
            draining: self.phase() != Phase::Serving,
        }
    }
}

/// A lock that goes on after a panic elsewhere: the state behind it is plain values.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
