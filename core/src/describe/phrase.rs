//! Sentences as keys with arguments, so that other languages only add templates.

use std::fmt;

/// An argument of a phrase. Numbers and names are kept apart from words, each language spells them itself.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Arg {
    /// Text that is the same in every language: numbers, times, zone names.
    Text(String),
    /// A weekday, 0 = Sunday.
    Weekday(u32),
    /// A month, 1 = January.
    Month(u32),
    /// A place in a row: first, second, …
    Ordinal(u32),
    /// A length of time in milliseconds.
    Duration(i64),
    /// From one to another, both included.
    Range(Box<Arg>, Box<Arg>),
    /// Several, joined with "and".
    All(Vec<Arg>),
    /// Several, joined with "or".
    Any(Vec<Arg>),
    /// A phrase within the phrase.
    Phrase(Phrase),
}

impl Arg {
    /// Plain text.
    pub fn text(text: impl fmt::Display) -> Arg {
        Arg::Text(text.to_string())
    }
}

/// A message key with its arguments. `Display` is the English text, without a full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    /// Key of the message.
    pub key: &'static str,
    /// Arguments by name.
    pub args: Vec<(&'static str, Arg)>,
}

impl Phrase {
    /// A phrase without arguments.
    pub fn new(key: &'static str) -> Phrase {
        Phrase {
            key,
            args: Vec::new(),
        }
    }

    /// The phrase with one more argument.
    #[must_use]
    pub fn with(mut self, name: &'static str, arg: Arg) -> Phrase {
        self.args.push((name, arg));
        self
    }
}

/// English templates; `{name}` stands for an argument.
const ENGLISH: &[(&str, &str)] = &[
    ("schedule.manual", "Only by hand"),
    ("schedule.once", "Once, at {at}"),
    (
        "schedule.every",
        "{interval} after the previous run has ended",
    ),
    (
        "schedule.rate",
        "Every {interval}, however long a run takes",
    ),
    ("schedule.times", "{count} runs in all"),
    ("schedule.start", "from {at}"),
    ("schedule.end", "until {at}"),
    ("schedule.calendar", "except when {calendar} excludes it"),
    ("schedule.zone", "{zone}"),
    (
        "overlap.second",
        "a repeated local time runs the second time",
    ),
    ("overlap.both", "a repeated local time runs both times"),
    (
        "overlap.auto",
        "a repeated local time runs both times if the rule reads like an interval",
    ),
    ("gap.end", "a skipped local time runs when the gap ends"),
    (
        "gap.shift",
        "a skipped local time runs later by the length of the gap",
    ),
    ("cron.never", "Never: no such date exists"),
    ("time.at", "At {times}"),
    ("time.every_second", "Every second"),
    ("time.every_seconds", "Every {step} seconds"),
    ("time.every_minute", "Every minute"),
    ("time.every_minutes", "Every {step} minutes"),
    ("time.every_hour", "Every hour"),
    ("time.every_hours", "Every {step} hours"),
    ("time.hour_minute", "Every hour at minute {minutes}"),
    ("time.seconds", "at second {seconds}"),
    ("time.at_seconds", "At second {seconds}"),
    ("time.at_minutes", "At minute {minutes}"),
    ("time.minutes", "of minute {minutes}"),
    ("time.hours", "past hour {hours}"),
    ("time.between", "between {from} and {to}"),
    ("day.every", "every day"),
    ("day.dates", "on day {days} of the month"),
    ("day.weekdays", "on {days}"),
    ("day.last", "on the last day of the month"),
    (
        "day.before_last",
        "{count} days before the last day of the month",
    ),
    (
        "day.one_before_last",
        "on the day before the last day of the month",
    ),
    (
        "day.nearest",
        "on the working day nearest to day {day} of the month",
    ),
    ("day.last_workday", "on the last working day of the month"),
    ("day.last_weekday", "on the last {day} of the month"),
    ("day.nth_weekday", "on the {nth} {day} of the month"),
    ("day.either", "on days that match either: {rules}"),
    ("day.both", "on days that match both: {rules}"),
    ("month.in", "in {months}"),
    ("year.in", "in {years}"),
    ("field.every", "every {field}"),
    ("field.values", "{field} {values}"),
    (
        "field.step",
        "every {step} from {from} on, that is {values}",
    ),
];

const WEEKDAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const ORDINALS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let template = ENGLISH
            .iter()
            .find(|(key, _)| *key == self.key)
            .map_or(self.key, |(_, text)| text);
        let mut rest = template;
        while let Some((before, tail)) = rest.split_once('{') {
            let (name, after) = tail.split_once('}').unwrap_or((tail, ""));
            f.write_str(before)?;
            match self.args.iter().find(|(known, _)| *known == name) {
                Some((_, arg)) => arg.fmt(f)?,
                None => write!(f, "{{{name}}}")?,
            }
            rest = after;
        }
        f.write_str(rest)
    }
}

impl fmt::Display for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Arg::Text(text) => f.write_str(text),
            Arg::Weekday(day) => f.write_str(WEEKDAYS[*day as usize % 7]),
            Arg::Month(month) => f.write_str(MONTHS[(*month as usize + 11) % 12]),
            Arg::Ordinal(n) => f.write_str(
                ORDINALS
                    .get((*n as usize).wrapping_sub(1))
                    .copied()
                    .unwrap_or("last"),
            ),
            Arg::Duration(millis) => duration(*millis, f),
            Arg::Range(from, to) => write!(f, "{from} to {to}"),
            Arg::All(parts) => join(parts, "and", f),
            Arg::Any(parts) => join(parts, "or", f),
            Arg::Phrase(phrase) => phrase.fmt(f),
        }
    }
}

fn join(parts: &[Arg], word: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        match index {
            0 => {}
            _ if index + 1 == parts.len() => write!(f, " {word} ")?,
            _ => f.write_str(", ")?,
        }
        write!(f, "{part}")?;
    }
    Ok(())
}

fn duration(millis: i64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut rest = millis.max(0);
    let mut first = true;
    for (unit, name) in [
        (86_400_000, "day"),
        (3_600_000, "hour"),
        (60_000, "minute"),
        (1000, "second"),
        (1, "millisecond"),
    ] {
        let count = rest / unit;
        rest %= unit;
        if count > 0 {
            let plural = if count == 1 { "" } else { "s" };
            write!(f, "{}{count} {name}{plural}", if first { "" } else { " " })?;
            first = false;
        }
    }
    if first {
        f.write_str("no time")
    } else {
        Ok(())
    }
}
