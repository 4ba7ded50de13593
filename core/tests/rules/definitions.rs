use chrono::TimeDelta;
use horarium_core::{
    data,
    job::JobDefinition,
    names::TriggerName,
    query::{JobQuery, RunQuery},
    state::MisfirePolicy,
};
use serde_json::json;

use crate::job;

fn problems(job: &JobDefinition) -> Vec<String> {
    job.problems(|calendar| calendar.as_str() == "known")
}

#[test]
fn s20_s28_to_s36_the_defaults() {
    let cron = job("report", "cron 0 0 6 * * *");
    assert_eq!(cron.triggers.len(), 1);
    let trigger = &cron.triggers[0];
    assert_eq!(
        (trigger.name.as_str(), trigger.priority, trigger.misfire),
        ("default", 5, MisfirePolicy::RunOnce)
    );
    let manual = job("report", "manual");
    assert!(manual.triggers.is_empty());
    assert!(!manual.allow_concurrent && !manual.run_on_every_instance && !manual.requests_recovery);
    assert_eq!(
        (
            manual.retry.clone(),
            manual.timeout,
            manual.description.clone()
        ),
        (None, None, None)
    );
    assert!(problems(&cron).is_empty());
}

#[test]
fn s26_s33_s37_s89_every_broken_rule_is_named_at_once() {
    let mut broken = job("new", "cron 0 0 6 * * * calendar=unknown");
    broken.triggers.push(broken.triggers[0].clone());
    broken.triggers[1].schedule = "manual".parse().unwrap();
    let mut engine = broken.triggers[0].clone();
    engine.name = TriggerName::try_from("retry-1").unwrap();
    engine.schedule = "cron 0 0 6 * * * calendar=known".parse().unwrap();
    broken.triggers.push(engine);
    broken.timeout = Some(TimeDelta::zero());
    broken.job_type = " ".to_owned();
    let text = problems(&broken).join("\n");
    for part in [
        "'new' is reserved",
        "no type",
        "timeout",
        "two triggers named 'default'",
        "manual schedule",
        "'retry-'",
        "'unknown'",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains("'known'"));
}

#[test]
fn s33_the_limit_of_the_time_limit() {
    let mut limited = job("report", "manual");
    for (timeout, ok) in [
        (TimeDelta::days(30), true),
        (TimeDelta::days(30) + TimeDelta::milliseconds(1), false),
    ] {
        limited.timeout = Some(timeout);
        assert_eq!(problems(&limited).is_empty(), ok);
    }
}

#[test]
fn s17_a38_data_is_merged_shallow_and_null_replaces() {
    let object = |json: serde_json::Value| json.as_object().cloned().unwrap();
    let job = object(json!({ "format": "pdf", "a": 1, "deep": { "x": 1, "y": 2 }, "gone": 1 }));
    let trigger = object(json!({ "format": "xlsx", "deep": { "x": 3 } }));
    let request = object(json!({ "a": 2, "gone": null }));
    let merged = data::merge([&job, &trigger, &request]);
    assert_eq!(
        serde_json::Value::Object(merged),
        json!({ "format": "xlsx", "a": 2, "deep": { "x": 3 }, "gone": null })
    );
    assert!(data::merge([]).is_empty(), "S18");
}

#[test]
fn s148_s149_paging_is_checked_when_it_is_asked_for() {
    let run = |skip, limit| {
        RunQuery {
            skip,
            limit,
            ..RunQuery::default()
        }
        .validate()
        .map_err(|e| e.code.as_str())
    };
    assert_eq!(RunQuery::default().limit, 100);
    assert_eq!(run(0, 1000), Ok(()));
    for bad in [(-1, 100), (0, 0), (0, 1001)] {
        assert_eq!(
            run(bad.0, bad.1),
            Err("SCHEDULING_VALIDATION_002"),
            "{bad:?}"
        );
    }
    assert!(
        JobQuery {
            limit: 50,
            ..JobQuery::default()
        }
        .validate()
        .is_ok()
    );
}

#[test]
fn a_definition_survives_its_json() {
    let mut whole = job("report", "cron 0 0 6 * * MON-FRI tz=Asia/Shanghai");
    whole.retry = Some(
        horarium_core::retry::RetryPolicy::exponential(
            3,
            TimeDelta::minutes(1),
            Some(TimeDelta::minutes(30)),
        )
        .unwrap(),
    );
    whole.timeout = Some(TimeDelta::minutes(20));
    whole.data = json!({ "url": "http://127.0.0.1/" })
        .as_object()
        .cloned()
        .unwrap();
    let text = serde_json::to_string(&whole).unwrap();
    assert_eq!(serde_json::from_str::<JobDefinition>(&text).unwrap(), whole);
}
