//! One job with its tabs.

use chrono::TimeDelta;
use horarium_core::{
    calendar::Calendars,
    code::ErrorCode,
    job::JobDefinition,
    names::JobName,
    query::RunQuery,
    record::{JobRecord, TriggerRecord},
    retry::RetryPolicy,
    state::{Backoff, Role},
};
use horarium_engine::{acting::Acting, scheduler::JobStatus};

use super::{
    code, coming, data,
    jobs::{head, pause_note, schedule_words, state_reason, user_triggers},
    runs,
    time::Clockface,
};
use crate::{
    error::AppError,
    text,
    views::{EditTrigger, EditView, JobPage, JobTab, NextFireRow, Summary, TriggerRow},
};

/// How many coming fires the summary lists.
const FIRES: usize = 20;
/// How many runs the tab lists.
const RUNS: i64 = 50;

/// A job's page.
pub(crate) async fn job(
    acting: &Acting,
    name: &str,
    tab: JobTab,
    face: &Clockface,
) -> Result<JobPage, AppError> {
    let unknown = || AppError::new(ErrorCode::JobNotFound.as_str(), name);
    let name: JobName = name.parse().map_err(|_| unknown())?;
    let status = acting.job(&name).await?.ok_or_else(unknown)?;
    let calendars = acting.calendars().await?;
    let (runs, runs_total) = match tab {
        JobTab::Runs => {
            let page = acting.runs(&recent(name)).await?;
            let rows = page.runs.iter().map(|run| runs::row(run, face)).collect();
            (Some(rows), page.total)
        }
        _ => (None, 0),
    };
    let define = acting.actor().role >= Role::Admin;
    Ok(JobPage {
        head: head(&status, face),
        triggers: user_triggers(&status.job)
            .map(|trigger| trigger_row(trigger, face))
            .collect(),
        summary: (tab == JobTab::Summary).then(|| summary(&status, &calendars, face)),
        runs,
        runs_total,
        code: code::view(acting, &status.job, &calendars, face).await?,
        edit: (tab == JobTab::Edit && define).then(|| edit(&status.job.definition, &calendars)),
    })
}

fn recent(job: JobName) -> RunQuery {
    RunQuery {
        job: Some(job),
        limit: RUNS,
        ..RunQuery::default()
    }
}

fn trigger_row(trigger: &TriggerRecord, face: &Clockface) -> TriggerRow {
    let definition = &trigger.definition;
    let calendar = definition.schedule.calendar.as_ref();
    TriggerRow {
        name: definition.name.to_string(),
        schedule: schedule_words(definition.name.as_str(), &definition.schedule),
        state: trigger.shown_state(),
        reason: state_reason(trigger),
        pause: trigger.paused.as_ref().map(|pause| pause_note(pause, face)),
        job_paused: trigger.job_paused,
        next: face.maybe(trigger.next_fire_at),
        misfire: definition.misfire,
        priority: definition.priority,
        calendar: calendar.map(ToString::to_string).unwrap_or_default(),
        description: definition.description.clone().unwrap_or_default(),
        data: data::pretty_unless_empty(&definition.data),
        fired: trigger.fired_count,
    }
}

/// The next fires of all triggers together.
pub(super) fn next_fires(
    job: &JobRecord,
    calendars: &Calendars,
    face: &Clockface,
    n: usize,
) -> Vec<NextFireRow> {
    let rows = user_triggers(job)
        .flat_map(|trigger| {
            coming::of_trigger(trigger, calendars, face.now, n)
                .into_iter()
                .map(|fire| (fire.at, coming::row(&trigger.definition, fire, face)))
        })
        .collect();
    coming::together(rows, n)
}

fn summary(status: &JobStatus, calendars: &Calendars, face: &Clockface) -> Summary {
    let job = &status.job;
    let definition = &job.definition;
    Summary {
        next: next_fires(job, calendars, face, FIRES),
        data: data::pretty(&definition.data),
        retry: retry_words(definition.retry.as_ref()),
        timeout: timeout_words(definition),
        flags: flags(definition),
        created: face.moment(job.created_at),
        updated: face.moment(job.updated_at),
        updated_by: job.updated_by.clone(),
    }
}

fn span(length: TimeDelta) -> String {
    text::duration(length.num_milliseconds())
}

/// The time limit in words.
pub(super) fn timeout_words(definition: &JobDefinition) -> String {
    definition.timeout.map_or_else(|| "none".to_owned(), span)
}

/// The retry policy in words.
pub(super) fn retry_words(retry: Option<&RetryPolicy>) -> String {
    let Some(retry) = retry else {
        return "none".to_owned();
    };
    let times = match retry.max_retries {
        1 => "once".to_owned(),
        n => format!("{n} times"),
    };
    let wait = span(retry.delay);
    match retry.backoff {
        Backoff::Fixed => format!("{times}, {wait} apart"),
        Backoff::Exponential => {
            let cap = retry
                .max_delay
                .map(|cap| format!(", at most {}", span(cap)))
                .unwrap_or_default();
            format!("{times}, after {wait}, then twice as long each time{cap}")
        }
    }
}

fn flags(definition: &JobDefinition) -> Vec<String> {
    let choose = |flag: bool, yes: &str, no: &str| (if flag { yes } else { no }).to_owned();
    vec![
        choose(
            definition.allow_concurrent,
            "Runs may overlap.",
            "One run at a time: a fire that falls due meanwhile waits.",
        ),
        choose(
            definition.run_on_every_instance,
            "Runs on every node on its own.",
            "Runs on one node, whichever takes it.",
        ),
        choose(
            definition.requests_recovery,
            "A run that is lost with its node is put back into the queue once.",
            "A run that is lost with its node stays lost.",
        ),
    ]
}

fn edit(definition: &JobDefinition, calendars: &Calendars) -> EditView {
    EditView {
        description: definition.description.clone().unwrap_or_default(),
        triggers: definition
            .triggers
            .iter()
            .map(|trigger| EditTrigger {
                name: trigger.name.to_string(),
                schedule: trigger.schedule.to_string(),
                misfire: trigger.misfire,
                priority: trigger.priority,
            })
            .collect(),
        calendars: calendars.0.keys().map(ToString::to_string).collect(),
    }
}
