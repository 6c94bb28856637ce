//! How many wrong codes were tried for each house lately.
//!
//! The doors that need no key have limits of their own, by address; this one holds for whoever has a key, at every door. It is kept in
//! memory only: a restart forgives.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use playhouse_bus::HouseId;

use super::{ClaimError, PairingSettings};

pub(super) struct WrongCodes {
    most: u32,
    within: SignedDuration,
    by_house: HashMap<HouseId, Count>,
}

struct Count {
    n_wrong: u32,
    since: Timestamp,
}

/// Houses that are remembered at once before those whose time is over are dropped.
const MAX_HOUSES_UNSWEPT: usize = 1_000;

impl WrongCodes {
    pub(super) fn new(settings: &PairingSettings) -> Self {
        let within = SignedDuration::try_from(settings.wrong_codes_within).unwrap_or(SignedDuration::MAX);
        Self { most: settings.max_wrong_codes, within, by_house: HashMap::new() }
    }

    /// Refuses a house that has tried too many.
    pub(super) fn check(&self, house: HouseId, now: Timestamp) -> Result<(), ClaimError> {
        match self.by_house.get(&house) {
            Some(count) if count.n_wrong >= self.most && !self.is_over(count, now) => {
                let left = self.within - now.duration_since(count.since);
                Err(ClaimError::TooManyWrongCodes { retry_after_seconds: left.as_secs().max(1).unsigned_abs() })
            }
            _ => Ok(()),
        }
    }

    /// Counts a wrong code.
    pub(super) fn note(&mut self, house: HouseId, now: Timestamp) {
        if self.by_house.len() >= MAX_HOUSES_UNSWEPT {
            let within = self.within;
            self.by_house.retain(|_, count| now.duration_since(count.since) < within);
        }
        let over = self.by_house.get(&house).is_some_and(|count| self.is_over(count, now));
        let count = self.by_house.entry(house).or_insert(Count { n_wrong: 0, since: now });
        if over {
            *count = Count { n_wrong: 0, since: now };
        }
        count.n_wrong += 1;
    }

    fn is_over(&self, count: &Count, now: Timestamp) -> bool {
        now.duration_since(count.since) >= self.within
    }
}
