//! The job types `command:<name>` with programs of every system (T6).

use std::path::Path;

use horarium_core::{record::RunRecord, run_id::RunId, state::RunStatus};
use serde_json::json;

use crate::workbench::{PATIENCE, Workbench, request, soon};

fn config(command: &str) -> String {
    format!("[commands.it]\n{command}\n[[jobs]]\nname = \"it\"\ntype = \"command:it\"\n")
}

fn shell(script: &str) -> String {
    // the owner of the machine may name a shell; Horarium starts none by itself
    config(&format!("program = \"sh\"\nargs = [\"-c\", {script:?}]"))
}

fn message(run: &RunRecord) -> (&str, &str) {
    let error = run.error.as_ref().expect("an error");
    (error.code.as_str(), error.message.as_str())
}

#[tokio::test]
async fn output_is_kept_line_by_line_and_the_status_is_the_result() {
    let bench = Workbench::new(&shell("echo one; echo two >&2; printf three")).await;
    let run = bench.run("it", json!({})).await;
    assert_eq!(
        run.result.as_deref(),
        Some("exit status 0"),
        "{:?}",
        run.error
    );
    let mut log = bench.log(&run).await;
    log.sort();
    assert_eq!(log, ["stderr: two", "stdout: one", "stdout: three"]);
}

#[tokio::test]
async fn a_status_or_a_signal_is_a_failure_with_a_code() {
    for (script, code, text) in [
        (
            "exit 3",
            "COMMAND_EXIT",
            "the program ended with exit status 3",
        ),
        (
            "kill -9 $$",
            "COMMAND_SIGNAL",
            "the program was ended by signal 9",
        ),
    ] {
        let bench = Workbench::new(&shell(script)).await;
        let run = bench.run("it", json!({})).await;
        assert_eq!(run.status, RunStatus::Failed);
        assert_eq!(message(&run), (code, text));
    }
    let missing = Workbench::new(&config("program = \"/no/such/program\"")).await;
    let run = missing.run("it", json!({})).await;
    assert_eq!(message(&run).0, "COMMAND_START");
}

#[tokio::test]
async fn t6_one_placeholder_is_one_argument() {
    let bench = Workbench::new(&config(
        "program = \"printf\"\nargs = [\"%s|\", \"{a}\", \"x={b}\"]",
    ))
    .await;
    let run = bench
        .run("it", json!({ "a": "1; echo $HOME `id`", "b": 5 }))
        .await;
    assert_eq!(bench.log(&run).await, ["stdout: 1; echo $HOME `id`|x=5|"]);
    let run = bench.run("it", json!({ "a": "--help", "b": ["x"] })).await;
    let expected = "the value of 'a' begins with '-', which programs take for an option; \
                    the value of 'b' must be text, a number, true or false";
    assert_eq!(message(&run), ("COMMAND_DATA", expected));
}

#[tokio::test]
async fn t6_a_program_inherits_nothing() {
    let command = "program = \"env\"\nenv = { REGION = \"north\" }";
    let bench = Workbench::new(&config(command)).await;
    let run = bench.run("it", json!({})).await;
    let mut names: Vec<String> = bench
        .log(&run)
        .await
        .iter()
        .filter_map(|line| Some(line.strip_prefix("stdout: ")?.split('=').next()?.to_owned()))
        .collect();
    names.sort();
    let own = [
        "HORARIUM_ATTEMPT",
        "HORARIUM_JOB",
        "HORARIUM_RUN_ID",
        "HORARIUM_TOKEN",
    ];
    assert_eq!(names[..4], own);
    assert_eq!(names[4..], ["PATH", "REGION"]);
}

#[tokio::test]
async fn a_command_starts_in_its_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let command = format!("program = \"pwd\"\ndirectory = {:?}", folder.path());
    let bench = Workbench::new(&config(&command)).await;
    let run = bench.run("it", json!({})).await;
    let real = folder.path().canonicalize().expect("a path");
    assert_eq!(
        bench.log(&run).await,
        [format!("stdout: {}", real.display())]
    );
}

async fn start(bench: &Workbench) -> RunId {
    let started = bench
        .scheduler()
        .start(request("it", json!({})), "ada")
        .await;
    started.expect("a run")
}

/// The first line that the program writes.
async fn first_line(bench: &Workbench, id: RunId) -> String {
    let look = async {
        loop {
            bench.horarium.engine().cycle().await;
            let lines = bench.scheduler().run_log(id, 0, 1).await.expect("a log");
            if let Some(line) = lines.first() {
                return line.text.clone();
            }
            tokio::task::yield_now().await;
        }
    };
    soon("a line", look).await
}

async fn cancel(bench: &Workbench, id: RunId) -> RunRecord {
    bench
        .scheduler()
        .cancel_runs(&[id], "ada")
        .await
        .remove(0)
        .expect("cancelled");
    let idle = bench.horarium.engine().idle_within(PATIENCE);
    soon("the end of the run", idle).await;
    bench
        .scheduler()
        .run(id)
        .await
        .expect("a store")
        .expect("a run")
        .run
}

/// Whether a process goes on; one that nobody has buried yet does not.
fn goes_on(pid: &str) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid).join("stat"));
    stat.is_ok_and(|text| {
        let state = text.rsplit(')').next().unwrap_or_default();
        !state.trim_start().starts_with(['Z', 'X'])
    })
}

async fn assert_ends(pid: &str) {
    let look = async {
        while goes_on(pid) {
            tokio::task::yield_now().await;
        }
    };
    soon("the end of the grandchild", look).await;
}

#[tokio::test]
async fn s122_cancelling_ends_grandchildren_too() {
    let bench = Workbench::new(&shell("sleep 1000 & echo $!; wait")).await;
    let id = start(&bench).await;
    let grandchild = first_line(&bench, id).await;
    assert!(goes_on(&grandchild));
    let run = cancel(&bench, id).await;
    assert_eq!(run.status, RunStatus::Canceled);
    assert_ends(&grandchild).await;
}

#[tokio::test]
async fn s122_a_group_that_does_not_listen_is_ended_all_the_same() {
    let script = "trap '' TERM; (trap '' TERM; sleep 1000) & echo $!; sleep 1000; wait";
    let bench = Workbench::new(&shell(script)).await;
    let id = start(&bench).await;
    let grandchild = first_line(&bench, id).await;
    let run = cancel(&bench, id).await;
    assert_eq!(run.status, RunStatus::Canceled);
    assert_ends(&grandchild).await;
}

#[tokio::test]
async fn what_a_program_leaves_behind_ends_with_its_run() {
    let bench = Workbench::new(&shell("sleep 1000 & echo $!")).await;
    let run = bench.run("it", json!({})).await;
    assert_eq!(run.status, RunStatus::Succeeded);
    let left = bench.log(&run).await[0].replace("stdout: ", "");
    assert_ends(&left).await;
}

#[tokio::test]
async fn a_line_without_end_is_cut() {
    let script = "head -c 100000 /dev/zero | tr '\\\\0' x; echo; echo end";
    let bench = Workbench::new(&shell(script)).await;
    let run = bench.run("it", json!({})).await;
    let log = bench.log(&run).await;
    assert_eq!(log.len(), 2);
    assert!(log[0].len() < 20_000, "{}", log[0].len());
    assert_eq!(log[1], "stdout: end");
}
