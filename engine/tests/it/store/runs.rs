use horarium_core::{
    query::RunQuery,
    record::{LogLine, RunError},
    run_id::RunId,
    state::{CancelReason, RunCause, RunStatus},
};
use horarium_engine::store::{RunBegin, RunFinish};

use super::{Store, fixture::*};

crate::on_every_store!(
    s147_each_filter_alone_and_all_together,
    s150_runs_come_planned_latest_first_then_by_id,
    s151_the_pages_add_up_to_the_count,
    a_chain_holds_retries_and_recoveries_and_their_retries,
    the_last_runs_of_many_jobs_come_at_once,
    s140_a_cancel_request_reaches_the_node_that_runs_it,
    log_lines_are_kept_in_order_and_once,
    s167_only_what_finished_before_is_deleted,
);

/// Begins a direct run that may be changed before.
async fn add(store: &Store, number: u8, change: impl FnOnce(&mut RunBegin)) -> (RunId, i64) {
    let mut begin = direct(number, &job_name("a"), false);
    change(&mut begin);
    let id = begin.run.id;
    (id, begun(store, begin).await)
}

async fn end(store: &Store, (id, token): (RunId, i64), status: RunStatus, at: i64) {
    let error = (status == RunStatus::Failed).then(|| RunError {
        code: "X".to_owned(),
        message: "no".to_owned(),
    });
    let finish = RunFinish {
        status,
        error,
        ..finish(id, token, t(at))
    };
    finish_one(store, finish).await;
}

async fn found(store: &Store, query: RunQuery) -> Vec<RunId> {
    let runs = store.run_list(&query).await.unwrap();
    let count = store.run_count(&query).await.unwrap();
    assert_eq!(count, i64::try_from(runs.len()).unwrap());
    runs.into_iter().map(|run| run.id).collect()
}

async fn s147_each_filter_alone_and_all_together(store: Store) {
    add_job_with(&store, job("a"), Vec::new()).await;
    add_job_with(&store, job("b"), Vec::new()).await;
    let one = add(&store, 1, |_| ()).await;
    let two = add(&store, 2, |b| {
        b.run.job = job_name("b");
        b.run.node = node("n2");
        b.run.trigger = Some(trigger_name("morning"));
    })
    .await;
    let three = add(&store, 3, |b| {
        b.run.trigger = Some(trigger_name("retry-x"));
        b.run.origin_trigger = Some(trigger_name("morning"));
        b.run.cause = RunCause::Retry;
    })
    .await;
    end(&store, one, RunStatus::Succeeded, 10).await;
    end(&store, three, RunStatus::Failed, 10).await;
    let all = RunQuery::default();
    let cases = [
        (all.clone(), vec![three.0, two.0, one.0]),
        (
            RunQuery {
                job: Some(job_name("a")),
                ..all.clone()
            },
            vec![three.0, one.0],
        ),
        (
            RunQuery {
                statuses: vec![RunStatus::Running],
                ..all.clone()
            },
            vec![two.0],
        ),
        (
            RunQuery {
                statuses: vec![RunStatus::Failed, RunStatus::Lost],
                ..all.clone()
            },
            vec![three.0],
        ),
        (
            RunQuery {
                statuses: vec![RunStatus::Failed, RunStatus::Succeeded],
                ..all.clone()
            },
            vec![three.0, one.0],
        ),
        (
            RunQuery {
                from: Some(t(2)),
                ..all.clone()
            },
            vec![three.0, two.0],
        ),
        (
            RunQuery {
                to: Some(t(2)),
                ..all.clone()
            },
            vec![one.0],
        ),
        (
            RunQuery {
                trigger: Some(trigger_name("morning")),
                ..all.clone()
            },
            vec![three.0, two.0],
        ),
        (
            RunQuery {
                node: Some(node("n2")),
                ..all.clone()
            },
            vec![two.0],
        ),
        (
            RunQuery {
                has_error: Some(true),
                ..all.clone()
            },
            vec![three.0],
        ),
        (
            RunQuery {
                has_error: Some(false),
                ..all.clone()
            },
            vec![two.0, one.0],
        ),
        (
            RunQuery {
                cause: Some(RunCause::Retry),
                ..all.clone()
            },
            vec![three.0],
        ),
        (
            RunQuery {
                job: Some(job_name("a")),
                statuses: vec![RunStatus::Failed],
                from: Some(t(3)),
                to: Some(t(4)),
                trigger: Some(trigger_name("morning")),
                node: Some(node("n1")),
                has_error: Some(true),
                cause: Some(RunCause::Retry),
                ..all
            },
            vec![three.0],
        ),
    ];
    for (query, expected) in cases {
        assert_eq!(found(&store, query.clone()).await, expected, "{query:?}");
    }
}

async fn s150_runs_come_planned_latest_first_then_by_id(store: Store) {
    add_job_with(&store, job("a"), Vec::new()).await;
    let mut expected = Vec::new();
    for number in [3, 1, 2, 5, 4] {
        let (id, _) = add(&store, number, |b| {
            b.run.scheduled_at = t(if number < 3 { 7 } else { 9 });
        })
        .await;
        expected.push(id);
    }
    expected.sort();
    let order = [4, 3, 2, 1, 0].map(|i| expected[i]);
    assert_eq!(found(&store, RunQuery::default()).await, order);
}

async fn s151_the_pages_add_up_to_the_count(store: Store) {
    add_job_with(&store, job("a"), Vec::new()).await;
    let begins = (1..=57).map(|number| {
        let mut begin = direct(number, &job_name("a"), false);
        begin.run.scheduled_at = t(i64::from(number) / 4);
        begin
    });
    store.run_begin(begins.collect()).await.unwrap();
    let whole = store.run_list(&RunQuery::default()).await.unwrap();
    let mut pages = Vec::new();
    for page in 0..6 {
        let query = RunQuery {
            skip: page * 10,
            limit: 10,
            ..RunQuery::default()
        };
        pages.extend(store.run_list(&query).await.unwrap());
        assert_eq!(store.run_count(&query).await.unwrap(), 57);
    }
    assert_eq!(pages, whole);
}

async fn a_chain_holds_retries_and_recoveries_and_their_retries(store: Store) {
    add_job_with(&store, job("a"), Vec::new()).await;
    let (first, _) = add(&store, 1, |_| ()).await;
    add(&store, 9, |_| ()).await;
    let (retry, _) = add(&store, 2, |b| b.run.retry_of = Some(first)).await;
    let (recovery, _) = add(&store, 3, |b| b.run.recovered_from = Some(retry)).await;
    let (last, _) = add(&store, 4, |b| b.run.retry_of = Some(recovery)).await;
    let chain = store.run_chain(first).await.unwrap();
    let chain: Vec<_> = chain.into_iter().map(|run| run.id).collect();
    assert_eq!(chain, [first, retry, recovery, last]);
    assert!(store.run_chain(run_id(77)).await.unwrap().is_empty());
}

async fn the_last_runs_of_many_jobs_come_at_once(store: Store) {
    for name in ["a", "b", "c"] {
        add_job_with(&store, job(name), Vec::new()).await;
    }
    for number in 1..=5 {
        add(&store, number, |_| ()).await;
    }
    add(&store, 6, |b| b.run.job = job_name("b")).await;
    let names = [job_name("a"), job_name("b"), job_name("c")];
    let recent = store.run_recent(&names, 2).await.unwrap();
    let ids = |name: &str| -> Vec<RunId> {
        let runs = recent.get(&job_name(name)).into_iter().flatten();
        runs.map(|run| run.id).collect()
    };
    assert_eq!(ids("a"), [run_id(5), run_id(4)]);
    assert_eq!(ids("b"), [run_id(6)]);
    assert!(ids("c").is_empty());
    let running = store.run_running(&names).await.unwrap();
    let running: Vec<_> = running.into_iter().collect();
    assert_eq!(running, [(job_name("a"), 5), (job_name("b"), 1)]);
}

async fn s140_a_cancel_request_reaches_the_node_that_runs_it(store: Store) {
    add_job_with(&store, job("a"), Vec::new()).await;
    let one = add(&store, 1, |_| ()).await;
    let two = add(&store, 2, |_| ()).await;
    end(&store, two, RunStatus::Succeeded, 5).await;
    let asked = [one.0, two.0, run_id(77)];
    let nodes = store.run_request_cancel(&asked, "ada", t(6)).await.unwrap();
    // S141: what has finished or never was is nobody's to cancel
    assert_eq!(nodes, [Some(node("n1")), None, None]);
    assert_eq!(store.run_cancels(&node("n1")).await.unwrap(), [one.0]);
    assert!(store.run_cancels(&node("n2")).await.unwrap().is_empty());
    end(&store, one, RunStatus::Canceled, 7).await;
    assert!(store.run_cancels(&node("n1")).await.unwrap().is_empty());
    let run = store.run_get(one.0).await.unwrap().expect("the run");
    assert_eq!(run.cancel, Some(CancelReason::Request));
    assert_eq!(run.requested_by.as_deref(), Some("ada"));
}

async fn log_lines_are_kept_in_order_and_once(store: Store) {
    add_job_with(&store, job("a"), Vec::new()).await;
    let (one, _) = add(&store, 1, |_| ()).await;
    let (two, _) = add(&store, 2, |_| ()).await;
    let line = |number: i64| LogLine {
        number,
        at: t(number),
        level: "info".to_owned(),
        text: format!("line {number} \u{0}\u{1F980}\\"),
    };
    let lines = [
        (one, line(2)),
        (two, line(1)),
        (one, line(1)),
        (run_id(77), line(1)),
        (one, line(3)),
    ];
    store.run_log_append(&lines).await.unwrap();
    store.run_log_append(&lines).await.unwrap();
    let all = store.run_log_list(one, 0, 10).await.unwrap();
    assert_eq!(all, [line(1), line(2), line(3)]);
    let page = store.run_log_list(one, 1, 1).await.unwrap();
    assert_eq!(page, [line(2)]);
    let none = store.run_log_list(run_id(77), 0, 10).await.unwrap();
    assert!(none.is_empty());
}

async fn s167_only_what_finished_before_is_deleted(store: Store) {
    add_job_with(&store, job("a"), Vec::new()).await;
    let running = add(&store, 1, |_| ()).await;
    let mut ids = Vec::new();
    for number in 2..=6 {
        let run = add(&store, number, |_| ()).await;
        end(&store, run, RunStatus::Succeeded, i64::from(number) * 10).await;
        ids.push(run.0);
    }
    let line = LogLine {
        number: 1,
        at: t(1),
        level: "info".to_owned(),
        text: "x".to_owned(),
    };
    store.run_log_append(&[(ids[0], line)]).await.unwrap();
    assert_eq!(store.run_prune(t(20), 10, t(99)).await.unwrap(), 0);
    assert_eq!(store.run_prune(t(50), 2, t(99)).await.unwrap(), 2);
    assert_eq!(store.run_prune(t(50), 2, t(99)).await.unwrap(), 1);
    assert_eq!(store.run_prune(t(50), 2, t(99)).await.unwrap(), 0);
    let left = found(&store, RunQuery::default()).await;
    assert_eq!(left, [ids[4], ids[3], running.0]);
    assert!(store.run_log_list(ids[0], 0, 9).await.unwrap().is_empty());
}
