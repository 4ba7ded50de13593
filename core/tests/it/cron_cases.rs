//! Cases from public reports, one JSON object a line (tests/data/cron.jsonl).

use chrono::{DateTime, SecondsFormat, Utc};
use horarium_core::calendar::{Calendar, Calendars};
use horarium_core::cron::CronExpression;
use horarium_core::fires::next_n;
use horarium_core::schedule::Schedule;
use horarium_core::window::window;
use horarium_core::zone::Zone;
use serde_json::Value;

const CASES: &str = include_str!("../data/cron.jsonl");

fn instant(case: &Value, key: &str) -> Option<DateTime<Utc>> {
    case[key]
        .as_str()
        .map(|text| text.parse().expect("instants of the file are valid"))
}

fn show(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn schedule(case: &Value) -> Result<Schedule, String> {
    let expression: CronExpression = case["expr"]
        .as_str()
        .unwrap_or_default()
        .parse()
        .map_err(|error| format!("{error}"))?;
    let zone = Zone::parse(case["zone"].as_str().unwrap_or_default())
        .map_err(|error| error.to_string())?;
    Ok(Schedule {
        start: instant(case, "start"),
        end: instant(case, "end"),
        ..Schedule::cron(expression, zone)
    })
}

fn check(case: &Value) -> Result<(), String> {
    if case["kind"] == "window" {
        let zone = Zone::parse(case["zone"].as_str().unwrap_or_default())
            .map_err(|error| error.to_string())?;
        let date = case["date"].as_str().unwrap_or_default().parse()?;
        let found = window(&zone, date)
            .map(|window| (show(window.start), show(window.end), window.seconds()));
        let expected = (case["none"] != true).then(|| {
            (
                case["start"].as_str().unwrap_or_default().to_owned(),
                case["end"].as_str().unwrap_or_default().to_owned(),
                case["seconds"].as_i64().unwrap_or_default(),
            )
        });
        return if found == expected {
            Ok(())
        } else {
            Err(format!("found {found:?}, expected {expected:?}"))
        };
    }
    let mut schedule = match (schedule(case), case["error"] == true) {
        (Err(_), true) => return Ok(()),
        (Ok(_), true) => return Err("accepted, but it must be refused".to_owned()),
        (result, false) => result?,
    };
    let mut calendars = Calendars::new();
    if case["calendar"].is_object() {
        let calendar: Calendar =
            serde_json::from_value(case["calendar"].clone()).map_err(|error| error.to_string())?;
        let name: horarium_core::names::CalendarName =
            "days".parse().map_err(|error| format!("{error}"))?;
        calendars.insert(name.clone(), calendar);
        schedule.calendar = Some(name);
    }
    let from = instant(case, "from").ok_or("no from")?;
    let expected: Vec<&str> = case["next"]
        .as_array()
        .ok_or("no next")?
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let more = if case["then_none"] == true { 1 } else { 0 };
    let found: Vec<String> = next_n(&schedule, &calendars, from, expected.len() + more)
        .iter()
        .map(|fire| show(fire.at))
        .collect();
    if found == expected {
        Ok(())
    } else {
        Err(format!("found {found:?}, expected {expected:?}"))
    }
}

#[test]
fn every_reported_case_gives_the_expected_instants() {
    let mut wrong = Vec::new();
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).expect("the file holds JSON lines");
        if let Err(error) = check(&case) {
            wrong.push(format!("{} {}: {error}", case["id"], case["expr"]));
        }
    }
    assert_eq!(CASES.lines().count(), 149);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
