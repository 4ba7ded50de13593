use horarium_core::{
    calendar::Calendar,
    misfire::Range,
    record::TriggerRecord,
    state::{FireVerdict, RunCause, RunStatus},
};
use horarium_engine::store::RunFinish;
use serde_json::json;

use super::{Store, fixture::*};

crate::on_every_store!(
    pruning_runs_keeps_every_instant_decided,
    neighbours_with_another_verdict_or_status_keep_their_ranges,
    a_range_grows_from_both_sides_and_closes,
    s103_the_runs_of_many_instances_fold_into_one_range,
    the_ledger_shows_runs_and_decisions_latest_first,
    decisions_without_a_claim_are_recorded_once,
    calendars_are_added_and_replaced,
    events_come_in_order_and_old_ones_go,
);

/// A run of the trigger at an instant, ended at the same instant; `node` makes it one of a local job.
async fn fire(store: &Store, trigger: &TriggerRecord, at: u8, status: RunStatus, on: &str) {
    let instant = t(i64::from(at));
    let mut begin = direct(at, &trigger.job, false);
    begin.run.id = horarium_core::run_id::RunId::scheduled(trigger.uid, 1, instant, on);
    begin.run.cause = RunCause::Schedule;
    begin.run.trigger_uid = Some(trigger.uid);
    begin.run.generation = 1;
    begin.run.nominal_at = Some(instant);
    begin.run.node = node(on);
    let id = begin.run.id;
    let token = begun(store, begin).await;
    let end = RunFinish {
        status,
        ..finish(id, token, instant)
    };
    finish_one(store, end).await;
}

async fn decided(store: &Store, trigger: &TriggerRecord) -> Vec<Range> {
    store.ledger_decided(trigger.uid, 1).await.unwrap()
}

/// Which of the first hundred instants are decided.
fn covered(ranges: &[Range]) -> Vec<bool> {
    let is_covered = |n| ranges.iter().any(|r| r.from <= t(n) && t(n) <= r.to);
    (0..100).map(is_covered).collect()
}

async fn prune(store: &Store, before: i64) {
    while store.run_prune(t(before), 3, t(500)).await.unwrap() > 0 {}
}

async fn pruning_runs_keeps_every_instant_decided(store: Store) {
    let stored = add_job(&store, job("a"), t(1000)).await;
    let trigger = &stored.triggers[0];
    for at in [2, 4, 6, 8, 20, 22] {
        fire(&store, trigger, at, RunStatus::Succeeded, "n1").await;
    }
    let skipped = decision(trigger, FireVerdict::Skipped, range(10, 18));
    store.ledger_record(&[skipped], t(19)).await.unwrap();
    let before = decided(&store, trigger).await;
    prune(&store, 21).await;
    let after = decided(&store, trigger).await;
    let expected = [range(2, 8), range(10, 18), range(20, 20), range(22, 22)];
    assert_eq!(after, expected);
    // the instants of the schedule, which are the even ones
    let even = |ranges: &[Range]| -> Vec<bool> { covered(ranges).into_iter().step_by(2).collect() };
    assert_eq!(even(&before), even(&after));
    let ledger = store
        .ledger_list(trigger.uid, t(0), t(9), 10)
        .await
        .unwrap();
    assert_eq!(ledger.len(), 1);
    assert_eq!(ledger[0].verdict, FireVerdict::Fired);
    assert_eq!(ledger[0].status, Some(RunStatus::Succeeded));
    assert_eq!(ledger[0].decided_at, t(500));
}

async fn neighbours_with_another_verdict_or_status_keep_their_ranges(store: Store) {
    let stored = add_job(&store, job("a"), t(1000)).await;
    let trigger = &stored.triggers[0];
    for (at, status) in [
        (1, RunStatus::Succeeded),
        (2, RunStatus::Succeeded),
        (3, RunStatus::Failed),
        (4, RunStatus::Succeeded),
    ] {
        fire(&store, trigger, at, status, "n1").await;
    }
    prune(&store, 100).await;
    let expected = [range(1, 2), range(3, 3), range(4, 4)];
    assert_eq!(decided(&store, trigger).await, expected);
}

async fn a_range_grows_from_both_sides_and_closes(store: Store) {
    let stored = add_job(&store, job("a"), t(1000)).await;
    let trigger = &stored.triggers[0];
    // the run at 3 outlives those beside it
    let mut begin = direct(3, &trigger.job, false);
    begin.run.cause = RunCause::Schedule;
    begin.run.trigger_uid = Some(trigger.uid);
    begin.run.generation = 1;
    begin.run.nominal_at = Some(t(3));
    begin.claim = None;
    let id = begin.run.id;
    let token = begun(&store, begin).await;
    for at in [5, 4, 1, 2] {
        fire(&store, trigger, at, RunStatus::Succeeded, "n1").await;
        prune(&store, 100).await;
    }
    let open = [range(1, 2), range(3, 3), range(4, 5)];
    assert_eq!(decided(&store, trigger).await, open);
    finish_one(&store, finish(id, token, t(50))).await;
    prune(&store, 100).await;
    assert_eq!(decided(&store, trigger).await, [range(1, 5)]);
}

async fn s103_the_runs_of_many_instances_fold_into_one_range(store: Store) {
    let mut local = job("a");
    local.run_on_every_instance = true;
    let stored = add_job(&store, local, t(1000)).await;
    let trigger = &stored.triggers[0];
    for at in [1, 2] {
        for on in ["n1", "n2", "n3"] {
            fire(&store, trigger, at, RunStatus::Succeeded, on).await;
        }
    }
    prune(&store, 100).await;
    assert_eq!(decided(&store, trigger).await, [range(1, 2)]);
}

async fn the_ledger_shows_runs_and_decisions_latest_first(store: Store) {
    let stored = add_job(&store, job("a"), t(1000)).await;
    let trigger = &stored.triggers[0];
    fire(&store, trigger, 30, RunStatus::Failed, "n1").await;
    let skipped = decision(trigger, FireVerdict::Skipped, range(10, 20));
    let excluded = decision(trigger, FireVerdict::Excluded, range(40, 40));
    store
        .ledger_record(&[skipped, excluded], t(45))
        .await
        .unwrap();
    let list = |from, to, limit| {
        let store = store.clone();
        let uid = trigger.uid;
        async move { store.ledger_list(uid, t(from), t(to), limit).await.unwrap() }
    };
    let all = list(0, 100, 10).await;
    let verdicts: Vec<_> = all.iter().map(|d| d.verdict).collect();
    let expected = [
        FireVerdict::Excluded,
        FireVerdict::Fired,
        FireVerdict::Skipped,
    ];
    assert_eq!(verdicts, expected);
    assert_eq!(all[1].status, Some(RunStatus::Failed));
    assert!(all[1].run.is_some());
    assert_eq!(
        (all[2].reason.as_str(), all[2].decided_at),
        ("because", t(45))
    );
    // a range counts when a part of it is asked for
    assert_eq!(list(15, 25, 10).await.len(), 1);
    assert_eq!(list(20, 30, 10).await.len(), 2);
    assert_eq!(list(21, 29, 10).await.len(), 0);
    assert_eq!(list(0, 100, 2).await.len(), 2);
    let other = uuid::Uuid::new_v4();
    let none = store.ledger_list(other, t(0), t(100), 9).await.unwrap();
    assert!(none.is_empty());
}

async fn decisions_without_a_claim_are_recorded_once(store: Store) {
    let stored = add_job(&store, job("a"), t(1000)).await;
    let trigger = &stored.triggers[0];
    let overrun = decision(trigger, FireVerdict::Overrun, range(10, 10));
    let both = [overrun.clone(), overrun.clone()];
    store.ledger_record(&both, t(11)).await.unwrap();
    store.ledger_record(&[overrun], t(12)).await.unwrap();
    assert_eq!(decided(&store, trigger).await, [range(10, 10)]);
}

async fn calendars_are_added_and_replaced(store: Store) {
    let calendar = |date: &str| -> Calendar {
        let json = json!({"kind": "holiday", "zone": "Asia/Shanghai", "dates": [date]});
        serde_json::from_value(json).expect("a calendar as in the configuration")
    };
    let (a, b) = ("a".parse().unwrap(), "b".parse().unwrap());
    let first = [(a, calendar("2026-10-01")), (b, calendar("2026-10-02"))];
    store.calendar_put(&first, t(0)).await.unwrap();
    let [(a, _), second] = first;
    let third = (a, calendar("2026-10-03"));
    let replaced = std::slice::from_ref(&third);
    store.calendar_put(replaced, t(1)).await.unwrap();
    let expected = [third, second].into_iter().collect();
    assert_eq!(store.calendar_list().await.unwrap().0, expected);
}

async fn events_come_in_order_and_old_ones_go(store: Store) {
    for (number, name) in ["a", "b", "c"].into_iter().enumerate() {
        let put = horarium_engine::store::JobPut {
            now: t(i64::try_from(number).unwrap() * 10),
            ..job_put(job(name), Vec::new())
        };
        store.job_put(put).await.unwrap();
    }
    let all = store.event_list(0, 10).await.unwrap();
    let times: Vec<_> = all.iter().map(|event| event.at).collect();
    assert_eq!(times, [t(0), t(10), t(20)]);
    assert!(all.windows(2).all(|pair| pair[0].id < pair[1].id));
    assert_eq!(all[0].data, json!({"topic": "scheduling.job.registered"}));
    assert_eq!(all[0].subject, "subject");
    let after = store.event_list(all[0].id, 1).await.unwrap();
    assert_eq!(after, all[1..2]);
    assert_eq!(store.event_prune(t(20)).await.unwrap(), 2);
    assert_eq!(store.event_list(0, 10).await.unwrap(), all[2..]);
    assert_eq!(store.event_prune(t(99)).await.unwrap(), 1);
    let put = job_put(job("d"), Vec::new());
    store.job_put(put).await.unwrap();
    // the id of an event that is gone does not come back
    let next = store.event_list(all[2].id, 10).await.unwrap();
    assert_eq!(next.len(), 1);
}
