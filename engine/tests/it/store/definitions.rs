use horarium_core::{
    names::TriggerKey,
    state::{CompleteReason, FireVerdict, RunCause, TriggerState},
};
use horarium_engine::store::{
    Begun, Finished, Next, Rearm, RunFinish, TriggerChange, TriggerPut, TriggerRestart,
    TriggerStart, Written,
};

use super::{Store, fixture::*};

crate::on_every_store!(
    a34_the_same_text_keeps_progress_and_pause,
    a34_another_text_starts_from_now_in_a_new_generation,
    a_rewritten_job_ends_claims_made_ahead,
    a35_a_replaced_trigger_is_not_touched_by_the_end_of_its_run,
    a35_a_kept_trigger_is_rearmed_by_the_end_of_its_run,
    s129_a_trigger_that_is_missing_goes_and_its_instants_expire,
    a_trigger_that_moved_on_or_is_not_mentioned_makes_the_put_stale,
    a25_a_new_trigger_of_a_paused_job_is_paused,
    a_trigger_can_be_removed_and_made_again_in_one_put,
    a_restart_outside_a_put_opens_a_generation,
    s189_a_trigger_without_a_first_fire_is_complete,
);

fn default_key() -> TriggerKey {
    key("a", "default")
}

async fn a34_the_same_text_keeps_progress_and_pause(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    run_through(&store, t(10), t(20)).await;
    let keys = [default_key()];
    store
        .trigger_set_paused(&keys, Some(&pause(None)), t(15))
        .await
        .unwrap();
    let before = get_job(&store, &job_name("a")).await;
    let mut put = put_again(&before);
    put.triggers[0].definition.priority = 9;
    assert_eq!(store.job_put(put).await.unwrap(), Written::Done);

    let after = get_trigger(&store, &default_key()).await;
    let old = &before.triggers[0];
    assert_eq!(after.definition.priority, 9);
    assert!(after.version > old.version);
    assert_eq!(
        (after.uid, after.generation, after.fired_count),
        (old.uid, 1, 1)
    );
    assert_eq!(after.next_fire_at, Some(t(20)));
    assert_eq!(after.watermark, t(10));
    assert_eq!(after.paused, Some(pause(None)));
    assert_eq!(store.ledger_generations().await.unwrap().len(), 1);
    let job = get_job(&store, &job_name("a")).await;
    assert_eq!((job.created_at, job.updated_at), (t(0), t(50)));
}

fn restart_of(put: &mut TriggerPut, expected: i64, next: Next) {
    put.definition.schedule = EVERY_EVENING.parse().expect("a schedule");
    put.change = TriggerChange::Restart {
        expected,
        start: TriggerStart {
            next,
            calendar: "{\"kind\":\"holiday\"}".to_owned(),
        },
        superseded: Some(range(20, 40)),
    };
}

async fn a34_another_text_starts_from_now_in_a_new_generation(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    run_through(&store, t(10), t(20)).await;
    let before = get_job(&store, &job_name("a")).await;
    let mut put = put_again(&before);
    put.zone_data = "2026b".to_owned();
    let version = before.triggers[0].version;
    restart_of(&mut put.triggers[0], version, Next::At(t(100)));
    assert_eq!(store.job_put(put).await.unwrap(), Written::Done);

    let after = get_trigger(&store, &default_key()).await;
    assert_eq!(after.uid, before.triggers[0].uid);
    assert_eq!((after.generation, after.fired_count), (2, 0));
    assert_eq!(after.next_fire_at, Some(t(100)));
    assert_eq!(
        (after.watermark, after.zone_data.as_str()),
        (t(50), "2026b")
    );
    let generations = store.ledger_generations().await.unwrap();
    let [old, new] = &generations[..] else {
        panic!("two generations")
    };
    assert_eq!((old.generation, old.from, old.to), (1, t(0), Some(t(50))));
    assert_eq!((new.generation, new.from, new.to), (2, t(50), None));
    let texts: Vec<String> = [EVERY_MORNING, EVERY_EVENING]
        .iter()
        .map(|text| trigger("x", text).schedule.to_string())
        .collect();
    assert_eq!([&old.schedule, &new.schedule], [&texts[0], &texts[1]]);
    assert_eq!(new.calendar, "{\"kind\":\"holiday\"}");
    assert_eq!(new.zone_data, "2026b");
    assert_eq!(new.key, default_key());
    let ledger = store
        .ledger_list(after.uid, t(0), t(1000), 10)
        .await
        .unwrap();
    assert_eq!(ledger[0].verdict, FireVerdict::Superseded);
    assert_eq!((ledger[0].from, ledger[0].to), (t(20), t(40)));
    assert_eq!(ledger[0].generation, 1);
}

async fn a_rewritten_job_ends_claims_made_ahead(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let manual = once("a", "manual-1", RunCause::Manual, t(9));
    store.trigger_add_once(&[manual]).await.unwrap();
    let claimed = claim(&store, t(10)).await;
    assert_eq!(claimed.len(), 2);
    let before = get_job(&store, &job_name("a")).await;
    // nothing changes: the claims stay
    assert_eq!(
        store.job_put(put_again(&before)).await.unwrap(),
        Written::Done
    );
    let same = get_job(&store, &job_name("a")).await;
    assert_eq!(same.triggers, before.triggers);
    let mut put = put_again(&same);
    put.definition
        .data
        .insert("format".to_owned(), "pdf".into());
    assert_eq!(store.job_put(put).await.unwrap(), Written::Done);
    for claimed in &claimed {
        let begun = begin_one(&store, begin(claimed, t(20))).await;
        assert_eq!(begun, Begun::Stale);
    }
    let again = claim(&store, t(10)).await;
    assert_eq!(again.len(), 2);
    assert!(again.iter().all(|c| c.job.data.contains_key("format")));
}

async fn a35_a_replaced_trigger_is_not_touched_by_the_end_of_its_run(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let claimed = claim_one(&store, t(10)).await;
    let begin = hold(&claimed);
    let id = begin.run.id;
    let token = begun(&store, begin).await;
    let before = get_job(&store, &job_name("a")).await;
    let mut put = put_again(&before);
    let version = before.triggers[0].version;
    restart_of(&mut put.triggers[0], version, Next::At(t(100)));
    assert_eq!(store.job_put(put).await.unwrap(), Written::Done);
    let replaced = get_trigger(&store, &default_key()).await;
    assert_eq!(replaced.state, TriggerState::Waiting);
    assert_eq!(replaced.claim_token, None);

    let finish = RunFinish {
        rearm: Some(Rearm {
            uid: replaced.uid,
            generation: 1,
            next: Next::At(t(70)),
        }),
        ..finish(id, token, t(60))
    };
    assert_eq!(finish_one(&store, finish).await, Finished::Done);
    assert_eq!(get_trigger(&store, &default_key()).await, replaced);
    let run = store.run_get(id).await.unwrap().expect("the run");
    assert_eq!(run.generation, 1);
}

async fn a35_a_kept_trigger_is_rearmed_by_the_end_of_its_run(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let claimed = claim_one(&store, t(10)).await;
    let begin = hold(&claimed);
    let id = begin.run.id;
    let token = begun(&store, begin).await;
    let before = get_job(&store, &job_name("a")).await;
    let mut put = put_again(&before);
    put.triggers[0].definition.priority = 9;
    assert_eq!(store.job_put(put).await.unwrap(), Written::Done);
    let kept = get_trigger(&store, &default_key()).await;
    assert_eq!(kept.state, TriggerState::Acquired);
    assert_eq!(kept.claim_token, Some(token));

    let finish = RunFinish {
        rearm: Some(Rearm {
            uid: kept.uid,
            generation: 1,
            next: Next::At(t(70)),
        }),
        ..finish(id, token, t(60))
    };
    finish_one(&store, finish).await;
    let after = get_trigger(&store, &default_key()).await;
    assert_eq!(after.state, TriggerState::Waiting);
    assert_eq!(after.next_fire_at, Some(t(70)));
}

async fn s129_a_trigger_that_is_missing_goes_and_its_instants_expire(store: Store) {
    let two = vec![
        create(trigger("default", EVERY_MORNING), t(10)),
        create(trigger("gone", EVERY_EVENING), t(10)),
    ];
    let before = add_job_with(&store, job("a"), two).await;
    let gone = &before.triggers[1];
    let mut put = put_again(&before);
    put.triggers.pop();
    put.removed = vec![remove(gone, Some(range(10, 30)))];
    assert_eq!(store.job_put(put).await.unwrap(), Written::Done);

    let after = get_job(&store, &job_name("a")).await;
    assert_eq!(after.triggers.len(), 1);
    let ledger = store.ledger_list(gone.uid, t(0), t(100), 10).await.unwrap();
    assert_eq!(ledger.len(), 1);
    assert_eq!(ledger[0].verdict, FireVerdict::Expired);
    assert_eq!((ledger[0].from, ledger[0].to), (t(10), t(30)));
    let generations = store.ledger_generations().await.unwrap();
    let closed = generations.iter().find(|g| g.trigger_uid == gone.uid);
    assert_eq!(closed.expect("kept").to, Some(t(50)));
}

async fn a_trigger_that_moved_on_or_is_not_mentioned_makes_the_put_stale(store: Store) {
    let before = add_job(&store, job("a"), t(10)).await;
    let mut not_mentioned = put_again(&before);
    not_mentioned.triggers.clear();
    assert_eq!(store.job_put(not_mentioned).await.unwrap(), Written::Stale);
    let mut made_twice = put_again(&before);
    made_twice.triggers[0] = create(trigger("default", EVERY_MORNING), t(10));
    assert_eq!(store.job_put(made_twice).await.unwrap(), Written::Stale);
    let put = put_again(&before);
    let mut restart = put_again(&before);
    let version = before.triggers[0].version;
    restart_of(&mut restart.triggers[0], version, Next::At(t(100)));
    let mut removal = put_again(&before);
    removal.triggers.clear();
    removal.removed = vec![remove(&before.triggers[0], None)];
    claim_one(&store, t(10)).await;
    let claimed = get_job(&store, &job_name("a")).await;
    for stale in [put, restart, removal] {
        assert_eq!(store.job_put(stale).await.unwrap(), Written::Stale);
    }
    assert_eq!(get_job(&store, &job_name("a")).await, claimed);
}

async fn a25_a_new_trigger_of_a_paused_job_is_paused(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let names = [job_name("a")];
    store
        .job_set_paused(&names, Some(&pause(None)), t(1))
        .await
        .unwrap();
    let before = get_job(&store, &job_name("a")).await;
    let mut put = put_again(&before);
    put.triggers
        .push(create(trigger("new", EVERY_EVENING), t(10)));
    assert_eq!(store.job_put(put).await.unwrap(), Written::Done);
    let retry = once("a", "retry-1", RunCause::Retry, t(10));
    store.trigger_add_once(&[retry]).await.unwrap();
    let after = get_job(&store, &job_name("a")).await;
    assert_eq!(after.paused, Some(pause(None)));
    assert_eq!(after.triggers.len(), 3);
    assert!(after.triggers.iter().all(|t| t.job_paused));
    assert!(claim(&store, t(100)).await.is_empty());
}

async fn a_trigger_can_be_removed_and_made_again_in_one_put(store: Store) {
    let before = add_job(&store, job("a"), t(10)).await;
    let mut put = put_again(&before);
    put.triggers = vec![create(trigger("default", EVERY_EVENING), t(90))];
    put.removed = vec![remove(&before.triggers[0], None)];
    assert_eq!(store.job_put(put).await.unwrap(), Written::Done);
    let after = get_trigger(&store, &default_key()).await;
    assert_ne!(after.uid, before.triggers[0].uid);
    assert_eq!(after.generation, 1);
    assert_eq!(after.next_fire_at, Some(t(90)));
}

async fn a_restart_outside_a_put_opens_a_generation(store: Store) {
    let before = add_job(&store, job("a"), t(10)).await;
    let restart = TriggerRestart {
        key: default_key(),
        expected: before.triggers[0].version,
        start: start(t(33)),
        superseded: None,
        zone_data: "2026b".to_owned(),
        now: t(5),
    };
    let mut stale = restart.clone();
    stale.expected += 1;
    let mut unknown = restart.clone();
    unknown.key = key("a", "none");
    let written = store
        .trigger_restart(vec![stale, restart, unknown])
        .await
        .unwrap();
    assert_eq!(written, [Written::Stale, Written::Done, Written::Stale]);
    let after = get_trigger(&store, &default_key()).await;
    assert_eq!((after.generation, after.next_fire_at), (2, Some(t(33))));
    assert_eq!(after.zone_data, "2026b");
    assert_eq!(store.ledger_generations().await.unwrap().len(), 2);
}

async fn s189_a_trigger_without_a_first_fire_is_complete(store: Store) {
    let mut put = create(trigger("default", EVERY_MORNING), t(10));
    put.change = TriggerChange::Create {
        uid: uuid::Uuid::new_v4(),
        start: TriggerStart {
            next: Next::Complete(CompleteReason::CalendarExhausted),
            calendar: String::new(),
        },
    };
    add_job_with(&store, job("a"), vec![put]).await;
    let stored = get_trigger(&store, &default_key()).await;
    assert_eq!(stored.state, TriggerState::Complete);
    assert_eq!(
        stored.complete_reason,
        Some(CompleteReason::CalendarExhausted)
    );
    assert_eq!(stored.next_fire_at, None);
    assert!(claim(&store, t(1_000_000)).await.is_empty());
}
