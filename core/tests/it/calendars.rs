//! Exclusion calendars (S79–S88, A22, A23, A67) and their written form.

use chrono::TimeDelta;
use horarium_core::calendar::{Calendar, Calendars};
use proptest::prelude::*;

use crate::support::{at, calendar, calendars, next_with, show};

fn refused(json: &str, word: &str) {
    let error = serde_json::from_str::<Calendar>(json)
        .expect_err(json)
        .to_string();
    assert!(error.contains(word), "{json}: {error}");
}

#[test]
fn s84_a_week_without_days_excludes_the_weekend() {
    let weekend = calendar(r#"{"kind":"weekly"}"#);
    assert!(
        weekend.is_excluded(at("2026-10-03")) && weekend.is_excluded(at("2026-10-04 23:59:59"))
    );
    assert!(
        !weekend.is_excluded(at("2026-10-02 23:59:59")) && !weekend.is_excluded(at("2026-10-05"))
    );
    assert_eq!(
        weekend.next_included(at("2026-10-03 12:00")),
        Some(at("2026-10-05"))
    );
    assert_eq!(
        weekend.previous_included(at("2026-10-03 12:00")),
        Some(at("2026-10-02 23:59:59"))
    );
}

#[test]
fn s85_a_daily_calendar_may_span_midnight() {
    let night = calendar(r#"{"kind":"daily","from":"22:00","to":"06:00"}"#);
    assert!(
        night.is_excluded(at("2026-01-01 22:00")) && night.is_excluded(at("2026-01-01 05:59:59"))
    );
    assert!(
        !night.is_excluded(at("2026-01-01 06:00")) && !night.is_excluded(at("2026-01-01 21:59:59"))
    );
    assert_eq!(
        night.next_included(at("2026-01-01 22:30")),
        Some(at("2026-01-02 06:00"))
    );
    assert_eq!(
        night.next_included(at("2026-01-01 03:00")),
        Some(at("2026-01-01 06:00"))
    );
    assert_eq!(
        night.previous_included(at("2026-01-01 03:00")),
        Some(at("2025-12-31 21:59:59"))
    );
    assert_eq!(
        night.previous_included(at("2026-01-01 23:00")),
        Some(at("2026-01-01 21:59:59"))
    );
}

#[test]
fn s86_a_cron_calendar_excludes_matching_seconds() {
    let hours = calendar(r#"{"kind":"cron","expression":"* * 0-7 * * *"}"#);
    assert!(hours.is_excluded(at("2026-01-01")) && hours.is_excluded(at("2026-01-01 07:59:59")));
    assert!(!hours.is_excluded(at("2026-01-01 08:00")));
    assert_eq!(
        hours.next_included(at("2026-01-01 03:00")),
        Some(at("2026-01-01 08:00"))
    );
    assert_eq!(
        hours.previous_included(at("2026-01-01 03:00")),
        Some(at("2025-12-31 23:59:59"))
    );
}

#[test]
fn a67_exclusion_is_about_wall_time_in_both_passes() {
    let hour = calendar(r#"{"kind":"cron","expression":"* * 2 * * *","zone":"Europe/Berlin"}"#);
    assert!(hour.is_excluded(at("2026-10-25 00:30")) && hour.is_excluded(at("2026-10-25 01:30")));
    assert_eq!(
        hour.next_included(at("2026-10-25 00:30")),
        Some(at("2026-10-25 02:00"))
    );
    assert_eq!(
        hour.previous_included(at("2026-10-25 01:30")),
        Some(at("2026-10-24 23:59:59"))
    );
}

#[test]
fn s87_a_composite_excludes_when_any_member_does() {
    let empty = calendar(r#"{"kind":"composite","members":[]}"#);
    assert!(!empty.is_excluded(at("2026-01-01")));
    assert_eq!(
        empty.next_included(at("2026-01-01")),
        Some(at("2026-01-01"))
    );
    let both = calendar(
        r#"{"kind":"composite","members":[{"kind":"weekly"},{"kind":"daily","from":"18:00","to":"08:00"},{"kind":"holiday","dates":["2026-10-05"]}]}"#,
    );
    assert_eq!(
        both.next_included(at("2026-10-02 18:00")),
        Some(at("2026-10-06 08:00"))
    );
    assert_eq!(
        both.previous_included(at("2026-10-06 07:00")),
        Some(at("2026-10-02 17:59:59"))
    );
}

#[test]
fn s88_the_zone_defaults_to_utc_and_a_holiday_lasts_its_local_day() {
    let plain = calendar(r#"{"kind":"holiday","dates":["2026-10-25"]}"#);
    assert_eq!(
        plain.next_included(at("2026-10-25 12:00")),
        Some(at("2026-10-26"))
    );
    let berlin = calendar(r#"{"kind":"holiday","dates":["2026-10-25"],"zone":"Europe/Berlin"}"#);
    assert_eq!(
        berlin.next_included(at("2026-10-24 22:00")),
        Some(at("2026-10-25 23:00"))
    );
    assert_eq!(
        berlin.previous_included(at("2026-10-25 22:59:59")),
        Some(at("2026-10-24 21:59:59"))
    );
    // The day after is skipped by the zone.
    let apia = calendar(r#"{"kind":"holiday","dates":["2011-12-29"],"zone":"Pacific/Apia"}"#);
    assert_eq!(
        apia.next_included(at("2011-12-29 20:00"))
            .map(show)
            .as_deref(),
        Some("2011-12-30T10:00:00Z")
    );
}

#[test]
fn a23_wrong_calendars_are_refused_with_a_reason() {
    refused(r#"{"kind":"daily","from":"06:00","to":"06:00"}"#, "differ");
    refused(r#"{"kind":"daily","from":"06:00"}"#, "to");
    refused(
        r#"{"kind":"daily","from":"24:00","to":"06:00"}"#,
        "time of day",
    );
    refused(r#"{"kind":"holiday"}"#, "dates");
    refused(r#"{"kind":"holiday","dates":["2026-02-29"]}"#, "2026-02-29");
    refused(r#"{"kind":"holiday","dates":["26-2-2"]}"#, "26-2-2");
    refused(r#"{"kind":"holiday","dates":[],"days":["MON"]}"#, "days");
    refused(r#"{"kind":"weekly","days":["MONDAY"]}"#, "MONDAY");
    refused(r#"{"kind":"weekly","zone":"Mars/Base"}"#, "Mars/Base");
    refused(r#"{"kind":"cron","expression":"60 * * * *"}"#, "60");
    refused(r#"{"kind":"lunar"}"#, "lunar");
    refused(r#"{"kind":"weekly","extra":1}"#, "extra");
    refused(
        r#"{"kind":"composite","members":[{"kind":"lunar"}]}"#,
        "lunar",
    );
}

#[test]
fn calendars_are_read_back_as_they_are_written() {
    let all = calendars(&[
        (
            "a",
            r#"{"type":"holiday","dates":["2026-10-02","2026-10-01","2026-10-01"],"zone":"China Standard Time"}"#,
        ),
        ("b", r#"{"type":"weekly","days":["sun","Mon"]}"#),
        (
            "c",
            r#"{"type":"composite","of":[{"type":"cron","expr":"* * 0-7 * * *"},{"type":"daily","from":"22:00:30","to":"6:00","zone":"Asia/Tokyo"}]}"#,
        ),
    ]);
    let json = serde_json::to_string(&all).expect("serialises");
    assert!(
        json.contains(
            r#""a":{"kind":"holiday","zone":"Asia/Shanghai","dates":["2026-10-01","2026-10-02"]}"#
        ),
        "{json}"
    );
    assert!(
        json.contains(r#"{"kind":"daily","zone":"Asia/Tokyo","from":"22:00:30","to":"06:00"}"#),
        "{json}"
    );
    assert_eq!(
        serde_json::from_str::<Calendars>(&json).expect("reads"),
        all
    );
}

#[test]
fn s47_s80_preview_and_engine_skip_excluded_instants() {
    let rules = calendars(&[("night", r#"{"kind":"daily","from":"00:00","to":"08:00"}"#)]);
    assert_eq!(
        next_with(
            "cron 0 */6 * * * calendar=night",
            &rules,
            "2026-01-01 11:00",
            3
        ),
        [
            "2026-01-01T12:00:00Z",
            "2026-01-01T18:00:00Z",
            "2026-01-02T12:00:00Z"
        ]
    );
    assert_eq!(
        next_with(
            "rate 06:00:00 calendar=night",
            &rules,
            "2026-01-01 11:00",
            3
        ),
        [
            "2026-01-01T12:00:00Z",
            "2026-01-01T18:00:00Z",
            "2026-01-02T12:00:00Z"
        ]
    );
    assert_eq!(
        next_with(
            "every 06:00:00 calendar=night",
            &rules,
            "2026-01-01 11:00",
            2
        ),
        ["2026-01-01T17:00:00Z", "2026-01-01T23:00:00Z"]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The jump lands on the first included instant: it is included, and a walk by minutes finds no earlier one.
    #[test]
    fn a22_jumps_land_where_a_walk_does(
        index in 0_usize..6,
        from in 1_760_000_000_i64..1_800_000_000,
    ) {
        let calendar = calendar([
            r#"{"kind":"weekly","zone":"Europe/Berlin"}"#,
            r#"{"kind":"daily","from":"22:00","to":"03:00","zone":"America/New_York"}"#,
            r#"{"kind":"holiday","dates":["2026-03-29","2026-10-25","2026-06-01"],"zone":"Europe/Berlin"}"#,
            r#"{"kind":"cron","expression":"* * 0-11 * * MON-WED","zone":"Australia/Lord_Howe"}"#,
            r#"{"kind":"cron","expression":"* */2 * * * *"}"#,
            r#"{"kind":"composite","members":[{"kind":"weekly"},{"kind":"daily","from":"17:30","to":"09:15","zone":"Asia/Kathmandu"}]}"#,
        ][index]);
        let from = chrono::DateTime::from_timestamp(from - from % 60, 0).unwrap_or_default();
        let minute = TimeDelta::minutes(1);
        let mut walk = from;
        while calendar.is_excluded(walk) {
            walk += minute;
        }
        prop_assert_eq!(calendar.next_included(from), Some(walk));
        let mut walk = from;
        while calendar.is_excluded(walk) {
            walk -= minute;
        }
        let back = calendar.previous_included(from);
        prop_assert!(back.is_some_and(|back| !calendar.is_excluded(back) && back >= walk && back < walk + minute), "{:?} {:?}", back, walk);
    }
}
