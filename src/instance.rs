//! One opened instance: the store, what is kept in memory of it, and the actors, without any door.
//!
//! The server puts doors before it; the command line uses it as it is when no server runs.

use std::sync::Arc;
use std::time::Duration;

use playhouse_bus::{Bus, BusSettings, Placement};
use playhouse_catalog::tmdb::{TmdbClient, TmdbKey, TmdbSettings};
use playhouse_house::{
    Account, Clock, Credential, EngagementStanding, HouseActor, HouseRecord, HouseServices, KeyRing, LastUsed, Sealer,
    ToolSwitches, load, system_clock, write_last_used,
};
use playhouse_library::client::ArrHttp;
use playhouse_library::reads::TitleBridge;
use playhouse_library::{AddressPolicy, ArrActor, ArrServices, InstancesActor, InstancesServices, LaneBook};
use playhouse_production::media::{MediaSettings, MediaStore, SubmissionDesk, free_space_of_disk};
use playhouse_production::{ProductionActor, ProductionServices};
use playhouse_proposals::{ArmedBook, EventHub, Expiries, ProposalQueueActor, ProposalServices, WorkBook};
use playhouse_resolver::{JustWatchClient, JustWatchSettings, MAX_KEPT, ResolverActor, ResolverServices, ToolSettings};
use playhouse_store::{KnownKind, SharedStore, SledSettings, SledStore, StoreError};
use playhouse_tools::{DuplicateTool, Registry};
use playhouse_tv::{
    DevicesActor, DevicesServices, LinkSettings, Links, PairingActor, PairingServices, PairingSettings, TvActor,
    TvDirectory, TvServices,
};

use crate::config::{self, Config};
use crate::master_key::{self, MasterKeyError};
use crate::mcp::{McpRouter, RouterServices};
use crate::title_bridge::TmdbBridge;
use crate::waitlist::{WaitlistActor, WaitlistEntry, WaitlistServices};

/// The folder within the data folder that is the store's own.
const STORE_FOLDER: &str = "store";
/// The folder within the data folder where submitted files lie.
const MEDIA_FOLDER: &str = "media";
/// How long calls under way may take to end when the instance closes without having served.
const CLOSE_GRACE: Duration = Duration::from_secs(5);

/// An opened instance. Cheap to clone; all clones are one instance.
#[derive(Clone)]
pub struct Instance {
    /// What the operator decided.
    pub config: Arc<Config>,
    /// Where everything is kept.
    pub store: SharedStore,
    /// The credentials in memory.
    pub key_ring: KeyRing,
    /// What houses have switched off, in memory.
    pub switches: ToolSwitches,
    /// What seals and opens the houses' own credentials.
    pub sealer: Sealer,
    /// The names of the TVs in memory.
    pub tvs: TvDirectory,
    /// The sockets of the TVs.
    pub links: Links,
    /// Where submissions to production offices come in.
    pub desk: SubmissionDesk,
    /// Where admins hear of proposals.
    pub events: EventHub,
    /// When which house's proposals have to be looked after.
    pub expiries: Expiries,
    /// All tools.
    pub registry: Arc<Registry>,
    /// The way to the actors.
    pub bus: Bus,
    /// The time of day.
    pub clock: Clock,
}

/// Why an instance was not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The data folder cannot be made or entered.
    #[error("cannot use the data folder {}: {source}; see `data.folder`", .folder.display())]
    Folder {
        /// Which.
        folder: std::path::PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// The store does not open.
    #[error(transparent)]
    Store(#[from] playhouse_store::OpenError),
    /// The store opened and then could not be read.
    #[error(transparent)]
    Read(#[from] StoreError),
    /// TMDB or JustWatch cannot be called with what is configured.
    #[error("cannot find titles: {0}; see `[resolver]`")]
    Resolver(String),
    /// Media libraries cannot be called with what is configured.
    #[error("cannot call media libraries: {0}; see `[library]`")]
    Library(String),
    /// There is no master key.
    #[error(transparent)]
    MasterKey(#[from] MasterKeyError),
    /// Two tools under one name: a mistake in this program.
    #[error(transparent)]
    Tools(#[from] DuplicateTool),
}

impl Instance {
    /// Opens the data folder, reads keys and names into memory and makes the actors reachable. Runs on an actix thread.
    ///
    /// # Errors
    /// [`OpenError`] in words for the operator.
    pub async fn open(config: Config) -> Result<Self, OpenError> {
        let folder = config.data.folder.clone();
        private_folder(&folder).map_err(|source| OpenError::Folder { folder: folder.clone(), source })?;
        let settings = SledSettings {
            cache_bytes: config.data.cache_bytes(),
            known_kinds: known_kinds(),
            ..SledSettings::new(folder.join(STORE_FOLDER))
        };
        // Opening reads every record once. Nothing else runs on this thread yet that could be held up.
        let store: SharedStore = Arc::new(SledStore::open(settings)?);
        Self::over(config, store, system_clock()).await
    }

    /// An instance over a store that is open already.
    ///
    /// # Errors
    /// [`OpenError::Read`], [`OpenError::Tools`].
    pub async fn over(config: Config, store: SharedStore, clock: Clock) -> Result<Self, OpenError> {
        let sealer = master_key::sealer(&config)?;
        let (key_ring, switches, tvs) = (KeyRing::new(), ToolSwitches::new(), TvDirectory::new());
        let found = load(&*store, &key_ring, &switches).await?;
        let n_tvs = tvs.load(&*store).await?;
        let expiries = Expiries::default();
        expiries.load(&*store).await?;
        tracing::info!(n_houses = found.n_houses, n_credentials = found.n_credentials, n_tvs, "read the store");

        let links =
            Links::new(LinkSettings { max_queued_frames: config.bridge.max_queued_frames, ..LinkSettings::default() });
        let desk = SubmissionDesk { media: media_store(&config), key_ring: key_ring.clone(), clock: clock.clone() };
        sweep(&desk.media, &config)?;
        let mut registry = Registry::new(switches.clone());
        add_tools(&mut registry, &tvs, &config.resolver, &desk)?;
        let registry = Arc::new(registry);
        let bus = Bus::new(BusSettings {
            house_admission: config.bus.max_calls_per_house,
            instance_admission: config.bus.max_calls,
            ..BusSettings::new(Placement::Arbiters(0))
        });
        let instance = Self {
            config: Arc::new(config),
            store,
            key_ring,
            switches,
            sealer,
            tvs,
            links,
            desk,
            events: EventHub::default(),
            expiries,
            registry,
            bus,
            clock,
        };
        instance.serve_actors();
        let tmdb = tmdb_client(&instance)?;
        serve_library(&instance, tmdb.clone())?;
        let resolver = resolver_services(&instance, tmdb)?;
        instance.bus.serve::<ResolverActor>(resolver);
        Ok(instance)
    }

    fn serve_actors(&self) {
        let Self { config, store, key_ring, switches, tvs, links, events, expiries, registry, bus, clock, .. } =
            self.clone();
        bus.serve::<McpRouter>(RouterServices {
            registry,
            bus: bus.clone(),
            key_ring: key_ring.clone(),
            clock: clock.clone(),
        });
        bus.serve::<HouseActor>(HouseServices {
            store: store.clone(),
            key_ring: key_ring.clone(),
            switches: switches.clone(),
            clock: clock.clone(),
        });
        bus.serve::<ProposalQueueActor>(ProposalServices {
            store: store.clone(),
            bus: bus.clone(),
            key_ring: key_ring.clone(),
            switches,
            events,
            clock: clock.clone(),
            expiries,
            works: WorkBook::default(),
            armed: ArmedBook::default(),
        });
        bus.serve::<ProductionActor>(ProductionServices {
            store: store.clone(),
            key_ring: key_ring.clone(),
            clock: clock.clone(),
        });
        bus.serve::<TvActor>(TvServices {
            store: store.clone(),
            links: links.clone(),
            directory: tvs.clone(),
            clock: clock.clone(),
        });
        bus.serve::<DevicesActor>(DevicesServices {
            store: store.clone(),
            key_ring,
            directory: tvs,
            links,
            clock: clock.clone(),
        });
        bus.serve::<PairingActor>(PairingServices {
            store: store.clone(),
            bus: bus.clone(),
            clock: clock.clone(),
            settings: PairingSettings {
                unpolled_for: config.pairing.unpolled_code_life(),
                max_unpolled: config.pairing.max_unpolled_codes,
                max_codes: config.pairing.max_pending_codes,
                ..PairingSettings::default()
            },
        });
        bus.serve::<WaitlistActor>(WaitlistServices { store, clock, max_entries: config.waitlist.max_entries });
    }

    /// Ends the actors' work, writes what is only in memory, and closes the store. Calls after it are refused.
    ///
    /// # Errors
    /// What the store says.
    pub async fn close(&self) -> Result<(), String> {
        self.close_within(CLOSE_GRACE).await
    }

    /// As [`Instance::close`], leaving calls under way `grace` to end.
    ///
    /// # Errors
    /// What the store says.
    pub async fn close_within(&self, grace: Duration) -> Result<(), String> {
        self.bus.close(grace).await;
        write_last_used(&self.store, &self.key_ring).await;
        self.store.close().await.map_err(|error| error.to_string())
    }
}

/// Adds every wing's tools.
///
/// # Errors
/// [`DuplicateTool`].
pub fn add_tools(
    registry: &mut Registry,
    tvs: &TvDirectory,
    resolver: &config::Resolver,
    desk: &SubmissionDesk,
) -> Result<(), DuplicateTool> {
    playhouse_tv::add_tools(registry, tvs)?;
    playhouse_resolver::add_tools(registry, tvs, ToolSettings { default_country: resolver.default_country })?;
    playhouse_library::add_tools(registry)?;
    playhouse_proposals::add_tools(registry)?;
    playhouse_production::add_tools(registry, desk.clone())
}

/// Where files lie, and what may come in. Nothing is made yet.
pub(crate) fn media_store(config: &Config) -> MediaStore {
    MediaStore::new(MediaSettings {
        folder: config.data.folder.join(MEDIA_FOLDER),
        limits: config.production.media_limits(),
        free_space: free_space_of_disk(),
    })
}

/// Makes the media folder and removes what an earlier run left half-written there.
fn sweep(media: &MediaStore, config: &Config) -> Result<(), OpenError> {
    let folder = || config.data.folder.join(MEDIA_FOLDER);
    media.prepare().map_err(|source| OpenError::Folder { folder: folder(), source })?;
    match media.sweep(std::time::SystemTime::now()) {
        Ok(0) => {}
        Ok(n_files) => tracing::info!(n_files, "removed half-written files of an earlier run"),
        Err(error) => tracing::warn!(%error, "could not sweep the media folder"),
    }
    Ok(())
}

/// Makes the media libraries reachable, as the operator configured it; none is called yet.
fn serve_library(instance: &Instance, tmdb: Option<TmdbClient>) -> Result<(), OpenError> {
    let settings = &instance.config.library;
    let policy = if settings.hosted { AddressPolicy::hosted() } else { AddressPolicy::self_hosted() };
    let authorities = match settings.extra_ca_file.as_os_str().is_empty() {
        true => None,
        false => Some(std::fs::read(&settings.extra_ca_file).map_err(|error| {
            OpenError::Library(format!("{} cannot be read: {error}", settings.extra_ca_file.display()))
        })?),
    };
    let http = ArrHttp::new(policy.allowing(settings.allowed_networks.iter().copied()), authorities);
    let http = http.map_err(|fault| OpenError::Library(fault.to_string()))?;
    instance.bus.serve::<InstancesActor>(InstancesServices {
        store: instance.store.clone(),
        sealer: instance.sealer.clone(),
        http: http.clone(),
        clock: instance.clock.clone(),
        bus: instance.bus.clone(),
    });
    instance.bus.serve::<ArrActor>(ArrServices {
        store: instance.store.clone(),
        sealer: instance.sealer.clone(),
        http,
        clock: instance.clock.clone(),
        lanes: LaneBook::default(),
        bridge: tmdb.map(|tmdb| Arc::new(TmdbBridge::new(tmdb)) as Arc<dyn TitleBridge>),
    });
    Ok(())
}

/// TMDB, where the operator configured it; nothing is asked yet. Whoever asks it shares its pace.
fn tmdb_client(instance: &Instance) -> Result<Option<TmdbClient>, OpenError> {
    let settings = &instance.config.resolver;
    let wrong = |fault: &dyn std::fmt::Display| OpenError::Resolver(fault.to_string());
    let key = settings.tmdb_api_key.reveal().map(str::parse::<TmdbKey>).transpose().map_err(|fault| wrong(&fault))?;
    let tmdb = key.map(|key| TmdbClient::new(TmdbSettings { base: settings.tmdb_url.clone(), key }));
    tmdb.transpose().map_err(|fault| wrong(&fault))
}

/// What finds titles, as the operator configured it; nothing is asked yet.
fn resolver_services(instance: &Instance, tmdb: Option<TmdbClient>) -> Result<ResolverServices, OpenError> {
    let settings = &instance.config.resolver;
    let wrong = |fault: &dyn std::fmt::Display| OpenError::Resolver(fault.to_string());
    let justwatch =
        settings.justwatch_enabled.then(|| JustWatchClient::new(JustWatchSettings::at(settings.justwatch_url.clone())));
    Ok(ResolverServices {
        store: instance.store.clone(),
        clock: instance.clock.clone(),
        tmdb,
        justwatch: justwatch.transpose().map_err(|fault| wrong(&fault))?,
        max_kept: MAX_KEPT,
    })
}

/// The records this program knows; one of a newer format keeps the store from opening.
pub(crate) fn known_kinds() -> Vec<KnownKind> {
    let mut kinds = vec![
        KnownKind::of::<HouseRecord>(),
        KnownKind::of::<Account>(),
        KnownKind::of::<Credential>(),
        KnownKind::of::<EngagementStanding>(),
        KnownKind::of::<LastUsed>(),
        KnownKind::of::<WaitlistEntry>(),
    ];
    kinds.extend(playhouse_tv::known_kinds());
    kinds.extend(playhouse_library::known_kinds());
    kinds.extend(playhouse_proposals::known_kinds());
    kinds.extend(playhouse_production::KNOWN_KINDS);
    kinds.extend(playhouse_resolver::known_kinds());
    kinds
}

/// Makes the folder if it is missing, for its owner only: it holds every house's secrets.
fn private_folder(folder: &std::path::Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}
