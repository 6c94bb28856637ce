//! `/v1/…`: the REST door.

mod admin;
mod events;
mod history;
mod instances;
pub mod office;
mod proposals;
mod tools;

use std::sync::Arc;
use std::time::Duration;

use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::future::join_all;
use playhouse_bus::{ActorHealth, ActorKey, ActorState, Behaviour, Bus, Deadline, HealthReport, HouseId, Message};
use playhouse_house::{Clock, CredentialUse, KeyRing, Scope, ToolSwitches, UsedVia};
use playhouse_library::{ArrStatus, CircuitState, InstanceId, ObserveArr};
use playhouse_proposals::{EventHub, ObserveProposals, ProposalsStatus};
use playhouse_tools::Registry;
use serde::Serialize;

pub use self::events::EventStreams;
use crate::http::{self, Refusal};

/// How long the health page waits for one actor.
const OBSERVE_DEADLINE: Duration = Duration::from_secs(1);

/// What the door works with.
#[derive(Clone)]
pub struct RestServices {
    /// The actors.
    pub bus: Bus,
    /// The credentials in memory.
    pub key_ring: KeyRing,
    /// The time of day.
    pub clock: Clock,
    /// All tools.
    pub registry: Arc<Registry>,
    /// What houses have switched off, in memory.
    pub switches: ToolSwitches,
    /// Where it is heard what happens to proposals.
    pub events: EventHub,
    /// Those who listen.
    pub streams: EventStreams,
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
        proposals::routes(config);
        history::routes(config);
        events::routes(config);
        tools::routes(config);
    }
}

/// State, restarts, last cause, queue and latencies of every actor kind and every actor. Operator's keys only: it names houses by id.
async fn actor_health(request: HttpRequest, services: Data<RestServices>) -> Result<HttpResponse, Refusal> {
    let now = (services.clock)();
    let principal = http::check_bearer(&request, &services.key_ring, CredentialUse::Assistant, UsedVia::Rest, now)?;
    principal.require(Scope::Operator)?;
    let health = services.bus.health();
    let libraries = library_health(&services.bus, &health).await;
    let proposals = proposals_health(&services.bus, &health).await;
    Ok(HttpResponse::Ok().json(ActorHealthPage { health, libraries, proposals }))
}

/// The health page: what the bus knows of every actor, what the libraries' actors know of their instances, and what waits in houses' queues.
#[derive(Serialize)]
struct ActorHealthPage {
    #[serde(flatten)]
    health: HealthReport,
    /// The instances whose actors are in memory.
    libraries: Vec<LibraryHealth>,
    /// The houses whose queues of settings changes are in memory.
    proposals: Vec<ProposalsHealth>,
}

/// One media library as its actor sees it, without what its house calls it.
#[derive(Serialize)]
struct LibraryHealth {
    house: HouseId,
    instance: InstanceId,
    /// Whether it is called at present; absent where its key cannot be opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    circuit: Option<CircuitState>,
    n_reads: usize,
    n_searches: usize,
    n_writes: usize,
}

/// What waits and goes on in one house's queue of settings changes.
#[derive(Serialize)]
struct ProposalsHealth {
    house: HouseId,
    #[serde(flatten)]
    status: ProposalsStatus,
}

async fn library_health(bus: &Bus, health: &HealthReport) -> Vec<LibraryHealth> {
    let shown = |(key, status): (ActorKey, ArrStatus)| {
        let ArrStatus { instance, circuit, n_reads, n_searches, n_writes } = status;
        LibraryHealth { house: key.house, instance: instance.id, circuit, n_reads, n_searches, n_writes }
    };
    observed(bus, health, || ObserveArr {}).await.into_iter().map(shown).collect()
}

async fn proposals_health(bus: &Bus, health: &HealthReport) -> Vec<ProposalsHealth> {
    let shown = |(key, status): (ActorKey, ProposalsStatus)| ProposalsHealth { house: key.house, status };
    observed(bus, health, || ObserveProposals {}).await.into_iter().map(shown).collect()
}

/// Asks the actors of one kind that are in memory. None is started for it, and one that does not answer at once is left out.
async fn observed<M: Message>(bus: &Bus, health: &HealthReport, ask: impl Fn() -> M) -> Vec<(ActorKey, M::Reply)> {
    let kind = <M::Actor as Behaviour>::KIND;
    let running = |actor: &&ActorHealth| actor.key.kind == kind && actor.state == ActorState::Running;
    let asked = health.actors.iter().filter(running).map(|actor| {
        let question = ask();
        async move {
            let status = bus.call(actor.key, question, Deadline::after(OBSERVE_DEADLINE)).await.ok()?;
            Some((actor.key, status))
        }
    });
    join_all(asked).await.into_iter().flatten().collect()
}
