//! Nodes and what they left behind, on SQLite.

use horarium_core::{
    names::{NodeId, TriggerKey},
    record::{NodeRecord, RunRecord},
};
use sqlx::{Connection, FromRow};
use uuid::Uuid;

use super::{
    BEGIN, SqliteStore,
    rows::{Result, RunRow, at, from_json, json, micros, parse},
};
use crate::store::{ClaimRef, Orphans, moves};

pub(super) const ORPHANED_RUNS: &str = "
    SELECT r.* FROM runs AS r WHERE r.job >= '' AND r.status = 'running'
        AND r.node NOT IN (SELECT n.id FROM nodes AS n WHERE n.heartbeat_at >= ?1)";

pub(super) const ORPHANED_CLAIMS: &str = "
    SELECT t.job, t.name, t.uid, t.version, t.claim_token FROM triggers AS t
    WHERE t.state = 'waiting' AND t.claim_token IS NOT NULL AND t.claim_node >= ''
        AND t.claim_node NOT IN (SELECT n.id FROM nodes AS n WHERE n.heartbeat_at >= ?1)";

const SAVE: &str = "
    INSERT INTO nodes (id, incarnation, started_at, heartbeat_at, running, max_concurrent_runs, version, job_types,
        draining)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    ON CONFLICT (id) DO UPDATE SET incarnation = excluded.incarnation, started_at = excluded.started_at,
        heartbeat_at = excluded.heartbeat_at, running = excluded.running,
        max_concurrent_runs = excluded.max_concurrent_runs, version = excluded.version,
        job_types = excluded.job_types, draining = excluded.draining";

#[derive(FromRow)]
struct NodeRow {
    id: String,
    incarnation: Uuid,
    started_at: i64,
    heartbeat_at: i64,
    running: u32,
    max_concurrent_runs: u32,
    version: String,
    job_types: String,
    draining: bool,
}

impl NodeRow {
    fn record(self) -> Result<NodeRecord> {
        Ok(NodeRecord {
            id: NodeId(self.id),
            incarnation: self.incarnation,
            started_at: at(self.started_at)?,
            heartbeat_at: at(self.heartbeat_at)?,
            running: self.running,
            max_concurrent_runs: self.max_concurrent_runs,
            version: self.version,
            job_types: from_json(&self.job_types)?,
            draining: self.draining,
        })
    }
}

pub(super) async fn heartbeat(store: &SqliteStore, node: &NodeRecord) -> Result<bool> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    let stored: Option<NodeRow> = sqlx::query_as("SELECT * FROM nodes WHERE id = ?1")
        .bind(&node.id.0)
        .fetch_optional(&mut *tx)
        .await?;
    let stored = stored.map(NodeRow::record).transpose()?;
    if stored.is_some_and(|stored| moves::is_other_alive(&stored, node)) {
        return Ok(false);
    }
    sqlx::query(SAVE)
        .bind(&node.id.0)
        .bind(node.incarnation)
        .bind(micros(node.started_at))
        .bind(micros(node.heartbeat_at))
        .bind(node.running)
        .bind(node.max_concurrent_runs)
        .bind(&node.version)
        .bind(json(&node.job_types)?)
        .bind(node.draining)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(true)
}

pub(super) async fn list(store: &SqliteStore) -> Result<Vec<NodeRecord>> {
    let rows: Vec<NodeRow> = sqlx::query_as("SELECT * FROM nodes ORDER BY heartbeat_at DESC, id")
        .fetch_all(&store.readers)
        .await?;
    rows.into_iter().map(NodeRow::record).collect()
}

pub(super) async fn remove(store: &SqliteStore, node: &NodeId) -> Result<()> {
    let mut writer = store.writer.lock().await;
    sqlx::query("DELETE FROM nodes WHERE id = ?1")
        .bind(&node.0)
        .execute(&mut *writer)
        .await?;
    Ok(())
}

pub(super) async fn orphans(
    store: &SqliteStore,
    which: &Orphans,
) -> Result<(Vec<RunRecord>, Vec<ClaimRef>)> {
    let limit = match which {
        // no sign of life is as late as that
        Orphans::All => i64::MAX,
        Orphans::SilentSince(limit) => micros(*limit),
    };
    let mut tx = store.readers.begin().await?;
    let runs: Vec<RunRow> = sqlx::query_as(ORPHANED_RUNS)
        .bind(limit)
        .fetch_all(&mut *tx)
        .await?;
    let claims: Vec<(String, String, Uuid, i64, i64)> = sqlx::query_as(ORPHANED_CLAIMS)
        .bind(limit)
        .fetch_all(&mut *tx)
        .await?;
    let runs = runs.into_iter().map(RunRow::record);
    let claims = claims.into_iter().map(|(job, name, uid, version, token)| {
        let key = TriggerKey {
            job: parse(&job)?,
            trigger: parse(&name)?,
        };
        Ok(ClaimRef {
            key,
            uid,
            version,
            token,
        })
    });
    let mut runs = runs.collect::<Result<Vec<_>>>()?;
    let mut claims = claims.collect::<Result<Vec<_>>>()?;
    // sorted here: an order in the statement would make it walk the whole table in that order
    runs.sort_by_key(|run| run.id);
    claims.sort_by(|a, b| a.key.cmp(&b.key));
    Ok((runs, claims))
}
