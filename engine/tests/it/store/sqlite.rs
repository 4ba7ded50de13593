use std::{fs, path::Path, sync::Arc};

use horarium_core::{code::ErrorCode, state::RunStatus};
use horarium_engine::store::{
    AccountStore, JobStore, Orphans,
    sqlite::{OpenError, SqliteOptions, SqliteStore, Synchronous},
};
use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use tempfile::TempDir;

use super::{Store, fixture::*, open};

fn options(dir: &TempDir) -> SqliteOptions {
    SqliteOptions {
        path: dir.path().join("horarium.db"),
        synchronous: Synchronous::Full,
    }
}

async fn refusal(dir: &TempDir) -> OpenError {
    let error = SqliteStore::open(options(dir)).await.expect_err("refused");
    let text = error.to_string();
    assert!(!text.contains('\n'), "one line: {text}");
    assert!(
        text.ends_with('.') && text.contains("horarium.db"),
        "{text}"
    );
    error
}

/// A connection of our own beside the store.
async fn connect(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .connect()
        .await
        .expect("a connection")
}

/// The database and its log; the lock file and the index of the log are nobody's data.
fn contents(dir: &TempDir) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let extension = path.extension().unwrap_or_default();
            extension == "db" || extension == "db-wal"
        })
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read(&path).unwrap())
        })
        .collect();
    // an empty log says nothing, and goes when the last connection does
    files.retain(|(_, bytes)| !bytes.is_empty());
    files.sort();
    files
}

/// Asserts a refusal that leaves every byte as it was.
async fn assert_untouched(dir: &TempDir, expected: impl Fn(&OpenError) -> bool) {
    let before = contents(dir);
    let error = refusal(dir).await;
    assert!(expected(&error), "{error:?}");
    let after = contents(dir);
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&after), names(&before));
    assert!(after == before, "bytes changed");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused_untouched() {
    for bytes in [
        &b"x"[..],
        &b"a text that is long enough to hold a header, and is none"[..],
    ] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("horarium.db"), bytes).unwrap();
        let expected = |e: &OpenError| matches!(e, OpenError::NotADatabase { .. });
        assert_untouched(&dir, expected).await;
    }
}

#[tokio::test]
async fn a_damaged_database_is_refused_untouched() {
    let dir = tempfile::tempdir().unwrap();
    let mut bytes = b"SQLite format 3\0".to_vec();
    bytes.resize(8192, 0xA5);
    fs::write(dir.path().join("horarium.db"), bytes).unwrap();
    let expected = |e: &OpenError| matches!(e, OpenError::Sqlite { .. });
    assert_untouched(&dir, expected).await;
}

#[tokio::test]
async fn a_database_of_another_program_is_refused_untouched() {
    let dir = tempfile::tempdir().unwrap();
    let mut connection = connect(&dir.path().join("horarium.db")).await;
    sqlx::query("CREATE TABLE songs (title TEXT)")
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    let expected = |e: &OpenError| matches!(e, OpenError::Foreign { .. });
    assert_untouched(&dir, expected).await;
}

#[tokio::test]
async fn a_newer_schema_is_refused_untouched() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir).await;
    let mut connection = connect(&dir.path().join("horarium.db")).await;
    sqlx::query(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
        VALUES (9999, 'from the future', true, x'00', 0)",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    let expected =
        |e: &OpenError| matches!(e, OpenError::Newer { found: 9999, known, .. } if *known >= 1);
    // once as a process that was killed leaves it, with the row in the log only, and once in order
    let killed = copy(&dir);
    assert!(
        contents(&killed)
            .iter()
            .any(|(name, _)| name.ends_with("-wal"))
    );
    assert_untouched(&killed, expected).await;
    store.close().await.unwrap();
    connection.close().await.unwrap();
    drop(store);
    assert_untouched(&dir, expected).await;
}

/// The files as they are: what a process that was killed now would leave behind.
fn copy(dir: &TempDir) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for (name, bytes) in contents(dir) {
        fs::write(copy.path().join(name), bytes).unwrap();
    }
    copy
}

#[tokio::test]
async fn a_second_process_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let first = open(&dir).await;
    let error = refusal(&dir).await;
    assert!(matches!(error, OpenError::InUse { .. }), "{error:?}");
    assert!(error.to_string().contains("horarium.db.lock"));
    drop(first);
    open(&dir).await;
}

#[tokio::test]
async fn a_directory_that_is_not_there_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let options = SqliteOptions {
        path: dir.path().join("none").join("horarium.db"),
        synchronous: Synchronous::Full,
    };
    let error = SqliteStore::open(options).await.expect_err("refused");
    assert!(matches!(error, OpenError::Io { .. }), "{error:?}");
    assert!(!dir.path().join("none").exists());
}

#[tokio::test]
async fn an_empty_file_is_as_good_as_none() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("horarium.db"), b"").unwrap();
    let store = open(&dir).await;
    assert!(store.ping().await.unwrap().starts_with("SQLite 3."));
}

#[tokio::test]
async fn the_database_is_opened_as_the_design_says() {
    let dir = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(options(&dir)).await.unwrap();
    let mut connection = connect(&dir.path().join("horarium.db")).await;
    let mode: String = sqlx::query_scalar("PRAGMA journal_mode")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_eq!(mode, "wal");
    let strict: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM pragma_table_list
        WHERE schema = 'main' AND NOT strict AND name NOT LIKE 'sqlite_%' AND name <> '_sqlx_migrations'",
    )
    .fetch_one(&mut connection)
    .await
    .unwrap();
    assert_eq!(strict, 0, "every table is strict");
    let settings = store.pragmas().await.unwrap();
    assert_eq!(settings, "synchronous=2 foreign_keys=1 busy_timeout=5000");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn k2_what_was_committed_is_there_after_a_stop_without_goodbye() {
    let dir = tempfile::tempdir().unwrap();
    let store: Store = Arc::new(open(&dir).await);
    add_job(&store, job("a"), t(10)).await;
    let claimed = claim_one(&store, t(10)).await;
    let begin = hold(&claimed);
    let id = begin.run.id;
    let token = begun(&store, begin).await;
    // writers that are cut off wherever they happen to be
    let tasks: Vec<_> = (1..=20)
        .map(|number| {
            let store = store.clone();
            tokio::spawn(async move {
                let name = job_name(&format!("job-{number}"));
                add_job(&store, job(name.as_str()), t(1000)).await;
                begun(&store, direct(number, &name, true)).await;
            })
        })
        .collect();
    for (number, task) in tasks.iter().enumerate() {
        if number % 2 == 0 {
            task.abort();
        }
        tokio::task::yield_now().await;
    }
    for task in tasks {
        let _ = task.await;
    }
    let copy = copy(&dir);
    drop(store);
    for dir in [&dir, &copy] {
        let store: Store = Arc::new(open(dir).await);
        let mut connection = connect(&dir.path().join("horarium.db")).await;
        let check: String = sqlx::query_scalar("PRAGMA integrity_check")
            .fetch_one(&mut connection)
            .await
            .unwrap();
        assert_eq!(check, "ok");
        let (runs, _) = store.orphans(Orphans::All).await.unwrap();
        let run = runs.iter().find(|run| run.id == id).expect("the run");
        assert_eq!((run.token, run.status), (token, RunStatus::Running));
        // every run that is there has its job's slot
        for run in &runs {
            let job = get_job(&store, &run.job).await;
            assert_eq!(job.active_run, Some(run.id));
        }
        finish_one(&store, finish(id, token, t(20))).await;
    }
}

#[tokio::test]
async fn i7_no_statement_changes_a_run_that_has_ended() {
    let dir = tempfile::tempdir().unwrap();
    let store: Store = Arc::new(open(&dir).await);
    let mut connection = connect(&dir.path().join("horarium.db")).await;
    sqlx::query(
        "CREATE TRIGGER ended BEFORE UPDATE OF status, started_at, finished_at, result, error_code, error_message,
            cancel, data, token, scheduled_at, dispatched_at ON runs
        WHEN old.status NOT IN ('pending', 'running') BEGIN SELECT raise(ABORT, 'it has ended'); END",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    connection.close().await.unwrap();
    add_job(&store, job("a"), t(10)).await;
    let id = run_through(&store, t(10), t(20)).await;
    let run = store.run_get(id).await.unwrap().expect("the run");
    for at in [10, 30] {
        let end = finish(id, run.token, t(at));
        store.run_finish(vec![end]).await.unwrap();
    }
    let asked = store.run_request_cancel(&[id], "ada", t(40)).await.unwrap();
    assert_eq!(asked, [None]);
}

#[tokio::test]
async fn s183_a_store_that_cannot_be_reached_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir).await;
    store.close().await.unwrap();
    let error = store.job_get(&job_name("a")).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::StoreUnavailable);
    // a table that somebody dropped: the same code, and the cause for the log
    let mut connection = connect(&dir.path().join("horarium.db")).await;
    sqlx::query("DROP TABLE settings")
        .execute(&mut connection)
        .await
        .unwrap();
    let error = store.setting_put("zone", Some("UTC")).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::StoreUnavailable);
    assert!(error.source.is_some());
}
