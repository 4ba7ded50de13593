//! Answers that carry a code, and no more: details go to the log (T18).

use std::any::Any;

use axum::{
    Json,
    body::Body,
    http::{HeaderMap, Response, StatusCode, header},
    response::IntoResponse,
};
use serde_json::json;

/// `{"code": "…"}` with a status.
pub fn code(status: StatusCode, code: &str) -> axum::response::Response {
    (status, Json(json!({ "code": code }))).into_response()
}

/// Whether a browser asks for a page.
pub fn wants_page(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"))
}

/// The answer when a handler panicked.
pub fn panicked(cause: Box<dyn Any + Send + 'static>) -> Response<Body> {
    let text = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| cause.downcast_ref::<&str>().copied())
        .unwrap_or("no text");
    tracing::error!(panic = text, "a request handler panicked");
    code(StatusCode::INTERNAL_SERVER_ERROR, "unexpected")
}
