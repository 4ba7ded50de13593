//! `horarium next --batch`: a JSON line in, a JSON line out, in order.

use std::{
    io::{self, BufRead as _, Write as _},
    ops::Range,
    process::ExitCode,
};

use chrono::{DateTime, Utc};
use horarium_core::{
    calendar::{Calendar, Calendars},
    civil::CivilDate,
    code::ErrorCode,
    cron::Dialect,
    fires::{FireOptions, fires},
    names::CalendarName,
    schedule::Schedule,
    window::window,
    zone::Zone,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Failure, NextArgs,
    output::{instant, utc},
};

/// The most fires that one line may ask for.
const MAX_COUNT: usize = 1000;

/// One question. Other keys, such as comments of a test file, are passed over.
#[derive(Deserialize)]
struct Question {
    #[serde(default)]
    kind: String,
    #[serde(alias = "schedule")]
    expr: Option<String>,
    #[serde(default)]
    zone: String,
    dialect: Option<Dialect>,
    from: Option<String>,
    start: Option<String>,
    end: Option<String>,
    calendar: Option<Value>,
    count: Option<usize>,
    date: Option<String>,
}

/// Why a question has no answer.
struct Refusal {
    message: String,
    at: Option<Range<usize>>,
}

impl<T: Into<String>> From<T> for Refusal {
    fn from(message: T) -> Self {
        Self {
            message: message.into(),
            at: None,
        }
    }
}

/// Answers line by line until the input ends.
pub fn run(args: &NextArgs) -> Result<ExitCode, Failure> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let broken = |error: io::Error| Failure {
            text: format!("the lines cannot be read or answered: {error}"),
            status: 1,
        };
        let line = line.map_err(broken)?;
        if !line.trim().is_empty() {
            writeln!(output, "{}", answer(&line, args)).map_err(broken)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn answer(line: &str, args: &NextArgs) -> Value {
    let (id, answered) = match serde_json::from_str::<Value>(line) {
        Ok(value) => {
            let id = value.get("id").cloned().unwrap_or_default();
            let answered = serde_json::from_value(value)
                .map_err(|error| Refusal::from(error.to_string()))
                .and_then(|question| reply(question, args));
            (id, answered)
        }
        Err(error) => (Value::Null, Err(format!("not a JSON line: {error}").into())),
    };
    let mut reply = answered.unwrap_or_else(|refusal| {
        let mut error = json!({ "code": ErrorCode::BadDefinition, "message": refusal.message });
        if let Some(at) = refusal.at {
            error["at"] = json!([at.start, at.end]);
        }
        json!({ "error": error })
    });
    reply["id"] = id;
    reply
}

fn reply(question: Question, args: &NextArgs) -> Result<Value, Refusal> {
    let zone = Zone::parse(&question.zone).map_err(|error| error.to_string())?;
    if question.kind == "window" {
        return date_window(&question, &zone);
    }
    let text = question.expr.as_deref().ok_or("the key expr is missing")?;
    let dialect = question.dialect.unwrap_or(args.dialect);
    let mut schedule = Schedule::parse_lenient(text, dialect, &zone).map_err(|error| Refusal {
        message: error.to_string(),
        at: Some(error.at.clone()),
    })?;
    schedule.start = optional(question.start.as_deref())?.or(schedule.start);
    schedule.end = optional(question.end.as_deref())?.or(schedule.end);
    let calendars = calendars(&question, &mut schedule)?;
    let from = question.from.as_deref().ok_or("the key from is missing")?;
    let count = question.count.unwrap_or(5).min(MAX_COUNT);
    let mut found = fires(&schedule, &calendars, instant(from)?, FireOptions::runs());
    let next: Vec<String> = found
        .by_ref()
        .take(count)
        .map(|fire| utc(fire.at))
        .collect();
    let then_none = found.next().is_none();
    Ok(json!({ "next": next, "then_none": then_none }))
}

fn optional(text: Option<&str>) -> Result<Option<DateTime<Utc>>, String> {
    text.map(instant).transpose()
}

/// The calendar of the line, under a name of its own.
fn calendars(question: &Question, schedule: &mut Schedule) -> Result<Calendars, Refusal> {
    let mut calendars = Calendars::default();
    if let Some(value) = &question.calendar {
        let calendar: Calendar =
            serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
        let name = CalendarName::try_from("calendar").map_err(|error| error.to_string())?;
        calendars.0.insert(name.clone(), calendar);
        schedule.calendar = Some(name);
    }
    schedule
        .check_calendar(&calendars)
        .map_err(|missing| format!("the calendar '{missing}' is not in the line"))?;
    Ok(calendars)
}

fn date_window(question: &Question, zone: &Zone) -> Result<Value, Refusal> {
    let date = question.date.as_deref().ok_or("the key date is missing")?;
    let date: CivilDate = date
        .parse()
        .map_err(|_| format!("'{date}' is not a date; write it like 2026-10-01"))?;
    Ok(match window(zone, date) {
        Some(window) => json!({
            "start": utc(window.start),
            "end": utc(window.end),
            "seconds": window.seconds(),
        }),
        None => json!({ "none": true }),
    })
}
