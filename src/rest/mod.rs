//! `/v1/…`: the REST door.

mod instances;
pub mod office;

use playhouse_bus::Bus;
use playhouse_house::{Clock, CredentialUse, KeyRing, Scope, UsedVia};

use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};

use crate::http;

/// What the door works with.
#[derive(Clone)]
pub struct RestServices {
    /// The actors.
    pub bus: Bus,
    /// The credentials in memory.
    pub key_ring: KeyRing,
    /// The time of day.
    pub clock: Clock,
}

/// Adds the door.
pub fn routes(services: RestServices) -> impl FnOnce(&mut ServiceConfig) {
    move |config| {
        config.app_data(Data::new(services)).service(
            web::resource("/v1/health/actors")
                .route(web::get().to(actor_health))
                .default_service(web::to(|| async { http::method_not_allowed("GET") })),
        );
        instances::routes(config);
    }
}

/// State, restarts, last cause, queue and latencies of every actor kind and every actor. Operator's keys only: it names houses by id.
async fn actor_health(request: HttpRequest, services: Data<RestServices>) -> HttpResponse {
    let now = (services.clock)();
    let principal = http::check_bearer(&request, &services.key_ring, CredentialUse::Assistant, UsedVia::Rest, now);
    match principal.and_then(|principal| principal.require(Scope::Operator)) {
        Ok(()) => HttpResponse::Ok().json(services.bus.health()),
        Err(refusal) => http::key_refusal(&refusal),
    }
}
