//! A process that dies in the middle of things (group H, A30, A31).

use chrono::TimeDelta;
use horarium_core::state::{RunCause, RunStatus, TriggerState};

use super::StoreKind;
use super::world::{Act, World, at, job, name};

on_each_store! {
    async fn s107_a_run_of_a_dead_process_is_lost_once_and_not_retried(kind: StoreKind) {
        let mut fragile = job("fragile", "cron 10 * * * * *");
        fragile.retry = Some(horarium_core::retry::RetryPolicy::fixed(3, TimeDelta::seconds(1)).unwrap());
        let mut world = World::new(kind, vec![fragile]).await;
        world.script.next([Act::Hold]);
        world.run_for(12).await;
        world.crash_and_restart(TimeDelta::seconds(10), None).await;
        world.run_for(5).await;
        assert_eq!(world.statuses("fragile").await, [RunStatus::Lost]);
        let job = world.rows().job_get(&name("fragile")).await.unwrap().unwrap();
        assert_eq!((job.active_run, job.triggers.len()), (None, 1));
        world.run_until(at("2026-06-01T00:01:11Z")).await;
        assert_eq!(world.statuses("fragile").await, [RunStatus::Lost, RunStatus::Succeeded]);
        world.assert_certified(2).await;
    }

    async fn s108_a31_a32_a_lost_run_is_queued_again_once(kind: StoreKind) {
        let mut wanted = job("wanted", "once 2026-06-01T00:00:10Z");
        wanted.requests_recovery = true;
        let mut world = World::new(kind, vec![wanted]).await;
        world.script.next([Act::Hold]);
        world.run_for(12).await;
        world.crash_and_restart(TimeDelta::seconds(10), None).await;
        world.script.next([Act::Hold]);
        world.run_for(3).await;
        let runs = world.runs("wanted").await;
        assert_eq!(runs.len(), 2);
        assert_eq!((runs[1].cause, runs[1].attempt, runs[1].retry_of), (RunCause::Recovery, 1, None));
        assert_eq!(runs[1].recovered_from, Some(runs[0].id));
        world.crash_and_restart(TimeDelta::seconds(10), None).await;
        world.run_for(10).await;
        assert_eq!(world.statuses("wanted").await, [RunStatus::Lost, RunStatus::Lost]);
    }

    async fn a30_an_interval_trigger_of_a_dead_process_goes_on(kind: StoreKind) {
        let mut world = World::new(kind, vec![job("pulse", "every 00:00:10 x3")]).await;
        world.script.next([Act::Hold]);
        world.run_for(12).await;
        world.crash_and_restart(TimeDelta::seconds(8), None).await;
        world.crank().await;
        let trigger = world.trigger("pulse", "default").await;
        assert_eq!((trigger.state, trigger.next_fire_at), (TriggerState::Waiting, Some(at("2026-06-01T00:00:30Z"))));
        world.run_for(60).await;
        assert_eq!(world.statuses("pulse").await, [RunStatus::Lost, RunStatus::Succeeded, RunStatus::Succeeded]);
        assert_eq!(world.trigger("pulse", "default").await.state, TriggerState::Complete);
    }

    async fn a_claim_of_a_dead_process_fires_once_after_the_restart(kind: StoreKind) {
        let mut world = World::new(kind, vec![job("armed", "cron 0 * * * * *")]).await;
        world.run_until(at("2026-06-01T00:00:59Z")).await;
        assert!(world.trigger("armed", "default").await.claim_token.is_some());
        world.crash_and_restart(TimeDelta::seconds(5), None).await;
        world.run_for(3).await;
        assert_eq!(world.planned("armed").await, ["00:01:00"]);
        world.assert_certified(1).await;
    }

    async fn a3_a_late_end_of_a_lost_run_changes_nothing(kind: StoreKind) {
        let mut world = World::new(kind, vec![job("ghost", "once 2026-06-01T00:00:10Z")]).await;
        world.script.next([Act::Hold]);
        world.run_for(12).await;
        let ghost = world.script.clone();
        world.crash_and_restart(TimeDelta::seconds(10), None).await;
        world.run_for(2).await;
        ghost.release();
        world.settle().await;
        let run = world.runs("ghost").await.remove(0);
        assert_eq!(run.status, RunStatus::Lost);
    }
}
