//! `horarium audit` over stores that were really used.

use std::{path::Path, process::Command};

use crate::program::Server;

fn audit(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_horarium"))
        .arg("audit")
        .args(args)
        .env_clear()
        .output()
        .expect("the program");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a path")
}

#[test]
fn a_store_that_was_used_is_without_holes_and_doubles() {
    let data = tempfile::tempdir().expect("a folder");
    let config = data.path().join("horarium.toml");
    let text = "[commands.echo]\nprogram = \"echo\"\n[[jobs]]\nname = \"a\"\ntype = \"command:echo\"\n\
                [[jobs.triggers]]\nname = \"seconds\"\nschedule = \"cron * * * * * *\"\n";
    std::fs::write(&config, text).expect("a file");
    let mut server = Server::start(data.path(), &[]);
    server.line();
    while !server
        .get("/metrics")
        .contains("horarium_runs_total{job=\"a\",status=\"succeeded\"} 2")
    {
        std::thread::yield_now();
    }
    assert_eq!(server.stop(), Some(0));
    let (code, out, err) = audit(&["--data", path(data.path())]);
    let last = out.lines().last().unwrap_or_default();
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(last.ends_with(" instants, 0 holes, 0 doubles"), "{out}");
    let count: u64 = last
        .split(' ')
        .next()
        .and_then(|n| n.parse().ok())
        .expect("a number");
    assert!(count >= 2, "{last}");
    let url = format!("sqlite:{}", path(&data.path().join("horarium.db")));
    let (code, out, _) = audit(&["--store", &url, "--json"]);
    assert_eq!(code, Some(0));
    let first = out.lines().next().unwrap_or_default();
    let answer: serde_json::Value = serde_json::from_str(first).expect("JSON");
    assert_eq!(
        (&answer["instants"], &answer["holes"]),
        (&count.into(), &0.into())
    );
}

#[test]
fn an_audit_makes_nothing() {
    let data = tempfile::tempdir().expect("a folder");
    let (code, out, err) = audit(&["--data", path(data.path())]);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.contains("there is no database"), "{err}");
    assert_eq!(std::fs::read_dir(data.path()).expect("a folder").count(), 0);
    let (code, _, err) = audit(&["--store", "postgres://u:secret@h/d"]);
    assert_eq!(code, Some(2));
    assert!(
        err.contains("PostgreSQL") && !err.contains("secret"),
        "{err}"
    );
    assert_eq!(audit(&["--data", "x", "--from", "yesterday"]).0, Some(2));
}
