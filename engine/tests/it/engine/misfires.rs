//! What was missed, and how it is caught up (group F).

use chrono::TimeDelta;
use horarium_core::{
    record::FireDecision,
    state::{CompleteReason, FireVerdict, MisfirePolicy, ShownState},
};
use horarium_engine::scheduler::PauseRequest;

use super::StoreKind;
use super::world::{World, at, job, key, name};

async fn down_five_hours(kind: StoreKind, policy: MisfirePolicy) -> World {
    let mut hourly = job("hourly", "cron 0 0 * * * *");
    hourly.triggers[0].misfire = policy;
    let mut world = World::new(kind, vec![hourly]).await;
    world.run_for(5).await;
    world
        .crash_and_restart(TimeDelta::minutes(5 * 60 + 30), None)
        .await;
    world
}

async fn ledger(world: &World) -> Vec<FireDecision> {
    world
        .scheduler()
        .ledger(
            &key("hourly", "default"),
            at("2026-06-01T00:00:00Z"),
            at("2026-06-02T00:00:00Z"),
            100,
        )
        .await
        .unwrap()
}

on_each_store! {
    async fn s93_run_once_runs_once_now_and_stands_for_the_rest(kind: StoreKind) {
        let world = down_five_hours(kind, MisfirePolicy::RunOnce).await;
        world.run_for(3).await;
        let runs = world.runs("hourly").await;
        assert_eq!(runs.len(), 1);
        assert_eq!(runs[0].scheduled_at, runs[0].dispatched_at);
        assert_eq!(runs[0].nominal_at, Some(at("2026-06-01T05:00:00Z")));
        let merged: Vec<_> = ledger(&world).await.into_iter().filter(|d| d.verdict == FireVerdict::Merged).collect();
        assert_eq!(merged.len(), 1);
        assert_eq!((merged[0].from, merged[0].to), (at("2026-06-01T01:00:00Z"), at("2026-06-01T04:00:00Z")));
        assert_eq!(merged[0].run, Some(runs[0].id));
        world.run_until(at("2026-06-01T06:00:00Z")).await;
        assert_eq!(world.planned("hourly").await.last().unwrap(), "06:00:00");
        world.assert_certified(6).await;
    }

    async fn s94_skip_runs_nothing_and_says_so(kind: StoreKind) {
        let world = down_five_hours(kind, MisfirePolicy::Skip).await;
        world.run_for(3).await;
        assert_eq!(world.runs("hourly").await.len(), 0);
        let skipped = ledger(&world).await;
        assert_eq!(skipped.len(), 1);
        assert_eq!(skipped[0].verdict, FireVerdict::Skipped);
        assert_eq!((skipped[0].from, skipped[0].to), (at("2026-06-01T01:00:00Z"), at("2026-06-01T05:00:00Z")));
        world.run_until(at("2026-06-01T06:00:00Z")).await;
        assert_eq!(world.planned("hourly").await, ["06:00:00"]);
        world.assert_certified(6).await;
    }

    async fn s95_run_all_replays_each_instant_one_per_cycle(kind: StoreKind) {
        let world = down_five_hours(kind, MisfirePolicy::RunAll).await;
        world.crank().await;
        assert_eq!(world.planned("hourly").await, ["01:00:00"]);
        world.run_for(4).await;
        assert_eq!(world.planned("hourly").await, ["01:00:00", "02:00:00", "03:00:00", "04:00:00", "05:00:00"]);
        world.run_for(5).await;
        assert_eq!(world.runs("hourly").await.len(), 5);
        world.assert_certified(5).await;
    }

    async fn s90_s92_within_the_threshold_a_late_fire_is_as_planned(kind: StoreKind) {
        for (late, as_planned) in [(60_000, true), (60_001, false)] {
            let mut world = World::new(kind, vec![job("hourly", "cron 0 0 * * * *")]).await;
            world.run_for(1).await;
            world.crash_and_restart(at("2026-06-01T01:00:00Z") + TimeDelta::milliseconds(late) - world.now(), None).await;
            world.crank().await;
            let run = world.runs("hourly").await.remove(0);
            assert_eq!(run.scheduled_at == at("2026-06-01T01:00:00Z"), as_planned, "{late} ms late");
            assert_eq!(run.nominal_at, Some(at("2026-06-01T01:00:00Z")));
        }
    }

    async fn s96_after_a_resume_the_policy_applies(kind: StoreKind) {
        let world = World::new(kind, vec![job("hourly", "cron 0 0 * * * *")]).await;
        world.run_for(5).await;
        let request = PauseRequest { reason: "release".to_owned(), until: None };
        world.scheduler().pause_triggers(&[key("hourly", "default")], &request, "ada").await.remove(0).unwrap();
        world.clock.advance(TimeDelta::minutes(190));
        world.crank().await;
        let paused = world.trigger("hourly", "default").await;
        assert_eq!((paused.shown_state(), world.runs("hourly").await.len()), (ShownState::Paused, 0));
        assert_eq!(paused.paused.unwrap().reason, "release");
        world.scheduler().resume_triggers(&[key("hourly", "default")]).await.remove(0).unwrap();
        world.crank().await;
        assert_eq!(world.runs("hourly").await.len(), 1);
        world.assert_certified(3).await;
    }

    async fn a_pause_ends_by_itself_when_its_time_has_come(kind: StoreKind) {
        let world = World::new(kind, vec![job("tick", "cron */10 * * * * *")]).await;
        world.run_for(1).await;
        let request = PauseRequest { reason: String::new(), until: Some(at("2026-06-01T00:00:35Z")) };
        world.scheduler().pause(&[name("tick")], &request, "ada").await.remove(0).unwrap();
        world.run_for(60).await;
        assert_eq!(world.planned("tick").await[0], "00:00:10", "the first missed one is not a misfire yet");
        assert!(world.began("tick").await.iter().all(|began| began.as_str() >= "00:00:35"));
        world.assert_certified(6).await;
    }

    async fn a16_a_missed_once_with_skip_says_why_it_is_complete(kind: StoreKind) {
        let mut once = job("once", "once 2026-06-01T01:00:00Z");
        once.triggers[0].misfire = MisfirePolicy::Skip;
        let mut world = World::new(kind, vec![once]).await;
        world.run_for(1).await;
        world.crash_and_restart(TimeDelta::hours(2), None).await;
        world.run_for(3).await;
        let trigger = world.trigger("once", "default").await;
        assert_eq!(trigger.complete_reason, Some(CompleteReason::MisfireSkipped));
        assert_eq!(world.runs("once").await.len(), 0);
    }
}
