//! Users, sessions, audit and settings, on SQLite.

use chrono::{DateTime, Utc};
use sqlx::FromRow;
use uuid::Uuid;

use super::{
    SqliteStore,
    rows::{Result, at, at_some, micros, parse},
};
use crate::store::{AuditEntry, Session, User};

const CREATE_USER: &str = "
    INSERT INTO users (id, name, role, password_hash, disabled, failures, locked_until, created_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING";

const CREATE_FIRST_USER: &str = "
    INSERT INTO users (id, name, role, password_hash, disabled, failures, locked_until, created_at)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE NOT EXISTS (SELECT 1 FROM users)";

const UPDATE_USER: &str = "
    UPDATE users SET role = ?2, password_hash = ?3, disabled = ?4, failures = ?5, locked_until = ?6 WHERE id = ?1";

pub(super) const GET_SESSION: &str = "
    SELECT s.id_hash, s.user_id, s.created_at AS session_created_at, s.seen_at, s.address, u.*
    FROM sessions AS s CROSS JOIN users AS u ON u.id = s.user_id WHERE s.id_hash = ?1";

pub(super) const TOUCH_SESSION: &str = "UPDATE sessions SET seen_at = ?2 WHERE id_hash = ?1";

pub(super) const DELETE_SESSION: &str = "DELETE FROM sessions WHERE id_hash = ?1";

pub(super) const DELETE_SESSIONS_OF: &str = "DELETE FROM sessions WHERE user_id = ?1";

pub(super) const PRUNE_SESSIONS: &str =
    "DELETE FROM sessions WHERE created_at < ?1 OR seen_at < ?2";

pub(super) const AUDIT: &str = "
    SELECT at, actor, address, action, object, detail, outcome FROM audit
    WHERE id > 0 ORDER BY id DESC LIMIT ?1 OFFSET ?2";

pub(super) const AUDIT_OF: &str = "
    SELECT at, actor, address, action, object, detail, outcome FROM audit
    WHERE object = ?3 ORDER BY id DESC LIMIT ?1 OFFSET ?2";

#[derive(FromRow)]
struct UserRow {
    id: Uuid,
    name: String,
    role: String,
    password_hash: String,
    disabled: bool,
    failures: u32,
    locked_until: Option<i64>,
    created_at: i64,
}

impl UserRow {
    fn record(self) -> Result<User> {
        Ok(User {
            id: self.id,
            name: self.name,
            role: parse(&self.role)?,
            password_hash: self.password_hash,
            disabled: self.disabled,
            failures: self.failures,
            locked_until: at_some(self.locked_until)?,
            created_at: at(self.created_at)?,
        })
    }
}

#[derive(FromRow)]
struct SessionRow {
    id_hash: String,
    user_id: Uuid,
    session_created_at: i64,
    seen_at: i64,
    address: String,
    #[sqlx(flatten)]
    user: UserRow,
}

#[derive(FromRow)]
struct AuditRow {
    at: i64,
    actor: String,
    address: String,
    action: String,
    object: String,
    detail: String,
    outcome: String,
}

async fn insert_user(store: &SqliteStore, statement: &'static str, user: &User) -> Result<bool> {
    let mut writer = store.writer.lock().await;
    let done = sqlx::query(statement)
        .bind(user.id)
        .bind(&user.name)
        .bind(user.role.as_str())
        .bind(&user.password_hash)
        .bind(user.disabled)
        .bind(user.failures)
        .bind(user.locked_until.map(micros))
        .bind(micros(user.created_at))
        .execute(&mut *writer)
        .await?;
    Ok(done.rows_affected() > 0)
}

pub(super) async fn user_create(store: &SqliteStore, user: &User) -> Result<bool> {
    insert_user(store, CREATE_USER, user).await
}

pub(super) async fn user_create_first(store: &SqliteStore, user: &User) -> Result<bool> {
    insert_user(store, CREATE_FIRST_USER, user).await
}

pub(super) async fn user_by_name(store: &SqliteStore, name: &str) -> Result<Option<User>> {
    let row: Option<UserRow> = sqlx::query_as("SELECT * FROM users WHERE name = ?1")
        .bind(name)
        .fetch_optional(&store.readers)
        .await?;
    row.map(UserRow::record).transpose()
}

pub(super) async fn user_list(store: &SqliteStore) -> Result<Vec<User>> {
    let rows: Vec<UserRow> = sqlx::query_as("SELECT * FROM users ORDER BY name")
        .fetch_all(&store.readers)
        .await?;
    rows.into_iter().map(UserRow::record).collect()
}

pub(super) async fn user_update(store: &SqliteStore, user: &User) -> Result<()> {
    let mut writer = store.writer.lock().await;
    sqlx::query(UPDATE_USER)
        .bind(user.id)
        .bind(user.role.as_str())
        .bind(&user.password_hash)
        .bind(user.disabled)
        .bind(user.failures)
        .bind(user.locked_until.map(micros))
        .execute(&mut *writer)
        .await?;
    Ok(())
}

pub(super) async fn session_create(store: &SqliteStore, session: &Session) -> Result<()> {
    let mut writer = store.writer.lock().await;
    sqlx::query(
        "INSERT INTO sessions (id_hash, user_id, created_at, seen_at, address) VALUES (?1, ?2, ?3, ?4, ?5)",
    )
    .bind(&session.id_hash)
    .bind(session.user)
    .bind(micros(session.created_at))
    .bind(micros(session.seen_at))
    .bind(&session.address)
    .execute(&mut *writer)
    .await?;
    Ok(())
}

pub(super) async fn session_get(
    store: &SqliteStore,
    id_hash: &str,
) -> Result<Option<(Session, User)>> {
    let row: Option<SessionRow> = sqlx::query_as(GET_SESSION)
        .bind(id_hash)
        .fetch_optional(&store.readers)
        .await?;
    row.map(|row| {
        let session = Session {
            id_hash: row.id_hash,
            user: row.user_id,
            created_at: at(row.session_created_at)?,
            seen_at: at(row.seen_at)?,
            address: row.address,
        };
        Ok((session, row.user.record()?))
    })
    .transpose()
}

pub(super) async fn session_touch(
    store: &SqliteStore,
    id_hash: &str,
    seen_at: DateTime<Utc>,
) -> Result<()> {
    let mut writer = store.writer.lock().await;
    sqlx::query(TOUCH_SESSION)
        .bind(id_hash)
        .bind(micros(seen_at))
        .execute(&mut *writer)
        .await?;
    Ok(())
}

pub(super) async fn session_delete(store: &SqliteStore, id_hash: &str) -> Result<()> {
    let mut writer = store.writer.lock().await;
    sqlx::query(DELETE_SESSION)
        .bind(id_hash)
        .execute(&mut *writer)
        .await?;
    Ok(())
}

pub(super) async fn session_delete_user(store: &SqliteStore, user: Uuid) -> Result<()> {
    let mut writer = store.writer.lock().await;
    sqlx::query(DELETE_SESSIONS_OF)
        .bind(user)
        .execute(&mut *writer)
        .await?;
    Ok(())
}

pub(super) async fn session_prune(
    store: &SqliteStore,
    created_before: DateTime<Utc>,
    seen_before: DateTime<Utc>,
) -> Result<u64> {
    let mut writer = store.writer.lock().await;
    let done = sqlx::query(PRUNE_SESSIONS)
        .bind(micros(created_before))
        .bind(micros(seen_before))
        .execute(&mut *writer)
        .await?;
    Ok(done.rows_affected())
}

pub(super) async fn audit_append(store: &SqliteStore, entry: &AuditEntry) -> Result<()> {
    let mut writer = store.writer.lock().await;
    sqlx::query(
        "INSERT INTO audit (at, actor, address, action, object, detail, outcome) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )
    .bind(micros(entry.at))
    .bind(&entry.actor)
    .bind(&entry.address)
    .bind(&entry.action)
    .bind(&entry.object)
    .bind(&entry.detail)
    .bind(&entry.outcome)
    .execute(&mut *writer)
    .await?;
    Ok(())
}

pub(super) async fn audit_list(
    store: &SqliteStore,
    object: Option<&str>,
    skip: i64,
    limit: i64,
) -> Result<Vec<AuditEntry>> {
    let query = match object {
        Some(object) => sqlx::query_as(AUDIT_OF).bind(limit).bind(skip).bind(object),
        None => sqlx::query_as(AUDIT).bind(limit).bind(skip),
    };
    let rows: Vec<AuditRow> = query.fetch_all(&store.readers).await?;
    rows.into_iter()
        .map(|row| {
            Ok(AuditEntry {
                at: at(row.at)?,
                actor: row.actor,
                address: row.address,
                action: row.action,
                object: row.object,
                detail: row.detail,
                outcome: row.outcome,
            })
        })
        .collect()
}

pub(super) async fn setting_get(store: &SqliteStore, key: &str) -> Result<Option<String>> {
    let value = sqlx::query_scalar("SELECT value FROM settings WHERE key = ?1")
        .bind(key)
        .fetch_optional(&store.readers)
        .await?;
    Ok(value)
}

pub(super) async fn setting_put(store: &SqliteStore, key: &str, value: Option<&str>) -> Result<()> {
    let mut writer = store.writer.lock().await;
    let query = match value {
        Some(value) => sqlx::query(
            "INSERT INTO settings (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        )
        .bind(key)
        .bind(value),
        None => sqlx::query("DELETE FROM settings WHERE key = ?1").bind(key),
    };
    query.execute(&mut *writer).await?;
    Ok(())
}
