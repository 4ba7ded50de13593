use horarium_core::{
    query::{JobOrder, JobQuery},
    record::RunError,
    state::{JobOrigin, RunCause, RunStatus, ShownState, TriggerState},
};
use horarium_engine::store::{JobPut, RunFinish, Written};

use super::{Store, fixture::*};

crate::on_every_store!(
    a_job_comes_back_as_it_was_put,
    a_put_that_read_another_version_writes_nothing,
    s131_a_deleted_job_takes_its_triggers_and_leaves_its_runs,
    s131_a_run_of_a_deleted_job_ends_normally,
    a_delete_that_read_another_version_writes_nothing,
    the_list_has_users_triggers_in_the_definition_and_all_beside_it,
    the_list_finds_text_in_any_case_and_takes_wildcards_literally,
    the_list_filters_by_each_key_and_by_all,
    the_list_orders_by_name_next_fire_and_last_run,
    the_pages_of_the_list_add_up_to_the_count,
);

async fn a_job_comes_back_as_it_was_put(store: Store) {
    let mut definition = job("reports.nightly");
    definition.description = Some("Nightly \"report\" – Übersicht".to_owned());
    definition.tags = vec!["night".to_owned(), "pdf".to_owned()];
    definition.timeout = Some(chrono::TimeDelta::minutes(20));
    definition.requests_recovery = true;
    let mut code = definition.clone();
    code.triggers = vec![trigger("old", EVERY_EVENING)];
    let mut b = trigger("b", EVERY_EVENING);
    b.priority = 8;
    b.description = Some("late".to_owned());
    let put = JobPut {
        origin: JobOrigin::Overridden,
        code_definition: Some(code.clone()),
        by: "ada".to_owned(),
        ..job_put(
            definition.clone(),
            vec![
                create(b.clone(), t(20)),
                create(trigger("a", EVERY_MORNING), t(10)),
            ],
        )
    };
    assert_eq!(store.job_put(put).await.unwrap(), Written::Done);

    let stored = get_job(&store, &definition.name).await;
    definition.triggers = vec![trigger("a", EVERY_MORNING), b];
    assert_eq!(stored.definition, definition);
    assert_eq!(stored.origin, JobOrigin::Overridden);
    assert_eq!(stored.fingerprint.as_deref(), Some("print"));
    assert_eq!(stored.code_definition, Some(code));
    assert_eq!((stored.created_at, stored.updated_at), (t(0), t(0)));
    assert_eq!(stored.updated_by, "ada");
    assert_eq!(stored.active_run, None);
    assert_eq!(stored.paused, None);
    let [a, b] = &stored.triggers[..] else {
        panic!("two triggers")
    };
    assert_eq!((a.next_fire_at, b.next_fire_at), (Some(t(10)), Some(t(20))));
    assert_eq!((a.generation, a.watermark, a.fired_count), (1, t(0), 0));
    assert_eq!(a.zone_data, "2026a");
    assert_eq!(a.state, TriggerState::Waiting);
    assert_eq!(store.job_get(&job_name("none")).await.unwrap(), None);
    assert_eq!(topics(&store).await, ["scheduling.job.registered"]);
}

async fn a_put_that_read_another_version_writes_nothing(store: Store) {
    let before = add_job(&store, job("a"), t(10)).await;
    let again = job_put(job("a"), Vec::new());
    assert_eq!(store.job_put(again).await.unwrap(), Written::Stale);
    let mut put = put_again(&before);
    put.expected = Some(before.version + 1);
    assert_eq!(store.job_put(put).await.unwrap(), Written::Stale);
    let mut unknown = put_again(&before);
    unknown.definition.name = job_name("b");
    assert_eq!(store.job_put(unknown).await.unwrap(), Written::Stale);
    assert_eq!(get_job(&store, &job_name("a")).await, before);
    assert_eq!(topics(&store).await.len(), 1);
}

async fn s131_a_deleted_job_takes_its_triggers_and_leaves_its_runs(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    add_job(&store, job("ab"), t(1000)).await;
    let run = run_through(&store, t(10), t(20)).await;
    let manual = once("a", "manual-1", RunCause::Manual, t(15));
    store.trigger_add_once(&[manual]).await.unwrap();
    let stored = get_job(&store, &job_name("a")).await;
    let delete = job_delete(&stored);
    assert_eq!(store.job_delete(delete).await.unwrap(), Written::Done);

    assert_eq!(store.job_get(&job_name("a")).await.unwrap(), None);
    assert!(claim(&store, t(100)).await.is_empty());
    assert!(store.run_get(run).await.unwrap().is_some());
    assert_eq!(get_job(&store, &job_name("ab")).await.triggers.len(), 1);
    let generations = store.ledger_generations().await.unwrap();
    let closed = generations.iter().find(|g| g.key == key("a", "default"));
    assert_eq!(closed.expect("kept").to, Some(t(60)));
}

async fn s131_a_run_of_a_deleted_job_ends_normally(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    let claimed = claim_one(&store, t(10)).await;
    let begin = begin(&claimed, t(20));
    let id = begin.run.id;
    let token = begun(&store, begin).await;
    let stored = get_job(&store, &job_name("a")).await;
    store.job_delete(job_delete(&stored)).await.unwrap();

    let retry = once("a", "retry-1", RunCause::Retry, t(30));
    let finish = RunFinish {
        follow_up: Some(retry),
        ..finish(id, token, t(12))
    };
    store.run_finish(vec![finish]).await.unwrap();
    let run = store.run_get(id).await.unwrap().expect("history stays");
    assert_eq!(run.status, RunStatus::Succeeded);
    assert_eq!(store.job_get(&job_name("a")).await.unwrap(), None);
}

async fn a_delete_that_read_another_version_writes_nothing(store: Store) {
    let before = add_job(&store, job("a"), t(10)).await;
    let mut delete = job_delete(&before);
    delete.expected += 1;
    assert_eq!(store.job_delete(delete).await.unwrap(), Written::Stale);
    let mut delete = job_delete(&before);
    delete.triggers[0].expected += 1;
    assert_eq!(store.job_delete(delete).await.unwrap(), Written::Stale);
    let mut delete = job_delete(&before);
    delete.triggers.clear();
    assert_eq!(store.job_delete(delete).await.unwrap(), Written::Stale);
    let mut delete = job_delete(&before);
    delete.name = job_name("none");
    assert_eq!(store.job_delete(delete).await.unwrap(), Written::Stale);
    assert_eq!(get_job(&store, &job_name("a")).await, before);
}

async fn the_list_has_users_triggers_in_the_definition_and_all_beside_it(store: Store) {
    add_job(&store, job("a"), t(10)).await;
    add_job_with(&store, job("b"), Vec::new()).await;
    let manual = once("a", "manual-1", RunCause::Manual, t(15));
    store.trigger_add_once(&[manual]).await.unwrap();
    let jobs = list(&store, JobQuery::default()).await;
    assert_eq!(jobs.len(), 2);
    assert_eq!(jobs[0].definition.triggers.len(), 1);
    assert_eq!(jobs[0].triggers.len(), 2);
    assert_eq!(jobs[0], get_job(&store, &job_name("a")).await);
    assert!(jobs[1].triggers.is_empty());
}

async fn list(store: &Store, query: JobQuery) -> Vec<horarium_core::record::JobRecord> {
    let query = JobQuery {
        limit: query.limit.max(100),
        ..query
    };
    let jobs = store.job_list(&query).await.unwrap();
    let count = store.job_count(&query).await.unwrap();
    assert_eq!(count, i64::try_from(jobs.len()).unwrap());
    jobs
}

async fn names(store: &Store, query: JobQuery) -> Vec<String> {
    let jobs = list(store, query).await;
    jobs.into_iter()
        .map(|job| job.definition.name.to_string())
        .collect()
}

async fn the_list_finds_text_in_any_case_and_takes_wildcards_literally(store: Store) {
    let mut a = job("reports.nightly");
    a.description = Some("100% of ÜBERSICHT".to_owned());
    let mut b = job("sync_all");
    b.tags = vec!["Back\\slash".to_owned()];
    let mut c = job("other");
    c.job_type = "command:backup".to_owned();
    for definition in [a, b, c] {
        add_job_with(&store, definition, Vec::new()).await;
    }
    for (text, expected) in [
        ("NIGHT", vec!["reports.nightly"]),
        ("übersicht", vec!["reports.nightly"]),
        ("%", vec!["reports.nightly"]),
        ("_", vec!["sync_all"]),
        ("k\\s", vec!["sync_all"]),
        ("backup", vec!["other"]),
        ("t%y", vec![]),
        ("", vec!["other", "reports.nightly", "sync_all"]),
    ] {
        let query = JobQuery {
            text: text.to_owned(),
            ..JobQuery::default()
        };
        assert_eq!(names(&store, query).await, expected, "{text:?}");
    }
}

async fn the_list_filters_by_each_key_and_by_all(store: Store) {
    let mut a = job("a");
    a.tags = vec!["x".to_owned(), "y".to_owned()];
    add_job(&store, a, t(10)).await;
    let id = run_through(&store, t(10), t(1000)).await;
    assert!(store.run_get(id).await.unwrap().is_some());
    let mut b = job("b");
    b.job_type = "other".to_owned();
    let put = JobPut {
        origin: JobOrigin::Runtime,
        ..job_put(b, vec![create(trigger("default", EVERY_MORNING), t(10))])
    };
    store.job_put(put).await.unwrap();
    store
        .job_set_paused(&[job_name("b")], Some(&pause(None)), t(5))
        .await
        .unwrap();

    let all = JobQuery::default();
    let by_state = |state| JobQuery {
        state: Some(state),
        ..all.clone()
    };
    assert_eq!(names(&store, by_state(ShownState::Waiting)).await, ["a"]);
    assert_eq!(names(&store, by_state(ShownState::Paused)).await, ["b"]);
    assert!(names(&store, by_state(ShownState::Error)).await.is_empty());
    let by_origin = JobQuery {
        origin: Some(JobOrigin::Runtime),
        ..all.clone()
    };
    assert_eq!(names(&store, by_origin).await, ["b"]);
    let by_type = JobQuery {
        job_type: Some("other".to_owned()),
        ..all.clone()
    };
    assert_eq!(names(&store, by_type).await, ["b"]);
    let by_tag = JobQuery {
        tag: Some("y".to_owned()),
        ..all.clone()
    };
    assert_eq!(names(&store, by_tag).await, ["a"]);
    let by_status = |status| JobQuery {
        last_status: Some(status),
        ..all.clone()
    };
    assert_eq!(names(&store, by_status(RunStatus::Succeeded)).await, ["a"]);
    assert!(names(&store, by_status(RunStatus::Failed)).await.is_empty());
    let by_all = JobQuery {
        text: "A".to_owned(),
        state: Some(ShownState::Waiting),
        origin: Some(JobOrigin::Code),
        job_type: Some("http".to_owned()),
        tag: Some("x".to_owned()),
        last_status: Some(RunStatus::Succeeded),
        ..all
    };
    assert_eq!(names(&store, by_all).await, ["a"]);
}

async fn the_list_orders_by_name_next_fire_and_last_run(store: Store) {
    add_job(&store, job("c"), t(30)).await;
    add_job_with(&store, job("a"), Vec::new()).await;
    add_job(&store, job("b"), t(10)).await;
    let token = begun(&store, direct(1, &job_name("c"), false)).await;
    begun(&store, direct(2, &job_name("a"), false)).await;
    let failed = RunFinish {
        status: RunStatus::Failed,
        error: Some(RunError {
            code: "X".to_owned(),
            message: "no".to_owned(),
        }),
        ..finish(run_id(1), token, t(50))
    };
    store.run_finish(vec![failed]).await.unwrap();
    let by = |order| JobQuery {
        order,
        ..JobQuery::default()
    };
    assert_eq!(names(&store, by(JobOrder::Name)).await, ["a", "b", "c"]);
    assert_eq!(names(&store, by(JobOrder::NextFire)).await, ["b", "c", "a"]);
    assert_eq!(names(&store, by(JobOrder::LastRun)).await, ["a", "c", "b"]);
}

async fn the_pages_of_the_list_add_up_to_the_count(store: Store) {
    for number in 0..25 {
        add_job_with(&store, job(&format!("job-{number:02}")), Vec::new()).await;
    }
    let mut seen = Vec::new();
    for page in 0..4 {
        let query = JobQuery {
            skip: page * 10,
            limit: 10,
            ..JobQuery::default()
        };
        let jobs = store.job_list(&query).await.unwrap();
        assert_eq!(store.job_count(&query).await.unwrap(), 25);
        seen.extend(jobs.into_iter().map(|j| j.definition.name.to_string()));
    }
    let expected: Vec<_> = (0..25).map(|n| format!("job-{n:02}")).collect();
    assert_eq!(seen, expected);
}
