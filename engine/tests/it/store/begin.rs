use horarium_core::state::{CompleteReason, FireVerdict, RunCause, RunStatus, TriggerState};
use horarium_engine::store::{AfterBegin, Begun, Next, RunBegin};

use super::{Store, fixture::*};

crate::on_every_store!(
    a_begin_writes_run_trigger_slot_ledger_and_event_together,
    s100_an_interval_trigger_stays_acquired_during_its_run,
    s189_a_trigger_that_has_no_next_fire_is_complete,
    a_begin_asked_again_answers_the_same,
    a_begin_with_another_claim_writes_nothing,
    s98_a_fire_that_finds_the_slot_taken_is_blocked,
    s101_a_direct_run_of_a_running_exclusive_job_makes_no_row,
    s102_runs_of_a_concurrent_job_overlap,
    i4_a_run_from_before_the_job_became_exclusive_holds_it_up,
    s174_two_begins_of_an_exclusive_job_at_once_give_one,
    s103_every_instance_begins_its_own_run_of_an_instant,
    i1_a_second_run_of_an_instant_is_a_duplicate,
    a_held_trigger_whose_instant_has_a_run_goes_into_error,
    a_begin_of_a_job_that_is_gone_writes_nothing,
    a_batch_is_worked_through_in_order,
);

async fn a_begin_writes_run_trigger_slot_ledger_and_event_together(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let claimed = claim_one(&store, t(10)).await;
    let merged = decision(&claimed.trigger, FireVerdict::Merged, range(1, 9));
    let begin = RunBegin {
        decisions: vec![merged],
        ..begin(&claimed, t(20))
    };
    let run = begin.run.clone();
    let token = begun(&store, begin).await;
    assert_eq!(Some(token), claimed.trigger.claim_token);

    let stored = store.run_get(run.id).await.unwrap().expect("the run");
    let expected = horarium_core::record::RunRecord { token, ..run };
    assert_eq!(stored, expected);
    let job = get_job(&store, &job_name("a")).await;
    assert_eq!(job.active_run, Some(stored.id));
    let trigger = &job.triggers[0];
    assert_eq!(trigger.state, TriggerState::Waiting);
    assert_eq!(trigger.next_fire_at, Some(t(20)));
    assert_eq!((trigger.watermark, trigger.fired_count), (t(10), 1));
    assert_eq!(
        (trigger.claim_node.clone(), trigger.claim_token),
        (None, None)
    );
    assert!(trigger.version > claimed.trigger.version);
    let decided = store.ledger_decided(trigger.uid, 1).await.unwrap();
    assert_eq!(decided, [range(1, 9), range(10, 10)]);
    assert_eq!(
        topics(&store).await,
        ["scheduling.job.registered", "scheduling.run.started"]
    );
}

async fn s100_an_interval_trigger_stays_acquired_during_its_run(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let claimed = claim_one(&store, t(10)).await;
    let token = begun(&store, hold(&claimed)).await;
    let held = get_trigger(&store, &key("a", "default")).await;
    assert_eq!(held.state, TriggerState::Acquired);
    assert_eq!(held.claim_node, Some(node("n1")));
    assert_eq!(held.claim_token, Some(token));
    assert_eq!((held.watermark, held.fired_count), (t(10), 1));
    assert!(claim(&store, t(1000)).await.is_empty());
}

async fn s189_a_trigger_that_has_no_next_fire_is_complete(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let claimed = claim_one(&store, t(10)).await;
    let begin = RunBegin {
        trigger: AfterBegin::Advance {
            next: Next::Complete(CompleteReason::Done),
            watermark: t(10),
        },
        counts: false,
        ..begin(&claimed, t(20))
    };
    begun(&store, begin).await;
    let stored = get_trigger(&store, &key("a", "default")).await;
    assert_eq!(stored.state, TriggerState::Complete);
    assert_eq!(stored.complete_reason, Some(CompleteReason::Done));
    assert_eq!(stored.fired_count, 0);
    assert_eq!(stored.claim_token, None);
}

async fn a_begin_asked_again_answers_the_same(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let claimed = claim_one(&store, t(10)).await;
    let begin = begin(&claimed, t(20));
    let token = begun(&store, begin.clone()).await;
    assert_eq!(begun(&store, begin.clone()).await, token);
    let by_hand = direct(1, &job_name("b"), true);
    add_job_with(&store, job("b"), Vec::new()).await;
    let direct_token = begun(&store, by_hand.clone()).await;
    assert_eq!(begun(&store, by_hand).await, direct_token);
    let trigger = get_trigger(&store, &key("a", "default")).await;
    assert_eq!(trigger.fired_count, 1);
    let started = topics(&store).await;
    let started = started.iter().filter(|t| t.ends_with("run.started"));
    assert_eq!(started.count(), 2);
    // once it has ended it does not begin again
    finish_one(&store, finish(begin.run.id, token, t(11))).await;
    assert_eq!(begin_one(&store, begin).await, Begun::Stale);
}

async fn a_begin_with_another_claim_writes_nothing(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let claimed = claim_one(&store, t(10)).await;
    let before = get_job(&store, &job_name("a")).await;
    let good = begin(&claimed, t(20));
    for change in 0..4 {
        let mut bad = good.clone();
        let claim = bad.claim.as_mut().expect("a claim");
        match change {
            0 => claim.token += 1,
            1 => claim.version -= 1,
            2 => claim.uid = uuid::Uuid::new_v4(),
            _ => claim.key = key("a", "none"),
        }
        assert_eq!(begin_one(&store, bad).await, Begun::Stale);
    }
    assert_eq!(get_job(&store, &job_name("a")).await, before);
    assert_eq!(store.run_get(good.run.id).await.unwrap(), None);
    begun(&store, good).await;
}

async fn s98_a_fire_that_finds_the_slot_taken_is_blocked(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let token = begun(&store, direct(1, &job_name("a"), true)).await;
    let claimed = claim_one(&store, t(10)).await;
    let begin = begin(&claimed, t(20));
    assert_eq!(begin_one(&store, begin.clone()).await, Begun::Blocked);
    assert_eq!(store.run_get(begin.run.id).await.unwrap(), None);
    let blocked = get_trigger(&store, &key("a", "default")).await;
    assert_eq!(blocked.state, TriggerState::Blocked);
    assert_eq!(blocked.next_fire_at, Some(t(10)));
    assert_eq!((blocked.claim_token, blocked.fired_count), (None, 0));
    assert_eq!(blocked.watermark, t(0));
    assert!(claim(&store, t(100)).await.is_empty());

    // S99: the end of the run that blocks gives it back
    finish_one(&store, finish(run_id(1), token, t(30))).await;
    let free = get_trigger(&store, &key("a", "default")).await;
    assert_eq!(free.state, TriggerState::Waiting);
    assert_eq!(free.next_fire_at, Some(t(10)));
    assert!(free.version > blocked.version);
    let again = claim_one(&store, t(100)).await;
    begun(&store, super::fixture::begin(&again, t(40))).await;
}

async fn s101_a_direct_run_of_a_running_exclusive_job_makes_no_row(store: Store) {
    add_job_with(&store, job("a"), Vec::new()).await;
    begun(&store, direct(1, &job_name("a"), true)).await;
    let second = begin_one(&store, direct(2, &job_name("a"), true)).await;
    assert_eq!(second, Begun::Blocked);
    assert_eq!(store.run_get(run_id(2)).await.unwrap(), None);
    let job = get_job(&store, &job_name("a")).await;
    assert_eq!(job.active_run, Some(run_id(1)));
}

async fn s102_runs_of_a_concurrent_job_overlap(store: Store) {
    add_job_with(&store, job("a"), Vec::new()).await;
    let one = begun(&store, direct(1, &job_name("a"), false)).await;
    let two = begun(&store, direct(2, &job_name("a"), false)).await;
    assert_ne!(one, two);
    let names = [job_name("a"), job_name("b")];
    let running = store.run_running(&names).await.unwrap();
    assert_eq!(
        running.into_iter().collect::<Vec<_>>(),
        [(job_name("a"), 2)]
    );
    assert_eq!(get_job(&store, &job_name("a")).await.active_run, None);
}

async fn i4_a_run_from_before_the_job_became_exclusive_holds_it_up(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let token = begun(&store, direct(1, &job_name("a"), false)).await;
    let claimed = claim_one(&store, t(10)).await;
    let begin = begin(&claimed, t(20));
    assert_eq!(begin_one(&store, begin).await, Begun::Blocked);
    finish_one(&store, finish(run_id(1), token, t(30))).await;
    let free = get_trigger(&store, &key("a", "default")).await;
    assert_eq!(free.state, TriggerState::Waiting);
}

async fn s174_two_begins_of_an_exclusive_job_at_once_give_one(store: Store) {
    add_job_with(&store, job("a"), Vec::new()).await;
    let tasks: Vec<_> = (1..=16)
        .map(|number| {
            let store = store.clone();
            tokio::spawn(
                async move { begin_one(&store, direct(number, &job_name("a"), true)).await },
            )
        })
        .collect();
    let mut won = 0;
    for task in tasks {
        match task.await.unwrap() {
            Begun::Begun { .. } => won += 1,
            other => assert_eq!(other, Begun::Blocked),
        }
    }
    assert_eq!(won, 1);
}

async fn s103_every_instance_begins_its_own_run_of_an_instant(store: Store) {
    let mut local = job("a");
    local.run_on_every_instance = true;
    let stored = add_job(&store, local, t(10)).await;
    let trigger = &stored.triggers[0];
    for (number, name) in [(1, "n1"), (2, "n2"), (3, "n3")] {
        let mut begin = direct(number, &job_name("a"), false);
        begin.run.cause = RunCause::Schedule;
        begin.run.trigger_uid = Some(trigger.uid);
        begin.run.generation = 1;
        begin.run.nominal_at = Some(t(10));
        begin.run.node = node(name);
        begun(&store, begin.clone()).await;
        begin.run.id = run_id(number + 10);
        assert_eq!(begin_one(&store, begin).await, Begun::Duplicate);
    }
    let decided = store.ledger_decided(trigger.uid, 1).await.unwrap();
    assert_eq!(decided, [range(10, 10); 3]);
}

async fn i1_a_second_run_of_an_instant_is_a_duplicate(store: Store) {
    let mut concurrent = job("a");
    concurrent.allow_concurrent = true;
    add_job(&store, concurrent, t(10)).await;
    let claimed = claim_one(&store, t(10)).await;
    // a trigger that was moved back to an instant which has a run
    begun(&store, begin(&claimed, t(10))).await;
    let again = claim_one(&store, t(10)).await;
    let merged = decision(&again.trigger, FireVerdict::Merged, range(1, 9));
    let mut second = RunBegin {
        decisions: vec![merged],
        ..begin(&again, t(20))
    };
    assert_eq!(begin_one(&store, second.clone()).await, Begun::Duplicate);
    let moved = get_trigger(&store, &key("a", "default")).await;
    assert_eq!(moved.next_fire_at, Some(t(20)));
    assert_eq!((moved.claim_token, moved.fired_count), (None, 1));
    assert_eq!(store.ledger_decided(moved.uid, 1).await.unwrap().len(), 2);
    assert_eq!(begin_one(&store, second.clone()).await, Begun::Stale);
    // another id for the same instant is no way around it
    let fourth = claim_one(&store, t(20)).await;
    second = begin(&fourth, t(30));
    second.run.id = run_id(4);
    second.run.nominal_at = Some(t(10));
    assert_eq!(begin_one(&store, second).await, Begun::Duplicate);
}

async fn a_held_trigger_whose_instant_has_a_run_goes_into_error(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let claimed = claim_one(&store, t(10)).await;
    let first = begin(&claimed, t(10));
    let id = first.run.id;
    let token = begun(&store, first).await;
    finish_one(&store, finish(id, token, t(11))).await;
    let again = claim_one(&store, t(10)).await;
    assert_eq!(begin_one(&store, hold(&again)).await, Begun::Duplicate);
    let stored = get_trigger(&store, &key("a", "default")).await;
    assert_eq!(stored.state, TriggerState::Error);
    assert!(stored.error.is_some());
}

async fn a_begin_of_a_job_that_is_gone_writes_nothing(store: Store) {
    let begun = begin_one(&store, direct(1, &job_name("a"), true)).await;
    assert_eq!(begun, Begun::NoJob);
    assert_eq!(store.run_get(run_id(1)).await.unwrap(), None);
    assert!(topics(&store).await.is_empty());
}

async fn a_batch_is_worked_through_in_order(store: Store) {
    add_job_with(&store, job("a"), Vec::new()).await;
    add_job_with(&store, job("b"), Vec::new()).await;
    let batch = vec![
        direct(1, &job_name("a"), true),
        direct(2, &job_name("a"), true),
        direct(3, &job_name("b"), true),
        direct(4, &job_name("none"), true),
        direct(1, &job_name("a"), true),
    ];
    let begun = store.run_begin(batch).await.unwrap();
    let Begun::Begun { token } = begun[0] else {
        panic!("the first begins")
    };
    assert_eq!(begun[1], Begun::Blocked);
    assert!(matches!(begun[2], Begun::Begun { .. }));
    assert_eq!(begun[3], Begun::NoJob);
    assert_eq!(begun[4], Begun::Begun { token });
    assert!(store.run_begin(Vec::new()).await.unwrap().is_empty());

    let batch = vec![
        finish(run_id(1), token, t(20)),
        finish(run_id(3), token, t(20)),
        finish(run_id(9), token, t(20)),
    ];
    use horarium_engine::store::Finished::{Done, Fenced};
    let finished = store.run_finish(batch).await.unwrap();
    assert_eq!(finished, [Done, Fenced, Fenced]);
    let run = store.run_get(run_id(3)).await.unwrap().expect("the run");
    assert_eq!(run.status, RunStatus::Running);
}
