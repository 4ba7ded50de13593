//! The management API on behalf of somebody: each verb checks the right, acts, and leaves one line in the audit log (T2,
//! I18).

use chrono::{DateTime, Utc};
use horarium_core::{
    calendar::Calendars,
    error::{Result, SchedulingError},
    job::JobDefinition,
    names::{JobName, TriggerKey, TriggerName},
    query::{JobQuery, RunQuery},
    record::{FireDecision, LogLine, NodeRecord},
    run_id::RunId,
};
use serde_json::{Value, json};

use crate::{
    actor::{Action, Actor, OperationError},
    scheduler::{
        Differences, EngineInfo, JobPage, JobStatus, PauseRequest, RunDetail, RunPage, Scheduler,
        TriggerRequest,
    },
    store::AuditEntry,
};

/// What comes of an operation on somebody's behalf.
pub type Answer<T> = std::result::Result<T, OperationError>;

/// The management API with the rights of one actor.
#[derive(Clone)]
pub struct Acting {
    scheduler: Scheduler,
    actor: Actor,
}

impl Acting {
    pub(crate) fn new(scheduler: Scheduler, actor: Actor) -> Self {
        Self { scheduler, actor }
    }

    /// Who it acts for.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// Whether the actor may do something: what they may not is left out of the page.
    pub fn may(&self, action: Action) -> bool {
        self.actor.may(action)
    }

    /// The instant by which the engine works.
    pub fn now(&self) -> DateTime<Utc> {
        self.scheduler.now()
    }

    fn view(&self) -> Answer<&Scheduler> {
        self.actor.check(Action::View)?;
        Ok(&self.scheduler)
    }

    /// One job; an unknown one is none (S144).
    pub async fn job(&self, name: &JobName) -> Answer<Option<JobStatus>> {
        Ok(self.view()?.job(name).await?)
    }

    /// A page of jobs.
    pub async fn jobs(&self, query: &JobQuery) -> Answer<JobPage> {
        Ok(self.view()?.jobs(query).await?)
    }

    /// The two definitions of an overridden job.
    pub async fn differences(&self, name: &JobName) -> Answer<Option<Differences>> {
        Ok(self.view()?.differences(name).await?)
    }

    /// A page of runs (S147).
    pub async fn runs(&self, query: &RunQuery) -> Answer<RunPage> {
        Ok(self.view()?.runs(query).await?)
    }

    /// One run with its chain.
    pub async fn run(&self, id: RunId) -> Answer<Option<RunDetail>> {
        Ok(self.view()?.run(id).await?)
    }

    /// Lines of a run's log.
    pub async fn run_log(&self, id: RunId, after: i64, limit: u32) -> Answer<Vec<LogLine>> {
        Ok(self.view()?.run_log(id, after, limit).await?)
    }

    /// The ledger of a trigger.
    pub async fn ledger(
        &self,
        key: &TriggerKey,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
        limit: u32,
    ) -> Answer<Vec<FireDecision>> {
        Ok(self.view()?.ledger(key, from, to, limit).await?)
    }

    /// All calendars.
    pub async fn calendars(&self) -> Answer<Calendars> {
        Ok(self.view()?.calendars().await?)
    }

    /// All nodes.
    pub async fn nodes(&self) -> Answer<Vec<NodeRecord>> {
        Ok(self.view()?.nodes().await?)
    }

    /// This node's engine.
    pub fn info(&self) -> Answer<EngineInfo> {
        Ok(self.view()?.info())
    }

    /// The registered job types.
    pub fn job_types(&self) -> Answer<Vec<String>> {
        Ok(self.view()?.job_types())
    }

    /// The audit log, latest first.
    pub async fn audit_log(
        &self,
        object: Option<&str>,
        skip: i64,
        limit: i64,
    ) -> Answer<Vec<AuditEntry>> {
        let scheduler = self.view()?;
        Ok(scheduler
            .shared
            .accounts
            .audit_list(object, skip, limit)
            .await?)
    }

    /// Pauses a job.
    pub async fn pause(&self, job: &JobName, request: &PauseRequest) -> Answer<()> {
        self.actor.check(Action::Operate)?;
        let done = self
            .scheduler
            .pause(std::slice::from_ref(job), request, &self.actor.name)
            .await;
        self.note(
            "job.pause",
            job_object(job),
            pause_detail(request),
            one(done),
        )
        .await
    }

    /// Resumes a job.
    pub async fn resume(&self, job: &JobName) -> Answer<()> {
        self.actor.check(Action::Operate)?;
        let done = self.scheduler.resume(std::slice::from_ref(job)).await;
        self.note("job.resume", job_object(job), json!({}), one(done))
            .await
    }

    /// Pauses one trigger.
    pub async fn pause_trigger(&self, key: &TriggerKey, request: &PauseRequest) -> Answer<()> {
        self.actor.check(Action::Operate)?;
        let done = self
            .scheduler
            .pause_triggers(std::slice::from_ref(key), request, &self.actor.name)
            .await;
        self.note(
            "trigger.pause",
            trigger_object(key),
            pause_detail(request),
            one(done),
        )
        .await
    }

    /// Resumes one trigger.
    pub async fn resume_trigger(&self, key: &TriggerKey) -> Answer<()> {
        self.actor.check(Action::Operate)?;
        let done = self
            .scheduler
            .resume_triggers(std::slice::from_ref(key))
            .await;
        self.note("trigger.resume", trigger_object(key), json!({}), one(done))
            .await
    }

    /// Runs a job here and now, without waiting for its end.
    pub async fn run_now(&self, request: TriggerRequest) -> Answer<RunId> {
        self.actor.check(Action::Operate)?;
        let object = job_object(&request.job);
        let done = self.scheduler.start(request, &self.actor.name).await;
        let detail = json!({ "run": done.as_ref().ok() });
        self.note("job.run", object, detail, done).await
    }

    /// Puts a job into the queue; any node runs it.
    pub async fn enqueue(&self, request: TriggerRequest) -> Answer<TriggerName> {
        self.actor.check(Action::Operate)?;
        let object = job_object(&request.job);
        let done = one(self
            .scheduler
            .enqueue(vec![request], &self.actor.name)
            .await);
        let detail = json!({ "trigger": done.as_ref().ok() });
        self.note("job.enqueue", object, detail, done).await
    }

    /// Cancels a run.
    pub async fn cancel_run(&self, id: RunId) -> Answer<()> {
        self.actor.check(Action::Operate)?;
        let done = self.scheduler.cancel_runs(&[id], &self.actor.name).await;
        self.note("run.cancel", format!("run:{id}"), json!({}), one(done))
            .await
    }

    /// Puts an overridden job back to its code.
    pub async fn restore(&self, job: &JobName) -> Answer<()> {
        self.actor.check(Action::Operate)?;
        let done = self
            .scheduler
            .restore(std::slice::from_ref(job), &self.actor.name)
            .await;
        self.note("job.restore", job_object(job), json!({}), one(done))
            .await
    }

    /// Creates or replaces a job (T20).
    pub async fn schedule(&self, definition: JobDefinition) -> Answer<()> {
        self.actor.check(Action::Define)?;
        let object = job_object(&definition.name);
        let before = self
            .scheduler
            .job(&definition.name)
            .await?
            .map(|status| status.job.definition);
        let detail =
            json!({ "before": before.map(|d| summary(&d)), "after": summary(&definition) });
        let done = self
            .scheduler
            .schedule(vec![definition], &self.actor.name)
            .await;
        self.note("job.schedule", object, detail, one(done)).await
    }

    /// Deletes a job.
    pub async fn unschedule(&self, job: &JobName) -> Answer<()> {
        self.actor.check(Action::Define)?;
        let done = self
            .scheduler
            .unschedule(std::slice::from_ref(job), &self.actor.name)
            .await;
        self.note("job.unschedule", job_object(job), json!({}), one(done))
            .await
    }

    /// One line in the audit log. The operation stands even when the line cannot be written; that is logged aloud.
    async fn note<T>(
        &self,
        action: &str,
        object: String,
        detail: Value,
        done: Result<T>,
    ) -> Answer<T> {
        let entry = AuditEntry {
            at: self.now(),
            actor: self.actor.name.clone(),
            address: self.actor.address.clone(),
            action: action.to_owned(),
            object,
            detail: detail.to_string(),
            outcome: done
                .as_ref()
                .err()
                .map_or("ok", |error| error.code.as_str())
                .to_owned(),
        };
        if let Err(error) = self.scheduler.shared.accounts.audit_append(&entry).await {
            tracing::error!(%error, ?entry, "the audit log could not be written");
        }
        Ok(done?)
    }
}

fn one<T>(results: Vec<Result<T>>) -> Result<T> {
    results
        .into_iter()
        .next()
        .unwrap_or_else(|| Err(SchedulingError::invalid("nothing was asked for")))
}

fn job_object(job: &JobName) -> String {
    format!("job:{job}")
}

fn trigger_object(key: &TriggerKey) -> String {
    format!("trigger:{key}")
}

fn pause_detail(request: &PauseRequest) -> Value {
    json!({ "reason": request.reason, "until": request.until })
}

/// What the audit log says of a definition: schedules and type, never its data, which may hold secrets (T7).
fn summary(definition: &JobDefinition) -> Value {
    let triggers: Vec<Value> = definition
        .triggers
        .iter()
        .map(|t| json!({ "name": t.name, "schedule": t.schedule, "misfire": t.misfire, "priority": t.priority }))
        .collect();
    json!({ "type": definition.job_type, "triggers": triggers })
}
