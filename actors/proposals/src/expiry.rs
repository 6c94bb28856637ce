//! Which houses have something to look after, and when: so that nobody asks every house every minute.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use parking_lot::Mutex;
use playhouse_bus::HouseId;
use playhouse_store::{Key, Store, StoreError, scan_all};

use crate::records::{OPEN_CHANGES, OPEN_PROPOSALS, OpenChange, OpenProposal};

/// How many houses are read at a time.
const PAGE: u32 = 500;

/// When each house's next proposal expires, or that something is left behind in it. Cheap to clone; all clones are one.
///
/// It is filled from the store before the doors open ([`Expiries::load`]) and kept current by the queues. Whoever keeps the time sends
/// [`SweepProposals`](crate::SweepProposals) to the houses that are due.
#[derive(Clone, Default)]
pub struct Expiries(Arc<Mutex<HashMap<HouseId, Timestamp>>>);

impl Expiries {
    /// The houses that are due at `now`.
    pub fn due(&self, now: Timestamp) -> Vec<HouseId> {
        let book = self.0.lock();
        let mut due: Vec<_> = book.iter().filter(|(_, at)| **at <= now).map(|(house, _)| *house).collect();
        due.sort_unstable();
        due
    }

    /// When `house` is due next, if it is.
    pub(crate) fn next(&self, house: HouseId) -> Option<Timestamp> {
        self.0.lock().get(&house).copied()
    }

    /// Sets when `house` is due next.
    pub(crate) fn set(&self, house: HouseId, at: Option<Timestamp>) {
        let mut book = self.0.lock();
        match at {
            Some(at) => book.insert(house, at),
            None => book.remove(&house),
        };
    }

    pub(crate) fn is_due_now(&self, house: HouseId) {
        self.set(house, Some(Timestamp::MIN));
    }

    /// Reads what is due from the store, for every house.
    ///
    /// # Errors
    /// What the store says.
    pub async fn load(&self, store: &dyn Store) -> Result<(), StoreError> {
        let mut after = None;
        loop {
            let houses = store.partitions(after, PAGE).await?;
            for house in &houses {
                self.load_house(store, *house).await?;
            }
            match houses.last() {
                Some(last) => after = Some(*last),
                None => return Ok(()),
            }
        }
    }

    /// Reads what is due in one house, as after an import replaced it.
    ///
    /// # Errors
    /// What the store says.
    pub async fn load_house(&self, store: &dyn Store, house: HouseId) -> Result<(), StoreError> {
        let proposals = scan_all::<OpenProposal>(store, &Key::new(house, OPEN_PROPOSALS)).await?;
        let changes = store.scan(&Key::new(house, OPEN_CHANGES), None, 1).await?;
        let next = match changes.entries.is_empty() {
            false => Some(Timestamp::MIN),
            true => proposals.into_iter().map(|(_, open, _)| open.due_at()).min(),
        };
        self.set(house, next);
        Ok(())
    }
}

impl OpenChange {
    /// A change that a start finds under way was left behind.
    pub(crate) const fn new() -> Self {
        Self {}
    }
}
