//! `/healthz`: the process answers. `/readyz`: it can do its work, and if not, which part fails.

use std::sync::atomic::Ordering;

use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use chrono::TimeDelta;
use serde::Serialize;

use super::AppState;

/// An engine whose last cycle is older than this, and than a few polls, hangs.
const SILENCE: TimeDelta = TimeDelta::seconds(15);

#[derive(Serialize)]
struct Readiness {
    ready: bool,
    /// The store answers and has its tables.
    store: bool,
    /// The engine's cycle goes on.
    engine: bool,
    /// The process is about to stop.
    draining: bool,
}

/// `GET /healthz`.
pub async fn healthz() -> &'static str {
    "ok\n"
}

/// `GET /readyz`. Anybody may ask, so it says which part, and not why (T18).
pub async fn readyz(State(state): State<AppState>) -> Response {
    let store = match state.scheduler.ping().await {
        Ok(_) => true,
        Err(error) => {
            tracing::warn!(%error, "not ready: the store does not answer");
            false
        }
    };
    let info = state.scheduler.info();
    let fresh = info
        .last_cycle_at
        .is_some_and(|at| state.scheduler.now() - at < SILENCE + state.options.poll * 5);
    let engine = info.serving && fresh;
    let draining = state.draining.load(Ordering::Relaxed);
    let ready = store && engine && !draining;
    let status = if ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let parts = Readiness {
        ready,
        store,
        engine,
        draining,
    };
    (status, Json(parts)).into_response()
}
