//! The configuration's contract: every fault at once, each with its line, its key and a way out.

use std::path::Path;

use horarium::config::{Config, ConfigError, Environment, MetricsAccess, StoreUrl, Synchronous};

fn read(text: &str, variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let pairs = variables
        .iter()
        .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
    let environment = Environment::from_variables(pairs);
    Config::read(Some((Path::new("/etc/horarium.toml"), text)), &environment)
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let error = read(text, &[]).expect_err("a broken configuration");
    let problems = error.problems.len();
    let expected: String = expected
        .lines()
        .map(|l| format!("{}\n", l.strip_prefix("    |").unwrap_or(l)))
        .collect();
    let plural = if problems == 1 { "" } else { "s" };
    let end = format!("{problems} error{plural}, nothing was started");
    assert_eq!(
        error.to_string(),
        format!("{}{end}", expected.trim_start_matches('\n'))
    );
}

#[test]
fn the_contract_of_the_design_is_read() {
    let config = read(include_str!("config/contract.toml"), &[]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(config.server.listen.to_string(), "127.0.0.1:8787");
    assert_eq!(config.store.url, StoreUrl::Sqlite("horarium.db".into()));
    assert_eq!(config.scheduling.max_concurrent_runs, 32);
    assert_eq!(config.calendars.0.len(), 5);
    let job = &config.jobs[0];
    assert_eq!(
        (job.name.as_str(), job.job_type.as_str()),
        ("reports.nightly", "http")
    );
    assert_eq!(job.timeout.map(|t| t.num_minutes()), Some(20));
    assert!(job.requests_recovery);
    let retry = job.retry.as_ref().expect("a retry");
    assert_eq!((retry.max_retries, retry.delay.num_seconds()), (3, 60));
    assert_eq!(job.triggers[1].priority, 8);
    assert_eq!(job.triggers[1].misfire.as_str(), "skip");
    assert_eq!(job.triggers[1].data["format"], "xlsx");
}

#[test]
fn an_empty_file_is_all_defaults() {
    let config = read("", &[]).expect("defaults");
    assert_eq!(config.server.listen.to_string(), "127.0.0.1:8787");
    assert_eq!(config.server.metrics, MetricsAccess::Loopback);
    assert_eq!(config.store.synchronous, Synchronous::Full);
    assert!(config.jobs.is_empty());
}

#[test]
fn unknown_keys_are_named_with_what_is_near() {
    check(
        "[server]\nlistn = \"127.0.0.1:1\"\ncolour = 1\n[sheduling]\n",
        "
horarium.toml:2: server.listn: unknown key; did you mean 'listen'?
horarium.toml:3: server.colour: unknown key; known here: listen, metrics, shutdown_grace_seconds, site_root
horarium.toml:4: sheduling: unknown key; did you mean 'scheduling'?
",
    );
}

#[test]
fn values_of_the_wrong_kind_or_range() {
    check(
        r#"
[server]
listen = 8787
metrics = "public"
shutdown_grace_seconds = -1
[store]
url = "postgres://user:secret@host/db"
synchronous = "off"
[scheduling]
poll_interval_seconds = 0
max_concurrent_runs = "many"
lease_resource = "Not A Name"
[http]
allow = ["*", "10.0.0.0/8"]
"#,
        "
horarium.toml:3: server.listen: this is a whole number, text in quotes is needed
horarium.toml:4: server.metrics: write \"loopback\" or \"off\"
horarium.toml:5: server.shutdown_grace_seconds: -1 is out of range
horarium.toml:7: store.url: PostgreSQL stores are not in this release; use \"sqlite:horarium.db\" or \"memory:\"
horarium.toml:8: store.synchronous: write \"full\" or \"normal\"
horarium.toml:10: scheduling.poll_interval_seconds: is 0, it must be greater than 0
horarium.toml:11: scheduling.max_concurrent_runs: this is text, a whole number is needed
horarium.toml:12: scheduling.lease_resource: is 'Not A Name', which is not a legal name
horarium.toml:14: http.allow: '*': not a rule; write a host (\"api.example.org\", \"*.example.org\", \"api.example.org:8443\") or a network (\"10.0.0.0/8\")
",
    );
}

#[test]
fn faults_of_jobs_with_a_caret_under_the_place() {
    check(
        r#"
[commands.echo]
program = "echo"
args = ["{text", "a}"]
[[jobs]]
name = "Report"
type = "http"
timeout = "20 minutes"
data = { url = "ftp://x" }
[[jobs.triggers]]
name = "a"
schedule = "cron 0 61 * * * *"
misfire = "ignore"
[[jobs]]
name = "twice"
type = "command:missing"
[[jobs]]
name = "twice"
type = "command:echo"
retry = { backoff = "random", max_retries = 0 }
[[jobs.triggers]]
name = "b"
schedule = "cron 0 0 * * * * calendar=holidays"
[[jobs.triggers]]
name = "b"
schedule = "every 00:00:05"
[[jobs]]
name = "twice"
type = "command:echo"
"#,
        include_str!("config/jobs.txt"),
    );
}

#[test]
fn faults_of_calendars() {
    check(
        r#"
[calendars.a]
kind = "weekend"
[calendars.b]
kind = "holiday"
dates = ["2026-13-01"]
[calendars.c]
kind = "daily"
zone = "Mars/Base"
from = "22:00"
to = "06:00"
[calendars.d]
zone = "UTC"
[calendars.e]
kind = "weekly"
dayz = ["MON"]
"#,
        include_str!("config/calendars.txt"),
    );
}

#[test]
fn one_fault_of_a_job_hides_no_other() {
    let text = "[[jobs]]\nname = \"Bad Name\"\ntype = \"http\"\ndata = { url = \"ftp://x\" }\ntimeout = \"soon\"\n";
    let error = read(text, &[]).expect_err("a broken job").to_string();
    for key in ["jobs[0].name", "jobs[0].data", "jobs[0].timeout"] {
        assert!(error.contains(key), "{key} in\n{error}");
    }
}

#[test]
fn text_that_is_not_toml() {
    let error = read("[server]\nlisten = 1 2\nmetrics = \n", &[]).expect_err("not TOML");
    assert!(error.problems.len() >= 2, "all at once: {error}");
    assert!(
        error.to_string().starts_with("horarium.toml:2: not TOML: "),
        "{error}"
    );
}

#[test]
fn every_key_can_be_a_variable() {
    let text = "[server]\nlisten = \"127.0.0.1:1\"\n[[jobs]]\nname = \"a\"\ntype = \"http\"\ndata = { url = \"http://x/\" }\n";
    let config = read(
        text,
        &[
            ("HORARIUM_SERVER__LISTEN", "127.0.0.1:2"),
            ("HORARIUM_SERVER__SHUTDOWN_GRACE_SECONDS", "5"),
            ("HORARIUM_STORE__URL", "memory:"),
            ("HORARIUM_SCHEDULING__MAX_CONCURRENT_RUNS", "7"),
            ("HORARIUM_SCHEDULING__POLL_INTERVAL_SECONDS", "0.5"),
            ("HORARIUM_SCHEDULING__NODE_ID", "17"),
            ("HORARIUM_HTTP__ALLOW", "[\"10.0.0.0/8\"]"),
            ("HORARIUM_JOBS__0__TIMEOUT", "5m"),
            ("HORARIUM_JOBS__0__ALLOW_CONCURRENT", "true"),
            ("HORARIUM_CALENDARS__WE__KIND", "weekly"),
            // as a cluster sets them: not keys
            ("HORARIUM_PORT", "tcp://10.0.0.1:80"),
            ("HORARIUM_SERVICE_HOST", "10.0.0.1"),
        ],
    );
    let config = config.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(config.server.listen.port(), 2);
    assert_eq!(config.server.shutdown_grace.as_secs(), 5);
    assert_eq!(config.store.url, StoreUrl::Memory);
    assert_eq!(config.scheduling.max_concurrent_runs, 7);
    assert_eq!(config.scheduling.poll_interval_seconds, 0.5);
    assert_eq!(config.scheduling.node_id.as_deref(), Some("17"));
    assert_eq!(config.http_allow.len(), 1);
    assert_eq!(config.jobs[0].timeout.map(|t| t.num_minutes()), Some(5));
    assert!(config.jobs[0].allow_concurrent);
    assert_eq!(config.calendars.0.len(), 1);
}

#[test]
fn faults_of_variables_name_the_variable_and_keep_its_text() {
    let error = read(
        "",
        &[
            ("HORARIUM_SERVER__LISTEN", "secret"),
            ("HORARIUM_SERVER__PORT", "1"),
            ("HORARIUM_SCHEDULING__MAX_CONCURRENT_RUNS", "secret"),
            ("HORARIUM_STORE__URL", "mysql://u:secret@h/d"),
        ],
    );
    let text = error.expect_err("faults").to_string();
    for line in [
        "HORARIUM_SERVER__PORT: server.port: unknown key; known here:",
        "HORARIUM_SERVER__LISTEN: server.listen: ",
        "HORARIUM_SCHEDULING__MAX_CONCURRENT_RUNS: scheduling.max_concurrent_runs: the variable's text is not a whole number",
        "HORARIUM_STORE__URL: store.url: unknown kind of store",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert!(!text.contains("secret"), "{text}");
}

#[test]
fn the_examples_are_good() {
    for file in ["examples/horarium.toml", "end2end/horarium.test.toml"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
        Config::load(Some(&path), &Environment::default()).unwrap_or_else(|e| panic!("{e}"));
    }
}
