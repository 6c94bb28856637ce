//! From a configuration to a serving process, and back to a closed one.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use actix_web::dev::ServerHandle;
use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};
use actix_web::{App, HttpServer};
use anyhow::Context;
use governor::clock::DefaultClock;
use playhouse_bus::Deadline;
use playhouse_house::write_last_used;
use playhouse_proposals::{ProposalQueueActor, SweepProposals};
use playhouse_tv::CloseReason;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinHandle;

use crate::config::{Config, Reach};
use crate::control::ControlSocket;
use crate::instance::Instance;
use crate::limits::Limits;
use crate::telemetry::health::{self, Readiness};
use crate::telemetry::recorder::Exposition;
use crate::telemetry::{listener, panics, requests};
use crate::{bridge, http, mcp, pairing, rest, waitlist};

/// How often uses of keys are written down.
const LAST_USED_PERIOD: Duration = Duration::from_secs(60);
/// How often it is looked whether proposals have expired.
const SWEEP_PERIOD: Duration = Duration::from_secs(60);
/// How long looking after one house's proposals may take before the next house's turn comes.
const SWEEP_WITHIN: Duration = Duration::from_secs(20);

/// Serves until SIGTERM or Ctrl-C, then ends in good order.
///
/// # Errors
/// Why it could not start, or what went wrong while it closed, in words for the operator.
pub async fn serve(config: Config, exposition: Option<Exposition>) -> anyhow::Result<()> {
    let running = Running::start(config, exposition).await?;
    tracing::info!(address = %running.address, mcp_url = running.mcp_url(), "serving");
    stop_signal().await?;
    running.stop().await
}

/// Waits for SIGTERM or Ctrl-C.
///
/// # Errors
/// When the system does not let us listen for signals.
pub async fn stop_signal() -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => tracing::info!("told to stop (SIGTERM)"),
        _ = interrupt.recv() => tracing::info!("told to stop (Ctrl-C)"),
    }
    Ok(())
}

/// A serving instance.
pub struct Running {
    /// The instance behind the doors.
    pub instance: Instance,
    /// Where the doors listen; the real port where the configuration says 0.
    pub address: SocketAddr,
    /// Where Prometheus reads, if it may.
    pub metrics_address: Option<SocketAddr>,
    /// The address people and assistants are given, without a slash at its end.
    pub base_url: String,
    readiness: Arc<Readiness>,
    streams: rest::EventStreams,
    doors: ServerHandle,
    metrics: Option<ServerHandle>,
    tasks: Vec<JoinHandle<()>>,
}

impl Running {
    /// Opens the instance and its doors. Runs on an actix thread.
    ///
    /// # Errors
    /// Which part could not start and what to do about it.
    pub async fn start(config: Config, exposition: Option<Exposition>) -> anyhow::Result<Self> {
        Self::over(Instance::open(config).await?, exposition).await
    }

    /// Opens the doors of an instance that is open already.
    ///
    /// # Errors
    /// As [`Running::start`].
    pub async fn over(instance: Instance, exposition: Option<Exposition>) -> anyhow::Result<Self> {
        let config = Arc::clone(&instance.config);
        let listening = std::net::TcpListener::bind(config.server.listen)
            .with_context(|| format!("cannot listen on {}; see `server.listen`", config.server.listen))?;
        let address = listening.local_addr()?;
        let base_url = config.server.public_url(address);

        let readiness = Arc::new(readiness(&instance));
        let limits = Arc::new(Limits::new(&config.limits, &config.server, &DefaultClock::default()));
        let doors = Doors::new(&instance, &limits, &base_url);
        let streams = doors.rest.streams.clone();
        let watched = Arc::clone(&readiness);
        let server = HttpServer::new(move || {
            App::new()
                .wrap(from_fn(panics::answer_panics))
                .wrap(from_fn(requests::count_requests))
                .configure(health::routes(Arc::clone(&watched)))
                .configure(doors.clone().routes())
                .default_service(web::to(http::not_found))
        })
        .max_connections(config.server.max_connections_of_worker())
        .shutdown_timeout(config.server.shutdown_grace_seconds)
        .disable_signals()
        .workers(config.server.n_workers())
        .worker_max_blocking_threads(config.production.blocking_threads_of_worker(config.server.n_workers()));
        let server = server.listen(listening)?.run();
        let (metrics, metrics_address) = match exposition {
            None => (None, None),
            Some(exposition) => {
                let listening = listener::bind(config.metrics.listen, exposition)
                    .with_context(|| format!("cannot listen on {}; see `metrics.listen`", config.metrics.listen))?;
                let handle = listening.server.handle();
                actix_web::rt::spawn(listening.server);
                (Some(handle), Some(listening.address))
            }
        };
        let control = ControlSocket::bind(&config.data.folder)
            .with_context(|| format!("cannot open the command socket in {}", config.data.folder.display()))?;
        let tasks = vec![
            actix_web::rt::spawn(control.serve(instance.clone())),
            actix_web::rt::spawn(note_last_used(instance.clone())),
            actix_web::rt::spawn(sweep_proposals(instance.clone())),
            actix_web::rt::spawn(sweep_files(instance.clone())),
            limits.keep_small(),
        ];
        let handle = server.handle();
        actix_web::rt::spawn(server);
        Ok(Self { instance, address, metrics_address, base_url, readiness, streams, doors: handle, metrics, tasks })
    }

    /// The address assistants are given.
    pub fn mcp_url(&self) -> String {
        format!("{}/mcp", self.base_url)
    }

    /// Ends in good order: says that it is not ready any more, lets calls under way end, closes the TVs' sockets and the streams of
    /// events, writes what is only in
    /// memory and closes the store.
    ///
    /// # Errors
    /// What could not be written.
    pub async fn stop(self) -> anyhow::Result<()> {
        self.readiness.begin_shutdown();
        let grace = self.instance.config.server.shutdown_grace();
        self.tasks.iter().for_each(JoinHandle::abort);
        self.instance.links.close_all(CloseReason::ShuttingDown);
        self.streams.close();
        self.doors.stop(true).await;
        self.instance.close_within(grace).await.map_err(|error| anyhow::anyhow!("the store did not close: {error}"))?;
        if let Some(metrics) = self.metrics {
            metrics.stop(false).await;
        }
        tracing::info!("closed");
        Ok(())
    }
}

/// Every door with what it works with. Each worker gets a clone.
#[derive(Clone)]
struct Doors {
    mcp: mcp::McpServices,
    rest: rest::RestServices,
    office: rest::office::OfficeServices,
    bridge: bridge::BridgeServices,
    pairing: pairing::PairingServices,
    waitlist: waitlist::WaitlistDoor,
}

impl Doors {
    fn new(instance: &Instance, limits: &Arc<Limits>, base_url: &str) -> Self {
        let Instance { config, key_ring, links, bus, clock, .. } = instance.clone();
        let mcp_url: Arc<str> = format!("{base_url}/mcp").into();
        Self {
            mcp: mcp::McpServices {
                bus: bus.clone(),
                key_ring: key_ring.clone(),
                clock: clock.clone(),
                registry: Arc::clone(&instance.registry),
                reach: Arc::new(Reach::of(&config.server)),
                call_deadline: config.bus.call_deadline(),
                mcp_url: Arc::clone(&mcp_url),
            },
            rest: rest::RestServices {
                bus: bus.clone(),
                key_ring: key_ring.clone(),
                clock: clock.clone(),
                registry: Arc::clone(&instance.registry),
                switches: instance.switches.clone(),
                events: instance.events.clone(),
                streams: rest::EventStreams::new(&config.events),
            },
            office: rest::office::OfficeServices {
                bus: bus.clone(),
                desk: instance.desk.clone(),
                max_submission_bytes: config.production.max_submission_bytes(),
            },
            bridge: bridge::BridgeServices::new(bus.clone(), key_ring.clone(), clock.clone(), links, &config.bridge),
            pairing: pairing::PairingServices {
                bus: bus.clone(),
                key_ring,
                clock,
                limits: Arc::clone(limits),
                open_pairing: config.pairing.open_pairing,
                mcp_url,
            },
            waitlist: waitlist::WaitlistDoor { bus, limits: Arc::clone(limits) },
        }
    }

    fn routes(self) -> impl FnOnce(&mut ServiceConfig) {
        move |config| {
            config
                .configure(mcp::routes(self.mcp))
                .configure(rest::routes(self.rest))
                .configure(bridge::routes(self.bridge))
                .configure(pairing::routes(self.pairing))
                .configure(waitlist::routes(self.waitlist))
                // Last: below its base paths it answers whatever is left.
                .configure(rest::office::routes(self.office));
        }
    }
}

fn readiness(instance: &Instance) -> Readiness {
    let (store, bus) = (instance.store.clone(), instance.bus.clone());
    Readiness::default()
        .with("store", move || {
            let store = store.clone();
            async move { store.partitions(None, 1).await.map(|_| ()).map_err(|error| error.to_string()) }
        })
        .with("bus", move || {
            let bus = bus.clone();
            async move {
                let question = playhouse_house::ListKeys {};
                let operator = playhouse_house::HouseActor::key(playhouse_bus::HouseId::INSTANCE);
                let answer = bus.call(operator, question, Deadline::after(Duration::from_millis(900))).await;
                answer.map(|_| ()).map_err(|error| error.to_string())
            }
        })
}

/// Removes files that no record names, once at the start. Submissions come in meanwhile.
async fn sweep_files(instance: Instance) {
    match instance.desk.media.sweep_unnamed(&instance.store, SystemTime::now()).await {
        Ok(0) => {}
        Ok(n_files) => tracing::info!(n_files, "removed files that no record names"),
        Err(error) => tracing::warn!(%error, "could not look for files that no record names"),
    }
}

async fn note_last_used(instance: Instance) {
    let mut tick = tokio::time::interval(LAST_USED_PERIOD);
    loop {
        tick.tick().await;
        write_last_used(&instance.store, &instance.key_ring).await;
    }
}

/// Has the proposals looked after of the houses that are due, and of no others.
async fn sweep_proposals(instance: Instance) {
    let mut tick = tokio::time::interval(SWEEP_PERIOD);
    loop {
        tick.tick().await;
        for house in instance.expiries.due((instance.clock)()) {
            let swept =
                instance.bus.call(ProposalQueueActor::key(house), SweepProposals {}, Deadline::after(SWEEP_WITHIN));
            if let Err(error) = swept.await {
                tracing::warn!(%house, %error, "proposals were not looked after");
            }
        }
    }
}
