use chrono::TimeDelta;
use horarium_core::{
    fingerprint::fingerprint, job::JobDefinition, retry::RetryPolicy, state::MisfirePolicy,
};
use serde_json::json;

use crate::job;

fn whole() -> JobDefinition {
    let mut job = job("report", "cron 0 0 6 * * *");
    job.data = json!({ "b": 1, "a": { "y": 1, "x": 2 } })
        .as_object()
        .cloned()
        .unwrap();
    job.triggers.push(job.triggers[0].clone());
    job.triggers[1].name = "second".parse().unwrap();
    job
}

#[test]
fn s153_changing_any_part_changes_the_fingerprint() {
    type Change = fn(&mut JobDefinition);
    let changes: [(&str, Change); 14] = [
        ("type", |j| j.job_type = "command:x".into()),
        ("data", |j| drop(j.data.insert("b".into(), json!(2)))),
        ("allow_concurrent", |j| j.allow_concurrent = true),
        ("run_on_every_instance", |j| j.run_on_every_instance = true),
        ("requests_recovery", |j| j.requests_recovery = true),
        ("description", |j| j.description = Some("x".into())),
        ("retry", |j| {
            j.retry = Some(RetryPolicy::fixed(1, TimeDelta::seconds(1)).unwrap())
        }),
        ("timeout", |j| j.timeout = Some(TimeDelta::seconds(1))),
        ("trigger name", |j| {
            j.triggers[0].name = "other".parse().unwrap()
        }),
        ("schedule", |j| {
            j.triggers[0].schedule = "cron 0 0 7 * * *".parse().unwrap()
        }),
        ("trigger data", |j| {
            drop(j.triggers[0].data.insert("k".into(), json!(1)))
        }),
        ("priority", |j| j.triggers[0].priority = 6),
        ("misfire", |j| j.triggers[0].misfire = MisfirePolicy::Skip),
        ("trigger description", |j| {
            j.triggers[0].description = Some("x".into())
        }),
    ];
    let before = fingerprint(&whole());
    assert_eq!(before.len(), 64);
    for (part, change) in changes {
        let mut changed = whole();
        change(&mut changed);
        assert_ne!(fingerprint(&changed), before, "{part}");
    }
}

#[test]
fn a41_order_and_empty_optional_fields_do_not_matter() {
    let mut same = whole();
    same.triggers.reverse();
    same.data = json!({ "a": { "x": 2, "y": 1 }, "b": 1 })
        .as_object()
        .cloned()
        .unwrap();
    same.description = Some(String::new());
    assert_eq!(fingerprint(&same), fingerprint(&whole()));
}

#[test]
fn s154_the_fingerprint_of_a_plain_job_is_fixed_for_ever() {
    let pinned = "2d46bd45af972b3c810c5544dfc14fa8f2e28080377bdcc4bf2fb658df8be557";
    assert_eq!(fingerprint(&job("report", "cron 0 0 6 * * *")), pinned);
}
