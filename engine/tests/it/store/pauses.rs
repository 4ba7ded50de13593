use horarium_core::state::{RunCause, RunStatus, ShownState, TriggerState};
use horarium_engine::store::{Begun, Finished};

use super::{Store, fixture::*};

crate::on_every_store!(
    s132_a_pause_that_commits_first_leaves_no_run,
    s132_a_begin_that_commits_first_goes_on,
    s132_a_pause_and_a_begin_at_once_agree,
    s134_a_paused_trigger_leaves_its_siblings,
    a25_resuming_the_job_keeps_a_trigger_paused_by_hand,
    a26_manual_triggers_ignore_pauses_and_retries_do_not,
    i8_a_pause_of_a_running_interval_trigger_survives_its_run,
    a_pause_until_an_instant_ends_by_itself,
);

async fn set_job_paused(store: &Store, paused: bool) {
    let pause = paused.then(|| pause(None));
    let names = [job_name("a"), job_name("none")];
    let found = store.job_set_paused(&names, pause.as_ref(), t(1)).await;
    assert_eq!(found.unwrap(), [true, false]);
}

async fn s132_a_pause_that_commits_first_leaves_no_run(store: Store) {
    let before = add_job(&store, job("a"), t(10)).await;
    let claimed = claim_one(&store, t(10)).await;
    set_job_paused(&store, true).await;
    let paused = get_job(&store, &job_name("a")).await;
    assert!(paused.version > before.version);
    assert_eq!(paused.paused, Some(pause(None)));
    let trigger = &paused.triggers[0];
    assert_eq!(trigger.claim_token, None);
    assert!(trigger.job_paused && trigger.paused.is_none());
    assert_eq!(trigger.shown_state(), ShownState::Paused);
    assert_eq!(trigger.next_fire_at, Some(t(10)));
    let begin = begin(&claimed, t(20));
    assert_eq!(begin_one(&store, begin.clone()).await, Begun::Stale);
    assert_eq!(store.run_get(begin.run.id).await.unwrap(), None);
    assert!(claim(&store, t(100)).await.is_empty());

    set_job_paused(&store, false).await;
    assert_eq!(get_job(&store, &job_name("a")).await.paused, None);
    claim_one(&store, t(100)).await;
}

async fn s132_a_begin_that_commits_first_goes_on(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let claimed = claim_one(&store, t(10)).await;
    let begin = begin(&claimed, t(20));
    let id = begin.run.id;
    let token = begun(&store, begin).await;
    set_job_paused(&store, true).await;
    let run = store.run_get(id).await.unwrap().expect("the run");
    assert_eq!(run.status, RunStatus::Running);
    assert_eq!(
        finish_one(&store, finish(id, token, t(12))).await,
        Finished::Done
    );
}

async fn s132_a_pause_and_a_begin_at_once_agree(store: Store) {
    for round in 0..50 {
        let name = format!("job-{round}");
        add_job(&store, job(&name), t(10)).await;
        let claimed = claim_one(&store, t(10)).await;
        let begin = begin(&claimed, t(20_000));
        let id = begin.run.id;
        let pausing = {
            let (store, name) = (store.clone(), job_name(&name));
            tokio::spawn(async move {
                let pause = pause(None);
                let paused = store.job_set_paused(&[name], Some(&pause), t(1)).await;
                paused.unwrap();
            })
        };
        let begun = begin_one(&store, begin).await;
        pausing.await.unwrap();
        let run = store.run_get(id).await.unwrap();
        match begun {
            Begun::Begun { .. } => assert!(run.is_some()),
            other => assert_eq!((other, run), (Begun::Stale, None)),
        }
        let job = get_job(&store, &job_name(&name)).await;
        assert!(job.paused.is_some() && job.triggers[0].job_paused);
        assert_eq!(job.triggers[0].claim_token, None);
    }
}

async fn s134_a_paused_trigger_leaves_its_siblings(store: Store) {
    let two = vec![
        create(trigger("one", EVERY_MORNING), t(10)),
        create(trigger("two", EVERY_MORNING), t(10)),
    ];
    add_job_with(&store, job("a"), two).await;
    let keys = [key("a", "one"), key("a", "none"), key("none", "one")];
    let found = store
        .trigger_set_paused(&keys, Some(&pause(None)), t(1))
        .await
        .unwrap();
    assert_eq!(found, [true, false, false]);
    let claimed = claim_one(&store, t(10)).await;
    assert_eq!(claimed.trigger.key(), key("a", "two"));
    store.trigger_set_paused(&keys, None, t(2)).await.unwrap();
    let claimed = claim_one(&store, t(10)).await;
    assert_eq!(claimed.trigger.key(), key("a", "one"));
}

async fn a25_resuming_the_job_keeps_a_trigger_paused_by_hand(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let keys = [key("a", "default")];
    store
        .trigger_set_paused(&keys, Some(&pause(None)), t(1))
        .await
        .unwrap();
    set_job_paused(&store, true).await;
    set_job_paused(&store, false).await;
    let trigger = get_trigger(&store, &keys[0]).await;
    assert_eq!(trigger.paused, Some(pause(None)));
    assert!(!trigger.job_paused);
    assert!(claim(&store, t(100)).await.is_empty());
}

async fn a26_manual_triggers_ignore_pauses_and_retries_do_not(store: Store) {
    add_job(&store, job("a"), t(1000)).await;
    set_job_paused(&store, true).await;
    let manual = once("a", "manual-1", RunCause::Manual, t(5));
    let retry = once("a", "retry-1", RunCause::Retry, t(5));
    let recovery = once("a", "recovery-1", RunCause::Recovery, t(5));
    let all = [manual, retry, recovery];
    store.trigger_add_once(&all).await.unwrap();
    let claimed = claim_one(&store, t(10)).await;
    assert_eq!(claimed.trigger.key(), key("a", "manual-1"));
    // S133: neither does a pause between claim and begin hold it
    set_job_paused(&store, true).await;
    begun(&store, hold(&claimed)).await;
    set_job_paused(&store, false).await;
    assert_eq!(claim(&store, t(10)).await.len(), 2);
}

async fn i8_a_pause_of_a_running_interval_trigger_survives_its_run(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let claimed = claim_one(&store, t(10)).await;
    let begin = hold(&claimed);
    let id = begin.run.id;
    let token = begun(&store, begin).await;
    set_job_paused(&store, true).await;
    let held = get_trigger(&store, &key("a", "default")).await;
    assert_eq!(held.state, TriggerState::Acquired);
    assert_eq!(held.claim_token, Some(token));
    let end = horarium_engine::store::RunFinish {
        rearm: Some(horarium_engine::store::Rearm {
            uid: held.uid,
            generation: 1,
            next: horarium_engine::store::Next::At(t(70)),
        }),
        ..finish(id, token, t(60))
    };
    finish_one(&store, end).await;
    let after = get_trigger(&store, &key("a", "default")).await;
    assert_eq!(after.shown_state(), ShownState::Paused);
    assert_eq!(after.next_fire_at, Some(t(70)));
    assert!(claim(&store, t(100)).await.is_empty());
}

async fn a_pause_until_an_instant_ends_by_itself(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    add_job(&store, job("b"), t(10)).await;
    add_job(&store, job("c"), t(10)).await;
    let until = pause(Some(t(50)));
    let jobs = [job_name("a")];
    let keys = [key("b", "default")];
    store
        .job_set_paused(&jobs, Some(&until), t(1))
        .await
        .unwrap();
    store
        .trigger_set_paused(&keys, Some(&until), t(1))
        .await
        .unwrap();
    let forever = [key("c", "default")];
    store
        .trigger_set_paused(&forever, Some(&pause(None)), t(1))
        .await
        .unwrap();
    let nothing = (Vec::new(), Vec::new());
    assert_eq!(store.pause_expire(t(49)).await.unwrap(), nothing);
    assert!(claim(&store, t(100)).await.is_empty());
    let ended = store.pause_expire(t(50)).await.unwrap();
    assert_eq!(ended, (jobs.to_vec(), keys.to_vec()));
    assert_eq!(store.pause_expire(t(99)).await.unwrap(), nothing);
    let claimed = claim(&store, t(100)).await;
    let claimed: Vec<_> = claimed.iter().map(|c| c.trigger.job.to_string()).collect();
    assert_eq!(claimed, ["a", "b"]);
}
