//! One request, as a client of a service describes it.

use std::time::Duration;

use reqwest::Method;

use crate::credential::Credential;
use crate::error::Said;

/// What a request does, and with it whether it may be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Reads.
    Get,
    /// Puts a question that is too long for an address, or changes something.
    Post,
    /// Replaces something.
    Put,
    /// Removes something.
    Delete,
}

impl Verb {
    /// `GET`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Verb::Get => "GET",
            Verb::Post => "POST",
            Verb::Put => "PUT",
            Verb::Delete => "DELETE",
        }
    }

    pub(crate) const fn method(self) -> Method {
        match self {
            Verb::Get => Method::GET,
            Verb::Post => Method::POST,
            Verb::Put => Method::PUT,
            Verb::Delete => Method::DELETE,
        }
    }
}

/// One request to a service. Start from [`Request::new`] and change what must differ.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// What it does.
    pub verb: Verb,
    /// Below the service's base address, unencoded: `movie/550`.
    pub path: &'a str,
    /// Names and values, unencoded. A name may come several times.
    pub query: &'a [(&'a str, &'a str)],
    /// JSON.
    pub body: Option<&'a [u8]>,
    /// What proves that we may ask.
    pub credential: &'a Credential,
    /// How long it may take from sending to the last byte; the service's own limit when `None`.
    pub read_timeout: Option<Duration>,
    /// How long the answer may be; the service's own limit when `None`.
    pub max_body_bytes: Option<usize>,
    /// How much of a refusal's body is read.
    pub max_said_bytes: usize,
}

impl<'a> Request<'a> {
    /// A request without query and body, within the service's own limits.
    pub const fn new(verb: Verb, path: &'a str, credential: &'a Credential) -> Self {
        Self {
            verb,
            path,
            query: &[],
            body: None,
            credential,
            read_timeout: None,
            max_body_bytes: None,
            max_said_bytes: Said::LIMIT,
        }
    }
}
