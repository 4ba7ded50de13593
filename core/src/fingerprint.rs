//! The fingerprint of a definition: tells whether code changed (S153, S154, A41).

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::job::{JobDefinition, TriggerDefinition};

/// The version of the canonical form below; it stands in the hash, so a new form gives new fingerprints on purpose.
const FORM: u32 = 1;

/// SHA-256, in hexadecimal, over the versioned canonical JSON of the definition: sorted keys, no blanks, triggers by
/// name. Retry and timeout enter only when set (S154).
pub fn fingerprint(job: &JobDefinition) -> String {
    let mut triggers: Vec<&TriggerDefinition> = job.triggers.iter().collect();
    triggers.sort_by(|a, b| a.name.cmp(&b.name));
    let mut form = Map::new();
    let mut put = |key: &str, value: Value| form.insert(key.to_owned(), value);
    put("form", json!(FORM));
    put("type", json!(job.job_type));
    put("data", sorted(&Value::Object(job.data.clone())));
    put("allow_concurrent", json!(job.allow_concurrent));
    put("run_on_every_instance", json!(job.run_on_every_instance));
    put("requests_recovery", json!(job.requests_recovery));
    put(
        "description",
        json!(job.description.as_deref().unwrap_or_default()),
    );
    put("tags", json!(job.tags));
    put("triggers", triggers.into_iter().map(trigger).collect());
    if let Some(retry) = &job.retry {
        put("retry", sorted(&json!(retry)));
    }
    if let Some(timeout) = job.timeout {
        put("timeout", json!(timeout.num_milliseconds()));
    }
    let text = sorted(&Value::Object(form)).to_string();
    Sha256::digest(text.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn trigger(trigger: &TriggerDefinition) -> Value {
    json!({
        "name": trigger.name,
        "schedule": trigger.schedule.to_string(),
        "data": sorted(&Value::Object(trigger.data.clone())),
        "priority": trigger.priority,
        "misfire": trigger.misfire,
        "description": trigger.description.as_deref().unwrap_or_default(),
    })
}

/// The same value with the keys of every object in order, whatever map the JSON library keeps.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort();
            Value::Object(
                keys.into_iter()
                    .map(|k| (k.clone(), sorted(&map[k])))
                    .collect(),
            )
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        other => other.clone(),
    }
}
