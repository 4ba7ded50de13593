//! The statements that a page or the cycle waits for, by name, for the test that reads their plans.

use horarium_core::{
    query::{JobOrder, JobQuery, RunQuery},
    state::{JobOrigin, RunStatus, ShownState},
};

use super::{accounts, claims, desk, events, history, jobs, ledger, nodes, runs, triggers};

/// Every such statement as it is executed, with what it is for.
pub fn statements() -> Vec<(String, String)> {
    let fixed = FIXED
        .iter()
        .map(|(name, sql)| ((*name).to_owned(), (*sql).to_owned()));
    let jobs = job_queries().into_iter().map(|(name, query)| {
        let sql = jobs::list_query(&query).into_string();
        (format!("job_list {name}"), sql)
    });
    let runs = run_queries().into_iter().flat_map(|(name, query)| {
        let list = runs::list_query(&query).into_string();
        let count = runs::count_query(&query).into_string();
        [
            (format!("run_list {name}"), list),
            (format!("run_count {name}"), count),
        ]
    });
    fixed.chain(jobs).chain(runs).collect()
}

const FIXED: &[(&str, &str)] = &[
    ("job_get", jobs::GET),
    ("job_set_paused", jobs::SET_PAUSED),
    ("trigger_claim_due: priorities", claims::NEXT_PRIORITY),
    ("trigger_claim_due: due", claims::DUE),
    ("trigger_list_local", triggers::LOCAL),
    ("triggers by key", triggers::BY_KEY),
    ("triggers of jobs", triggers::OF_JOBS),
    ("blocked triggers", triggers::BLOCKED),
    ("pause_expire: jobs", triggers::PAUSED_JOBS_OVER),
    ("pause_expire: triggers", triggers::PAUSED_OVER),
    ("tokens", claims::ADD_TOKENS),
    ("triggers move", triggers::MOVE),
    ("triggers go", triggers::REMOVE),
    ("desk: jobs", desk::JOBS),
    ("desk: known runs", desk::KNOWN),
    ("desk: instants", desk::INSTANTS),
    ("desk: runs", desk::RUNS),
    ("desk: slots", desk::SAVE_SLOTS),
    ("desk: new runs", desk::INSERT_RUNS),
    ("desk: ended runs", desk::END_RUNS),
    ("desk: late runs", desk::LATE_RUNS),
    ("run_request_cancel", runs::REQUEST_CANCEL),
    ("run_cancels", runs::CANCELS),
    ("run_get", runs::GET),
    ("run_chain", runs::CHAIN),
    ("run_recent", runs::RECENT),
    ("run_running", runs::RUNNING),
    ("run_log_append", history::APPEND_LOG),
    ("run_log_list", history::LIST_LOG),
    ("run_prune: old", history::OLD),
    ("run_prune: logs", history::DELETE_LOGS),
    ("run_prune: runs", history::DELETE),
    ("orphans: runs", nodes::ORPHANED_RUNS),
    ("orphans: claims", nodes::ORPHANED_CLAIMS),
    ("ledger_decided", ledger::DECIDED),
    ("ledger_list", ledger::LIST),
    ("ledger_record", ledger::IS_KNOWN),
    ("generations close", ledger::CLOSE),
    ("ledger: between", ledger::ANY_BETWEEN),
    ("ledger: before", ledger::BEFORE),
    ("ledger: after", ledger::AFTER),
    ("event_list", events::LIST),
    ("event_prune", events::PRUNE),
    ("session_get", accounts::GET_SESSION),
    ("session_touch", accounts::TOUCH_SESSION),
    ("session_delete", accounts::DELETE_SESSION),
    ("session_delete_user", accounts::DELETE_SESSIONS_OF),
    ("session_prune", accounts::PRUNE_SESSIONS),
    ("audit_list", accounts::AUDIT),
    ("audit_list of an object", accounts::AUDIT_OF),
];

fn job_queries() -> Vec<(&'static str, JobQuery)> {
    let all = JobQuery {
        limit: 50,
        ..JobQuery::default()
    };
    let order = |order| JobQuery {
        order,
        ..all.clone()
    };
    let every_filter = JobQuery {
        text: "nightly".to_owned(),
        state: Some(ShownState::Paused),
        origin: Some(JobOrigin::Code),
        job_type: Some("http".to_owned()),
        tag: Some("night".to_owned()),
        last_status: Some(RunStatus::Failed),
        ..all.clone()
    };
    vec![
        ("by name", order(JobOrder::Name)),
        ("by next fire", order(JobOrder::NextFire)),
        ("by last run", order(JobOrder::LastRun)),
        ("with every filter", every_filter),
    ]
}

fn run_queries() -> Vec<(&'static str, RunQuery)> {
    // the literal follows the grammar
    let job = "reports.nightly".parse().ok();
    let with = |statuses: &[RunStatus]| RunQuery {
        statuses: statuses.to_vec(),
        ..RunQuery::default()
    };
    vec![
        ("of all", RunQuery::default()),
        (
            "of a job",
            RunQuery {
                job,
                ..RunQuery::default()
            },
        ),
        ("that failed", with(&[RunStatus::Failed])),
        (
            "that ended badly",
            with(&[RunStatus::Failed, RunStatus::Lost]),
        ),
        ("that go on", with(&[RunStatus::Running])),
        (
            "with errors",
            RunQuery {
                has_error: Some(true),
                ..RunQuery::default()
            },
        ),
    ]
}
