//! Calendars, on SQLite.

use chrono::{DateTime, Utc};
use horarium_core::{
    calendar::{Calendar, Calendars},
    names::CalendarName,
};
use sqlx::Connection;

use super::{
    BEGIN, SqliteStore,
    rows::{Result, from_json, json, micros, parse},
};

pub(super) async fn put(
    store: &SqliteStore,
    calendars: &[(CalendarName, Calendar)],
    now: DateTime<Utc>,
) -> Result<()> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    for (name, calendar) in calendars {
        sqlx::query(
            "INSERT INTO calendars (name, definition, updated_at) VALUES (?1, ?2, ?3)
            ON CONFLICT (name) DO UPDATE SET definition = excluded.definition, updated_at = excluded.updated_at",
        )
        .bind(name.as_str())
        .bind(json(calendar)?)
        .bind(micros(now))
        .execute(&mut *tx)
        .await?;
    }
    tx.commit().await?;
    Ok(())
}

pub(super) async fn list(store: &SqliteStore) -> Result<Calendars> {
    let rows: Vec<(String, String)> = sqlx::query_as("SELECT name, definition FROM calendars")
        .fetch_all(&store.readers)
        .await?;
    let calendars = rows
        .iter()
        .map(|(name, definition)| Ok((parse(name)?, from_json(definition)?)))
        .collect::<Result<_>>()?;
    Ok(Calendars(calendars))
}
