//! What is wrong with a question, where, and the way out.

use horarium_core::{
    calendar::Calendars,
    cron::{CronExpression, Dialect},
    schedule::ScheduleError,
    zone::ZoneError,
};

use crate::views::PreviewFault;

/// The whole text of a field is wrong.
fn whole(field: &str, text: &str, message: String, suggestions: Vec<String>) -> Box<PreviewFault> {
    Box::new(PreviewFault {
        field: field.to_owned(),
        text: text.to_owned(),
        at: (!text.is_empty()).then_some((0, text.len())),
        message,
        allowed: String::new(),
        suggestions,
    })
}

pub(super) fn zone(error: &ZoneError) -> Box<PreviewFault> {
    let message = format!("“{}” is not a known time zone.", error.text);
    let mut fault = whole("tz", &error.text, message, error.suggestions.clone());
    fault.allowed = "an IANA name such as Europe/Berlin, a Windows id such as China Standard Time, or an offset such as +08:00".to_owned();
    fault
}

pub(super) fn from(text: &str) -> Box<PreviewFault> {
    let message =
        "Write a local time such as 2026-12-01T06:00, or an instant such as 2026-12-01T05:00:00Z.";
    whole("from", text, message.to_owned(), Vec::new())
}

pub(super) fn calendar(name: &str, calendars: &Calendars) -> Box<PreviewFault> {
    let names: Vec<_> = calendars.0.keys().map(ToString::to_string).collect();
    let message = if names.is_empty() {
        format!("There is no calendar {name}; no calendar is registered.")
    } else {
        format!("There is no calendar {name}.")
    };
    whole("calendar", name, message, names)
}

/// A bare cron expression is asked again for what its error knows besides: what is allowed at the place.
pub(super) fn expression(text: &str, dialect: Dialect, error: ScheduleError) -> Box<PreviewFault> {
    let cron = CronExpression::parse(text, dialect).err();
    let same = cron.filter(|cron| cron.at == error.at);
    Box::new(PreviewFault {
        field: "expr".to_owned(),
        text: text.to_owned(),
        at: Some((error.at.start, error.at.end)),
        allowed: same
            .as_ref()
            .map(|cron| cron.allowed.to_owned())
            .unwrap_or_default(),
        // the schedule's message says again what is allowed
        message: same.map_or(error.message, |cron| cron.message),
        suggestions: error.suggestion.into_iter().collect(),
    })
}
