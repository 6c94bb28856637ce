//! How a TV comes into a house.
//!
//! ```text
//! TV  ── POST /pair/init ──▶ code and bridge token; the TV shows the code and dials `/bridge` until it is let in
//! you ── POST /pair/claim, or the page /claim ──▶ the TV is in your house; the assistant's own token, shown this once
//! ```
//!
//! With a `house:admin` key the TV goes into that key's house. Without a key it gets a house of its own, where the operator allows
//! that (`pairing.open_pairing`).
//!
//! All of it is limited by client address ([`crate::limits`]), wrong codes also over the whole instance.

mod claim;
mod client_lines;
mod form;
mod init;
mod page;

use std::sync::Arc;

use actix_web::web::{self, Data, ServiceConfig};
use playhouse_bus::Bus;
use playhouse_house::{Clock, KeyRing};

pub use client_lines::{ClientLine, client_lines};

use crate::http::{detail, method_not_allowed};
use crate::limits::Limits;

/// What pairing's doors work with.
#[derive(Clone)]
pub struct PairingServices {
    /// The way to pairing's actor.
    pub bus: Bus,
    /// The credentials in memory.
    pub key_ring: KeyRing,
    /// The time of day.
    pub clock: Clock,
    /// How often one address may come.
    pub limits: Arc<Limits>,
    /// Whether a TV may be claimed without a key.
    pub open_pairing: bool,
    /// The address that assistants are given.
    pub mcp_url: Arc<str>,
}

/// Adds the doors.
pub fn routes(services: PairingServices) -> impl FnOnce(&mut ServiceConfig) {
    let post_only = || async { method_not_allowed("POST") };
    let get_only = || async { method_not_allowed("GET") };
    let get_or_post = || async { method_not_allowed("GET, POST") };
    move |config| {
        config
            .app_data(Data::new(services))
            .service(web::resource("/pair/init").route(web::post().to(init::init)).default_service(web::to(post_only)))
            .service(
                web::resource("/pair/claim").route(web::post().to(claim::claim)).default_service(web::to(post_only)),
            )
            .service(
                web::resource("/claim")
                    .route(web::get().to(form::show))
                    .route(web::post().to(form::submit))
                    .default_service(web::to(get_or_post)),
            )
            .service(
                web::resource("/claim/style.css").route(web::get().to(page::style)).default_service(web::to(get_only)),
            )
            .service(
                web::resource("/claim/copy.js").route(web::get().to(page::script)).default_service(web::to(get_only)),
            )
            .service(
                web::resource("/bridge/update").route(web::get().to(no_update)).default_service(web::to(get_only)),
            );
    }
}

/// The app asks for its updates here, and takes only those signed with a certificate that is not ours.
async fn no_update() -> actix_web::HttpResponse {
    detail(actix_web::http::StatusCode::NOT_FOUND, "This relay offers no update of the bridge app.")
}
