//! Nothing without a session, and nothing beyond one's role (T1, T2, T3).

use axum::{
    body::Body,
    http::{Method, StatusCode, header},
};
use horarium_app::App;
use horarium_core::{
    query::{JobQuery, RunQuery},
    state::Role,
};
use leptos::server_fn::axum::server_fn_paths;

use crate::{
    browser::{Browser, HOST},
    workbench::Workbench,
};

const JOBS: &str = r#"
    [commands.echo]
    program = "echo"
    args = ["hello"]
    [[jobs]]
    name = "probe"
    type = "command:echo"
    [[jobs.triggers]]
    name = "hours"
    schedule = "cron 0 0 * * * *"
"#;

/// Every page with a value for each part of its address.
fn pages() -> Vec<String> {
    leptos_axum::generate_route_list(App)
        .iter()
        .map(|route| {
            let parts = route.path().split('/');
            let filled = parts.map(|part| {
                if part.starts_with(['{', ':']) {
                    "probe"
                } else {
                    part
                }
            });
            let path = filled.collect::<Vec<_>>().join("/");
            if path.is_empty() {
                "/".to_owned()
            } else {
                path
            }
        })
        .collect()
}

/// Every function of the server that the browser may call.
fn functions() -> Vec<(String, Method)> {
    // the first router registers them
    server_fn_paths()
        .map(|(path, method)| (path.to_owned(), method))
        .collect()
}

fn is_open(path: &str) -> bool {
    matches!(path, "/sign-in" | "/setup")
}

async fn assert_shut(browser: &Browser, who: &str) {
    for path in pages() {
        let answer = browser.get(&path).await;
        if is_open(&path) {
            assert_eq!(answer.status, StatusCode::OK, "{who} {path}");
        } else {
            assert_eq!(answer.status, StatusCode::SEE_OTHER, "{who} {path}");
            assert!(answer.location().starts_with("/sign-in"), "{who} {path}");
        }
    }
    for (path, method) in functions() {
        let answer = browser.call(method, &path).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{who} {path}");
        assert_eq!(answer.text, r#"{"code":"SIGNED_OUT"}"#, "{who} {path}");
    }
    for path in ["/sign-out", "/preferences", "/anything", "/api/v1/jobs"] {
        let answer = browser.call(Method::POST, path).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{who} {path}");
    }
}

#[tokio::test]
async fn t1_every_page_and_function_is_shut_for_strangers() {
    let bench = Workbench::new(JOBS).await;
    let stranger = Browser::new(&bench);
    assert!(pages().len() >= 4 && !functions().is_empty());
    assert_shut(&stranger, "stranger").await;
    let mut forger = Browser::new(&bench);
    forger.cookie = Some(format!("horarium_session={}", "a".repeat(64)));
    assert_shut(&forger, "forger").await;
}

#[tokio::test]
async fn t1_an_expired_session_opens_nothing() {
    let bench = Workbench::new(JOBS).await;
    let browser = Browser::signed_in(&bench, "ada", Role::Admin).await;
    assert_eq!(browser.get("/").await.status, StatusCode::OK);
    bench.clock.advance(chrono::TimeDelta::minutes(30));
    assert_shut(&browser, "expired").await;
}

#[tokio::test]
async fn t1_what_is_public_answers_strangers() {
    let bench = Workbench::new(JOBS).await;
    let stranger = Browser::new(&bench);
    for path in ["/healthz", "/sign-in", "/setup"] {
        assert_eq!(stranger.get(path).await.status, StatusCode::OK, "{path}");
    }
    // not there in this test, but asked for without a redirect to the sign-in
    for path in ["/pkg/horarium.js", "/pkg/../horarium.db", "/favicon.svg"] {
        assert_eq!(
            stranger.get(path).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
}

#[tokio::test]
async fn t1_after_signing_in_one_comes_back_to_this_site_only() {
    let bench = Workbench::new(JOBS).await;
    let stranger = Browser::new(&bench);
    let answer = stranger.get("/jobs?q=a&sort=name").await;
    assert_eq!(
        answer.location(),
        "/sign-in?next=/jobs%3Fq%3Da%26sort%3Dname"
    );
    let made = bench
        .horarium
        .accounts()
        .create_user("ada", crate::browser::PASSWORD, Role::Admin);
    made.await.expect("a user");
    for (next, to) in [
        ("/jobs?q=a", "/jobs?q=a"),
        ("//evil.example", "/"),
        ("https://evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("/a\r\nX-Y: z", "/"),
    ] {
        let form = [
            ("name", "ada"),
            ("password", crate::browser::PASSWORD),
            ("next", next),
        ];
        assert_eq!(
            stranger.post("/sign-in", &form).await.location(),
            to,
            "{next:?}"
        );
    }
}

#[tokio::test]
async fn t2_a_viewer_reads_everything_and_changes_nothing() {
    let bench = Workbench::new(JOBS).await;
    let viewer = Browser::signed_in(&bench, "vera", Role::Viewer).await;
    for path in pages() {
        assert_ne!(
            viewer.get(&path).await.status,
            StatusCode::SEE_OTHER,
            "{path}"
        );
    }
    let before = everything(&bench).await;
    let form = [
        ("name", "probe"),
        ("job", "probe"),
        ("trigger", "hours"),
        ("id", "01998877-6655-8443-8221-100000000000"),
        ("reason", "because"),
        ("until", ""),
        ("zone", "UTC"),
        ("data", "{}"),
        ("schedule", "cron 0 0 1 * * *"),
    ];
    let changing = functions()
        .into_iter()
        .filter(|(_, method)| *method == Method::POST);
    let mut count = 0;
    for (path, _) in changing {
        viewer.post(&path, &form).await;
        assert_eq!(everything(&bench).await, before, "{path}");
        count += 1;
    }
    assert!(count > 0, "there are functions that change something");
}

async fn everything(bench: &Workbench) -> String {
    let jobs = JobQuery {
        limit: 100,
        ..JobQuery::default()
    };
    let jobs = bench.scheduler().jobs(&jobs).await.expect("jobs");
    let jobs: Vec<_> = jobs.jobs.into_iter().map(|status| status.job).collect();
    let runs = bench
        .scheduler()
        .runs(&RunQuery::default())
        .await
        .expect("runs");
    format!("{jobs:?} {:?}", runs.runs)
}

#[tokio::test]
async fn t3_changes_must_come_from_this_site() {
    let bench = Workbench::new(JOBS).await;
    let admin = Browser::signed_in(&bench, "ada", Role::Admin).await;
    let mut paths: Vec<String> = ["/sign-in", "/setup", "/sign-out", "/preferences"]
        .map(str::to_owned)
        .into();
    paths.extend(
        functions()
            .into_iter()
            .filter(|(_, method)| *method == Method::POST)
            .map(|(path, _)| path),
    );
    for path in &paths {
        for (origin, site) in [
            ("https://evil.example", None),
            ("null", None),
            ("http://127.0.0.1:9999", None),
            ("http://127.0.0.1:8787", Some("cross-site")),
            ("http://127.0.0.1:8787", Some("same-site")),
        ] {
            let mut request = admin
                .request(Method::POST, path)
                .body(Body::empty())
                .expect("a request");
            let headers = request.headers_mut();
            headers.insert(header::ORIGIN, origin.parse().expect("a header"));
            if let Some(site) = site {
                headers.insert("sec-fetch-site", site.parse().expect("a header"));
            }
            let answer = admin.send(Ok(request)).await;
            assert_eq!(
                answer.status,
                StatusCode::FORBIDDEN,
                "{path} {origin} {site:?}"
            );
        }
    }
    assert_eq!(
        admin.get("/").await.status,
        StatusCode::OK,
        "still signed in"
    );
}

#[tokio::test]
async fn without_sign_in_only_this_machines_names_are_served() {
    let bench = Workbench::with(JOBS, |builder| builder.without_sign_in()).await;
    let browser = Browser::new(&bench);
    assert_eq!(browser.get("/jobs").await.status, StatusCode::OK);
    let mut request = browser
        .request(Method::GET, "/jobs")
        .body(Body::empty())
        .expect("a request");
    assert_eq!(request.headers()[header::HOST], HOST);
    let foreign = "rebound.evil.example:8787".parse().expect("a header");
    request.headers_mut().insert(header::HOST, foreign);
    assert_eq!(
        browser.send(Ok(request)).await.status,
        StatusCode::FORBIDDEN
    );
}
