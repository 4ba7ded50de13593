//! Definitions: what a job does, and when its triggers fire (S1–S37).

use std::collections::BTreeSet;

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use crate::{
    data::Data,
    error::{Result, SchedulingError},
    names::{CalendarName, ENGINE_PREFIXES, JobName, TriggerName},
    retry::RetryPolicy,
    schedule::{Schedule, ScheduleKind},
    state::MisfirePolicy,
};

/// The longest time limit of a run (S33).
pub const TIMEOUT_LIMIT: TimeDelta = TimeDelta::days(30);
/// The priority of a trigger that states none (S35).
pub const DEFAULT_PRIORITY: i32 = 5;
/// Names that would meet an address of the console.
pub const RESERVED_JOB_NAMES: [&str; 1] = ["new"];

/// What a job is: a type to run, its data and its rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobDefinition {
    /// Its name.
    pub name: JobName,
    /// The key of the registered type that runs it, for instance `http` (S22).
    pub job_type: String,
    /// What it is for, for people (S34).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Words to find it by.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The weakest layer of the run's data (S17).
    #[serde(default)]
    pub data: Data,
    /// Whether runs may overlap (S29).
    #[serde(default)]
    pub allow_concurrent: bool,
    /// Whether every instance runs it on its own (S30).
    #[serde(default)]
    pub run_on_every_instance: bool,
    /// Whether a lost run is put back into the queue once (S31).
    #[serde(default)]
    pub requests_recovery: bool,
    /// When failures are tried again (S32).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryPolicy>,
    /// The time limit of a run (S33).
    #[serde(
        with = "crate::retry::optional_millis",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub timeout: Option<TimeDelta>,
    /// When it fires (S28).
    #[serde(default)]
    pub triggers: Vec<TriggerDefinition>,
}

/// When a job fires, and with what (S2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TriggerDefinition {
    /// Its name inside the job.
    pub name: TriggerName,
    /// When it fires.
    pub schedule: Schedule,
    /// The middle layer of the run's data (S17).
    #[serde(default)]
    pub data: Data,
    /// Higher runs first when there is too little room (S35).
    #[serde(default = "default_priority")]
    pub priority: i32,
    /// What happens to missed fires (S36).
    #[serde(default)]
    pub misfire: MisfirePolicy,
    /// What it is for, for people (S34).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

fn default_priority() -> i32 {
    DEFAULT_PRIORITY
}

impl JobDefinition {
    /// A job of a type with every rule at its default and no trigger.
    pub fn new(name: JobName, job_type: impl Into<String>) -> Self {
        Self {
            name,
            job_type: job_type.into(),
            description: None,
            tags: Vec::new(),
            data: Data::new(),
            allow_concurrent: false,
            run_on_every_instance: false,
            requests_recovery: false,
            retry: None,
            timeout: None,
            triggers: Vec::new(),
        }
    }

    /// The same with one trigger named `default`, unless the schedule is manual (S20).
    #[must_use]
    pub fn on(mut self, schedule: Schedule) -> Self {
        if schedule.kind != ScheduleKind::Manual {
            // the literal follows the grammar
            let name = TriggerName::try_from(TriggerName::DEFAULT).expect("a legal name");
            self.triggers.push(TriggerDefinition::new(name, schedule));
        }
        self
    }

    /// The first rule it breaks, as `SCHEDULING_VALIDATION_001` (S26, S33, S37, S89).
    pub fn validate(&self, calendar_exists: impl Fn(&CalendarName) -> bool) -> Result<()> {
        self.problems(calendar_exists)
            .into_iter()
            .next()
            .map_or(Ok(()), |text| Err(SchedulingError::invalid(text)))
    }

    /// Every rule it breaks, each as a sentence.
    pub fn problems(&self, calendar_exists: impl Fn(&CalendarName) -> bool) -> Vec<String> {
        let mut problems = Vec::new();
        let job = &self.name;
        if RESERVED_JOB_NAMES.contains(&job.as_str()) {
            problems.push(format!("the job name '{job}' is reserved, choose another"));
        }
        if self.job_type.trim().is_empty() {
            problems.push(format!("the job '{job}' names no type"));
        }
        if self
            .timeout
            .is_some_and(|t| t <= TimeDelta::zero() || t > TIMEOUT_LIMIT)
        {
            problems.push(format!(
                "the timeout of '{job}' must be longer than nothing and at most 30 days"
            ));
        }
        if let Some(Err(error)) = self.retry.clone().map(RetryPolicy::validated) {
            problems.push(format!("job '{job}': {}", error.message()));
        }
        let mut seen = BTreeSet::new();
        for trigger in &self.triggers {
            if !seen.insert(&trigger.name) {
                problems.push(format!(
                    "the job '{job}' has two triggers named '{}'",
                    trigger.name
                ));
            }
            problems.extend(trigger.problem(job, &calendar_exists));
        }
        problems
    }
}

impl TriggerDefinition {
    /// A trigger with every rule at its default.
    pub fn new(name: TriggerName, schedule: Schedule) -> Self {
        Self {
            name,
            schedule,
            data: Data::new(),
            priority: DEFAULT_PRIORITY,
            misfire: MisfirePolicy::default(),
            description: None,
        }
    }

    fn problem(
        &self,
        job: &JobName,
        calendar_exists: &impl Fn(&CalendarName) -> bool,
    ) -> Option<String> {
        let name = &self.name;
        if self.schedule.kind == ScheduleKind::Manual {
            return Some(format!(
                "the trigger '{job}/{name}' has a manual schedule; leave the trigger out instead"
            ));
        }
        if let Some(prefix) = ENGINE_PREFIXES
            .iter()
            .find(|p| name.as_str().starts_with(**p))
        {
            return Some(format!(
                "the trigger name '{job}/{name}' starts with '{prefix}', which is reserved"
            ));
        }
        let calendar = self
            .schedule
            .calendar
            .as_ref()
            .filter(|c| !calendar_exists(c))?;
        Some(format!(
            "the trigger '{job}/{name}' names the calendar '{calendar}', which is not registered"
        ))
    }
}
