//! Runs.

use chrono::{DateTime, TimeDelta, Utc};
use horarium_core::{
    code::ErrorCode,
    names::{NodeId, TriggerName},
    query::RunQuery,
    record::{LogLine, RunRecord},
    run_id::RunId,
    state::CancelReason,
};
use horarium_engine::acting::Acting;

use super::{
    data,
    time::{Clockface, read_window},
};
use crate::{
    error::{AppError, BAD_REQUEST},
    pages::RUNS_PAGE_SIZE,
    views::{LogRow, RunBrief, RunPage, RunRow, RunsFilter, RunsList},
};

/// The most lines of a log that a page shows.
const LOG_LINES: u32 = 1000;

fn millis(span: TimeDelta) -> i64 {
    span.num_milliseconds()
}

/// From started to finished, or to now while it runs.
fn duration_ms(run: &RunRecord, now: DateTime<Utc>) -> Option<i64> {
    let end = match (run.finished_at, run.status.is_final()) {
        (Some(end), _) => end,
        (None, false) => now,
        (None, true) => return None,
    };
    run.started_at
        .map(|start| millis(end.signed_duration_since(start)).max(0))
}

/// A run as a bar.
pub(super) fn brief(run: &RunRecord, face: &Clockface) -> RunBrief {
    RunBrief {
        id: run.id.to_string(),
        status: run.status,
        scheduled: face.moment(run.scheduled_at),
        duration_ms: duration_ms(run, face.now),
    }
}

/// A run as a row.
pub(super) fn row(run: &RunRecord, face: &Clockface) -> RunRow {
    let trigger = run.origin_trigger.as_ref().or(run.trigger.as_ref());
    let error = run.error.as_ref();
    RunRow {
        id: run.id.to_string(),
        job: run.job.to_string(),
        trigger: trigger.map(ToString::to_string).unwrap_or_default(),
        status: run.status,
        cause: run.cause,
        attempt: run.attempt,
        scheduled: face.moment(run.scheduled_at),
        started: face.maybe(run.started_at),
        finished: face.maybe(run.finished_at),
        lateness_ms: run
            .started_at
            .map(|at| millis(at.signed_duration_since(run.scheduled_at)).max(0)),
        duration_ms: run.finished_at.and_then(|_| duration_ms(run, face.now)),
        node: run.node.to_string(),
        error_code: error.map(|e| e.code.clone()).unwrap_or_default(),
        error: error
            .and_then(|e| e.message.lines().next())
            .map(|line| line.chars().take(200).collect())
            .unwrap_or_default(),
    }
}

/// Reads an id from an address.
pub(crate) fn run_id(text: &str) -> Result<RunId, AppError> {
    text.parse()
        .map_err(|_| AppError::new(ErrorCode::RunNotFound.as_str(), text))
}

fn named<T: std::str::FromStr>(text: &str) -> Result<Option<T>, AppError>
where
    T::Err: ToString,
{
    match text {
        "" => Ok(None),
        text => text
            .parse()
            .map(Some)
            .map_err(|error: T::Err| AppError::new(BAD_REQUEST, error.to_string())),
    }
}

fn query(filter: &RunsFilter, face: &Clockface) -> Result<RunQuery, AppError> {
    let statuses = filter
        .status
        .iter()
        .filter_map(|text| named(text).transpose())
        .collect::<Result<_, _>>()?;
    let window = if filter.from.is_empty() && filter.to.is_empty() {
        RunsFilter::DEFAULT_WINDOW
    } else {
        filter.from.as_str()
    };
    Ok(RunQuery {
        job: named(&filter.job)?,
        statuses,
        from: read_window(window, face)?,
        to: read_window(&filter.to, face)?,
        trigger: named::<TriggerName>(&filter.trigger)?,
        node: (!filter.node.is_empty()).then(|| NodeId(filter.node.clone())),
        has_error: match filter.error.as_str() {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        },
        cause: named(&filter.cause)?,
        skip: i64::from(filter.page.max(1) - 1) * i64::from(RUNS_PAGE_SIZE),
        limit: i64::from(RUNS_PAGE_SIZE),
    })
}

/// A page of runs.
pub(crate) async fn runs(
    acting: &Acting,
    filter: &RunsFilter,
    face: &Clockface,
) -> Result<RunsList, AppError> {
    let query = query(filter, face)?;
    let page = acting.runs(&query).await?;
    Ok(RunsList {
        rows: page.runs.iter().map(|run| row(run, face)).collect(),
        total: page.total,
        from: face.maybe(query.from),
        to: face.maybe(query.to),
    })
}

/// One run in full.
pub(crate) async fn run(acting: &Acting, id: &str, face: &Clockface) -> Result<RunPage, AppError> {
    let id = run_id(id)?;
    let detail = acting
        .run(id)
        .await?
        .ok_or_else(|| AppError::new(ErrorCode::RunNotFound.as_str(), id.to_string()))?;
    let mut lines = acting.run_log(id, 0, LOG_LINES + 1).await?;
    let log_cut = lines.len() > LOG_LINES as usize;
    lines.truncate(LOG_LINES as usize);
    let run = &detail.run;
    let precise = RunRow {
        scheduled: face.precise(run.scheduled_at),
        started: run.started_at.map(|at| face.precise(at)),
        finished: run.finished_at.map(|at| face.precise(at)),
        ..row(run, face)
    };
    Ok(RunPage {
        row: precise,
        dispatched: face.precise(run.dispatched_at),
        nominal: face.maybe(run.nominal_at.filter(|at| *at != run.scheduled_at)),
        queued_ms: run
            .started_at
            .map(|at| millis(at.signed_duration_since(run.dispatched_at)).max(0)),
        data: data::pretty_unless_empty(&run.data),
        result: run.result.clone(),
        error: run.error.as_ref().map(|e| e.message.clone()),
        cancel: run.cancel.map(cancel_words).unwrap_or_default().to_owned(),
        requested_by: run.requested_by.clone().unwrap_or_default(),
        late_result: run.late_result.clone(),
        token: run.token,
        recovered_from: run.recovered_from.map(|id| id.to_string()),
        chain: detail.chain.iter().map(|run| row(run, face)).collect(),
        log: lines.into_iter().map(|line| log_row(line, face)).collect(),
        log_cut,
        job_exists: detail.job_exists,
    })
}

fn cancel_words(reason: CancelReason) -> &'static str {
    match reason {
        CancelReason::Request => "somebody asked for it",
        CancelReason::Timeout => "the time limit passed",
        CancelReason::Shutdown => "the host was stopping",
        CancelReason::Fenced => "the run belonged to another node by then",
    }
}

fn log_row(line: LogLine, face: &Clockface) -> LogRow {
    let at = face.precise(line.at);
    LogRow {
        number: line.number,
        time: at.time,
        iso: at.iso,
        level: line.level,
        text: line.text,
    }
}
