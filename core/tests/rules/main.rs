//! The rules that need no calendar: names, codes, retries, definitions, fingerprints, code sync, misfires, the ledger.

mod audit;
mod code_jobs;
mod definitions;
mod fingerprints;
mod misfires;
mod names;
mod retries;
mod states;

use chrono::{DateTime, Utc};
use horarium_core::{job::JobDefinition, names::JobName};

fn at(text: &str) -> DateTime<Utc> {
    text.parse().expect("an instant")
}

fn job(name: &str, schedule: &str) -> JobDefinition {
    let name: JobName = name.parse().expect("a name");
    JobDefinition::new(name, "http").on(schedule.parse().expect("a schedule"))
}
