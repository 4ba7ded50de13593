//! The command line: what it prints and how it ends.

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
};

fn horarium(args: &[&str]) -> Output {
    feed(args, "")
}

fn feed(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_horarium"))
        .args(args)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("input");
    drop(stdin);
    child.wait_with_output().expect("its end")
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn next_prints_local_and_utc() {
    let args = [
        "next",
        "0 0 6 * * MON-FRI",
        "--tz",
        "Asia/Shanghai",
        "--from",
        "2026-10-02T12:00:00Z",
        "--count",
        "2",
    ];
    let output = horarium(&args);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let expected = "2026-10-05T06:00:00+08:00  Asia/Shanghai  2026-10-04T22:00:00Z\n\
                    2026-10-06T06:00:00+08:00  Asia/Shanghai  2026-10-05T22:00:00Z\n";
    assert_eq!(out(&output), expected);
}

#[test]
fn next_takes_the_full_text_and_answers_json() {
    let text = "cron 0 30 2 * * * tz=Europe/Zurich";
    let output = horarium(&[
        "next",
        text,
        "--from",
        "2026-03-27T12:00:00Z",
        "--count",
        "2",
        "--json",
    ]);
    let answer: serde_json::Value = serde_json::from_str(&out(&output)).expect("JSON");
    assert_eq!(
        answer["fires"],
        serde_json::json!(["2026-03-28T01:30:00Z", "2026-03-30T00:30:00Z"])
    );
    assert!(answer["notes"].is_array());
}

#[test]
fn next_explains_what_does_not_fire() {
    let text = "cron 0 30 2 * * * tz=Europe/Zurich";
    let output = horarium(&[
        "next",
        text,
        "--from",
        "2026-03-28T12:00:00Z",
        "--count",
        "1",
        "--explain",
    ]);
    let text = out(&output);
    assert!(text.contains("2026-03-29T02:30:00+01:00  Europe/Zurich  2026-03-29T01:00:00Z  does not fire: the clocks jump over this time"), "{text}");
}

#[test]
fn next_goes_backwards() {
    let output = horarium(&[
        "next",
        "0 0 * * *",
        "--from",
        "2026-10-02T12:00:00Z",
        "--count",
        "2",
        "--previous",
        "--json",
    ]);
    let answer: serde_json::Value = serde_json::from_str(&out(&output)).expect("JSON");
    assert_eq!(
        answer["fires"],
        serde_json::json!(["2026-10-02T00:00:00Z", "2026-10-01T00:00:00Z"])
    );
}

#[test]
fn next_says_never_when_it_is_never() {
    for (text, words) in [
        ("0 0 0 30 2 ?", "it never fires"),
        ("manual", "it fires only by hand"),
        ("once 2020-01-01T00:00:00Z", "that was all"),
    ] {
        let output = horarium(&["next", text, "--from", "2026-01-01T00:00:00Z"]);
        assert_eq!(out(&output).trim(), words, "{text}");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn a_bad_schedule_ends_with_2_and_a_caret() {
    let output = horarium(&["next", "0 61 * * * *"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(out(&output), "");
    let text = err(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with("horarium: 61 is outside of the minute field"),
        "{text}"
    );
    assert_eq!(lines[1..], ["    0 61 * * * *", "      ^^"]);
    for args in [
        ["next", "0 0 * * *", "--tz", "Mars/Base"],
        ["next", "0 0 * * *", "--from", "yesterday"],
        ["next", "0 0 * * *", "--dialect", "roman"],
        ["next", "0 0 * * *", "--count", "0"],
    ] {
        assert_eq!(horarium(&args).status.code(), Some(2), "{args:?}");
    }
    let unknown = horarium(&["next", "cron 0 0 * * * * calendar=holidays"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(err(&unknown).contains("'holidays'"));
}

#[test]
fn batch_answers_line_by_line_in_order() {
    let input = r#"{"id":"a","expr":"0 0 6 * * *","zone":"Asia/Shanghai","from":"2026-01-01T00:00:00Z","count":1}
{"id":2,"schedule":"cron 0 0 6 * * * tz=UTC","from":"2026-01-01T00:00:00Z","end":"2026-01-02T12:00:00Z"}
{"id":"c","expr":"0 61 * * * *","from":"2026-01-01T00:00:00Z"}
{"id":"d","expr":"0 0 * * *","zone":"Mars/Base","from":"2026-01-01T00:00:00Z"}
{"id":"e","kind":"window","zone":"Europe/Berlin","date":"2024-03-31"}
{"id":"f","kind":"window","zone":"Pacific/Apia","date":"2011-12-30"}
{"id":"g","expr":"0 0 9 ? * MON","from":"2026-01-01T00:00:00Z","calendar":{"type":"weekly","days":["MON"]}}
not json
"#;
    let output = feed(&["next", "--batch"], input);
    assert_eq!(output.status.code(), Some(0));
    let answers: Vec<serde_json::Value> = out(&output)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let expect = |at: usize, expected: serde_json::Value| assert_eq!(answers[at], expected);
    expect(
        0,
        serde_json::json!({"id": "a", "next": ["2026-01-01T22:00:00Z"], "then_none": false}),
    );
    expect(
        1,
        serde_json::json!({"id": 2, "next": ["2026-01-01T06:00:00Z", "2026-01-02T06:00:00Z"], "then_none": true}),
    );
    assert_eq!(answers[2]["error"]["code"], "SCHEDULING_VALIDATION_001");
    assert_eq!(answers[2]["error"]["at"], serde_json::json!([2, 4]));
    assert_eq!(answers[3]["error"]["code"], "SCHEDULING_VALIDATION_001");
    expect(
        4,
        serde_json::json!({"id": "e", "start": "2024-03-30T23:00:00Z", "end": "2024-03-31T22:00:00Z", "seconds": 82800}),
    );
    expect(5, serde_json::json!({"id": "f", "none": true}));
    expect(
        6,
        serde_json::json!({"id": "g", "next": [], "then_none": true}),
    );
    assert_eq!(answers[7]["id"], serde_json::Value::Null);
    assert_eq!(answers.len(), 8);
}

#[test]
fn check_finds_all_faults_of_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bad.toml");
    let text = "[server]\nport = 1\n[[jobs]]\nname = \"a\"\n";
    std::fs::write(&file, text).expect("a file");
    let output = horarium(&["check", file.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(2));
    let text = err(&output);
    assert!(
        text.contains("bad.toml:2: server.port: unknown key"),
        "{text}"
    );
    assert!(
        text.contains("bad.toml:3: jobs[0].type: is missing"),
        "{text}"
    );
    assert!(text.contains("2 errors, nothing was started"), "{text}");
    std::fs::write(&file, "").expect("a file");
    let good = horarium(&["check", file.to_str().expect("a path")]);
    assert_eq!(good.status.code(), Some(0));
    assert!(out(&good).ends_with("good, 0 jobs and 0 triggers\n"));
    assert_eq!(
        horarium(&["check", "/no/such/file.toml"]).status.code(),
        Some(2)
    );
}
