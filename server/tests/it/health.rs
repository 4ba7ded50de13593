//! `/healthz`, `/readyz`, `/metrics`.

use std::net::SocketAddr;

use axum::{
    body::Body,
    extract::ConnectInfo,
    http::{Method, StatusCode},
};

use crate::{browser::Browser, workbench::Workbench};

const JOBS: &str = r#"
    [commands.echo]
    program = "echo"
    [[jobs]]
    name = "probe"
    type = "command:echo"
"#;

#[tokio::test]
async fn readiness_names_the_part_that_fails() {
    let bench = Workbench::new("").await;
    let browser = Browser::new(&bench);
    assert_eq!(browser.get("/healthz").await.text, "ok\n");
    let ready = browser.get("/readyz").await;
    assert_eq!(ready.status, StatusCode::OK, "{}", ready.text);
    bench.clock.advance(chrono::TimeDelta::minutes(5));
    let silent = browser.get("/readyz").await;
    assert_eq!(silent.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(
        silent.text.contains(r#""store":true,"engine":false"#),
        "{}",
        silent.text
    );
    bench.horarium.engine().cycle().await;
    assert_eq!(browser.get("/readyz").await.status, StatusCode::OK);
}

#[tokio::test]
async fn s249_a_stopping_process_is_alive_and_not_ready() {
    let bench = Workbench::new("").await;
    let browser = Browser::new(&bench);
    bench.horarium.stop().await;
    let answer = browser.get("/readyz").await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(
        answer.text.contains(r#""draining":true"#),
        "{}",
        answer.text
    );
    assert_eq!(browser.get("/healthz").await.status, StatusCode::OK);
}

#[tokio::test]
async fn metrics_count_runs_by_job_and_status() {
    let bench = Workbench::new(JOBS).await;
    bench.run("probe", serde_json::json!({})).await;
    let text = Browser::new(&bench).get("/metrics").await.text;
    for line in [
        r#"horarium_runs_total{job="probe",status="succeeded"} 1"#,
        r#"horarium_run_duration_seconds_count{job="probe"} 1"#,
        r#"horarium_run_lateness_seconds_count{job="probe"} 1"#,
        "horarium_running 0",
        "horarium_fenced_writes_total 0",
        "horarium_cycle_seconds_count",
        "horarium_build_info{version=",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

#[tokio::test]
async fn metrics_are_for_this_machine_only() {
    let bench = Workbench::new("").await;
    let browser = Browser::new(&bench);
    assert_eq!(browser.get("/metrics").await.status, StatusCode::OK);
    let request = || {
        let request = browser.request(Method::GET, "/metrics").body(Body::empty());
        request.expect("a request")
    };
    let mut passed_on = request();
    let address = "203.0.113.9".parse().expect("a header");
    passed_on.headers_mut().insert("x-forwarded-for", address);
    let mut renamed = request();
    let host = "horarium.example.org".parse().expect("a header");
    renamed.headers_mut().insert("host", host);
    let mut distant = request();
    let peer = ConnectInfo(SocketAddr::from(([203, 0, 113, 9], 80)));
    distant.extensions_mut().insert(peer);
    for request in [passed_on, renamed, distant] {
        assert_eq!(
            browser.send(Ok(request)).await.status,
            StatusCode::FORBIDDEN
        );
    }
    let off = Workbench::new("[server]\nmetrics = \"off\"").await;
    let answer = Browser::new(&off).get("/metrics").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
}
