//! `POST /pair/init`: a TV asks for a code to show.

use std::time::Duration;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use playhouse_bus::Deadline;
use playhouse_tv::{PairingActor, StartPairing, StartPairingError};
use serde_json::json;

use super::PairingServices;
use super::claim::{PAIRING_DEADLINE, STORE_RETRY_AFTER};
use crate::http::{Refusal, sentence, small_body};

/// When a full list of waiting TVs may have room again. The app does not heed it and tries again within 30 seconds.
const FULL_RETRY_AFTER: Duration = Duration::from_secs(60);

/// The app sends `{}`. Whatever a small body says is ignored, so that a later app may say more.
pub(super) async fn init(
    request: HttpRequest,
    payload: Payload,
    services: Data<PairingServices>,
) -> Result<HttpResponse, Refusal> {
    services.limits.pair_init.check(services.limits.client_of(&request))?;
    small_body(&request, payload).await?;
    let started = services.bus.call(PairingActor::KEY, StartPairing {}, Deadline::after(PAIRING_DEADLINE)).await?;
    let started = started.map_err(|error| {
        let words = sentence(&error.to_string());
        match error {
            StartPairingError::TooMany => Refusal::later(words, FULL_RETRY_AFTER),
            StartPairingError::Store { .. } => Refusal::later(words, STORE_RETRY_AFTER),
        }
    })?;
    // The code goes out as a string: a leading zero has to survive.
    let answer = json!({
        "code": started.code.digits(),
        "token": started.token.reveal(),
        "expires_at": started.expires_at,
    });
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(answer))
}
