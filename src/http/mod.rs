//! What every door needs of HTTP: the `{"detail"}` refusal, the bearer key, JSON bodies with a cap.

mod body;
mod credentials;
mod refusal;

pub use body::{BodyError, check_announced_size, is_json, read_body};
pub use credentials::{bearer, challenge, check_bearer, key_refusal};
pub use refusal::{FieldError, MAX_SMALL_BODY_BYTES, Refusal, body_within, sentence, small_body, small_json};

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, HeaderValue};
use serde_json::json;

/// A refusal as every door gives it: the status and `{"detail": "<sentence>"}`.
pub fn detail(status: StatusCode, sentence: &str) -> HttpResponse {
    HttpResponse::build(status).json(json!({ "detail": sentence }))
}

/// The answer for a method that an address does not take.
pub fn method_not_allowed(allowed: &'static str) -> HttpResponse {
    let mut response = detail(StatusCode::METHOD_NOT_ALLOWED, &format!("This address takes {allowed}."));
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    response
}

/// The answer for an address that nothing is served at.
pub async fn not_found() -> HttpResponse {
    detail(StatusCode::NOT_FOUND, "Not found.")
}
