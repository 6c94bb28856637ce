//! A lasting rate and a burst for each client address.

use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::{Quota, RateLimiter};

use super::bounded::BoundedStates;
use super::{ClientAddress, TooMany};
use crate::telemetry::names;

/// One limit by address. Checking it counts.
pub struct AddressLimit<C: Clock = DefaultClock> {
    name: &'static str,
    limiter: RateLimiter<ClientAddress, BoundedStates, C, NoOpMiddleware<C::Instant>>,
    states: BoundedStates,
    quota: Quota,
}

impl<C: Clock> AddressLimit<C> {
    /// `rate` requests a minute, of which `burst` may come at once, for each of at most `most` addresses.
    ///
    /// The name is the metric's label. A zero counts as one: the configuration refuses it before it gets here.
    pub fn per_minute(name: &'static str, rate: u32, burst: u32, most: usize, clock: C) -> Self {
        AddressLimit::new(name, Quota::per_minute(at_least_one(rate)).allow_burst(at_least_one(burst)), most, clock)
    }

    pub(super) fn new(name: &'static str, quota: Quota, most: usize, clock: C) -> Self {
        let states = BoundedStates::new(most);
        AddressLimit { name, limiter: RateLimiter::new(quota, states.clone(), clock), states, quota }
    }

    /// Counts one request.
    ///
    /// # Errors
    /// [`TooMany`] with the time after which the next one is let through; a refused request does not count.
    pub fn check(&self, client: ClientAddress) -> Result<(), TooMany> {
        self.limiter.check_key(&client).map_err(|refusal| {
            metrics::counter!(names::LIMIT_REFUSALS, "limit" => self.name).increment(1);
            TooMany::after(refusal.wait_time_from(self.limiter.clock().now()))
        })
    }

    /// Takes one counted request back.
    pub(super) fn give_back(&self, client: ClientAddress) {
        self.states.give_back(&client, self.quota.replenish_interval());
    }

    /// Forgets the addresses whose allowance is full again.
    pub fn forget_idle(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
        metrics::gauge!(names::LIMIT_TRACKED_ADDRESSES, "limit" => self.name).set(self.n_tracked() as f64);
    }

    /// How many addresses are remembered now.
    pub fn n_tracked(&self) -> usize {
        self.limiter.len()
    }
}

pub(super) fn at_least_one(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN)
}
