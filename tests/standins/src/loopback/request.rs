//! A request as it came in, and what is remembered of it.

use bytes::Bytes;
use hyper::{
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName},
    http::request::Parts,
};
use serde_json::Value;
use url::form_urlencoded;

/// A request that a stand-in got, without its credential.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenRequest {
    /// `GET`, `POST` …
    pub method: String,
    /// With a leading slash and without the query: `/3/search/movie`.
    pub path: String,
    /// Decoded, in the order they came.
    pub query: Vec<(String, String)>,
    /// What was posted, if it was JSON.
    pub body: Option<Value>,
    raw: Bytes,
}

impl SeenRequest {
    /// What was posted, to the letter: numbers as they were written. Empty where it was no text.
    #[must_use]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.raw).unwrap_or("")
    }

    #[cfg(test)]
    pub(super) fn of(method: &str, path: &str) -> Self {
        Self { method: method.to_owned(), path: path.to_owned(), query: Vec::new(), body: None, raw: Bytes::new() }
    }

    /// The first value of this name in the query.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// The GraphQL operation's name: `GetSearchTitles`.
    #[must_use]
    pub fn operation(&self) -> Option<&str> {
        self.body.as_ref()?.get("operationName")?.as_str()
    }

    /// One of the GraphQL operation's variables.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&Value> {
        self.body.as_ref()?.get("variables")?.get(name)
    }
}

/// A request as it came in.
#[derive(Debug)]
pub(crate) struct Incoming {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) authorization: Option<String>,
    pub(crate) content_type: Option<String>,
    pub(crate) accept: Option<String>,
    /// An arr application's credential.
    pub(crate) api_key: Option<String>,
    pub(crate) body: Bytes,
}

/// The query parameter that carries TMDB's older sort of key.
pub(crate) const KEY_PARAMETER: &str = "api_key";

/// The query parameter that carries an arr application's key, and should not.
pub(crate) const ARR_KEY_PARAMETER: &str = "apikey";

impl Incoming {
    pub(crate) fn new(parts: &Parts, body: Bytes) -> Self {
        let header = |name: HeaderName| {
            parts.headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        };
        Self {
            method: parts.method.to_string(),
            path: parts.uri.path().to_owned(),
            query: form_urlencoded::parse(parts.uri.query().unwrap_or("").as_bytes()).into_owned().collect(),
            authorization: header(AUTHORIZATION),
            content_type: header(CONTENT_TYPE),
            accept: header(ACCEPT),
            api_key: header(HeaderName::from_static("x-api-key")),
            body,
        }
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    pub(crate) fn seen(&self) -> SeenRequest {
        SeenRequest {
            method: self.method.clone(),
            path: self.path.clone(),
            query: self.query.iter().filter(|(name, _)| !is_credential(name)).cloned().collect(),
            body: serde_json::from_slice(&self.body).ok(),
            raw: self.body.clone(),
        }
    }
}

fn is_credential(parameter: &str) -> bool {
    parameter == KEY_PARAMETER || parameter.eq_ignore_ascii_case(ARR_KEY_PARAMETER)
}
