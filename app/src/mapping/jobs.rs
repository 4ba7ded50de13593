//! Jobs as rows.

use horarium_core::{
    describe::sentence,
    query::{JobOrder, JobQuery},
    record::{JobRecord, Pause, TriggerRecord},
    schedule::Schedule,
    state::ShownState,
};
use horarium_engine::{acting::Acting, scheduler::JobStatus};

use super::{runs::brief, time::Clockface};
use crate::{
    error::AppError,
    pages::JOBS_PAGE_SIZE,
    text,
    views::{JobHead, JobsFilter, JobsList, PauseNote, ScheduleWords},
};

/// The users' triggers of a job, without those the engine made for single runs.
pub(super) fn user_triggers(job: &JobRecord) -> impl Iterator<Item = &TriggerRecord> {
    job.triggers.iter().filter(|t| t.one_time.is_none())
}

/// A schedule in words and as text.
pub(super) fn schedule_words(trigger: &str, schedule: &Schedule) -> ScheduleWords {
    ScheduleWords {
        trigger: trigger.to_owned(),
        text: schedule.to_string(),
        words: sentence(schedule),
        cron: schedule
            .as_cron()
            .map(|cron| (cron.expression.to_string(), cron.zone.to_string())),
    }
}

/// A pause as a note.
pub(super) fn pause_note(pause: &Pause, face: &Clockface) -> PauseNote {
    PauseNote {
        by: pause.by.clone(),
        at: face.moment(pause.at),
        reason: pause.reason.clone(),
        until: face.maybe(pause.until),
    }
}

/// Why a trigger is in its state; empty for those that need no reason.
pub(super) fn state_reason(trigger: &TriggerRecord) -> String {
    match trigger.shown_state() {
        ShownState::Error => trigger.error.clone().unwrap_or_default(),
        ShownState::Complete => trigger
            .complete_reason
            .map(text::complete_reason)
            .unwrap_or_default()
            .to_owned(),
        ShownState::Acquired => trigger
            .claim_node
            .as_ref()
            .map(|node| format!("on {node}"))
            .unwrap_or_default(),
        ShownState::Blocked => "waits for the running run to end".to_owned(),
        ShownState::Waiting | ShownState::Paused => String::new(),
    }
}

/// The state that matters most: what is wrong first, then what goes on, then what is to come.
fn job_state(job: &JobRecord) -> (Option<ShownState>, String) {
    const WEIGHT: [ShownState; 6] = [
        ShownState::Error,
        ShownState::Acquired,
        ShownState::Blocked,
        ShownState::Waiting,
        ShownState::Paused,
        ShownState::Complete,
    ];
    let triggers: Vec<_> = user_triggers(job).collect();
    for state in WEIGHT {
        let such: Vec<_> = triggers
            .iter()
            .filter(|t| t.shown_state() == state)
            .collect();
        let Some(first) = such.first() else { continue };
        let mut reason = state_reason(first);
        let paused = triggers.iter().filter(|t| t.paused.is_some()).count();
        if paused > 0 && state != ShownState::Paused && job.paused.is_none() {
            let note = format!("{paused} of {} triggers paused", triggers.len());
            reason = match reason.as_str() {
                "" => note,
                reason => format!("{reason}; {note}"),
            };
        }
        return (Some(state), reason);
    }
    (
        job.paused.as_ref().map(|_| ShownState::Paused),
        String::new(),
    )
}

/// A job as a row.
pub(super) fn head(status: &JobStatus, face: &Clockface) -> JobHead {
    let job = &status.job;
    let definition = &job.definition;
    let (state, reason) = job_state(job);
    JobHead {
        name: definition.name.to_string(),
        origin: job.origin,
        job_type: definition.job_type.clone(),
        description: definition.description.clone().unwrap_or_default(),
        tags: definition.tags.clone(),
        schedules: definition
            .triggers
            .iter()
            .map(|t| schedule_words(t.name.as_str(), &t.schedule))
            .collect(),
        state,
        reason,
        pause: job.paused.as_ref().map(|pause| pause_note(pause, face)),
        next: face.maybe(status.next_fire_at),
        last: status.last.as_ref().map(|run| brief(run, face)),
        recent: status
            .recent
            .iter()
            .rev()
            .map(|run| brief(run, face))
            .collect(),
        running: status.running,
    }
}

/// What is no member of a closed set matches nothing, as any other text that no job has.
fn query(filter: &JobsFilter) -> Result<JobQuery, String> {
    fn member<T: std::str::FromStr>(text: &str) -> Result<Option<T>, String> {
        match text {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| text.to_owned()),
        }
    }
    let word = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Ok(JobQuery {
        text: filter.q.clone(),
        state: member(&filter.state)?,
        origin: member(&filter.origin)?,
        job_type: word(&filter.kind),
        tag: word(&filter.tag),
        last_status: member(&filter.result)?,
        order: match filter.sort.as_str() {
            "next" => JobOrder::NextFire,
            "last" => JobOrder::LastRun,
            _ => JobOrder::Name,
        },
        skip: i64::from(filter.page.max(1) - 1) * i64::from(JOBS_PAGE_SIZE),
        limit: i64::from(JOBS_PAGE_SIZE),
    })
}

/// A page of jobs.
pub(crate) async fn jobs(
    acting: &Acting,
    filter: &JobsFilter,
    face: &Clockface,
) -> Result<JobsList, AppError> {
    let types = acting.job_types()?;
    let Ok(query) = query(filter) else {
        return Ok(JobsList {
            rows: Vec::new(),
            total: 0,
            types,
        });
    };
    let page = acting.jobs(&query).await?;
    Ok(JobsList {
        rows: page.jobs.iter().map(|status| head(status, face)).collect(),
        total: page.total,
        types,
    })
}
