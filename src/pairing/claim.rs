//! Claiming a TV by the code it shows: `POST /pair/claim`, and what it shares with the page.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use playhouse_bus::{CallError, Deadline};
use playhouse_house::{CredentialUse, KeyRefusal, Scope, UsedVia};
use playhouse_tv::{
    ClaimError, ClaimInto, ClaimTv, ClaimedTv, DeviceName, DeviceNameFault, MalformedPairingCode, PairingActor,
    PairingCode,
};
use serde::Deserialize;
use serde_json::json;

use super::PairingServices;
use crate::http::bearer;
use crate::http::{Refusal, sentence, small_json};
use crate::limits::{ClientAddress, TooMany};

/// How long pairing's actor may take. Claiming writes a house, a TV and two tokens.
pub(super) const PAIRING_DEADLINE: Duration = Duration::from_secs(10);

/// When a store in trouble may take changes again.
pub(super) const STORE_RETRY_AFTER: Duration = Duration::from_secs(5);

/// What somebody wants to claim.
pub(super) struct ClaimOrder<'a> {
    /// The code as it was typed.
    pub(super) code: &'a str,
    /// The TV's name as it was typed; empty or absent: the house's next free default.
    pub(super) name: Option<&'a str>,
    /// Whether the TV is the house's TV of that name already, and only the app on it was reset.
    pub(super) again: bool,
    /// The access key that was presented.
    pub(super) key: Option<&'a str>,
}

/// Why a TV was not claimed. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub(super) enum ClaimRefusal {
    /// Too many claims, or too many wrong codes.
    #[error("{0}")]
    TooMany(#[from] TooMany),
    /// The key does not do.
    #[error("{0}")]
    Key(KeyRefusal),
    /// No key, and the operator wants one.
    #[error("Missing access key. Claiming a TV on this instance takes a key with the 'house:admin' scope.")]
    KeyNeeded,
    /// A TV can be paired again only in a house that the caller administers.
    #[error("Missing access key. Pairing a TV again takes a key of its house with the 'house:admin' scope.")]
    KeyNeededToPairAgain,
    /// A TV is paired again under its name.
    #[error("Give the name of the TV that is paired again.")]
    NameNeeded,
    /// What was typed cannot be a code.
    #[error("{}", sentence(&.0.to_string()))]
    Code(#[from] MalformedPairingCode),
    /// What was typed cannot be a name.
    #[error("{}", sentence(&.0.to_string()))]
    Name(#[from] DeviceNameFault),
    /// Pairing's actor refused.
    #[error("{}", sentence(&.0.to_string()))]
    Claim(#[from] ClaimError),
    /// Pairing's actor could not be asked.
    #[error("{}", sentence(&.0.to_string()))]
    Call(#[from] CallError),
}

impl ClaimRefusal {
    /// The field of the form or body that it is about.
    pub(super) fn field(&self) -> Option<Field> {
        match self {
            ClaimRefusal::Key(_) | ClaimRefusal::KeyNeeded | ClaimRefusal::KeyNeededToPairAgain => Some(Field::Key),
            ClaimRefusal::Code(_) | ClaimRefusal::Claim(ClaimError::UnknownCode | ClaimError::AlreadyClaimed) => {
                Some(Field::Code)
            }
            ClaimRefusal::Name(_)
            | ClaimRefusal::NameNeeded
            | ClaimRefusal::Claim(ClaimError::NameTaken { .. } | ClaimError::NoSuchTv) => Some(Field::Name),
            ClaimRefusal::TooMany(_)
            | ClaimRefusal::Claim(
                ClaimError::TooManyWrongCodes { .. } | ClaimError::Full { .. } | ClaimError::Store { .. },
            )
            | ClaimRefusal::Call(_) => None,
        }
    }
}

/// A field of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    /// `code`.
    Code,
    /// `device_id`.
    Name,
    /// The key.
    Key,
}

impl From<ClaimRefusal> for Refusal {
    fn from(refusal: ClaimRefusal) -> Self {
        let text = refusal.to_string();
        match refusal {
            ClaimRefusal::TooMany(too_many) => too_many.into(),
            ClaimRefusal::Key(key) => key.into(),
            ClaimRefusal::KeyNeeded | ClaimRefusal::KeyNeededToPairAgain => {
                Refusal::new(StatusCode::UNAUTHORIZED, text)
            }
            ClaimRefusal::NameNeeded => Refusal::field("device_id", &"give the name of the TV that is paired again"),
            ClaimRefusal::Code(fault) => Refusal::field("code", &fault),
            ClaimRefusal::Name(fault) => Refusal::field("device_id", &fault),
            ClaimRefusal::Claim(ClaimError::Store { .. }) => Refusal::later(text, STORE_RETRY_AFTER),
            ClaimRefusal::Claim(ClaimError::TooManyWrongCodes { retry_after_seconds }) => {
                Refusal::later(text, Duration::from_secs(retry_after_seconds))
            }
            ClaimRefusal::Claim(ClaimError::UnknownCode | ClaimError::NoSuchTv) => {
                Refusal::new(StatusCode::NOT_FOUND, text)
            }
            ClaimRefusal::Claim(
                ClaimError::AlreadyClaimed | ClaimError::NameTaken { .. } | ClaimError::Full { .. },
            ) => Refusal::new(StatusCode::CONFLICT, text),
            ClaimRefusal::Call(error) => error.into(),
        }
    }
}

/// Claims a TV.
///
/// The order of the checks is the same for body and form: allowance, key, scope, fields, code. A wrong code is paid for before it is
/// tried; whatever turns out to be no guess is paid back.
pub(super) async fn claim_tv(
    services: &PairingServices,
    client: ClientAddress,
    order: ClaimOrder<'_>,
) -> Result<ClaimedTv, ClaimRefusal> {
    let into = destination(services, &order)?;
    let code: PairingCode = order.code.parse()?;
    let name = match order.name.map(str::trim) {
        None | Some("") => None,
        Some(name) => Some(name.parse::<DeviceName>()?),
    };
    if order.again && name.is_none() {
        return Err(ClaimRefusal::NameNeeded);
    }
    let attempt = services.limits.failed_claims.begin(client)?;
    let claim = ClaimTv { code, name, into };
    let outcome = services.bus.call(PairingActor::KEY, claim, Deadline::after(PAIRING_DEADLINE)).await;
    match outcome {
        Ok(Err(ClaimError::UnknownCode)) => drop(attempt),
        Ok(_) | Err(_) => attempt.was_no_guess(),
    }
    Ok(outcome??)
}

/// Where the TV goes, by the key that was presented or for want of one.
fn destination(services: &PairingServices, order: &ClaimOrder<'_>) -> Result<ClaimInto, ClaimRefusal> {
    let Some(key) = order.key else {
        return match (order.again, services.open_pairing) {
            (true, _) => Err(ClaimRefusal::KeyNeededToPairAgain),
            (false, false) => Err(ClaimRefusal::KeyNeeded),
            (false, true) => Ok(ClaimInto::NewHouse),
        };
    };
    let principal = services.key_ring.check(key, CredentialUse::Assistant, UsedVia::Rest, (services.clock)());
    let principal = principal.map_err(ClaimRefusal::Key)?;
    principal.require(Scope::HouseAdmin).map_err(ClaimRefusal::Key)?;
    Ok(if order.again { ClaimInto::Again(principal.house) } else { ClaimInto::House(principal.house) })
}

/// The body of `POST /pair/claim`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimBody {
    code: String,
    #[serde(default)]
    device_id: Option<String>,
    /// The TV is this house's `device_id` already; the app on it was reset.
    #[serde(default)]
    again: bool,
}

pub(super) async fn claim(
    request: HttpRequest,
    payload: Payload,
    services: Data<PairingServices>,
) -> Result<HttpResponse, Refusal> {
    let client = services.limits.client_of(&request);
    services.limits.pair_claim.check(client)?;
    let body: ClaimBody = small_json(&request, payload).await?;
    let key = match bearer(request.headers()) {
        Ok(key) => Some(key),
        // Another scheme is somebody who means to identify; only a request without the header comes without a key.
        Err(refusal) if request.headers().contains_key(actix_web::http::header::AUTHORIZATION) => {
            return Err(refusal.into());
        }
        Err(_) => None,
    };
    let order = ClaimOrder { code: &body.code, name: body.device_id.as_deref(), again: body.again, key };
    let claimed = claim_tv(&services, client, order).await?;
    let answer = json!({
        "device_id": claimed.name,
        "token": claimed.token.reveal(),
        "mcp_url": &*services.mcp_url,
        "house": { "id": claimed.house, "name": claimed.house_name },
    });
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(answer))
}
