//! The refusal, and how it is said over HTTP: one place for all limits.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, RETRY_AFTER};
use actix_web::{HttpResponse, ResponseError};

use crate::http;

/// The allowance is used up. Answered as 429 with `Retry-After` and `{"detail": …}`, which a TV shows as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Too many requests. Try again in {}.", seconds(*retry_after_seconds))]
pub struct TooMany {
    /// After this many whole seconds, at least 1, one more request is let through.
    pub retry_after_seconds: u64,
}

impl TooMany {
    /// Rounded up, so that a client which waits as told is let through.
    pub(super) fn after(wait: Duration) -> Self {
        let part = u64::from(wait.subsec_nanos() > 0);
        TooMany { retry_after_seconds: (wait.as_secs() + part).max(1) }
    }
}

fn seconds(number: u64) -> String {
    if number == 1 { "1 second".to_owned() } else { format!("{number} seconds") }
}

impl ResponseError for TooMany {
    fn status_code(&self) -> StatusCode {
        StatusCode::TOO_MANY_REQUESTS
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = http::detail(self.status_code(), &self.to_string());
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(self.retry_after_seconds));
        response
    }
}
