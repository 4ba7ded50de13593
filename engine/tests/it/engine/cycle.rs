//! The cycle, the lease, and the orderly stop (groups N, Q, W).

use std::{sync::Arc, time::Duration};

use chrono::TimeDelta;
use horarium_core::{
    names::ResourceName,
    state::{CancelReason, RunStatus},
};
use horarium_engine::{
    clock::{Clock as _, ManualClock},
    leader::{LeaderElection as _, memory::MemoryElection},
};

use super::StoreKind;
use crate::engine::world::{Act, World, job, start};

on_each_store! {
    async fn s162_no_cycle_does_anything_before_serving(kind: StoreKind) {
        let world = World::new(kind, vec![]).await;
        let engine = crate::engine::world::engine(
            &world.store, &world.clock, &world.script, vec![job("tick", "cron * * * * * *")],
            Default::default(), Default::default(),
        );
        engine.cycle().await;
        assert!(world.rows().job_get(&crate::engine::world::name("tick")).await.unwrap().is_none());
        assert!(!engine.scheduler().info().serving);
    }

    async fn a_node_with_a_fixed_id_starts_again_at_once(kind: StoreKind) {
        let config = horarium_engine::config::SchedulingConfig {
            node_id: Some("payroll-1".to_owned()),
            ..Default::default()
        };
        let mut world = World::with(kind, vec![], config, Default::default()).await;
        world.crank().await;
        world.crash_and_restart(TimeDelta::seconds(1), None).await;
        world.crank().await;
        let nodes = world.rows().node_list().await.unwrap();
        assert_eq!((nodes.len(), nodes[0].started_at), (1, start() + TimeDelta::seconds(1)));
    }

    async fn s166_s201_the_only_node_leads_and_renews(kind: StoreKind) {
        let world = World::new(kind, vec![]).await;
        world.crank().await;
        assert!(world.scheduler().info().is_leader);
        world.run_for(90).await;
        assert!(world.scheduler().info().is_leader);
    }

    async fn s248_a_stop_waits_for_runs_then_cancels_them(kind: StoreKind) {
        let world = World::new(kind, vec![job("long", "cron 10 * * * * *")]).await;
        world.script.next([Act::UntilCancelled]);
        world.run_for(11).await;
        let engine = Arc::clone(&world.engine);
        let stop = tokio::spawn(async move { engine.stop(Duration::from_secs(30)).await });
        world.settle().await;
        assert!(!world.scheduler().info().is_leader, "the lease is given up when draining begins (A46)");
        assert_eq!(world.statuses("long").await, [RunStatus::Running]);
        // the grace begins whenever the stop gets there, and ends so many seconds of the clock later
        while world.script.holding() > 0 {
            world.clock.advance(TimeDelta::seconds(1));
            tokio::task::yield_now().await;
        }
        stop.await.unwrap();
        let run = world.runs("long").await.remove(0);
        assert_eq!((run.status, run.cancel), (RunStatus::Canceled, Some(CancelReason::Shutdown)));
        assert!(world.rows().node_list().await.unwrap().is_empty(), "the node has signed off");
    }

    async fn a_stop_gives_claims_back(kind: StoreKind) {
        let world = World::new(kind, vec![job("armed", "cron 0 * * * * *")]).await;
        world.run_for(59).await;
        assert!(world.trigger("armed", "default").await.claim_token.is_some());
        world.engine.stop(Duration::from_secs(1)).await;
        assert!(world.trigger("armed", "default").await.claim_token.is_none());
    }

    async fn what_a_job_logs_is_kept_with_its_run(kind: StoreKind) {
        let world = World::new(kind, vec![job("chatty", "once 2026-06-01T00:00:10Z")]).await;
        world.script.next([Act::UntilCancelled]);
        world.run_for(10).await;
        let context = world.script.seen().remove(0);
        context.log.line("stdout", "first\nsecond");
        world.scheduler().cancel_runs(&[context.id], "ada").await.remove(0).unwrap();
        world.settle().await;
        let log = world.scheduler().run_log(context.id, 0, 10).await.unwrap();
        let lines: Vec<_> = log.iter().map(|l| (l.number, l.level.as_str(), l.text.as_str())).collect();
        assert_eq!(lines[..2], [(1, "stdout", "first"), (2, "stdout", "second")]);
    }

    async fn s167_history_goes_after_the_retention_and_the_ledger_keeps_its_verdicts(kind: StoreKind) {
        let config = horarium_engine::config::SchedulingConfig {
            history_retention_days: 1.0,
            ..Default::default()
        };
        let world = World::with(kind, vec![job("tick", "cron */10 * * * * *")], config, Default::default()).await;
        world.run_for(60).await;
        world.clock.advance(TimeDelta::days(1));
        world.run_for(65).await;
        let kept = world.runs("tick").await;
        assert!(kept.iter().all(|run| run.finished_at.unwrap() > start() + TimeDelta::days(1)), "{kept:?}");
        world.assert_certified(8600).await;
    }
}

#[tokio::test]
async fn s191_to_s195_a_lease_is_held_by_one_for_its_life() {
    let clock = ManualClock::at(start());
    let election = MemoryElection::new(clock.clone());
    let resource: ResourceName = "search.rebuild".parse().unwrap();
    let ttl = Duration::from_secs(30);
    let first = election.try_acquire(&resource, ttl).await.unwrap();
    assert!(first.is_held(clock.monotonic()));
    assert!(
        election.try_acquire(&resource, ttl).await.is_err(),
        "S195: not re-entrant"
    );
    clock.advance(TimeDelta::seconds(20));
    let renewed = election.renew(&first, ttl).await.unwrap();
    clock.advance(TimeDelta::seconds(29));
    assert!(
        !renewed.is_held(clock.monotonic()),
        "trust ends a second early"
    );
    clock.advance(TimeDelta::seconds(1));
    assert!(
        election.renew(&renewed, ttl).await.is_err(),
        "S193: renew after expiry fails even when nobody took it"
    );
    let second = election.try_acquire(&resource, ttl).await.unwrap();
    assert_eq!(second.term, first.term + 1);
    election.release(&renewed).await.unwrap();
    assert!(
        election.try_acquire(&resource, ttl).await.is_err(),
        "an old holder releases nothing"
    );
    election.release(&second).await.unwrap();
    assert!(election.try_acquire(&resource, ttl).await.is_ok(), "S194");
}
