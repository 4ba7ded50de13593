//! The job type `http` before servers on this machine (T5).

use std::net::SocketAddr;

use axum::{Router, extract::Request, http::StatusCode, response::Redirect, routing::any};
use horarium::JobDefinition;
use horarium_core::{record::RunRecord, state::RunStatus};
use serde_json::json;
use tokio::{net::TcpListener, sync::mpsc};

use crate::workbench::{Workbench, name, object, request, soon};

async fn serve(router: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(axum::serve(listener, router).into_future());
    address
}

/// A server that says what it was sent.
async fn echo() -> SocketAddr {
    let handler = any(|request: Request| async move {
        let (parts, body) = request.into_parts();
        let body = axum::body::to_bytes(body, 100_000).await.expect("a body");
        let header = |name: &str| {
            let value = parts.headers.get(name);
            value.map_or(String::new(), |v| v.to_str().expect("text").to_owned())
        };
        let sent = format!(
            "{} {} type={} run={} token={} extra={} body={}",
            parts.method,
            parts.uri,
            header("content-type"),
            header("horarium-run-id"),
            header("horarium-token"),
            header("x-extra"),
            String::from_utf8_lossy(&body),
        );
        if parts.uri.path() == "/teapot" {
            (StatusCode::IM_A_TEAPOT, sent)
        } else {
            (StatusCode::OK, sent)
        }
    });
    serve(Router::new().fallback(handler)).await
}

fn config(url: &str, more: &str) -> String {
    format!("[[jobs]]\nname = \"call\"\ntype = \"http\"\ndata = {{ url = \"{url}\" {more} }}\n")
}

fn message(run: &RunRecord) -> (&str, &str) {
    let error = run.error.as_ref().expect("an error");
    (error.code.as_str(), error.message.as_str())
}

#[tokio::test]
async fn a_call_carries_its_run_and_keeps_the_answer() {
    let address = echo().await;
    let more = r#", body = { a = 1 }, headers = { X-Extra = "yes" }"#;
    let bench = Workbench::new(&config(&format!("http://{address}/hook?x=1"), more)).await;
    let run = bench.run("call", json!({})).await;
    assert_eq!(run.status, RunStatus::Succeeded, "{:?}", run.error);
    let expected = format!(
        "200 OK\nPOST /hook?x=1 type=application/json run={} token={} extra=yes body={{\"a\":1}}",
        run.id, run.token
    );
    assert_eq!(run.result.as_deref(), Some(expected.as_str()));
    assert!(bench.log(&run).await[0].starts_with("info: POST http://127.0.0.1"));
}

#[tokio::test]
async fn an_unexpected_status_is_a_failure_with_the_answer() {
    let address = echo().await;
    let bench = Workbench::new(&config(&format!("http://{address}/teapot"), "")).await;
    let run = bench.run("call", json!({})).await;
    let (code, text) = message(&run);
    assert_eq!(code, "HTTP_STATUS");
    assert!(
        text.contains("418") && text.contains("GET /teapot"),
        "{text}"
    );
    let wanted = Workbench::new(&config(
        &format!("http://{address}/teapot"),
        ", expect = [200, 418]",
    ))
    .await;
    assert_eq!(
        wanted.run("call", json!({})).await.status,
        RunStatus::Succeeded
    );
}

#[tokio::test]
async fn a_closed_port_is_said_in_words() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let url = format!("http://user:secret@{address}/x?token=secret");
    let bench = Workbench::new(&config(&url, "")).await;
    let run = bench.run("call", json!({})).await;
    let (code, text) = message(&run);
    assert_eq!(code, "HTTP_CONNECT");
    assert!(
        text.contains("refused") && !text.contains("secret"),
        "{text}"
    );
}

#[tokio::test]
async fn t5_redirects_are_not_followed() {
    let target = echo().await;
    let redirect = Router::new().fallback(any(move || async move {
        Redirect::to(&format!("http://{target}/"))
    }));
    let address = serve(redirect).await;
    let bench = Workbench::new(&config(&format!("http://{address}/"), "")).await;
    let run = bench.run("call", json!({})).await;
    assert!(message(&run).1.contains("303"), "{:?}", run.error);
}

#[tokio::test]
async fn t12_a_long_answer_is_cut() {
    let long = Router::new().fallback(any(|| async { "é".repeat(200_000) }));
    let address = serve(long).await;
    let bench = Workbench::new(&config(&format!("http://{address}/"), "")).await;
    let run = bench.run("call", json!({})).await;
    let result = run.result.expect("an answer");
    assert!(result.len() < 70_000, "{}", result.len());
    assert!(result.ends_with("(the rest was not kept)"));
}

#[tokio::test]
async fn s122_cancelling_drops_the_request() {
    struct Gone(mpsc::UnboundedSender<&'static str>);
    impl Drop for Gone {
        fn drop(&mut self) {
            let _ = self.0.send("gone");
        }
    }
    let (tell, mut told) = mpsc::unbounded_channel();
    let hanging = Router::new().fallback(any(move || {
        let gone = Gone(tell.clone());
        async move {
            let _ = gone.0.send("here");
            let _gone = gone;
            std::future::pending::<()>().await;
        }
    }));
    let address = serve(hanging).await;
    let bench = Workbench::new(&config(&format!("http://{address}/"), "")).await;
    let started = bench
        .scheduler()
        .start(request("call", json!({})), "ada")
        .await;
    let id = started.expect("a run");
    assert_eq!(soon("the call", told.recv()).await, Some("here"));
    bench
        .scheduler()
        .cancel_runs(&[id], "ada")
        .await
        .remove(0)
        .expect("cancelled");
    assert_eq!(soon("the end of the call", told.recv()).await, Some("gone"));
    soon(
        "the end of the run",
        bench
            .horarium
            .engine()
            .idle_within(crate::workbench::PATIENCE),
    )
    .await;
    let run = bench
        .scheduler()
        .run(id)
        .await
        .expect("a store")
        .expect("a run")
        .run;
    assert_eq!(run.status, RunStatus::Canceled);
}

#[tokio::test]
async fn t5_jobs_made_at_run_time_go_only_where_the_rules_let_them() {
    let address = echo().await;
    let port = address.port();
    let allow = format!("[http]\nallow = [\"127.0.0.1:{port}\"]\n");
    for (rules, url, goes) in [
        (allow.as_str(), format!("http://127.0.0.1:{port}/"), true),
        // numbers in other clothes are the same address
        (allow.as_str(), format!("http://2130706433:{port}/"), true),
        (allow.as_str(), format!("http://localhost:{port}/"), true),
        ("", format!("http://127.0.0.1:{port}/"), false),
        ("", format!("http://localhost:{port}/"), false),
        ("", format!("http://0x7f.1:{port}/"), false),
        ("", format!("http://[::ffff:127.0.0.1]:{port}/"), false),
        ("", format!("http://0.0.0.0:{port}/"), false),
        (
            "[http]\nallow = [\"localhost\"]\n",
            format!("http://localhost:{port}/"),
            false,
        ),
    ] {
        let bench = Workbench::new(rules).await;
        let mut definition = JobDefinition::new(name("made"), "http");
        definition.data = object(json!({ "url": url }));
        bench.schedule(definition).await;
        let run = bench.run("made", json!({})).await;
        if goes {
            assert_eq!(run.status, RunStatus::Succeeded, "{url}: {:?}", run.error);
        } else {
            assert_eq!(message(&run).0, "HTTP_ADDRESS", "{url} {rules}");
        }
    }
}

#[tokio::test]
async fn t5_the_files_right_to_call_anywhere_is_the_addresss() {
    let address = echo().await;
    let bench = Workbench::new(&config(&format!("http://{address}/"), "")).await;
    assert_eq!(
        bench.run("call", json!({})).await.status,
        RunStatus::Succeeded
    );
    // given by hand with a run
    let elsewhere = format!("http://{address}/elsewhere");
    let by_hand = bench.run("call", json!({ "url": elsewhere })).await;
    assert_eq!(message(&by_hand).0, "HTTP_ADDRESS");
    // an override that keeps the address keeps the right, another address loses it
    let mut definition = JobDefinition::new(name("call"), "http");
    definition.data = object(json!({ "url": format!("http://{address}/"), "body": "x" }));
    bench.schedule(definition.clone()).await;
    assert_eq!(
        bench.run("call", json!({})).await.status,
        RunStatus::Succeeded
    );
    definition.data = object(json!({ "url": elsewhere }));
    bench.schedule(definition).await;
    assert_eq!(
        message(&bench.run("call", json!({})).await).0,
        "HTTP_ADDRESS"
    );
}

#[tokio::test]
async fn t5_nobody_calls_the_metadata_service() {
    for url in [
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:169.254.169.254]/",
        "http://2852039166/",
        "http://[fd00:ec2::254]/",
        "http://[fe80::1]/",
    ] {
        let bench = Workbench::new(&config(url, "")).await;
        let run = bench.run("call", json!({})).await;
        assert_eq!(message(&run).0, "HTTP_ADDRESS", "{url}");
    }
}

#[tokio::test]
async fn certificates_are_checked() {
    // a server that speaks no TLS at all: the point is that a client with rustls can be made
    let address = echo().await;
    let bench = Workbench::new(&config(&format!("https://{address}/"), "")).await;
    let run = bench.run("call", json!({})).await;
    assert_eq!(message(&run).0, "HTTP_CONNECT", "{:?}", run.error);
}
