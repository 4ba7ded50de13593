//! Status and history (S144–S151).

use chrono::{DateTime, Utc};
use horarium_core::{
    calendar::Calendars,
    error::Result,
    fingerprint::fingerprint,
    job::JobDefinition,
    names::JobName,
    query::{JobQuery, RunQuery},
    record::{JobRecord, LogLine, NodeRecord, RunRecord},
    run_id::RunId,
    state::JobOrigin,
};

use super::Scheduler;
use crate::plan::user_triggers;

/// How many recent runs a job's status carries.
const RECENT: u32 = 30;

/// A job as a list shows it (S146).
#[derive(Debug, Clone, PartialEq)]
pub struct JobStatus {
    /// The job with its triggers.
    pub job: JobRecord,
    /// The soonest next fire of its triggers that are not paused.
    pub next_fire_at: Option<DateTime<Utc>>,
    /// Runs that go on now, on any node.
    pub running: u32,
    /// The last run that ended.
    pub last: Option<RunRecord>,
    /// Its last runs, latest first, at most thirty.
    pub recent: Vec<RunRecord>,
}

/// A page of jobs.
#[derive(Debug, Clone, PartialEq)]
pub struct JobPage {
    /// The rows.
    pub jobs: Vec<JobStatus>,
    /// How many jobs meet the query in all.
    pub total: i64,
}

/// A page of runs.
#[derive(Debug, Clone, PartialEq)]
pub struct RunPage {
    /// The rows, planned latest first.
    pub runs: Vec<RunRecord>,
    /// How many runs meet the query in all.
    pub total: i64,
}

/// A run with its chain.
#[derive(Debug, Clone, PartialEq)]
pub struct RunDetail {
    /// The run.
    pub run: RunRecord,
    /// All attempts of its chain, oldest first, itself among them.
    pub chain: Vec<RunRecord>,
    /// Whether its job is still registered.
    pub job_exists: bool,
}

/// The two definitions of an overridden job.
#[derive(Debug, Clone, PartialEq)]
pub struct Differences {
    /// What code says.
    pub code: JobDefinition,
    /// What runs.
    pub running: JobDefinition,
    /// Whether the code is still the one that was overridden: then the next start keeps the override (S155).
    pub same_code: bool,
}

impl Scheduler {
    /// One job's status; an unknown job is none, not an error (S144).
    pub async fn job(&self, name: &JobName) -> Result<Option<JobStatus>> {
        let Some(job) = self.shared.store.job_get(name).await? else {
            return Ok(None);
        };
        Ok(self.statuses_of(vec![job]).await?.pop())
    }

    /// A page of jobs with their statuses: four queries, however many rows.
    pub async fn jobs(&self, query: &JobQuery) -> Result<JobPage> {
        query.validate()?;
        let jobs = self.shared.store.job_list(query).await?;
        let total = self.shared.store.job_count(query).await?;
        Ok(JobPage {
            jobs: self.statuses_of(jobs).await?,
            total,
        })
    }

    async fn statuses_of(&self, jobs: Vec<JobRecord>) -> Result<Vec<JobStatus>> {
        let names: Vec<JobName> = jobs.iter().map(|job| job.definition.name.clone()).collect();
        let mut recent = self.shared.store.run_recent(&names, RECENT).await?;
        let running = self.shared.store.run_running(&names).await?;
        Ok(jobs
            .into_iter()
            .map(|job| {
                let recent = recent.remove(&job.definition.name).unwrap_or_default();
                JobStatus {
                    next_fire_at: user_triggers(&job)
                        .filter(|t| !t.is_paused())
                        .filter_map(|t| t.next_fire_at)
                        .min(),
                    running: running.get(&job.definition.name).copied().unwrap_or(0),
                    last: recent.iter().find(|run| run.status.is_final()).cloned(),
                    recent,
                    job,
                }
            })
            .collect())
    }

    /// The two definitions of an overridden job; none for any other.
    pub async fn differences(&self, name: &JobName) -> Result<Option<Differences>> {
        let job = self.existing(name).await?;
        if job.origin != JobOrigin::Overridden {
            return Ok(None);
        }
        Ok(job.code_definition.map(|code| Differences {
            same_code: job.fingerprint.as_deref() == Some(fingerprint(&code).as_str()),
            code,
            running: job.definition,
        }))
    }

    /// A page of runs (S147–S151).
    pub async fn runs(&self, query: &RunQuery) -> Result<RunPage> {
        query.validate()?;
        let runs = self.shared.store.run_list(query).await?;
        let total = self.shared.store.run_count(query).await?;
        Ok(RunPage { runs, total })
    }

    /// How many runs meet the filters; paging is ignored (S151).
    pub async fn count_runs(&self, query: &RunQuery) -> Result<i64> {
        self.shared.store.run_count(query).await
    }

    /// One run with its chain; none when it does not exist or was trimmed.
    pub async fn run(&self, id: RunId) -> Result<Option<RunDetail>> {
        let Some(run) = self.shared.store.run_get(id).await? else {
            return Ok(None);
        };
        let first = run.retry_of.or(run.recovered_from).unwrap_or(run.id);
        let chain = self.shared.store.run_chain(first).await?;
        let job_exists = self.shared.store.job_get(&run.job).await?.is_some();
        Ok(Some(RunDetail {
            run,
            chain,
            job_exists,
        }))
    }

    /// Lines of a run's log after a number; what still waits on this node is written first.
    pub async fn run_log(&self, id: RunId, after: i64, limit: u32) -> Result<Vec<LogLine>> {
        self.shared.logs.flush(&*self.shared.store).await?;
        self.shared.store.run_log_list(id, after, limit).await
    }

    /// All calendars.
    pub async fn calendars(&self) -> Result<Calendars> {
        self.shared.store.calendar_list().await
    }

    /// All nodes.
    pub async fn nodes(&self) -> Result<Vec<NodeRecord>> {
        self.shared.store.node_list().await
    }
}
