//! Sentences, warnings, distances and comparisons (S63, S302–S304, A20, A21).

use chrono::TimeDelta;
use horarium_core::calendar::Calendars;
use horarium_core::cron::{CronExpression, Dialect};
use horarium_core::describe::{readings, sentence};
use horarium_core::warnings::{compare, gaps, warnings};

use crate::support::{at, calendars, cron, parse};

fn keys(text: &str, from: &str) -> Vec<&'static str> {
    warnings(&parse(text), &Calendars::new(), at(from))
        .into_iter()
        .map(|warning| warning.key)
        .collect()
}

fn text_of(schedule: &str, from: &str, key: &str) -> String {
    let list = warnings(&parse(schedule), &Calendars::new(), at(from));
    list.into_iter()
        .find(|warning| warning.key == key)
        .map(|warning| warning.text)
        .unwrap_or_default()
}

#[test]
fn sentences_say_what_a_schedule_does() {
    for (text, expected) in [
        (
            "cron 30 2 * * * tz=Europe/Berlin",
            "At 02:30 every day, Europe/Berlin",
        ),
        (
            "cron 0 0 9 * * MON-FRI tz=Asia/Shanghai",
            "At 09:00 on Monday to Friday, Asia/Shanghai",
        ),
        ("cron */15 * * * *", "Every 15 minutes, UTC"),
        ("cron * * * * * *", "Every second, UTC"),
        ("cron */10 * * * * *", "Every 10 seconds, UTC"),
        ("cron 5 * * * *", "Every hour at minute 5, UTC"),
        (
            "cron */15 9-17 * * MON-FRI",
            "Every 15 minutes between 09:00 and 17:59 on Monday to Friday, UTC",
        ),
        (
            "cron 0 9-17 * * *",
            "Every hour between 09:00 and 17:00, UTC",
        ),
        (
            "cron 0 */6 * * *",
            "At 00:00, 06:00, 12:00 and 18:00 every day, UTC",
        ),
        (
            "cron 0 0 22 L * ?",
            "At 22:00 on the last day of the month, UTC",
        ),
        (
            "cron 0 0 13 * FRI",
            "At 00:00 on days that match either: on day 13 of the month or on Friday, UTC",
        ),
        (
            "cron 0 0 9 ? * FRI#2",
            "At 09:00 on the second Friday of the month, UTC",
        ),
        (
            "cron 0 0 0 1 1,7 ? 2030",
            "At 00:00 on day 1 of the month in January and July in 2030, UTC",
        ),
        ("cron 0 0 31 2 *", "Never: no such date exists, UTC"),
        (
            "every 00:10:00 x5",
            "10 minutes after the previous run has ended, 5 runs in all",
        ),
        (
            "rate 01:30:00 calendar=cn",
            "Every 1 hour 30 minutes, however long a run takes, except when cn excludes it",
        ),
        ("once 2026-10-01T00:00:00Z", "Once, at 2026-10-01T00:00:00Z"),
        ("manual", "Only by hand"),
    ] {
        assert_eq!(sentence(&parse(text)), expected);
    }
}

#[test]
fn every_field_has_a_reading_with_its_place() {
    let expression = cron("0 30 9,17 LW,15W JAN-MAR FRIL 2030");
    let list = readings(&expression);
    let shown: Vec<_> = list
        .iter()
        .map(|field| {
            (
                &expression.as_str()[field.at.clone()],
                field.reading.to_string(),
            )
        })
        .collect();
    let expected = [
        ("0", "second 0"),
        ("30", "minute 30"),
        ("9,17", "hour 9 and 17"),
        (
            "LW,15W",
            "on days that match either: on the working day nearest to day 15 of the month or on the last working day of the month",
        ),
        ("JAN-MAR", "in January to March"),
        ("FRIL", "on the last Friday of the month"),
        ("2030", "in 2030"),
    ];
    assert_eq!(
        shown,
        expected.map(|(text, reading)| (text, reading.to_owned()))
    );
    let quartz = CronExpression::parse("0 0 9 ? * 2-6", Dialect::Quartz).expect("quartz");
    assert_eq!(
        readings(&quartz)[5].reading.to_string(),
        "on Monday to Friday"
    );
}

#[test]
fn s63_weekday_digits_show_the_quartz_reading() {
    let text = text_of("cron 0 0 9 ? * 2-6", "2026-06-01", "weekday_digits");
    assert!(
        text.contains("2-6 means TUE, WED, THU, FRI, SAT")
            && text.contains("Quartz would read it as MON, TUE, WED, THU, FRI"),
        "{text}"
    );
    assert!(
        text_of("cron 0 9 * * 0", "2026-06-01", "weekday_digits")
            .contains("Quartz would refuse it")
    );
    assert!(keys("cron 0 0 9 ? * MON-FRI", "2026-06-01").is_empty());
    assert!(keys("cron 0 0 9 ? * FRI#2", "2026-06-01").is_empty());
    assert!(
        text_of(
            "cron 0 0 9 ? * 2-6 dialect=quartz",
            "2026-06-01",
            "weekday_digits"
        )
        .contains("Horarium would read it as TUE")
    );
}

#[test]
fn s302_uneven_steps_show_the_real_distances() {
    let text = text_of("cron 0/35 * * * *", "2026-06-01", "uneven_step");
    assert!(
        text.contains("0, 35") && text.contains("35 minutes") && text.contains("25"),
        "{text}"
    );
    assert!(keys("cron */45 * * * *", "2026-06-01").contains(&"uneven_step"));
    assert!(!keys("cron */15 * * * *", "2026-06-01").contains(&"uneven_step"));
    assert!(!keys("cron 5/20 * * * *", "2026-06-01").contains(&"uneven_step"));
    assert!(keys("cron 0 0 */2 * *", "2026-06-01").contains(&"day_step"));
}

#[test]
fn s70_both_day_fields() {
    assert!(keys("cron 0 0 13 * FRI", "2026-06-01").contains(&"either_day"));
    assert!(!keys("cron 0 0 13 * ?", "2026-06-01").contains(&"either_day"));
}

#[test]
fn a20_never_and_far_away() {
    assert_eq!(keys("cron 0 0 31 2 *", "2026-06-01"), ["never"]);
    assert_eq!(keys("cron 0 0 0 1 1 ? 2040", "2026-06-01"), ["far"]);
    assert_eq!(
        keys("cron 0 0 0 29 2 MON dialect=spring", "2026-06-01"),
        ["not_within_five_years"]
    );
    assert_eq!(
        keys("cron 0 0 * * * calendar=lost", "2026-06-01"),
        ["calendar.unknown"]
    );
    let all = calendars(&[("all", r#"{"kind":"cron","expression":"* * * * * *"}"#)]);
    let list = warnings(
        &parse("cron 0 0 * * * calendar=all"),
        &all,
        at("2026-06-01"),
    );
    assert_eq!(
        list.iter().map(|warning| warning.key).collect::<Vec<_>>(),
        ["calendar.exhausted"]
    );
}

#[test]
fn a21_silent_hours_and_lost_fires() {
    let text = text_of(
        "cron */15 * * * * tz=Europe/Berlin",
        "2026-06-01",
        "silent_hour",
    );
    assert!(
        text.contains("2026-10-25T01:00:00Z")
            && text.contains("2026-10-25T02:00:00Z")
            && text.contains("4 local times"),
        "{text}"
    );
    assert!(
        !keys(
            "cron */15 * * * * tz=Europe/Berlin overlap=auto",
            "2026-06-01"
        )
        .contains(&"silent_hour")
    );
    let text = text_of(
        "cron 30 2 * * * tz=Europe/Berlin",
        "2026-12-01",
        "lost_fire",
    );
    assert!(
        text.contains("2027-03-28 02:30:00") && text.contains("does not exist"),
        "{text}"
    );
    assert!(
        !keys("cron 30 2 * * * tz=Europe/Berlin gap=shift", "2026-12-01").contains(&"lost_fire")
    );
    assert!(!keys("cron */15 * * * * tz=Europe/Berlin", "2026-12-01").contains(&"lost_fire"));
    assert!(keys("cron 0 12 * * * tz=Europe/Berlin", "2026-10-20").contains(&"clock_change"));
}

#[test]
fn distances_are_measured_over_a_bounded_sample() {
    let measure = |text: &str| gaps(&parse(text), &Calendars::new(), at("2026-06-01"));
    let found = measure("cron 0/35 * * * *").expect("fires");
    assert_eq!(
        (found.shortest, found.longest),
        (TimeDelta::minutes(25), TimeDelta::minutes(35))
    );
    assert!(
        (found.per_day - 48.0).abs() < 0.1 && (found.per_week - 336.0).abs() < 1.0,
        "{found:?}"
    );
    assert_eq!(
        measure("cron * * * * * *").map(|found| found.fires),
        Some(2001)
    );
    assert_eq!(measure("cron 0 0 29 2 *").map(|found| found.fires), Some(2));
    assert_eq!(measure("once 2027-01-01T00:00:00Z"), None);
}

#[test]
fn s304_comparison_of_two_schedules() {
    let (before, after) = (parse("cron 0 3 * * *"), parse("cron 0 3,15 * * MON-FRI"));
    let found = compare(
        &before,
        &after,
        &Calendars::new(),
        at("2026-06-05"),
        at("2026-06-08 12:00"),
        100,
    );
    assert_eq!(found.kept, [at("2026-06-05 03:00"), at("2026-06-08 03:00")]);
    assert_eq!(
        found.removed,
        [at("2026-06-06 03:00"), at("2026-06-07 03:00")]
    );
    assert_eq!(found.added, [at("2026-06-05 15:00")]);
    let cut = compare(
        &parse("cron * * * * * *"),
        &before,
        &Calendars::new(),
        at("2026-06-05"),
        at("2026-06-08"),
        10,
    );
    assert_eq!(
        (cut.removed.len(), cut.added.len(), cut.until),
        (10, 0, Some(at("2026-06-05 00:00:10")))
    );
}
