//! Questions to the stores, with their limits (S147–S151).

use chrono::{DateTime, Utc};

use crate::{
    code::ErrorCode,
    error::{Result, SchedulingError},
    names::{JobName, NodeId, TriggerName},
    state::{JobOrigin, RunCause, RunStatus, ShownState},
};

/// The most rows of one page (S148).
pub const MAX_LIMIT: i64 = 1000;

/// Which runs, and which page of them (S147).
#[derive(Debug, Clone, PartialEq)]
pub struct RunQuery {
    /// Runs of this job.
    pub job: Option<JobName>,
    /// In one of these states; empty means any (A39).
    pub statuses: Vec<RunStatus>,
    /// Planned at or after.
    pub from: Option<DateTime<Utc>>,
    /// Planned before.
    pub to: Option<DateTime<Utc>>,
    /// Made by this trigger, or by an engine trigger that stands in for it.
    pub trigger: Option<TriggerName>,
    /// Run on this node.
    pub node: Option<NodeId>,
    /// With, or without, an error.
    pub has_error: Option<bool>,
    /// From this cause.
    pub cause: Option<RunCause>,
    /// Rows to pass over.
    pub skip: i64,
    /// Rows to return, 1–1000.
    pub limit: i64,
}

impl Default for RunQuery {
    fn default() -> Self {
        Self {
            job: None,
            statuses: Vec::new(),
            from: None,
            to: None,
            trigger: None,
            node: None,
            has_error: None,
            cause: None,
            skip: 0,
            limit: 100,
        }
    }
}

impl RunQuery {
    /// `SCHEDULING_VALIDATION_002` when the paging is out of range (S149).
    pub fn validate(&self) -> Result<()> {
        check_paging(self.skip, self.limit)
    }
}

fn check_paging(skip: i64, limit: i64) -> Result<()> {
    let bad = |text: String| Err(SchedulingError::new(ErrorCode::BadPaging, text));
    if skip < 0 {
        return bad(format!("skip is {skip}, it must be 0 or more"));
    }
    if !(1..=MAX_LIMIT).contains(&limit) {
        return bad(format!("limit is {limit}, it must be 1 to {MAX_LIMIT}"));
    }
    Ok(())
}

/// By what the list of jobs is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JobOrder {
    /// By name.
    #[default]
    Name,
    /// Soonest next fire first; jobs without one last.
    NextFire,
    /// Latest run first.
    LastRun,
}

/// Which jobs, and which page of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JobQuery {
    /// A part of the name, type, description or a tag, in any case.
    pub text: String,
    /// With a trigger that shows this state.
    pub state: Option<ShownState>,
    /// From this origin.
    pub origin: Option<JobOrigin>,
    /// Of this type.
    pub job_type: Option<String>,
    /// With this tag.
    pub tag: Option<String>,
    /// Whose last finished run ended so.
    pub last_status: Option<RunStatus>,
    /// The order.
    pub order: JobOrder,
    /// Rows to pass over.
    pub skip: i64,
    /// Rows to return, 1–1000.
    pub limit: i64,
}

impl JobQuery {
    /// `SCHEDULING_VALIDATION_002` when the paging is out of range (S149).
    pub fn validate(&self) -> Result<()> {
        check_paging(self.skip, self.limit)
    }
}
