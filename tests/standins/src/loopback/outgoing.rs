//! Answers on their way out, sound and broken.

use std::{convert::Infallible, io, time::Duration};

use bytes::Bytes;
use futures_util::stream;
use http_body_util::{BodyExt, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::{
    Response, StatusCode,
    body::Frame,
    header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, RETRY_AFTER},
};
use serde_json::Value;

use super::RequestViolation;

pub(crate) type OutgoingBody = UnsyncBoxBody<Bytes, io::Error>;

/// What a service answers, and what was wrong with the question.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Value,
    pub(crate) violations: Vec<RequestViolation>,
}

impl Reply {
    pub(crate) fn ok(body: Value) -> Self {
        Self::new(200, body)
    }

    pub(crate) fn new(status: u16, body: Value) -> Self {
        Self { status, body, violations: Vec::new() }
    }

    #[must_use]
    pub(crate) fn with(mut self, violations: Vec<RequestViolation>) -> Self {
        self.violations.extend(violations);
        self
    }
}

pub(crate) fn json(status: u16, body: &Value) -> Response<OutgoingBody> {
    respond(status, "application/json;charset=utf-8", whole(body.to_string()))
}

pub(crate) fn with_retry_after(mut response: Response<OutgoingBody>, wait: Option<Duration>) -> Response<OutgoingBody> {
    if let Some(wait) = wait {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(wait.as_secs()));
    }
    response
}

pub(crate) fn html() -> Response<OutgoingBody> {
    respond(200, "text/html", whole("<!doctype html><title>Just a moment…</title><p>Checking your browser."))
}

pub(crate) fn cut_off(status: u16, body: &Value) -> Response<OutgoingBody> {
    let text = body.to_string();
    let half = Bytes::copy_from_slice(&text.as_bytes()[..text.len() / 2]);
    // The error after the half is what makes hyper drop the connection.
    let chunks = [Ok(Frame::data(half)), Err(io::ErrorKind::ConnectionAborted.into())];
    let body = StreamBody::new(stream::iter(chunks)).boxed_unsync();
    let mut response = respond(status, "application/json;charset=utf-8", body);
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
    respond(200, "application/json;charset=utf-8", StreamBody::new(stream::iter(chunks)).boxed_unsync())
}

fn whole(text: impl Into<Bytes>) -> OutgoingBody {
    Full::new(text.into()).map_err(|never: Infallible| match never {}).boxed_unsync()
}

fn respond(status: u16, content_type: &'static str, body: OutgoingBody) -> Response<OutgoingBody> {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
