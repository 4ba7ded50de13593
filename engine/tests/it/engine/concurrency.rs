//! One run at a time, runs by hand, local jobs (groups G and K).

use chrono::TimeDelta;
use horarium_core::{
    code::ErrorCode,
    state::{FireVerdict, RunCause, RunStatus, ShownState},
};
use horarium_engine::{config::SchedulingConfig, scheduler::PauseRequest};

use super::StoreKind;
use crate::engine::world::{Act, World, at, job, key, name};

on_each_store! {
    async fn s98_s99_a_fire_that_meets_a_running_run_waits_with_its_instant(kind: StoreKind) {
        let world = World::new(kind, vec![job("single", "cron */10 * * * * *")]).await;
        world.script.next([Act::Hold]);
        world.run_for(25).await;
        let blocked = world.trigger("single", "default").await;
        assert_eq!(blocked.shown_state(), ShownState::Blocked);
        assert_eq!(blocked.next_fire_at, Some(at("2026-06-01T00:00:20Z")));
        world.script.release();
        world.settle().await;
        assert_eq!(world.trigger("single", "default").await.shown_state(), ShownState::Waiting);
        world.run_for(1).await;
        assert_eq!(world.planned("single").await, ["00:00:10", "00:00:20"]);
        world.run_for(4).await;
        world.assert_certified(3).await;
    }

    async fn s97_after_a_long_block_the_misfire_policy_decides(kind: StoreKind) {
        let world = World::new(kind, vec![job("single", "cron */10 * * * * *")]).await;
        world.script.next([Act::Hold]);
        world.run_for(11).await;
        world.clock.advance(TimeDelta::seconds(120));
        world.crank().await;
        world.script.release();
        world.settle().await;
        world.run_for(1).await;
        assert_eq!(world.runs("single").await.len(), 2, "RunOnce: one run for all that was missed");
        world.assert_certified(12).await;
    }

    async fn s102_with_concurrency_allowed_runs_overlap(kind: StoreKind) {
        let mut many = job("many", "cron */10 * * * * *");
        many.allow_concurrent = true;
        let world = World::new(kind, vec![many]).await;
        world.script.next([Act::Hold, Act::Hold]);
        world.run_for(20).await;
        assert_eq!(world.statuses("many").await, [RunStatus::Running, RunStatus::Running]);
        world.script.release();
        world.script.release();
    }

    async fn s101_a_direct_run_of_a_running_job_is_refused_without_a_row(kind: StoreKind) {
        let world = World::new(kind, vec![job("single", "cron */10 * * * * *")]).await;
        world.script.next([Act::Hold]);
        world.run_for(12).await;
        let error = world.scheduler().trigger(vec![name("single").into()], "ada").await.remove(0).unwrap_err();
        assert_eq!((error.code, world.runs("single").await.len()), (ErrorCode::AlreadyRunning, 1));
        world.script.release();
    }

    async fn a28_s137_an_enqueued_run_waits_for_the_running_one(kind: StoreKind) {
        let world = World::new(kind, vec![job("single", "manual")]).await;
        world.crank().await;
        world.script.next([Act::Hold]);
        world.scheduler().start(name("single").into(), "ada").await.unwrap();
        world.settle().await;
        let queued = world.scheduler().enqueue(vec![name("single").into()], "bob").await.remove(0).unwrap();
        assert!(queued.as_str().starts_with("manual-"));
        world.run_for(3).await;
        assert_eq!(world.trigger("single", queued.as_str()).await.shown_state(), ShownState::Blocked);
        world.script.release();
        world.settle().await;
        world.run_for(1).await;
        let runs = world.runs("single").await;
        assert_eq!((runs.len(), runs[1].cause, runs[1].trigger.clone()), (2, RunCause::Manual, Some(queued)));
        assert_eq!(runs[1].requested_by.as_deref(), Some("bob"));
    }

    async fn s133_a26_while_paused_runs_by_hand_still_work(kind: StoreKind) {
        let world = World::new(kind, vec![job("held", "cron */10 * * * * *")]).await;
        world.crank().await;
        world.scheduler().pause(&[name("held")], &PauseRequest::default(), "ada").await.remove(0).unwrap();
        world.scheduler().trigger(vec![name("held").into()], "ada").await.remove(0).unwrap();
        world.scheduler().enqueue(vec![name("held").into()], "ada").await.remove(0).unwrap();
        world.run_for(25).await;
        let causes: Vec<_> = world.runs("held").await.iter().map(|r| r.cause).collect();
        assert_eq!(causes, [RunCause::Manual, RunCause::Manual]);
    }

    async fn s138_s249_before_the_start_only_the_queue_takes_work(kind: StoreKind) {
        let world = World::new(kind, vec![job("early", "manual")]).await;
        world.crank().await;
        let engine = crate::engine::world::engine(
            &world.store, &world.clock, &world.script, vec![], SchedulingConfig::default(), Default::default(),
        );
        let scheduler = engine.scheduler();
        let error = scheduler.trigger(vec![name("early").into()], "ada").await.remove(0).unwrap_err();
        assert_eq!(error.code, ErrorCode::EngineUnavailable);
        assert!(scheduler.enqueue(vec![name("early").into()], "ada").await.remove(0).is_ok());
        world.run_for(2).await;
        assert_eq!(world.runs("early").await.len(), 1);
    }

    async fn s170_no_more_runs_than_the_limit(kind: StoreKind) {
        let jobs: Vec<_> = (0..5).map(|n| job(&format!("job-{n}"), "cron 10 * * * * *")).collect();
        let config = SchedulingConfig { max_concurrent_runs: 2, ..SchedulingConfig::default() };
        let world = World::with(kind, jobs, config, Default::default()).await;
        world.script.next(std::iter::repeat_n(Act::Hold, 5));
        world.run_for(12).await;
        assert_eq!((world.scheduler().info().running, world.script.seen().len()), (2, 2));
        for _ in 0..5 {
            world.script.release();
            world.settle().await;
            world.run_for(1).await;
            assert!(world.scheduler().info().running <= 2);
        }
        assert_eq!(world.script.seen().len(), 5);
    }

    async fn s132_s134_unknown_names_are_told_apart_from_known_ones(kind: StoreKind) {
        let world = World::new(kind, vec![job("known", "manual"), job("other", "cron 0 * * * * *")]).await;
        world.crank().await;
        let scheduler = world.scheduler();
        let codes = |results: Vec<horarium_core::error::Result<()>>| -> Vec<Option<ErrorCode>> {
            results.into_iter().map(|r| r.err().map(|e| e.code)).collect()
        };
        let jobs = [name("known"), name("nobody"), name("other")];
        let missing = [None, Some(ErrorCode::JobNotFound), None];
        assert_eq!(codes(scheduler.pause(&jobs, &PauseRequest::default(), "ada").await), missing);
        assert_eq!(codes(scheduler.resume(&jobs).await), missing);
        let keys = [key("other", "default"), key("other", "nothing")];
        let missing = [None, Some(ErrorCode::TriggerNotFound)];
        assert_eq!(codes(scheduler.pause_triggers(&keys, &PauseRequest::default(), "ada").await), missing);
        assert_eq!(codes(scheduler.unschedule(&[name("nobody")], "ada").await), [Some(ErrorCode::JobNotFound)]);
    }

    async fn s103_s104_a_local_job_runs_without_claims_and_drops_overruns(kind: StoreKind) {
        let mut local = job("cache", "cron */10 * * * * *");
        local.run_on_every_instance = true;
        let world = World::new(kind, vec![local]).await;
        world.script.next([Act::Hold]);
        world.run_for(25).await;
        assert_eq!(world.trigger("cache", "default").await.shown_state(), ShownState::Waiting);
        world.script.release();
        world.settle().await;
        world.run_for(10).await;
        assert_eq!(world.planned("cache").await, ["00:00:10", "00:00:30"]);
        let ledger = world
            .scheduler()
            .ledger(&key("cache", "default"), at("2026-06-01T00:00:00Z"), at("2026-06-01T01:00:00Z"), 10)
            .await
            .unwrap();
        assert!(ledger.iter().any(|d| d.verdict == FireVerdict::Overrun && d.from == at("2026-06-01T00:00:20Z")));
    }

    async fn s137_an_enqueued_run_of_a_local_job_runs_once(kind: StoreKind) {
        let mut local = job("cache", "manual");
        local.run_on_every_instance = true;
        let world = World::new(kind, vec![local]).await;
        world.crank().await;
        world.scheduler().enqueue(vec![name("cache").into()], "ada").await.remove(0).unwrap();
        world.run_for(3).await;
        assert_eq!(world.statuses("cache").await, [RunStatus::Succeeded]);
    }

    async fn s120_a_local_retry_waits_in_memory_and_goes_with_the_process(kind: StoreKind) {
        let mut local = job("cache", "once 2026-06-01T00:00:10Z");
        local.run_on_every_instance = true;
        local.retry = Some(horarium_core::retry::RetryPolicy::fixed(3, TimeDelta::seconds(5)).unwrap());
        let mut world = World::new(kind, vec![local]).await;
        world.script.next([Act::Fail, Act::Fail]);
        world.run_for(16).await;
        assert_eq!(world.statuses("cache").await, [RunStatus::Failed, RunStatus::Failed]);
        world.crash_and_restart(TimeDelta::seconds(30), None).await;
        world.run_for(30).await;
        assert_eq!(world.runs("cache").await.len(), 2);
    }
}
