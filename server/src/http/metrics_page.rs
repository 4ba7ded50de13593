//! `/metrics` for Prometheus.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::{AppState, answer, auth};
use crate::config::MetricsAccess;

/// `GET /metrics`.
pub async fn metrics(State(state): State<AppState>, request: Request) -> Response {
    match state.options.metrics {
        MetricsAccess::Off => answer::code(StatusCode::NOT_FOUND, "not_found"),
        MetricsAccess::Loopback if is_from_here(&request) => {
            let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
            (kind, state.metrics.render()).into_response()
        }
        MetricsAccess::Loopback => answer::code(StatusCode::FORBIDDEN, "loopback_only"),
    }
}

/// Behind a proxy on this machine every connection is local: what was passed on, or names another host, is not.
fn is_from_here(request: &Request) -> bool {
    auth::peer(request.extensions()).is_some_and(|ip| ip.is_loopback())
        && auth::is_local_host(request.headers())
        && !is_passed_on(request.headers())
}

fn is_passed_on(headers: &HeaderMap) -> bool {
    [
        "forwarded",
        "x-forwarded-for",
        "x-forwarded-host",
        "via",
        "x-real-ip",
    ]
    .iter()
    .any(|name| headers.contains_key(*name))
}
