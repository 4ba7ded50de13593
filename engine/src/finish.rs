//! The end of a run: the one transaction that closes it, and what follows from it.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use horarium_core::{
    fires::{self, NextFire, NoFire},
    job::{DEFAULT_PRIORITY, JobDefinition},
    names::TriggerKey,
    record::{OneTime, RunRecord, TriggerRecord},
    retry::RetryPolicy,
    schedule::ScheduleKind,
    state::{CompleteReason, RunCause, RunStatus},
};

use crate::{
    dispatch::{Dispatch, once_name, random_run_id},
    events,
    shared::Shared,
    store::{Finished, Next, OnceTrigger, Rearm, RunFinish},
};

/// Writes the end, as often as it takes: an answer that got lost is asked for again under the same token (R13).
pub(crate) async fn close(shared: &Arc<Shared>, dispatch: &Dispatch, run: &RunRecord) {
    if let Err(error) = shared.logs.flush(&*shared.store).await {
        tracing::warn!(%error, "the run's log could not be written yet");
    }
    let finish = finish(shared, dispatch, run);
    let mut wait = Duration::from_millis(100);
    loop {
        match shared
            .store
            .run_finish(vec![finish.clone()])
            .await
            .map(|outcomes| outcomes.first().copied())
        {
            Ok(Some(Finished::Fenced)) => {
                shared.observer.fenced_write();
                tracing::warn!("the end of the run came too late: it had been given up");
                return;
            }
            Ok(_) => return,
            Err(error) => {
                tracing::error!(%error, "the end of the run could not be written; trying again")
            }
        }
        shared.clock.sleep(wait).await;
        wait = (wait * 2).min(Duration::from_secs(10));
    }
}

fn finish(shared: &Arc<Shared>, dispatch: &Dispatch, run: &RunRecord) -> RunFinish {
    let finished = run.finished_at.unwrap_or(run.dispatched_at);
    let retry = retry_wait(&dispatch.job, run);
    RunFinish {
        id: run.id,
        token: run.token,
        status: run.status,
        started_at: run.started_at,
        finished_at: finished,
        result: run.result.clone(),
        error: run.error.clone(),
        cancel: run.cancel,
        rearm: dispatch
            .trigger
            .as_ref()
            .and_then(|t| rearm(shared, t, finished)),
        delete_once: dispatch
            .trigger
            .as_ref()
            .filter(|t| t.one_time.is_some())
            .map(TriggerRecord::key),
        follow_up: retry
            .filter(|_| !dispatch.local)
            .map(|wait| retry_trigger(dispatch, run, finished, wait)),
        event: events::run(events::ended(run.status), run),
    }
}

/// The next fire of an `every` trigger, counted from its run's end (S39, S100).
pub(crate) fn rearm(
    shared: &Shared,
    trigger: &TriggerRecord,
    finished: DateTime<Utc>,
) -> Option<Rearm> {
    let schedule = &trigger.definition.schedule;
    let ScheduleKind::Every { repeat, .. } = schedule.kind else {
        return None;
    };
    // the record is the one before the begin, which counted this run
    let spent = repeat.is_some_and(|repeat| trigger.fired_count + 1 >= repeat);
    let next = if spent {
        Next::Complete(CompleteReason::Done)
    } else {
        next_of(fires::next_fire(
            schedule,
            &shared.calendars(),
            finished,
            finished,
        ))
    };
    Some(Rearm {
        uid: trigger.uid,
        generation: trigger.generation,
        next,
    })
}

/// The stored form of a computed next fire.
pub(crate) fn next_of(next: NextFire) -> Next {
    match next {
        NextFire::At(at) => Next::At(at),
        NextFire::None(why) => Next::Complete(match why {
            NoFire::Manual | NoFire::OnceDone => CompleteReason::Done,
            NoFire::Never | NoFire::NotWithinFiveYears => CompleteReason::NoNextFire,
            NoFire::AfterEnd => CompleteReason::Ended,
            NoFire::CalendarExhausted => CompleteReason::CalendarExhausted,
        }),
    }
}

pub(crate) fn retry_wait(job: &JobDefinition, run: &RunRecord) -> Option<TimeDelta> {
    RetryPolicy::next(job.retry.as_ref(), run.attempt, run.status)
}

/// The retry of a local run, as it will begin on this instance.
pub(crate) fn local_retry(run: &RunRecord, at: DateTime<Utc>) -> RunRecord {
    RunRecord {
        id: random_run_id(at),
        nominal_at: None,
        scheduled_at: at,
        dispatched_at: at,
        started_at: None,
        finished_at: None,
        status: RunStatus::Running,
        cause: RunCause::Retry,
        attempt: run.attempt + 1,
        retry_of: Some(run.retry_of.unwrap_or(run.id)),
        result: None,
        error: None,
        cancel: None,
        ..run.clone()
    }
}

/// A retry: a new run with the failed run's very data (S118, S119). Its name is derived from the chain, so that the same
/// failure cannot leave two.
fn retry_trigger(
    dispatch: &Dispatch,
    run: &RunRecord,
    finished: DateTime<Utc>,
    wait: TimeDelta,
) -> OnceTrigger {
    let first = run.retry_of.unwrap_or(run.id);
    OnceTrigger {
        key: TriggerKey {
            job: run.job.clone(),
            trigger: once_name("retry", &format!("{first}-{}", run.attempt + 1)),
        },
        at: finished + wait,
        priority: dispatch
            .trigger
            .as_ref()
            .map_or(DEFAULT_PRIORITY, |t| t.definition.priority),
        one_time: OneTime {
            cause: RunCause::Retry,
            attempt: run.attempt + 1,
            retry_of: Some(first),
            recovered_from: None,
            origin_trigger: run.origin_trigger.clone(),
            data: run.data.clone(),
            requested_by: None,
        },
        now: finished,
    }
}
