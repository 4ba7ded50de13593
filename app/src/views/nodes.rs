//! Nodes, calendars and recent changes.

use serde::{Deserialize, Serialize};

use super::Moment;

/// A node of the cluster.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NodeRow {
    /// Its id.
    pub id: String,
    /// Whether it is the node that made this page.
    pub here: bool,
    /// Whether it leads, as far as this node knows.
    pub leader: bool,
    /// The product's version.
    pub version: String,
    /// Since when it runs.
    pub started: Moment,
    /// Its last sign of life.
    pub heartbeat: Moment,
    /// Runs on it.
    pub running: u32,
    /// Its limit.
    pub limit: u32,
    /// Whether it takes no new runs.
    pub draining: bool,
    /// The types it knows.
    pub types: Vec<String>,
}

/// An exclusion calendar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarRow {
    /// Its name.
    pub name: String,
    /// What it excludes, in words.
    pub words: String,
    /// The definition, as it is stored.
    pub definition: String,
}

/// One recent change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditRow {
    /// When.
    pub at: Moment,
    /// Who.
    pub actor: String,
    /// From where; may be empty.
    pub address: String,
    /// For instance `job.pause`.
    pub action: String,
    /// What it was done to.
    pub object: String,
    /// The page of that object; empty when it has none.
    pub href: String,
    /// Reason, values before and after.
    pub detail: String,
    /// `ok`, or the error code.
    pub outcome: String,
}
