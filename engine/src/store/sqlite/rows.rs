//! Rows as SQLite keeps them, to and from the records of the core.
//!
//! A batch travels as one JSON array, which `json_each` turns into rows: whatever its size, it is one statement, and
//! its text never changes. Rows of several columns are unpacked once (`MATERIALIZED`), or every column would render the
//! whole row again.

use std::str::FromStr;

use chrono::{DateTime, Utc};
use horarium_core::{
    code::ErrorCode,
    error::SchedulingError,
    job::JobDefinition,
    names::NodeId,
    record::{FireDecision, JobRecord, Pause, RunError, RunRecord, TriggerRecord},
    run_id::RunId,
    state::RunCause,
};
use serde::{Serialize, de::DeserializeOwned};
use sqlx::FromRow;
use uuid::Uuid;

use crate::store::desk::Instant;

/// What can go wrong in a method of this store.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Sql(#[from] sqlx::Error),
    #[error("a row cannot be written: {0}")]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Scheduling(#[from] SchedulingError),
}

/// The result inside this store.
pub(super) type Result<T, E = Failure> = std::result::Result<T, E>;

impl From<Failure> for SchedulingError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Scheduling(error) => error,
            other => Self::caused_by(ErrorCode::StoreUnavailable, other),
        }
    }
}

fn unreadable(error: impl std::error::Error + Send + Sync + 'static) -> Failure {
    Failure::Sql(sqlx::Error::Decode(Box::new(error)))
}

/// A name or a member of a closed set.
pub(super) fn parse<T>(text: &str) -> Result<T>
where
    T: FromStr<Err: std::error::Error + Send + Sync + 'static>,
{
    text.parse().map_err(unreadable)
}

pub(super) fn parse_some<T>(text: Option<&str>) -> Result<Option<T>>
where
    T: FromStr<Err: std::error::Error + Send + Sync + 'static>,
{
    text.map(parse).transpose()
}

/// What is kept as JSON text.
pub(super) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(unreadable)
}

pub(super) fn json(value: &(impl Serialize + ?Sized)) -> Result<String> {
    Ok(serde_json::to_string(value)?)
}

/// An instant from whole microseconds.
pub(super) fn at(micros: i64) -> Result<DateTime<Utc>> {
    DateTime::from_timestamp_micros(micros).ok_or_else(|| {
        Failure::Sql(sqlx::Error::Decode(
            format!("{micros} is no instant").into(),
        ))
    })
}

pub(super) fn at_some(micros: Option<i64>) -> Result<Option<DateTime<Utc>>> {
    micros.map(at).transpose()
}

pub(super) fn micros(at: DateTime<Utc>) -> i64 {
    at.timestamp_micros()
}

fn micros_some(at: Option<DateTime<Utc>>) -> Option<i64> {
    at.map(micros)
}

/// The four columns of a pause, and the flag beside them.
#[derive(Debug, FromRow, Serialize)]
pub(super) struct PauseRow {
    paused: bool,
    paused_at: Option<i64>,
    paused_by: Option<String>,
    paused_reason: Option<String>,
    paused_until: Option<i64>,
}

impl PauseRow {
    pub fn from(pause: Option<&Pause>) -> Self {
        Self {
            paused: pause.is_some(),
            paused_at: pause.map(|p| micros(p.at)),
            paused_by: pause.map(|p| p.by.clone()),
            paused_reason: pause.map(|p| p.reason.clone()),
            paused_until: pause.and_then(|p| micros_some(p.until)),
        }
    }

    pub fn record(self) -> Result<Option<Pause>> {
        if !self.paused {
            return Ok(None);
        }
        Ok(Some(Pause {
            at: at(self.paused_at.unwrap_or_default())?,
            by: self.paused_by.unwrap_or_default(),
            reason: self.paused_reason.unwrap_or_default(),
            until: at_some(self.paused_until)?,
        }))
    }
}

/// A row of `jobs`.
#[derive(Debug, FromRow)]
pub(super) struct JobRow {
    pub name: String,
    pub definition: String,
    pub origin: String,
    pub fingerprint: Option<String>,
    pub code_definition: Option<String>,
    #[sqlx(flatten)]
    pub pause: PauseRow,
    pub version: i64,
    pub active_run: Option<Uuid>,
    pub created_at: i64,
    pub updated_at: i64,
    pub updated_by: String,
}

impl JobRow {
    /// The job with its triggers, which are in the order of their names.
    pub fn record(self, triggers: Vec<TriggerRecord>) -> Result<JobRecord> {
        let mut definition: JobDefinition = from_json(&self.definition)?;
        let users = triggers.iter().filter(|t| t.one_time.is_none());
        definition.triggers = users.map(|t| t.definition.clone()).collect();
        Ok(JobRecord {
            definition,
            origin: parse(&self.origin)?,
            fingerprint: self.fingerprint,
            code_definition: self.code_definition.as_deref().map(from_json).transpose()?,
            paused: self.pause.record()?,
            version: self.version,
            active_run: self.active_run.map(RunId),
            created_at: at(self.created_at)?,
            updated_at: at(self.updated_at)?,
            updated_by: self.updated_by,
            triggers,
        })
    }
}

/// A row of `triggers`.
#[derive(Debug, FromRow, Serialize)]
pub(super) struct TriggerRow {
    job: String,
    name: String,
    uid: Uuid,
    generation: i64,
    version: i64,
    definition: String,
    priority: i32,
    state: String,
    #[sqlx(flatten)]
    #[serde(flatten)]
    pause: PauseRow,
    job_paused: bool,
    next_fire_at: Option<i64>,
    watermark: i64,
    fired_count: u32,
    claim_node: Option<String>,
    claim_token: Option<i64>,
    error: Option<String>,
    complete_reason: Option<String>,
    one_time: Option<String>,
    manual: bool,
    zone_data: String,
    created_at: i64,
}

impl TriggerRow {
    pub fn from(t: &TriggerRecord) -> Result<Self> {
        Ok(Self {
            job: t.job.to_string(),
            name: t.definition.name.to_string(),
            uid: t.uid,
            generation: t.generation,
            version: t.version,
            definition: json(&t.definition)?,
            priority: t.definition.priority,
            state: t.state.to_string(),
            pause: PauseRow::from(t.paused.as_ref()),
            job_paused: t.job_paused,
            next_fire_at: micros_some(t.next_fire_at),
            watermark: micros(t.watermark),
            fired_count: t.fired_count,
            claim_node: t.claim_node.as_ref().map(|n| n.0.clone()),
            claim_token: t.claim_token,
            error: t.error.clone(),
            complete_reason: t.complete_reason.map(|r| r.to_string()),
            one_time: t.one_time.as_ref().map(json).transpose()?,
            manual: t
                .one_time
                .as_ref()
                .is_some_and(|o| o.cause == RunCause::Manual),
            zone_data: t.zone_data.clone(),
            created_at: micros(t.created_at),
        })
    }

    pub fn record(self) -> Result<TriggerRecord> {
        Ok(TriggerRecord {
            job: parse(&self.job)?,
            definition: from_json(&self.definition)?,
            uid: self.uid,
            generation: self.generation,
            version: self.version,
            state: parse(&self.state)?,
            paused: self.pause.record()?,
            job_paused: self.job_paused,
            next_fire_at: at_some(self.next_fire_at)?,
            watermark: at(self.watermark)?,
            fired_count: self.fired_count,
            claim_node: self.claim_node.map(NodeId),
            claim_token: self.claim_token,
            error: self.error,
            complete_reason: parse_some(self.complete_reason.as_deref())?,
            one_time: self.one_time.as_deref().map(from_json).transpose()?,
            zone_data: self.zone_data,
            created_at: at(self.created_at)?,
        })
    }
}

/// A row of `runs`.
#[derive(Debug, FromRow, Serialize)]
pub(super) struct RunRow {
    id: Uuid,
    job: String,
    trigger_name: Option<String>,
    origin_trigger: Option<String>,
    trigger_uid: Option<Uuid>,
    generation: i64,
    nominal_at: Option<i64>,
    nominal_node: String,
    scheduled_at: i64,
    dispatched_at: i64,
    started_at: Option<i64>,
    finished_at: Option<i64>,
    status: String,
    cause: String,
    attempt: u32,
    retry_of: Option<Uuid>,
    recovered_from: Option<Uuid>,
    data: String,
    node: String,
    token: i64,
    result: Option<String>,
    error_code: Option<String>,
    error_message: Option<String>,
    cancel: Option<String>,
    requested_by: Option<String>,
    late_result: Option<String>,
}

impl RunRow {
    pub fn from(run: &RunRecord, instant: Option<&Instant>) -> Result<Self> {
        Ok(Self {
            id: run.id.0,
            job: run.job.to_string(),
            trigger_name: run.trigger.as_ref().map(ToString::to_string),
            origin_trigger: run.origin_trigger.as_ref().map(ToString::to_string),
            trigger_uid: run.trigger_uid,
            generation: run.generation,
            nominal_at: micros_some(run.nominal_at),
            nominal_node: instant.map_or_else(String::new, |i| i.3.clone()),
            scheduled_at: micros(run.scheduled_at),
            dispatched_at: micros(run.dispatched_at),
            started_at: micros_some(run.started_at),
            finished_at: micros_some(run.finished_at),
            status: run.status.to_string(),
            cause: run.cause.to_string(),
            attempt: run.attempt,
            retry_of: run.retry_of.map(|r| r.0),
            recovered_from: run.recovered_from.map(|r| r.0),
            data: json(&run.data)?,
            node: run.node.0.clone(),
            token: run.token,
            result: run.result.clone(),
            error_code: run.error.as_ref().map(|e| e.code.clone()),
            error_message: run.error.as_ref().map(|e| e.message.clone()),
            cancel: run.cancel.map(|c| c.to_string()),
            requested_by: run.requested_by.clone(),
            late_result: run.late_result.clone(),
        })
    }

    pub fn record(self) -> Result<RunRecord> {
        let error = self.error_code.map(|code| RunError {
            code,
            message: self.error_message.unwrap_or_default(),
        });
        Ok(RunRecord {
            id: RunId(self.id),
            job: parse(&self.job)?,
            trigger: parse_some(self.trigger_name.as_deref())?,
            origin_trigger: parse_some(self.origin_trigger.as_deref())?,
            trigger_uid: self.trigger_uid,
            generation: self.generation,
            nominal_at: at_some(self.nominal_at)?,
            scheduled_at: at(self.scheduled_at)?,
            dispatched_at: at(self.dispatched_at)?,
            started_at: at_some(self.started_at)?,
            finished_at: at_some(self.finished_at)?,
            status: parse(&self.status)?,
            cause: parse(&self.cause)?,
            attempt: self.attempt,
            retry_of: self.retry_of.map(RunId),
            recovered_from: self.recovered_from.map(RunId),
            data: from_json(&self.data)?,
            node: NodeId(self.node),
            token: self.token,
            result: self.result,
            error,
            cancel: parse_some(self.cancel.as_deref())?,
            requested_by: self.requested_by,
            late_result: self.late_result,
        })
    }
}

/// A row of `fire_decisions`.
#[derive(Debug, FromRow, Serialize)]
pub(super) struct DecisionRow {
    trigger_uid: Uuid,
    generation: i64,
    from_at: i64,
    to_at: i64,
    verdict: String,
    run: Option<Uuid>,
    status: Option<String>,
    reason: String,
    decided_at: i64,
}

impl DecisionRow {
    pub fn from(d: &FireDecision) -> Self {
        Self {
            trigger_uid: d.trigger_uid,
            generation: d.generation,
            from_at: micros(d.from),
            to_at: micros(d.to),
            verdict: d.verdict.to_string(),
            run: d.run.map(|r| r.0),
            status: d.status.map(|s| s.to_string()),
            reason: d.reason.clone(),
            decided_at: micros(d.decided_at),
        }
    }

    pub fn record(self) -> Result<FireDecision> {
        Ok(FireDecision {
            trigger_uid: self.trigger_uid,
            generation: self.generation,
            from: at(self.from_at)?,
            to: at(self.to_at)?,
            verdict: parse(&self.verdict)?,
            run: self.run.map(RunId),
            status: parse_some(self.status.as_deref())?,
            reason: self.reason,
            decided_at: at(self.decided_at)?,
        })
    }
}
