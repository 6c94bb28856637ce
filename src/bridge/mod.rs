//! `GET /bridge`: the WebSocket through which TVs dial in.
//!
//! ```text
//! TV ── bytes ──▶ Inbox ── messages ──▶ BridgeSession ── replies ──▶ Link ──▶ whoever waits for them
//!    ◀────────────────── frames ─────── BridgeSession ◀── frames ── Link ◀── TvActor
//! ```
//!
//! What the app can bear is narrow, and it can not be told anything but by refusing or closing:
//! - a token that is unclaimed, unknown or revoked is a 401 before the upgrade, which the app answers by trying again for ever;
//! - the newest socket of a TV wins;
//! - only close codes that the app's WebSocket library can echo are used ([`CloseReason`](playhouse_tv::CloseReason));
//! - a missing pong proves nothing, since a proxy may swallow control frames; only frames count (`pulse.rs`).

mod gate;
mod inbox;
mod manners;
mod pulse;
mod session;
mod sockets;

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::web::{self, Data, Payload, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use actix_web_actors::ws;
use playhouse_bus::{Bus, Deadline};
use playhouse_house::{Caller, Clock, CredentialUse, KeyRefusal, KeyRing, KeyText, UsedVia};
use playhouse_tv::{Links, NotePoll, PairingActor};

use self::session::Holder;
use self::sockets::Places;
use crate::config;
use crate::http::Refusal;
use crate::http::{bearer, check_bearer, method_not_allowed};

/// What a TV is told when no socket is free; the app tries again within 30 seconds by itself.
const FULL_RETRY_AFTER: Duration = Duration::from_secs(30);

/// How long noting a poll may take. It happens in memory; the TV polls again in two seconds anyway.
const POLL_DEADLINE: Duration = Duration::from_secs(2);

/// What the bridge's door works with.
#[derive(Clone)]
pub struct BridgeServices {
    /// The way to the TVs' actors and to pairing.
    pub bus: Bus,
    /// The credentials in memory.
    pub key_ring: KeyRing,
    /// The time of day.
    pub clock: Clock,
    /// The sockets that this node holds.
    pub links: Links,
    places: Places,
    probe_interval: Duration,
    max_frame_bytes: usize,
}

impl BridgeServices {
    /// The door as configured.
    pub fn new(bus: Bus, key_ring: KeyRing, clock: Clock, links: Links, bridge: &config::Bridge) -> Self {
        BridgeServices {
            bus,
            key_ring,
            clock,
            links,
            places: Places::new(bridge.max_sockets),
            probe_interval: bridge.probe_interval(),
            max_frame_bytes: bridge.max_frame_bytes(),
        }
    }
}

/// Adds the door.
pub fn routes(services: BridgeServices) -> impl FnOnce(&mut ServiceConfig) {
    move |config| {
        config.app_data(Data::new(services)).service(
            web::resource("/bridge")
                .route(web::get().to(dial_in))
                .default_service(web::to(|| async { method_not_allowed("GET") })),
        );
    }
}

/// A token that opens nothing may belong to a TV whose code is on its screen. Its polls keep the code alive; the answer to them is the
/// same as to any other token.
async fn note_poll(services: &BridgeServices, request: &HttpRequest) {
    let Ok(Ok(KeyText { id, secret_hash, .. })) = bearer(request.headers()).map(KeyText::parse) else { return };
    let poll = NotePoll { token: id, secret_hash };
    if let Err(error) = services.bus.call(PairingActor::KEY, poll, Deadline::after(POLL_DEADLINE)).await {
        tracing::debug!(token = %id, %error, "a poll was not noted; the tv polls again in a moment");
    }
}

async fn dial_in(
    request: HttpRequest,
    payload: Payload,
    services: Data<BridgeServices>,
) -> Result<HttpResponse, Refusal> {
    let now = (services.clock)();
    let principal = match check_bearer(&request, &services.key_ring, CredentialUse::Bridge, UsedVia::Bridge, now) {
        Ok(principal) => principal,
        Err(refusal) => {
            note_poll(&services, &request).await;
            return Err(refusal.into());
        }
    };
    let Caller::Tv(tv) = principal.caller else { return Err(KeyRefusal::Invalid.into()) };
    let mut response = ws::handshake(&request).map_err(|_| {
        Refusal::new(StatusCode::UPGRADE_REQUIRED, "Connect to this address with a WebSocket, version 13.")
    })?;
    let place = services
        .places
        .take()
        .ok_or_else(|| Refusal::later("This relay has no room for another TV right now.", FULL_RETRY_AFTER))?;
    let holder = Holder { house: principal.house, tv, credential: principal.credential };
    let frames = services.links.open(tv, now);
    Ok(response.streaming(session::start(services, holder, payload, frames, place)))
}
