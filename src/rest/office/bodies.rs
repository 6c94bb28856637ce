//! JSON bodies of writes, and the `Idempotency-Key` that goes with them.

use actix_web::HttpRequest;
use actix_web::http::header::HeaderMap;
use actix_web::web::{Bytes, Payload};
use playhouse_production::OfficeRefusal;
use playhouse_production::media::ContentHash;
use playhouse_production::messages::{FieldError, Idempotency};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::http::{self, BodyError};

/// The largest JSON body.
pub(super) const MAX_JSON_BYTES: usize = 1024 * 1024;
/// How long a body may take to arrive that is kept in memory.
const BODY_DEADLINE: std::time::Duration = std::time::Duration::from_secs(60);
const MAX_KEY_CHARACTERS: usize = 100;

/// Reads a JSON object as `T`, and what makes the request the same as another.
///
/// # Errors
/// 415, 413, 408, 400, and 422 naming the field.
pub(super) async fn json<T: DeserializeOwned>(
    request: &HttpRequest,
    payload: Payload,
) -> Result<(T, Option<Idempotency>), OfficeRefusal> {
    if !http::is_json(request) {
        return Err(OfficeRefusal::new(415, "Send the body as application/json."));
    }
    let body = whole(request, payload, MAX_JSON_BYTES).await?;
    let value = serde_json::from_slice(&body).map_err(|error| match error.is_data() {
        true => misfit(&error.to_string()),
        false => OfficeRefusal::invalid(format!("The body is not JSON: {error}.")),
    })?;
    Ok((value, idempotency(request, &body)?))
}

/// Reads a body of at most `cap` bytes into memory.
///
/// # Errors
/// 413, 408, 400.
pub(super) async fn whole(request: &HttpRequest, payload: Payload, cap: usize) -> Result<Bytes, OfficeRefusal> {
    let body = tokio::time::timeout(BODY_DEADLINE, http::read_body(request, payload, cap)).await;
    let body = body.map_err(|_| OfficeRefusal::new(408, "The request body did not arrive in time."))?;
    body.map_err(|error| unread(&error))
}

/// A body that was not read, in the office's words.
pub(super) fn unread(error: &BodyError) -> OfficeRefusal {
    let status = match error {
        BodyError::TooLarge { .. } => 413,
        BodyError::Broken => 400,
    };
    OfficeRefusal::new(status, error.to_string())
}

/// The `Idempotency-Key` of a request with this body.
///
/// # Errors
/// 422 when it is not one.
pub(super) fn idempotency(request: &HttpRequest, body: &[u8]) -> Result<Option<Idempotency>, OfficeRefusal> {
    let Some(key) = idempotency_key(request.headers())? else { return Ok(None) };
    let mut hasher = Sha256::new();
    for part in [request.method().as_str().as_bytes(), request.uri().to_string().as_bytes(), body] {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part);
    }
    let request_sha256 = ContentHash::from_bytes(hasher.finalize().into()).to_string();
    Ok(Some(Idempotency { key, request_sha256 }))
}

/// The header alone, for requests whose body is compared otherwise.
///
/// # Errors
/// 422 when it is not 1 to 100 visible ASCII characters.
pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, OfficeRefusal> {
    let Some(key) = headers.get("idempotency-key") else { return Ok(None) };
    match key.to_str() {
        Ok(key) if (1..=MAX_KEY_CHARACTERS).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic()) => {
            Ok(Some(key.to_owned()))
        }
        _ => Err(OfficeRefusal::invalid("Idempotency-Key must be 1 to 100 visible ASCII characters.")),
    }
}

/// What serde says of a body that is JSON but not the one wanted, with the field where it names one.
fn misfit(words: &str) -> OfficeRefusal {
    let words = words.rsplit_once(" at line ").map_or(words, |(words, _)| words);
    let message = http::sentence(words);
    match words.split('`').nth(1) {
        Some(field) if words.contains("field") => OfficeRefusal::fields(&[FieldError::new(field, message)]),
        _ => OfficeRefusal::invalid(message),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn an_idempotency_key_is_short_visible_ascii() {
        let read = |value: &str| {
            let request = TestRequest::post().insert_header(("Idempotency-Key", value)).to_http_request();
            idempotency_key(request.headers()).map_err(|refusal| refusal.status)
        };
        assert_eq!(read("order-66"), Ok(Some("order-66".to_owned())));
        assert_eq!(read(&"x".repeat(100)), Ok(Some("x".repeat(100))));
        for wrong in ["", "two words", "ü", &"x".repeat(101)] {
            assert_eq!(read(wrong), Err(422), "{wrong}");
        }
        assert_eq!(idempotency_key(TestRequest::post().to_http_request().headers()), Ok(None));
    }

    #[test]
    fn the_same_key_stands_for_one_request_only() {
        let sum = |path: &str, body: &[u8]| {
            let request = TestRequest::post().uri(path).insert_header(("Idempotency-Key", "k")).to_http_request();
            idempotency(&request, body).unwrap().unwrap().request_sha256
        };
        assert_eq!(sum("/v1/assets", b"{}"), sum("/v1/assets", b"{}"));
        assert_ne!(sum("/v1/assets", b"{}"), sum("/v1/assets", b"{ }"));
        assert_ne!(sum("/v1/assets/1/notes", b"{}"), sum("/v1/assets/2/notes", b"{}"));
    }

    #[test]
    fn a_misfit_names_its_field() {
        let refusal = misfit("missing field `name` at line 1 column 2");
        assert_eq!(refusal.detail, "Missing field `name`.");
        assert_eq!(refusal.members["errors"][0]["field"], "name");
    }
}
