//! Rows laid out for the desk and written back. Readings and writings of one batch are one statement each.

use std::collections::BTreeMap;

use horarium_core::{
    names::{JobName, TriggerKey},
    record::{FireDecision, RunRecord, TriggerRecord},
    run_id::RunId,
};
use serde::Serialize;
use sqlx::{FromRow, SqliteConnection};
use uuid::Uuid;

use super::{
    events, ledger,
    rows::{Result, RunRow, at, at_some, json, micros, parse, parse_some},
    triggers,
};
use crate::store::{
    OnceTrigger, RunBegin, RunFinish,
    desk::{self, Desk, DeskJob, Instant, Slot},
};

pub(super) const JOBS: &str = "
    SELECT j.name, j.active_run, j.last_run_at, j.last_finished_at, j.last_status, j.paused,
        EXISTS (SELECT 1 FROM runs r WHERE r.job = j.name AND r.status = 'running') AS running
    FROM json_each(?1) AS v CROSS JOIN jobs AS j ON j.name = v.value";

pub(super) const KNOWN: &str = "
    SELECT r.id, r.token, r.status FROM json_each(?1) AS v
    CROSS JOIN runs AS r ON r.id = unhex(v.value, '-')";

pub(super) const INSTANTS: &str = "
    WITH v (value) AS MATERIALIZED (SELECT jsonb(value) FROM json_each(?1))
    SELECT r.trigger_uid, r.generation, r.nominal_at, r.nominal_node FROM v
    CROSS JOIN runs AS r ON r.cause = 'schedule' AND r.trigger_uid = unhex(v.value ->> 0, '-')
        AND r.generation = v.value ->> 1 AND r.nominal_at = v.value ->> 2 AND r.nominal_node = v.value ->> 3";

pub(super) const RUNS: &str = "
    SELECT r.* FROM json_each(?1) AS v CROSS JOIN runs AS r ON r.id = unhex(v.value, '-')";

pub(super) const SAVE_SLOTS: &str = "
    WITH v (value) AS MATERIALIZED (SELECT jsonb(value) FROM json_each(?1))
    UPDATE jobs SET active_run = unhex(v.value ->> 'active_run', '-'), last_run_at = v.value ->> 'last_run_at',
        last_finished_at = v.value ->> 'last_finished_at', last_status = v.value ->> 'last_status'
    FROM v WHERE jobs.name = v.value ->> 'name'";

pub(super) const INSERT_RUNS: &str = "
    WITH v (value) AS MATERIALIZED (SELECT jsonb(value) FROM json_each(?1))
    INSERT INTO runs (id, job, trigger_name, origin_trigger, trigger_uid, generation, nominal_at, nominal_node,
        scheduled_at, dispatched_at, started_at, finished_at, status, cause, attempt, retry_of, recovered_from, data,
        node, token, result, error_code, error_message, cancel, requested_by, late_result)
    SELECT unhex(value ->> 'id', '-'), value ->> 'job', value ->> 'trigger_name', value ->> 'origin_trigger',
        unhex(value ->> 'trigger_uid', '-'), value ->> 'generation', value ->> 'nominal_at',
        value ->> 'nominal_node', value ->> 'scheduled_at', value ->> 'dispatched_at', value ->> 'started_at',
        value ->> 'finished_at', value ->> 'status', value ->> 'cause', value ->> 'attempt',
        unhex(value ->> 'retry_of', '-'), unhex(value ->> 'recovered_from', '-'), value ->> 'data',
        value ->> 'node', value ->> 'token', value ->> 'result', value ->> 'error_code', value ->> 'error_message',
        value ->> 'cancel', value ->> 'requested_by', value ->> 'late_result'
    FROM v";

pub(super) const END_RUNS: &str = "
    WITH v (value) AS MATERIALIZED (SELECT jsonb(value) FROM json_each(?1))
    UPDATE runs SET status = v.value ->> 'status', started_at = v.value ->> 'started_at',
        finished_at = v.value ->> 'finished_at', result = v.value ->> 'result',
        error_code = v.value ->> 'error_code', error_message = v.value ->> 'error_message',
        cancel = v.value ->> 'cancel'
    FROM v WHERE runs.id = unhex(v.value ->> 'id', '-')";

pub(super) const LATE_RUNS: &str = "
    WITH v (value) AS MATERIALIZED (SELECT jsonb(value) FROM json_each(?1))
    UPDATE runs SET late_result = v.value ->> 'late_result'
    FROM v WHERE runs.id = unhex(v.value ->> 'id', '-')";

#[derive(FromRow)]
struct DeskJobRow {
    name: String,
    active_run: Option<Uuid>,
    last_run_at: Option<i64>,
    last_finished_at: Option<i64>,
    last_status: Option<String>,
    paused: bool,
    running: bool,
}

#[derive(Serialize)]
struct SlotRow<'a> {
    name: &'a str,
    active_run: Option<Uuid>,
    last_run_at: Option<i64>,
    last_finished_at: Option<i64>,
    last_status: Option<&'static str>,
}

/// Everything that decides over these begins.
pub(super) async fn for_begin(conn: &mut SqliteConnection, begins: &[RunBegin]) -> Result<Desk> {
    let claims = begins.iter().filter_map(|b| b.claim.as_ref());
    let keys: Vec<&TriggerKey> = claims.map(|c| &c.key).collect();
    let jobs: Vec<&JobName> = begins.iter().map(|b| &b.run.job).collect();
    let ids: Vec<RunId> = begins.iter().map(|b| b.run.id).collect();
    let mut desk = Desk {
        jobs: jobs_by_name(conn, &jobs).await?,
        triggers: triggers::by_key(conn, &keys).await?,
        ..Desk::default()
    };
    let known: Vec<(Uuid, i64, String)> = sqlx::query_as(KNOWN)
        .bind(json(&ids)?)
        .fetch_all(&mut *conn)
        .await?;
    for (id, token, status) in known {
        desk.known.insert(RunId(id), (token, parse(&status)?));
    }
    let instants: Vec<_> = begins
        .iter()
        .filter_map(desk::instant)
        .map(|(uid, generation, at, node)| (uid, generation, micros(at), node))
        .collect();
    let taken: Vec<(Uuid, i64, i64, String)> = sqlx::query_as(INSTANTS)
        .bind(json(&instants)?)
        .fetch_all(&mut *conn)
        .await?;
    for (uid, generation, micros, node) in taken {
        desk.instants.insert((uid, generation, at(micros)?, node));
    }
    Ok(desk)
}

/// Everything that decides over these finishes.
pub(super) async fn for_finish(
    conn: &mut SqliteConnection,
    finishes: &[RunFinish],
) -> Result<Desk> {
    let ids: Vec<RunId> = finishes.iter().map(|f| f.id).collect();
    let rows: Vec<RunRow> = sqlx::query_as(RUNS)
        .bind(json(&ids)?)
        .fetch_all(&mut *conn)
        .await?;
    let mut desk = Desk::default();
    for row in rows {
        let run = row.record()?;
        desk.runs.insert(run.id, run);
    }
    let added = finishes.iter().filter_map(|f| f.follow_up.as_ref());
    let added: Vec<&TriggerKey> = added.map(|once| &once.key).collect();
    let own: Vec<TriggerKey> = desk.runs.values().filter_map(desk::trigger_key).collect();
    let deleted = finishes.iter().filter_map(|f| f.delete_once.as_ref());
    let keys: Vec<_> = own
        .iter()
        .chain(deleted)
        .chain(added.iter().copied())
        .collect();
    let jobs = desk.runs.values().map(|run| &run.job);
    let jobs: Vec<_> = jobs.chain(added.iter().map(|key| &key.job)).collect();
    let (laid_out, blocked) = (
        jobs_by_name(conn, &jobs).await?,
        triggers::blocked(conn, &jobs).await?,
    );
    desk.triggers = triggers::by_key(conn, &keys).await?;
    desk.triggers.extend(blocked);
    desk.jobs = laid_out;
    Ok(desk)
}

async fn jobs_by_name(
    conn: &mut SqliteConnection,
    names: &[&JobName],
) -> Result<BTreeMap<JobName, DeskJob>> {
    let rows: Vec<DeskJobRow> = sqlx::query_as(JOBS)
        .bind(json(names)?)
        .fetch_all(conn)
        .await?;
    rows.into_iter()
        .map(|row| {
            let slot = Slot {
                active_run: row.active_run.map(RunId),
                last_run_at: at_some(row.last_run_at)?,
                last_finished_at: at_some(row.last_finished_at)?,
                last_status: parse_some(row.last_status.as_deref())?,
            };
            let job = DeskJob {
                slot,
                paused: row.paused,
                running: row.running,
            };
            Ok((parse(&row.name)?, job))
        })
        .collect()
}

/// Writes what changed.
pub(super) async fn clear(conn: &mut SqliteConnection, desk: Desk) -> Result<()> {
    let removed: Vec<&TriggerKey> = desk.removed.iter().collect();
    triggers::remove(conn, &removed).await?;
    triggers::save(conn, &desk.added).await?;
    let moved = desk.moved.iter().filter_map(|key| desk.triggers.get(key));
    let moved: Vec<&TriggerRecord> = moved.collect();
    triggers::write_moves(conn, &moved).await?;
    save_slots(conn, &desk).await?;
    insert_runs(conn, &desk.begun).await?;
    end_runs(conn, &desk).await?;
    let decisions: Vec<&FireDecision> = desk.decisions.iter().collect();
    ledger::insert(conn, &decisions).await?;
    events::insert(conn, &desk.events).await
}

async fn save_slots(conn: &mut SqliteConnection, desk: &Desk) -> Result<()> {
    let slots = desk.slots.iter().filter_map(|name| {
        let slot = &desk.jobs.get(name)?.slot;
        Some(SlotRow {
            name: name.as_str(),
            active_run: slot.active_run.map(|r| r.0),
            last_run_at: slot.last_run_at.map(micros),
            last_finished_at: slot.last_finished_at.map(micros),
            last_status: slot.last_status.map(|s| s.as_str()),
        })
    });
    let slots: Vec<_> = slots.collect();
    if !slots.is_empty() {
        sqlx::query(SAVE_SLOTS)
            .bind(json(&slots)?)
            .execute(conn)
            .await?;
    }
    Ok(())
}

async fn insert_runs(
    conn: &mut SqliteConnection,
    begun: &[(RunRecord, Option<Instant>)],
) -> Result<()> {
    let rows = begun.iter().map(|(run, i)| RunRow::from(run, i.as_ref()));
    let rows: Vec<_> = rows.collect::<Result<_>>()?;
    if !rows.is_empty() {
        sqlx::query(INSERT_RUNS)
            .bind(json(&rows)?)
            .execute(conn)
            .await?;
    }
    Ok(())
}

async fn end_runs(conn: &mut SqliteConnection, desk: &Desk) -> Result<()> {
    for (statement, ids) in [(END_RUNS, &desk.ended), (LATE_RUNS, &desk.late)] {
        let runs = ids.iter().filter_map(|id| desk.runs.get(id));
        let rows: Vec<_> = runs
            .map(|run| RunRow::from(run, None))
            .collect::<Result<_>>()?;
        if !rows.is_empty() {
            sqlx::query(statement)
                .bind(json(&rows)?)
                .execute(&mut *conn)
                .await?;
        }
    }
    Ok(())
}

/// Everything that decides over these one-time triggers.
pub(super) async fn for_once(
    conn: &mut SqliteConnection,
    triggers: &[OnceTrigger],
) -> Result<Desk> {
    let keys: Vec<_> = triggers.iter().map(|once| &once.key).collect();
    let jobs: Vec<_> = keys.iter().map(|key| &key.job).collect();
    Ok(Desk {
        jobs: jobs_by_name(conn, &jobs).await?,
        triggers: triggers::by_key(conn, &keys).await?,
        ..Desk::default()
    })
}
