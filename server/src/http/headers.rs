//! What every answer carries (T4, T11): the content policy with a nonce of its own, and the usual locks.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};
use tracing::Span;
use uuid::Uuid;

use super::AppState;
use crate::accounts::Secret;

/// The nonce of one answer; pages give it to their inline scripts.
#[derive(Debug, Clone)]
pub struct CspNonce(pub String);

/// The id of one request, in the log and in the answer.
#[derive(Debug, Clone)]
struct RequestId(String);

/// The same for every answer.
const FIXED: [(HeaderName, &str); 7] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // forms without script need the page they came from; other sites learn nothing
    (header::REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("x-permitted-cross-domain-policies"),
        "none",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// The layer.
pub async fn add(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let nonce = Secret::random().reveal()[..32].to_owned();
    let id = Uuid::new_v4().to_string();
    request.extensions_mut().insert(CspNonce(nonce.clone()));
    request.extensions_mut().insert(RequestId(id.clone()));
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, text) in FIXED {
        headers.insert(name, HeaderValue::from_static(text));
    }
    put(
        headers,
        header::CONTENT_SECURITY_POLICY,
        &policy(&nonce, state.options.reload),
    );
    put(headers, HeaderName::from_static("x-request-id"), &id);
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

/// The span around a request: no query, which may hold the set-up token.
pub fn span<B>(request: &axum::http::Request<B>) -> Span {
    let id = request.extensions().get::<RequestId>();
    tracing::info_span!(
        "request",
        method = %request.method(),
        path = request.uri().path(),
        id = id.map_or("", |id| id.0.as_str()),
    )
}

fn policy(nonce: &str, reload: bool) -> String {
    // the watching build tool speaks to the page on a port of its own
    let reload = if reload { " ws://127.0.0.1:3001" } else { "" };
    format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self' data:; connect-src 'self'{reload}; font-src 'self'; form-action 'self'; \
         base-uri 'none'; frame-ancestors 'none'"
    )
}

fn put(headers: &mut HeaderMap, name: HeaderName, text: &str) {
    // made of letters, digits and the texts above
    headers.insert(name, HeaderValue::from_str(text).expect("a legal header"));
}
