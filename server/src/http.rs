//! The HTTP side: console, forms, health, metrics. Everything needs a signed-in user unless [`auth`] lists it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    extract::FromRef,
    http::StatusCode,
    middleware::{from_fn, from_fn_with_state},
    routing::{get, post},
};
use chrono::TimeDelta;
use horarium_engine::scheduler::Scheduler;
use leptos::config::LeptosOptions;
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::{CompressionLayer, DefaultPredicate, Predicate, predicate::NotForContentType},
    limit::RequestBodyLimitLayer,
    timeout::TimeoutLayer,
    trace::TraceLayer,
};

mod answer;
mod assets;
pub mod auth;
mod cookies;
mod csrf;
mod forms;
mod headers;
mod health;
mod metrics_page;
mod pages;
mod paths;

use crate::{accounts::Accounts, config::MetricsAccess, metrics::Metrics, site::Site};

/// The largest body of a request (T12).
const MAX_BODY: usize = 256 * 1024;
/// The longest time for an answer (T12).
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// What the handlers share.
#[derive(Clone)]
pub struct AppState(Arc<Parts>);

/// The parts of [`AppState`].
pub struct Parts {
    /// The scheduler.
    pub scheduler: Scheduler,
    /// Who signs in.
    pub accounts: Accounts,
    /// The console's files.
    pub site: Site,
    /// What was counted.
    pub metrics: Metrics,
    /// How to serve.
    pub options: HttpOptions,
    /// Whether the process is about to stop.
    pub draining: AtomicBool,
    /// Whether there was a user once: from then on nobody asks the store again.
    pub has_users: AtomicBool,
}

/// How to serve.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// Whether people have to sign in.
    pub auth: bool,
    /// Who may read the metrics.
    pub metrics: MetricsAccess,
    /// Whether pages reload themselves after a build.
    pub reload: bool,
    /// The engine's poll interval.
    pub poll: TimeDelta,
}

impl AppState {
    /// Puts the parts together.
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// From now on the process is not ready any more.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }
}

impl std::ops::Deref for AppState {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl FromRef<AppState> for LeptosOptions {
    fn from_ref(_: &AppState) -> Self {
        LeptosOptions::builder()
            .output_name("horarium")
            .site_pkg_dir("pkg")
            .build()
    }
}

/// Pages and answers are compressed on their way. Not WebAssembly: the build has compressed it already, or else it is a
/// large file of a development build.
fn compression() -> CompressionLayer<impl Predicate> {
    CompressionLayer::new().compress_when(
        DefaultPredicate::new().and(NotForContentType::const_new("application/wasm")),
    )
}

/// The whole router.
pub fn router(state: AppState) -> Router {
    let routes = Router::new()
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .route("/metrics", get(metrics_page::metrics))
        .route("/favicon.svg", get(assets::favicon))
        .route("/pkg/{*path}", get(assets::pkg))
        .route("/sign-in", post(forms::sign_in))
        .route("/setup", post(forms::set_up))
        .route("/sign-out", post(forms::sign_out))
        .route("/preferences", post(forms::preferences));
    let routes = pages::add(routes, &state);
    // from the inside out: the last one sees a request first and an answer last, that of a panic included
    routes
        .layer(RequestBodyLimitLayer::new(MAX_BODY))
        .layer(from_fn_with_state(state.clone(), auth::require))
        .layer(from_fn(csrf::check))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::GATEWAY_TIMEOUT,
            TIME_LIMIT,
        ))
        .layer(CatchPanicLayer::custom(answer::panicked))
        .layer(compression())
        .layer(TraceLayer::new_for_http().make_span_with(headers::span))
        .layer(from_fn_with_state(state.clone(), headers::add))
        .with_state(state)
}
