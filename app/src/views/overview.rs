//! What is going on now, and what comes next.

use serde::{Deserialize, Serialize};

use super::{Moment, NextFireRow, RunRow};

/// The first page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Overview {
    /// This node's id.
    pub node: String,
    /// Whether the engine takes part in the work.
    pub serving: bool,
    /// Whether this node leads.
    pub leader: bool,
    /// When it last looked for work.
    pub last_cycle: Option<Moment>,
    /// Whether that is so long ago that something is wrong.
    pub stalled: bool,
    /// Since when it runs.
    pub started: Moment,
    /// Runs on this node.
    pub running_here: u32,
    /// Its limit.
    pub limit: u32,
    /// The store's product and version.
    pub store: String,
    /// Whether several nodes share the store.
    pub shared: bool,
    /// How many nodes have shown signs of life.
    pub nodes: usize,
    /// The version of the zone data.
    pub zone_data: String,
    /// How many jobs there are.
    pub jobs: i64,
    /// Runs that go on now.
    pub running: Vec<RunRow>,
    /// How many go on now, on all nodes.
    pub running_total: i64,
    /// The next fires across jobs.
    pub upcoming: Vec<Upcoming>,
    /// The latest failures of the last 24 h.
    pub failures: Vec<RunRow>,
    /// How many there were.
    pub failures_total: i64,
    /// What deserves a look.
    pub problems: Vec<Problem>,
}

/// One coming fire of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Upcoming {
    /// The job.
    pub job: String,
    /// The fire.
    pub fire: NextFireRow,
}

/// Something that deserves a look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Paused, overridden, error or never: names the mark.
    pub kind: String,
    /// The job.
    pub job: String,
    /// What is the matter, as a sentence.
    pub text: String,
    /// The tab of the job's page that helps.
    pub tab: String,
}
