//! `[[jobs]]` with their triggers: jobs of origin `Code`, as if registered in Rust.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use horarium_core::{
    calendar::Calendars,
    interval::parse_duration,
    job::{JobDefinition, TriggerDefinition},
    names::{JobName, TriggerName},
    retry::RetryPolicy,
    state::{Backoff, MisfirePolicy},
};

use super::{CommandConfig, section::Section, tree::Node};

const DURATION_HINT: &str = "write a number and a unit, for instance \"30s\", \"20m\" or \"1h\"";
const NAME_HINT: &str = "for instance \"reports.nightly\"";

/// Reads all jobs.
pub fn read(
    root: &mut Section<'_>,
    calendars: &Calendars,
    commands: &BTreeMap<String, CommandConfig>,
) -> Vec<JobDefinition> {
    let mut jobs = Vec::new();
    let mut seen = BTreeSet::new();
    for mut section in root.tables("jobs") {
        let job = read_job(&mut section, calendars, commands);
        if let Some(job) = job {
            if !seen.insert(job.name.clone()) {
                section.problem(
                    "name",
                    format!(
                        "another job is named '{}'; choose a different name",
                        job.name
                    ),
                );
            }
            jobs.push(job);
        }
        section.finish();
    }
    jobs
}

fn read_job(
    section: &mut Section<'_>,
    calendars: &Calendars,
    commands: &BTreeMap<String, CommandConfig>,
) -> Option<JobDefinition> {
    let name: Option<JobName> = named(section, "name", NAME_HINT);
    let job_type = read_type(section, commands);
    let reading = name.clone().unwrap_or_else(placeholder);
    let mut job = JobDefinition::new(reading, job_type.clone().unwrap_or_default());
    job.description = section.text("description");
    job.tags = section.texts("tags").unwrap_or_default();
    job.data = section.data("data").unwrap_or_default();
    job.allow_concurrent = section.boolean("allow_concurrent").unwrap_or_default();
    job.run_on_every_instance = section.boolean("run_on_every_instance").unwrap_or_default();
    job.requests_recovery = section.boolean("requests_recovery").unwrap_or_default();
    job.retry = section.section("retry").and_then(read_retry);
    job.timeout = duration(section, "timeout");
    job.triggers = read_triggers(section, &job.name, calendars);
    if name.is_some() && job_type.is_some() {
        let own = JobDefinition {
            triggers: Vec::new(),
            ..job.clone()
        };
        for sentence in own.problems(|_| true) {
            section.problem("name", sentence);
        }
    }
    if job_type.is_some() {
        for sentence in crate::job_types::check(&job) {
            section.problem("data", sentence);
        }
    }
    name.and(job_type).map(|_| job)
}

fn read_type(
    section: &mut Section<'_>,
    commands: &BTreeMap<String, CommandConfig>,
) -> Option<String> {
    let job_type = section.required("type", "write \"http\" or \"command:<name>\"")?;
    match job_type.strip_prefix("command:") {
        _ if job_type == "http" => {}
        Some(command) if commands.contains_key(command) => {}
        Some(command) => {
            section.problem(
                "type",
                format!("there is no command '{command}'; add a section [commands.{command}]"),
            );
            return None;
        }
        None => {
            section.problem(
                "type",
                format!("there is no job type '{job_type}'; write \"http\" or \"command:<name>\""),
            );
            return None;
        }
    }
    Some(job_type)
}

fn read_triggers(
    section: &mut Section<'_>,
    job: &JobName,
    calendars: &Calendars,
) -> Vec<TriggerDefinition> {
    let mut triggers = Vec::new();
    let mut seen = BTreeSet::new();
    for mut section in section.tables("triggers") {
        if let Some(trigger) = read_trigger(&mut section, job, calendars) {
            if !seen.insert(trigger.name.clone()) {
                section.problem(
                    "name",
                    format!(
                        "another trigger of this job is named '{}'; choose a different name",
                        trigger.name
                    ),
                );
            }
            triggers.push(trigger);
        }
        section.finish();
    }
    triggers
}

fn read_trigger(
    section: &mut Section<'_>,
    job: &JobName,
    calendars: &Calendars,
) -> Option<TriggerDefinition> {
    let name: Option<TriggerName> = named(section, "name", "for instance \"workdays\"");
    let schedule = read_schedule(section);
    let data = section.data("data").unwrap_or_default();
    let priority = section.integer::<i32>("priority");
    let misfire = section.parsed::<MisfirePolicy>("misfire", "write one of these");
    let description = section.text("description");
    let mut trigger = TriggerDefinition::new(name?, schedule?);
    trigger.data = data;
    trigger.priority = priority.unwrap_or(trigger.priority);
    trigger.misfire = misfire.unwrap_or_default();
    trigger.description = description;
    let mut alone = JobDefinition::new(job.clone(), "http");
    alone.triggers = vec![trigger.clone()];
    for sentence in alone.problems(|name| calendars.get(name).is_some()) {
        let key = if sentence.contains("trigger name") {
            "name"
        } else {
            "schedule"
        };
        section.problem(key, sentence);
    }
    Some(trigger)
}

fn read_schedule(section: &mut Section<'_>) -> Option<horarium_core::schedule::Schedule> {
    let hint = "for instance \"every 00:10:00\" or \"cron 0 0 6 * * MON-FRI tz=Europe/Zurich\"";
    let text = section.required("schedule", hint)?;
    match text.parse::<horarium_core::schedule::Schedule>() {
        Ok(schedule) => Some(schedule),
        Err(error) => {
            section.problem_at("schedule", error.to_string(), &text, error.at.clone());
            None
        }
    }
}

fn read_retry(mut section: Section<'_>) -> Option<RetryPolicy> {
    let backoff = section.parsed::<Backoff>("backoff", "write one of these");
    let max_retries = section.integer::<u32>("max_retries");
    let delay = duration(&mut section, "delay");
    let max_delay = duration(&mut section, "max_delay");
    let mut missing = false;
    for (key, absent) in [
        ("max_retries", max_retries.is_none()),
        ("delay", delay.is_none()),
    ] {
        if absent && !section.has(key) {
            section.problem(key, "is missing: a retry needs max_retries and delay");
            missing = true;
        }
    }
    let policy = RetryPolicy {
        max_retries: max_retries.unwrap_or(1),
        backoff: backoff.unwrap_or(Backoff::Fixed),
        delay: delay.unwrap_or(TimeDelta::minutes(1)),
        max_delay,
    };
    let policy = match policy.validated() {
        Ok(policy) => Some(policy),
        Err(error) => {
            section.problem("max_retries", error.message());
            None
        }
    };
    section.finish();
    policy.filter(|_| !missing)
}

fn duration(section: &mut Section<'_>, key: &'static str) -> Option<TimeDelta> {
    let text = section.text(key)?;
    match parse_duration(&text) {
        Ok(duration) => Some(duration),
        Err(error) => {
            section.problem(key, format!("{error}; {DURATION_HINT}"));
            None
        }
    }
}

fn named<T>(section: &mut Section<'_>, key: &'static str, hint: &str) -> Option<T>
where
    T: std::str::FromStr,
    T::Err: std::fmt::Display,
{
    let text = section.required(key, hint)?;
    match text.parse() {
        Ok(name) => Some(name),
        Err(error) => {
            section.problem(key, error.to_string());
            None
        }
    }
}

/// Stands in for a name that could not be read, so that the rest of the job is read all the same.
fn placeholder() -> JobName {
    // the literal follows the grammar
    JobName::try_from("unnamed").expect("a legal name")
}

/// The tables of a list.
impl<'p> Section<'p> {
    fn tables(&mut self, key: &'static str) -> Vec<Section<'p>> {
        let items: Vec<Node> = self.list(key).unwrap_or_default();
        let path = self.path(key);
        items
            .into_iter()
            .enumerate()
            .map(|(i, node)| self.child(&format!("{path}[{i}]"), node))
            .collect()
    }
}
