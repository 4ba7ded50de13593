//! Triggers fall due, once per instant (groups A, C, N, P).

use horarium_core::{
    record::RunRecord,
    state::{CompleteReason, RunCause, RunStatus, ShownState, TriggerState},
};
use serde_json::json;

use super::StoreKind;
use super::world::{Act, World, at, data, job, name, trigger};

on_each_store! {
    async fn s1_s3_a_job_without_triggers_never_fires_by_itself(kind: StoreKind) {
        let world = World::new(kind, vec![job("idle", "manual")]).await;
        world.run_for(120).await;
        let status = world.scheduler().job(&name("idle")).await.unwrap().unwrap();
        assert_eq!((status.next_fire_at, world.runs("idle").await.len()), (None, 0));
        let run = world.scheduler().trigger(vec![name("idle").into()], "ada").await.remove(0).unwrap();
        assert_eq!((run.status, run.cause, run.trigger), (RunStatus::Succeeded, RunCause::Manual, None));
    }

    async fn s42_a_cron_trigger_fires_at_each_instant_and_each_has_one_verdict(kind: StoreKind) {
        let world = World::new(kind, vec![job("tick", "cron */10 * * * * *")]).await;
        world.run_for(60).await;
        assert_eq!(world.began("tick").await, ["00:00:10", "00:00:20", "00:00:30", "00:00:40", "00:00:50", "00:01:00"]);
        for run in world.runs("tick").await {
            assert_eq!(run.nominal_at, Some(run.scheduled_at));
            assert_eq!((run.status, run.attempt, run.cause), (RunStatus::Succeeded, 1, RunCause::Schedule));
        }
        world.assert_certified(6).await;
    }

    async fn s2_two_triggers_of_a_job_fire_independently(kind: StoreKind) {
        let mut both = job("both", "cron */20 * * * * *");
        both.triggers.push(trigger("other", "cron 30 * * * * *"));
        let world = World::new(kind, vec![both]).await;
        world.run_for(60).await;
        assert_eq!(world.planned("both").await, ["00:00:20", "00:00:30", "00:00:40", "00:01:00"]);
        world.assert_certified(4).await;
    }

    async fn s39_s100_an_interval_counts_from_the_end_of_the_run(kind: StoreKind) {
        let world = World::new(kind, vec![job("drift", "every 00:00:10")]).await;
        world.crank().await;
        world.script.next([Act::Hold]);
        world.run_for(12).await;
        assert_eq!(world.trigger("drift", "default").await.state, TriggerState::Acquired);
        world.run_for(2).await;
        world.script.release();
        world.settle().await;
        world.run_for(26).await;
        assert_eq!(world.began("drift").await, ["00:00:10", "00:00:24", "00:00:34"]);
    }

    async fn s40_a12_a_count_of_runs_ends_the_trigger(kind: StoreKind) {
        let world = World::new(kind, vec![job("five", "every 00:00:10 x3")]).await;
        world.run_for(25).await;
        world.scheduler().trigger(vec![name("five").into()], "ada").await.remove(0).unwrap();
        world.run_for(60).await;
        let scheduled = world.runs("five").await.iter().filter(|r| r.cause == RunCause::Schedule).count();
        let trigger = world.trigger("five", "default").await;
        assert_eq!(scheduled, 3);
        assert_eq!((trigger.state, trigger.complete_reason), (TriggerState::Complete, Some(CompleteReason::Done)));
    }

    async fn s44_once_runs_one_time(kind: StoreKind) {
        let world = World::new(kind, vec![job("once", "once 2026-06-01T00:00:30Z")]).await;
        world.run_for(90).await;
        assert_eq!(world.planned("once").await, ["00:00:30"]);
        let trigger = world.trigger("once", "default").await;
        assert_eq!((trigger.shown_state(), trigger.next_fire_at), (ShownState::Complete, None));
    }

    async fn s46_after_the_end_the_trigger_is_complete(kind: StoreKind) {
        let world = World::new(kind, vec![job("short", "cron */10 * * * * * end=2026-06-01T00:00:20Z")]).await;
        world.run_for(60).await;
        assert_eq!(world.planned("short").await, ["00:00:10", "00:00:20"]);
        assert_eq!(world.trigger("short", "default").await.complete_reason, Some(CompleteReason::Ended));
        world.assert_certified(2).await;
    }

    async fn s17_data_is_merged_from_job_trigger_and_request(kind: StoreKind) {
        let mut layered = job("layered", "cron */10 * * * * *");
        layered.data = data(json!({ "format": "pdf", "a": 1 }));
        layered.triggers[0].data = data(json!({ "format": "xlsx" }));
        let world = World::new(kind, vec![layered]).await;
        world.run_for(10).await;
        let mut request = horarium_engine::scheduler::TriggerRequest::from(name("layered"));
        request.data = data(json!({ "a": 2 }));
        world.scheduler().trigger(vec![request], "ada").await.remove(0).unwrap();
        let data: Vec<_> = world.script.seen().iter().map(|c| serde_json::to_value(&c.data).unwrap()).collect();
        assert_eq!(data, [json!({ "format": "xlsx", "a": 1 }), json!({ "format": "pdf", "a": 2 })]);
    }

    async fn s35_a33_with_too_little_room_the_higher_priority_begins_first(kind: StoreKind) {
        let jobs = [("low", 1), ("mid-b", 5), ("mid-a", 5), ("high", 8)].map(|(name, priority)| {
            let mut job = job(name, "cron 10 * * * * *");
            job.triggers[0].priority = priority;
            job
        });
        let config = horarium_engine::config::SchedulingConfig { max_concurrent_runs: 3, ..Default::default() };
        let world = World::with(kind, jobs.to_vec(), config, Default::default()).await;
        world.script.next([Act::Hold, Act::Hold, Act::Hold]);
        world.run_for(15).await;
        let mut begun: Vec<String> = world.script.seen().iter().map(|c| c.job.to_string()).collect();
        begun.sort();
        assert_eq!(begun, ["high", "mid-a", "mid-b"]);
        world.script.release();
        world.settle().await;
        world.run_for(1).await;
        assert_eq!(world.runs("low").await.len(), 1);
    }

    async fn s14_a_panic_fails_the_run_and_the_next_fire_still_comes(kind: StoreKind) {
        let world = World::new(kind, vec![job("shaky", "cron */10 * * * * *")]).await;
        world.script.next([Act::Panic]);
        world.run_for(20).await;
        let runs = world.runs("shaky").await;
        let error = runs[0].error.clone().unwrap();
        assert_eq!(error.code, "SCHEDULING_UNEXPECTED_001");
        assert!(error.message.contains("out of cheese"), "{}", error.message);
        assert_eq!(runs[1].status, RunStatus::Succeeded);
    }

    async fn s13_the_job_s_own_error_is_kept(kind: StoreKind) {
        let world = World::new(kind, vec![job("sad", "cron */10 * * * * *")]).await;
        world.script.next([Act::Fail]);
        world.run_for(10).await;
        let run: RunRecord = world.runs("sad").await.remove(0);
        let error = run.error.unwrap();
        assert_eq!((run.status, error.code.as_str(), error.message.as_str()), (RunStatus::Failed, "E_JOB", "it did not work"));
    }

    async fn a13_nothing_before_its_making_counts_as_missed(kind: StoreKind) {
        let world = World::new(kind, vec![]).await;
        world.run_for(100).await;
        world.scheduler().schedule(vec![job("late", "cron 0 * * * * *")], "ada").await.remove(0).unwrap();
        world.run_until(at("2026-06-01T00:03:00Z")).await;
        assert_eq!(world.planned("late").await, ["00:02:00", "00:03:00"]);
        world.assert_certified(2).await;
    }

    async fn pausing_between_claim_and_instant_leaves_no_run(kind: StoreKind) {
        let world = World::new(kind, vec![job("armed", "cron 0 * * * * *")]).await;
        world.run_until(at("2026-06-01T00:00:59Z")).await;
        let trigger = world.trigger("armed", "default").await;
        assert_eq!((trigger.claim_token.is_some(), trigger.shown_state()), (true, ShownState::Waiting));
        world.scheduler().pause(&[name("armed")], &Default::default(), "ada").await.remove(0).unwrap();
        world.run_for(5).await;
        assert_eq!(world.runs("armed").await.len(), 0);
        world.scheduler().resume(&[name("armed")]).await.remove(0).unwrap();
        world.run_for(1).await;
        assert_eq!(world.planned("armed").await, ["00:01:00"]);
    }

    async fn every_run_leaves_two_events_and_no_claim_behind(kind: StoreKind) {
        let world = World::new(kind, vec![job("tick", "cron */10 * * * * *")]).await;
        world.run_for(31).await;
        let topics: Vec<String> =
            world.rows().event_list(0, 100).await.unwrap().into_iter().map(|e| e.topic).collect();
        let count = |topic: &str| topics.iter().filter(|t| *t == topic).count();
        assert_eq!(count("scheduling.run.started"), 3);
        assert_eq!(count("scheduling.run.succeeded"), 3);
        assert_eq!(count("scheduling.job.scheduled"), 1);
        assert_eq!(world.trigger("tick", "default").await.claim_token, None);
    }
}
