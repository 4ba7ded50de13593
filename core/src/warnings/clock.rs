//! Warnings about the clock changes of the next twelve months.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};

use super::Warning;
use crate::calendar::Calendars;
use crate::fires::{FireOptions, Verdict, fires};
use crate::interval::format_duration;
use crate::schedule::{CronSchedule, Schedule};
use crate::zone::Transition;

/// Candidates of one clock change that are looked at; a day has no more seconds.
const MOST_CANDIDATES: usize = 100_000;

/// Warnings about silent hours, lost fires and a clock change that is near.
pub(super) fn warnings(
    schedule: &Schedule,
    cron: &CronSchedule,
    from: DateTime<Utc>,
) -> Vec<Warning> {
    let year = from
        .checked_add_signed(TimeDelta::days(366))
        .unwrap_or(from);
    let mut list = Vec::new();
    let (mut silent, mut lost) = (None, None);
    for change in cron.zone.transitions(from, year) {
        let shift = change.offset_after - change.offset_before;
        if shift < 0 && silent.is_none() {
            silent = silent_hour(schedule, cron, &change);
        }
        if shift > 0 && lost.is_none() {
            lost = lost_fire(schedule, cron, &change);
        }
    }
    list.extend(silent);
    list.extend(lost);
    list.extend(change_soon(cron, from));
    list
}

fn skipped(
    schedule: &Schedule,
    change: &Transition,
    until: DateTime<Utc>,
    verdict: &Verdict,
) -> Vec<String> {
    let before = change.at - TimeDelta::seconds(1);
    let options = FireOptions {
        until: Some(until),
        ..FireOptions::default()
    };
    let none = Calendars::new();
    // The clock decides here, not the calendar.
    let bare = Schedule {
        calendar: None,
        ..schedule.clone()
    };
    fires(&bare, &none, before, options)
        .take(MOST_CANDIDATES)
        .filter(|candidate| candidate.verdict == *verdict)
        .map(|candidate| candidate.local.civil.to_string().replace('T', " "))
        .collect()
}

fn silent_hour(schedule: &Schedule, cron: &CronSchedule, change: &Transition) -> Option<Warning> {
    // A fixed time that runs once on that day is what its writer meant.
    if !cron.expression.rule().is_interval_like() {
        return None;
    }
    let length = TimeDelta::seconds(i64::from(change.offset_before - change.offset_after));
    let skipped = skipped(
        schedule,
        change,
        change.at + length,
        &Verdict::SecondOccurrence,
    );
    let first = skipped.first()?;
    let (from, to) = (utc(change.at), utc(change.at + length));
    Some(Warning::new(
        "silent_hour",
        format!(
            "It is silent for {} when the clock goes back, from {from} to {to}: {} local times from {first} on are shown a second time and run only the first. overlap=auto or overlap=both runs them again.",
            format_duration(length),
            skipped.len()
        ),
    ))
}

fn lost_fire(schedule: &Schedule, cron: &CronSchedule, change: &Transition) -> Option<Warning> {
    let rule = cron.expression.rule();
    // A rule for every hour has no silence in real time when the clock jumps.
    if rule.is_interval_like() && rule.hours == 0x00ff_ffff {
        return None;
    }
    let skipped = skipped(schedule, change, change.at, &Verdict::DoesNotExist);
    let first = skipped.first()?;
    let more = match skipped.len() {
        1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    Some(Warning::new(
        "lost_fire",
        format!(
            "{first}{more} does not exist in {}, because the clock goes forward at {}, and so it does not run. gap=end or gap=shift runs it later.",
            cron.zone,
            utc(change.at)
        ),
    ))
}

fn change_soon(cron: &CronSchedule, from: DateTime<Utc>) -> Option<Warning> {
    let soon = from.checked_add_signed(TimeDelta::days(14)).unwrap_or(from);
    let change = cron.zone.transitions(from, soon).next()?;
    let direction = if change.offset_after > change.offset_before {
        "forward"
    } else {
        "back"
    };
    let length = TimeDelta::seconds(i64::from(
        (change.offset_after - change.offset_before).abs(),
    ));
    Some(Warning::new(
        "clock_change",
        format!(
            "The clock of {} goes {direction} by {} at {}.",
            cron.zone,
            format_duration(length),
            utc(change.at)
        ),
    ))
}

fn utc(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}
