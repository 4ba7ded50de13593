//! The outbox, on SQLite.

use chrono::{DateTime, Utc};
use horarium_core::record::Event;
use serde::Serialize;
use sqlx::SqliteConnection;

use super::{
    SqliteStore,
    rows::{Result, at, from_json, json, micros},
};
use crate::store::NewEvent;

pub(super) const LIST: &str =
    "SELECT id, topic, subject, data, at FROM events WHERE id > ?1 ORDER BY id LIMIT ?2";

pub(super) const PRUNE: &str = "DELETE FROM events WHERE at < ?1";

const INSERT: &str = "
    WITH v (value) AS MATERIALIZED (SELECT jsonb(value) FROM json_each(?1))
    INSERT INTO events (topic, subject, data, at)
    SELECT value ->> 'topic', value ->> 'subject', value ->> 'data', value ->> 'at' FROM v";

#[derive(Serialize)]
struct EventRow<'a> {
    topic: &'a str,
    subject: &'a str,
    data: String,
    at: i64,
}

/// Writes events, in order.
pub(super) async fn insert(
    conn: &mut SqliteConnection,
    events: &[(NewEvent, DateTime<Utc>)],
) -> Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    let rows = events.iter().map(|(event, at)| {
        Ok(EventRow {
            topic: event.topic,
            subject: &event.subject,
            data: json(&event.data)?,
            at: micros(*at),
        })
    });
    let rows: Vec<_> = rows.collect::<Result<_>>()?;
    sqlx::query(INSERT).bind(json(&rows)?).execute(conn).await?;
    Ok(())
}

pub(super) async fn list(store: &SqliteStore, after: i64, limit: u32) -> Result<Vec<Event>> {
    let rows: Vec<(i64, String, String, String, i64)> = sqlx::query_as(LIST)
        .bind(after)
        .bind(limit)
        .fetch_all(&store.readers)
        .await?;
    rows.into_iter()
        .map(|(id, topic, subject, data, micros)| {
            Ok(Event {
                id,
                topic,
                subject,
                data: from_json(&data)?,
                at: at(micros)?,
            })
        })
        .collect()
}

pub(super) async fn prune(store: &SqliteStore, before: DateTime<Utc>) -> Result<u64> {
    let mut writer = store.writer.lock().await;
    let done = sqlx::query(PRUNE)
        .bind(micros(before))
        .execute(&mut *writer)
        .await?;
    Ok(done.rows_affected())
}
