//! The first page.

use chrono::{DateTime, TimeDelta, Utc};
use horarium_core::{
    calendar::Calendars,
    query::{JobOrder, JobQuery, RunQuery},
    state::{CompleteReason, JobOrigin, RunStatus, ShownState},
};
use horarium_engine::{acting::Acting, scheduler::JobStatus};

use super::{
    coming,
    jobs::{state_reason, user_triggers},
    runs,
    time::Clockface,
};
use crate::{
    error::AppError,
    views::{Overview, Problem, RunRow, Upcoming},
};

/// How many coming fires are listed.
const FIRES: usize = 20;
/// How many of them one trigger may take, so that one that fires each second does not hide all others.
const FIRES_OF_ONE: usize = 5;
/// How many runs each of the two lists holds.
const RUNS: i64 = 20;
/// How many jobs of each troubled kind are named.
const PROBLEMS: i64 = 10;
/// An engine that has not looked for work for so long is behind.
const STALL: TimeDelta = TimeDelta::seconds(30);

/// What goes on now and what comes next.
pub(crate) async fn overview(acting: &Acting, face: &Clockface) -> Result<Overview, AppError> {
    let info = acting.info()?;
    let calendars = acting.calendars().await?;
    let soon = acting
        .jobs(&of(JobOrder::NextFire, None, None, FIRES as i64))
        .await?;
    let paused = acting
        .jobs(&of(
            JobOrder::Name,
            Some(ShownState::Paused),
            None,
            FIRES as i64,
        ))
        .await?;
    let running = runs_of(
        acting,
        &[RunStatus::Running, RunStatus::Pending],
        None,
        face,
    )
    .await?;
    let day_ago = face.now - TimeDelta::hours(24);
    let failed = [RunStatus::Failed, RunStatus::Lost];
    let failures = runs_of(acting, &failed, Some(day_ago), face).await?;
    let nodes = acting.nodes().await?.len();
    let last = info.last_cycle_at;
    Ok(Overview {
        node: info.node.to_string(),
        serving: info.serving,
        leader: info.is_leader,
        last_cycle: face.maybe(last),
        stalled: info.serving && last.unwrap_or(info.started_at) + STALL < face.now,
        started: face.moment(info.started_at),
        running_here: info.running,
        limit: info.max_concurrent_runs,
        store: info.store,
        shared: info.shared,
        nodes,
        zone_data: info.zone_data,
        jobs: soon.total,
        running: running.0,
        running_total: running.1,
        upcoming: upcoming(soon.jobs.iter().chain(&paused.jobs), &calendars, face),
        failures: failures.0,
        failures_total: failures.1,
        problems: problems(acting, face).await?,
    })
}

fn of(
    order: JobOrder,
    state: Option<ShownState>,
    origin: Option<JobOrigin>,
    limit: i64,
) -> JobQuery {
    JobQuery {
        order,
        state,
        origin,
        limit,
        ..JobQuery::default()
    }
}

async fn runs_of(
    acting: &Acting,
    statuses: &[RunStatus],
    from: Option<DateTime<Utc>>,
    face: &Clockface,
) -> Result<(Vec<RunRow>, i64), AppError> {
    let query = RunQuery {
        statuses: statuses.to_vec(),
        from,
        limit: RUNS,
        ..RunQuery::default()
    };
    let page = acting.runs(&query).await?;
    let rows = page.runs.iter().map(|run| runs::row(run, face)).collect();
    Ok((rows, page.total))
}

/// The next fires across jobs, at most five of each trigger. Those with the soonest next fire are enough: the twenty
/// soonest fires are among the fires of the twenty soonest jobs; paused jobs come in beside them.
fn upcoming<'a>(
    jobs: impl Iterator<Item = &'a JobStatus>,
    calendars: &Calendars,
    face: &Clockface,
) -> Vec<Upcoming> {
    let mut seen = std::collections::BTreeSet::new();
    let mut rows = Vec::new();
    for status in jobs {
        let name = &status.job.definition.name;
        if !seen.insert(name) {
            continue;
        }
        for trigger in user_triggers(&status.job) {
            for fire in coming::of_trigger(trigger, calendars, face.now, FIRES_OF_ONE) {
                let at = fire.at;
                let fire = coming::row(&trigger.definition, fire, face);
                rows.push((at, name.to_string(), fire));
            }
        }
    }
    rows.sort_by(|a, b| (a.0, &a.1, &a.2.trigger).cmp(&(b.0, &b.1, &b.2.trigger)));
    rows.truncate(FIRES);
    rows.into_iter()
        .map(|(_, job, fire)| Upcoming { job, fire })
        .collect()
}

async fn problems(acting: &Acting, face: &Clockface) -> Result<Vec<Problem>, AppError> {
    let by_state = |state| of(JobOrder::Name, Some(state), None, PROBLEMS);
    let mut problems = Vec::new();
    for status in acting.jobs(&by_state(ShownState::Error)).await?.jobs {
        let broken = user_triggers(&status.job).find(|t| t.shown_state() == ShownState::Error);
        if let Some(trigger) = broken {
            let text = format!(
                "{} cannot run: {}",
                trigger.definition.name,
                state_reason(trigger)
            );
            problems.push(problem(&status, "error", text, "triggers"));
        }
    }
    for status in acting.jobs(&by_state(ShownState::Complete)).await?.jobs {
        let never = user_triggers(&status.job).find(|t| {
            t.fired_count == 0
                && matches!(
                    t.complete_reason,
                    Some(CompleteReason::NoNextFire | CompleteReason::CalendarExhausted)
                )
        });
        if let Some(trigger) = never {
            let text = format!(
                "{} never fires: {}",
                trigger.definition.name,
                state_reason(trigger)
            );
            problems.push(problem(&status, "never", text, "triggers"));
        }
    }
    for status in acting.jobs(&by_state(ShownState::Paused)).await?.jobs {
        problems.push(paused(&status, face));
    }
    let overridden = of(JobOrder::Name, None, Some(JobOrigin::Overridden), PROBLEMS);
    for status in acting.jobs(&overridden).await?.jobs {
        let job = &status.job;
        let by = match job.updated_by.as_str() {
            "" => String::new(),
            by => format!(" by {by}"),
        };
        let text = format!(
            "is overridden{by} since {}",
            face.moment(job.updated_at).full()
        );
        problems.push(problem(&status, "overridden", text, "code"));
    }
    Ok(problems)
}

fn paused(status: &JobStatus, face: &Clockface) -> Problem {
    let words = |by: &str, reason: &str, until: Option<DateTime<Utc>>| {
        let reason = match reason {
            "" => String::new(),
            reason => format!(": {reason}"),
        };
        let until = until
            .map(|at| format!(", until {}", face.moment(at).full()))
            .unwrap_or_default();
        format!("by {by}{reason}{until}")
    };
    match &status.job.paused {
        Some(pause) => {
            let text = format!("is paused {}", words(&pause.by, &pause.reason, pause.until));
            problem(status, "paused", text, "")
        }
        None => {
            let one = user_triggers(&status.job)
                .find_map(|t| t.paused.as_ref().map(|pause| (&t.definition.name, pause)));
            let text = match one {
                Some((name, pause)) => format!(
                    "has {name} paused {}",
                    words(&pause.by, &pause.reason, pause.until)
                ),
                None => "is paused".to_owned(),
            };
            problem(status, "paused", text, "triggers")
        }
    }
}

fn problem(status: &JobStatus, kind: &str, text: String, tab: &str) -> Problem {
    Problem {
        kind: kind.to_owned(),
        job: status.job.definition.name.to_string(),
        text,
        tab: tab.to_owned(),
    }
}
