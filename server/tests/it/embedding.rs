//! The way to embed: jobs in Rust, the console merged into a host program.

use axum::{
    Router,
    body::Body,
    http::{Request, StatusCode},
    routing::get,
};
use horarium::{Horarium, Outcome, StartError, job_fn};
use horarium_core::state::{JobOrigin, RunStatus};
use tower::ServiceExt as _;

use crate::workbench::{Workbench, name};

fn answer() -> std::sync::Arc<dyn horarium::Job> {
    job_fn(|run| async move {
        run.log.line("info", "working");
        Outcome::Succeeded(Some("42".to_owned()))
    })
}

#[tokio::test]
async fn jobs_in_rust_are_code_jobs_with_a_trigger() {
    let bench = Workbench::with("", |builder| {
        builder
            .job("answer", "every 00:00:10", answer())
            .job("by.hand", "manual", answer())
    })
    .await;
    let run = bench.run("answer", serde_json::json!({})).await;
    assert_eq!(
        (run.status, run.result.as_deref()),
        (RunStatus::Succeeded, Some("42"))
    );
    assert_eq!(bench.log(&run).await, ["info: working"]);
    let status = bench
        .scheduler()
        .job(&name("answer"))
        .await
        .expect("a store")
        .expect("a job");
    assert_eq!(status.job.origin, JobOrigin::Code);
    assert_eq!(status.job.triggers[0].definition.name.as_str(), "default");
    let manual = bench
        .scheduler()
        .job(&name("by.hand"))
        .await
        .expect("a store")
        .expect("a job");
    assert!(manual.job.triggers.is_empty());
}

#[tokio::test]
async fn faults_of_the_registration_come_together() {
    let built = Horarium::builder()
        .store("redis:")
        .job("Bad Name", "every 00:00:10", answer())
        .job("good", "cron 0 61 * * * *", answer())
        .job("twice", "manual", answer())
        .job("twice", "manual", answer())
        .build()
        .await;
    let Err(StartError::Registration(problems)) = built else {
        panic!("it was built");
    };
    assert_eq!(problems.len(), 4, "{problems:#?}");
    assert!(problems[2].starts_with("job 'good': 61 is outside of the minute field"));
}

#[tokio::test]
async fn the_console_lives_beside_the_hosts_own_routes() {
    let bench = Workbench::with("", |builder| builder.without_sign_in()).await;
    let routes = Router::new()
        .route("/hello", get(|| async { "hello" }))
        .merge(bench.horarium.router());
    for (path, status) in [
        ("/hello", StatusCode::OK),
        ("/jobs", StatusCode::OK),
        ("/no", StatusCode::NOT_FOUND),
    ] {
        let request = Request::builder()
            .uri(path)
            .header("host", "localhost")
            .header("accept", "text/html");
        let request = request.body(Body::empty()).expect("a request");
        let answer = routes.clone().oneshot(request).await.expect("an answer");
        assert_eq!(answer.status(), status, "{path}");
        // the host's own routes stay the host's
        let policy = answer.headers().contains_key("content-security-policy");
        assert_eq!(policy, path != "/hello", "{path}");
    }
}
