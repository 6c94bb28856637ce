//! How many wrong guesses are allowed, by address and over the instance.

use std::sync::Arc;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::NotKeyed;
use governor::{Quota, RateLimiter};

use super::address_limit::at_least_one;
use super::bounded::SharedState;
use super::{AddressLimit, ClientAddress, TooMany};
use crate::telemetry::names;

/// A budget of failures. Guessing is answered by "wait" long before it can succeed, also from many addresses.
///
/// An attempt is paid for *before* it is tried and paid back when it turns out not to be a wrong guess. Counting only
/// afterwards would let a thousand guesses through that are made at the same moment.
///
/// When the instance's budget is used up nobody can claim until some of it is back: that is the price of a bound on
/// guesses from any number of addresses, and why the budget should be generous next to honest typing errors.
pub struct FailureBudget<C: Clock = DefaultClock> {
    by_address: Arc<AddressLimit<C>>,
    everyone: RateLimiter<NotKeyed, SharedState, C, NoOpMiddleware<C::Instant>>,
    everyones_state: SharedState,
    everyones_quota: Quota,
}

/// The right to try once. Dropped, it stays paid: the attempt failed, or nobody knows.
#[must_use = "an attempt that is dropped counts as a wrong guess"]
pub struct Attempt<C: Clock = DefaultClock> {
    client: ClientAddress,
    by_address: Arc<AddressLimit<C>>,
    everyones_state: SharedState,
    everyones_quota: Quota,
}

impl<C: Clock + Clone> FailureBudget<C> {
    /// `rate` failures an hour over the instance and `rate_by_address` from one address, each of them also at once.
    pub fn per_hour(rate: u32, rate_by_address: u32, most_addresses: usize, clock: &C) -> Self {
        let by_address = Quota::per_hour(at_least_one(rate_by_address));
        let everyones_quota = Quota::per_hour(at_least_one(rate));
        let everyones_state = SharedState::default();
        FailureBudget {
            by_address: Arc::new(AddressLimit::new("failed_claims", by_address, most_addresses, clock.clone())),
            everyone: RateLimiter::new(everyones_quota, everyones_state.clone(), clock.clone()),
            everyones_state,
            everyones_quota,
        }
    }
}

impl<C: Clock> FailureBudget<C> {
    /// Pays for one attempt. Call [`Attempt::was_no_guess`] when it succeeded, or failed for another reason than a wrong code.
    ///
    /// # Errors
    /// [`TooMany`] when the address or the instance has used up its failures; nothing is paid then.
    pub fn begin(&self, client: ClientAddress) -> Result<Attempt<C>, TooMany> {
        self.by_address.check(client)?;
        self.everyone.check().map_err(|refusal| {
            self.by_address.give_back(client);
            metrics::counter!(names::LIMIT_REFUSALS, "limit" => "failed_claims_of_all").increment(1);
            TooMany::after(refusal.wait_time_from(self.everyone.clock().now()))
        })?;
        Ok(Attempt {
            client,
            by_address: Arc::clone(&self.by_address),
            everyones_state: self.everyones_state.clone(),
            everyones_quota: self.everyones_quota,
        })
    }

    /// Forgets the addresses whose failures are long ago.
    pub fn forget_idle(&self) {
        self.by_address.forget_idle();
    }

    /// How many addresses are remembered now.
    pub fn n_tracked(&self) -> usize {
        self.by_address.n_tracked()
    }
}

impl<C: Clock> Attempt<C> {
    /// Pays the attempt back.
    pub fn was_no_guess(self) {
        self.by_address.give_back(self.client);
        self.everyones_state.give_back(self.everyones_quota.replenish_interval());
    }
}
