//! Code, overrides, restore (groups B and M).

use chrono::TimeDelta;
use horarium_core::{
    code::ErrorCode,
    job::JobDefinition,
    state::{JobOrigin, ShownState, TriggerState},
};
use horarium_engine::scheduler::PauseRequest;

use super::StoreKind;
use crate::engine::world::{World, at, job, key, name, trigger};

fn code() -> Vec<JobDefinition> {
    vec![job("report", "cron 0 0 6 * * *")]
}

async fn overridden(kind: StoreKind) -> World {
    let world = World::new(kind, code()).await;
    world.crank().await;
    world
        .scheduler()
        .schedule(vec![job("report", "cron 0 30 7 * * *")], "ada")
        .await
        .remove(0)
        .unwrap();
    world
}

async fn shown(world: &World) -> (JobOrigin, String) {
    let job = world
        .rows()
        .job_get(&name("report"))
        .await
        .unwrap()
        .unwrap();
    (job.origin, job.definition.triggers[0].schedule.to_string())
}

on_each_store! {
    async fn s27_before_the_first_cycle_the_store_is_unchanged(kind: StoreKind) {
        let world = World::new(kind, code()).await;
        assert!(world.rows().job_get(&name("report")).await.unwrap().is_none());
        world.crank().await;
        assert_eq!(shown(&world).await.0, JobOrigin::Code);
    }

    async fn s152_a_run_time_change_overrides_and_keeps_the_fingerprint(kind: StoreKind) {
        let world = World::new(kind, code()).await;
        world.crank().await;
        let before = world.rows().job_get(&name("report")).await.unwrap().unwrap().fingerprint;
        world.scheduler().schedule(vec![job("report", "cron 0 30 7 * * *")], "ada").await.remove(0).unwrap();
        let after = world.rows().job_get(&name("report")).await.unwrap().unwrap();
        assert_eq!((after.origin, after.fingerprint, after.updated_by.as_str()), (JobOrigin::Overridden, before, "ada"));
        assert_eq!(after.triggers[0].next_fire_at, Some(at("2026-06-01T07:30:00Z")));
        let differences = world.scheduler().differences(&name("report")).await.unwrap().unwrap();
        assert_eq!(differences.code.triggers[0].schedule.to_string(), "cron 0 0 6 * * *");
        assert!(differences.same_code);
    }

    async fn s155_an_override_of_unchanged_code_survives_a_restart(kind: StoreKind) {
        let mut world = overridden(kind).await;
        world.crash_and_restart(TimeDelta::seconds(5), None).await;
        world.crank().await;
        assert_eq!(shown(&world).await, (JobOrigin::Overridden, "cron 0 30 7 * * *".to_owned()));
    }

    async fn s156_changed_code_replaces_the_override(kind: StoreKind) {
        let mut world = overridden(kind).await;
        world.crash_and_restart(TimeDelta::seconds(5), Some(vec![job("report", "cron 0 0 5 * * *")])).await;
        world.crank().await;
        assert_eq!(shown(&world).await, (JobOrigin::Code, "cron 0 0 5 * * *".to_owned()));
    }

    async fn s157_a_pause_survives_restart_and_changed_code(kind: StoreKind) {
        let mut world = World::new(kind, code()).await;
        world.crank().await;
        let request = PauseRequest { reason: "month end".to_owned(), until: None };
        world.scheduler().pause(&[name("report")], &request, "ada").await.remove(0).unwrap();
        world.crash_and_restart(TimeDelta::seconds(5), Some(vec![job("report", "cron 0 0 5 * * *")])).await;
        world.crank().await;
        let job = world.rows().job_get(&name("report")).await.unwrap().unwrap();
        assert_eq!(job.paused.unwrap().reason, "month end");
        assert_eq!(job.triggers[0].shown_state(), ShownState::Paused);
        world.run_until(at("2026-06-01T05:00:02Z")).await;
        assert_eq!(world.runs("report").await.len(), 0);
    }

    async fn s158_restore_keeps_the_pause_and_the_progress_of_same_named_triggers(kind: StoreKind) {
        let mut defined = job("report", "cron */10 * * * * *");
        defined.triggers.push(trigger("nightly", "cron 0 0 3 * * *"));
        let world = World::new(kind, vec![defined.clone()]).await;
        world.run_for(25).await;
        let mut changed = defined;
        changed.triggers[1] = trigger("nightly", "cron 0 0 4 * * *");
        world.scheduler().schedule(vec![changed], "ada").await.remove(0).unwrap();
        world.scheduler().pause_triggers(&[key("report", "nightly")], &PauseRequest::default(), "ada").await;
        let before = world.trigger("report", "default").await;
        world.scheduler().restore(&[name("report")], "ada").await.remove(0).unwrap();
        let after = world.trigger("report", "default").await;
        assert_eq!(
            (after.uid, after.generation, after.fired_count, after.next_fire_at),
            (before.uid, before.generation, before.fired_count, before.next_fire_at),
        );
        let nightly = world.trigger("report", "nightly").await;
        assert_eq!(nightly.next_fire_at, Some(at("2026-06-01T03:00:00Z")));
        assert!(nightly.paused.is_some());
        let job = world.rows().job_get(&name("report")).await.unwrap().unwrap();
        assert_eq!((job.origin, job.code_definition), (JobOrigin::Code, None));
        world.run_for(10).await;
        world.assert_certified(3).await;
    }

    async fn s159_a_run_time_job_has_nothing_to_restore(kind: StoreKind) {
        let world = World::new(kind, vec![]).await;
        world.crank().await;
        world.scheduler().schedule(vec![job("tenant-acme.sync", "every 00:10:00")], "ada").await.remove(0).unwrap();
        let error = world.scheduler().restore(&[name("tenant-acme.sync")], "ada").await.remove(0).unwrap_err();
        assert_eq!(error.code, ErrorCode::NoCodeDefinition);
    }

    async fn s160_a_deleted_code_job_comes_back_at_the_next_start(kind: StoreKind) {
        let mut world = World::new(kind, code()).await;
        world.crank().await;
        world.scheduler().unschedule(&[name("report")], "ada").await.remove(0).unwrap();
        assert!(world.rows().job_get(&name("report")).await.unwrap().is_none());
        world.crash_and_restart(TimeDelta::seconds(5), None).await;
        world.crank().await;
        assert_eq!(shown(&world).await.0, JobOrigin::Code);
    }

    async fn a_code_job_that_left_the_code_goes_and_its_history_stays(kind: StoreKind) {
        let mut world = World::new(kind, vec![job("gone", "cron */10 * * * * *")]).await;
        world.run_for(15).await;
        world.crash_and_restart(TimeDelta::seconds(5), Some(vec![])).await;
        world.crank().await;
        assert!(world.rows().job_get(&name("gone")).await.unwrap().is_none());
        assert_eq!(world.runs("gone").await.len(), 1);
        world.assert_certified(2).await;
    }

    async fn s129_a34_a_changed_schedule_starts_from_now_and_never_fires_back(kind: StoreKind) {
        let world = World::new(kind, vec![job("report", "cron 0 0 * * * *")]).await;
        world.run_for(5).await;
        world.scheduler().pause(&[name("report")], &PauseRequest::default(), "ada").await;
        world.clock.advance(TimeDelta::hours(3));
        world.crank().await;
        world.scheduler().schedule(vec![job("report", "cron 0 30 * * * *")], "ada").await.remove(0).unwrap();
        world.scheduler().resume(&[name("report")]).await;
        world.run_for(10).await;
        let trigger = world.trigger("report", "default").await;
        assert_eq!((world.runs("report").await.len(), trigger.generation), (0, 2));
        world.run_until(at("2026-06-01T03:30:01Z")).await;
        assert_eq!(world.planned("report").await, ["03:30:00"]);
        world.assert_certified(4).await;
    }

    async fn s130_bad_definitions_are_refused_and_change_nothing(kind: StoreKind) {
        let world = World::new(kind, code()).await;
        world.crank().await;
        let mut twice = job("report", "cron 0 0 6 * * *");
        twice.triggers.push(trigger("default", "cron 0 0 7 * * *"));
        let mut foreign = job("report", "manual");
        foreign.job_type = "nobody-knows".to_owned();
        let mut calendar = job("report", "manual");
        calendar.triggers.push(trigger("t", "cron 0 0 6 * * * calendar=nowhere"));
        let results = world.scheduler().schedule(vec![twice, foreign, calendar], "ada").await;
        let codes: Vec<_> = results.into_iter().map(|r| r.unwrap_err().code).collect();
        assert_eq!(codes, [ErrorCode::BadDefinition, ErrorCode::TypeNotFound, ErrorCode::BadDefinition]);
        assert_eq!(shown(&world).await, (JobOrigin::Code, "cron 0 0 6 * * *".to_owned()));
    }

    async fn s184_a44_a_trigger_of_an_unknown_type_says_so_until_the_type_is_known(kind: StoreKind) {
        let mut world = World::new(kind, vec![]).await;
        world.crank().await;
        world.scheduler().schedule(vec![job("typed", "cron */10 * * * * *")], "ada").await.remove(0).unwrap();
        let types = horarium_engine::job::JobTypes::new();
        let bare = crate::engine::world::engine_with(&world, types);
        bare.serve();
        bare.cycle().await;
        let wrong = world.trigger("typed", "default").await;
        assert_eq!(wrong.state, TriggerState::Error);
        assert!(wrong.error.unwrap().contains("scripted"));
        world.crash_and_restart(TimeDelta::seconds(1), None).await;
        world.crank().await;
        assert_eq!(world.trigger("typed", "default").await.state, TriggerState::Waiting);
    }
}
