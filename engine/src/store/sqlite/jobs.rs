//! Jobs, on SQLite.

use std::collections::BTreeMap;

use horarium_core::{
    names::{JobName, TriggerKey},
    query::{JobOrder, JobQuery},
    record::{FireDecision, JobRecord, Pause, TriggerRecord},
};
use sqlx::{Connection, QueryBuilder, Sqlite, SqliteConnection};

use super::{
    BEGIN, SqliteStore, events, ledger,
    rows::{JobRow, Result, json, micros, parse},
    triggers,
};
use crate::store::{
    JobDelete, JobPut, Written,
    definitions::{self, Redefined},
    moves,
};

pub(super) const GET: &str = "SELECT * FROM jobs WHERE name = ?1";

const SAVE: &str = "
    INSERT INTO jobs (name, definition, job_type, tags, search, local, origin, fingerprint, code_definition, paused,
        version, created_at, updated_at, updated_by)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, 1, ?10, ?10, ?11)
    ON CONFLICT (name) DO UPDATE SET definition = excluded.definition, job_type = excluded.job_type,
        tags = excluded.tags, search = excluded.search, local = excluded.local, origin = excluded.origin,
        fingerprint = excluded.fingerprint, code_definition = excluded.code_definition, version = version + 1,
        updated_at = excluded.updated_at, updated_by = excluded.updated_by";

pub(super) const SET_PAUSED: &str = "
    UPDATE jobs SET paused = ?2, paused_at = ?3, paused_by = ?4, paused_reason = ?5, paused_until = ?6,
        version = version + 1
    WHERE name = ?1";

pub(super) async fn put(store: &SqliteStore, put: JobPut) -> Result<Written> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    let name = &put.definition.name;
    let old = row(&mut tx, name).await?;
    if old.as_ref().map(|j| j.version) != put.expected {
        return Ok(Written::Stale);
    }
    let old = old.map(|row| row.record(Vec::new())).transpose()?;
    let paused = old.as_ref().is_some_and(|j| j.paused.is_some());
    let rows = triggers::of_jobs(&mut tx, &[name]).await?;
    let before = old.as_ref().map(|j| &j.definition);
    let Some(redefined) = definitions::put(&put, before, paused, rows) else {
        return Ok(Written::Stale);
    };
    save(&mut tx, &put).await?;
    redefine(&mut tx, redefined).await?;
    triggers::set_local(&mut tx, name, put.definition.run_on_every_instance).await?;
    events::insert(&mut tx, &[(put.event, put.now)]).await?;
    tx.commit().await?;
    Ok(Written::Done)
}

async fn save(conn: &mut SqliteConnection, put: &JobPut) -> Result<()> {
    let job = definitions::without_triggers(&put.definition);
    sqlx::query(SAVE)
        .bind(job.name.as_str())
        .bind(json(&job)?)
        .bind(&job.job_type)
        .bind(json(&job.tags)?)
        .bind(moves::search_text(&job))
        .bind(job.run_on_every_instance)
        .bind(put.origin.as_str())
        .bind(&put.fingerprint)
        .bind(put.code_definition.as_ref().map(json).transpose()?)
        .bind(micros(put.now))
        .bind(&put.by)
        .execute(conn)
        .await?;
    Ok(())
}

pub(super) async fn delete(store: &SqliteStore, delete: JobDelete) -> Result<Written> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    let version = row(&mut tx, &delete.name).await?.map(|j| j.version);
    if version != Some(delete.expected) {
        return Ok(Written::Stale);
    }
    let rows = triggers::of_jobs(&mut tx, &[&delete.name]).await?;
    let Some(redefined) = definitions::delete(&delete, rows) else {
        return Ok(Written::Stale);
    };
    redefine(&mut tx, redefined).await?;
    sqlx::query("DELETE FROM jobs WHERE name = ?1")
        .bind(delete.name.as_str())
        .execute(&mut *tx)
        .await?;
    events::insert(&mut tx, &[(delete.event, delete.now)]).await?;
    tx.commit().await?;
    Ok(Written::Done)
}

pub(super) async fn get(store: &SqliteStore, name: &JobName) -> Result<Option<JobRecord>> {
    // one snapshot, so that the job and its triggers belong together
    let mut tx = store.readers.begin().await?;
    let Some(row) = row(&mut tx, name).await? else {
        return Ok(None);
    };
    let triggers = triggers::of_jobs(&mut tx, &[name]).await?;
    row.record(triggers).map(Some)
}

pub(super) async fn list(store: &SqliteStore, query: &JobQuery) -> Result<Vec<JobRecord>> {
    let mut tx = store.readers.begin().await?;
    let rows: Vec<JobRow> = list_query(query)
        .build_query_as()
        .fetch_all(&mut *tx)
        .await?;
    let names = rows.iter().map(|row| parse(&row.name));
    let names = names.collect::<Result<Vec<JobName>>>()?;
    let mut triggers: BTreeMap<JobName, Vec<TriggerRecord>> = BTreeMap::new();
    for trigger in triggers::of_jobs(&mut tx, &names.iter().collect::<Vec<_>>()).await? {
        let of_job = triggers.entry(trigger.job.clone()).or_default();
        of_job.push(trigger);
    }
    rows.into_iter()
        .zip(&names)
        .map(|(row, name)| row.record(triggers.remove(name).unwrap_or_default()))
        .collect()
}

pub(super) async fn count(store: &SqliteStore, query: &JobQuery) -> Result<i64> {
    let mut sql = QueryBuilder::new("SELECT count(*) FROM jobs AS j");
    filter(&mut sql, query);
    let count = sql.build_query_scalar().fetch_one(&store.readers).await?;
    Ok(count)
}

pub(super) async fn set_paused(
    store: &SqliteStore,
    jobs: &[JobName],
    pause: Option<&Pause>,
) -> Result<Vec<bool>> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    let found = pause_jobs(&mut tx, jobs, pause).await?;
    tx.commit().await?;
    Ok(found)
}

/// Writes the pause flags of jobs and of their triggers; says of each job whether it exists.
pub(super) async fn pause_jobs(
    conn: &mut SqliteConnection,
    jobs: &[JobName],
    pause: Option<&Pause>,
) -> Result<Vec<bool>> {
    let mut found = Vec::with_capacity(jobs.len());
    for name in jobs {
        let done = sqlx::query(SET_PAUSED)
            .bind(name.as_str())
            .bind(pause.is_some())
            .bind(pause.map(|p| micros(p.at)))
            .bind(pause.map(|p| p.by.as_str()))
            .bind(pause.map(|p| p.reason.as_str()))
            .bind(pause.and_then(|p| p.until).map(micros))
            .execute(&mut *conn)
            .await?;
        found.push(done.rows_affected() > 0);
        let mut rows = triggers::of_jobs(conn, &[name]).await?;
        rows.iter_mut()
            .for_each(|t| moves::set_job_paused(t, pause.is_some()));
        triggers::save(conn, &rows).await?;
    }
    Ok(found)
}

/// Writes what a definition changed.
pub(super) async fn redefine(conn: &mut SqliteConnection, redefined: Redefined) -> Result<()> {
    ledger::close_generations(conn, &redefined.closed).await?;
    ledger::open_generations(conn, &redefined.opened).await?;
    let removed: Vec<&TriggerKey> = redefined.removed.iter().collect();
    triggers::remove(conn, &removed).await?;
    triggers::save(conn, &redefined.saved).await?;
    let decisions: Vec<&FireDecision> = redefined.decisions.iter().collect();
    ledger::insert(conn, &decisions).await
}

async fn row(conn: &mut SqliteConnection, name: &JobName) -> Result<Option<JobRow>> {
    let row = sqlx::query_as(GET)
        .bind(name.as_str())
        .fetch_optional(conn)
        .await?;
    Ok(row)
}

pub(super) fn list_query(query: &JobQuery) -> QueryBuilder<Sqlite> {
    let mut sql = QueryBuilder::new("SELECT j.* FROM jobs AS j");
    filter(&mut sql, query);
    sql.push(match query.order {
        JobOrder::Name => " ORDER BY j.name",
        JobOrder::NextFire => {
            " ORDER BY (SELECT min(t.next_fire_at) FROM triggers AS t WHERE t.job = j.name) NULLS LAST, j.name"
        }
        JobOrder::LastRun => " ORDER BY j.last_run_at DESC NULLS LAST, j.name",
    });
    sql.push(" LIMIT ").push_bind(query.limit);
    sql.push(" OFFSET ").push_bind(query.skip);
    sql
}

fn filter(sql: &mut QueryBuilder<Sqlite>, query: &JobQuery) {
    sql.push(" WHERE true");
    if !query.text.is_empty() {
        // not LIKE: what people type has no wildcards
        sql.push(" AND instr(j.search, ")
            .push_bind(query.text.to_lowercase())
            .push(") > 0");
    }
    if let Some(state) = query.state {
        sql.push(
            " AND EXISTS (SELECT 1 FROM triggers AS t WHERE t.job = j.name AND CASE
            WHEN t.state IN ('complete', 'error', 'acquired') THEN t.state
            WHEN t.manual = 0 AND (t.paused = 1 OR t.job_paused = 1) THEN 'paused'
            ELSE t.state END = ",
        );
        sql.push_bind(state.as_str()).push(")");
    }
    if let Some(origin) = query.origin {
        sql.push(" AND j.origin = ").push_bind(origin.as_str());
    }
    if let Some(job_type) = &query.job_type {
        sql.push(" AND j.job_type = ").push_bind(job_type.clone());
    }
    if let Some(tag) = &query.tag {
        sql.push(" AND EXISTS (SELECT 1 FROM json_each(j.tags) AS v WHERE v.value = ")
            .push_bind(tag.clone())
            .push(")");
    }
    if let Some(status) = query.last_status {
        sql.push(" AND j.last_status = ").push_bind(status.as_str());
    }
}
