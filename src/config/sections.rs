//! The keys, section by section: what each is for, its unit, its range and its default.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;
use playhouse_catalog::{Country, tmdb};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};
use url::Url;

use super::values;

/// `[server]`: where the service listens and how it is reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// Address and port of the main listener. Port 0 lets the system choose one.
    #[serde(deserialize_with = "values::socket_address")]
    pub listen: SocketAddr,
    /// What people and assistants type to reach this instance. Unset: `http://` and `listen`.
    #[serde(deserialize_with = "values::public_url")]
    pub public_url: PublicUrl,
    /// Further names for the `Host` header, besides those of `public_url`, `listen` and loopback.
    #[serde(deserialize_with = "values::host_names")]
    pub allowed_hosts: Vec<String>,
    /// Further values for the `Origin` header, besides those of `public_url` and loopback.
    #[serde(deserialize_with = "values::origins")]
    pub allowed_origins: Vec<String>,
    /// Threads that serve HTTP. 0 means one for each core.
    #[serde(deserialize_with = "values::whole::<0, 256, _, _>")]
    pub workers: usize,
    /// Connections open at once, TVs included. Each takes a file descriptor.
    #[serde(deserialize_with = "values::whole::<16, 1_000_000, _, _>")]
    pub max_connections: usize,
    /// Proxies whose `X-Forwarded-For` is believed, as networks or single addresses.
    #[serde(deserialize_with = "values::networks")]
    pub trusted_proxies: Vec<IpNet>,
    /// How long calls under way may take to finish once the service was told to stop.
    #[serde(deserialize_with = "values::whole::<1, 600, _, _>")]
    pub shutdown_grace_seconds: u64,
}

impl Default for Server {
    fn default() -> Self {
        Server {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            public_url: PublicUrl::default(),
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            workers: 0,
            max_connections: 16_384,
            trusted_proxies: Vec::new(),
            shutdown_grace_seconds: 30,
        }
    }
}

impl Server {
    /// The address to print and to put into pages and QR codes.
    ///
    /// `bound` is where the listener really is, which differs from `listen` when that names port 0.
    pub fn public_url(&self, bound: SocketAddr) -> String {
        match &self.public_url.0 {
            Some(url) => url.as_str().trim_end_matches('/').to_owned(),
            None => format!("http://{bound}"),
        }
    }

    /// Threads that serve HTTP: `workers`, or one for each core.
    pub fn n_workers(&self) -> usize {
        match self.workers {
            0 => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            workers => workers,
        }
    }

    /// Each thread's part of `max_connections`: actix-web bounds them by thread.
    pub fn max_connections_of_worker(&self) -> usize {
        self.max_connections.div_ceil(self.n_workers())
    }

    /// How long calls under way may take to finish at shutdown.
    pub fn shutdown_grace(&self) -> Duration {
        Duration::from_secs(self.shutdown_grace_seconds)
    }
}

/// A web address without path, query or login; `None` (written as an empty text) means "from `server.listen`".
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct PublicUrl(#[serde(serialize_with = "values::url_or_empty")] pub Option<Url>);

/// `[data]`: where the service keeps what it must not forget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Data {
    /// The store's folder, made when it is missing. One process at a time.
    #[serde(deserialize_with = "values::folder")]
    pub folder: PathBuf,
    /// The store's page cache in MiB. The process takes about 2.5 times as much.
    #[serde(deserialize_with = "values::whole::<1, 65_536, _, _>")]
    pub cache_mib: u64,
}

impl Default for Data {
    fn default() -> Self {
        Data { folder: PathBuf::from("playhouse-data"), cache_mib: 64 }
    }
}

impl Data {
    /// The store's page cache in bytes.
    pub fn cache_bytes(&self) -> u64 {
        self.cache_mib * 1024 * 1024
    }
}

/// `[metrics]`: the listener for Prometheus. It asks for no credentials, so keep it off the internet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Metrics {
    /// Whether there is such a listener.
    #[serde(deserialize_with = "values::yes_or_no")]
    pub enabled: bool,
    /// Its address and port.
    #[serde(deserialize_with = "values::socket_address")]
    pub listen: SocketAddr,
}

impl Default for Metrics {
    fn default() -> Self {
        Metrics { enabled: true, listen: SocketAddr::from(([127, 0, 0, 1], 9090)) }
    }
}

/// `[pairing]`: how new TVs come in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pairing {
    /// Whether a TV may be claimed without a key, which opens a house of its own for it.
    #[serde(deserialize_with = "values::yes_or_no")]
    pub open_pairing: bool,
    /// How long a code lives whose TV does not ask after it. A polling TV keeps its code alive.
    #[serde(deserialize_with = "values::whole::<30, 86_400, _, _>")]
    pub unpolled_code_life_seconds: u64,
    /// Codes at once whose TVs do not ask after them.
    #[serde(deserialize_with = "values::whole::<1, 100_000, _, _>")]
    pub max_unpolled_codes: usize,
    /// Codes at once altogether. Few codes among a hundred million are what makes guessing useless.
    #[serde(deserialize_with = "values::whole::<1, 100_000, _, _>")]
    pub max_pending_codes: usize,
}

impl Default for Pairing {
    fn default() -> Self {
        Pairing {
            open_pairing: false,
            unpolled_code_life_seconds: 600,
            max_unpolled_codes: 1_000,
            max_pending_codes: 10_000,
        }
    }
}

impl Pairing {
    /// How long a code lives whose TV does not ask after it.
    pub fn unpolled_code_life(&self) -> Duration {
        Duration::from_secs(self.unpolled_code_life_seconds)
    }
}

/// `[waitlist]`: who would like to be let in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Waitlist {
    /// Entries the list may hold. Anyone can add to it, so it must not grow without end.
    #[serde(deserialize_with = "values::whole::<1, 1_000_000, _, _>")]
    pub max_entries: usize,
}

impl Default for Waitlist {
    fn default() -> Self {
        Waitlist { max_entries: 10_000 }
    }
}

/// `[limits]`: how often one client address may use the doors that need no key. Tool calls are not counted here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// `POST /pair/init` from one address, lasting rate.
    #[serde(deserialize_with = "values::whole::<1, 60_000, _, _>")]
    pub pair_init_per_minute: u32,
    /// `POST /pair/init` from one address, at once.
    #[serde(deserialize_with = "values::whole::<1, 60_000, _, _>")]
    pub pair_init_burst: u32,
    /// `POST /pair/claim` from one address, lasting rate.
    #[serde(deserialize_with = "values::whole::<1, 60_000, _, _>")]
    pub pair_claim_per_minute: u32,
    /// `POST /pair/claim` from one address, at once.
    #[serde(deserialize_with = "values::whole::<1, 60_000, _, _>")]
    pub pair_claim_burst: u32,
    /// `POST /waitlist` from one address, lasting rate.
    #[serde(deserialize_with = "values::whole::<1, 60_000, _, _>")]
    pub waitlist_per_minute: u32,
    /// `POST /waitlist` from one address, at once.
    #[serde(deserialize_with = "values::whole::<1, 60_000, _, _>")]
    pub waitlist_burst: u32,
    /// Wrong pairing codes an hour, from all addresses together. Beyond it nobody can claim for a while.
    #[serde(deserialize_with = "values::whole::<1, 1_000_000, _, _>")]
    pub failed_claims_per_hour: u32,
    /// Wrong pairing codes an hour from one address.
    #[serde(deserialize_with = "values::whole::<1, 1_000_000, _, _>")]
    pub failed_claims_per_hour_per_address: u32,
    /// Addresses each limiter remembers. Beyond it new ones share one allowance.
    #[serde(deserialize_with = "values::whole::<16, 10_000_000, _, _>")]
    pub max_tracked_addresses: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            pair_init_per_minute: 10,
            pair_init_burst: 20,
            pair_claim_per_minute: 10,
            pair_claim_burst: 10,
            waitlist_per_minute: 5,
            waitlist_burst: 5,
            failed_claims_per_hour: 600,
            failed_claims_per_hour_per_address: 30,
            max_tracked_addresses: 100_000,
        }
    }
}

/// `[bus]`: how many calls may be under way, and for how long. What is over is told `busy` at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bus {
    /// Calls under way for one house.
    #[serde(deserialize_with = "values::whole::<1, 1_000_000, _, _>")]
    pub max_calls_per_house: u32,
    /// Calls under way altogether.
    #[serde(deserialize_with = "values::whole::<1, 1_000_000, _, _>")]
    pub max_calls: u32,
    /// How long one tool call may take. Hosted assistants give up after 60 seconds, some well before.
    #[serde(deserialize_with = "values::whole::<1, 55, _, _>")]
    pub call_deadline_seconds: u64,
}

impl Default for Bus {
    fn default() -> Self {
        Bus { max_calls_per_house: 1_024, max_calls: 16_384, call_deadline_seconds: 25 }
    }
}

impl Bus {
    /// How long one tool call may take.
    pub fn call_deadline(&self) -> Duration {
        Duration::from_secs(self.call_deadline_seconds)
    }
}

/// `[bridge]`: the sockets of the TVs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bridge {
    /// How long a socket may be silent before the TV is asked whether it is there. Proxies cut silent sockets after 60 to 100 s.
    #[serde(deserialize_with = "values::whole::<1, 60, _, _>")]
    pub probe_interval_seconds: u64,
    /// The largest frame a TV may send, in KiB. The largest honest one is a list of some hundred apps.
    #[serde(deserialize_with = "values::whole::<16, 4_096, _, _>")]
    pub max_frame_kib: usize,
    /// Frames that may wait to be written to one TV. A TV that reads too slowly is closed.
    #[serde(deserialize_with = "values::whole::<1, 1_024, _, _>")]
    pub max_queued_frames: usize,
    /// TVs connected at once.
    #[serde(deserialize_with = "values::whole::<1, 1_000_000, _, _>")]
    pub max_sockets: usize,
}

impl Default for Bridge {
    fn default() -> Self {
        Bridge { probe_interval_seconds: 25, max_frame_kib: 256, max_queued_frames: 64, max_sockets: 12_288 }
    }
}

impl Bridge {
    /// How long a socket may be silent before the TV is asked whether it is there.
    pub fn probe_interval(&self) -> Duration {
        Duration::from_secs(self.probe_interval_seconds)
    }

    /// The largest frame a TV may send, in bytes.
    pub fn max_frame_bytes(&self) -> usize {
        self.max_frame_kib * 1024
    }
}

/// `[events]`: the streams of events that admins of houses listen to (`GET /v1/events`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Events {
    /// Streams open at once. Each takes a connection and a file descriptor.
    #[serde(deserialize_with = "values::whole::<1, 1_000_000, _, _>")]
    pub max_streams: usize,
    /// Streams open at once for one house.
    #[serde(deserialize_with = "values::whole::<1, 1_000_000, _, _>")]
    pub max_streams_per_house: usize,
}

impl Default for Events {
    fn default() -> Self {
        Events { max_streams: 256, max_streams_per_house: 16 }
    }
}

/// `[secrets]`: the master key under which a house's own credentials lie in the store.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Secrets {
    /// The key itself, as 64 hexadecimal digits. It wins over the file.
    #[serde(deserialize_with = "values::master_key")]
    pub master_key: Secret,
    /// The file that holds it. Unset: `master.key` in the data folder, made at the first start.
    pub master_key_file: PathBuf,
}

/// `[library]`: where houses may have their media libraries (Radarr, Sonarr, Lidarr, Chaptarr).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Library {
    /// Whether houses share this server that do not trust each other. Their libraries are then reached on the internet only, never in this
    /// server's own network. In a household's own server they may be in its network and on this machine.
    #[serde(deserialize_with = "values::yes_or_no")]
    pub hosted: bool,
    /// Networks that libraries may be in all the same, as networks or single addresses.
    #[serde(deserialize_with = "values::networks")]
    pub allowed_networks: Vec<IpNet>,
    /// A file of certificate authorities (PEM) that are trusted beside the system's. Verification is never off.
    pub extra_ca_file: PathBuf,
}

/// `[resolver]`: how titles are found for `tv_play_title`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Resolver {
    /// The key for TMDB, either of its two sorts. Without one no titles are found.
    #[serde(deserialize_with = "values::tmdb_key")]
    pub tmdb_api_key: Secret,
    /// The country of calls that name none.
    #[serde(deserialize_with = "values::country")]
    pub default_country: Country,
    /// Where TMDB's API is.
    #[serde(deserialize_with = "values::service_url")]
    pub tmdb_url: Url,
    /// Where JustWatch is.
    #[serde(deserialize_with = "values::service_url")]
    pub justwatch_url: Url,
    /// Whether JustWatch is asked. Without it the service of a title is known, but no link to it.
    #[serde(deserialize_with = "values::yes_or_no")]
    pub justwatch_enabled: bool,
}

impl Default for Resolver {
    fn default() -> Self {
        Resolver {
            tmdb_api_key: Secret::default(),
            default_country: values::known_good("US"),
            tmdb_url: values::known_good(tmdb::PUBLIC_ADDRESS),
            justwatch_url: values::known_good(playhouse_resolver::JUSTWATCH_ADDRESS),
            justwatch_enabled: true,
        }
    }
}

/// A secret that may be unset. It prints only whether it is set, in logs, errors and `playhouse check` alike.
#[derive(Clone, Default)]
pub struct Secret(Option<SecretString>);

impl Secret {
    /// What a set secret is written as.
    pub(super) const SHOWN: &str = "(set, not shown)";

    /// A secret; an empty text is none.
    pub fn new(text: &str) -> Self {
        Secret(Some(text.trim()).filter(|text| !text.is_empty()).map(SecretString::from))
    }

    /// The secret itself, for whoever uses it.
    pub fn reveal(&self) -> Option<&str> {
        self.0.as_ref().map(ExposeSecret::expose_secret)
    }

    fn shown(&self) -> &'static str {
        if self.0.is_some() { Secret::SHOWN } else { "" }
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.reveal() == other.reveal()
    }
}

impl Eq for Secret {}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Secret({})", self.shown())
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.shown())
    }
}

/// `[logging]`: what is logged to standard error, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Logging {
    /// For people or for machines.
    #[serde(deserialize_with = "values::log_format")]
    pub format: LogFormat,
    /// Which lines: a level, then `module=level` exceptions, separated by commas.
    #[serde(deserialize_with = "values::log_filter")]
    pub filter: String,
}

impl Default for Logging {
    fn default() -> Self {
        Logging { format: LogFormat::Pretty, filter: "info".to_owned() }
    }
}

/// How a line of the log looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// One line of text for people.
    Pretty,
    /// One JSON object a line.
    Json,
}
