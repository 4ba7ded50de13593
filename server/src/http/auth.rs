//! Nothing without a session: a layer over the whole router that lets through exactly what is listed here (T1).

use std::net::{IpAddr, SocketAddr};

use axum::{
    extract::{ConnectInfo, Request, State},
    http::{Extensions, HeaderMap, Method, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Redirect, Response},
};
use horarium_core::{code::ErrorCode, state::Role};
use horarium_engine::actor::Actor;

use super::{AppState, answer, cookies, paths};

/// The name that changes carry when nobody has to sign in.
const LOCAL: &str = "local";

/// Whether a request may come from anybody. Everything else needs a session, server functions included.
pub fn is_public(method: &Method, path: &str) -> bool {
    let read = matches!(*method, Method::GET | Method::HEAD);
    match path {
        "/sign-in" | "/setup" => read || *method == Method::POST,
        // whoever measures has no session; the handler has a rule of its own
        "/healthz" | "/readyz" | "/favicon.svg" | "/metrics" => read,
        _ => read && path.starts_with("/pkg/"),
    }
}

/// The layer: puts the scheduler on behalf of the user into the request, or turns the request away.
pub async fn require(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    if !state.options.auth && !is_local_host(request.headers()) {
        // a page elsewhere could have its name lead to this machine and act as the user who never signed in
        return answer::code(StatusCode::FORBIDDEN, "foreign_host");
    }
    let public = is_public(request.method(), request.uri().path());
    let address = address(request.extensions());
    let session = cookies::session(request.headers());
    let actor = match actor(&state, session, address).await {
        Ok(actor) => actor,
        // files and health must answer although the store does not
        Err(_) if public => None,
        Err(code) => return answer::code(StatusCode::SERVICE_UNAVAILABLE, code.as_str()),
    };
    match actor {
        Some(actor) => {
            let acting = state.scheduler.acting(actor);
            request.extensions_mut().insert(acting);
        }
        None if public => {}
        None => return turn_away(&request),
    }
    next.run(request).await
}

async fn actor(
    state: &AppState,
    session: Option<String>,
    address: String,
) -> Result<Option<Actor>, ErrorCode> {
    if !state.options.auth {
        return Ok(Some(Actor {
            name: LOCAL.to_owned(),
            role: Role::Admin,
            address,
        }));
    }
    let Some(id) = session else {
        return Ok(None);
    };
    let found = state.accounts.session(&id).await.map_err(|error| {
        tracing::error!(%error, "the session cannot be read");
        error.code
    })?;
    Ok(found.map(|user| Actor {
        name: user.name,
        role: user.role,
        address,
    }))
}

fn turn_away(request: &Request) -> Response {
    if *request.method() == Method::GET && answer::wants_page(request.headers()) {
        return to_sign_in(request.uri());
    }
    answer::code(StatusCode::UNAUTHORIZED, "SIGNED_OUT")
}

fn to_sign_in(uri: &Uri) -> Response {
    let next = uri.path_and_query().map_or("/", |p| p.as_str());
    let target = if next == "/" {
        "/sign-in".to_owned()
    } else {
        paths::with_query("/sign-in", &[("next", paths::local(next))])
    };
    Redirect::to(&target).into_response()
}

/// Where the request came from; empty when a host program does not say.
pub fn address(extensions: &Extensions) -> String {
    peer(extensions)
        .map(|ip| ip.to_string())
        .unwrap_or_default()
}

/// The other end of the connection.
pub fn peer(extensions: &Extensions) -> Option<IpAddr> {
    extensions
        .get::<ConnectInfo<SocketAddr>>()
        .map(|ConnectInfo(peer)| peer.ip().to_canonical())
}

/// Whether the request names this machine as its host.
pub fn is_local_host(headers: &HeaderMap) -> bool {
    let Some(host) = headers.get(header::HOST).and_then(|h| h.to_str().ok()) else {
        return false;
    };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_matches(['[', ']']);
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_what_is_public_is_exactly_this() {
        let cases = [
            ("GET", "/sign-in", true),
            ("POST", "/sign-in", true),
            ("GET", "/setup", true),
            ("POST", "/setup", true),
            ("GET", "/pkg/horarium.js", true),
            ("POST", "/pkg/horarium.js", false),
            ("GET", "/pkg", false),
            ("GET", "/favicon.svg", true),
            ("GET", "/healthz", true),
            ("GET", "/readyz", true),
            ("DELETE", "/sign-in", false),
            ("GET", "/", false),
            ("GET", "/jobs", false),
            ("GET", "/cron", false),
            ("POST", "/sign-out", false),
            ("POST", "/preferences", false),
            ("POST", "/api/console/pause_job", false),
            ("GET", "/sign-in/", false),
            ("GET", "/Sign-In", false),
        ];
        for (method, path, public) in cases {
            let method = method.parse().expect("a method");
            assert_eq!(is_public(&method, path), public, "{method} {path}");
        }
    }

    #[test]
    fn only_this_machines_names_are_local() {
        let cases = [
            ("localhost", true),
            ("LOCALHOST:8787", true),
            ("127.0.0.1:8787", true),
            ("[::1]:8787", true),
            ("evil.example:8787", false),
            ("127.0.0.1.evil.example", false),
            ("10.0.0.1", false),
        ];
        for (host, local) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().expect("a header"));
            assert_eq!(is_local_host(&headers), local, "{host}");
        }
        assert!(!is_local_host(&HeaderMap::new()));
    }
}
