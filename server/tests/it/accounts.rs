//! Set-up, sign-in, sessions (T9, T10, T17).

use axum::http::StatusCode;
use chrono::TimeDelta;
use horarium_core::state::Role;

use crate::{
    browser::{Browser, PASSWORD},
    workbench::Workbench,
};

async fn setup_token(bench: &Workbench) -> String {
    let path = bench.horarium.setup_path().await.expect("a store");
    let path = path.expect("a link");
    path.strip_prefix("/setup?token=")
        .expect("a token")
        .to_owned()
}

fn setup_form<'a>(token: &'a str, password: &'a str, again: &'a str) -> [(&'a str, &'a str); 4] {
    [
        ("token", token),
        ("name", "Ada"),
        ("password", password),
        ("password_again", again),
    ]
}

#[tokio::test]
async fn t17_the_link_makes_the_first_administrator_once() {
    let bench = Workbench::new("").await;
    let token = setup_token(&bench).await;
    let mut browser = Browser::new(&bench);
    let made = browser
        .post("/setup", &setup_form(&token, PASSWORD, PASSWORD))
        .await;
    assert_eq!((made.status, made.location()), (StatusCode::SEE_OTHER, "/"));
    browser.keep_session(&made);
    assert_eq!(browser.get("/").await.status, StatusCode::OK);
    let again = Browser::new(&bench)
        .post("/setup", &setup_form(&token, PASSWORD, PASSWORD))
        .await;
    assert!(
        again.location().contains("error=setup_done"),
        "{}",
        again.location()
    );
    assert_eq!(bench.horarium.setup_path().await.expect("a store"), None);
    let form = [("name", "ADA "), ("password", PASSWORD)];
    let signed_in = Browser::new(&bench).post("/sign-in", &form).await;
    assert_eq!(
        signed_in.location(),
        "/",
        "a name is one account in any case"
    );
}

#[tokio::test]
async fn t17_a_link_ends_after_fifteen_minutes_and_with_the_next_one() {
    let bench = Workbench::new("").await;
    let browser = Browser::new(&bench);
    let old = setup_token(&bench).await;
    let new = setup_token(&bench).await;
    let code = |location: &str| location.split("error=").nth(1).unwrap_or("").to_owned();
    for token in [old.as_str(), "", "guess"] {
        let answer = browser
            .post("/setup", &setup_form(token, PASSWORD, PASSWORD))
            .await;
        assert_eq!(code(answer.location()), "setup_expired&name=Ada", "{token}");
    }
    for (password, again, expected) in [
        ("short", "short", "weak_password"),
        ("another password", "yet another one", "mismatch"),
    ] {
        let answer = browser
            .post("/setup", &setup_form(&new, password, again))
            .await;
        assert_eq!(code(answer.location()), format!("{expected}&name=Ada"));
    }
    bench.clock.advance(TimeDelta::minutes(15));
    let late = browser
        .post("/setup", &setup_form(&new, PASSWORD, PASSWORD))
        .await;
    assert_eq!(code(late.location()), "setup_expired&name=Ada");
}

#[tokio::test]
async fn t17_two_at_once_make_one_administrator() {
    let bench = Workbench::new("").await;
    let token = setup_token(&bench).await;
    let (a, b) = (Browser::new(&bench), Browser::new(&bench));
    let form = setup_form(&token, PASSWORD, PASSWORD);
    let (a, b) = tokio::join!(a.post("/setup", &form), b.post("/setup", &form));
    let made = [a, b]
        .iter()
        .filter(|answer| answer.location() == "/")
        .count();
    assert_eq!(made, 1);
}

#[tokio::test]
async fn t9_signing_in_gives_a_new_id_and_ends_the_old_one() {
    let bench = Workbench::new("").await;
    let old = Browser::signed_in(&bench, "ada", Role::Admin).await;
    let mut browser = old.clone();
    let form = [("name", "ada"), ("password", PASSWORD)];
    let answer = browser.post("/sign-in", &form).await;
    let cookie = answer.header("set-cookie").to_owned();
    browser.keep_session(&answer);
    assert_ne!(browser.cookie, old.cookie);
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"),
        "{cookie}"
    );
    assert_eq!(browser.get("/").await.status, StatusCode::OK);
    assert_eq!(
        old.get("/").await.status,
        StatusCode::SEE_OTHER,
        "fixed ids are worthless"
    );
}

#[tokio::test]
async fn t9_a_session_ends_when_idle_and_at_the_latest_after_twelve_hours() {
    let bench = Workbench::new("").await;
    let browser = Browser::signed_in(&bench, "ada", Role::Viewer).await;
    for _ in 0..24 {
        bench.clock.advance(TimeDelta::minutes(29));
        assert_eq!(browser.get("/").await.status, StatusCode::OK);
    }
    // 11 h 36 min old, in use all the time
    bench.clock.advance(TimeDelta::minutes(24));
    assert_eq!(
        browser.get("/").await.status,
        StatusCode::SEE_OTHER,
        "absolute limit"
    );
}

#[tokio::test]
async fn t9_signing_out_ends_the_session_on_the_server() {
    let bench = Workbench::new("").await;
    let browser = Browser::signed_in(&bench, "ada", Role::Admin).await;
    let answer = browser.post("/sign-out", &[]).await;
    assert_eq!(answer.location(), "/sign-in");
    assert!(answer.header("set-cookie").contains("Max-Age=0"));
    assert_eq!(
        browser.get("/").await.status,
        StatusCode::SEE_OTHER,
        "replayed cookie"
    );
}

#[tokio::test]
async fn t10_a_thousand_guesses_are_looked_at_a_handful_of_times() {
    let bench = Workbench::new("").await;
    let _known = Browser::signed_in(&bench, "ada", Role::Admin).await;
    for name in ["ada", "nobody"] {
        let browser = Browser::new(&bench);
        let mut codes = Vec::new();
        for guess in 0..1000 {
            let guess = format!("guess number {guess}");
            let answer = browser
                .post("/sign-in", &[("name", name), ("password", &guess)])
                .await;
            let code = answer
                .location()
                .split("error=")
                .nth(1)
                .unwrap_or("")
                .to_owned();
            codes.push(code.split('&').next().unwrap_or_default().to_owned());
        }
        let looked_at = codes
            .iter()
            .filter(|code| *code == "bad_credentials")
            .count();
        let locked = codes.iter().filter(|code| *code == "locked").count();
        // the same for a name that does not exist
        assert_eq!((looked_at, locked), (5, 995), "{name}");
    }
    let right = [("name", "ada"), ("password", PASSWORD)];
    let locked = Browser::new(&bench).post("/sign-in", &right).await;
    assert!(
        locked.location().contains("error=locked"),
        "not even the right one now"
    );
    bench.clock.advance(TimeDelta::minutes(15));
    let open = Browser::new(&bench).post("/sign-in", &right).await;
    assert_eq!(open.location(), "/", "and again after a while");
}

#[tokio::test]
async fn t10_many_guesses_at_once_are_not_all_free() {
    let bench = Workbench::new("").await;
    let _known = Browser::signed_in(&bench, "ada", Role::Admin).await;
    let browser = Browser::new(&bench);
    let guess = [("name", "ada"), ("password", "wrong")];
    let guesses = (0..50).map(|_| browser.post("/sign-in", &guess));
    let answers = futures::future::join_all(guesses).await;
    let looked_at = answers
        .iter()
        .filter(|answer| answer.location().contains("bad_credentials"))
        .count();
    assert!(looked_at <= 5, "{looked_at}");
}

#[tokio::test]
async fn preferences_are_cookies_with_checked_words() {
    let bench = Workbench::new("").await;
    let browser = Browser::signed_in(&bench, "ada", Role::Viewer).await;
    let form = [
        ("theme", "dark"),
        ("zone", "Europe/Zurich"),
        ("back", "/jobs"),
    ];
    let answer = browser.post("/preferences", &form).await;
    assert_eq!(answer.location(), "/jobs");
    let cookies: Vec<_> = answer.headers.get_all("set-cookie").iter().collect();
    assert_eq!(cookies.len(), 2);
    for bad in [("theme", "red; x=y"), ("zone", "a;b"), ("zone", "a\r\nb")] {
        let answer = browser.post("/preferences", &[bad]).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{bad:?}");
    }
    let away = [("theme", "dark"), ("back", "//evil.example")];
    assert_eq!(browser.post("/preferences", &away).await.location(), "/");
}
