//! The console's files.

use std::borrow::Cow;

use axum::{
    body::Body,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::{AppState, answer};

/// `GET /pkg/*`.
pub async fn pkg(
    State(state): State<AppState>,
    Path(path): Path<String>,
    headers: HeaderMap,
) -> Response {
    file(&state, &format!("pkg/{path}"), &headers).await
}

/// `GET /favicon.svg`.
pub async fn favicon(State(state): State<AppState>, headers: HeaderMap) -> Response {
    file(&state, "favicon.svg", &headers).await
}

async fn file(state: &AppState, path: &str, asked: &HeaderMap) -> Response {
    let accepted = asked
        .get(header::ACCEPT_ENCODING)
        .and_then(|v| v.to_str().ok())
        .unwrap_or_default();
    let Some(file) = state
        .site
        .file(path, |encoding| accepts(accepted, encoding))
        .await
    else {
        return answer::code(StatusCode::NOT_FOUND, "not_found");
    };
    let cache = if file.hashed {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let headers = [
        (header::CONTENT_TYPE, file.content_type),
        (header::CACHE_CONTROL, cache),
        (header::VARY, "accept-encoding"),
    ];
    let encoding = file
        .encoding
        .map(|encoding| [(header::CONTENT_ENCODING, encoding)]);
    let body = match file.bytes {
        Cow::Borrowed(bytes) => Body::from(bytes),
        Cow::Owned(bytes) => Body::from(bytes),
    };
    (headers, encoding, body).into_response()
}

/// Whether a header like `gzip, br;q=0.8` takes an encoding.
fn accepts(header: &str, encoding: &str) -> bool {
    header.split(',').any(|item| {
        let (name, weight) = item.split_once(';').unwrap_or((item, ""));
        let refused = weight
            .trim()
            .strip_prefix("q=")
            .is_some_and(|q| q.trim().parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case(encoding) && !refused
    })
}

#[cfg(test)]
mod tests {
    use super::accepts;

    #[test]
    fn an_encoding_is_used_only_when_it_is_taken() {
        for (header, taken) in [
            ("gzip, deflate, br, zstd", true),
            ("BR;q=0.5", true),
            ("gzip, br;q=0", false),
            ("gzip;q=1.0, br;q=0.000", false),
            ("brotli", false),
            ("", false),
        ] {
            assert_eq!(accepts(header, "br"), taken, "{header:?}");
        }
    }
}
