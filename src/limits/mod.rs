//! How often one client address may use the doors that need no key.
//!
//! | door | limit | why |
//! |---|---|---|
//! | `POST /pair/init` | [`Limits::pair_init`] | each success holds a pairing code |
//! | `POST /pair/claim` | [`Limits::pair_claim`], and [`Limits::failed_claims`] for wrong codes | codes could be guessed |
//! | `POST /waitlist` | [`Limits::waitlist`] | each success is kept |
//!
//! Tool calls and the TVs' sockets are not limited here: the bus bounds the calls under way, and a whole house of polling
//! TVs may sit behind one address.
//!
//! A door asks like this, and the error is the answer to the client:
//!
//! ```
//! # use playhouse::limits::{Limits, TooMany};
//! # use actix_web::HttpRequest;
//! fn let_in(limits: &Limits, request: &HttpRequest) -> Result<(), TooMany> {
//!     limits.pair_init.check(limits.client_of(request))
//! }
//! ```
//!
//! Everything lives in memory: a restart starts all allowances afresh. Memory is bounded: addresses whose
//! allowance is full again are forgotten each minute, and their number has a hard cap.

mod address;
mod address_limit;
mod bounded;
mod failure_budget;
mod proxies;
mod too_many;

use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpRequest;
use governor::clock::{Clock, DefaultClock};
use tokio::task::JoinHandle;

use crate::config;

pub use address::ClientAddress;
pub use address_limit::AddressLimit;
pub use failure_budget::{Attempt, FailureBudget};
pub use proxies::TrustedProxies;
pub use too_many::TooMany;

/// How often addresses with a full allowance are forgotten.
const SWEEP_PERIOD: Duration = Duration::from_secs(60);

/// All limits of one instance. The clock is a parameter so that tests own the time.
pub struct Limits<C: Clock = DefaultClock> {
    /// `POST /pair/init`, by address.
    pub pair_init: AddressLimit<C>,
    /// `POST /pair/claim`, by address, right or wrong.
    pub pair_claim: AddressLimit<C>,
    /// `POST /waitlist`, by address.
    pub waitlist: AddressLimit<C>,
    /// Wrong codes at `POST /pair/claim`, by address and over the instance.
    pub failed_claims: FailureBudget<C>,
    proxies: TrustedProxies,
}

impl<C: Clock + Clone> Limits<C> {
    /// The limits as configured.
    pub fn new(limits: &config::Limits, server: &config::Server, clock: &C) -> Self {
        let most = limits.max_tracked_addresses;
        let per_minute = |name, rate, burst| AddressLimit::per_minute(name, rate, burst, most, clock.clone());
        Limits {
            pair_init: per_minute("pair_init", limits.pair_init_per_minute, limits.pair_init_burst),
            pair_claim: per_minute("pair_claim", limits.pair_claim_per_minute, limits.pair_claim_burst),
            waitlist: per_minute("waitlist", limits.waitlist_per_minute, limits.waitlist_burst),
            failed_claims: FailureBudget::per_hour(
                limits.failed_claims_per_hour,
                limits.failed_claims_per_hour_per_address,
                most,
                clock,
            ),
            proxies: TrustedProxies::new(server.trusted_proxies.clone()),
        }
    }

    /// Whom a request counts against: the connection's address, or what a trusted proxy says about it.
    pub fn client_of(&self, request: &HttpRequest) -> ClientAddress {
        ClientAddress::from(self.proxies.client(request.peer_addr().map(|peer| peer.ip()), request.headers()))
    }

    /// Forgets the addresses whose allowance is full again and gives their memory back.
    pub fn forget_idle(&self) {
        self.pair_init.forget_idle();
        self.pair_claim.forget_idle();
        self.waitlist.forget_idle();
        self.failed_claims.forget_idle();
    }
}

impl<C: Clock + Clone + Send + Sync + 'static> Limits<C> {
    /// Forgets idle addresses each minute until the handle is aborted. Must be called on an actix thread.
    pub fn keep_small(self: Arc<Self>) -> JoinHandle<()> {
        actix_web::rt::spawn(async move {
            let mut tick = tokio::time::interval(SWEEP_PERIOD);
            loop {
                tick.tick().await;
                self.forget_idle();
            }
        })
    }
}

#[cfg(test)]
mod tests;
