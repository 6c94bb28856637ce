//! What the small HTTP doors share: reading a small body, and the one shape in which they refuse.
//!
//! Every refusal is `{"detail": "<sentence>"}`; one about fields adds `"errors": [{"field", "message"}]`. The sentence is for whoever
//! called, short enough to be read on a TV, which shows the raw body of a refusal on its screen.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, ResponseError, web};
use playhouse_bus::CallError;
use playhouse_house::KeyRefusal;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The largest body that a small door takes, in bytes. The largest honest one is a waiting-list note.
pub const MAX_SMALL_BODY_BYTES: usize = 4 * 1024;

/// How long a small body may take to arrive. A client that trickles it would keep a connection for nothing.
const BODY_DEADLINE: Duration = Duration::from_secs(10);

/// A door's no: status, sentence, and what the caller can do with it.
#[derive(Debug, thiserror::Error)]
#[error("{detail}")]
pub struct Refusal {
    status: StatusCode,
    detail: String,
    errors: Vec<FieldError>,
    retry_after: Option<Duration>,
    allow: Option<&'static str>,
}

/// What is wrong with one field of a body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldError {
    /// The field's name.
    pub field: String,
    /// What was expected of it.
    pub message: String,
}

impl Refusal {
    /// Refuses with `status` and a sentence for the caller.
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Refusal { status, detail: detail.into(), errors: Vec::new(), retry_after: None, allow: None }
    }

    /// Refuses a body whose fields are not as they have to be (422).
    pub fn fields(errors: Vec<FieldError>) -> Self {
        let detail = match errors.first() {
            Some(FieldError { field, message }) => format!("{field}: {message}."),
            None => "The body is not as it has to be.".to_owned(),
        };
        Refusal { errors, ..Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, detail) }
    }

    /// Refuses one field (422).
    pub fn field(field: &str, message: impl ToString) -> Self {
        Refusal::fields(vec![FieldError { field: field.to_owned(), message: message.to_string() }])
    }

    /// Adds when trying again is worth it.
    pub fn retry_after(self, wait: Duration) -> Self {
        Refusal { retry_after: Some(wait), ..self }
    }
}

/// A wait in the whole seconds of a `Retry-After` header, rounded up and never zero.
fn header_seconds(wait: Duration) -> u64 {
    u64::try_from(wait.as_millis().div_ceil(1_000)).unwrap_or(u64::MAX).max(1)
}

impl ResponseError for Refusal {
    fn status_code(&self) -> StatusCode {
        self.status
    }

    fn error_response(&self) -> HttpResponse {
        #[derive(Serialize)]
        struct Body<'a> {
            detail: &'a str,
            #[serde(skip_serializing_if = "<[FieldError]>::is_empty")]
            errors: &'a [FieldError],
        }
        let mut response = HttpResponse::build(self.status);
        response.insert_header((header::CACHE_CONTROL, "no-store"));
        if self.status == StatusCode::UNAUTHORIZED {
            response.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
        }
        if let Some(wait) = self.retry_after {
            response.insert_header((header::RETRY_AFTER, header_seconds(wait)));
        }
        if let Some(methods) = self.allow {
            response.insert_header((header::ALLOW, methods));
        }
        response.json(Body { detail: &self.detail, errors: &self.errors })
    }
}

impl From<KeyRefusal> for Refusal {
    fn from(refusal: KeyRefusal) -> Self {
        let status = StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::UNAUTHORIZED);
        Refusal::new(status, refusal.to_string())
    }
}

impl From<CallError> for Refusal {
    fn from(error: CallError) -> Self {
        let (status, wait) = match &error {
            CallError::Busy { retry_after, .. } | CallError::Parked { retry_after, .. } => {
                (StatusCode::SERVICE_UNAVAILABLE, Some(*retry_after))
            }
            CallError::Closing => (StatusCode::SERVICE_UNAVAILABLE, Some(Duration::from_secs(5))),
            CallError::Deadline { .. } => (StatusCode::GATEWAY_TIMEOUT, None),
            CallError::Panicked { .. } => (StatusCode::INTERNAL_SERVER_ERROR, None),
            CallError::NotFound => (StatusCode::NOT_FOUND, None),
            CallError::NotServed { .. } => (StatusCode::NOT_IMPLEMENTED, None),
        };
        Refusal { retry_after: wait, ..Refusal::new(status, sentence(&error.to_string())) }
    }
}

/// An error's words as a sentence of their own: a capital at the front and a full stop at the end.
pub fn sentence(words: &str) -> String {
    let mut characters = words.chars();
    let Some(first) = characters.next() else { return String::new() };
    let mut text: String = first.to_uppercase().chain(characters).collect();
    if !text.ends_with(['.', '!', '?', '`']) {
        text.push('.');
    }
    text
}

/// The key that a request presents as `Authorization: Bearer …`, if it presents one.
///
/// A header of another scheme, or one that is not text, is a key refused rather than no key: whoever sends it means to identify.
///
/// # Errors
/// [`KeyRefusal::Missing`] for another scheme.
pub fn bearer(request: &HttpRequest) -> Result<Option<&str>, KeyRefusal> {
    let Some(value) = request.headers().get(header::AUTHORIZATION) else { return Ok(None) };
    let text = value.to_str().map_err(|_| KeyRefusal::Invalid)?;
    let (scheme, key) = text.split_once(' ').unwrap_or((text, ""));
    if scheme.eq_ignore_ascii_case("bearer") { Ok(Some(key.trim())) } else { Err(KeyRefusal::Missing) }
}

/// Reads a body of at most [`MAX_SMALL_BODY_BYTES`].
///
/// # Errors
/// 413 when it is larger, 408 when it does not arrive, 400 when the connection breaks it off.
pub async fn small_body(payload: web::Payload) -> Result<web::Bytes, Refusal> {
    let too_large = || {
        let kib = MAX_SMALL_BODY_BYTES / 1024;
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, format!("Request body is larger than {kib} KB."))
    };
    match tokio::time::timeout(BODY_DEADLINE, payload.to_bytes_limited(MAX_SMALL_BODY_BYTES)).await {
        Err(_) => Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "The request body did not arrive in time.")),
        Ok(Err(_)) => Err(too_large()),
        Ok(Ok(Err(_))) => Err(Refusal::new(StatusCode::BAD_REQUEST, "The request body was broken off.")),
        Ok(Ok(Ok(body))) => Ok(body),
    }
}

/// Reads a small JSON body.
///
/// # Errors
/// 415 when it is not declared as JSON, those of [`small_body`], 400 when it is not JSON, 422 when it is not the JSON wanted.
pub async fn small_json<T: DeserializeOwned>(request: &HttpRequest, payload: web::Payload) -> Result<T, Refusal> {
    require_type(request, "application/json")?;
    let body = small_body(payload).await?;
    serde_json::from_slice(&body).map_err(|error| {
        if error.is_data() {
            Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, sentence(&error.to_string()))
        } else {
            Refusal::new(StatusCode::BAD_REQUEST, format!("The request body is not JSON: {error}."))
        }
    })
}

/// Refuses a body that is declared as something else.
///
/// # Errors
/// 415.
pub fn require_type(request: &HttpRequest, media_type: &str) -> Result<(), Refusal> {
    let declared = request.headers().get(header::CONTENT_TYPE).map(HeaderValue::to_str);
    let essence = match declared {
        Some(Ok(text)) => text.split(';').next().unwrap_or_default().trim(),
        Some(Err(_)) | None => "",
    };
    if essence.eq_ignore_ascii_case(media_type) {
        return Ok(());
    }
    let detail = format!("Send the body with the header `Content-Type: {media_type}`.");
    Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail))
}

/// Answers a method that the path does not have.
pub fn method_not_allowed(methods: &'static str) -> Refusal {
    let refusal = Refusal::new(StatusCode::METHOD_NOT_ALLOWED, format!("This address takes {methods} only."));
    Refusal { allow: Some(methods), ..refusal }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_wait_is_told_in_whole_seconds_and_never_as_zero() {
        for (millis, seconds) in [(0, 1), (1, 1), (1_000, 1), (1_001, 2), (59_500, 60)] {
            assert_eq!(header_seconds(Duration::from_millis(millis)), seconds, "{millis} ms");
        }
    }

    #[test]
    fn the_scheme_of_a_key_is_read_in_any_case() {
        let presented = |value: &str| {
            let request = TestRequest::default().insert_header((header::AUTHORIZATION, value)).to_http_request();
            bearer(&request).map(|key| key.map(str::to_owned))
        };
        assert_eq!(presented("Bearer ph_x"), Ok(Some("ph_x".to_owned())));
        assert_eq!(presented("bearer  ph_x "), Ok(Some("ph_x".to_owned())));
        assert_eq!(presented("Bearer"), Ok(Some(String::new())));
        assert_eq!(presented("Basic eDp5"), Err(KeyRefusal::Missing));
        assert_eq!(bearer(&TestRequest::default().to_http_request()), Ok(None));
    }

    #[test]
    fn an_error_becomes_a_sentence() {
        assert_eq!(sentence("no such code; ask the TV"), "No such code; ask the TV.");
        assert_eq!(sentence("Missing access key."), "Missing access key.");
        assert_eq!(sentence(""), "");
    }
}
