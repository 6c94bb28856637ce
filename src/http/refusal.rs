//! A refusal as an error value, and small JSON bodies: for the doors whose answers are their own.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue, RETRY_AFTER};
use actix_web::{HttpRequest, HttpResponse, ResponseError, web};
use playhouse_bus::CallError;
use playhouse_house::KeyRefusal;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{BodyError, challenge, is_json, key_refusal, read_body};
use crate::limits::TooMany;

/// The largest body that a small door takes, in bytes. The largest honest one is a waiting-list note.
pub const MAX_SMALL_BODY_BYTES: usize = 4 * 1024;

/// How long a small body may take to arrive. A client that trickles it would keep a connection for nothing.
const BODY_DEADLINE: Duration = Duration::from_secs(10);

/// A door's no, answered as `{"detail": "<sentence>"}`; one about fields adds `"errors": [{"field", "message"}]`.
///
/// The sentence is for whoever called, and short: a TV shows the raw body of a refusal on its screen.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Status and sentence.
    #[error("{detail}")]
    Plain {
        /// The status.
        status: StatusCode,
        /// The sentence.
        detail: String,
        /// When trying again is worth it.
        retry_after: Option<Duration>,
    },
    /// Fields that are not as they have to be: 422.
    #[error("{}", fields_sentence(.0))]
    Fields(Vec<FieldError>),
    /// The key does not open this door.
    #[error(transparent)]
    Key(#[from] KeyRefusal),
    /// The client address came too often.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// The body could not be read.
    #[error(transparent)]
    Body(#[from] BodyError),
}

/// What is wrong with one field of a body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldError {
    /// The field's name.
    pub field: String,
    /// What was expected of it.
    pub message: String,
}

fn fields_sentence(errors: &[FieldError]) -> String {
    match errors.first() {
        Some(FieldError { field, message }) => format!("{field}: {message}."),
        None => "The body is not as it has to be.".to_owned(),
    }
}

impl Refusal {
    /// Refuses with `status` and a sentence for the caller.
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Refusal::Plain { status, detail: detail.into(), retry_after: None }
    }

    /// Refuses for now (503), with the time after which trying again is worth it.
    pub fn later(detail: impl Into<String>, wait: Duration) -> Self {
        Refusal::Plain { status: StatusCode::SERVICE_UNAVAILABLE, detail: detail.into(), retry_after: Some(wait) }
    }

    /// Refuses one field (422).
    pub fn field(field: &str, message: &dyn std::fmt::Display) -> Self {
        Refusal::Fields(vec![FieldError { field: field.to_owned(), message: message.to_string() }])
    }
}

impl ResponseError for Refusal {
    fn status_code(&self) -> StatusCode {
        match self {
            Refusal::Plain { status, .. } => *status,
            Refusal::Fields(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Refusal::Key(refusal) => StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::UNAUTHORIZED),
            Refusal::TooMany(refusal) => refusal.status_code(),
            Refusal::Body(error) => error.response().status(),
        }
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = match self {
            Refusal::Plain { status, detail, .. } => super::detail(*status, detail),
            Refusal::Fields(errors) => HttpResponse::UnprocessableEntity()
                .json(serde_json::json!({ "detail": self.to_string(), "errors": errors })),
            Refusal::Key(refusal) => key_refusal(refusal),
            Refusal::TooMany(refusal) => refusal.error_response(),
            Refusal::Body(error) => error.response(),
        };
        if let Refusal::Plain { retry_after: Some(wait), .. } = self {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(header_seconds(*wait)));
        }
        if matches!(self, Refusal::Plain { status: StatusCode::UNAUTHORIZED, .. }) {
            // The same challenge as for a key that was refused.
            let (name, value) = challenge();
            response.headers_mut().insert(name, value);
        }
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }
}

/// A wait in the whole seconds of a `Retry-After` header, rounded up and never zero.
fn header_seconds(wait: Duration) -> u64 {
    u64::try_from(wait.as_millis().div_ceil(1_000)).unwrap_or(u64::MAX).max(1)
}

impl From<CallError> for Refusal {
    fn from(error: CallError) -> Self {
        let text = sentence(&error.to_string());
        match error {
            CallError::Busy { retry_after, .. } | CallError::Parked { retry_after, .. } => {
                Refusal::later(text, retry_after)
            }
            CallError::Closing => Refusal::later(text, Duration::from_secs(5)),
            CallError::Deadline { .. } => Refusal::new(StatusCode::GATEWAY_TIMEOUT, text),
            CallError::Panicked { .. } => Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, text),
            CallError::NotFound => Refusal::new(StatusCode::NOT_FOUND, text),
            CallError::NotServed { .. } => Refusal::new(StatusCode::NOT_IMPLEMENTED, text),
        }
    }
}

/// An error's words as a sentence of their own: a capital at the front and a full stop at the end.
pub fn sentence(words: &str) -> String {
    let mut characters = words.chars();
    let Some(first) = characters.next() else { return String::new() };
    let mut text: String = first.to_uppercase().chain(characters).collect();
    if !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    text
}

/// Reads a body of at most [`MAX_SMALL_BODY_BYTES`].
///
/// # Errors
/// As [`body_within`].
pub async fn small_body(request: &HttpRequest, payload: web::Payload) -> Result<web::Bytes, Refusal> {
    body_within(request, payload, MAX_SMALL_BODY_BYTES).await
}

/// Reads a body of at most `cap` bytes that comes in at once.
///
/// # Errors
/// 413 when it is larger, 408 when it does not arrive in time, 400 when it is broken off.
pub async fn body_within(request: &HttpRequest, payload: web::Payload, cap: usize) -> Result<web::Bytes, Refusal> {
    let body = tokio::time::timeout(BODY_DEADLINE, read_body(request, payload, cap)).await;
    body.map_err(|_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "The request body did not arrive in time."))?
        .map_err(Refusal::from)
}

/// Reads a small JSON body.
///
/// # Errors
/// 415 when it is not declared as JSON, those of [`small_body`], 400 when it is not JSON, 422 when it is not the JSON wanted.
pub async fn small_json<T: DeserializeOwned>(request: &HttpRequest, payload: web::Payload) -> Result<T, Refusal> {
    if !is_json(request) {
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "Send the body as application/json."));
    }
    let body = small_body(request, payload).await?;
    serde_json::from_slice(&body).map_err(|error| {
        if error.is_data() {
            Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, sentence(&error.to_string()))
        } else {
            Refusal::new(StatusCode::BAD_REQUEST, format!("The request body is not JSON: {error}."))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_told_in_whole_seconds_and_never_as_zero() {
        for (millis, seconds) in [(0, 1), (1, 1), (1_000, 1), (1_001, 2), (59_500, 60)] {
            assert_eq!(header_seconds(Duration::from_millis(millis)), seconds, "{millis} ms");
        }
    }

    #[test]
    fn an_error_becomes_a_sentence() {
        assert_eq!(sentence("no such code; ask the TV"), "No such code; ask the TV.");
        assert_eq!(sentence("Missing access key."), "Missing access key.");
        assert_eq!(sentence(""), "");
    }
}
