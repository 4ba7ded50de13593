//! The canonical text of schedules (S38, S48–S50, A9–A11, A21).

use chrono::{DateTime, TimeDelta};
use horarium_core::cron::{CronExpression, Dialect};
use horarium_core::interval::{format_duration, format_interval, parse_duration, parse_interval};
use horarium_core::schedule::{CronSchedule, Gap, Overlap, Schedule, ScheduleKind};
use horarium_core::zone::Zone;
use proptest::prelude::*;

use crate::support::{name, parse, zone};

fn prints(text: &str, canonical: &str) {
    let schedule = parse(text);
    assert_eq!(schedule.to_string(), canonical);
    assert_eq!(parse(canonical), schedule);
}

fn refused(text: &str, wrong: &str) -> String {
    let error = text.parse::<Schedule>().expect_err(text);
    assert_eq!(&text[error.at.clone()], wrong, "{text}: {error}");
    assert!(error.message.ends_with('.'), "{}", error.message);
    error.suggestion.unwrap_or_default()
}

#[test]
fn s48_canonical_texts_print_as_they_are() {
    for text in [
        "manual",
        "manual start=2026-01-01T00:00:00Z",
        "once 2026-10-01T00:00:00Z",
        "once 2026-10-01T00:00:00.250Z",
        "every 00:10:00",
        "every 00:10:00 x5",
        "every 1.06:00:00.500 x1 start=2026-01-01T00:00:00Z end=2027-01-01T00:00:00Z calendar=a.b-c",
        "rate 00:35:00",
        "rate 00:35:00 calendar=x anchor=2026-01-01T00:05:00Z",
        "cron 0 0 9 * * MON-FRI tz=Asia/Shanghai",
        "cron 0 3 * * *",
        "cron 0 0 1 1 * tz=+08:00 start=2026-01-01T00:00:00Z end=2026-12-31T00:00:00Z calendar=cn overlap=auto gap=shift dialect=unix",
        "cron @daily dialect=unix",
        "cron 0 0 9 ? * 2-6 dialect=quartz",
    ] {
        prints(text, text);
    }
}

#[test]
fn a9_tails_may_stand_in_any_order_and_print_in_one() {
    prints(
        "cron 0  3 * * *  gap=end calendar=x tz=europe/berlin start=2026-01-01T01:00:00+01:00",
        "cron 0 3 * * * tz=Europe/Berlin start=2026-01-01T00:00:00Z calendar=x gap=end",
    );
    prints(
        "cron 0 3 * * * tz=UTC overlap=first gap=skip dialect=horarium",
        "cron 0 3 * * *",
    );
    prints("cron 0 3 * * * tz=", "cron 0 3 * * *");
}

#[test]
fn s43_windows_zone_ids_hold_blanks_and_mean_their_iana_zone() {
    prints(
        "cron 0 3 * * * tz=China Standard Time calendar=x",
        "cron 0 3 * * * tz=Asia/Shanghai calendar=x",
    );
    prints(
        "cron 0 3 * * * tz=W. Europe Standard Time",
        "cron 0 3 * * * tz=Europe/Berlin",
    );
    assert_eq!(
        refused(
            "cron 0 3 * * * tz=Mars/Base start=2026-01-01T00:00:00Z",
            "Mars/Base"
        ),
        ""
    );
    assert_eq!(
        refused("cron 0 3 * * * tz=Europe/Berlim", "Europe/Berlim"),
        "cron 0 3 * * * tz=Europe/Berlin"
    );
}

#[test]
fn s49_bad_texts_name_the_place() {
    refused("", "");
    refused("sometimes", "sometimes");
    refused("manual x", "x");
    refused("once", "once");
    refused("once tomorrow", "tomorrow");
    refused("every", "every");
    refused("every 00:00:00", "00:00:00");
    refused("every 00:60:00", "00:60:00");
    refused("every 00:10:00 x0", "x0");
    refused("every 00:10:00 5", "5");
    refused("every 00:10:00 x5 x6", "x6");
    refused("every 00:10:00 tz=UTC", "tz=UTC");
    refused("cron", "cron");
    refused("cron 0 3 * * * foo=1", "foo");
    refused(
        "cron 0 3 * * * start=2026-01-01T00:00:00Z start=2026-01-01T00:00:00Z",
        "start",
    );
    refused("cron 0 3 * * * start=soon", "soon");
    refused("cron 0 3 * * * calendar=Bad", "Bad");
    refused("cron 0 3 * * * calendar=", "calendar=");
    refused("cron 0 3 * * * overlap=never", "never");
    refused("cron 0 3 * * * dialect=perl", "perl");
    refused("cron 0 3 * * * calendar=x more", "more");
    refused(
        "rate 00:10:00 start=2027-01-01T00:00:00Z end=2026-01-01T00:00:00Z",
        "rate 00:10:00 start=2027-01-01T00:00:00Z end=2026-01-01T00:00:00Z",
    );
}

#[test]
fn s72_the_place_of_a_cron_error_is_in_the_whole_text() {
    assert_eq!(
        refused("cron 0 22-2 * * * tz=Europe/Berlin", "22-2"),
        "cron 0 22-23,0-2 * * * tz=Europe/Berlin"
    );
    assert_eq!(refused("0 3 * * *", "0"), "cron 0 3 * * *");
    assert_eq!(refused("every 10m", "10m"), "every 00:10:00");
    assert_eq!(refused("Every 00:10:00", "Every"), "every 00:10:00");
}

#[test]
fn lenient_reading_takes_a_bare_expression() {
    let lenient = |text: &str| {
        Schedule::parse_lenient(text, Dialect::Horarium, &zone("Europe/Berlin"))
            .map(|schedule| schedule.to_string())
    };
    assert_eq!(
        lenient("0 3 * * *").as_deref(),
        Ok("cron 0 3 * * * tz=Europe/Berlin")
    );
    assert_eq!(
        lenient("0 3 * * * tz=Asia/Tokyo").as_deref(),
        Ok("cron 0 3 * * * tz=Asia/Tokyo")
    );
    assert_eq!(
        lenient("cron 0 3 * * *").as_deref(),
        Ok("cron 0 3 * * * tz=Europe/Berlin")
    );
    assert_eq!(lenient("every 00:10:00").as_deref(), Ok("every 00:10:00"));
    let error = Schedule::parse_lenient("*/0 * * * *", Dialect::Horarium, &Zone::utc())
        .expect_err("step zero");
    assert_eq!(error.at, 2..3);
    assert!(Schedule::parse_lenient("0 9 ? * 2-6", Dialect::Quartz, &Zone::utc()).is_err());
}

#[test]
fn schedules_serialise_as_text() {
    let schedule = parse("every 00:10:00 x5");
    let json = serde_json::to_string(&schedule).expect("serialises");
    assert_eq!(json, "\"every 00:10:00 x5\"");
    assert_eq!(
        serde_json::from_str::<Schedule>(&json).expect("reads"),
        schedule
    );
}

#[test]
fn a9_intervals() {
    for text in [
        "00:00:00.001",
        "00:10:00",
        "23:59:59.999",
        "1.00:00:00",
        "36525.00:00:00",
    ] {
        assert_eq!(
            parse_interval(text).map(format_interval).as_deref(),
            Ok(text)
        );
    }
    assert_eq!(
        parse_interval("0:0:1.5").map(format_interval).as_deref(),
        Ok("00:00:01.500")
    );
    for text in [
        "",
        "10",
        "00:00:00",
        "24:00:00",
        "00:00:60",
        "1.2.3",
        "-00:01:00",
        "00:00:01.1234",
        "99999.00:00:00",
        "00:00",
        "１:00:00",
    ] {
        assert!(parse_interval(text).is_err(), "{text}");
    }
}

#[test]
fn short_durations() {
    for (text, seconds) in [
        ("30s", 30),
        ("20m", 1200),
        ("1h30m", 5400),
        ("2d", 172_800),
        ("1w", 604_800),
        ("0s", 0),
    ] {
        assert_eq!(
            parse_duration(text),
            Ok(TimeDelta::seconds(seconds)),
            "{text}"
        );
    }
    assert_eq!(
        parse_duration("1h30m").map(format_duration).as_deref(),
        Ok("1h30m")
    );
    assert_eq!(parse_duration("500ms"), Ok(TimeDelta::milliseconds(500)));
    for text in [
        "",
        "5",
        "m",
        "1x",
        "30m1h",
        "1m1m",
        "1.5h",
        "-1s",
        "99999999999999999999d",
        "1 h",
    ] {
        assert!(parse_duration(text).is_err(), "{text}");
    }
}

fn any_instant() -> impl Strategy<Value = DateTime<chrono::Utc>> {
    (0_i64..4_000_000_000_000)
        .prop_map(|millis| DateTime::from_timestamp_millis(millis).unwrap_or_default())
}

fn any_kind() -> impl Strategy<Value = ScheduleKind> {
    let interval = (1_i64..3_000_000_000)
        .prop_map(TimeDelta::milliseconds)
        .boxed();
    let expression = prop_oneof![
        Just(("0 3 * * *", Dialect::Horarium)),
        Just(("0 0 9 * * MON-FRI", Dialect::Horarium)),
        Just(("*/10 0-30/5 22 LW,15W JAN FRI#2 2030/2", Dialect::Horarium)),
        Just(("0 0 9 ? * 2-6", Dialect::Quartz)),
        Just(("@weekly", Dialect::Unix)),
        Just(("0 30 2 * * *", Dialect::Spring)),
    ];
    let zone_ids = prop_oneof![
        Just(""),
        Just("Asia/Shanghai"),
        Just("W. Europe Standard Time"),
        Just("-03:30"),
        Just("us/eastern")
    ];
    let overlap = prop_oneof![
        Just(Overlap::First),
        Just(Overlap::Second),
        Just(Overlap::Both),
        Just(Overlap::Auto)
    ];
    let gap = prop_oneof![Just(Gap::Skip), Just(Gap::End), Just(Gap::Shift)];
    let cron = (expression, zone_ids, overlap, gap).prop_map(
        |((text, dialect), zone_id, overlap, gap)| {
            let expression = CronExpression::parse(text, dialect).expect("listed texts are right");
            ScheduleKind::Cron(CronSchedule {
                expression,
                zone: zone(zone_id),
                overlap,
                gap,
            })
        },
    );
    prop_oneof![
        Just(ScheduleKind::Manual),
        any_instant().prop_map(ScheduleKind::Once),
        (interval.clone(), prop::option::of(1_u32..))
            .prop_map(|(interval, repeat)| ScheduleKind::Every { interval, repeat }),
        (interval, prop::option::of(any_instant()))
            .prop_map(|(interval, anchor)| ScheduleKind::Rate { interval, anchor }),
        cron,
    ]
}

proptest! {
    #[test]
    fn s48_print_parse_print_is_the_identity(
        kind in any_kind(),
        start in prop::option::of(any_instant()),
        end in prop::option::of(any_instant()),
        calendar in prop::option::of("[a-z0-9][a-z0-9._-]{0,20}"),
    ) {
        let end = end.filter(|end| start.is_none_or(|start| start <= *end));
        let schedule = Schedule { kind, start, end, calendar: calendar.map(|text| name(&text)) };
        let text = schedule.to_string();
        let again = parse(&text);
        prop_assert_eq!(again.to_string(), text);
        prop_assert_eq!(again, schedule);
    }

    #[test]
    fn no_text_panics(text in "(manual|once|every|rate|cron)? ?.{0,40}") {
        if let Err(error) = text.parse::<Schedule>() {
            prop_assert!(text.get(error.at.clone()).is_some(), "{:?} in {:?}", error, text);
        }
        let _ = Schedule::parse_lenient(&text, Dialect::Horarium, &Zone::utc());
    }
}
