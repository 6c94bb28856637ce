//! What the addresses for a house's admins share: who is let in, the numbers in their addresses, and the form of an answer.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, ContentType, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use playhouse_house::{CredentialUse, KeyRefusal, Principal, Role, Scope, UsedVia};
use serde::Serialize;

use super::RestServices;
use crate::http::{Refusal, check_bearer};

/// The caller of a request, who may manage their house.
pub(super) fn admit(request: &HttpRequest, door: &RestServices) -> Result<Arc<Principal>, Refusal> {
    let now = (door.clock)();
    let principal = check_bearer(request, &door.key_ring, CredentialUse::Assistant, UsedVia::Rest, now)?;
    check_admin(&principal)?;
    Ok(principal)
}

/// Refuses whoever may not manage their house.
pub(super) fn check_admin(principal: &Principal) -> Result<(), Refusal> {
    principal.require(Scope::HouseAdmin)?;
    if principal.engagement().is_some() {
        return Err(KeyRefusal::EngagementDoor.into());
    }
    match principal.role {
        Role::Admin => Ok(()),
        Role::User => Err(Refusal::new(StatusCode::FORBIDDEN, "Only an admin of the house may do this.")),
    }
}

/// The number that `what` is. One that is larger than any there can be is one that nobody has.
pub(super) fn number(what: &str, text: &str) -> Result<u64, Refusal> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Refusal::new(StatusCode::BAD_REQUEST, format!("{what} is a whole number, such as 7.")));
    }
    Ok(text.parse().unwrap_or(u64::MAX))
}

/// An answer that no cache keeps.
pub(super) fn answer(status: StatusCode, body: &impl Serialize) -> HttpResponse {
    unkept(HttpResponse::build(status).json(body))
}

/// A good answer of JSON that is encoded already, and that no cache keeps.
pub(super) fn answer_encoded(json: Vec<u8>) -> HttpResponse {
    unkept(HttpResponse::Ok().content_type(ContentType::json()).body(json))
}

fn unkept(mut response: HttpResponse) -> HttpResponse {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_digits_and_nothing_else() {
        assert_eq!(number("The id", "7").ok(), Some(7));
        assert_eq!(number("The id", "99999999999999999999999").ok(), Some(u64::MAX));
        for text in ["", "+7", "-7", "7.0", "seven", " 7", "٧"] {
            assert!(number("The id", text).is_err(), "{text}");
        }
    }
}
