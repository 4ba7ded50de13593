//! Generated expressions against another crate, where both mean the same.

use chrono::DateTime;
use croner::parser::{CronParser, Seconds};
use horarium_core::calendar::Calendars;
use horarium_core::fires::next_n;
use horarium_core::schedule::Schedule;
use horarium_core::zone::Zone;
use proptest::prelude::*;

use crate::support::cron;

fn numbers(low: u32, high: u32) -> BoxedStrategy<String> {
    prop_oneof![
        3 => Just("*".to_owned()),
        3 => (low..=high).prop_map(|a| a.to_string()),
        2 => (2..=15_u32).prop_map(|step| format!("*/{step}")),
        2 => (low..=high, low..=high).prop_map(|(a, b)| format!("{}-{}", a.min(b), a.max(b))),
        1 => (low..=high, low..=high, 2..5_u32).prop_map(|(a, b, step)| format!("{}-{}/{step}", a.min(b), a.max(b))),
        1 => (low..=high, low..=high).prop_map(|(a, b)| format!("{a},{b}")),
    ]
    .boxed()
}

/// Day fields without what the other crate reads differently: `L-n` and a bare `L` in the weekday.
fn days() -> BoxedStrategy<String> {
    prop_oneof![
        4 => Just("*".to_owned()),
        3 => (1..=31_u32).prop_map(|day| day.to_string()),
        1 => (1..=28_u32).prop_map(|day| format!("{day}W")),
        1 => Just("L".to_owned()),
        1 => Just("LW".to_owned()),
        1 => (1..=15_u32, 16..=31_u32).prop_map(|(a, b)| format!("{a}-{b}")),
    ]
    .boxed()
}

fn weekdays() -> BoxedStrategy<String> {
    prop_oneof![
        5 => Just("*".to_owned()),
        2 => (0..=7_u32).prop_map(|day| day.to_string()),
        1 => Just("MON-FRI".to_owned()),
        1 => (0..=6_u32, 1..=5_u32).prop_map(|(day, nth)| format!("{day}#{nth}")),
        1 => (0..=6_u32).prop_map(|day| format!("{day}L")),
    ]
    .boxed()
}

fn months() -> BoxedStrategy<String> {
    prop_oneof![4 => Just("*".to_owned()), 1 => (1..=12_u32).prop_map(|month| month.to_string()), 1 => Just("JAN,JUL".to_owned()), 1 => Just("*/3".to_owned())].boxed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn next_fires_equal_those_of_another_crate(
        fields in (numbers(0, 59), numbers(0, 59), numbers(0, 23), days(), months(), weekdays()),
        from in 946_684_800_i64..2_500_000_000,
    ) {
        let (second, minute, hour, day, month, week) = fields;
        let text = format!("{second} {minute} {hour} {day} {month} {week}");
        let other = CronParser::builder().seconds(Seconds::Required).build().parse(&text);
        let other = other.map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
        let from = DateTime::from_timestamp(from, 0).unwrap_or_default();
        let horizon = from + chrono::TimeDelta::days(4 * 365);
        let schedule = Schedule::cron(cron(&text), Zone::utc());
        let ours: Vec<_> = next_n(&schedule, &Calendars::new(), from, 4).into_iter().map(|fire| fire.at).filter(|at| *at < horizon).collect();
        let theirs: Vec<_> = other.iter_after(from).take(4).filter(|at| *at < horizon).collect();
        prop_assert_eq!(ours, theirs, "{} from {}", text, from);
    }
}
