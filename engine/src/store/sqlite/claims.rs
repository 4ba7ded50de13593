//! Claims of triggers that are due, on SQLite.

use std::collections::BTreeMap;

use horarium_core::{
    names::TriggerKey,
    record::{FireDecision, TriggerRecord},
};
use sqlx::{Connection, SqliteConnection};

use super::{
    BEGIN, SqliteStore, ledger,
    rows::{Result, json, micros},
    triggers::{WithJob, by_key, remove, write_moves},
};
use crate::store::{ClaimDue, ClaimRef, Claimed, TriggerAdvance, Written, moves};

pub(super) const NEXT_PRIORITY: &str = "
    SELECT max(priority) FROM triggers
    WHERE state = 'waiting' AND claim_token IS NULL AND local = 0
        AND (manual = 1 OR (paused = 0 AND job_paused = 0)) AND priority < ?1";

pub(super) const DUE: &str = "
    SELECT t.*, j.definition AS job_definition, j.origin, j.code_definition
    FROM triggers AS t CROSS JOIN jobs AS j ON j.name = t.job
    WHERE t.state = 'waiting' AND t.claim_token IS NULL AND t.local = 0
        AND (t.manual = 1 OR (t.paused = 0 AND t.job_paused = 0))
        AND t.priority = ?1 AND t.next_fire_at <= ?2
        AND j.job_type IN (SELECT v.value FROM json_each(?3) AS v)
    ORDER BY t.next_fire_at, t.job, t.name LIMIT ?4";

pub(super) const ADD_TOKENS: &str =
    "UPDATE counters SET value = value + ?1 WHERE name = 'token' RETURNING value";

pub(super) async fn claim_due(store: &SqliteStore, claim: &ClaimDue) -> Result<Vec<Claimed>> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    let mut claimed = due(&mut tx, claim).await?;
    if claimed.is_empty() {
        return Ok(claimed);
    }
    let mut token = take_tokens(&mut tx, claimed.len()).await?;
    for Claimed { trigger, .. } in &mut claimed {
        trigger.claim_node = Some(claim.node.clone());
        trigger.claim_token = Some(token);
        trigger.version += 1;
        token += 1;
    }
    let moved: Vec<_> = claimed.iter().map(|c| &c.trigger).collect();
    write_moves(&mut tx, &moved).await?;
    tx.commit().await?;
    Ok(claimed)
}

/// Looks at one priority after the other: inside one, the index is ordered by instant, so that what is not due yet is
/// never read.
async fn due(conn: &mut SqliteConnection, claim: &ClaimDue) -> Result<Vec<Claimed>> {
    let mut claimed = Vec::new();
    let mut below = i64::from(i32::MAX) + 1;
    loop {
        let room = i64::from(claim.limit) - i64::try_from(claimed.len()).unwrap_or(i64::MAX);
        let priority: Option<i64> = sqlx::query_scalar(NEXT_PRIORITY)
            .bind(below)
            .fetch_one(&mut *conn)
            .await?;
        let Some(priority) = priority.filter(|_| room > 0) else {
            return Ok(claimed);
        };
        below = priority;
        let rows: Vec<WithJob> = sqlx::query_as(DUE)
            .bind(priority)
            .bind(micros(claim.until))
            .bind(json(&claim.job_types)?)
            .bind(room)
            .fetch_all(&mut *conn)
            .await?;
        for row in rows {
            claimed.push(row.claimed()?);
        }
    }
}

/// The first of so many new tokens.
pub(super) async fn take_tokens(conn: &mut SqliteConnection, count: usize) -> Result<i64> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let last: i64 = sqlx::query_scalar(ADD_TOKENS)
        .bind(count)
        .fetch_one(conn)
        .await?;
    Ok(last - count + 1)
}

pub(super) async fn unclaim(store: &SqliteStore, claims: &[ClaimRef]) -> Result<u64> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    let mut rows = claimed(&mut tx, claims.iter()).await?;
    let mut released = Vec::new();
    for claim in claims {
        if let Some(trigger) = take_claimed(&mut rows, claim) {
            moves::release(trigger);
            released.push(claim.key.clone());
        }
    }
    let moved: Vec<_> = released.iter().filter_map(|key| rows.get(key)).collect();
    write_moves(&mut tx, &moved).await?;
    tx.commit().await?;
    Ok(u64::try_from(released.len()).unwrap_or(u64::MAX))
}

pub(super) async fn advance(
    store: &SqliteStore,
    advances: Vec<TriggerAdvance>,
) -> Result<Vec<Written>> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    let mut rows = claimed(&mut tx, advances.iter().map(|a| &a.claim)).await?;
    let (mut moved, mut removed, mut decisions) = (Vec::new(), Vec::new(), Vec::new());
    let mut written = Vec::with_capacity(advances.len());
    for advance in &advances {
        let Some(trigger) = take_claimed(&mut rows, &advance.claim) else {
            written.push(Written::Stale);
            continue;
        };
        if moves::advance(trigger, advance) {
            moved.push(&advance.claim.key);
        } else {
            removed.push(&advance.claim.key);
        }
        let decided = advance.decisions.iter();
        decisions.extend(decided.map(|d| moves::decided(d, advance.now)));
        written.push(Written::Done);
    }
    let moved: Vec<_> = moved.into_iter().filter_map(|key| rows.get(key)).collect();
    write_moves(&mut tx, &moved).await?;
    remove(&mut tx, &removed).await?;
    let decisions: Vec<&FireDecision> = decisions.iter().collect();
    ledger::insert(&mut tx, &decisions).await?;
    tx.commit().await?;
    Ok(written)
}

async fn claimed(
    conn: &mut SqliteConnection,
    claims: impl Iterator<Item = &ClaimRef>,
) -> Result<BTreeMap<TriggerKey, TriggerRecord>> {
    let keys: Vec<_> = claims.map(|claim| &claim.key).collect();
    by_key(conn, &keys).await
}

/// The trigger, if it still carries the claim.
fn take_claimed<'a>(
    rows: &'a mut BTreeMap<TriggerKey, TriggerRecord>,
    claim: &ClaimRef,
) -> Option<&'a mut TriggerRecord> {
    rows.get_mut(&claim.key)
        .filter(|trigger| moves::is_claimed_by(trigger, claim))
}
