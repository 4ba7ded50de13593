//! Runs by hand, and their cancellation (S135–S141).

use horarium_core::{
    code::ErrorCode,
    data,
    error::{Result, SchedulingError},
    job::DEFAULT_PRIORITY,
    names::{TriggerKey, TriggerName},
    record::{JobRecord, OneTime, RunRecord},
    run_id::RunId,
    state::{CancelReason, RunCause, RunStatus},
};
use tokio::task::JoinHandle;

use super::{Scheduler, TriggerRequest};
use crate::{
    dispatch::{self, Dispatch, once_name, random_run_id},
    events,
    shared::Phase,
    store::{AfterBegin, Begun, OnceTrigger, RunBegin},
};

impl Scheduler {
    /// Runs jobs now on this instance, one after the other, and waits for each (S135). A failed run is a run: the error
    /// stands in it.
    pub async fn trigger(&self, requests: Vec<TriggerRequest>, by: &str) -> Vec<Result<RunRecord>> {
        let mut results = Vec::with_capacity(requests.len());
        for request in requests {
            results.push(self.trigger_one(request, by).await);
        }
        results
    }

    async fn trigger_one(&self, request: TriggerRequest, by: &str) -> Result<RunRecord> {
        let (_, end) = self.begin_direct(request, by).await?;
        end.await
            .map_err(|error| SchedulingError::caused_by(ErrorCode::Unexpected, error))
    }

    /// Runs a job now on this instance and does not wait for its end.
    pub async fn start(&self, request: TriggerRequest, by: &str) -> Result<RunId> {
        Ok(self.begin_direct(request, by).await?.0)
    }

    async fn begin_direct(
        &self,
        request: TriggerRequest,
        by: &str,
    ) -> Result<(RunId, JoinHandle<RunRecord>)> {
        if self.shared.phase() != Phase::Serving {
            return Err(SchedulingError {
                code: ErrorCode::EngineUnavailable,
                args: vec![],
                source: None,
            });
        }
        let job = self.existing(&request.job).await?;
        if self.shared.types.get(&job.definition.job_type).is_none() {
            return Err(SchedulingError::new(
                ErrorCode::TypeNotFound,
                job.definition.job_type,
            ));
        }
        let mut run = self.direct_run(&job, &request, by);
        let begin = RunBegin {
            claim: None,
            exclusive: !job.definition.allow_concurrent && !job.definition.run_on_every_instance,
            trigger: AfterBegin::None,
            counts: false,
            decisions: Vec::new(),
            event: events::run(events::RUN_STARTED, &run),
            run: run.clone(),
        };
        match self.shared.store.run_begin(vec![begin]).await?.first() {
            Some(Begun::Begun { token }) => run.token = *token,
            Some(Begun::Blocked) => {
                return Err(SchedulingError::new(
                    ErrorCode::AlreadyRunning,
                    request.job.as_str(),
                ));
            }
            Some(Begun::NoJob) => return Err(SchedulingError::job_not_found(&request.job)),
            _ => {
                return Err(SchedulingError::new(
                    ErrorCode::Unexpected,
                    "the run could not begin",
                ));
            }
        }
        let origin =
            dispatch::trusted_origin(job.origin, &job.definition, job.code_definition.as_ref());
        let local = job.definition.run_on_every_instance;
        let (id, definition) = (run.id, job.definition);
        let end = dispatch::spawn(
            &self.shared,
            Dispatch {
                run,
                job: definition,
                origin,
                trigger: None,
                local,
            },
        );
        Ok((id, end))
    }

    fn direct_run(&self, job: &JobRecord, request: &TriggerRequest, by: &str) -> RunRecord {
        let now = self.now();
        RunRecord {
            id: random_run_id(now),
            job: request.job.clone(),
            trigger: None,
            origin_trigger: None,
            trigger_uid: None,
            generation: 0,
            nominal_at: None,
            scheduled_at: now,
            dispatched_at: now,
            started_at: None,
            finished_at: None,
            status: RunStatus::Running,
            cause: RunCause::Manual,
            attempt: 1,
            retry_of: None,
            recovered_from: None,
            data: data::merge([&job.definition.data, &request.data]),
            node: self.shared.node.clone(),
            token: 0,
            result: None,
            error: None,
            cancel: None,
            requested_by: Some(by.to_owned()),
            late_result: None,
        }
    }

    /// Writes immediately due one-time triggers that any node runs (S137); works before the start and while draining
    /// (S138). The answer is the trigger's name.
    pub async fn enqueue(
        &self,
        requests: Vec<TriggerRequest>,
        by: &str,
    ) -> Vec<Result<TriggerName>> {
        let mut results = Vec::with_capacity(requests.len());
        for request in requests {
            results.push(self.enqueue_one(request, by).await);
        }
        self.changed();
        results
    }

    async fn enqueue_one(&self, request: TriggerRequest, by: &str) -> Result<TriggerName> {
        let job = self.existing(&request.job).await?;
        let now = self.now();
        let name = once_name("manual", &random_run_id(now).to_string());
        let trigger = OnceTrigger {
            key: TriggerKey {
                job: request.job.clone(),
                trigger: name.clone(),
            },
            at: now,
            priority: DEFAULT_PRIORITY,
            one_time: OneTime {
                cause: RunCause::Manual,
                attempt: 1,
                retry_of: None,
                recovered_from: None,
                origin_trigger: None,
                data: data::merge([&job.definition.data, &request.data]),
                requested_by: Some(by.to_owned()),
            },
            now,
        };
        match self
            .shared
            .store
            .trigger_add_once(&[trigger])
            .await?
            .first()
        {
            Some(true) => Ok(name),
            _ => Err(SchedulingError::job_not_found(&request.job)),
        }
    }

    /// Cancels runs: here at once, elsewhere in that node's next cycle (S140).
    pub async fn cancel_runs(&self, runs: &[RunId], by: &str) -> Vec<Result<()>> {
        match self
            .shared
            .store
            .run_request_cancel(runs, by, self.now())
            .await
        {
            Ok(nodes) => {
                let results = runs.iter().zip(nodes).map(|(id, node)| match node {
                    Some(_) => {
                        if let Some(running) = self.shared.running().get(id) {
                            running.cancel(CancelReason::Request);
                        }
                        Ok(())
                    }
                    None => Err(SchedulingError::run_not_found(*id)),
                });
                results.collect()
            }
            Err(error) => runs.iter().map(|_| Err(error.clone())).collect(),
        }
    }
}
