//! Answers on their way out, sound and broken.

use std::{convert::Infallible, fmt, io, time::Duration};

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http_body_util::{BodyExt, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::{
    Response, StatusCode,
    body::Frame,
    header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION, RETRY_AFTER},
};
use serde_json::Value;

use super::{
    RequestViolation,
    rules::{Alteration, Words},
};

pub(crate) type OutgoingBody = UnsyncBoxBody<Bytes, io::Error>;

/// What a service answers, and what was wrong with the question.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Body,
    /// Beside the content type, which follows from the body.
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) violations: Vec<RequestViolation>,
}

/// What is in an answer.
pub(crate) enum Body {
    Empty,
    Json(Value),
    /// JSON that the service lays out in a way of its own.
    Laid(Value, fn(&Value) -> String),
    /// What is said to be JSON.
    Bytes(Bytes),
    /// For people.
    Html(String),
    /// JSON that is too long to be held, made as it is read.
    Chunks(Box<dyn Iterator<Item = Bytes> + Send>),
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("Empty"),
            Self::Json(value) => f.debug_tuple("Json").field(value).finish(),
            Self::Laid(value, _) => f.debug_tuple("Laid").field(value).finish(),
            Self::Bytes(bytes) => f.debug_tuple("Bytes").field(bytes).finish(),
            Self::Html(text) => f.debug_tuple("Html").field(text).finish(),
            Self::Chunks(_) => f.write_str("Chunks"),
        }
    }
}

impl Reply {
    pub(crate) fn ok(body: Value) -> Self {
        Self::new(200, body)
    }

    pub(crate) fn new(status: u16, body: Value) -> Self {
        Self::of(status, Body::Json(body))
    }

    /// What a test wants to be answered.
    pub(super) fn told(status: u16, words: Words) -> Self {
        Self::of(
            status,
            match words {
                Words::Json(body) => Body::Json(body),
                Words::Bytes(bytes) => Body::Bytes(bytes),
            },
        )
    }

    pub(crate) fn of(status: u16, body: Body) -> Self {
        Self { status, body, headers: Vec::new(), violations: Vec::new() }
    }

    /// Adds a header. A value that cannot be one is left out.
    #[must_use]
    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((HeaderName::from_static(name), value));
        }
        self
    }

    /// As it is.
    pub(super) fn sound(self) -> Response<OutgoingBody> {
        let mut response = match self.body {
            Body::Empty => respond(self.status, None, whole("")),
            Body::Json(body) => json(self.status, &body),
            Body::Laid(body, lay) => respond(self.status, Some(JSON), whole(lay(&body))),
            Body::Bytes(bytes) => respond(self.status, Some(JSON), whole(bytes)),
            Body::Html(text) => respond(self.status, Some("text/html"), whole(text)),
            Body::Chunks(chunks) => {
                let body = StreamBody::new(stream::iter(chunks.map(|chunk| Ok(Frame::data(chunk))))).boxed_unsync();
                respond(self.status, Some(JSON), body)
            }
        };
        response.headers_mut().extend(self.headers);
        response
    }

    /// After what tests want to be otherwise in it.
    pub(super) fn altered(mut self, alterations: &[Alteration]) -> Self {
        if let Body::Json(body) | Body::Laid(body, _) = &mut self.body {
            for alter in alterations {
                alter(body);
            }
        }
        self
    }

    /// With its JSON spoilt; what is no JSON goes out as it is.
    pub(super) fn spoilt(mut self, spoil: impl FnOnce(&mut Value)) -> Response<OutgoingBody> {
        if let Body::Json(body) | Body::Laid(body, _) = &mut self.body {
            spoil(body);
        }
        self.sound()
    }

    /// The text of its JSON.
    pub(super) fn text(&self) -> String {
        match &self.body {
            Body::Json(body) => body.to_string(),
            Body::Laid(body, lay) => lay(body),
            Body::Html(text) => text.clone(),
            // Half of something long is as good as half of anything.
            Body::Empty | Body::Bytes(_) | Body::Chunks(_) => "[{\"id\": 1}, {\"id\": 2}]".to_owned(),
        }
    }

    #[must_use]
    pub(crate) fn with(mut self, violations: Vec<RequestViolation>) -> Self {
        self.violations.extend(violations);
        self
    }
}

const JSON: &str = "application/json;charset=utf-8";

pub(crate) fn json(status: u16, body: &Value) -> Response<OutgoingBody> {
    respond(status, Some(JSON), whole(body.to_string()))
}

pub(crate) fn with_retry_after(mut response: Response<OutgoingBody>, wait: Option<Duration>) -> Response<OutgoingBody> {
    if let Some(wait) = wait {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(wait.as_secs()));
    }
    response
}

pub(crate) fn html() -> Response<OutgoingBody> {
    respond(200, Some("text/html"), whole("<!doctype html><title>Just a moment…</title><p>Checking your browser."))
}

/// A page on which people log in, as a proxy or the service's own web page has it.
pub(crate) fn login() -> Response<OutgoingBody> {
    let mut response = respond(302, None, whole(""));
    response.headers_mut().insert(LOCATION, HeaderValue::from_static("/login?returnUrl=%2F"));
    response
}

pub(crate) fn nothing() -> Response<OutgoingBody> {
    respond(200, Some(JSON), whole(""))
}

/// Half of the text, sent as if it were all.
pub(crate) fn truncated(reply: &Reply) -> Response<OutgoingBody> {
    respond(reply.status, Some(JSON), whole(first_half(&reply.text())))
}

pub(crate) fn cut_off(reply: &Reply) -> Response<OutgoingBody> {
    let text = reply.text();
    // The error after the half is what makes hyper drop the connection.
    let chunks = [Ok(Frame::data(first_half(&text))), Err(io::ErrorKind::ConnectionAborted.into())];
    announced(reply.status, &text, StreamBody::new(stream::iter(chunks)).boxed_unsync())
}

/// Half of the text, and then neither more nor an end.
pub(crate) fn stuck_midway(reply: &Reply) -> Response<OutgoingBody> {
    let text = reply.text();
    let half = stream::iter([Ok(Frame::data(first_half(&text)))]);
    announced(reply.status, &text, StreamBody::new(half.chain(stream::pending())).boxed_unsync())
}

fn first_half(text: &str) -> Bytes {
    Bytes::copy_from_slice(&text.as_bytes()[..text.len() / 2])
}

fn announced(status: u16, text: &str, body: OutgoingBody) -> Response<OutgoingBody> {
    let mut response = respond(status, Some(JSON), body);
    response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(text.len()));
    response
}

/// Made as it is read, and without its length, so that the client has to notice by itself.
pub(crate) fn huge(n_bytes: u64) -> Response<OutgoingBody> {
    const CHUNK: &[u8] = &[b'a'; 16 * 1024];
    let chunks = (0..n_bytes.div_ceil(CHUNK.len() as u64)).map(|at| match at {
        0 => Ok(Frame::data(Bytes::from_static(b"{\"results\":\""))),
        _ => Ok(Frame::data(Bytes::from_static(CHUNK))),
    });
    respond(200, Some(JSON), StreamBody::new(stream::iter(chunks)).boxed_unsync())
}

fn whole(text: impl Into<Bytes>) -> OutgoingBody {
    Full::new(text.into()).map_err(|never: Infallible| match never {}).boxed_unsync()
}

fn respond(status: u16, content_type: Option<&'static str>, body: OutgoingBody) -> Response<OutgoingBody> {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if let Some(content_type) = content_type {
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    response
}
