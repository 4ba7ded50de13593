//! The job types of the binary: `http` calls an address, `command:<name>` starts a program of the configuration.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use horarium_core::{error::Result, job::JobDefinition, names::JobName};
use horarium_engine::job::JobTypes;

mod command;
mod http;
mod http_request;

pub use command::CommandJob;
pub use http::HttpJob;

use crate::{address::AllowRule, config::CommandConfig};

/// The key of the type that calls an address.
pub const HTTP: &str = "http";
/// What the keys of command types start with.
pub const COMMAND_PREFIX: &str = "command:";

/// Registers the built-in types.
pub fn register(
    types: &mut JobTypes,
    commands: &BTreeMap<String, CommandConfig>,
    allow: Vec<AllowRule>,
    code_jobs: &[JobDefinition],
) -> Result<()> {
    types.register(HTTP, Arc::new(HttpJob::new(allow, trusted_urls(code_jobs))))?;
    for (name, command) in commands {
        let job = CommandJob::new(command.clone());
        types.register(format!("{COMMAND_PREFIX}{name}"), Arc::new(job))?;
    }
    Ok(())
}

/// What is wrong with the data of a job of the configuration, its triggers' data laid over it.
pub fn check(job: &JobDefinition) -> Vec<String> {
    if job.job_type != HTTP {
        return Vec::new();
    }
    let alone = job.triggers.is_empty().then_some(&job.data).into_iter();
    let with_triggers = job
        .triggers
        .iter()
        .map(|t| horarium_core::data::merge([&job.data, &t.data]))
        .collect::<Vec<_>>();
    let mut problems: Vec<String> = alone
        .chain(&with_triggers)
        .flat_map(http_request::problems)
        .collect();
    problems.sort();
    problems.dedup();
    problems
}

/// The addresses that the owner of the machine wrote into the configuration, per job: only these may be anywhere.
fn trusted_urls(code_jobs: &[JobDefinition]) -> BTreeMap<JobName, BTreeSet<String>> {
    let urls = |job: &JobDefinition| {
        std::iter::once(&job.data)
            .chain(job.triggers.iter().map(|t| &t.data))
            .filter_map(|data| data.get("url")?.as_str())
            .map(str::to_owned)
            .collect()
    };
    code_jobs
        .iter()
        .filter(|job| job.job_type == HTTP)
        .map(|job| (job.name.clone(), urls(job)))
        .collect()
}
