use std::collections::BTreeSet;

use horarium_core::state::{CompleteReason, FireVerdict, RunCause, TriggerState};
use horarium_engine::store::{Begun, ClaimDue, Next, TriggerAdvance, Written};

use super::{Store, fixture::*};

crate::on_every_store!(
    a_claim_carries_everything_a_decision_needs,
    a33_claims_come_by_priority_then_instant_then_key,
    a45_only_known_types_are_claimed,
    s103_triggers_of_local_jobs_are_never_claimed,
    s105_a_job_that_becomes_local_is_listed_and_no_longer_claimed,
    s173_every_due_trigger_is_claimed_by_one_node_only,
    tokens_only_grow,
    a_claim_that_was_given_back_can_be_taken_again,
    an_advance_moves_on_without_a_run,
    an_advance_without_the_claim_writes_nothing,
    an_advance_deletes_an_engine_trigger_that_is_complete,
    s184_a_trigger_in_error_is_not_claimed_until_it_is_put_back,
    the_engines_triggers_are_made_once_per_name,
);

async fn a_claim_carries_everything_a_decision_needs(store: Store) {
    let mut definition = job("a");
    definition.data.insert("url".to_owned(), "x".into());
    let stored = add_job(&store, definition.clone(), t(10)).await;
    assert!(claim(&store, t(9)).await.is_empty());
    let claimed = claim_one(&store, t(10)).await;
    let before = &stored.triggers[0];
    assert_eq!(claimed.job, definition);
    assert_eq!(claimed.origin, stored.origin);
    assert_eq!(claimed.trigger.version, before.version + 1);
    assert_eq!(claimed.trigger.claim_node, Some(node("n1")));
    assert!(claimed.trigger.claim_token.is_some());
    assert_eq!(claimed.trigger.state, TriggerState::Waiting);
    assert_eq!(
        get_trigger(&store, &key("a", "default")).await,
        claimed.trigger
    );
    assert!(claim(&store, t(10)).await.is_empty());
}

async fn a33_claims_come_by_priority_then_instant_then_key(store: Store) {
    let make = |name: &str, priority, at| {
        let mut definition = trigger(name, EVERY_MORNING);
        definition.priority = priority;
        create(definition, t(at))
    };
    let triggers = vec![
        make("late", 5, 9),
        make("early", 5, 3),
        make("high", 8, 10),
        make("low", -3, 1),
        make("not-yet", 9, 11),
        make("lowest", i32::MIN, 1),
        make("highest", i32::MAX, 10),
    ];
    add_job_with(&store, job("b"), triggers).await;
    add_job_with(&store, job("a"), vec![make("late", 5, 9)]).await;
    let mut order = Vec::new();
    for limit in [2, 3, 100] {
        let wish = claim_due(t(10), limit);
        let claimed = store.trigger_claim_due(&wish).await.unwrap();
        order.extend(claimed.iter().map(|c| c.trigger.key().to_string()));
    }
    let expected = [
        "b/highest",
        "b/high",
        "b/early",
        "a/late",
        "b/late",
        "b/low",
        "b/lowest",
    ];
    assert_eq!(order, expected);
}

async fn a45_only_known_types_are_claimed(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let wish = ClaimDue {
        job_types: vec!["other".to_owned()],
        ..claim_due(t(10), 10)
    };
    assert!(store.trigger_claim_due(&wish).await.unwrap().is_empty());
    let wish = ClaimDue {
        job_types: vec!["other".to_owned(), "http".to_owned()],
        ..claim_due(t(10), 10)
    };
    assert_eq!(store.trigger_claim_due(&wish).await.unwrap().len(), 1);
}

async fn s103_triggers_of_local_jobs_are_never_claimed(store: Store) {
    let mut local = job("a");
    local.run_on_every_instance = true;
    let stored = add_job(&store, local.clone(), t(10)).await;
    assert!(claim(&store, t(100)).await.is_empty());
    let listed = store.trigger_list_local().await.unwrap();
    let expected = (stored.triggers[0].clone(), local, stored.origin);
    assert_eq!(listed, [expected]);

    let keys = [key("a", "default")];
    let reason = Some("no such type");
    store.trigger_set_error(&keys, reason, t(1)).await.unwrap();
    assert!(store.trigger_list_local().await.unwrap().is_empty());
    store.trigger_set_error(&keys, None, t(1)).await.unwrap();
    let pause = pause(None);
    store
        .trigger_set_paused(&keys, Some(&pause), t(1))
        .await
        .unwrap();
    assert!(store.trigger_list_local().await.unwrap().is_empty());
}

async fn s105_a_job_that_becomes_local_is_listed_and_no_longer_claimed(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let mut put = put_again(&get_job(&store, &job_name("a")).await);
    put.definition.run_on_every_instance = true;
    store.job_put(put).await.unwrap();
    assert!(claim(&store, t(100)).await.is_empty());
    assert_eq!(store.trigger_list_local().await.unwrap().len(), 1);

    let mut put = put_again(&get_job(&store, &job_name("a")).await);
    put.definition.run_on_every_instance = false;
    store.job_put(put).await.unwrap();
    assert!(store.trigger_list_local().await.unwrap().is_empty());
    assert_eq!(claim(&store, t(100)).await.len(), 1);
}

async fn s173_every_due_trigger_is_claimed_by_one_node_only(store: Store) {
    let triggers = (0..2000)
        .map(|n| {
            let mut definition = trigger(&format!("t{n:04}"), EVERY_MORNING);
            definition.priority = n % 3;
            create(definition, t(i64::from(n) % 10))
        })
        .collect();
    add_job_with(&store, job("a"), triggers).await;
    let nodes = (0..8).map(|n| {
        let store = store.clone();
        tokio::spawn(async move {
            let wish = ClaimDue {
                node: node(&format!("n{n}")),
                ..claim_due(t(10), 16)
            };
            let mut mine = Vec::new();
            loop {
                let claimed = store.trigger_claim_due(&wish).await.unwrap();
                if claimed.is_empty() {
                    return mine;
                }
                mine.extend(claimed);
            }
        })
    });
    let (mut keys, mut tokens) = (BTreeSet::new(), BTreeSet::new());
    let mut claims = 0;
    for node in nodes.collect::<Vec<_>>() {
        for claimed in node.await.unwrap() {
            claims += 1;
            tokens.insert(claimed.trigger.claim_token);
            keys.insert(claimed.trigger.key());
        }
    }
    assert_eq!((claims, keys.len(), tokens.len()), (2000, 2000, 2000));
}

async fn tokens_only_grow(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let mut last = 0;
    for _ in 0..3 {
        let claimed = claim_one(&store, t(10)).await;
        let token = claimed.trigger.claim_token.expect("a token");
        assert!(token > last);
        last = token;
        assert_eq!(store.trigger_unclaim(&[claimed.claim()]).await.unwrap(), 1);
    }
    assert!(begun(&store, direct(1, &job_name("a"), true)).await > last);
}

async fn a_claim_that_was_given_back_can_be_taken_again(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let claimed = claim_one(&store, t(10)).await;
    let claim_ref = claimed.claim();
    let twice = [claim_ref.clone(), claim_ref.clone()];
    assert_eq!(store.trigger_unclaim(&twice).await.unwrap(), 1);
    assert_eq!(store.trigger_unclaim(&twice).await.unwrap(), 0);
    let free = get_trigger(&store, &key("a", "default")).await;
    assert_eq!((free.claim_node.clone(), free.claim_token), (None, None));
    assert_eq!(free.next_fire_at, Some(t(10)));
    assert_eq!(
        begin_one(&store, begin(&claimed, t(20))).await,
        Begun::Stale
    );
    claim_one(&store, t(10)).await;
}

async fn an_advance_moves_on_without_a_run(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let claimed = claim_one(&store, t(10)).await;
    let skipped = decision(&claimed.trigger, FireVerdict::Skipped, range(10, 30));
    let advance = TriggerAdvance {
        claim: claimed.claim(),
        next: Next::At(t(40)),
        watermark: t(30),
        decisions: vec![skipped],
        now: t(35),
    };
    let written = store.trigger_advance(vec![advance.clone()]).await.unwrap();
    assert_eq!(written, [Written::Done]);
    let after = get_trigger(&store, &key("a", "default")).await;
    assert_eq!((after.next_fire_at, after.watermark), (Some(t(40)), t(30)));
    assert_eq!((after.claim_token, after.fired_count), (None, 0));
    let decided = store.ledger_decided(after.uid, 1).await.unwrap();
    assert_eq!(decided, [range(10, 30)]);
    // asked again: the claim is over, and nothing is decided twice
    let written = store.trigger_advance(vec![advance]).await.unwrap();
    assert_eq!(written, [Written::Stale]);
    assert_eq!(store.ledger_decided(after.uid, 1).await.unwrap().len(), 1);
}

async fn an_advance_without_the_claim_writes_nothing(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let claimed = claim_one(&store, t(10)).await;
    let before = get_trigger(&store, &key("a", "default")).await;
    let good = TriggerAdvance {
        claim: claimed.claim(),
        next: Next::Complete(CompleteReason::Ended),
        watermark: t(30),
        decisions: Vec::new(),
        now: t(35),
    };
    let mut token = good.clone();
    token.claim.token += 1;
    let mut version = good.clone();
    version.claim.version -= 1;
    let mut uid = good.clone();
    uid.claim.uid = uuid::Uuid::new_v4();
    let mut gone = good.clone();
    gone.claim.key = key("a", "none");
    let bad = vec![token, version, uid, gone];
    assert_eq!(
        store.trigger_advance(bad).await.unwrap(),
        [Written::Stale; 4]
    );
    assert_eq!(get_trigger(&store, &key("a", "default")).await, before);
    store.trigger_advance(vec![good]).await.unwrap();
    let after = get_trigger(&store, &key("a", "default")).await;
    assert_eq!(after.state, TriggerState::Complete);
    assert_eq!(after.complete_reason, Some(CompleteReason::Ended));
    assert_eq!(after.next_fire_at, None);
}

async fn an_advance_deletes_an_engine_trigger_that_is_complete(store: Store) {
    add_job_with(&store, job("a"), Vec::new()).await;
    let retry = once("a", "retry-1", RunCause::Retry, t(5));
    store.trigger_add_once(&[retry]).await.unwrap();
    let claimed = claim_one(&store, t(10)).await;
    let advance = TriggerAdvance {
        claim: claimed.claim(),
        next: Next::Complete(CompleteReason::Done),
        watermark: t(5),
        decisions: Vec::new(),
        now: t(10),
    };
    store.trigger_advance(vec![advance]).await.unwrap();
    assert_eq!(find_trigger(&store, &key("a", "retry-1")).await, None);
}

async fn s184_a_trigger_in_error_is_not_claimed_until_it_is_put_back(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let keys = [key("a", "default"), key("a", "none")];
    let claimed = claim_one(&store, t(10)).await;
    let reason = Some("the type http is not registered");
    store.trigger_set_error(&keys, reason, t(11)).await.unwrap();
    let broken = get_trigger(&store, &keys[0]).await;
    assert_eq!(broken.state, TriggerState::Error);
    assert_eq!(broken.error.as_deref(), reason);
    assert_eq!(
        begin_one(&store, begin(&claimed, t(20))).await,
        Begun::Stale
    );
    assert!(claim(&store, t(100)).await.is_empty());

    store.trigger_set_error(&keys, None, t(12)).await.unwrap();
    let whole = get_trigger(&store, &keys[0]).await;
    assert_eq!(
        (whole.state, whole.error.clone()),
        (TriggerState::Waiting, None)
    );
    assert_eq!(whole.next_fire_at, Some(t(10)));
    let begin = hold(&claim_one(&store, t(100)).await);
    begun(&store, begin).await;
    // one that runs is left alone
    store.trigger_set_error(&keys, reason, t(13)).await.unwrap();
    let running = get_trigger(&store, &keys[0]).await;
    assert_eq!(running.state, TriggerState::Acquired);
}

async fn the_engines_triggers_are_made_once_per_name(store: Store) {
    add_job_with(&store, job("a"), Vec::new()).await;
    let first = once("a", "manual-1", RunCause::Manual, t(5));
    let mut again = first.clone();
    again.at = t(99);
    let nowhere = once("none", "manual-1", RunCause::Manual, t(5));
    let found = store
        .trigger_add_once(&[first.clone(), nowhere, again.clone()])
        .await
        .unwrap();
    assert_eq!(found, [true, false, true]);
    assert_eq!(store.trigger_add_once(&[again]).await.unwrap(), [true]);
    let stored = get_trigger(&store, &key("a", "manual-1")).await;
    assert_eq!(stored.next_fire_at, Some(t(5)));
    assert_eq!(stored.one_time, Some(first.one_time));
    assert_eq!(stored.definition.priority, 5);
    assert!(store.ledger_generations().await.unwrap().is_empty());
}
