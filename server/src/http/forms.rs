//! The plain forms: sign-in, set-up, sign-out, preferences. They work without script and answer with a redirect.

use std::sync::atomic::Ordering;

use axum::{
    Form,
    extract::State,
    http::{Extensions, HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use serde::Deserialize;

use super::{AppState, answer, auth, cookies, paths};
use crate::accounts::{AccountError, Secret};

/// What `/sign-in` sends.
#[derive(Deserialize)]
pub struct SignIn {
    name: String,
    password: String,
    #[serde(default)]
    next: String,
}

/// `POST /sign-in`.
pub async fn sign_in(
    State(state): State<AppState>,
    headers: HeaderMap,
    extensions: Extensions,
    Form(form): Form<SignIn>,
) -> Response {
    let next = paths::local(&form.next);
    let address = auth::address(&extensions);
    let opened = state
        .accounts
        .sign_in(&form.name, &form.password, &address)
        .await;
    match opened {
        Ok(session) => {
            // whatever id the browser had before is worth nothing from now on
            if let Some(old) = cookies::session(&headers) {
                forget(&state, &old).await;
            }
            enter(&session, next)
        }
        Err(error) => {
            let code = code_of(&error);
            let mut query = vec![("error", code.as_str()), ("name", short(&form.name))];
            if next != "/" {
                query.push(("next", next));
            }
            Redirect::to(&paths::with_query("/sign-in", &query)).into_response()
        }
    }
}

/// What `/setup` sends.
#[derive(Deserialize)]
pub struct SetUp {
    token: String,
    name: String,
    password: String,
    password_again: String,
}

/// `POST /setup`: makes the first administrator and signs them in.
pub async fn set_up(
    State(state): State<AppState>,
    extensions: Extensions,
    Form(form): Form<SetUp>,
) -> Response {
    let address = auth::address(&extensions);
    let passwords = [form.password.as_str(), form.password_again.as_str()];
    let made = state
        .accounts
        .set_up(&form.token, &form.name, passwords, &address)
        .await;
    match made {
        Ok(session) => {
            state.has_users.store(true, Ordering::Relaxed);
            enter(&session, "/")
        }
        Err(error) => {
            let code = code_of(&error);
            let query = [
                ("token", short(&form.token)),
                ("error", code.as_str()),
                ("name", short(&form.name)),
            ];
            Redirect::to(&paths::with_query("/setup", &query)).into_response()
        }
    }
}

/// `POST /sign-out`.
pub async fn sign_out(State(state): State<AppState>, headers: HeaderMap) -> Response {
    if let Some(id) = cookies::session(&headers) {
        forget(&state, &id).await;
    }
    let cookie = [(header::SET_COOKIE, cookies::clear_session())];
    (cookie, Redirect::to("/sign-in")).into_response()
}

/// What `/preferences` sends; what is left out stays.
#[derive(Deserialize)]
pub struct Preferences {
    theme: Option<String>,
    zone: Option<String>,
    #[serde(default)]
    back: String,
}

/// `POST /preferences`.
pub async fn preferences(Form(form): Form<Preferences>) -> Response {
    let mut cookies: Vec<HeaderValue> = Vec::new();
    if let Some(theme) = form.theme.as_deref() {
        if !matches!(theme, "light" | "dark" | "system") {
            return answer::code(StatusCode::BAD_REQUEST, "bad_theme");
        }
        cookies.push(cookies::set_preference("horarium_theme", theme));
    }
    if let Some(zone) = form.zone.as_deref() {
        if !is_zone(zone) {
            return answer::code(StatusCode::BAD_REQUEST, "bad_zone");
        }
        cookies.push(cookies::set_preference("horarium_zone", zone));
    }
    let mut response = Redirect::to(paths::local(&form.back)).into_response();
    for cookie in cookies {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// A zone's id as it stands in the zone data, and therefore legal in a cookie; empty means UTC.
fn is_zone(zone: &str) -> bool {
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '_' | '-' | '+');
    zone.len() <= 64 && zone.chars().all(legal)
}

fn enter(session: &Secret, to: &str) -> Response {
    let cookie = [(header::SET_COOKIE, cookies::set_session(session.reveal()))];
    (cookie, Redirect::to(to)).into_response()
}

async fn forget(state: &AppState, id: &str) {
    if let Err(error) = state.accounts.sign_out(id).await {
        tracing::error!(%error, "a session could not be deleted");
    }
}

fn code_of(error: &AccountError) -> String {
    if let AccountError::Store(cause) = error {
        tracing::error!(error = %cause, "the store failed during a sign-in");
    }
    error.to_string()
}

/// Enough of what was typed to show it again.
fn short(text: &str) -> &str {
    let end = text.char_indices().nth(64).map_or(text.len(), |(at, _)| at);
    &text[..end]
}
