//! What every answer carries (T4, T11).

use axum::http::{Method, StatusCode};
use horarium_core::state::Role;

use crate::{
    browser::{Answer, Browser},
    workbench::Workbench,
};

const FIXED: [(&str, &str); 5] = [
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

fn nonce(answer: &Answer) -> String {
    let policy = answer.header("content-security-policy");
    let from = policy.split("'nonce-").nth(1).expect("a nonce");
    from.split('\'').next().expect("its end").to_owned()
}

#[tokio::test]
async fn t11_every_answer_carries_the_same_locks() {
    let bench = Workbench::new("").await;
    let browser = Browser::signed_in(&bench, "ada", Role::Admin).await;
    let stranger = Browser::new(&bench);
    let answers = [
        browser.get("/").await,
        browser.get("/sign-in").await,
        browser.get("/nothing/here").await,
        browser.call(Method::GET, "/nothing/here").await,
        browser.call(Method::DELETE, "/jobs").await,
        stranger.get("/jobs").await,
        stranger.get("/healthz").await,
        stranger.get("/readyz").await,
        stranger.get("/metrics").await,
        stranger.get("/pkg/missing.js").await,
        stranger.call(Method::POST, "/sign-out").await,
        stranger.post("/sign-in", &[]).await,
    ];
    for (at, answer) in answers.iter().enumerate() {
        for (name, value) in FIXED {
            assert_eq!(answer.header(name), value, "answer {at}");
        }
        let policy = answer.header("content-security-policy");
        for part in [
            "default-src 'none'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "style-src 'self';",
        ] {
            assert!(policy.contains(part), "answer {at}: {policy}");
        }
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"));
        assert_eq!(answer.header("cache-control"), "no-store", "answer {at}");
        assert_eq!(answer.header("x-request-id").len(), 36, "answer {at}");
    }
    assert_eq!(answers[2].status, StatusCode::NOT_FOUND);
    assert_eq!(answers[3].text, r#"{"code":"not_found"}"#);
    let mut nonces: Vec<String> = answers.iter().map(nonce).collect();
    nonces.sort();
    nonces.dedup();
    assert_eq!(nonces.len(), answers.len(), "no nonce is used twice");
}

#[tokio::test]
async fn t4_inline_scripts_carry_the_nonce_of_the_header() {
    let bench = Workbench::new("").await;
    let browser = Browser::signed_in(&bench, "ada", Role::Admin).await;
    for path in ["/", "/sign-in", "/setup"] {
        let answer = browser.get(path).await;
        let expected = format!("nonce=\"{}\"", nonce(&answer));
        let scripts: Vec<&str> = answer.text.split("<script").skip(1).collect();
        assert!(!scripts.is_empty(), "{path}");
        for script in scripts {
            let tag = script.split('>').next().expect("a tag");
            assert!(
                tag.contains(&expected) || tag.contains("src="),
                "{path}: {tag}"
            );
        }
        assert!(!answer.text.contains(" style=\""), "{path}");
        assert!(!answer.text.contains(" onclick="), "{path}");
    }
}

#[tokio::test]
async fn t12_large_bodies_are_refused() {
    let bench = Workbench::new("").await;
    let browser = Browser::new(&bench);
    let long = "x".repeat(300 * 1024);
    let answer = browser
        .post("/sign-in", &[("name", "ada"), ("password", &long)])
        .await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn files_with_a_hash_in_their_name_are_kept_for_ever() {
    let site = tempfile::tempdir().expect("a folder");
    let pkg = site.path().join("pkg");
    std::fs::create_dir(&pkg).expect("a folder");
    let name = "horarium.7aLqbUUUQ7qWLqXqKTFmJg.js";
    std::fs::write(pkg.join(name), "// script").expect("a file");
    std::fs::write(pkg.join("horarium.css"), "a{}").expect("a file");
    let config = format!("[server]\nsite_root = {:?}", site.path());
    let bench = Workbench::new(&config).await;
    let stranger = Browser::new(&bench);
    let hashed = stranger.get(&format!("/pkg/{name}")).await;
    assert_eq!(hashed.text, "// script");
    assert_eq!(
        hashed.header("content-type"),
        "text/javascript; charset=utf-8"
    );
    assert_eq!(
        hashed.header("cache-control"),
        "public, max-age=31536000, immutable"
    );
    let plain = stranger.get("/pkg/horarium.css").await;
    assert_eq!(plain.header("cache-control"), "no-cache");
    for path in [
        "/pkg/%2e%2e/Cargo.toml",
        "/pkg/..%2fx",
        "/pkg/.hidden",
        "/pkg/",
    ] {
        assert_eq!(
            stranger.get(path).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
}
