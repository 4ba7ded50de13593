//! Run data: a JSON object, merged in layers (S17, A38).

use serde_json::{Map, Value};

/// The data of a job, a trigger, a request or a run.
pub type Data = Map<String, Value>;

/// Merges layers from the weakest to the strongest: job, trigger, request. Shallow: a later layer replaces
/// a key whole, and an explicit null replaces too (A38).
pub fn merge<'a>(layers: impl IntoIterator<Item = &'a Data>) -> Data {
    let mut merged = Data::new();
    for layer in layers {
        merged.extend(layer.iter().map(|(k, v)| (k.clone(), v.clone())));
    }
    merged
}
