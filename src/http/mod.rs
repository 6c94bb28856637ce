//! What every door needs of HTTP: the `{"detail"}` refusal, the bearer key, JSON bodies with a cap.

mod body;
mod credentials;

pub use body::{BodyError, check_announced_size, is_json, read_body};
pub use credentials::{bearer, check_bearer, key_refusal};

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use serde_json::json;

/// A refusal as every door gives it: the status and `{"detail": "<sentence>"}`.
pub fn detail(status: StatusCode, sentence: &str) -> HttpResponse {
    HttpResponse::build(status).json(json!({ "detail": sentence }))
}

/// The answer for an address that nothing is served at.
pub async fn not_found() -> HttpResponse {
    detail(StatusCode::NOT_FOUND, "Not found.")
}
