//! Job data as text, with secrets masked, and what forms send.

use horarium_core::zone::Zone;
use horarium_core::{data::Data, names::JobName};
use horarium_engine::scheduler::{PauseRequest, TriggerRequest};
use serde_json::Value;

use super::time::read_instant;
use crate::error::{AppError, BAD_DATA, BAD_TIME};

/// What stands in place of a secret.
pub(crate) const MASK: &str = "••••••";

/// Parts of keys whose values are not shown.
const SECRET: [&str; 10] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "authorization",
    "credential",
];

fn is_secret(key: &str) -> bool {
    let key = key.to_lowercase();
    SECRET.iter().any(|part| key.contains(part)) || key == "cookie" || key.contains("private_key")
}

fn masked(value: &Value) -> Value {
    match value {
        Value::Object(map) => Value::Object(masked_object(map)),
        Value::Array(list) => Value::Array(list.iter().map(masked).collect()),
        other => other.clone(),
    }
}

fn masked_object(map: &Data) -> Data {
    map.iter()
        .map(|(key, value)| {
            let shown = if is_secret(key) && !value.is_null() {
                Value::String(MASK.to_owned())
            } else {
                masked(value)
            };
            (key.clone(), shown)
        })
        .collect()
}

/// Data as indented JSON, secrets masked.
pub(crate) fn pretty(data: &Data) -> String {
    serde_json::to_string_pretty(&Value::Object(masked_object(data))).unwrap_or_default()
}

/// The same, but nothing for an empty object.
pub(crate) fn pretty_unless_empty(data: &Data) -> String {
    if data.is_empty() {
        String::new()
    } else {
        pretty(data)
    }
}

/// A request to run a job with what was typed as its data.
pub(crate) fn trigger_request(job: JobName, text: &str) -> Result<TriggerRequest, AppError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(job.into());
    }
    let wrong = |why: String| AppError {
        draft: vec![("data".to_owned(), text.chars().take(2000).collect())],
        ..AppError::new(BAD_DATA, why)
    };
    match serde_json::from_str(text) {
        Ok(Value::Object(data)) => Ok(TriggerRequest { job, data }),
        Ok(_) => Err(wrong("it needs braces around it, { … }".to_owned())),
        Err(error) => Err(wrong(format!(
            "line {}, column {}: {}",
            error.line(),
            error.column(),
            reason(&error)
        ))),
    }
}

/// The parser's sentence without the place, which is said already.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((reason, _)) => reason.to_owned(),
        None => text,
    }
}

/// A pause with what was typed as its reason and end.
pub(crate) fn pause_request(
    reason: String,
    until: &str,
    zone: &str,
) -> Result<PauseRequest, AppError> {
    let zone = Zone::parse(zone).map_err(|error| AppError::new(BAD_TIME, error.text))?;
    let until = match until.trim() {
        "" => None,
        text => Some(read_instant(text, &zone)?),
    };
    Ok(PauseRequest {
        reason: reason.trim().to_owned(),
        until,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn data(value: Value) -> Data {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn secrets_are_masked_at_every_depth() {
        let shown = pretty(&data(json!({
            "url": "http://x", "headers": [{ "Authorization": "Bearer a1" }], "db_password": "p",
        })));
        assert!(shown.contains("http://x"));
        assert!(!shown.contains("a1") && !shown.contains("\"p\""), "{shown}");
    }

    #[test]
    fn bad_data_says_where_and_keeps_the_text() {
        let name: JobName = "a".parse().unwrap();
        let error = trigger_request(name.clone(), "{ \"a\": }").unwrap_err();
        assert_eq!(error.args, ["line 1, column 8: expected value"]);
        assert_eq!(error.typed("data"), Some("{ \"a\": }"));
        assert_eq!(trigger_request(name, "[1]").unwrap_err().code, BAD_DATA);
    }
}
