//! The connections under every upstream.
//!
//! One [`HttpClient`] may serve thousands of upstreams: connections, the TLS roots and the address guard are shared, and an upstream without
//! requests on the way costs no more than its settings and counters.

use std::error::Error;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::Certificate;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::HeaderValue;
use reqwest::redirect::Policy;
use url::{Host, Url};

use crate::address::AddressPolicy;

/// How long an idle connection is kept. Shorter than the services' own limits, so that a request seldom meets a connection that is being
/// closed, and short enough that thousands of idle upstreams hold none.
const IDLE_CONNECTION: Duration = Duration::from_secs(30);

/// Idle connections kept to one service.
const IDLE_CONNECTIONS_EACH: usize = 4;

/// What all connections of one [`HttpClient`] have in common.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Where connections may go.
    pub policy: AddressPolicy,
    /// How long a connection may take, with the look-up of its name and TLS.
    pub connect_timeout: Duration,
    /// What we call ourselves.
    pub user_agent: String,
    /// Certificates (PEM) of authorities that are trusted beside those of the system. Verification itself is never off.
    pub extra_authorities: Option<Vec<u8>>,
    /// Whether answers may come compressed (gzip). Limits are those of what comes out of it, so that a small answer does not unpack into more than a
    /// large one may be.
    pub compressed: bool,
    /// Whether a proxy named in the environment is used. It would be the proxy that looks names up, so a policy other than
    /// [`AddressPolicy::anywhere`] needs `false`.
    pub through_proxy: bool,
}

impl HttpSettings {
    /// Connections for addresses that houses choose.
    pub fn guarded(policy: AddressPolicy) -> Self {
        Self {
            policy,
            connect_timeout: Duration::from_secs(10),
            user_agent: concat!("Playhouse/", env!("CARGO_PKG_VERSION")).to_owned(),
            extra_authorities: None,
            compressed: false,
            through_proxy: false,
        }
    }
}

/// Connections that many upstreams share. Cheap to clone.
#[derive(Clone)]
pub struct HttpClient(Arc<Inner>);

struct Inner {
    client: reqwest::Client,
    policy: AddressPolicy,
}

/// Why no connection can be made at all: something for the operator to put right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HttpFault {
    /// The user agent holds what no header may.
    #[error("the user agent holds characters that no HTTP header may")]
    UserAgent,
    /// The extra certificates cannot be read.
    #[error("the extra CA certificates cannot be read; the file must be PEM with at least one certificate")]
    Authorities,
    /// TLS could not be set up.
    #[error("TLS could not be set up; check that the system's CA certificates are installed")]
    Tls,
}

impl HttpClient {
    /// Makes ready to connect. Reads the system's TLS roots once.
    pub fn new(settings: HttpSettings) -> Result<Self, HttpFault> {
        let user_agent = HeaderValue::from_str(&settings.user_agent).map_err(|_| HttpFault::UserAgent)?;
        let guard = Guard { policy: Arc::new(settings.policy.clone()) };
        let mut builder = reqwest::Client::builder()
            .redirect(Policy::none())
            // Repeating is decided where it is known what a request does.
            .retry(reqwest::retry::never())
            .connect_timeout(settings.connect_timeout)
            .pool_idle_timeout(IDLE_CONNECTION)
            .pool_max_idle_per_host(IDLE_CONNECTIONS_EACH)
            .dns_resolver(guard)
            .gzip(settings.compressed)
            .user_agent(user_agent);
        if !settings.through_proxy {
            builder = builder.no_proxy();
        }
        if let Some(pem) = &settings.extra_authorities {
            let authorities = Certificate::from_pem_bundle(pem).map_err(|_| HttpFault::Authorities)?;
            if authorities.is_empty() {
                return Err(HttpFault::Authorities);
            }
            builder = builder.tls_certs_merge(authorities);
        }
        let client = builder.build().map_err(|_| HttpFault::Tls)?;
        Ok(Self(Arc::new(Inner { client, policy: settings.policy })))
    }

    pub(crate) fn client(&self) -> &reqwest::Client {
        &self.0.client
    }

    /// Whether the policy permits an address that is written out as such; a name is judged when it is looked up. The connector never asks
    /// the resolver about an address.
    pub(crate) fn permits(&self, url: &Url) -> bool {
        let address = match url.host() {
            Some(Host::Ipv4(address)) => IpAddr::V4(address),
            Some(Host::Ipv6(address)) => IpAddr::V6(address),
            Some(Host::Domain(_)) | None => return true,
        };
        self.0.policy.permits(address)
    }
}

impl fmt::Debug for HttpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpClient").field("policy", &self.0.policy).finish_non_exhaustive()
    }
}

/// Looks names up and drops the addresses that the policy does not permit, so that a name which changes its mind between a check and the
/// connection gains nothing.
struct Guard {
    policy: Arc<AddressPolicy>,
}

/// Why a name led nowhere. Found again in the chain of causes of a failed request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LedNowhere {
    NoSuchHost,
    NotAllowed,
}

impl fmt::Display for LedNowhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LedNowhere::NoSuchHost => "cannot resolve host",
            LedNowhere::NotAllowed => "the address is not allowed",
        })
    }
}

impl Error for LedNowhere {}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let policy = Arc::clone(&self.policy);
        Box::pin(async move {
            let found: Vec<SocketAddr> =
                tokio::net::lookup_host((name.as_str(), 0)).await.map_err(|_| LedNowhere::NoSuchHost)?.collect();
            if found.is_empty() {
                return Err(LedNowhere::NoSuchHost.into());
            }
            let permitted: Vec<SocketAddr> = found.into_iter().filter(|address| policy.permits(address.ip())).collect();
            if permitted.is_empty() {
                return Err(LedNowhere::NotAllowed.into());
            }
            let addresses: Addrs = Box::new(permitted.into_iter());
            Ok(addresses)
        })
    }
}
