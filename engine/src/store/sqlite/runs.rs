//! Runs and their logs, on SQLite.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use horarium_core::{
    error,
    names::{JobName, NodeId},
    query::RunQuery,
    record::RunRecord,
    run_id::RunId,
    state::RunStatus,
};
use sqlx::{Connection, QueryBuilder, Sqlite};
use uuid::Uuid;

use super::{
    BEGIN, SqliteStore, claims, desk,
    rows::{Result, RunRow, json, micros, parse},
};
use crate::store::{Begun, Finished, RunBegin, RunFinish};

pub(super) const REQUEST_CANCEL: &str = "
    UPDATE runs SET cancel = 'request', requested_by = ?2, cancel_requested_at = ?3
    WHERE id = ?1 AND status = 'running' RETURNING node";

pub(super) const CANCELS: &str = "
    SELECT id FROM runs WHERE job >= '' AND node = ?1 AND status = 'running' AND cancel = 'request'";

pub(super) const GET: &str = "SELECT * FROM runs WHERE id = ?1";

pub(super) const CHAIN: &str = "
    WITH RECURSIVE chain (id) AS (
        VALUES (?1)
        UNION SELECT r.id FROM chain AS c CROSS JOIN runs AS r ON r.retry_of = c.id
        UNION SELECT r.id FROM chain AS c CROSS JOIN runs AS r ON r.recovered_from = c.id
    )
    SELECT r.* FROM chain AS c CROSS JOIN runs AS r ON r.id = c.id ORDER BY r.dispatched_at, r.id";

pub(super) const RECENT: &str = "
    SELECT r.* FROM json_each(?1) AS v CROSS JOIN runs AS r ON r.seq IN (
        SELECT l.seq FROM runs AS l WHERE l.job = v.value ORDER BY l.scheduled_at DESC, l.id DESC LIMIT ?2
    )
    ORDER BY r.job, r.scheduled_at DESC, r.id DESC";

pub(super) const RUNNING: &str = "
    SELECT r.job, count(*) FROM json_each(?1) AS v CROSS JOIN runs AS r ON r.job = v.value
    WHERE r.status = 'running' GROUP BY r.job";

pub(super) async fn begin(store: &SqliteStore, begins: Vec<RunBegin>) -> Result<Vec<Begun>> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    let mut desk = desk::for_begin(&mut tx, &begins).await?;
    // only runs without a claim need tokens of their own
    let free = begins.iter().filter(|b| b.claim.is_none()).count();
    let mut token = if free > 0 {
        claims::take_tokens(&mut tx, free).await?
    } else {
        0
    };
    let begun = begins
        .into_iter()
        .map(|begin| {
            let fresh = token;
            token += i64::from(begin.claim.is_none());
            desk.begin(begin, fresh)
        })
        .collect();
    desk::clear(&mut tx, desk).await?;
    tx.commit().await?;
    Ok(begun)
}

pub(super) async fn finish(store: &SqliteStore, finishes: Vec<RunFinish>) -> Result<Vec<Finished>> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    let mut desk = desk::for_finish(&mut tx, &finishes).await?;
    let finished = finishes
        .into_iter()
        .map(|finish| desk.finish(finish))
        .collect::<error::Result<_>>()?;
    desk::clear(&mut tx, desk).await?;
    tx.commit().await?;
    Ok(finished)
}

pub(super) async fn request_cancel(
    store: &SqliteStore,
    runs: &[RunId],
    by: &str,
    now: DateTime<Utc>,
) -> Result<Vec<Option<NodeId>>> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    let mut nodes = Vec::with_capacity(runs.len());
    for run in runs {
        let node: Option<String> = sqlx::query_scalar(REQUEST_CANCEL)
            .bind(run.0)
            .bind(by)
            .bind(micros(now))
            .fetch_optional(&mut *tx)
            .await?;
        nodes.push(node.map(NodeId));
    }
    tx.commit().await?;
    Ok(nodes)
}

pub(super) async fn cancels(store: &SqliteStore, node: &NodeId) -> Result<Vec<RunId>> {
    let ids: Vec<Uuid> = sqlx::query_scalar(CANCELS)
        .bind(&node.0)
        .fetch_all(&store.readers)
        .await?;
    Ok(ids.into_iter().map(RunId).collect())
}

pub(super) async fn get(store: &SqliteStore, id: RunId) -> Result<Option<RunRecord>> {
    let row: Option<RunRow> = sqlx::query_as(GET)
        .bind(id.0)
        .fetch_optional(&store.readers)
        .await?;
    row.map(RunRow::record).transpose()
}

pub(super) async fn list(store: &SqliteStore, query: &RunQuery) -> Result<Vec<RunRecord>> {
    let rows = list_query(query)
        .build_query_as()
        .fetch_all(&store.readers)
        .await?;
    records(rows)
}

pub(super) async fn count(store: &SqliteStore, query: &RunQuery) -> Result<i64> {
    let count = count_query(query)
        .build_query_scalar()
        .fetch_one(&store.readers)
        .await?;
    Ok(count)
}

pub(super) async fn chain(store: &SqliteStore, first: RunId) -> Result<Vec<RunRecord>> {
    let rows = sqlx::query_as(CHAIN)
        .bind(first.0)
        .fetch_all(&store.readers)
        .await?;
    records(rows)
}

pub(super) async fn recent(
    store: &SqliteStore,
    jobs: &[JobName],
    n: u32,
) -> Result<BTreeMap<JobName, Vec<RunRecord>>> {
    let rows = sqlx::query_as(RECENT)
        .bind(json(jobs)?)
        .bind(n)
        .fetch_all(&store.readers)
        .await?;
    let mut recent: BTreeMap<JobName, Vec<RunRecord>> = BTreeMap::new();
    for run in records(rows)? {
        recent.entry(run.job.clone()).or_default().push(run);
    }
    Ok(recent)
}

pub(super) async fn running(
    store: &SqliteStore,
    jobs: &[JobName],
) -> Result<BTreeMap<JobName, u32>> {
    let rows: Vec<(String, u32)> = sqlx::query_as(RUNNING)
        .bind(json(jobs)?)
        .fetch_all(&store.readers)
        .await?;
    rows.into_iter()
        .map(|(job, count)| Ok((parse(&job)?, count)))
        .collect()
}

fn records(rows: Vec<RunRow>) -> Result<Vec<RunRecord>> {
    rows.into_iter().map(RunRow::record).collect()
}

pub(super) fn list_query(query: &RunQuery) -> QueryBuilder<Sqlite> {
    let mut sql = QueryBuilder::new("SELECT r.* FROM runs AS r");
    filter(&mut sql, query);
    sql.push(" ORDER BY r.scheduled_at DESC, r.id DESC LIMIT ")
        .push_bind(query.limit);
    sql.push(" OFFSET ").push_bind(query.skip);
    sql
}

pub(super) fn count_query(query: &RunQuery) -> QueryBuilder<Sqlite> {
    let mut sql = QueryBuilder::new("SELECT count(*) FROM runs AS r");
    filter(&mut sql, query);
    sql
}

fn filter(sql: &mut QueryBuilder<Sqlite>, query: &RunQuery) {
    let from = query.from.unwrap_or(DateTime::<Utc>::MIN_UTC);
    sql.push(" WHERE r.scheduled_at >= ")
        .push_bind(micros(from));
    if let Some(to) = query.to {
        sql.push(" AND r.scheduled_at < ").push_bind(micros(to));
    }
    if let Some(job) = &query.job {
        sql.push(" AND r.job = ").push_bind(job.to_string());
    }
    filter_status(sql, &query.statuses);
    if let Some(trigger) = &query.trigger {
        sql.push(" AND (r.trigger_name = ")
            .push_bind(trigger.to_string());
        sql.push(" OR r.origin_trigger = ")
            .push_bind(trigger.to_string())
            .push(")");
    }
    if let Some(node) = &query.node {
        sql.push(" AND r.node = ").push_bind(node.0.clone());
    }
    if let Some(has_error) = query.has_error {
        sql.push(if has_error {
            " AND r.error_code IS NOT NULL"
        } else {
            " AND r.error_code IS NULL"
        });
    }
    if let Some(cause) = query.cause {
        sql.push(" AND r.cause = ").push_bind(cause.as_str());
    }
}

/// States stand in the text, not as arguments: only then can the partial index of what ended badly be chosen.
fn filter_status(sql: &mut QueryBuilder<Sqlite>, statuses: &[RunStatus]) {
    let Some((first, more)) = statuses.split_first() else {
        return;
    };
    sql.push(format_args!(" AND r.status IN ('{first}'"));
    for status in more {
        sql.push(format_args!(", '{status}'"));
    }
    sql.push(")");
    let ended_badly = |s: &RunStatus| s.is_final() && *s != RunStatus::Succeeded;
    if statuses.iter().all(ended_badly) {
        sql.push(" AND r.status NOT IN ('pending', 'running', 'succeeded')");
    }
}
