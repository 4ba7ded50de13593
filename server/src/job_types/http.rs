//! The job type `http`: calls an address and keeps a bounded part of the answer.
//!
//! Data: `url`, `method` (GET, or POST with a body), `headers`, `body` (text, or anything else as JSON), `expect` (a
//! status or a list, any 2xx when left out). Redirects are not followed: the next address was not checked. The time
//! limit is the run's own: a cancelled run drops the request.

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use horarium_core::{data::Data, names::JobName, record::RunError, state::JobOrigin};
use horarium_engine::job::{Job, Outcome, RunContext};
use reqwest::{
    Client, Response,
    dns::{Name, Resolve, Resolving},
    header::{HeaderMap, HeaderValue},
    redirect,
};

use super::http_request::{self, HttpRequest};
use crate::address::{AllowRule, Refused, check_allowed, check_never};

/// How much of an answer is kept.
const MAX_ANSWER: usize = 64 * 1024;
/// How many clients of jobs made at run time are kept, one per port.
const MAX_CLIENTS: usize = 16;

/// Calls an address.
pub struct HttpJob {
    allow: Arc<[AllowRule]>,
    trusted: BTreeMap<JobName, BTreeSet<String>>,
    clients: Mutex<BTreeMap<Scope, Client>>,
}

/// Whom a client serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    /// Jobs of the configuration, as they stand there.
    Trusted,
    /// Everything else, on this port.
    Listed(u16),
}

impl HttpJob {
    /// A job type with the rules for jobs made at run time, and the addresses that the configuration itself names.
    pub fn new(allow: Vec<AllowRule>, trusted: BTreeMap<JobName, BTreeSet<String>>) -> Self {
        install_tls();
        Self {
            allow: allow.into(),
            trusted,
            clients: Mutex::default(),
        }
    }

    /// The right to call any address belongs to what the configuration says: this job with this very address. An
    /// override keeps it while the address stays; data given with a manual run do not get it.
    fn scope(&self, context: &RunContext, request: &HttpRequest) -> Scope {
        let from_file = context.origin != JobOrigin::Runtime
            && context
                .data
                .get("url")
                .and_then(|url| url.as_str())
                .is_some_and(|url| {
                    self.trusted
                        .get(&context.job)
                        .is_some_and(|urls| urls.contains(url))
                });
        if from_file {
            Scope::Trusted
        } else {
            Scope::Listed(request.url.port_or_known_default().unwrap_or(80))
        }
    }

    fn client(&self, scope: Scope) -> Result<Client, reqwest::Error> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&scope) {
            return Ok(client.clone());
        }
        let client = build_client(Guard {
            allow: Arc::clone(&self.allow),
            scope,
        })?;
        if clients.len() >= MAX_CLIENTS {
            clients.clear();
        }
        clients.insert(scope, client.clone());
        Ok(client)
    }

    async fn call(&self, context: &RunContext, request: HttpRequest) -> Result<String, RunError> {
        let scope = self.scope(context, &request);
        check_literal(&self.allow, scope, &request)
            .map_err(|refused| error("HTTP_ADDRESS", refused.to_string()))?;
        let client = self
            .client(scope)
            .map_err(|e| error("HTTP_CLIENT", chain(&e)))?;
        let place = request.place();
        let mut call = client
            .request(request.method.clone(), request.url.clone())
            .headers(run_headers(context))
            .headers(request.headers.clone());
        if let Some(body) = request.body.clone() {
            call = call.body(body);
        }
        context
            .log
            .line("info", format!("{} {place}", request.method));
        let response = call.send().await.map_err(|e| failure(&place, e))?;
        let status = response.status();
        let body = bounded_body(response)
            .await
            .map_err(|e| failure(&place, e))?;
        context.log.line(
            "info",
            format!("the answer is {status}, {} bytes", body.len()),
        );
        if request.expects(status.as_u16()) {
            Ok(format!("{status}\n{body}").trim_end().to_owned())
        } else {
            let text = format!("{place} answered {status}\n{body}");
            Err(error("HTTP_STATUS", text.trim_end().to_owned()))
        }
    }
}

#[async_trait]
impl Job for HttpJob {
    async fn run(&self, context: RunContext) -> Outcome {
        let request = match HttpRequest::from_data(&context.data) {
            Ok(request) => request,
            Err(problems) => return Outcome::failed("HTTP_DATA", problems.join("; ")),
        };
        tokio::select! {
            done = self.call(&context, request) => match done {
                Ok(answer) => Outcome::Succeeded(Some(answer)),
                Err(error) => Outcome::Failed(error),
            },
            // dropping the call closes its connection
            () = context.cancellation.cancelled() => {
                Outcome::failed("HTTP_CANCELED", "the request was given up")
            }
        }
    }

    fn check(&self, data: &Data) -> Vec<String> {
        http_request::problems(data)
    }
}

/// Resolves names, and drops every address that the scope may not call. The client connects to what is left, so that
/// a name cannot lead elsewhere between the check and the connection.
struct Guard {
    allow: Arc<[AllowRule]>,
    scope: Scope,
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_owned();
        let allow = Arc::clone(&self.allow);
        let scope = self.scope;
        Box::pin(async move {
            let mut open = Vec::new();
            let mut refusal = None;
            for address in tokio::net::lookup_host((host.as_str(), 0)).await? {
                match check(&allow, scope, &host, address.ip()) {
                    Ok(()) => open.push(address),
                    Err(refused) => refusal = Some(refused),
                }
            }
            match refusal {
                Some(refused) if open.is_empty() => Err(refused.into()),
                _ => Ok(Box::new(open.into_iter()) as reqwest::dns::Addrs),
            }
        })
    }
}

fn check(allow: &[AllowRule], scope: Scope, host: &str, ip: IpAddr) -> Result<(), Refused> {
    match scope {
        Scope::Trusted => check_never(ip),
        Scope::Listed(port) => check_allowed(allow, host, ip, port),
    }
}

/// An address written as numbers never reaches the resolver.
fn check_literal(allow: &[AllowRule], scope: Scope, request: &HttpRequest) -> Result<(), Refused> {
    let host = request.url.host_str().unwrap_or_default();
    match host.trim_matches(['[', ']']).parse() {
        Ok(ip) => check(allow, scope, host, ip),
        Err(_) => Ok(()),
    }
}

fn build_client(guard: Guard) -> Result<Client, reqwest::Error> {
    let builder = || {
        Client::builder()
            .redirect(redirect::Policy::none())
            .no_proxy()
            .user_agent(concat!("horarium/", env!("CARGO_PKG_VERSION")))
    };
    let guard = Arc::new(guard);
    builder()
        .dns_resolver(Arc::clone(&guard))
        .build()
        // a machine without any certificate can still call plain addresses
        .or_else(|_| {
            builder()
                .dns_resolver(guard)
                .tls_certs_only(std::iter::empty())
                .build()
        })
}

/// Chooses the cryptography of TLS for the process; whoever was first wins.
pub(crate) fn install_tls() {
    drop(rustls::crypto::ring::default_provider().install_default());
}

/// What every request carries about its run, so that a target can refuse an outdated one.
fn run_headers(context: &RunContext) -> HeaderMap {
    let id = context.id.to_string();
    let pairs = [
        ("x-trace-id", id.clone()),
        ("horarium-run-id", id),
        ("horarium-job", context.job.to_string()),
        ("horarium-attempt", context.attempt.to_string()),
        ("horarium-token", context.token.to_string()),
    ];
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
    headers
}

async fn bounded_body(mut response: Response) -> Result<String, reqwest::Error> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > MAX_ANSWER {
            bytes.truncate(MAX_ANSWER);
            let mut text = String::from_utf8_lossy(&bytes).into_owned();
            text.push_str("\n… (the rest was not kept)");
            return Ok(text);
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn failure(place: &str, failed: reqwest::Error) -> RunError {
    if let Some(refused) = find_refusal(&failed) {
        return error("HTTP_ADDRESS", refused.to_string());
    }
    let code = if failed.is_connect() {
        "HTTP_CONNECT"
    } else {
        "HTTP_FAILED"
    };
    // the address may carry credentials
    error(code, format!("{place}: {}", chain(&failed.without_url())))
}

fn find_refusal(failed: &reqwest::Error) -> Option<&Refused> {
    let mut cause = failed.source();
    while let Some(error) = cause {
        if let Some(refused) = error.downcast_ref() {
            return Some(refused);
        }
        cause = error.source();
    }
    None
}

/// The error with its causes, each said once.
fn chain(failed: &reqwest::Error) -> String {
    let mut parts = vec![failed.to_string()];
    let mut cause = failed.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !parts.iter().any(|part| part.contains(&text)) {
            parts.push(text);
        }
        cause = error.source();
    }
    parts.join(": ")
}

fn error(code: &str, message: String) -> RunError {
    RunError {
        code: code.to_owned(),
        message,
    }
}
