//! Short ways to write instants, schedules and expectations.

use chrono::{DateTime, SecondsFormat, Utc};
use horarium_core::calendar::{Calendar, Calendars};
use horarium_core::cron::CronExpression;
use horarium_core::fires::{next_fire, next_n};
use horarium_core::names::CalendarName;
use horarium_core::schedule::Schedule;
use horarium_core::zone::Zone;

pub fn at(text: &str) -> DateTime<Utc> {
    // `2026-03-29 01:00` is short for that minute in UTC.
    let long = match text.len() {
        10 => format!("{text}T00:00:00Z"),
        16 => format!("{}:00Z", text.replace(' ', "T")),
        19 => format!("{}Z", text.replace(' ', "T")),
        _ => text.replace(' ', "T"),
    };
    long.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub fn show(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

pub fn parse(text: &str) -> Schedule {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub fn cron(text: &str) -> CronExpression {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub fn zone(text: &str) -> Zone {
    Zone::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub fn name(text: &str) -> CalendarName {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub fn calendar(json: &str) -> Calendar {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

pub fn calendars(entries: &[(&str, &str)]) -> Calendars {
    entries
        .iter()
        .map(|(known, json)| (name(known), calendar(json)))
        .collect()
}

/// The next fires as text.
pub fn next(schedule: &str, from: &str, count: usize) -> Vec<String> {
    next_with(schedule, &Calendars::new(), from, count)
}

pub fn next_with(schedule: &str, calendars: &Calendars, from: &str, count: usize) -> Vec<String> {
    next_n(&parse(schedule), calendars, at(from), count)
        .into_iter()
        .map(|fire| show(fire.at))
        .collect()
}

/// The single next fire, `base` being `from`.
pub fn one(schedule: &str, from: &str) -> Option<String> {
    next_fire(&parse(schedule), &Calendars::new(), at(from), at(from))
        .at()
        .map(show)
}
