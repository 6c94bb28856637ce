//! What one upstream is allowed and what it may cost.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use url::Url;

use crate::address::AddressPolicy;
use crate::http::{HttpFault, HttpSettings};

/// How one service is called. Start from [`UpstreamSettings::new`] and change what must differ.
#[derive(Debug, Clone)]
pub struct UpstreamSettings {
    /// Short and lower case, as metrics and logs name it: `tmdb`.
    pub name: &'static str,
    /// As people know it, for error texts: `TMDB`.
    pub title: &'static str,
    /// Every path is below this address.
    pub base: Url,
    /// How long a connection of its own may take.
    pub connect_timeout: Duration,
    /// How long one attempt may take, from sending the request to the last byte of the answer.
    pub read_timeout: Duration,
    /// Longer answers are cut off and refused.
    pub max_body_bytes: usize,
    /// Requests on the way at once; further ones wait for their turn.
    pub max_in_flight: usize,
    /// Between the starts of two requests.
    pub min_interval: Duration,
    /// Statuses beside 429 by which this service says "slow down".
    pub also_means_slow_down: &'static [u16],
    /// How reads are tried again.
    pub retry: RetrySettings,
    /// When the service counts as down.
    pub circuit: CircuitSettings,
    /// What we call ourselves on connections of its own.
    pub user_agent: String,
    /// Where the randomness of waits starts.
    pub seed: u64,
}

impl UpstreamSettings {
    /// The settings for a public service of which little is asked.
    pub fn new(name: &'static str, title: &'static str, base: Url) -> Self {
        Self {
            name,
            title,
            base,
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_secs(10),
            max_body_bytes: 2 * 1024 * 1024,
            max_in_flight: 8,
            min_interval: Duration::ZERO,
            also_means_slow_down: &[],
            retry: RetrySettings::default(),
            circuit: CircuitSettings::default(),
            user_agent: concat!("Playhouse/", env!("CARGO_PKG_VERSION")).to_owned(),
            seed: RandomState::new().hash_one(name),
        }
    }

    pub(crate) fn http(&self, through_proxy: bool) -> HttpSettings {
        HttpSettings {
            connect_timeout: self.connect_timeout,
            user_agent: self.user_agent.clone(),
            through_proxy,
            ..HttpSettings::guarded(AddressPolicy::anywhere())
        }
    }

    pub(crate) fn check(&self) -> Result<(), BuildError> {
        let base = &self.base;
        let fault = if !matches!(base.scheme(), "http" | "https") || !base.has_host() {
            "must be an http or https address"
        } else if !base.username().is_empty() || base.password().is_some() {
            "must not hold a user name or password"
        } else if base.query().is_some() || base.fragment().is_some() {
            "must not hold a query or fragment"
        } else if self.max_in_flight == 0 {
            return Err(BuildError::NoneInFlight { title: self.title });
        } else {
            return Ok(());
        };
        Err(BuildError::Base { title: self.title, fault })
    }
}

/// How reads are tried again. A wait doubles with each attempt and is shortened by up to half at random, so that callers
/// which failed together do not come back together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetrySettings {
    /// All attempts together; 1 means that nothing is tried again.
    pub attempts: u32,
    /// Before the second attempt.
    pub first_wait: Duration,
    /// No wait of ours is longer. What a service asks for by `Retry-After` is waited in full or not at all.
    pub longest_wait: Duration,
}

impl Default for RetrySettings {
    fn default() -> Self {
        Self { attempts: 3, first_wait: Duration::from_millis(250), longest_wait: Duration::from_secs(2) }
    }
}

/// When a service counts as down, and for how long it is then left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CircuitSettings {
    /// So many failures without a success in between open the circuit.
    pub failures: u32,
    /// How long it stays open the first time. It doubles each time the trial request fails as well.
    pub open_for: Duration,
    /// It never stays open longer without a trial.
    pub longest_open: Duration,
    /// Whether only silence counts as a failure: no connection, or no answer in time. For a service whose quick refusals tell somebody what to
    /// put right, and should not be hidden behind an open circuit.
    pub only_silence: bool,
}

impl Default for CircuitSettings {
    fn default() -> Self {
        Self {
            failures: 5,
            open_for: Duration::from_secs(15),
            longest_open: Duration::from_secs(300),
            only_silence: false,
        }
    }
}

/// Why an upstream cannot be called at all: something for the operator to put right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The address is not one.
    #[error("the address of {title} {fault}")]
    Base {
        /// The service.
        title: &'static str,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// Nothing could ever be sent.
    #[error("{title} must be allowed at least one request in flight")]
    NoneInFlight {
        /// The service.
        title: &'static str,
    },
    /// No connection can be made.
    #[error("{title} cannot be called: {fault}")]
    Http {
        /// The service.
        title: &'static str,
        /// Why.
        fault: HttpFault,
    },
}
