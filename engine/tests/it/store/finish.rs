use horarium_core::{
    record::{OneTime, RunError},
    state::{CancelReason, CompleteReason, RunCause, RunStatus, TriggerState},
};
use horarium_engine::store::{Finished, Next, Rearm, RunFinish};

use super::{Store, fixture::*};

crate::on_every_store!(
    r5_a_finish_writes_run_slot_and_event_together,
    texts_come_back_byte_for_byte,
    s100_the_end_of_the_run_rearms_an_interval_trigger,
    an_interval_trigger_whose_count_is_used_up_is_complete,
    the_slot_of_another_run_is_not_freed,
    the_end_of_its_run_deletes_an_engine_trigger,
    s119_a_retry_is_inserted_with_the_end_of_the_run,
    s108_a_recovery_is_made_once_even_when_asked_twice,
    a_finish_asked_again_changes_nothing,
    a3_a_late_outcome_is_kept_beside_the_one_on_record,
    a3_a_stale_token_changes_nothing_but_the_late_result,
);

/// A run that goes on, and its token.
async fn running(store: &Store) -> i64 {
    add_job_with(store, job("a"), Vec::new()).await;
    begun(store, direct(1, &job_name("a"), true)).await
}

async fn r5_a_finish_writes_run_slot_and_event_together(store: Store) {
    let token = running(&store).await;
    let error = RunError {
        code: "REPORT_EMPTY".to_owned(),
        message: "There is nothing to report.".to_owned(),
    };
    let end = RunFinish {
        status: RunStatus::Failed,
        started_at: Some(t(2)),
        result: None,
        error: Some(error.clone()),
        cancel: Some(CancelReason::Timeout),
        event: event("scheduling.run.failed"),
        ..finish(run_id(1), token, t(30))
    };
    assert_eq!(finish_one(&store, end).await, Finished::Done);
    let run = store.run_get(run_id(1)).await.unwrap().expect("the run");
    assert_eq!(run.status, RunStatus::Failed);
    assert_eq!((run.started_at, run.finished_at), (Some(t(2)), Some(t(30))));
    assert_eq!((run.error, run.result), (Some(error), None));
    assert_eq!(run.cancel, Some(CancelReason::Timeout));
    assert_eq!(run.late_result, None);
    assert_eq!(get_job(&store, &job_name("a")).await.active_run, None);
    assert_eq!(
        topics(&store).await.last().map(String::as_str),
        Some("scheduling.run.failed")
    );
    begun(&store, direct(2, &job_name("a"), true)).await;
}

async fn texts_come_back_byte_for_byte(store: Store) {
    let token = running(&store).await;
    let text = "tab\t quote\" back\\slash \u{1F980} \u{7f} \u{1} line\u{2028}end\r\n é";
    let end = RunFinish {
        result: Some(text.to_owned()),
        error: Some(RunError {
            code: "X".to_owned(),
            message: format!("{text}\u{0}after"),
        }),
        ..finish(run_id(1), token, t(30))
    };
    finish_one(&store, end).await;
    let run = store.run_get(run_id(1)).await.unwrap().expect("the run");
    assert_eq!(run.result.as_deref(), Some(text));
    let error = run.error.expect("an error");
    assert_eq!(error.message, format!("{text}\u{0}after"));
    let begun = direct(1, &job_name("a"), true);
    assert_eq!(run.data, begun.run.data);
}

/// A run of the trigger `default` that holds it, its token, and the finish that rearms it.
async fn held(store: &Store, next: Next) -> RunFinish {
    add_job(store, job("a"), t(10)).await;
    let claimed = claim_one(store, t(10)).await;
    let begin = hold(&claimed);
    let id = begin.run.id;
    let token = begun(store, begin).await;
    RunFinish {
        rearm: Some(Rearm {
            uid: claimed.trigger.uid,
            generation: 1,
            next,
        }),
        ..finish(id, token, t(30))
    }
}

async fn s100_the_end_of_the_run_rearms_an_interval_trigger(store: Store) {
    let end = held(&store, Next::At(t(90))).await;
    let before = get_trigger(&store, &key("a", "default")).await;
    finish_one(&store, end).await;
    let after = get_trigger(&store, &key("a", "default")).await;
    assert_eq!(after.state, TriggerState::Waiting);
    assert_eq!(after.next_fire_at, Some(t(90)));
    assert_eq!((after.claim_node, after.claim_token), (None, None));
    assert!(after.version > before.version);
    assert_eq!(after.fired_count, 1);
    claim_one(&store, t(90)).await;
}

async fn an_interval_trigger_whose_count_is_used_up_is_complete(store: Store) {
    let end = held(&store, Next::Complete(CompleteReason::Done)).await;
    finish_one(&store, end).await;
    let after = get_trigger(&store, &key("a", "default")).await;
    assert_eq!(after.state, TriggerState::Complete);
    assert_eq!(after.complete_reason, Some(CompleteReason::Done));
}

async fn the_slot_of_another_run_is_not_freed(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let concurrent = begun(&store, direct(1, &job_name("a"), false)).await;
    finish_one(&store, finish(run_id(1), concurrent, t(5))).await;
    let holder = begun(&store, direct(2, &job_name("a"), true)).await;
    let claimed = claim_one(&store, t(10)).await;
    begin_one(&store, begin(&claimed, t(20))).await;
    let beside = begun(&store, direct(3, &job_name("a"), false)).await;
    finish_one(&store, finish(run_id(3), beside, t(6))).await;
    let job = get_job(&store, &job_name("a")).await;
    assert_eq!(job.active_run, Some(run_id(2)));
    assert_eq!(job.triggers[0].state, TriggerState::Blocked);
    finish_one(&store, finish(run_id(2), holder, t(7))).await;
    let job = get_job(&store, &job_name("a")).await;
    assert_eq!(job.active_run, None);
    assert_eq!(job.triggers[0].state, TriggerState::Waiting);
}

async fn the_end_of_its_run_deletes_an_engine_trigger(store: Store) {
    add_job(&store, job("a"), t(1000)).await;
    let manual = once("a", "manual-1", RunCause::Manual, t(5));
    store.trigger_add_once(&[manual]).await.unwrap();
    let claimed = claim_one(&store, t(5)).await;
    let begin = hold(&claimed);
    let id = begin.run.id;
    let token = begun(&store, begin).await;
    let manual = key("a", "manual-1");
    let held = get_trigger(&store, &manual).await;
    assert_eq!(held.state, TriggerState::Acquired);
    let end = RunFinish {
        delete_once: Some(manual.clone()),
        ..finish(id, token, t(6))
    };
    finish_one(&store, end).await;
    assert_eq!(find_trigger(&store, &manual).await, None);
    // a user's trigger is not the engine's to delete
    let next = begun(&store, direct(2, &job_name("a"), true)).await;
    let end = RunFinish {
        delete_once: Some(key("a", "default")),
        ..finish(run_id(2), next, t(7))
    };
    finish_one(&store, end).await;
    get_trigger(&store, &key("a", "default")).await;
}

async fn s119_a_retry_is_inserted_with_the_end_of_the_run(store: Store) {
    let token = running(&store).await;
    let mut retry = once("a", "retry-1", RunCause::Retry, t(90));
    retry.one_time = OneTime {
        retry_of: Some(run_id(1)),
        ..retry.one_time
    };
    let end = RunFinish {
        status: RunStatus::Failed,
        follow_up: Some(retry.clone()),
        ..finish(run_id(1), token, t(30))
    };
    finish_one(&store, end).await;
    assert!(claim(&store, t(89)).await.is_empty());
    let claimed = claim_one(&store, t(90)).await;
    assert_eq!(claimed.trigger.key(), retry.key);
    assert_eq!(claimed.trigger.one_time, Some(retry.one_time));
}

async fn s108_a_recovery_is_made_once_even_when_asked_twice(store: Store) {
    let token = running(&store).await;
    let recovery = once("a", "recovery-1", RunCause::Recovery, t(30));
    let lost = RunFinish {
        status: RunStatus::Lost,
        follow_up: Some(recovery),
        event: event("scheduling.run.lost"),
        ..finish(run_id(1), token, t(30))
    };
    let mut second_leader = lost.clone();
    second_leader.finished_at = t(31);
    let finished = store.run_finish(vec![lost, second_leader]).await.unwrap();
    assert_eq!(finished, [Finished::Done, Finished::Fenced]);
    assert_eq!(get_job(&store, &job_name("a")).await.triggers.len(), 1);
    let lost = topics(&store).await;
    let lost = lost.iter().filter(|t| t.ends_with("run.lost"));
    assert_eq!(lost.count(), 1);
}

async fn a_finish_asked_again_changes_nothing(store: Store) {
    let end = held(&store, Next::At(t(90))).await;
    assert_eq!(finish_one(&store, end.clone()).await, Finished::Done);
    let run = store.run_get(end.id).await.unwrap();
    let job = get_job(&store, &job_name("a")).await;
    let events = topics(&store).await;
    assert_eq!(finish_one(&store, end.clone()).await, Finished::Done);
    assert_eq!(store.run_get(end.id).await.unwrap(), run);
    assert_eq!(get_job(&store, &job_name("a")).await, job);
    assert_eq!(topics(&store).await, events);
}

async fn a3_a_late_outcome_is_kept_beside_the_one_on_record(store: Store) {
    let token = running(&store).await;
    let lost = RunFinish {
        status: RunStatus::Lost,
        result: None,
        ..finish(run_id(1), token, t(100))
    };
    finish_one(&store, lost).await;
    let next = begun(&store, direct(2, &job_name("a"), true)).await;
    let before = store.run_get(run_id(1)).await.unwrap().expect("the run");
    let events = topics(&store).await;
    let late = RunFinish {
        follow_up: Some(once("a", "retry-1", RunCause::Retry, t(1))),
        ..finish(run_id(1), token, t(120))
    };
    assert_eq!(finish_one(&store, late).await, Finished::Fenced);

    let after = store.run_get(run_id(1)).await.unwrap().expect("the run");
    let late = after.late_result.clone().expect("what came late");
    let late: serde_json::Value = serde_json::from_str(&late).unwrap();
    assert_eq!(late["status"], "succeeded");
    assert_eq!(late["result"], "well done");
    assert_eq!(
        horarium_core::record::RunRecord {
            late_result: None,
            ..after
        },
        before
    );
    let job = get_job(&store, &job_name("a")).await;
    assert_eq!(job.active_run, Some(run_id(2)));
    assert!(job.triggers.is_empty());
    assert_eq!(topics(&store).await, events);
    finish_one(&store, finish(run_id(2), next, t(130))).await;
}

async fn a3_a_stale_token_changes_nothing_but_the_late_result(store: Store) {
    let token = running(&store).await;
    let end = finish(run_id(1), token - 1, t(30));
    assert_eq!(finish_one(&store, end).await, Finished::Fenced);
    let run = store.run_get(run_id(1)).await.unwrap().expect("the run");
    assert_eq!(run.status, RunStatus::Running);
    assert_eq!(run.finished_at, None);
    assert!(run.late_result.is_some());
    let job = get_job(&store, &job_name("a")).await;
    assert_eq!(job.active_run, Some(run_id(1)));
    let end = finish(run_id(1), token, t(31));
    assert_eq!(finish_one(&store, end).await, Finished::Done);
    let unknown = finish(run_id(77), token, t(30));
    assert_eq!(finish_one(&store, unknown).await, Finished::Fenced);
}
