//! The office's answers as HTTP: its documents are bodies already, and its refusals have their status.

use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH, LOCATION, RETRY_AFTER,
};
use actix_web::{HttpResponse, HttpResponseBuilder};
use playhouse_production::{Document, OfficeRefusal, Written};

use crate::http;

/// What a private document may be kept for: anything, if it is asked for again each time whether it is still so.
const REVALIDATE: HeaderValue = HeaderValue::from_static("private, no-cache");

/// A document, or 304 where the client has it already.
pub(super) fn document(document: &Document, headers: &HeaderMap) -> HttpResponse {
    let status = if is_known(headers, &document.etag) { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
    let mut response = HttpResponse::build(status);
    response.insert_header((ETAG, document.etag.as_str())).insert_header((CACHE_CONTROL, REVALIDATE));
    if status == StatusCode::NOT_MODIFIED { response.finish() } else { json(&mut response, document) }
}

/// What a write made, or had made before.
pub(super) fn written(written: &Written, base: &str) -> HttpResponse {
    let mut response = HttpResponse::build(StatusCode::from_u16(written.status).unwrap_or(StatusCode::OK));
    if let Some(location) = &written.location {
        response.insert_header((LOCATION, format!("{base}{location}")));
    }
    if written.replayed {
        response.insert_header(("Idempotent-Replay", "true"));
    }
    json(&mut response, &written.document)
}

fn json(response: &mut HttpResponseBuilder, document: &Document) -> HttpResponse {
    response.insert_header((CONTENT_TYPE, "application/json")).body(document.bytes())
}

/// A refusal, in the bytes that the other door sends too.
pub(super) fn refusal(refusal: &OfficeRefusal) -> HttpResponse {
    let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = HttpResponse::build(status);
    if status == StatusCode::UNAUTHORIZED {
        // A key that was good when the request came in and died meanwhile.
        response.insert_header(http::challenge());
    }
    if let Some(seconds) = refusal.retry_after_seconds {
        response.insert_header((RETRY_AFTER, seconds.to_string()));
    }
    // A tool's refusal is written in one place, so that both doors send the same bytes.
    let body = playhouse_tools::Refusal::from(refusal.clone()).body();
    let mut response = response.insert_header((CONTENT_TYPE, "application/json")).body(body);
    if is_unread(status) {
        // What is left of the body is not worth reading for the sake of the connection.
        response.head_mut().set_connection_type(actix_web::http::ConnectionType::Close);
    }
    response
}

/// Whether a refusal usually comes before the body was read to its end.
fn is_unread(status: StatusCode) -> bool {
    matches!(status, StatusCode::PAYLOAD_TOO_LARGE | StatusCode::REQUEST_TIMEOUT | StatusCode::INSUFFICIENT_STORAGE)
}

/// Whether `If-None-Match` names this entity tag. Tags are compared weakly, as the standard has it for reads.
pub(super) fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    let named =
        headers.get_all(IF_NONE_MATCH).filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    named.map(str::trim).any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_known_among_others_weak_or_by_the_star() {
        let known = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(IF_NONE_MATCH, HeaderValue::from_static(value));
            is_known(&headers, "\"a\"")
        };
        assert!(known("\"a\"") && known("\"b\", W/\"a\"") && known("*"));
        assert!(!known("\"b\"") && !known("a") && !known(""));
        assert!(!is_known(&HeaderMap::new(), "\"a\""));
    }
}
