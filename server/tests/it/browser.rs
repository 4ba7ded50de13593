//! A browser that knows one cookie, before a console without a network in between.

use std::net::SocketAddr;

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::ConnectInfo,
    http::{HeaderMap, Method, Request, StatusCode, header},
};
use horarium_core::state::Role;
use tower::ServiceExt as _;

use crate::workbench::Workbench;

pub const HOST: &str = "127.0.0.1:8787";
pub const PASSWORD: &str = "correct horse battery";

#[derive(Clone)]
pub struct Browser {
    router: Router,
    pub cookie: Option<String>,
}

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().expect("text"))
    }

    pub fn location(&self) -> &str {
        self.header("location")
    }
}

impl Browser {
    pub fn new(bench: &Workbench) -> Self {
        Self {
            router: bench.horarium.router(),
            cookie: None,
        }
    }

    /// Somebody with this role, signed in.
    pub async fn signed_in(bench: &Workbench, name: &str, role: Role) -> Self {
        let made = bench.horarium.accounts().create_user(name, PASSWORD, role);
        assert!(made.await.expect("a user"));
        let mut browser = Self::new(bench);
        let answer = browser
            .post("/sign-in", &[("name", name), ("password", PASSWORD)])
            .await;
        assert_eq!(answer.location(), "/");
        browser.keep_session(&answer);
        browser
    }

    pub fn keep_session(&mut self, answer: &Answer) {
        let set = answer.header("set-cookie");
        let value = set.split(';').next().expect("a cookie");
        self.cookie = Some(value.to_owned());
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path).body(Body::empty()))
            .await
    }

    /// As a program asks, not a page.
    pub async fn call(&self, method: Method, path: &str) -> Answer {
        let request = self
            .request(method, path)
            .header(header::ACCEPT, "application/json")
            .body(Body::empty());
        let mut request = request.expect("a request");
        request.headers_mut().insert(
            header::ACCEPT,
            "application/json".parse().expect("a header"),
        );
        self.send(Ok(request)).await
    }

    pub async fn post(&self, path: &str, form: &[(&str, &str)]) -> Answer {
        let request = self
            .request(Method::POST, path)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(encode(form)));
        self.send(request).await
    }

    pub fn request(&self, method: Method, path: &str) -> axum::http::request::Builder {
        let mut builder = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, HOST)
            .header(header::ORIGIN, format!("http://{HOST}"))
            .header(header::ACCEPT, "text/html");
        if let Some(cookie) = &self.cookie {
            builder = builder.header(header::COOKIE, cookie);
        }
        builder
    }

    pub async fn send(&self, request: axum::http::Result<Request<Body>>) -> Answer {
        let mut request = request.expect("a request");
        let peer = SocketAddr::from(([127, 0, 0, 1], 5000));
        if request
            .extensions()
            .get::<ConnectInfo<SocketAddr>>()
            .is_none()
        {
            request.extensions_mut().insert(ConnectInfo(peer));
        }
        let response = self.router.clone().oneshot(request).await;
        let (parts, body) = response.expect("an answer").into_parts();
        let bytes = to_bytes(body, 10_000_000).await.expect("a body");
        Answer {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }
}

fn encode(form: &[(&str, &str)]) -> String {
    let escape = |text: &str| -> String {
        text.bytes()
            .map(|byte| {
                if byte.is_ascii_alphanumeric() {
                    char::from(byte).to_string()
                } else {
                    format!("%{byte:02X}")
                }
            })
            .collect()
    };
    let pairs: Vec<String> = form
        .iter()
        .map(|(key, value)| format!("{}={}", escape(key), escape(value)))
        .collect();
    pairs.join("&")
}
