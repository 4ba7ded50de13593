//! The golden vectors V1 to V12 and V17, and the time rules S74 to S78 and A20, A21.

use horarium_core::calendar::Calendars;
use horarium_core::fires::{
    Detail, FireOptions, NextFire, NoFire, Verdict, fires, fires_before, next_fire, runs_between,
};
use horarium_core::window::window;

use crate::support::{at, calendars, next, next_with, one, parse, show, zone};

fn days(list: &[String]) -> Vec<&str> {
    list.iter().map(|at| &at[..10]).collect()
}

fn count(schedule: &str, from: &str, to: &str) -> usize {
    runs_between(
        &parse(schedule),
        &Calendars::new(),
        at(from),
        at(to),
        100_000,
    )
    .len()
}

#[test]
fn v1_s74_cron_matches_the_wall_clock_of_its_zone() {
    assert_eq!(
        next("cron 0 3 * * * tz=Asia/Shanghai", "2026-11-29 00:00", 1),
        ["2026-11-29T19:00:00Z"]
    );
}

#[test]
fn v2_s75_s76_gap_and_overlap_in_berlin() {
    let rule = "cron 30 2 * * * tz=Europe/Berlin";
    assert_eq!(next(rule, "2026-03-28 12:00", 1), ["2026-03-30T00:30:00Z"]);
    assert_eq!(
        next(rule, "2026-10-24 12:00", 2),
        ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]
    );
    let schedule = parse(rule);
    let options = FireOptions {
        until: Some(at("2026-10-25 12:00")),
        ..FireOptions::default()
    };
    let none = Calendars::new();
    let found: Vec<_> = fires(&schedule, &none, at("2026-10-24 12:00"), options)
        .map(|fire| (show(fire.at), fire.local.to_string(), fire.verdict))
        .collect();
    assert_eq!(
        found,
        [
            (
                "2026-10-25T00:30:00Z".to_owned(),
                "2026-10-25T02:30:00+02:00".to_owned(),
                Verdict::Runs
            ),
            (
                "2026-10-25T01:30:00Z".to_owned(),
                "2026-10-25T02:30:00+01:00".to_owned(),
                Verdict::SecondOccurrence
            ),
        ]
    );
    let missing = fires(
        &schedule,
        &none,
        at("2026-03-28 12:00"),
        FireOptions::default(),
    )
    .next()
    .expect("a candidate");
    assert_eq!(
        (show(missing.at), missing.local.to_string(), missing.verdict),
        (
            "2026-03-29T01:00:00Z".to_owned(),
            "2026-03-29T02:30:00+01:00".to_owned(),
            Verdict::DoesNotExist
        )
    );
}

#[test]
fn v3_a21_minutes_of_the_days_of_change() {
    let length = |date: &str| {
        window(&zone("Europe/Berlin"), date.parse().expect("date"))
            .map(|window| window.seconds() / 3600)
    };
    assert_eq!(
        (length("2026-03-29"), length("2026-10-25")),
        (Some(23), Some(25))
    );
    let minutes = "cron * * * * * tz=Europe/Berlin";
    assert_eq!(count(minutes, "2026-03-28 22:59", "2026-03-29 21:59"), 1380);
    assert_eq!(count(minutes, "2026-10-24 21:59", "2026-10-25 22:59"), 1440);
    let auto = "cron * * * * * tz=Europe/Berlin overlap=auto";
    assert_eq!(count(auto, "2026-03-28 22:59", "2026-03-29 21:59"), 1380);
    assert_eq!(count(auto, "2026-10-24 21:59", "2026-10-25 22:59"), 1500);
}

#[test]
fn v4_half_hour_changes() {
    let length = |date: &str| {
        window(&zone("Australia/Lord_Howe"), date.parse().expect("date"))
            .map(|window| window.seconds())
    };
    assert_eq!(
        (length("2026-04-05"), length("2026-10-04")),
        (Some(88_200), Some(84_600))
    );
}

#[test]
fn v5_gaps_at_midnight() {
    for (name, before, date, start) in [
        (
            "Africa/Cairo",
            "2026-04-23 12:00",
            "2026-04-24",
            "2026-04-23T22:00:00Z",
        ),
        (
            "Asia/Beirut",
            "2026-03-28 12:00",
            "2026-03-29",
            "2026-03-28T22:00:00Z",
        ),
        (
            "America/Santiago",
            "2026-09-05 12:00",
            "2026-09-06",
            "2026-09-06T04:00:00Z",
        ),
    ] {
        let window = window(&zone(name), date.parse().expect("date")).expect("the date exists");
        assert_eq!(show(window.start), start, "{name}");
        assert_eq!(zone(name).local_at(window.start).civil.hour, 1, "{name}");
        let first = fires(
            &parse(&format!("cron 0 0 * * * tz={name}")),
            &Calendars::new(),
            at(before),
            FireOptions::default(),
        )
        .next()
        .expect("a candidate");
        assert_eq!(
            (first.verdict, first.local.civil.date.to_string().as_str()),
            (Verdict::DoesNotExist, date),
            "{name}"
        );
    }
}

#[test]
fn v6_a_missing_day_has_no_window() {
    assert_eq!(
        window(&zone("Pacific/Apia"), "2011-12-30".parse().expect("date")),
        None
    );
    let before =
        window(&zone("Pacific/Apia"), "2011-12-29".parse().expect("date")).expect("exists");
    let after = window(&zone("Pacific/Apia"), "2011-12-31".parse().expect("date")).expect("exists");
    assert_eq!(
        (before.seconds(), after.seconds(), before.end),
        (86_400, 86_400, after.start)
    );
}

#[test]
fn v7_pause_of_summer_time_in_casablanca() {
    let changes: Vec<_> = zone("Africa/Casablanca")
        .transitions(at("2026-01-01"), at("2026-06-01"))
        .map(|change| (show(change.at), change.offset_before, change.offset_after))
        .collect();
    assert_eq!(
        changes,
        [
            ("2026-02-15T02:00:00Z".to_owned(), 3600, 0),
            ("2026-03-22T02:00:00Z".to_owned(), 0, 3600)
        ]
    );
}

#[test]
fn v8_s83_holidays_in_the_zone_of_the_calendar() {
    let holidays = calendars(&[(
        "cn",
        r#"{"kind":"holiday","zone":"Asia/Shanghai","dates":["2026-10-01","2026-10-02","2026-10-02"]}"#,
    )]);
    let found = next_with(
        "cron 0 0 6 * * MON-FRI tz=Asia/Shanghai calendar=cn",
        &holidays,
        "2026-09-29 12:00",
        2,
    );
    assert_eq!(found, ["2026-09-29T22:00:00Z", "2026-10-04T22:00:00Z"]);
}

#[test]
fn v9_s64_last_day_of_the_month() {
    assert_eq!(
        days(&next("cron 0 0 22 L * ?", "2026-01-01", 2)),
        ["2026-01-31", "2026-02-28"]
    );
    assert_eq!(
        days(&next("cron 0 0 22 L * ?", "2028-02-01", 1)),
        ["2028-02-29"]
    );
}

#[test]
fn v10_s66_nearest_working_day() {
    for (rule, month, expected) in [
        ("1W", "2026-08", Some("2026-08-03")),
        ("1W", "2026-02", Some("2026-02-02")),
        ("15W", "2026-08", Some("2026-08-14")),
        ("15W", "2026-11", Some("2026-11-16")),
        ("28W", "2026-02", Some("2026-02-27")),
        ("31W", "2026-05", Some("2026-05-29")),
        ("31W", "2026-01", Some("2026-01-30")),
        ("31W", "2026-04", None),
    ] {
        let schedule = format!("cron 0 0 12 {rule} {} ? 2026", &month[5..]);
        assert_eq!(
            days(&next(&schedule, "2026-01-01", 1)),
            expected.into_iter().collect::<Vec<_>>(),
            "{rule} {month}"
        );
    }
}

#[test]
fn v11_s67_last_working_day() {
    let found = next("cron 0 0 12 LW 1,2,5,8,10 ? 2026", "2026-01-01", 9);
    assert_eq!(
        days(&found),
        [
            "2026-01-30",
            "2026-02-27",
            "2026-05-29",
            "2026-08-31",
            "2026-10-30"
        ]
    );
}

#[test]
fn v12_s68_s69_weekdays_of_the_month() {
    let dates = |rule: &str| -> Vec<u32> {
        next(&format!("cron 0 0 12 ? * {rule} 2026"), "2026-01-01", 13)
            .iter()
            .map(|at| at[8..10].parse().expect("day"))
            .collect()
    };
    assert_eq!(
        dates("FRI#2"),
        [9, 13, 13, 10, 8, 12, 10, 14, 11, 9, 13, 11]
    );
    assert_eq!(
        dates("FRIL"),
        [30, 27, 27, 24, 29, 26, 31, 28, 25, 30, 27, 25]
    );
    let found = next("cron 0 0 12 ? * FRI#5 2026", "2026-01-01", 9);
    assert_eq!(
        days(&found),
        ["2026-01-30", "2026-05-29", "2026-07-31", "2026-10-30"]
    );
}

#[test]
fn v17_a22_long_exclusions_do_not_kill_fast_rules() {
    let rules = calendars(&[
        ("weekend", r#"{"kind":"weekly"}"#),
        (
            "week",
            r#"{"kind":"holiday","dates":["2026-10-01","2026-10-02","2026-10-03","2026-10-04","2026-10-05","2026-10-06","2026-10-07"]}"#,
        ),
    ]);
    assert_eq!(
        next_with(
            "cron * * * * * * calendar=weekend",
            &rules,
            "2026-10-02 23:59",
            60
        )[59],
        "2026-10-05T00:00:00Z"
    );
    assert_eq!(
        next_with(
            "cron * * * * * calendar=week",
            &rules,
            "2026-09-30 23:59",
            1
        ),
        ["2026-10-08T00:00:00Z"]
    );
    let schedule = parse("cron * * * * * * calendar=week");
    let mut list = fires(
        &schedule,
        &rules,
        at("2026-09-30 23:59:59"),
        FireOptions::runs(),
    );
    assert_eq!(
        list.next().map(|fire| show(fire.at)).as_deref(),
        Some("2026-10-08T00:00:00Z")
    );
    assert!(list.work() <= 3, "{}", list.work());
}

#[test]
fn s70_a19_either_day_field() {
    assert_eq!(
        days(&next("cron 0 0 13 * FRI", "2026-03-06 12:00", 4)),
        ["2026-03-13", "2026-03-20", "2026-03-27", "2026-04-03"]
    );
    assert_eq!(
        days(&next("cron 0 0 */2 * MON", "2026-03-01 12:00", 3)),
        ["2026-03-02", "2026-03-03", "2026-03-05"]
    );
}

#[test]
fn s77_a20_horizon_and_never() {
    let none =
        |text: &str, from: &str| next_fire(&parse(text), &Calendars::new(), at(from), at(from));
    assert_eq!(
        none("cron 0 0 31 2 *", "2026-01-01"),
        NextFire::None(NoFire::Never)
    );
    assert_eq!(
        none("cron 0 0 0 30 2 ? 2027", "2026-01-01"),
        NextFire::None(NoFire::Never)
    );
    assert_eq!(
        none("cron 0 0 0 1 1 ? 2021", "2026-01-01"),
        NextFire::None(NoFire::Never)
    );
    assert_eq!(
        one("cron 0 0 0 1 1 ? 2040", "2026-01-01").as_deref(),
        Some("2040-01-01T00:00:00Z")
    );
    assert_eq!(
        none("cron 0 0 0 29 2 MON dialect=spring", "2026-01-01"),
        NextFire::None(NoFire::NotWithinFiveYears)
    );
    assert_eq!(
        none("cron 0 0 29 2 *", "2096-02-29"),
        NextFire::None(NoFire::Never)
    );
    assert_eq!(none("manual", "2026-01-01"), NextFire::None(NoFire::Manual));
    assert_eq!(
        none("cron 0 0 * * * end=2026-01-01T00:00:00Z", "2026-01-01"),
        NextFire::None(NoFire::AfterEnd)
    );
}

#[test]
fn a21_overlap_choices() {
    let on = |choice: &str| {
        next(
            &format!("cron 30 2 * * * tz=Europe/Berlin overlap={choice}"),
            "2026-10-24 12:00",
            2,
        )
    };
    assert_eq!(on("first")[0], "2026-10-25T00:30:00Z");
    assert_eq!(
        on("second"),
        ["2026-10-25T01:30:00Z", "2026-10-26T01:30:00Z"]
    );
    assert_eq!(on("both"), ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"]);
    assert_eq!(on("auto"), ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]);
    let quarter = next(
        "cron */30 * * * * tz=Europe/Berlin overlap=auto",
        "2026-10-25 00:15",
        4,
    );
    assert_eq!(
        quarter,
        [
            "2026-10-25T00:30:00Z",
            "2026-10-25T01:00:00Z",
            "2026-10-25T01:30:00Z",
            "2026-10-25T02:00:00Z"
        ]
    );
}

#[test]
fn a21_gap_choices() {
    let on = |rule: &str, choice: &str| {
        next(
            &format!("cron {rule} tz=Europe/Berlin gap={choice}"),
            "2026-03-29 00:45",
            4,
        )
    };
    assert_eq!(on("30 2 * * *", "skip")[0], "2026-03-30T00:30:00Z");
    assert_eq!(
        on("30 2 * * *", "end")[..2],
        ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"]
    );
    assert_eq!(
        on("30 2 * * *", "shift")[..2],
        ["2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"]
    );
    // Runs that would coincide are one run, and the order stays ascending.
    assert_eq!(
        on("0,30 2,3 * * *", "end"),
        [
            "2026-03-29T01:00:00Z",
            "2026-03-29T01:30:00Z",
            "2026-03-30T00:00:00Z",
            "2026-03-30T00:30:00Z"
        ]
    );
    assert_eq!(
        on("15,30 2,3 * * *", "shift")[..3],
        [
            "2026-03-29T01:15:00Z",
            "2026-03-29T01:30:00Z",
            "2026-03-30T00:15:00Z"
        ]
    );
    assert_eq!(on("15 2 * * *", "shift")[0], "2026-03-29T01:15:00Z");
    assert_eq!(
        on("10 2,3 * * *", "shift")[..2],
        ["2026-03-29T01:10:00Z", "2026-03-30T00:10:00Z"]
    );
}

#[test]
fn a21_every_choice_is_the_same_backwards() {
    let none = Calendars::new();
    for overlap in ["first", "second", "both", "auto"] {
        for gap in ["skip", "end", "shift"] {
            for rule in ["30 2 * * *", "*/20 * * * *", "0,15 1-3 * * *", "0 0 * * *"] {
                let schedule = parse(&format!(
                    "cron {rule} tz=Europe/Berlin overlap={overlap} gap={gap}"
                ));
                for (from, to) in [
                    ("2026-03-28 00:00", "2026-03-31 00:00"),
                    ("2026-10-24 00:00", "2026-10-27 00:00"),
                ] {
                    for detail in [Detail::Every, Detail::Runs] {
                        let (from, to) = (at(from), at(to));
                        let ahead: Vec<_> = fires(
                            &schedule,
                            &none,
                            from,
                            FireOptions {
                                detail,
                                ..FireOptions::default()
                            },
                        )
                        .take_while(|fire| fire.at < to)
                        .collect();
                        let mut back: Vec<_> = fires_before(
                            &schedule,
                            &none,
                            to,
                            FireOptions {
                                detail,
                                ..FireOptions::default()
                            },
                        )
                        .take_while(|fire| fire.at > from)
                        .collect();
                        back.reverse();
                        assert_eq!(ahead, back, "{schedule}");
                        assert!(
                            ahead
                                .windows(2)
                                .all(|pair| (pair[0].at, pair[0].local)
                                    < (pair[1].at, pair[1].local)),
                            "{schedule}"
                        );
                    }
                }
            }
        }
    }
}
