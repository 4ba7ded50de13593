//! Warnings that the text of a cron expression alone gives rise to.

use super::Warning;
use crate::calendar::Weekdays;
use crate::cron::{CronRule, Dialect, Field};
use crate::schedule::CronSchedule;

/// Warnings about steps, weekday digits and two day fields.
pub(super) fn warnings(cron: &CronSchedule) -> Vec<Warning> {
    let steps = [(Field::Second, 60), (Field::Minute, 60), (Field::Hour, 24)];
    let mut list: Vec<Warning> = steps
        .into_iter()
        .filter_map(|(field, size)| uneven_step(cron, field, size))
        .collect();
    list.extend(day_step(cron));
    list.extend(weekday_digits(cron));
    list.extend(both_days(cron));
    list
}

fn uneven_step(cron: &CronSchedule, field: Field, size: u32) -> Option<Warning> {
    let text = cron.expression.field(field);
    let (start, _) = text
        .split_once('/')
        .filter(|_| !text.contains([',', '-']))?;
    let rule = cron.expression.rule();
    let mask = match field {
        Field::Second => rule.seconds,
        Field::Minute => rule.minutes,
        _ => u64::from(rule.hours),
    };
    let values: Vec<u32> = (0..size).filter(|value| mask >> value & 1 == 1).collect();
    let first = *values.first()?;
    let last = *values.last()?;
    let around = size - last + first;
    let step = values.get(1).map_or(size, |second| second - first);
    if around == step || values.len() == 1 && start == "0" && size == 24 {
        return None;
    }
    let list = values
        .iter()
        .map(u32::to_string)
        .collect::<Vec<_>>()
        .join(", ");
    let gaps = if values.len() == 1 {
        format!("so it is {size} {field}s from one to the next")
    } else {
        format!(
            "so {step} {field}s pass between them, and {around} before the first one comes again"
        )
    };
    Some(Warning::new(
        "uneven_step",
        format!(
            "{text} names {} {list} of the {field} field and starts again each time, {gaps}. For an even rhythm use rate or every.",
            if values.len() == 1 {
                "only"
            } else {
                "the values"
            }
        ),
    ))
}

fn day_step(cron: &CronSchedule) -> Option<Warning> {
    let text = cron.expression.field(Field::Day);
    text.contains('/').then(|| {
        Warning::new("day_step", format!("{text} counts the days of each month anew, so the distance over the end of a month is another one."))
    })
}

fn weekday_digits(cron: &CronSchedule) -> Option<Warning> {
    let text = cron.expression.field(Field::Weekday);
    // Digits behind # count occurrences and steps count days; only the others name a day.
    let names_day = text.split(',').any(|part| {
        part.split(['#', '/'])
            .next()
            .is_some_and(|day| day.bytes().any(|b| b.is_ascii_digit()))
    });
    if !names_day || cron.expression.as_str().starts_with('@') {
        return None;
    }
    let ours = names(cron.expression.rule());
    let (other, start) = match cron.dialect() {
        Dialect::Quartz => (Dialect::Horarium, "In Quartz numbers, where 1 is Sunday"),
        _ => (Dialect::Quartz, "Here 0 and 7 are Sunday and 1 is Monday"),
    };
    let theirs = match CronRule::parse(&format!("0 0 0 ? * {text}"), other) {
        Ok(rule) => format!("{} would read it as {}", other.title(), names(&rule)),
        Err(_) => format!("{} would refuse it", other.title()),
    };
    Some(Warning::new(
        "weekday_digits",
        format!(
            "{start}, so {text} means {ours}; {theirs}. Names such as MON mean the same everywhere."
        ),
    ))
}

/// Weekdays of a rule by name, in whatever way they are chosen.
fn names(rule: &CronRule) -> String {
    let all = rule
        .dow_nth
        .iter()
        .fold(rule.dow | rule.dow_last, |mask, nth| mask | nth);
    let days = Weekdays::new((0..7).filter(|day| all >> day & 1 == 1));
    let names: Vec<&str> = days.names().collect();
    names.join(", ")
}

fn both_days(cron: &CronSchedule) -> Option<Warning> {
    let (day, week) = (
        cron.expression.field(Field::Day),
        cron.expression.field(Field::Weekday),
    );
    cron.expression.rule().days_either().then(|| {
        Warning::new(
            "either_day",
            format!("Both day fields are set, so it fires on days that match either of them: {day} or {week}. Spring and Quartz would want both or refuse it."),
        )
    })
}
