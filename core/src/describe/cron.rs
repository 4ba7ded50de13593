//! Cron rules in words.

use super::phrase::{Arg, Phrase};
use crate::cron::{CronExpression, CronRule, Dialect, FIRST_YEAR, Field};

/// Most times of day that are spelled out.
const MOST_TIMES: usize = 6;

/// The phrases of a cron rule: time of day, days, months, years.
pub(super) fn rule_phrases(expression: &CronExpression) -> Vec<Phrase> {
    let rule = expression.rule();
    if rule.is_never() {
        return vec![Phrase::new("cron.never")];
    }
    let mut phrases = time_phrases(rule);
    let days = day_phrase(rule);
    // "Every minute every day" says too much.
    let fixed_times = phrases
        .first()
        .is_some_and(|phrase| phrase.key == "time.at");
    if fixed_times || days.key != "day.every" {
        phrases.push(days);
    }
    let months = values(u64::from(rule.months), 1, 12);
    if months.len() < 12 {
        phrases.push(Phrase::new("month.in").with("months", listed(&months, Arg::Month)));
    }
    let years = years(rule);
    if years.len() < 130 {
        phrases.push(Phrase::new("year.in").with("years", listed(&years, Arg::text)));
    }
    phrases
}

fn values(mask: u64, low: u32, high: u32) -> Vec<u32> {
    (low..=high)
        .filter(|value| mask >> value & 1 == 1)
        .collect()
}

fn years(rule: &CronRule) -> Vec<u32> {
    (0..130)
        .filter(|bit| rule.years[*bit as usize / 64] >> (bit % 64) & 1 == 1)
        .map(|bit| bit + FIRST_YEAR as u32)
        .collect()
}

/// Values as words, three or more neighbours as a range.
fn listed(values: &[u32], name: impl Fn(u32) -> Arg) -> Arg {
    let mut parts = Vec::new();
    let mut index = 0;
    while index < values.len() {
        let run = (index + 1..values.len())
            .take_while(|next| values[*next] == values[index] + (next - index) as u32)
            .count();
        if run >= 2 {
            parts.push(Arg::Range(
                Box::new(name(values[index])),
                Box::new(name(values[index + run])),
            ));
            index += run + 1;
        } else {
            parts.push(name(values[index]));
            index += 1;
        }
    }
    Arg::All(parts)
}

/// The step of values that go evenly from the first of a field to its end, when they do.
fn even_step(values: &[u32], size: u32) -> Option<u32> {
    let step = size.checked_div(values.len() as u32)?;
    let even = values.len() > 1 && step * values.len() as u32 == size && values[0] == 0;
    (even && values.windows(2).all(|pair| pair[1] - pair[0] == step)).then_some(step)
}

fn time_phrases(rule: &CronRule) -> Vec<Phrase> {
    let seconds = values(rule.seconds, 0, 59);
    let minutes = values(rule.minutes, 0, 59);
    let hours = values(u64::from(rule.hours), 0, 23);
    if seconds.len() * minutes.len() * hours.len() <= MOST_TIMES {
        return vec![Phrase::new("time.at").with("times", times(&hours, &minutes, &seconds))];
    }
    let on_the_minute = seconds == [0];
    let mut phrases = Vec::new();
    match (on_the_minute, even_step(&minutes, 60), minutes.as_slice()) {
        (false, Some(1), _) => phrases.push(seconds_phrase(&seconds)),
        (false, ..) => {
            phrases.push(seconds_phrase(&seconds));
            phrases.push(Phrase::new("time.minutes").with("minutes", listed(&minutes, Arg::text)));
        }
        (true, Some(1), _) => phrases.push(Phrase::new("time.every_minute")),
        (true, Some(step), _) => {
            phrases.push(Phrase::new("time.every_minutes").with("step", Arg::text(step)))
        }
        (true, None, [0]) => return hour_phrases(&hours),
        (true, None, _) if hours.len() == 24 => {
            phrases
                .push(Phrase::new("time.hour_minute").with("minutes", listed(&minutes, Arg::text)));
        }
        (true, None, _) => phrases
            .push(Phrase::new("time.at_minutes").with("minutes", listed(&minutes, Arg::text))),
    }
    if hours.len() < 24 {
        phrases.push(hours_phrase(&hours));
    }
    phrases
}

fn seconds_phrase(seconds: &[u32]) -> Phrase {
    match even_step(seconds, 60) {
        Some(1) => Phrase::new("time.every_second"),
        Some(step) => Phrase::new("time.every_seconds").with("step", Arg::text(step)),
        None => Phrase::new("time.at_seconds").with("seconds", listed(seconds, Arg::text)),
    }
}

fn hour_phrases(hours: &[u32]) -> Vec<Phrase> {
    match even_step(hours, 24) {
        Some(1) => vec![Phrase::new("time.every_hour")],
        Some(step) => vec![Phrase::new("time.every_hours").with("step", Arg::text(step))],
        None if is_run(hours) => vec![Phrase::new("time.every_hour"), between(hours, 0)],
        None => vec![Phrase::new("time.at").with("times", times(hours, &[0], &[0]))],
    }
}

fn hours_phrase(hours: &[u32]) -> Phrase {
    if is_run(hours) {
        between(hours, 59)
    } else {
        Phrase::new("time.hours").with("hours", listed(hours, Arg::text))
    }
}

fn is_run(hours: &[u32]) -> bool {
    hours.windows(2).all(|pair| pair[1] == pair[0] + 1)
}

fn between(hours: &[u32], last_minute: u32) -> Phrase {
    let (from, to) = (
        hours.first().copied().unwrap_or(0),
        hours.last().copied().unwrap_or(23),
    );
    Phrase::new("time.between")
        .with("from", Arg::Text(format!("{from:02}:00")))
        .with("to", Arg::Text(format!("{to:02}:{last_minute:02}")))
}

fn times(hours: &[u32], minutes: &[u32], seconds: &[u32]) -> Arg {
    let plain = seconds == [0];
    let mut times = Vec::new();
    for hour in hours {
        for minute in minutes {
            for second in seconds {
                let tail = if plain {
                    String::new()
                } else {
                    format!(":{second:02}")
                };
                times.push(Arg::Text(format!("{hour:02}:{minute:02}{tail}")));
            }
        }
    }
    Arg::All(times)
}

fn day_phrase(rule: &CronRule) -> Phrase {
    let dates = date_rules(rule);
    let weekdays = weekday_rules(rule);
    let either = rule.days_either();
    let mut rules = match (dates, weekdays) {
        (None, None) => return Phrase::new("day.every"),
        (None, Some(_)) | (Some(_), None) if either => return Phrase::new("day.every"),
        (None, Some(rules)) | (Some(rules), None) => {
            return match rules.len() {
                1 => rules
                    .into_iter()
                    .next()
                    .unwrap_or_else(|| Phrase::new("day.every")),
                _ => Phrase::new("day.either").with(
                    "rules",
                    Arg::Any(rules.into_iter().map(Arg::Phrase).collect()),
                ),
            };
        }
        (Some(dates), Some(weekdays)) => vec![dates, weekdays],
    };
    let weekdays = rules.pop().unwrap_or_default();
    let mut dates = rules.pop().unwrap_or_default();
    if either {
        dates.extend(weekdays);
        return Phrase::new("day.either").with(
            "rules",
            Arg::Any(dates.into_iter().map(Arg::Phrase).collect()),
        );
    }
    let side = |rules: Vec<Phrase>| Arg::Any(rules.into_iter().map(Arg::Phrase).collect());
    Phrase::new("day.both").with("rules", Arg::All(vec![side(dates), side(weekdays)]))
}

/// What the day field asks, or `None` when it takes every day.
fn date_rules(rule: &CronRule) -> Option<Vec<Phrase>> {
    let days = values(u64::from(rule.dom), 1, 31);
    if days.len() == 31 {
        return None;
    }
    let mut rules = Vec::new();
    if !days.is_empty() {
        rules.push(Phrase::new("day.dates").with("days", listed(&days, Arg::text)));
    }
    for back in values(u64::from(rule.dom_last), 0, 30) {
        rules.push(match back {
            0 => Phrase::new("day.last"),
            1 => Phrase::new("day.one_before_last"),
            _ => Phrase::new("day.before_last").with("count", Arg::text(back)),
        });
    }
    for day in values(u64::from(rule.dom_nearest), 1, 31) {
        rules.push(Phrase::new("day.nearest").with("day", Arg::text(day)));
    }
    if rule.last_workday {
        rules.push(Phrase::new("day.last_workday"));
    }
    Some(rules)
}

/// What the weekday field asks, or `None` when it takes every weekday.
fn weekday_rules(rule: &CronRule) -> Option<Vec<Phrase>> {
    let mut days = values(u64::from(rule.dow), 0, 6);
    if days.len() == 7 {
        return None;
    }
    let mut rules = Vec::new();
    if !days.is_empty() {
        // A week that people read begins on Monday.
        days.sort_by_key(|day| (day + 6) % 7);
        let from_monday: Vec<u32> = days.iter().map(|day| (day + 6) % 7).collect();
        rules.push(Phrase::new("day.weekdays").with(
            "days",
            listed(&from_monday, |day| Arg::Weekday((day + 1) % 7)),
        ));
    }
    for day in values(u64::from(rule.dow_last), 0, 6) {
        rules.push(Phrase::new("day.last_weekday").with("day", Arg::Weekday(day)));
    }
    for (index, mask) in rule.dow_nth.iter().enumerate() {
        for day in values(u64::from(*mask), 0, 6) {
            let nth = Arg::Ordinal(index as u32 + 1);
            rules.push(
                Phrase::new("day.nth_weekday")
                    .with("nth", nth)
                    .with("day", Arg::Weekday(day)),
            );
        }
    }
    Some(rules)
}

/// The reading of one field in words.
pub(super) fn field_phrase(field: Field, text: &str, dialect: Dialect) -> Phrase {
    let every = Phrase::new("field.every").with("field", Arg::text(field.name()));
    if text == "*" || text == "?" {
        return every;
    }
    // The field alone in an otherwise open text has the meaning it has in its own.
    let Ok(rule) = alone(field, text, dialect) else {
        return Phrase::new("field.values")
            .with("field", Arg::text(field.name()))
            .with("values", Arg::text(text));
    };
    let rules = match field {
        Field::Day => date_rules(&rule),
        Field::Weekday => weekday_rules(&rule),
        _ => None,
    };
    if let Some(rules) = rules {
        return match <[Phrase; 1]>::try_from(rules) {
            Ok([one]) => one,
            Err(rules) => Phrase::new("day.either").with(
                "rules",
                Arg::Any(rules.into_iter().map(Arg::Phrase).collect()),
            ),
        };
    }
    let (mask, low, high) = match field {
        Field::Second => (rule.seconds, 0, 59),
        Field::Minute => (rule.minutes, 0, 59),
        Field::Hour => (u64::from(rule.hours), 0, 23),
        Field::Month => {
            return Phrase::new("month.in").with(
                "months",
                listed(&values(u64::from(rule.months), 1, 12), Arg::Month),
            );
        }
        Field::Year => {
            return Phrase::new("year.in").with("years", listed(&years(&rule), Arg::text));
        }
        Field::Day | Field::Weekday => return every,
    };
    Phrase::new("field.values")
        .with("field", Arg::text(field.name()))
        .with("values", listed(&values(mask, low, high), Arg::text))
}

fn alone(field: Field, text: &str, dialect: Dialect) -> Result<CronRule, crate::cron::CronError> {
    let fields: &[Field] = match dialect {
        Dialect::Unix => &Field::ALL[1..6],
        Dialect::Spring => &Field::ALL[..6],
        Dialect::Horarium | Dialect::Quartz => &Field::ALL,
    };
    let other = if field == Field::Day {
        Field::Weekday
    } else {
        Field::Day
    };
    let parts: Vec<&str> = fields
        .iter()
        .map(|each| match each {
            each if *each == field => text,
            each if dialect == Dialect::Quartz && *each == other => "?",
            _ => "*",
        })
        .collect();
    CronRule::parse(&parts.join(" "), dialect)
}
