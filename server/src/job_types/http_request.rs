//! What an HTTP job sends, read from its data.

use std::ops::RangeInclusive;

use horarium_core::data::Data;
use reqwest::{
    Method, Url,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use serde_json::Value;

/// Headers that the client sets itself; data that set them could smuggle a second request.
const OWN_HEADERS: [&str; 6] = [
    "host",
    "connection",
    "content-length",
    "transfer-encoding",
    "upgrade",
    "te",
];

/// What to send and what to expect.
#[derive(Debug, Clone)]
pub struct HttpRequest {
    /// Where to.
    pub url: Url,
    /// GET without a body, POST with one, unless the data say otherwise.
    pub method: Method,
    /// Beside the run's own.
    pub headers: HeaderMap,
    /// As it is sent.
    pub body: Option<String>,
    /// The answers that mean success.
    pub expect: Vec<RangeInclusive<u16>>,
}

/// What is wrong with the data, a sentence each.
pub fn problems(data: &Data) -> Vec<String> {
    HttpRequest::from_data(data).err().unwrap_or_default()
}

impl HttpRequest {
    /// Reads the data; all faults at once.
    pub fn from_data(data: &Data) -> Result<Self, Vec<String>> {
        let mut problems = Vec::new();
        let mut note = |sentence: String| problems.push(sentence);
        let url = read_url(data).map_err(&mut note);
        let (body, is_json) = read_body(data);
        let method = read_method(data, body.is_some()).map_err(&mut note);
        let expect = read_expect(data).map_err(&mut note);
        let headers = read_headers(data, is_json).map_err(&mut note);
        match (url, method, expect, headers) {
            (Ok(url), Ok(method), Ok(expect), Ok(headers)) => Ok(Self {
                url,
                method,
                headers,
                body,
                expect,
            }),
            _ => Err(problems),
        }
    }

    /// The address without credentials and query, fit for a log.
    pub fn place(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        let port = self.url.port().map(|p| format!(":{p}")).unwrap_or_default();
        format!("{}://{host}{port}{}", self.url.scheme(), self.url.path())
    }

    /// Whether the answer means success.
    pub fn expects(&self, status: u16) -> bool {
        self.expect.iter().any(|range| range.contains(&status))
    }
}

fn read_url(data: &Data) -> Result<Url, String> {
    let text = match data.get("url") {
        Some(Value::String(text)) => text,
        Some(_) => return Err("url must be text".to_owned()),
        None => {
            return Err(
                "url is missing: an http job needs data = { url = \"https://…\" }".to_owned(),
            );
        }
    };
    let url = Url::parse(text).map_err(|error| format!("url is not an address: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err("url must begin with http:// or https://".to_owned());
    }
    Ok(url)
}

fn read_method(data: &Data, has_body: bool) -> Result<Method, String> {
    let text = match data.get("method") {
        None if has_body => return Ok(Method::POST),
        None => return Ok(Method::GET),
        Some(Value::String(text)) => text,
        Some(_) => return Err("method must be text".to_owned()),
    };
    match text.as_str() {
        "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" => {
            Method::from_bytes(text.as_bytes()).map_err(|error| error.to_string())
        }
        _ => Err(format!(
            "method '{text}' is not one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
        )),
    }
}

/// Text is sent as it is, anything else as JSON.
fn read_body(data: &Data) -> (Option<String>, bool) {
    match data.get("body") {
        None | Some(Value::Null) => (None, false),
        Some(Value::String(text)) => (Some(text.clone()), false),
        Some(other) => (Some(other.to_string()), true),
    }
}

fn read_headers(data: &Data, is_json: bool) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    if is_json {
        let json = HeaderValue::from_static("application/json");
        headers.insert(reqwest::header::CONTENT_TYPE, json);
    }
    let given = match data.get("headers") {
        None => return Ok(headers),
        Some(Value::Object(given)) => given,
        Some(_) => return Err("headers must be a table of names and texts".to_owned()),
    };
    for (name, value) in given {
        let header = HeaderName::try_from(name.as_str())
            .map_err(|_| format!("'{name}' is not a header's name"))?;
        if OWN_HEADERS.contains(&header.as_str()) {
            return Err(format!("the header '{name}' is set by the client itself"));
        }
        let value = value
            .as_str()
            .and_then(|text| HeaderValue::from_str(text).ok())
            .ok_or_else(|| format!("the value of the header '{name}' must be one line of text"))?;
        headers.insert(header, value);
    }
    Ok(headers)
}

fn read_expect(data: &Data) -> Result<Vec<RangeInclusive<u16>>, String> {
    let one = |value: &Value| -> Option<RangeInclusive<u16>> {
        let status = u16::try_from(value.as_u64()?).ok()?;
        (100..600).contains(&status).then_some(status..=status)
    };
    match data.get("expect") {
        None => Some(vec![200..=299]),
        Some(Value::Array(items)) if !items.is_empty() => items.iter().map(one).collect(),
        Some(value) => one(value).map(|range| vec![range]),
    }
    .ok_or_else(|| {
        "expect must be a status or a list of statuses, for instance [200, 204]".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: Value) -> Result<HttpRequest, Vec<String>> {
        HttpRequest::from_data(value.as_object().expect("an object"))
    }

    #[test]
    fn the_method_is_get_unless_there_is_a_body() {
        let cases = [
            (json!({"url": "http://x/"}), Method::GET, None),
            (
                json!({"url": "http://x/", "body": "a"}),
                Method::POST,
                Some("a"),
            ),
            (
                json!({"url": "http://x/", "body": {"a": 1}}),
                Method::POST,
                Some("{\"a\":1}"),
            ),
            (
                json!({"url": "http://x/", "body": "a", "method": "PUT"}),
                Method::PUT,
                Some("a"),
            ),
        ];
        for (data, method, body) in cases {
            let request = read(data).expect("a request");
            assert_eq!((request.method, request.body.as_deref()), (method, body));
        }
    }

    #[test]
    fn faults_of_the_data_are_all_found_at_once() {
        let bad = json!({"url": "file:///etc/passwd", "method": "get", "expect": "ok",
                         "headers": {"Host": "elsewhere"}});
        assert_eq!(
            read(bad).expect_err("four faults"),
            [
                "url must begin with http:// or https://",
                "method 'get' is not one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
                "expect must be a status or a list of statuses, for instance [200, 204]",
                "the header 'Host' is set by the client itself",
            ]
        );
        assert!(read(json!({})).is_err());
        let split = json!({"url": "http://x/", "headers": {"A": "b\r\nC: d"}});
        assert!(read(split).is_err(), "a header of two lines");
    }

    #[test]
    fn the_place_shows_neither_credentials_nor_query() {
        let request = read(json!({"url": "http://user:pass@h:81/p?token=1"})).expect("a request");
        assert_eq!(request.place(), "http://h:81/p");
    }
}
