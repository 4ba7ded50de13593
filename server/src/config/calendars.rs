//! `[calendars.NAME]`: when nothing may run.

use std::collections::BTreeMap;

use horarium_core::{
    calendar::{Calendar, Calendars},
    names::CalendarName,
    zone::Zone,
};
use serde_json::Value;

use super::section::Section;

/// The keys of all kinds; which of them a kind takes is its own rule.
const KEYS: [&str; 8] = [
    "kind",
    "zone",
    "dates",
    "days",
    "from",
    "to",
    "expression",
    "members",
];

/// Reads the section.
pub fn read(section: Section<'_>) -> Calendars {
    let mut calendars = BTreeMap::new();
    for (name, mut section) in section.named() {
        let calendar = read_calendar(&mut section);
        match CalendarName::try_from(name) {
            Ok(name) => {
                if let Some(calendar) = calendar {
                    calendars.insert(name, calendar);
                }
            }
            Err(error) => section.problem("", error.to_string()),
        }
        section.finish();
    }
    Calendars(calendars)
}

fn read_calendar(section: &mut Section<'_>) -> Option<Calendar> {
    let mut object = serde_json::Map::new();
    for key in KEYS {
        if let Some(value) = section.json(key) {
            object.insert(key.to_owned(), value);
        }
    }
    let hint = "write holiday, weekly, daily, cron or composite";
    section.required("kind", hint)?;
    let zone = section.text("zone").unwrap_or_default();
    if let Err(error) = Zone::parse(&zone) {
        section.problem("zone", error.to_string());
        return None;
    }
    match serde_json::from_value(Value::Object(object)) {
        Ok(calendar) => Some(calendar),
        Err(error) => {
            let sentence = error.to_string();
            // the fault is shown at the key that its sentence names
            let named = KEYS
                .iter()
                .find(|key| sentence.contains(&format!("\"{key}\"")));
            section.problem(named.copied().unwrap_or("kind"), sentence);
            None
        }
    }
}
