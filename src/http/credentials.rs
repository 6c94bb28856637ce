//! The bearer key of a request.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, WWW_AUTHENTICATE};
use actix_web::{HttpRequest, HttpResponse};
use jiff::Timestamp;
use playhouse_house::{CredentialUse, KeyRefusal, KeyRing, Principal, UsedVia};

use super::detail;

/// The challenge of a 401. It names no metadata while there is no authorization server: a client that finds one would ignore the key it
/// was given and go looking for a way to sign in.
const CHALLENGE: &str = r#"Bearer realm="playhouse", error="invalid_token""#;

/// The token of `Authorization: Bearer <token>`. Keys are taken from nowhere else: in an address they would end up in logs.
///
/// # Errors
/// [`KeyRefusal::Missing`] when there is no such header or it has another scheme; [`KeyRefusal::Invalid`] when it is not text.
pub fn bearer(headers: &HeaderMap) -> Result<&str, KeyRefusal> {
    let value = headers.get(AUTHORIZATION).ok_or(KeyRefusal::Missing)?.to_str().map_err(|_| KeyRefusal::Invalid)?;
    let (scheme, token) = value.trim().split_once(' ').ok_or(KeyRefusal::Missing)?;
    if scheme.eq_ignore_ascii_case("bearer") { Ok(token.trim()) } else { Err(KeyRefusal::Missing) }
}

/// Says who calls, by the request's bearer key.
///
/// # Errors
/// As [`bearer`] and [`KeyRing::check`].
pub fn check_bearer(
    request: &HttpRequest,
    key_ring: &KeyRing,
    door: CredentialUse,
    via: UsedVia,
    now: Timestamp,
) -> Result<Arc<Principal>, KeyRefusal> {
    key_ring.check(bearer(request.headers())?, door, via, now)
}

/// The header that goes with every 401, whichever way it comes about.
pub fn challenge() -> (HeaderName, HeaderValue) {
    (WWW_AUTHENTICATE, HeaderValue::from_static(CHALLENGE))
}

/// The answer for a refused key: its status and sentence, with a challenge where the key itself is at fault.
pub fn key_refusal(refusal: &KeyRefusal) -> HttpResponse {
    let status = StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::UNAUTHORIZED);
    let mut response = detail(status, &refusal.to_string());
    if status == StatusCode::UNAUTHORIZED {
        let (name, value) = challenge();
        response.headers_mut().insert(name, value);
    }
    response
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn token_of(header: &str) -> Result<String, KeyRefusal> {
        let request = TestRequest::default().insert_header((AUTHORIZATION, header)).to_http_request();
        bearer(request.headers()).map(str::to_owned)
    }

    #[test]
    fn the_scheme_is_read_in_any_case() {
        assert_eq!(token_of("Bearer abc"), Ok("abc".to_owned()));
        assert_eq!(token_of("bearer  abc "), Ok("abc".to_owned()));
    }

    #[test]
    fn another_scheme_is_a_missing_key() {
        for header in ["Basic abc", "abc", "Bearer", ""] {
            assert_eq!(token_of(header), Err(KeyRefusal::Missing), "{header}");
        }
    }
}
