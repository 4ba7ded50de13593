//! The engine of one node: its life, its loop, and what it is made from.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use chrono::{DateTime, Utc};
use horarium_core::{
    calendar::Calendars,
    error::{Result, SchedulingError},
    job::JobDefinition,
    names::{NodeId, ResourceName},
    state::CancelReason,
    zone::Zone,
};
use tokio::{sync::Notify, task::JoinHandle};

use crate::{
    clock::Clock,
    config::SchedulingConfig,
    dispatch::Layers,
    job::JobTypes,
    leader::{LeaderElection, Lease},
    observer::Observer,
    plan,
    run_log::RunLogs,
    scheduler::Scheduler,
    shared::{Phase, Shared, SharedParts, lock},
    store::{AccountStore, JobStore},
};

mod armed;
mod code_sync;
mod cycle;
mod fire;
mod housekeeping;
mod local;

use armed::Armed;
use local::LocalTriggers;

/// What an engine is made from.
pub struct EngineParts {
    /// Where jobs, triggers and runs are kept.
    pub store: Arc<dyn JobStore>,
    /// Where users and the audit log are kept.
    pub accounts: Arc<dyn AccountStore>,
    /// Who decides on the leader.
    pub election: Arc<dyn LeaderElection>,
    /// The clocks.
    pub clock: Arc<dyn Clock>,
    /// The job types this node can run.
    pub types: JobTypes,
    /// The jobs of code and of the configuration file.
    pub code_jobs: Vec<JobDefinition>,
    /// The calendars of code and of the configuration file.
    pub calendars: Calendars,
    /// The settings.
    pub config: SchedulingConfig,
    /// Layers around every run.
    pub layers: Layers,
    /// Who is told what happens.
    pub observer: Arc<dyn Observer>,
    /// Where the lines of runs are collected.
    pub logs: Arc<RunLogs>,
    /// The host's name, for the node's id.
    pub machine: String,
    /// The product's version.
    pub version: String,
}

/// The engine of one node.
pub struct Engine {
    shared: Arc<Shared>,
    election: Arc<dyn LeaderElection>,
    resource: ResourceName,
    code_jobs: Vec<JobDefinition>,
    code_calendars: Calendars,
    state: tokio::sync::Mutex<CycleState>,
    next_armed: Mutex<Option<DateTime<Utc>>>,
    stopping: Notify,
}

/// What one cycle hands to the next. Held by the cycle alone.
struct CycleState {
    synced: bool,
    lease: Option<Lease>,
    armed: Armed,
    local: LocalTriggers,
    /// Triggers that replayed a missed instant in this tick: one per tick (S95).
    replayed: BTreeSet<uuid::Uuid>,
    housekept_at: Option<Duration>,
}

impl Engine {
    /// An engine that has not started.
    ///
    /// # Errors
    /// `SCHEDULING_VALIDATION_001` for a setting out of range (S238), two code jobs with one name (S25), or a code job
    /// that breaks a rule.
    pub fn new(parts: EngineParts) -> Result<Arc<Self>> {
        if let Some((key, problem)) = parts.config.problems().into_iter().next() {
            return Err(SchedulingError::invalid(format!(
                "scheduling.{key} {problem}"
            )));
        }
        let mut names = BTreeSet::new();
        for job in &parts.code_jobs {
            if !names.insert(&job.name) {
                return Err(SchedulingError::invalid(format!(
                    "the job '{}' is registered twice",
                    job.name
                )));
            }
            plan::check(job, &parts.calendars, &parts.types)?;
        }
        let resource = ResourceName::try_from(parts.config.lease_resource.as_str())
            .map_err(|error| SchedulingError::invalid(error.to_string()))?;
        let node = NodeId(
            parts
                .config
                .node_id
                .clone()
                .unwrap_or_else(|| node_id(&parts.machine)),
        );
        let shared = Arc::new(Shared::new(SharedParts {
            store: parts.store,
            accounts: parts.accounts,
            clock: parts.clock,
            types: parts.types,
            layers: parts.layers,
            observer: parts.observer,
            logs: parts.logs,
            config: parts.config,
            node,
            version: parts.version,
            zone_data: Zone::data_version(),
        }));
        shared.set_calendars(parts.calendars.clone());
        Ok(Arc::new(Self {
            shared,
            election: parts.election,
            resource,
            code_jobs: parts.code_jobs,
            code_calendars: parts.calendars,
            state: tokio::sync::Mutex::new(CycleState {
                synced: false,
                lease: None,
                armed: Armed::default(),
                local: LocalTriggers::default(),
                replayed: BTreeSet::new(),
                housekept_at: None,
            }),
            next_armed: Mutex::new(None),
            stopping: Notify::new(),
        }))
    }

    /// The management API.
    pub fn scheduler(&self) -> Scheduler {
        Scheduler {
            shared: Arc::clone(&self.shared),
        }
    }

    /// The application serves from now on: cycles do their work (S162).
    pub fn serve(&self) {
        self.shared.set_phase(Phase::Serving);
    }

    /// Serves, and runs the loop in the background until [`Self::stop`].
    pub fn start(self: &Arc<Self>) -> JoinHandle<()> {
        self.serve();
        let engine = Arc::clone(self);
        tokio::spawn(async move { engine.run().await })
    }

    /// The loop: a cycle per poll interval; in between, armed triggers at their instants, and claims when woken.
    async fn run(&self) {
        let poll = self.shared.config.poll_interval();
        let mut next_tick = self.shared.clock.monotonic();
        while self.shared.phase() == Phase::Serving {
            let now = self.shared.clock.monotonic();
            if now >= next_tick {
                self.cycle().await;
                // a cycle that took longer than the interval is not followed by a burst
                next_tick = (next_tick + poll).max(self.shared.clock.monotonic());
                continue;
            }
            let wait = (next_tick - now).min(self.until_armed());
            tokio::select! {
                () = self.shared.clock.sleep(wait) => self.fire_armed().await,
                () = self.shared.wake.notified() => self.claim_and_fire().await,
                () = self.stopping.notified() => break,
            }
        }
    }

    /// How long until the nearest armed instant.
    fn until_armed(&self) -> Duration {
        match *lock(&self.next_armed) {
            Some(at) => (at - self.shared.now()).to_std().unwrap_or_default(),
            None => Duration::MAX,
        }
    }

    /// Stops in order (S248): no more polling, the lease given up so that another takes over (A46), claims given back,
    /// running runs awaited for `grace` and then cancelled, and awaited once more.
    pub async fn stop(&self, grace: Duration) {
        self.shared.set_phase(Phase::Draining);
        self.stopping.notify_one();
        {
            let mut state = self.state.lock().await;
            self.release_lease(&mut state).await;
            let claims = state.armed.drain();
            if let Err(error) = self.shared.store.trigger_unclaim(&claims).await {
                tracing::warn!(%error, "claims could not be given back; the next start settles them");
            }
        }
        if !self.idle_within(grace).await {
            for running in self.shared.running().values() {
                running.cancel(CancelReason::Shutdown);
            }
            self.idle_within(CANCEL_GRACE).await;
        }
        let left = self.shared.running_count();
        if left > 0 {
            tracing::warn!(
                runs = left,
                "runs ignored their cancellation; the next start settles them"
            );
        }
        let dropped = self.shared.drop_local_retries();
        if dropped > 0 {
            tracing::warn!(
                retries = dropped,
                "retries of local jobs that were not yet due are dropped"
            );
        }
        if let Err(error) = self.shared.logs.flush(&*self.shared.store).await {
            tracing::warn!(%error, "the last log lines could not be written");
        }
        if let Err(error) = self.shared.store.node_remove(&self.shared.node).await {
            tracing::warn!(%error, "the node could not sign off");
        }
        self.shared.set_phase(Phase::Stopped);
    }

    /// Waits until nothing runs here; false when it took longer.
    pub async fn idle_within(&self, limit: Duration) -> bool {
        let idle = async {
            loop {
                let ended = self.shared.idle.notified();
                if self.shared.running_count() == 0 {
                    return;
                }
                ended.await;
            }
        };
        tokio::select! {
            biased;
            () = idle => true,
            () = self.shared.clock.sleep(limit) => false,
        }
    }
}

/// How long cancelled runs may take to end.
const CANCEL_GRACE: Duration = Duration::from_secs(10);

/// `machine:pid:8 random` (S229).
fn node_id(machine: &str) -> String {
    let random = uuid::Uuid::new_v4().simple().to_string();
    format!("{machine}:{}:{}", std::process::id(), &random[..8])
}
