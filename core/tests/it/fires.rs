//! The list of fires: against a walker that steps through time, backwards, bounded, and the single
//! answers made from it (S39–S47, A13–A17).

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use horarium_core::calendar::Calendars;
use horarium_core::cron::CronExpression;
use horarium_core::fires::{
    Detail, FireOptions, NextFire, NoFire, Verdict, fires, fires_before, latest_at_or_before,
    next_fire, next_n, previous_n, runs_between,
};
use horarium_core::schedule::Schedule;
use horarium_core::zone::Zone;
use proptest::prelude::*;

use crate::support::{at, calendars, cron, next, one, parse, show, zone};

/// Zones whose clocks do unusual things: half hours, midnights, whole days, several changes a year.
const NASTY: [&str; 42] = [
    "Europe/Berlin",
    "Europe/London",
    "Europe/Dublin",
    "Europe/Lisbon",
    "Europe/Moscow",
    "Europe/Istanbul",
    "Europe/Chisinau",
    "America/New_York",
    "America/St_Johns",
    "America/Havana",
    "America/Sao_Paulo",
    "America/Santiago",
    "America/Asuncion",
    "America/Caracas",
    "America/Godthab",
    "America/Scoresbysund",
    "America/Winnipeg",
    "America/Vancouver",
    "America/Edmonton",
    "America/Tijuana",
    "Africa/Cairo",
    "Africa/Casablanca",
    "Africa/El_Aaiun",
    "Africa/Juba",
    "Africa/Sao_Tome",
    "Asia/Beirut",
    "Asia/Gaza",
    "Asia/Tehran",
    "Asia/Amman",
    "Asia/Pyongyang",
    "Asia/Kathmandu",
    "Asia/Dhaka",
    "Antarctica/Troll",
    "Antarctica/Casey",
    "Antarctica/Macquarie",
    "Australia/Lord_Howe",
    "Australia/Adelaide",
    "Pacific/Apia",
    "Pacific/Chatham",
    "Pacific/Norfolk",
    "Pacific/Fakaofo",
    "Pacific/Kiritimati",
];

/// What a wall clock shows, asked of the rules directly and with the question "was it shown before?".
struct Walker {
    rules: jiff::tz::TimeZone,
    known: HashMap<i64, i64>,
}

impl Walker {
    fn new(name: &str) -> Walker {
        let rules = jiff::tz::TimeZoneDatabase::bundled()
            .get(name)
            .expect("a bundled zone");
        Walker {
            rules,
            known: HashMap::new(),
        }
    }

    fn offset(&mut self, second: i64) -> i64 {
        let rules = &self.rules;
        *self.known.entry(second).or_insert_with(|| {
            let timestamp = jiff::Timestamp::from_second(second).expect("in range");
            i64::from(rules.to_offset(timestamp).seconds())
        })
    }

    fn shown_before(&mut self, second: i64) -> bool {
        let now = self.offset(second);
        let mut earlier: Vec<i64> = (0..108)
            .map(|step| self.offset(second - second.rem_euclid(900) - step * 900))
            .collect();
        earlier.sort_unstable();
        earlier.dedup();
        earlier
            .into_iter()
            .any(|older| older > now && self.offset(second + now - older) == older)
    }

    /// Minutes in `(from, to]` that match and are shown for the first time.
    fn minutes(&mut self, expression: &CronExpression, from: i64, to: i64) -> Vec<i64> {
        let mut found = Vec::new();
        let mut second = from - from.rem_euclid(60) + 60;
        while second <= to {
            if expression.rule().matches(second + self.offset(second)) && !self.shown_before(second)
            {
                found.push(second);
            }
            second += 60;
        }
        found
    }
}

#[test]
fn fires_around_every_change_equal_a_walk_by_minutes() {
    let rules = [
        "*/20 * * * *",
        "30 2 * * *",
        "0 0 * * *",
        "15 */2 * * *",
        "45 23 * * *",
    ]
    .map(cron);
    let none = Calendars::new();
    for name in NASTY {
        let zone = zone(name);
        let mut walker = Walker::new(name);
        let changes: Vec<_> = zone
            .transitions(at("2009-01-01"), at("2027-01-01"))
            .collect();
        // The last few of every zone, and the first ones after 2009.
        let chosen = changes.iter().rev().take(4).chain(changes.iter().take(3));
        for change in chosen {
            let (from, to) = (
                change.at - TimeDelta::hours(30),
                change.at + TimeDelta::hours(30),
            );
            for rule in &rules {
                let schedule = Schedule::cron(rule.clone(), zone.clone());
                let found: Vec<i64> = runs_between(&schedule, &none, from, to, 10_000)
                    .iter()
                    .map(DateTime::timestamp)
                    .collect();
                let expected = walker.minutes(rule, from.timestamp(), to.timestamp());
                assert_eq!(found, expected, "{name} {rule} around {}", change.at);
            }
        }
    }
}

#[test]
fn backwards_is_forwards_reversed_in_every_nasty_zone() {
    let none = Calendars::new();
    for name in NASTY {
        for rule in [
            "*/45 * * * *",
            "30 2 * * *",
            "0 0 1,15,L * MON#1",
            "59 59 23 * * *",
        ] {
            let schedule = Schedule::cron(cron(rule), zone(name));
            let (from, to) = (at("2011-11-01"), at("2012-05-01"));
            let options = FireOptions::default();
            let ahead: Vec<_> = fires(&schedule, &none, from, options)
                .take_while(|fire| fire.at < to)
                .collect();
            let mut back: Vec<_> = fires_before(&schedule, &none, to, options)
                .take_while(|fire| fire.at > from)
                .collect();
            back.reverse();
            assert_eq!(ahead, back, "{name} {rule}");
            assert!(
                ahead
                    .windows(2)
                    .all(|pair| (pair[0].at, pair[0].local) < (pair[1].at, pair[1].local)),
                "{name} {rule}"
            );
        }
    }
}

#[test]
fn s39_s41_a13_fixed_delay() {
    let from = |text: &str, after: &str, base: &str| {
        next_fire(&parse(text), &Calendars::new(), at(after), at(base))
            .at()
            .map(show)
    };
    assert_eq!(
        from("every 00:10:00", "2026-01-01 10:04", "2026-01-01 10:04").as_deref(),
        Some("2026-01-01T10:14:00Z")
    );
    assert_eq!(
        from(
            "every 00:10:00 start=2026-01-01T10:00:00Z",
            "2026-01-01 09:00",
            "2026-01-01 09:00"
        )
        .as_deref(),
        Some("2026-01-01T10:10:00Z")
    );
    assert_eq!(
        from(
            "every 00:10:00 start=2025-01-01T00:00:00Z",
            "2026-01-01 09:00",
            "2026-01-01 09:00"
        )
        .as_deref(),
        Some("2026-01-01T09:10:00Z")
    );
    assert_eq!(
        next("every 00:10:00 x2", "2026-01-01", 5),
        ["2026-01-01T00:10:00Z", "2026-01-01T00:20:00Z"]
    );
    assert_eq!(
        from(
            "every 00:10:00 end=2026-01-01T10:10:00Z",
            "2026-01-01 10:04",
            "2026-01-01 10:04"
        ),
        None
    );
}

#[test]
fn a11_fixed_rate_does_not_drift() {
    assert_eq!(
        next(
            "rate 00:35:00 anchor=2026-01-01T00:05:00Z",
            "2026-01-01 00:05",
            2
        ),
        ["2026-01-01T00:40:00Z", "2026-01-01T01:15:00Z"]
    );
    assert_eq!(
        next("rate 00:10:00 start=2026-01-01T00:03:00Z", "2025-12-31", 2),
        ["2026-01-01T00:03:00Z", "2026-01-01T00:13:00Z"]
    );
    assert_eq!(
        next("rate 00:10:00", "2026-01-01 00:01", 1),
        ["2026-01-01T00:10:00Z"]
    );
}

#[test]
fn s44_once() {
    assert_eq!(
        one("once 2026-10-01T00:00:00Z", "2026-01-01").as_deref(),
        Some("2026-10-01T00:00:00Z")
    );
    let none = |text: &str, from: &str, calendars: &Calendars| {
        next_fire(&parse(text), calendars, at(from), at(from))
    };
    assert_eq!(
        none("once 2026-10-01T00:00:00Z", "2026-10-01", &Calendars::new()),
        NextFire::None(NoFire::OnceDone)
    );
    let days = calendars(&[("days", r#"{"kind":"holiday","dates":["2026-10-01"]}"#)]);
    assert_eq!(
        none(
            "once 2026-10-01T00:00:00Z calendar=days",
            "2026-01-01",
            &days
        ),
        NextFire::None(NoFire::CalendarExhausted)
    );
}

#[test]
fn s45_s46_a14_start_and_end_are_inside() {
    assert_eq!(
        next("cron 0 * * * * start=2026-01-01T10:30:00Z", "2026-01-01", 1),
        ["2026-01-01T11:00:00Z"]
    );
    assert_eq!(
        next(
            "cron 0 * * * * start=2026-01-01T10:00:00Z end=2026-01-01T12:00:00Z",
            "2026-01-01",
            9
        ),
        [
            "2026-01-01T10:00:00Z",
            "2026-01-01T11:00:00Z",
            "2026-01-01T12:00:00Z"
        ]
    );
    let schedule = parse("cron 0 * * * * start=2026-01-01T10:00:00Z end=2026-01-01T11:00:00Z");
    let verdicts: Vec<_> = fires(
        &schedule,
        &Calendars::new(),
        at("2026-01-01 05:30"),
        FireOptions::default(),
    )
    .map(|fire| (show(fire.at)[11..16].to_owned(), fire.verdict))
    .collect();
    let expected = [
        ("06:00", Verdict::BeforeStart),
        ("10:00", Verdict::Runs),
        ("11:00", Verdict::Runs),
        ("12:00", Verdict::AfterEnd),
    ];
    assert_eq!(
        verdicts,
        expected.map(|(time, verdict)| (time.to_owned(), verdict))
    );
    let back: Vec<_> = fires_before(
        &schedule,
        &Calendars::new(),
        at("2026-01-01 15:30"),
        FireOptions::default(),
    )
    .map(|fire| (show(fire.at)[11..16].to_owned(), fire.verdict))
    .collect();
    let expected = [
        ("15:00", Verdict::AfterEnd),
        ("11:00", Verdict::Runs),
        ("10:00", Verdict::Runs),
        ("09:00", Verdict::BeforeStart),
    ];
    assert_eq!(
        back,
        expected.map(|(time, verdict)| (time.to_owned(), verdict))
    );
}

#[test]
fn brief_lists_give_the_first_of_every_row() {
    let days = calendars(&[("night", r#"{"kind":"daily","from":"22:00","to":"06:00"}"#)]);
    let schedule = parse("cron 0 * * * * calendar=night");
    let options = FireOptions {
        detail: Detail::Brief,
        ..FireOptions::default()
    };
    let found: Vec<_> = fires(&schedule, &days, at("2026-01-01 20:30"), options)
        .take(4)
        .map(|fire| {
            (
                show(fire.at)[11..16].to_owned(),
                fire.verdict == Verdict::Runs,
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("21:00", true),
            ("22:00", false),
            ("06:00", true),
            ("07:00", true)
        ]
        .map(|(time, runs)| (time.to_owned(), runs))
    );
}

#[test]
fn s89_an_unregistered_calendar_lets_nothing_run() {
    let schedule = parse("cron 0 * * * * calendar=lost");
    assert!(schedule.check_calendar(&Calendars::new()).is_err());
    assert_eq!(
        next_fire(
            &schedule,
            &Calendars::new(),
            at("2026-01-01"),
            at("2026-01-01")
        ),
        NextFire::None(NoFire::CalendarExhausted)
    );
}

#[test]
fn the_latest_fire_of_a_long_outage_costs_one_step() {
    let none = Calendars::new();
    let every_second = parse("cron * * * * * * tz=Europe/Berlin");
    assert_eq!(
        latest_at_or_before(&every_second, &none, at("2026-01-02"), at("2026-01-01")),
        Some(at("2026-01-02"))
    );
    let daily = parse("cron 0 3 * * *");
    assert_eq!(
        latest_at_or_before(&daily, &none, at("2026-01-02 03:00"), at("2026-01-01")),
        Some(at("2026-01-02 03:00"))
    );
    assert_eq!(
        latest_at_or_before(
            &daily,
            &none,
            at("2026-01-02 02:59:59"),
            at("2026-01-01 03:00")
        ),
        None
    );
    assert_eq!(
        latest_at_or_before(
            &parse("rate 00:00:10"),
            &none,
            at("2026-01-01 00:00:19"),
            at("2026-01-01")
        ),
        Some(at("2026-01-01 00:00:10"))
    );
    assert_eq!(
        latest_at_or_before(
            &parse("once 2026-01-01T00:00:00Z"),
            &none,
            at("2026-01-02"),
            at("2025-01-01")
        ),
        Some(at("2026-01-01"))
    );
    let mut list = fires_before(&every_second, &none, at("2026-01-02"), FireOptions::runs());
    list.next();
    assert_eq!(list.work(), 1);
}

#[test]
fn previous_fires_come_latest_first() {
    let found: Vec<_> = previous_n(
        &parse("cron 0 3 L * *"),
        &Calendars::new(),
        at("2026-03-15"),
        2,
    )
    .into_iter()
    .map(|fire| show(fire.at))
    .collect();
    assert_eq!(found, ["2026-02-28T03:00:00Z", "2026-01-31T03:00:00Z"]);
    assert!(
        previous_n(
            &parse("every 00:10:00"),
            &Calendars::new(),
            at("2026-03-15"),
            2
        )
        .is_empty()
    );
}

#[test]
fn impossible_and_excluded_schedules_take_bounded_work() {
    let rules = calendars(&[
        ("all", r#"{"kind":"cron","expression":"* * * * * *"}"#),
        (
            "week",
            r#"{"kind":"weekly","days":["SUN","MON","TUE","WED","THU","FRI","SAT"]}"#,
        ),
        (
            "odd",
            r#"{"kind":"composite","members":[{"kind":"cron","expression":"0/2 * * * * *"},{"kind":"cron","expression":"1/2 * * * * *"}]}"#,
        ),
        ("seconds", r#"{"kind":"cron","expression":"0 * * * * *"}"#),
        ("mondays", r#"{"kind":"weekly","days":["MON"]}"#),
    ]);
    for text in [
        "cron * * * * * * calendar=all",
        "cron * * * * * * calendar=week",
        "cron * * * * * * calendar=odd",
        "cron 0 * * * * * calendar=seconds",
        "cron 0 0 9 ? * MON calendar=mondays",
        "rate 00:00:01 calendar=all",
        "rate 7.00:00:00 anchor=2026-01-05T00:00:00Z calendar=mondays",
        "every 00:01:00 calendar=week",
        "cron 0 0 31 2 *",
        "cron 0 0 0 1 1 ? 2020",
    ] {
        let schedule = parse(text);
        for forward in [true, false] {
            let from = at("2026-01-01 12:00");
            let mut list = if forward {
                fires(&schedule, &rules, from, FireOptions::runs())
            } else {
                fires_before(&schedule, &rules, from, FireOptions::runs())
            };
            let found = list.next();
            assert!(list.work() <= 10_002, "{text}: {} steps", list.work());
            assert!(
                found.is_none() || !forward || text.contains("2020"),
                "{text}: {found:?}"
            );
        }
    }
}

#[test]
fn extreme_instants_do_not_panic() {
    let rules = calendars(&[("week", r#"{"kind":"weekly","zone":"Europe/Berlin"}"#)]);
    let edges = [
        DateTime::<Utc>::MIN_UTC,
        DateTime::<Utc>::MAX_UTC,
        DateTime::UNIX_EPOCH,
        at("2099-12-31 23:59"),
        at("2200-01-01"),
    ];
    for text in [
        "manual",
        "cron * * * * * * tz=Pacific/Apia gap=shift calendar=week",
        "cron 0 0 29 2 * gap=end",
        "every 36525.00:00:00",
        "rate 00:00:00.001 calendar=week",
        "once 9999-12-31T23:59:59Z",
    ] {
        let schedule = parse(text);
        for from in edges {
            let _ = next_fire(&schedule, &rules, from, from);
            let _ = next_n(&schedule, &rules, from, 3);
            let _ = previous_n(&schedule, &rules, from, 3);
            for to in edges {
                let _ = runs_between(&schedule, &rules, from, to, 3);
                let _ = latest_at_or_before(&schedule, &rules, to, from);
            }
        }
    }
}

#[test]
fn s42_half_seconds_do_not_drift() {
    assert_eq!(
        one("cron * * * * * *", "2026-01-01T00:00:00.500Z").as_deref(),
        Some("2026-01-01T00:00:01Z")
    );
    let before = fires_before(
        &parse("cron * * * * * *"),
        &Calendars::new(),
        at("2026-01-01T00:00:00.500Z"),
        FireOptions::runs(),
    )
    .next();
    assert_eq!(
        before.map(|fire| show(fire.at)).as_deref(),
        Some("2026-01-01T00:00:00Z")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_rule_steps_back_to_where_it_came_from(
        second in prop_oneof![Just("0"), Just("*/20"), Just("7,59")],
        minute in prop_oneof![Just("*"), Just("0"), Just("*/25"), Just("59")],
        hour in prop_oneof![Just("*"), Just("0-3"), Just("2"), Just("23")],
        day in prop_oneof![Just("*"), Just("1,L"), Just("15W"), Just("31"), Just("L-3")],
        week in prop_oneof![Just("*"), Just("SUN"), Just("FRI#2,MONL")],
        zone_index in 0..NASTY.len(),
        from in 1_000_000_000_i64..1_900_000_000,
    ) {
        let schedule = Schedule::cron(cron(&format!("{second} {minute} {hour} {day} * {week}")), zone(NASTY[zone_index]));
        let none = Calendars::new();
        let from = DateTime::from_timestamp(from, 0).unwrap_or_default();
        let ahead: Vec<_> = next_n(&schedule, &none, from, 20).into_iter().map(|fire| fire.at).collect();
        for pair in ahead.windows(2) {
            prop_assert!(pair[0] < pair[1]);
            prop_assert_eq!(previous_n(&schedule, &none, pair[1], 1).first().map(|fire| fire.at), Some(pair[0]));
            prop_assert_eq!(next_fire(&schedule, &none, pair[0], pair[0]).at(), Some(pair[1]));
        }
    }
}

#[test]
fn zones_of_the_list_exist() {
    for name in NASTY {
        assert!(Zone::parse(name).is_ok(), "{name}");
    }
}
