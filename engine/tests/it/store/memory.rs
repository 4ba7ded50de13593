use std::sync::Arc;

use horarium_core::{code::ErrorCode, query::RunQuery};
use horarium_engine::store::memory::MemoryStore;

use super::{Store, fixture::*};

#[tokio::test]
async fn s182_a_store_full_of_running_runs_refuses_another() {
    let store: Store = Arc::new(MemoryStore::new(3));
    add_job_with(&store, job("a"), Vec::new()).await;
    let mut tokens = Vec::new();
    for number in 1..=3 {
        tokens.push(begun(&store, direct(number, &job_name("a"), false)).await);
    }
    let before = topics(&store).await;
    let fourth = vec![direct(4, &job_name("a"), false)];
    let error = store.run_begin(fourth.clone()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::StoreFull);
    assert_eq!(error.args, ["3"]);
    assert_eq!(topics(&store).await, before);

    // finished rows are evicted first, the oldest first
    finish_one(&store, finish(run_id(2), tokens[1], t(20))).await;
    finish_one(&store, finish(run_id(1), tokens[0], t(30))).await;
    store.run_begin(fourth).await.unwrap();
    let left = store.run_list(&RunQuery::default()).await.unwrap();
    let left: Vec<_> = left.into_iter().map(|run| run.id).collect();
    assert_eq!(left, [run_id(4), run_id(3), run_id(1)]);
}

#[tokio::test]
async fn s182_a_run_that_is_evicted_leaves_its_instant_in_the_ledger() {
    let store: Store = Arc::new(MemoryStore::new(2));
    let stored = add_job(&store, job("a"), t(1)).await;
    for at in 1..=6 {
        run_through(&store, t(at), t(at + 1)).await;
    }
    let uid = stored.triggers[0].uid;
    let decided = store.ledger_decided(uid, 1).await.unwrap();
    assert_eq!(decided, [range(1, 4), range(5, 5), range(6, 6)]);
}

#[tokio::test]
async fn s181_nothing_outlives_the_store() {
    let store: Store = Arc::new(MemoryStore::new(10));
    add_job(&store, job("a"), t(1)).await;
    drop(store);
    let store: Store = Arc::new(MemoryStore::new(10));
    assert_eq!(store.job_get(&job_name("a")).await.unwrap(), None);
}
