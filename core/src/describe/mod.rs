//! Schedules in words.

mod cron;
mod phrase;

use std::ops::Range;

use chrono::{DateTime, SecondsFormat, Utc};

use crate::cron::{CronExpression, Field};
use crate::schedule::{Gap, Overlap, Schedule, ScheduleKind};
pub use phrase::{Arg, Phrase};

/// A field of a cron expression with its meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldReading {
    /// Which field.
    pub field: Field,
    /// As it is written.
    pub text: String,
    /// Its bytes in the expression's text.
    pub at: Range<usize>,
    /// What it means.
    pub reading: Phrase,
}

/// The meaning of every written field. A macro has no fields.
pub fn readings(expression: &CronExpression) -> Vec<FieldReading> {
    let fields = expression.fields();
    let reading = |(field, at): (Field, Range<usize>)| {
        let text = expression.as_str()[at.clone()].to_owned();
        let reading = cron::field_phrase(field, &text, expression.dialect());
        FieldReading {
            field,
            text,
            at,
            reading,
        }
    };
    fields.into_iter().map(reading).collect()
}

/// A cron expression as phrases, without a zone.
pub fn describe_cron(expression: &CronExpression) -> Vec<Phrase> {
    cron::rule_phrases(expression)
}

/// A schedule as phrases, in the order in which they are read.
pub fn describe(schedule: &Schedule) -> Vec<Phrase> {
    let mut phrases = Vec::new();
    match &schedule.kind {
        ScheduleKind::Manual => phrases.push(Phrase::new("schedule.manual")),
        ScheduleKind::Once(at) => {
            phrases.push(Phrase::new("schedule.once").with("at", instant(*at)))
        }
        ScheduleKind::Every { interval, repeat } => {
            phrases.push(
                Phrase::new("schedule.every")
                    .with("interval", Arg::Duration(interval.num_milliseconds())),
            );
            if let Some(repeat) = repeat {
                phrases.push(Phrase::new("schedule.times").with("count", Arg::text(repeat)));
            }
        }
        ScheduleKind::Rate { interval, .. } => {
            phrases.push(
                Phrase::new("schedule.rate")
                    .with("interval", Arg::Duration(interval.num_milliseconds())),
            );
        }
        ScheduleKind::Cron(cron) => {
            phrases.extend(cron::rule_phrases(&cron.expression));
            phrases.push(Phrase::new("schedule.zone").with("zone", Arg::text(&cron.zone)));
        }
    }
    for (key, at) in [
        ("schedule.start", schedule.start),
        ("schedule.end", schedule.end),
    ] {
        phrases.extend(at.map(|at| Phrase::new(key).with("at", instant(at))));
    }
    if let Some(calendar) = &schedule.calendar {
        phrases.push(Phrase::new("schedule.calendar").with("calendar", Arg::text(calendar)));
    }
    if let Some(cron) = schedule.as_cron() {
        let overlap = match cron.overlap {
            Overlap::First => None,
            Overlap::Second => Some("overlap.second"),
            Overlap::Both => Some("overlap.both"),
            Overlap::Auto => Some("overlap.auto"),
        };
        let gap = match cron.gap {
            Gap::Skip => None,
            Gap::End => Some("gap.end"),
            Gap::Shift => Some("gap.shift"),
        };
        phrases.extend(overlap.into_iter().chain(gap).map(Phrase::new));
    }
    phrases
}

/// A schedule as one English sentence, `At 02:30 every day, Europe/Berlin`.
pub fn sentence(schedule: &Schedule) -> String {
    join(&describe(schedule))
}

/// Phrases joined to a sentence: what belongs to the time and day is one clause, the rest follows behind commas.
fn join(phrases: &[Phrase]) -> String {
    let mut text = String::new();
    for phrase in phrases {
        let inner = ["time.", "day.", "month.", "year."]
            .iter()
            .any(|start| phrase.key.starts_with(start));
        let separator = match (text.is_empty(), inner) {
            (true, _) => "",
            (false, true) => " ",
            (false, false) => ", ",
        };
        text.push_str(separator);
        text.push_str(&phrase.to_string());
    }
    text
}

fn instant(at: DateTime<Utc>) -> Arg {
    Arg::Text(at.to_rfc3339_opts(SecondsFormat::AutoSi, true))
}
