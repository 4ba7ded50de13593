//! The fire ledger, on SQLite.

use chrono::{DateTime, Utc};
use horarium_core::{
    misfire::Range,
    names::TriggerKey,
    record::{FireDecision, TriggerGeneration},
};
use sqlx::{Connection, FromRow, SqliteConnection};
use uuid::Uuid;

use super::{
    BEGIN, SqliteStore,
    rows::{DecisionRow, Result, at, at_some, json, micros, parse},
};
use crate::store::{NewDecision, moves};

pub(super) const DECIDED: &str = "
    SELECT d.from_at, d.to_at FROM fire_decisions AS d WHERE d.trigger_uid = ?1 AND d.generation = ?2
    UNION ALL
    SELECT r.nominal_at, r.nominal_at FROM runs AS r
    WHERE r.cause = 'schedule' AND r.trigger_uid = ?1 AND r.generation = ?2 AND r.nominal_at IS NOT NULL
    ORDER BY 1, 2";

pub(super) const LIST: &str = "
    SELECT trigger_uid, generation, from_at, to_at, verdict, run, status, reason, decided_at
    FROM fire_decisions WHERE trigger_uid = ?1 AND from_at <= ?3 AND to_at >= ?2
    UNION ALL
    SELECT trigger_uid, generation, nominal_at, nominal_at, 'fired', id, status, '', dispatched_at
    FROM runs WHERE cause = 'schedule' AND trigger_uid = ?1 AND nominal_at BETWEEN ?2 AND ?3
    ORDER BY 3 DESC, 2 DESC, 4 DESC LIMIT ?4";

const RECORD: &str = "
    WITH v (value) AS MATERIALIZED (SELECT jsonb(value) FROM json_each(?1))
    INSERT INTO fire_decisions (trigger_uid, generation, from_at, to_at, verdict, run, status, reason, decided_at)
    SELECT unhex(v.value ->> 'trigger_uid', '-'), v.value ->> 'generation', v.value ->> 'from_at',
        v.value ->> 'to_at', v.value ->> 'verdict', unhex(v.value ->> 'run', '-'), v.value ->> 'status',
        v.value ->> 'reason', v.value ->> 'decided_at'
    FROM v";

pub(super) const IS_KNOWN: &str = "
    SELECT EXISTS (SELECT 1 FROM fire_decisions WHERE trigger_uid = ?1 AND generation = ?2 AND from_at = ?3
        AND to_at = ?4 AND verdict = ?5 AND reason = ?6)";

pub(super) const CLOSE: &str =
    "UPDATE trigger_generations SET to_at = ?3 WHERE trigger_uid = ?1 AND generation = ?2";

const OPEN: &str = "
    INSERT INTO trigger_generations (trigger_uid, generation, job, name, schedule, calendar, zone_data, from_at, to_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

pub(super) const ANY_BETWEEN: &str = "
    SELECT EXISTS (SELECT 1 FROM runs WHERE cause = 'schedule' AND trigger_uid = ?1 AND generation = ?2
            AND nominal_at > ?3 AND nominal_at < ?4)
        OR EXISTS (SELECT 1 FROM fire_decisions WHERE trigger_uid = ?1 AND generation = ?2
            AND from_at > ?3 AND from_at < ?4)";

pub(super) const BEFORE: &str = "
    SELECT id, from_at, to_at, verdict, status FROM fire_decisions
    WHERE trigger_uid = ?1 AND generation = ?2 AND from_at <= ?3 ORDER BY from_at DESC, id DESC LIMIT 1";

pub(super) const AFTER: &str = "
    SELECT id, from_at, to_at, verdict, status FROM fire_decisions
    WHERE trigger_uid = ?1 AND generation = ?2 AND from_at > ?3 ORDER BY from_at, id LIMIT 1";

#[derive(FromRow)]
struct GenerationRow {
    trigger_uid: Uuid,
    generation: i64,
    job: String,
    name: String,
    schedule: String,
    calendar: String,
    zone_data: String,
    from_at: i64,
    to_at: Option<i64>,
}

impl GenerationRow {
    fn record(self) -> Result<TriggerGeneration> {
        Ok(TriggerGeneration {
            trigger_uid: self.trigger_uid,
            generation: self.generation,
            key: TriggerKey {
                job: parse(&self.job)?,
                trigger: parse(&self.name)?,
            },
            schedule: self.schedule,
            calendar: self.calendar,
            zone_data: self.zone_data,
            from: at(self.from_at)?,
            to: at_some(self.to_at)?,
        })
    }
}

pub(super) async fn generations(store: &SqliteStore) -> Result<Vec<TriggerGeneration>> {
    let rows: Vec<GenerationRow> = sqlx::query_as(
        "SELECT * FROM trigger_generations ORDER BY from_at, trigger_uid, generation",
    )
    .fetch_all(&store.readers)
    .await?;
    rows.into_iter().map(GenerationRow::record).collect()
}

pub(super) async fn decided(store: &SqliteStore, uid: Uuid, generation: i64) -> Result<Vec<Range>> {
    let rows: Vec<(i64, i64)> = sqlx::query_as(DECIDED)
        .bind(uid)
        .bind(generation)
        .fetch_all(&store.readers)
        .await?;
    rows.into_iter()
        .map(|(from, to)| {
            Ok(Range {
                from: at(from)?,
                to: at(to)?,
            })
        })
        .collect()
}

pub(super) async fn list(
    store: &SqliteStore,
    uid: Uuid,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
    limit: u32,
) -> Result<Vec<FireDecision>> {
    let rows: Vec<DecisionRow> = sqlx::query_as(LIST)
        .bind(uid)
        .bind(micros(from))
        .bind(micros(to))
        .bind(limit)
        .fetch_all(&store.readers)
        .await?;
    rows.into_iter().map(DecisionRow::record).collect()
}

pub(super) async fn record(
    store: &SqliteStore,
    decisions: &[NewDecision],
    now: DateTime<Utc>,
) -> Result<()> {
    let mut writer = store.writer.lock().await;
    let mut tx = writer.begin_with(BEGIN).await?;
    for decision in decisions {
        // nothing guards these writes, so one that is repeated must not count twice
        let known: bool = sqlx::query_scalar(IS_KNOWN)
            .bind(decision.trigger_uid)
            .bind(decision.generation)
            .bind(micros(decision.range.from))
            .bind(micros(decision.range.to))
            .bind(decision.verdict.as_str())
            .bind(&decision.reason)
            .fetch_one(&mut *tx)
            .await?;
        if !known {
            insert(&mut tx, &[&moves::decided(decision, now)]).await?;
        }
    }
    tx.commit().await?;
    Ok(())
}

/// Writes verdicts.
pub(super) async fn insert(conn: &mut SqliteConnection, decisions: &[&FireDecision]) -> Result<()> {
    if decisions.is_empty() {
        return Ok(());
    }
    let rows: Vec<_> = decisions.iter().map(|d| DecisionRow::from(d)).collect();
    sqlx::query(RECORD).bind(json(&rows)?).execute(conn).await?;
    Ok(())
}

/// Ends generations.
pub(super) async fn close_generations(
    conn: &mut SqliteConnection,
    closed: &[(Uuid, i64, DateTime<Utc>)],
) -> Result<()> {
    for (uid, generation, to) in closed {
        sqlx::query(CLOSE)
            .bind(uid)
            .bind(generation)
            .bind(micros(*to))
            .execute(&mut *conn)
            .await?;
    }
    Ok(())
}

/// Writes new generations.
pub(super) async fn open_generations(
    conn: &mut SqliteConnection,
    opened: &[TriggerGeneration],
) -> Result<()> {
    for new in opened {
        sqlx::query(OPEN)
            .bind(new.trigger_uid)
            .bind(new.generation)
            .bind(new.key.job.as_str())
            .bind(new.key.trigger.as_str())
            .bind(&new.schedule)
            .bind(&new.calendar)
            .bind(&new.zone_data)
            .bind(micros(new.from))
            .bind(new.to.map(micros))
            .execute(&mut *conn)
            .await?;
    }
    Ok(())
}

/// The instant of a run that is gone: trigger, generation, instant, status.
type Fold<'a> = (Uuid, i64, i64, &'a str);

/// Keeps the instants of runs that are gone, in order. Neighbours of one generation that ended alike become one range
/// if nothing else was decided between them.
pub(super) async fn fold(
    conn: &mut SqliteConnection,
    folds: &[Fold<'_>],
    now: DateTime<Utc>,
) -> Result<()> {
    for alike in folds.chunk_by(|a, b| (a.0, a.1, a.3) == (b.0, b.1, b.3)) {
        let (first, last) = (alike[0], alike[alike.len() - 1]);
        if any_between(conn, first, last.2).await? {
            for one in alike {
                fold_range(conn, *one, one.2, now).await?;
            }
        } else {
            fold_range(conn, first, last.2, now).await?;
        }
    }
    Ok(())
}

async fn any_between(conn: &mut SqliteConnection, first: Fold<'_>, last: i64) -> Result<bool> {
    let any = sqlx::query_scalar(ANY_BETWEEN)
        .bind(first.0)
        .bind(first.1)
        .bind(first.2)
        .bind(last)
        .fetch_one(conn)
        .await?;
    Ok(any)
}

#[derive(FromRow)]
struct Neighbour {
    id: i64,
    from_at: i64,
    to_at: i64,
    verdict: String,
    status: Option<String>,
}

/// Joins a range to the ones beside it, or makes it one of its own.
async fn fold_range(
    conn: &mut SqliteConnection,
    first: Fold<'_>,
    to: i64,
    now: DateTime<Utc>,
) -> Result<()> {
    let from = first.2;
    let before = neighbour(conn, BEFORE, first, |n| (n.to_at, from)).await?;
    let after = neighbour(conn, AFTER, first, |n| (to, n.from_at)).await?;
    let (id, from, to) = match (&before, &after) {
        (Some(before), Some(after)) => {
            sqlx::query("DELETE FROM fire_decisions WHERE id = ?1")
                .bind(after.id)
                .execute(&mut *conn)
                .await?;
            (before.id, before.from_at, after.to_at)
        }
        (Some(before), None) => (before.id, before.from_at, before.to_at.max(to)),
        (None, Some(after)) => (after.id, from, after.to_at),
        (None, None) => return insert_range(conn, first, to, now).await,
    };
    sqlx::query("UPDATE fire_decisions SET from_at = ?2, to_at = ?3 WHERE id = ?1")
        .bind(id)
        .bind(from)
        .bind(to)
        .execute(conn)
        .await?;
    Ok(())
}

/// The range beside, if it was decided alike and nothing else was decided in the gap.
async fn neighbour(
    conn: &mut SqliteConnection,
    statement: &'static str,
    (uid, generation, from, status): Fold<'_>,
    gap: impl FnOnce(&Neighbour) -> (i64, i64),
) -> Result<Option<Neighbour>> {
    let found: Option<Neighbour> = sqlx::query_as(statement)
        .bind(uid)
        .bind(generation)
        .bind(from)
        .fetch_optional(&mut *conn)
        .await?;
    let alike = |n: &Neighbour| n.verdict == "fired" && n.status.as_deref() == Some(status);
    let Some(found) = found.filter(alike) else {
        return Ok(None);
    };
    let (after, before) = gap(&found);
    let decided = any_between(conn, (uid, generation, after, status), before).await?;
    Ok(Some(found).filter(|_| !decided))
}

async fn insert_range(
    conn: &mut SqliteConnection,
    (uid, generation, from, status): Fold<'_>,
    to: i64,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO fire_decisions (trigger_uid, generation, from_at, to_at, verdict, status, reason, decided_at)
        VALUES (?1, ?2, ?3, ?4, 'fired', ?5, '', ?6)",
    )
    .bind(uid)
    .bind(generation)
    .bind(from)
    .bind(to)
    .bind(status)
    .bind(micros(now))
    .execute(conn)
    .await?;
    Ok(())
}
