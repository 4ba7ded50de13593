//! The management API: every operation takes a collection and answers item by item, in order (S128, A36).
//!
//! Everything here is a few lines between the caller and the store; the rules are in `horarium-core`. The console and
//! the REST API call the same methods, through [`crate::acting::Acting`], which checks rights and keeps the audit log.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use horarium_core::{
    code::ErrorCode,
    data::Data,
    error::{Result, SchedulingError},
    job::JobDefinition,
    names::{JobName, NodeId, TriggerKey},
    record::{JobRecord, Pause},
    state::JobOrigin,
};

use crate::{
    acting::Acting,
    actor::Actor,
    plan::{self, Write},
    shared::{Phase, Shared},
    store::Written,
};

mod ask;
mod ledger;
mod restore;
mod run;

pub use ask::{Differences, JobPage, JobStatus, RunDetail, RunPage};

/// How often a write is tried again when somebody else was faster.
pub(crate) const ATTEMPTS: usize = 8;

/// The management API of one engine; cheap to clone.
#[derive(Clone)]
pub struct Scheduler {
    pub(crate) shared: Arc<Shared>,
}

/// A wish to run a job, with the strongest layer of its data (S139).
#[derive(Debug, Clone, PartialEq)]
pub struct TriggerRequest {
    /// Which job.
    pub job: JobName,
    /// Overrides the job's data key by key.
    pub data: Data,
}

impl From<JobName> for TriggerRequest {
    fn from(job: JobName) -> Self {
        Self {
            job,
            data: Data::new(),
        }
    }
}

/// Why, and until when, something is paused.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PauseRequest {
    /// The reason, for whoever finds it paused.
    pub reason: String,
    /// When it resumes by itself.
    pub until: Option<DateTime<Utc>>,
}

/// The engine of this node, for a status page (S201).
#[derive(Debug, Clone, PartialEq)]
pub struct EngineInfo {
    /// This node.
    pub node: NodeId,
    /// Whether it leads.
    pub is_leader: bool,
    /// Whether it takes work.
    pub serving: bool,
    /// The store's product and version.
    pub store: String,
    /// The version of the zone data.
    pub zone_data: String,
    /// When it started.
    pub started_at: DateTime<Utc>,
    /// Runs here now.
    pub running: u32,
    /// The limit of runs here.
    pub max_concurrent_runs: u32,
    /// The last cycle.
    pub last_cycle_at: Option<DateTime<Utc>>,
    /// Whether several nodes share the store.
    pub shared: bool,
    /// The product's version.
    pub version: String,
}

impl Scheduler {
    /// The instant by which the engine works.
    pub fn now(&self) -> DateTime<Utc> {
        self.shared.now()
    }

    /// The same API on behalf of somebody, with their rights.
    pub fn acting(&self, actor: Actor) -> Acting {
        Acting::new(self.clone(), actor)
    }

    /// Adds jobs, or replaces them with all their triggers (S129). A code job becomes overridden (S152).
    pub async fn schedule(&self, definitions: Vec<JobDefinition>, by: &str) -> Vec<Result<()>> {
        let mut results = Vec::with_capacity(definitions.len());
        for definition in definitions {
            results.push(self.schedule_one(definition, by).await);
        }
        self.changed();
        results
    }

    async fn schedule_one(&self, definition: JobDefinition, by: &str) -> Result<()> {
        let calendars = self.shared.store.calendar_list().await?;
        plan::check(&definition, &calendars, &self.shared.types)?;
        for _ in 0..ATTEMPTS {
            let existing = self.shared.store.job_get(&definition.name).await?;
            let (origin, fingerprint, code_definition) = provenance(existing.as_ref());
            let write = Write {
                existing: existing.as_ref(),
                origin,
                fingerprint,
                code_definition,
                by,
                now: self.now(),
                zone_data: &self.shared.zone_data,
                calendars: &calendars,
            };
            if self
                .shared
                .store
                .job_put(plan::put(definition.clone(), &write)?)
                .await?
                == Written::Done
            {
                return Ok(());
            }
        }
        Err(busy(&definition.name))
    }

    /// Deletes jobs with their triggers; running runs finish, history stays (S131).
    pub async fn unschedule(&self, jobs: &[JobName], by: &str) -> Vec<Result<()>> {
        let mut results = Vec::with_capacity(jobs.len());
        for job in jobs {
            results.push(self.unschedule_one(job, by).await);
        }
        self.changed();
        results
    }

    async fn unschedule_one(&self, name: &JobName, by: &str) -> Result<()> {
        let calendars = self.shared.store.calendar_list().await?;
        for _ in 0..ATTEMPTS {
            let job = self.existing(name).await?;
            let delete = plan::delete(&job, &calendars, self.now(), by);
            if self.shared.store.job_delete(delete).await? == Written::Done {
                return Ok(());
            }
        }
        Err(busy(name))
    }

    /// Pauses all triggers of jobs (S132); running runs go on, manual runs still work (S133).
    pub async fn pause(
        &self,
        jobs: &[JobName],
        request: &PauseRequest,
        by: &str,
    ) -> Vec<Result<()>> {
        let pause = self.pause_of(request, by);
        self.set_jobs_paused(jobs, Some(&pause)).await
    }

    /// Resumes jobs; what was missed follows each trigger's misfire policy (S96).
    pub async fn resume(&self, jobs: &[JobName]) -> Vec<Result<()>> {
        self.set_jobs_paused(jobs, None).await
    }

    async fn set_jobs_paused(&self, jobs: &[JobName], pause: Option<&Pause>) -> Vec<Result<()>> {
        let found = self
            .shared
            .store
            .job_set_paused(jobs, pause, self.now())
            .await;
        self.changed();
        each(jobs, found, SchedulingError::job_not_found)
    }

    /// Pauses single triggers (S134).
    pub async fn pause_triggers(
        &self,
        keys: &[TriggerKey],
        request: &PauseRequest,
        by: &str,
    ) -> Vec<Result<()>> {
        let pause = self.pause_of(request, by);
        self.set_triggers_paused(keys, Some(&pause)).await
    }

    /// Resumes single triggers (S134).
    pub async fn resume_triggers(&self, keys: &[TriggerKey]) -> Vec<Result<()>> {
        self.set_triggers_paused(keys, None).await
    }

    async fn set_triggers_paused(
        &self,
        keys: &[TriggerKey],
        pause: Option<&Pause>,
    ) -> Vec<Result<()>> {
        let found = self
            .shared
            .store
            .trigger_set_paused(keys, pause, self.now())
            .await;
        self.changed();
        each(keys, found, SchedulingError::trigger_not_found)
    }

    fn pause_of(&self, request: &PauseRequest, by: &str) -> Pause {
        Pause {
            at: self.now(),
            by: by.to_owned(),
            reason: request.reason.clone(),
            until: request.until,
        }
    }

    /// The registered job types, for the form of a new job (S23).
    pub fn job_types(&self) -> Vec<String> {
        self.shared.types.keys()
    }

    /// This node's engine.
    pub fn info(&self) -> EngineInfo {
        let shared = &self.shared;
        EngineInfo {
            node: shared.node.clone(),
            is_leader: shared.is_leader(),
            serving: shared.phase() == Phase::Serving,
            store: shared.store_name(),
            zone_data: shared.zone_data.clone(),
            started_at: shared.started_at,
            running: u32::try_from(shared.running_count()).unwrap_or(u32::MAX),
            max_concurrent_runs: shared.config.max_concurrent_runs,
            last_cycle_at: shared.last_cycle(),
            shared: shared.store.is_shared(),
            version: shared.version.clone(),
        }
    }

    /// Whether the store answers now.
    pub async fn ping(&self) -> Result<String> {
        self.shared.store.ping().await
    }

    pub(crate) async fn existing(&self, name: &JobName) -> Result<JobRecord> {
        self.shared
            .store
            .job_get(name)
            .await?
            .ok_or_else(|| SchedulingError::job_not_found(name))
    }

    /// Tells the loop that there may be something to do, here and now.
    pub(crate) fn changed(&self) {
        self.shared
            .local_changed
            .store(true, std::sync::atomic::Ordering::Release);
        self.shared.wake.notify_one();
    }
}

/// What a run-time change makes of a job's origin (S152, S159).
fn provenance(existing: Option<&JobRecord>) -> (JobOrigin, Option<String>, Option<JobDefinition>) {
    match existing {
        None => (JobOrigin::Runtime, None, None),
        Some(job) => match job.origin {
            JobOrigin::Runtime => (JobOrigin::Runtime, None, None),
            JobOrigin::Code => (
                JobOrigin::Overridden,
                job.fingerprint.clone(),
                Some(job.definition.clone()),
            ),
            JobOrigin::Overridden => (
                JobOrigin::Overridden,
                job.fingerprint.clone(),
                job.code_definition.clone(),
            ),
        },
    }
}

pub(crate) fn busy(name: &JobName) -> SchedulingError {
    SchedulingError::new(
        ErrorCode::Unexpected,
        format!("the job {name} kept changing meanwhile; try again"),
    )
}

/// One result per item: an error for each that was not there, the same error for all when the store failed.
fn each<T>(
    items: &[T],
    found: Result<Vec<bool>>,
    missing: impl Fn(&T) -> SchedulingError,
) -> Vec<Result<()>> {
    match found {
        Ok(found) => items
            .iter()
            .zip(found)
            .map(|(item, found)| if found { Ok(()) } else { Err(missing(item)) })
            .collect(),
        Err(error) => items.iter().map(|_| Err(error.clone())).collect(),
    }
}
