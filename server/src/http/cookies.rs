//! The cookies: the session, and two preferences that are nobody's secret.

use axum::http::{HeaderMap, HeaderValue, header};

/// The session's cookie. Signing in works on plain HTTP only from this machine, so it is not marked as secure.
const SESSION: &str = "horarium_session";
/// How long a preference is kept: a year.
const YEAR: u32 = 31_536_000;

/// The session id that the browser sent.
pub fn session(headers: &HeaderMap) -> Option<String> {
    read(headers, SESSION)
}

/// The value of a cookie; the first one, when there are several.
fn read(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value.to_owned())
}

/// Sets the session.
pub fn set_session(id: &str) -> HeaderValue {
    value(format!("{SESSION}={id}; Path=/; HttpOnly; SameSite=Lax"))
}

/// Removes the session.
pub fn clear_session() -> HeaderValue {
    value(format!(
        "{SESSION}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"
    ))
}

/// Sets a preference.
pub fn set_preference(name: &str, text: &str) -> HeaderValue {
    value(format!(
        "{name}={text}; Path=/; SameSite=Lax; Max-Age={YEAR}"
    ))
}

fn value(text: String) -> HeaderValue {
    // callers pass hexadecimal digits or checked words only
    HeaderValue::from_str(&text).expect("a legal header")
}
