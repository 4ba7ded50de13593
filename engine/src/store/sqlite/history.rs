//! What runs leave behind, on SQLite: their logs, and their deletion by retention.

use chrono::{DateTime, Utc};
use horarium_core::{record::LogLine, run_id::RunId};
use serde::Serialize;
use sqlx::{Connection, FromRow};
use uuid::Uuid;

use super::{
    BEGIN, SqliteStore, ledger,
    rows::{Result, at, json, micros},
};

pub(super) const APPEND_LOG: &str = "
    WITH v (value) AS MATERIALIZED (SELECT jsonb(value) FROM json_each(?1))
    INSERT OR IGNORE INTO run_logs (run, number, at, level, text)
    SELECT r.id, v.value ->> 'number', v.value ->> 'at', v.value ->> 'level', v.value ->> 'text'
    FROM v CROSS JOIN runs AS r ON r.id = unhex(v.value ->> 'run', '-')";

pub(super) const LIST_LOG: &str = "
    SELECT number, at, level, text FROM run_logs WHERE run = ?1 AND number > ?2 ORDER BY number LIMIT ?3";

pub(super) const OLD: &str = "
    SELECT * FROM runs WHERE finished_at < ?1 ORDER BY finished_at, id LIMIT ?2";

pub(super) const DELETE_LOGS: &str =
    "DELETE FROM run_logs WHERE run IN (SELECT unhex(v.value, '-') FROM json_each(?1) AS v)";

pub(super) const DELETE: &str =
    "DELETE FROM runs WHERE id IN (SELECT unhex(v.value, '-') FROM json_each(?1) AS v)";

/// A line of a log with the run that it belongs to.
#[derive(Serialize)]
struct LineRow<'a> {
    run: RunId,
    number: i64,
    at: i64,
    level: &'a str,
    text: &'a str,
}

pub(super) async fn log_append(store: &SqliteStore, lines: &[(RunId, LogLine)]) -> Result<()> {
    let rows = lines.iter().map(|(run, line)| LineRow {
        run: *run,
        number: line.number,
        at: micros(line.at),
        level: &line.level,
        text: &line.text,
    });
    let rows: Vec<_> = rows.collect();
    let mut writer = store.writer.lock().await;
    sqlx::query(APPEND_LOG)
        .bind(json(&rows)?)
        .execute(&mut *writer)
        .await?;
    Ok(())
}

pub(super) async fn log_list(
    store: &SqliteStore,
    run: RunId,
    after: i64,
    limit: u32,
) -> Result<Vec<LogLine>> {
    let rows: Vec<(i64, i64, String, String)> = sqlx::query_as(LIST_LOG)
        .bind(run.0)
        .bind(after)
        .bind(limit)
        .fetch_all(&store.readers)
        .await?;
    rows.into_iter()
        .map(|(number, micros, level, text)| {
            Ok(LogLine {
                number,
                at: at(micros)?,
                level,
                text,
            })
        })
        .collect()
}

/// A finished run that retention deletes.
#[derive(FromRow)]
struct OldRow {
    id: Uuid,
    trigger_uid: Option<Uuid>,
    generation: i64,
    nominal_at: Option<i64>,
    status: String,
    cause: String,
}

pub(super) async fn prune(
    store: &SqliteStore,
    finished_before: DateTime<Utc>,
    limit: u32,
    now: DateTime<Utc>,
) -> Result<u64> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    let old: Vec<OldRow> = sqlx::query_as(OLD)
        .bind(micros(finished_before))
        .bind(limit)
        .fetch_all(&mut *tx)
        .await?;
    if old.is_empty() {
        return Ok(0);
    }
    let ids = json(&old.iter().map(|run| run.id).collect::<Vec<_>>())?;
    for statement in [DELETE_LOGS, DELETE] {
        sqlx::query(statement).bind(&ids).execute(&mut *tx).await?;
    }
    let mut folds = old.iter().filter_map(OldRow::fold).collect::<Vec<_>>();
    // in the order of instants, so that each meets the range of the one before it
    folds.sort_unstable();
    ledger::fold(&mut tx, &folds, now).await?;
    tx.commit().await?;
    Ok(u64::try_from(old.len()).unwrap_or(u64::MAX))
}

impl OldRow {
    /// The nominal instant that it stood for, and how it ended.
    fn fold(&self) -> Option<(Uuid, i64, i64, &str)> {
        let is_scheduled = self.cause == "schedule";
        let at = self.nominal_at.filter(|_| is_scheduled)?;
        Some((self.trigger_uid?, self.generation, at, &self.status))
    }
}
