//! Requests that change something must come from this site's own pages (T3).

use axum::{
    extract::Request,
    http::{HeaderMap, Method, StatusCode, header},
    middleware::Next,
    response::Response,
};

use super::answer;

/// The layer: reading passes; everything else must say that it comes from here.
pub async fn check(request: Request, next: Next) -> Response {
    let reads = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    if reads || is_same_site(request.headers()) {
        next.run(request).await
    } else {
        answer::code(StatusCode::FORBIDDEN, "cross_site")
    }
}

/// Browsers say where a request comes from in `Sec-Fetch-Site`, older ones in `Origin` only. A program that is no
/// browser has to send an `Origin`, too: silence is no proof.
fn is_same_site(headers: &HeaderMap) -> bool {
    let text = |name| {
        headers
            .get(name)
            .and_then(|v: &axum::http::HeaderValue| v.to_str().ok())
    };
    if let Some(site) = text(header::HeaderName::from_static("sec-fetch-site")) {
        return matches!(site, "same-origin" | "none");
    }
    let (Some(origin), Some(host)) = (text(header::ORIGIN), text(header::HOST)) else {
        return false;
    };
    // behind a proxy that speaks TLS the schemes differ; the name and port are what the cookie belongs to
    origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"))
        .is_some_and(|authority| authority.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_must_prove_that_it_comes_from_this_site() {
        let own = Some("http://127.0.0.1:8787");
        let other = Some("https://evil.example");
        let cases = [
            (Some("same-origin"), own, true),
            (Some("same-origin"), Some("null"), true),
            (Some("none"), None, true),
            (Some("same-site"), own, false),
            (Some("cross-site"), own, false),
            (Some("cross-site"), other, false),
            (None, own, true),
            (None, other, false),
            (None, Some("null"), false),
            (None, Some("http://127.0.0.1:8788"), false),
            (None, None, false),
        ];
        for (site, origin, passes) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, "127.0.0.1:8787".parse().expect("a header"));
            if let Some(site) = site {
                headers.insert("sec-fetch-site", site.parse().expect("a header"));
            }
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, origin.parse().expect("a header"));
            }
            assert_eq!(is_same_site(&headers), passes, "{site:?} {origin:?}");
        }
    }
}
