use chrono::TimeDelta;
use horarium_core::{
    calendar::Calendars,
    fires::NextFire,
    misfire::{Decision, Due, Range, decide, first_fire},
    schedule::Schedule,
    state::MisfirePolicy,
};

use crate::at;

fn decision(policy: MisfirePolicy, schedule: &str, nominal: &str, now: &str) -> Decision {
    let schedule: Schedule = schedule.parse().unwrap();
    let calendars = Calendars::default();
    let threshold = TimeDelta::seconds(60);
    decide(
        Due {
            schedule: &schedule,
            calendars: &calendars,
            policy,
            nominal_at: at(nominal),
            threshold,
        },
        at(now),
    )
}

const HOURLY: &str = "cron 0 0 * * * *";

#[test]
fn s90_the_threshold_is_exceeded_only_beyond_it() {
    for (now, missed) in [
        ("2026-06-01T01:01:00Z", false),
        ("2026-06-01T01:01:00.001Z", true),
    ] {
        let Decision::Fire { scheduled_at, .. } =
            decision(MisfirePolicy::RunOnce, HOURLY, "2026-06-01T01:00:00Z", now)
        else {
            panic!("RunOnce always fires");
        };
        assert_eq!(scheduled_at == at(now), missed, "{now}");
    }
}

#[test]
fn s93_run_once_stands_for_everything_missed() {
    let decided = decision(
        MisfirePolicy::RunOnce,
        HOURLY,
        "2026-06-01T01:00:00Z",
        "2026-06-01T05:30:00Z",
    );
    assert_eq!(
        decided,
        Decision::Fire {
            nominal_at: at("2026-06-01T05:00:00Z"),
            scheduled_at: at("2026-06-01T05:30:00Z"),
            merged: Some(Range {
                from: at("2026-06-01T01:00:00Z"),
                to: at("2026-06-01T04:00:00Z")
            }),
            next: NextFire::At(at("2026-06-01T06:00:00Z")),
        }
    );
    let one = decision(
        MisfirePolicy::RunOnce,
        HOURLY,
        "2026-06-01T05:00:00Z",
        "2026-06-01T05:30:00Z",
    );
    assert!(
        matches!(one, Decision::Fire { merged: None, .. }),
        "{one:?}"
    );
}

#[test]
fn s94_skip_goes_on_from_now() {
    let decided = decision(
        MisfirePolicy::Skip,
        HOURLY,
        "2026-06-01T01:00:00Z",
        "2026-06-01T05:30:00Z",
    );
    assert_eq!(
        decided,
        Decision::Skip {
            skipped: Range {
                from: at("2026-06-01T01:00:00Z"),
                to: at("2026-06-01T05:00:00Z")
            },
            next: NextFire::At(at("2026-06-01T06:00:00Z")),
        }
    );
}

#[test]
fn s95_run_all_takes_the_oldest_and_leaves_the_rest() {
    let decided = decision(
        MisfirePolicy::RunAll,
        HOURLY,
        "2026-06-01T01:00:00Z",
        "2026-06-01T05:30:00Z",
    );
    assert_eq!(
        decided,
        Decision::Fire {
            nominal_at: at("2026-06-01T01:00:00Z"),
            scheduled_at: at("2026-06-01T01:00:00Z"),
            merged: None,
            next: NextFire::At(at("2026-06-01T02:00:00Z")),
        }
    );
}

#[test]
fn of_an_interval_only_one_instant_can_be_missed() {
    let decided = decision(
        MisfirePolicy::RunOnce,
        "every 00:10:00",
        "2026-06-01T01:00:00Z",
        "2026-06-01T05:30:00Z",
    );
    let Decision::Fire {
        nominal_at,
        scheduled_at,
        merged,
        ..
    } = decided
    else {
        panic!("RunOnce always fires")
    };
    assert_eq!(
        (nominal_at, scheduled_at, merged),
        (at("2026-06-01T01:00:00Z"), at("2026-06-01T05:30:00Z"), None)
    );
}

#[test]
fn a13_s41_the_first_fire_lies_after_the_making() {
    let first = |schedule: &str| {
        first_fire(
            &schedule.parse().unwrap(),
            &Calendars::default(),
            at("2026-06-01T10:30:00Z"),
        )
        .unwrap()
    };
    assert_eq!(
        first("every 00:10:00"),
        NextFire::At(at("2026-06-01T10:40:00Z"))
    );
    assert_eq!(
        first("every 00:10:00 start=2026-06-01T12:00:00Z"),
        NextFire::At(at("2026-06-01T12:10:00Z"))
    );
    assert_eq!(
        first("every 00:10:00 start=2026-06-01T10:00:00Z"),
        NextFire::At(at("2026-06-01T10:40:00Z"))
    );
    assert_eq!(first(HOURLY), NextFire::At(at("2026-06-01T11:00:00Z")));
    assert!(matches!(
        first("once 2026-06-01T10:00:00Z"),
        NextFire::None(_)
    ));
}

#[test]
fn a17_an_excluded_once_is_refused() {
    let calendars: Calendars = serde_json::from_str(
        r#"{ "days": { "kind": "holiday", "dates": ["2026-10-01"], "zone": "UTC" } }"#,
    )
    .unwrap();
    let refused = first_fire(
        &"once 2026-10-01T09:00:00Z calendar=days".parse().unwrap(),
        &calendars,
        at("2026-06-01T00:00:00Z"),
    );
    assert_eq!(
        refused.unwrap_err().code.as_str(),
        "SCHEDULING_VALIDATION_001"
    );
}
