//! Retries, time limits, cancellation (groups I and J).

use chrono::TimeDelta;
use horarium_core::{
    code::ErrorCode,
    retry::RetryPolicy,
    state::{CancelReason, RunCause, RunStatus},
};
use serde_json::json;

use super::StoreKind;
use super::world::{Act, World, data, job, name};

fn retrying(schedule: &str) -> horarium_core::job::JobDefinition {
    let mut job = job("flaky", schedule);
    job.retry = Some(RetryPolicy::fixed(2, TimeDelta::seconds(5)).unwrap());
    job.data = data(json!({ "a": 1 }));
    job
}

on_each_store! {
    async fn s112_s118_a_failed_run_is_tried_again_with_its_own_data(kind: StoreKind) {
        let world = World::new(kind, vec![retrying("once 2026-06-01T00:00:10Z")]).await;
        world.script.next([Act::Fail, Act::Fail, Act::Fail, Act::Fail]);
        world.run_for(40).await;
        let runs = world.runs("flaky").await;
        assert_eq!(world.planned("flaky").await, ["00:00:10", "00:00:15", "00:00:20"]);
        assert_eq!(runs.iter().map(|r| r.attempt).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(runs.iter().map(|r| r.cause).collect::<Vec<_>>(), [RunCause::Schedule, RunCause::Retry, RunCause::Retry]);
        assert_eq!(runs.iter().map(|r| r.retry_of).collect::<Vec<_>>(), [None, Some(runs[0].id), Some(runs[0].id)]);
        assert!(runs.iter().all(|r| r.data == data(json!({ "a": 1 }))));
        assert!(runs[1].trigger.as_ref().unwrap().as_str().starts_with("retry-"));
        assert_eq!(runs[1].origin_trigger.as_ref().unwrap().as_str(), "default");
        let chain = world.scheduler().run(runs[2].id).await.unwrap().unwrap().chain;
        assert_eq!(chain.iter().map(|r| r.id).collect::<Vec<_>>(), runs.iter().map(|r| r.id).collect::<Vec<_>>());
    }

    async fn s117_a_success_ends_the_chain(kind: StoreKind) {
        let world = World::new(kind, vec![retrying("once 2026-06-01T00:00:10Z")]).await;
        world.script.next([Act::Fail, Act::Succeed]);
        world.run_for(40).await;
        assert_eq!(world.statuses("flaky").await, [RunStatus::Failed, RunStatus::Succeeded]);
        let job = world.rows().job_get(&name("flaky")).await.unwrap().unwrap();
        assert_eq!(job.triggers.len(), 1, "the retry trigger went with its run");
    }

    async fn s119_a_waiting_retry_outlives_the_process(kind: StoreKind) {
        let mut world = World::new(kind, vec![retrying("once 2026-06-01T00:00:10Z")]).await;
        world.script.next([Act::Fail]);
        world.run_for(11).await;
        world.crash_and_restart(TimeDelta::seconds(60), None).await;
        world.run_for(2).await;
        let runs = world.runs("flaky").await;
        assert_eq!(world.statuses("flaky").await, [RunStatus::Failed, RunStatus::Succeeded]);
        assert_eq!(runs[1].scheduled_at.to_rfc3339(), "2026-06-01T00:00:15+00:00", "the planned instant stays (A27)");
    }

    async fn s121_a_failed_direct_run_is_retried_and_the_caller_gets_the_first_result(kind: StoreKind) {
        let world = World::new(kind, vec![retrying("manual")]).await;
        world.crank().await;
        world.script.next([Act::Fail]);
        let run = world.scheduler().trigger(vec![name("flaky").into()], "ada").await.remove(0).unwrap();
        assert_eq!((run.status, run.attempt), (RunStatus::Failed, 1));
        world.run_for(6).await;
        assert_eq!(world.statuses("flaky").await, [RunStatus::Failed, RunStatus::Succeeded]);
    }

    async fn s122_s123_over_the_limit_a_run_is_failed_whatever_it_returns(kind: StoreKind) {
        let mut slow = job("slow", "once 2026-06-01T00:00:10Z");
        slow.timeout = Some(TimeDelta::seconds(5));
        let world = World::new(kind, vec![slow]).await;
        world.script.next([Act::UntilCancelled]);
        world.run_for(20).await;
        let run = world.runs("slow").await.remove(0);
        assert_eq!((run.status, run.cancel), (RunStatus::Failed, Some(CancelReason::Timeout)));
        assert_eq!(run.error.unwrap().code, ErrorCode::RunTimeout.as_str());
        assert_eq!(run.finished_at.unwrap() - run.started_at.unwrap(), TimeDelta::seconds(5));
    }

    async fn s124_a_job_that_ignores_its_token_keeps_its_slot(kind: StoreKind) {
        let mut deaf = job("deaf", "once 2026-06-01T00:00:10Z");
        deaf.timeout = Some(TimeDelta::seconds(5));
        let world = World::new(kind, vec![deaf]).await;
        world.script.next([Act::Hold]);
        world.run_for(30).await;
        assert_eq!((world.statuses("deaf").await, world.scheduler().info().running), (vec![RunStatus::Running], 1));
        world.script.release();
        world.settle().await;
        let run = world.runs("deaf").await.remove(0);
        assert_eq!(run.error.unwrap().code, ErrorCode::RunTimeout.as_str());
    }

    async fn s127_s140_a_cancelled_run_ends_at_once_and_is_not_retried(kind: StoreKind) {
        let world = World::new(kind, vec![retrying("once 2026-06-01T00:00:10Z")]).await;
        world.script.next([Act::UntilCancelled]);
        world.run_for(12).await;
        let id = world.runs("flaky").await[0].id;
        world.scheduler().cancel_runs(&[id], "ada").await.remove(0).unwrap();
        world.settle().await;
        let run = world.runs("flaky").await.remove(0);
        assert_eq!((run.status, run.cancel), (RunStatus::Canceled, Some(CancelReason::Request)));
        assert_eq!(run.error.unwrap().code, ErrorCode::RunCanceled.as_str());
        world.run_for(20).await;
        assert_eq!(world.runs("flaky").await.len(), 1);
        let again = world.scheduler().cancel_runs(&[id], "ada").await.remove(0).unwrap_err();
        assert_eq!(again.code, ErrorCode::RunNotFound, "S141");
    }
}
