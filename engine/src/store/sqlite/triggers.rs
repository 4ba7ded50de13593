//! Triggers, on SQLite.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use horarium_core::{
    job::JobDefinition,
    names::{JobName, TriggerKey},
    record::{Pause, TriggerRecord},
    state::JobOrigin,
};
use serde::Serialize;
use sqlx::{Connection, FromRow, SqliteConnection};

use super::{
    BEGIN, SqliteStore, jobs,
    rows::{Result, TriggerRow, from_json, json, micros, parse},
};
use crate::store::{Claimed, OnceTrigger, TriggerRestart, Written, definitions, moves};

pub(super) const LOCAL: &str = "
    SELECT t.*, j.definition AS job_definition, j.origin, j.code_definition
    FROM triggers AS t CROSS JOIN jobs AS j ON j.name = t.job
    WHERE t.local = 1 AND t.state = 'waiting' AND t.one_time IS NULL AND t.paused = 0 AND t.job_paused = 0
        AND t.job >= ''
    ORDER BY t.job, t.name";

pub(super) const BY_KEY: &str = "
    WITH v (value) AS MATERIALIZED (SELECT jsonb(value) FROM json_each(?1))
    SELECT t.* FROM v CROSS JOIN triggers AS t ON t.job = v.value ->> 'job' AND t.name = v.value ->> 'trigger'";

pub(super) const OF_JOBS: &str = "
    SELECT t.* FROM json_each(?1) AS v CROSS JOIN triggers AS t ON t.job = v.value ORDER BY t.job, t.name";

pub(super) const BLOCKED: &str = "
    SELECT t.* FROM json_each(?1) AS v CROSS JOIN triggers AS t ON t.job = v.value WHERE t.state = 'blocked'";

pub(super) const PAUSED_JOBS_OVER: &str = "SELECT name FROM jobs WHERE paused_until <= ?1";

pub(super) const PAUSED_OVER: &str = "SELECT job, name FROM triggers WHERE paused_until <= ?1";

const SAVE: &str = "
    WITH v (value) AS MATERIALIZED (SELECT jsonb(value) FROM json_each(?1))
    INSERT INTO triggers (job, name, uid, generation, version, definition, priority, local, state, paused, paused_at,
        paused_by, paused_reason, paused_until, job_paused, next_fire_at, watermark, fired_count, claim_node,
        claim_token, error, complete_reason, one_time, manual, zone_data, created_at)
    SELECT value ->> 'job', value ->> 'name', unhex(value ->> 'uid', '-'), value ->> 'generation',
        value ->> 'version', value ->> 'definition', value ->> 'priority',
        value ->> 'one_time' IS NULL AND (SELECT j.local FROM jobs AS j WHERE j.name = value ->> 'job'),
        value ->> 'state', value ->> 'paused',
        value ->> 'paused_at', value ->> 'paused_by', value ->> 'paused_reason', value ->> 'paused_until',
        value ->> 'job_paused', value ->> 'next_fire_at', value ->> 'watermark', value ->> 'fired_count',
        value ->> 'claim_node', value ->> 'claim_token', value ->> 'error', value ->> 'complete_reason',
        value ->> 'one_time', value ->> 'manual', value ->> 'zone_data', value ->> 'created_at'
    FROM v WHERE true
    ON CONFLICT (job, name) DO UPDATE SET uid = excluded.uid, generation = excluded.generation,
        version = excluded.version, definition = excluded.definition, priority = excluded.priority,
        local = excluded.local, state = excluded.state, paused = excluded.paused, paused_at = excluded.paused_at,
        paused_by = excluded.paused_by, paused_reason = excluded.paused_reason,
        paused_until = excluded.paused_until, job_paused = excluded.job_paused,
        next_fire_at = excluded.next_fire_at, watermark = excluded.watermark, fired_count = excluded.fired_count,
        claim_node = excluded.claim_node, claim_token = excluded.claim_token, error = excluded.error,
        complete_reason = excluded.complete_reason, one_time = excluded.one_time, manual = excluded.manual,
        zone_data = excluded.zone_data, created_at = excluded.created_at";

pub(super) const MOVE: &str = "
    WITH v (value) AS MATERIALIZED (SELECT jsonb(value) FROM json_each(?1))
    UPDATE triggers SET version = v.value ->> 'version', state = v.value ->> 'state',
        next_fire_at = v.value ->> 'next_fire_at', watermark = v.value ->> 'watermark',
        fired_count = v.value ->> 'fired_count', claim_node = v.value ->> 'claim_node',
        claim_token = v.value ->> 'claim_token', error = v.value ->> 'error',
        complete_reason = v.value ->> 'complete_reason'
    FROM v WHERE triggers.job = v.value ->> 'job' AND triggers.name = v.value ->> 'name'";

pub(super) const REMOVE: &str = "
    DELETE FROM triggers WHERE (job, name) IN (SELECT v.value ->> 'job', v.value ->> 'trigger' FROM json_each(?1) AS v)";

/// A trigger with the part of its job that a run needs.
#[derive(FromRow)]
pub(super) struct WithJob {
    #[sqlx(flatten)]
    trigger: TriggerRow,
    job_definition: String,
    origin: String,
    code_definition: Option<String>,
}

impl WithJob {
    pub fn claimed(self) -> Result<Claimed> {
        let code: Option<JobDefinition> =
            self.code_definition.as_deref().map(from_json).transpose()?;
        Ok(Claimed {
            trigger: self.trigger.record()?,
            job: from_json(&self.job_definition)?,
            origin: parse(&self.origin)?,
            code_definition: code.as_ref().map(definitions::without_triggers),
        })
    }
}

/// What moves in a trigger's row while its definition stays.
#[derive(Serialize)]
struct MoveRow<'a> {
    job: &'a str,
    name: &'a str,
    version: i64,
    state: &'static str,
    next_fire_at: Option<i64>,
    watermark: i64,
    fired_count: u32,
    claim_node: Option<&'a str>,
    claim_token: Option<i64>,
    error: Option<&'a str>,
    complete_reason: Option<&'static str>,
}

pub(super) async fn set_paused(
    store: &SqliteStore,
    keys: &[TriggerKey],
    pause: Option<&Pause>,
) -> Result<Vec<bool>> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    let found = pause_triggers(&mut tx, keys, pause).await?;
    tx.commit().await?;
    Ok(found)
}

async fn pause_triggers(
    conn: &mut SqliteConnection,
    keys: &[TriggerKey],
    pause: Option<&Pause>,
) -> Result<Vec<bool>> {
    let mut rows = by_key(conn, &keys.iter().collect::<Vec<_>>()).await?;
    let found = keys.iter().map(|key| rows.contains_key(key)).collect();
    rows.values_mut().for_each(|t| moves::set_paused(t, pause));
    let rows: Vec<_> = rows.into_values().collect();
    save(conn, &rows).await?;
    Ok(found)
}

pub(super) async fn add_once(store: &SqliteStore, triggers: &[OnceTrigger]) -> Result<Vec<bool>> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    let mut desk = super::desk::for_once(&mut tx, triggers).await?;
    let found = triggers
        .iter()
        .map(|once| desk.add_once(once))
        .collect::<Result<_, _>>()?;
    save(&mut tx, &desk.added).await?;
    tx.commit().await?;
    Ok(found)
}

pub(super) async fn set_error(
    store: &SqliteStore,
    keys: &[TriggerKey],
    reason: Option<&str>,
) -> Result<()> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    let mut rows = by_key(&mut tx, &keys.iter().collect::<Vec<_>>()).await?;
    rows.retain(|_, trigger| moves::set_error(trigger, reason));
    let moved: Vec<_> = rows.values().collect();
    write_moves(&mut tx, &moved).await?;
    tx.commit().await?;
    Ok(())
}

pub(super) async fn list_local(
    store: &SqliteStore,
) -> Result<Vec<(TriggerRecord, JobDefinition, JobOrigin)>> {
    let rows: Vec<WithJob> = sqlx::query_as(LOCAL).fetch_all(&store.readers).await?;
    rows.into_iter()
        .map(|row| {
            let claimed = row.claimed()?;
            Ok((claimed.trigger, claimed.job, claimed.origin))
        })
        .collect()
}

pub(super) async fn restart(
    store: &SqliteStore,
    restarts: Vec<TriggerRestart>,
) -> Result<Vec<Written>> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    let mut written = Vec::with_capacity(restarts.len());
    for restart in restarts {
        let row = by_key(&mut tx, &[&restart.key]).await?.remove(&restart.key);
        match row.and_then(|row| definitions::restart(&restart, row)) {
            Some(redefined) => {
                jobs::redefine(&mut tx, redefined).await?;
                written.push(Written::Done);
            }
            None => written.push(Written::Stale),
        }
    }
    tx.commit().await?;
    Ok(written)
}

pub(super) async fn pause_expire(
    store: &SqliteStore,
    now: DateTime<Utc>,
) -> Result<(Vec<JobName>, Vec<TriggerKey>)> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    let names: Vec<String> = sqlx::query_scalar(PAUSED_JOBS_OVER)
        .bind(micros(now))
        .fetch_all(&mut *tx)
        .await?;
    let mut jobs: Vec<JobName> = names.iter().map(|n| parse(n)).collect::<Result<_>>()?;
    // sorted here: an order in the statement would make it walk the whole table in that order
    jobs.sort();
    let keys: Vec<(String, String)> = sqlx::query_as(PAUSED_OVER)
        .bind(micros(now))
        .fetch_all(&mut *tx)
        .await?;
    let mut keys = keys
        .iter()
        .map(|(job, name)| {
            Ok(TriggerKey {
                job: parse(job)?,
                trigger: parse(name)?,
            })
        })
        .collect::<Result<Vec<_>>>()?;
    keys.sort();
    jobs::pause_jobs(&mut tx, &jobs, None).await?;
    pause_triggers(&mut tx, &keys, None).await?;
    tx.commit().await?;
    Ok((jobs, keys))
}

/// The triggers with these keys.
pub(super) async fn by_key(
    conn: &mut SqliteConnection,
    keys: &[&TriggerKey],
) -> Result<BTreeMap<TriggerKey, TriggerRecord>> {
    let rows: Vec<TriggerRow> = sqlx::query_as(BY_KEY)
        .bind(json(keys)?)
        .fetch_all(conn)
        .await?;
    keyed(rows)
}

/// The blocked triggers of these jobs.
pub(super) async fn blocked(
    conn: &mut SqliteConnection,
    jobs: &[&JobName],
) -> Result<BTreeMap<TriggerKey, TriggerRecord>> {
    let rows: Vec<TriggerRow> = sqlx::query_as(BLOCKED)
        .bind(json(jobs)?)
        .fetch_all(conn)
        .await?;
    keyed(rows)
}

fn keyed(rows: Vec<TriggerRow>) -> Result<BTreeMap<TriggerKey, TriggerRecord>> {
    rows.into_iter()
        .map(|row| row.record().map(|t| (t.key(), t)))
        .collect()
}

/// All triggers of these jobs, by job and name.
pub(super) async fn of_jobs(
    conn: &mut SqliteConnection,
    jobs: &[&JobName],
) -> Result<Vec<TriggerRecord>> {
    let rows: Vec<TriggerRow> = sqlx::query_as(OF_JOBS)
        .bind(json(jobs)?)
        .fetch_all(conn)
        .await?;
    rows.into_iter().map(TriggerRow::record).collect()
}

/// Writes whole rows, new or old; their jobs' rows are there already.
pub(super) async fn save(conn: &mut SqliteConnection, triggers: &[TriggerRecord]) -> Result<()> {
    if triggers.is_empty() {
        return Ok(());
    }
    let rows = triggers.iter().map(TriggerRow::from);
    let rows: Vec<_> = rows.collect::<Result<_>>()?;
    sqlx::query(SAVE).bind(json(&rows)?).execute(conn).await?;
    Ok(())
}

/// Writes what moves in rows whose definition stays.
pub(super) async fn write_moves(
    conn: &mut SqliteConnection,
    triggers: &[&TriggerRecord],
) -> Result<()> {
    if triggers.is_empty() {
        return Ok(());
    }
    let rows = triggers.iter().map(|t| MoveRow {
        job: t.job.as_str(),
        name: t.definition.name.as_str(),
        version: t.version,
        state: t.state.as_str(),
        next_fire_at: t.next_fire_at.map(micros),
        watermark: micros(t.watermark),
        fired_count: t.fired_count,
        claim_node: t.claim_node.as_ref().map(|n| n.0.as_str()),
        claim_token: t.claim_token,
        error: t.error.as_deref(),
        complete_reason: t.complete_reason.map(|r| r.as_str()),
    });
    let rows: Vec<_> = rows.collect();
    sqlx::query(MOVE).bind(json(&rows)?).execute(conn).await?;
    Ok(())
}

/// Deletes rows.
pub(super) async fn remove(conn: &mut SqliteConnection, keys: &[&TriggerKey]) -> Result<()> {
    if keys.is_empty() {
        return Ok(());
    }
    sqlx::query(REMOVE).bind(json(keys)?).execute(conn).await?;
    Ok(())
}

/// Repeats in the rows of user triggers whether their job runs on every instance. The engine's own triggers stand for one
/// run on one node.
pub(super) async fn set_local(
    conn: &mut SqliteConnection,
    job: &JobName,
    local: bool,
) -> Result<()> {
    sqlx::query(
        "UPDATE triggers SET local = ?2 WHERE job = ?1 AND one_time IS NULL AND local <> ?2",
    )
    .bind(job.as_str())
    .bind(local)
    .execute(conn)
    .await?;
    Ok(())
}
