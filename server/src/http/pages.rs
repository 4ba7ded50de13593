//! The console's pages and server functions.

use std::sync::atomic::Ordering;

use axum::{
    Router,
    extract::{Request, State},
    http::{StatusCode, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use horarium_app::{App, contexts, shell};
use horarium_engine::acting::Acting;
use leptos::{
    config::LeptosOptions,
    nonce::Nonce,
    prelude::{provide_context, use_context},
};
use leptos_axum::{LeptosRoutes, generate_route_list, render_app_async_with_context};

use super::{AppState, answer, headers::CspNonce};

/// Whether the first administrator is still to be made, as looked up for one request.
#[derive(Debug, Clone, Copy)]
struct SetupNeeded(bool);

/// Adds the pages, the server functions, and the page for whatever is not there.
pub fn add(routes: Router<AppState>, state: &AppState) -> Router<AppState> {
    let options: LeptosOptions = axum::extract::FromRef::from_ref(state);
    let context = provider(state.clone());
    let page = move || shell(options.clone());
    let missing = {
        let render = render_app_async_with_context(context.clone(), page.clone());
        move |request: Request| missing(request, render.clone())
    };
    routes
        .leptos_routes_with_context(state, generate_route_list(App), context, page)
        .fallback(missing)
        .layer(axum::middleware::from_fn_with_state(
            state.clone(),
            look_up_setup,
        ))
}

/// What pages and server functions find in their context.
fn provider(state: AppState) -> impl Fn() + Clone + Send + Sync + 'static {
    move || {
        let Some(parts) = use_context::<Parts>() else {
            return;
        };
        if let Some(nonce) = parts.extensions.get::<CspNonce>() {
            provide_context(Nonce::from_value(nonce.0.clone()));
        }
        if let Some(acting) = parts.extensions.get::<Acting>() {
            provide_context(acting.clone());
        }
        let setup = parts.extensions.get::<SetupNeeded>();
        provide_context(contexts::Site {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            setup_needed: setup.is_some_and(|s| s.0),
            auth: state.options.auth,
        });
        provide_context(state.site.names().clone());
    }
}

async fn look_up_setup(
    State(state): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    if state.options.auth && !state.has_users.load(Ordering::Relaxed) {
        // a store that does not answer is no reason to offer the set-up
        let needed = state.accounts.setup_needed().await.unwrap_or(false);
        state.has_users.store(!needed, Ordering::Relaxed);
        request.extensions_mut().insert(SetupNeeded(needed));
    }
    next.run(request).await
}

async fn missing<F>(request: Request, render: impl FnOnce(Request) -> F) -> Response
where
    F: Future<Output = axum::http::Response<axum::body::Body>>,
{
    if !answer::wants_page(request.headers()) {
        return answer::code(StatusCode::NOT_FOUND, "not_found");
    }
    let mut response = render(request).await.into_response();
    if response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}
