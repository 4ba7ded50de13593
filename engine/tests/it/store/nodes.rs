use horarium_core::state::RunStatus;
use horarium_engine::store::Orphans;
use uuid::Uuid;

use super::{Store, fixture::*};

crate::on_every_store!(
    s175_a_node_is_listed_with_its_last_sign_of_life,
    a8_a_fresh_row_of_another_process_refuses_the_same_id,
    s107_runs_and_claims_of_silent_nodes_are_orphans,
    a_lone_node_finds_everything_that_was_left_behind,
    a_store_that_is_not_shared_lets_the_local_clock_decide,
);

async fn s175_a_node_is_listed_with_its_last_sign_of_life(store: Store) {
    let (one, two) = (Uuid::new_v4(), Uuid::new_v4());
    assert!(
        store
            .node_heartbeat(&node_record("n1", one, t(0)))
            .await
            .unwrap()
    );
    assert!(
        store
            .node_heartbeat(&node_record("n2", two, t(5)))
            .await
            .unwrap()
    );
    let mut again = node_record("n1", one, t(9));
    again.running = 7;
    again.draining = true;
    again.job_types.push("other".to_owned());
    assert!(store.node_heartbeat(&again).await.unwrap());
    let expected = [again, node_record("n2", two, t(5))];
    assert_eq!(store.node_list().await.unwrap(), expected);
    store.node_remove(&node("n1")).await.unwrap();
    assert_eq!(store.node_list().await.unwrap().len(), 1);
}

async fn a8_a_fresh_row_of_another_process_refuses_the_same_id(store: Store) {
    let (one, two) = (Uuid::new_v4(), Uuid::new_v4());
    assert!(
        store
            .node_heartbeat(&node_record("n1", one, t(0)))
            .await
            .unwrap()
    );
    assert!(
        !store
            .node_heartbeat(&node_record("n1", two, t(90)))
            .await
            .unwrap()
    );
    assert_eq!(store.node_list().await.unwrap()[0].incarnation, one);
    // when the first one has been silent for long enough, the id is free
    assert!(
        store
            .node_heartbeat(&node_record("n1", two, t(91)))
            .await
            .unwrap()
    );
    assert!(
        !store
            .node_heartbeat(&node_record("n1", one, t(92)))
            .await
            .unwrap()
    );
    store.node_remove(&node("n1")).await.unwrap();
    assert!(
        store
            .node_heartbeat(&node_record("n1", one, t(93)))
            .await
            .unwrap()
    );
}

async fn s107_runs_and_claims_of_silent_nodes_are_orphans(store: Store) {
    for (name, id, beat) in [("a", "n1", 0), ("b", "n2", 80), ("c", "n3", 999)] {
        add_job(&store, job(name), t(100)).await;
        let mut wish = claim_due(t(100), 1);
        wish.node = node(id);
        store.trigger_claim_due(&wish).await.unwrap();
        let mut begin = direct(name.as_bytes()[0], &job_name(name), true);
        begin.run.node = node(id);
        begun(&store, begin).await;
        if id != "n3" {
            let record = node_record(id, Uuid::new_v4(), t(beat));
            assert!(store.node_heartbeat(&record).await.unwrap());
        }
    }
    // n1 is silent, and n3 has no row any more
    let silent = Orphans::SilentSince(t(80));
    let (runs, claims) = store.orphans(silent).await.unwrap();
    let runs: Vec<_> = runs.iter().map(|run| run.job.to_string()).collect();
    let claims: Vec<_> = claims.iter().map(|c| c.key.job.to_string()).collect();
    assert_eq!((runs, claims), (names(&["a", "c"]), names(&["a", "c"])));
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

async fn a_lone_node_finds_everything_that_was_left_behind(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    add_job(&store, job("b"), t(20)).await;
    let record = node_record("n1", Uuid::new_v4(), t(5));
    store.node_heartbeat(&record).await.unwrap();
    let begun_claim = claim_one(&store, t(10)).await;
    let begin = hold(&begun_claim);
    let id = begin.run.id;
    let token = begun(&store, begin).await;
    let armed = claim_one(&store, t(20)).await;
    let (runs, claims) = store.orphans(Orphans::All).await.unwrap();
    assert_eq!(runs.len(), 1);
    assert_eq!((runs[0].id, runs[0].status), (id, RunStatus::Running));
    assert_eq!(claims, [armed.claim()]);
    assert_eq!(store.trigger_unclaim(&claims).await.unwrap(), 1);
    finish_one(&store, finish(id, token, t(30))).await;
    let (runs, claims) = store.orphans(Orphans::All).await.unwrap();
    assert!(runs.is_empty() && claims.is_empty());
}

async fn a_store_that_is_not_shared_lets_the_local_clock_decide(store: Store) {
    assert!(!store.is_shared());
    assert_eq!(store.now(t(7)).await.unwrap(), t(7));
    assert!(!store.ping().await.unwrap().is_empty());
}
