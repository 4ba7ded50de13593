//! No page and no cycle reads a whole table that grows: the plan of every statement says so.

use horarium_engine::store::sqlite::statements;
use sqlx::{AssertSqlSafe, ConnectOptions, Row, sqlite::SqliteConnectOptions};

use super::open;

/// Tables that grow with time or with what people register, by the names that statements give them.
const GROWING: &[&str] = &[
    "triggers",
    "runs",
    "run_logs",
    "fire_decisions",
    "events",
    "audit",
    "sessions",
    "t",
    "r",
    "l",
    "d",
    "s",
];

#[tokio::test]
async fn no_statement_scans_a_table_that_grows() {
    let dir = tempfile::tempdir().unwrap();
    let _store = open(&dir).await;
    let mut connection = SqliteConnectOptions::new()
        .filename(dir.path().join("horarium.db"))
        .connect()
        .await
        .unwrap();
    let mut bad = Vec::new();
    for (name, sql) in statements() {
        let explain = format!("EXPLAIN QUERY PLAN {sql}");
        let rows = sqlx::query(AssertSqlSafe(explain))
            .fetch_all(&mut connection)
            .await
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        let steps: Vec<String> = rows.iter().map(|row| row.get("detail")).collect();
        let scans = steps.iter().any(|step| {
            step.strip_prefix("SCAN ")
                .and_then(|rest| rest.split(' ').next())
                .is_some_and(|table| GROWING.contains(&table))
        });
        if scans {
            bad.push(format!("{name}:\n  {}", steps.join("\n  ")));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[tokio::test]
async fn due_triggers_are_read_in_the_order_of_the_index() {
    let dir = tempfile::tempdir().unwrap();
    let _store = open(&dir).await;
    let mut connection = SqliteConnectOptions::new()
        .filename(dir.path().join("horarium.db"))
        .connect()
        .await
        .unwrap();
    for (name, sql) in statements() {
        let is_ordered = name.starts_with("trigger_claim_due: due")
            || name == "run_list of all"
            || name == "run_list of a job"
            || name == "run_list that failed"
            || name == "run_prune: old"
            || name.starts_with("audit_list");
        if !is_ordered {
            continue;
        }
        let explain = format!("EXPLAIN QUERY PLAN {sql}");
        let rows = sqlx::query(AssertSqlSafe(explain))
            .fetch_all(&mut connection)
            .await
            .unwrap();
        let steps: Vec<String> = rows.iter().map(|row| row.get("detail")).collect();
        let sorts = steps.iter().any(|step| step.contains("TEMP B-TREE"));
        assert!(!sorts, "{name}: {steps:?}");
    }
}
