//! Reading the canonical text of schedules, and bare cron expressions.

use std::ops::Range;

use super::parts::{Parts, ScheduleError, error, instant, replaced};
use super::{CronSchedule, Gap, Overlap, Schedule, ScheduleKind};
use crate::cron::{CronExpression, Dialect};
use crate::interval::{format_interval, parse_interval};
use crate::zone::Zone;

const KINDS: &str = "manual, every, cron, once or rate";
/// Reads the canonical text.
pub(super) fn parse(text: &str) -> Result<Schedule, ScheduleError> {
    let parts = Parts::of(text)?;
    let Some(kind) = parts.head.first() else {
        return Err(error(
            0..text.len(),
            format!("The schedule is empty; begin it with {KINDS}."),
        ));
    };
    match kind.text {
        "manual" => {
            parts.no_more(1)?;
            parts.finish(ScheduleKind::Manual)
        }
        "once" => {
            let at = instant(&parts.argument("once 2026-10-01T06:00:00Z")?)?;
            parts.no_more(2)?;
            parts.finish(ScheduleKind::Once(at))
        }
        "every" => every(parts),
        "rate" => rate(parts),
        "cron" => {
            parts.argument("cron 0 0 9 * * MON-FRI")?;
            cron(parts, 1, Dialect::default(), &Zone::utc())
        }
        other => Err(unknown_kind(text, other, kind.at.clone())),
    }
}

fn unknown_kind(text: &str, word: &str, at: Range<usize>) -> ScheduleError {
    let mut error = error(
        at.clone(),
        format!("{word:?} is not a kind of schedule; begin with {KINDS}."),
    );
    let lower = word.to_ascii_lowercase();
    if ["manual", "once", "every", "rate", "cron"].contains(&lower.as_str()) {
        error.suggestion = Some(replaced(text, &at, &lower));
    } else if parse_lenient(text, Dialect::default(), &Zone::utc()).is_ok() {
        error.suggestion = Some(format!("cron {}", text.trim_ascii()));
    }
    error
}

/// Reads the canonical text or a bare cron expression with tails.
pub(super) fn parse_lenient(
    text: &str,
    dialect: Dialect,
    zone: &Zone,
) -> Result<Schedule, ScheduleError> {
    let parts = Parts::of(text)?;
    match parts.head.first().map(|part| part.text) {
        Some("cron") => {
            parts.argument("cron 0 0 9 * * MON-FRI")?;
            cron(parts, 1, dialect, zone)
        }
        None | Some("manual" | "once" | "every" | "rate") => parse(text),
        // A word is no cron field, so it was meant as a kind.
        Some(word) if word.len() > 3 && word.bytes().all(|b| b.is_ascii_alphabetic()) => {
            Err(unknown_kind_of_word(text, &parts))
        }
        Some(_) => cron(parts, 0, dialect, zone),
    }
}

fn unknown_kind_of_word(text: &str, parts: &Parts<'_>) -> ScheduleError {
    let word = &parts.head[0];
    let mut error = error(
        word.at.clone(),
        format!(
            "{:?} is not a kind of schedule; begin with {KINDS}, or with a cron expression.",
            word.text
        ),
    );
    let lower = word.text.to_ascii_lowercase();
    if ["manual", "once", "every", "rate", "cron"].contains(&lower.as_str()) {
        error.suggestion = Some(replaced(text, &word.at, &lower));
    }
    error
}

fn every(parts: Parts<'_>) -> Result<Schedule, ScheduleError> {
    let interval = interval(&parts, "every 00:10:00, or every 00:10:00 x5")?;
    let repeat = match parts.head.get(2) {
        None => None,
        Some(part) => {
            let digits = part
                .text
                .strip_prefix('x')
                .filter(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()));
            let count = digits
                .and_then(|digits| digits.parse::<u32>().ok())
                .filter(|count| *count > 0);
            let message = || {
                error(
                    part.at.clone(),
                    format!(
                        "{:?} is not a number of runs; write x and a whole number above zero, as in x5.",
                        part.text
                    ),
                )
            };
            Some(count.ok_or_else(message)?)
        }
    };
    parts.no_more(3)?;
    parts.finish(ScheduleKind::Every { interval, repeat })
}

fn rate(mut parts: Parts<'_>) -> Result<Schedule, ScheduleError> {
    let interval = interval(&parts, "rate 00:35:00")?;
    parts.no_more(2)?;
    let anchor = parts.take_instant("anchor")?;
    parts.finish(ScheduleKind::Rate { interval, anchor })
}

fn interval(parts: &Parts<'_>, form: &str) -> Result<chrono::TimeDelta, ScheduleError> {
    let part = parts.argument(form)?;
    parse_interval(part.text).map_err(|wrong| {
        let short = crate::interval::parse_duration(part.text)
            .ok()
            .filter(|short| short.num_milliseconds() > 0);
        let suggestion = short.map(|short| replaced(parts.text, &part.at, &format_interval(short)));
        ScheduleError {
            at: part.at.clone(),
            message: format!("{wrong}."),
            suggestion,
        }
    })
}

fn cron(
    mut parts: Parts<'_>,
    from: usize,
    dialect: Dialect,
    zone: &Zone,
) -> Result<Schedule, ScheduleError> {
    let choices = Dialect::ALL.map(|dialect| (dialect, dialect.as_str()));
    let written = parts.tails.iter().any(|(key, _)| *key == "dialect");
    let chosen = parts.take_choice("dialect", &choices)?;
    let dialect = if written { chosen } else { dialect };
    let (Some(first), Some(last)) = (parts.head.get(from), parts.head.last()) else {
        return Err(error(
            0..parts.text.len(),
            "The cron expression is missing.",
        ));
    };
    let at = first.at.start..last.at.end;
    let expression = CronExpression::parse(&parts.text[at.clone()], dialect).map_err(|wrong| {
        let suggestion = wrong
            .suggestion
            .as_ref()
            .map(|better| replaced(parts.text, &at, better));
        let allowed = if wrong.allowed.is_empty() {
            String::new()
        } else {
            format!(" Allowed here: {}.", wrong.allowed)
        };
        let message = format!("{}{allowed}", wrong.message);
        ScheduleError {
            at: wrong.at.start + at.start..wrong.at.end + at.start,
            message,
            suggestion,
        }
    })?;
    let zone = parts.take_zone(zone)?;
    let overlap = parts.take_choice("overlap", &Overlap::ALL)?;
    let gap = parts.take_choice("gap", &Gap::ALL)?;
    parts.finish(ScheduleKind::Cron(CronSchedule {
        expression,
        zone,
        overlap,
        gap,
    }))
}
