//! A code job beside its override.

use serde::{Deserialize, Serialize};

use super::NextFireRow;

/// The code definition beside the running one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CodeView {
    /// Whether the running definition differs from the code's.
    pub overridden: bool,
    /// Whether the next start keeps the override.
    pub kept_at_start: bool,
    /// Every field, in the order of the definition.
    pub fields: Vec<Change>,
    /// The next ten fires of the code definition.
    pub code_fires: Vec<NextFireRow>,
    /// The next ten fires of the running definition.
    pub running_fires: Vec<NextFireRow>,
}

/// One field of both definitions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What the field is called.
    pub name: String,
    /// The code's value; empty when it has none.
    pub code: String,
    /// The running value; empty when it has none.
    pub running: String,
}

impl Change {
    /// Whether the two differ.
    pub fn differs(&self) -> bool {
        self.code != self.running
    }
}
