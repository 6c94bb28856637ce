//! Which houses have something to look after, and when: so that nobody asks every house every minute.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use jiff::Timestamp;
use parking_lot::Mutex;
use playhouse_bus::HouseId;
use playhouse_store::{Key, Store, StoreError, scan_all};

use crate::records::{OPEN_CHANGES, OPEN_PROPOSALS, OpenProposal};

/// How many houses are read at a time.
const PAGE: u32 = 500;

/// When each house's next proposal expires, and in which something was left behind. Cheap to clone; all clones are one.
///
/// It is filled from the store before the doors open ([`Expiries::load`]) and kept current by the queues. Whoever keeps the time sends
/// [`SweepProposals`](crate::SweepProposals) to the houses that are due.
#[derive(Clone, Default)]
pub struct Expiries(Arc<Mutex<Book>>);

#[derive(Default)]
struct Book {
    /// When the next proposal of a house expires.
    next: HashMap<HouseId, Timestamp>,
    /// The houses in which a record says "executing" and nobody is at it.
    left_behind: BTreeSet<HouseId>,
}

impl Expiries {
    /// The houses that are due at `now`.
    pub fn due(&self, now: Timestamp) -> Vec<HouseId> {
        let book = self.0.lock();
        let expired = book.next.iter().filter(|(_, at)| **at <= now).map(|(house, _)| *house);
        let due: BTreeSet<HouseId> = expired.chain(book.left_behind.iter().copied()).collect();
        due.into_iter().collect()
    }

    /// Whether `house` is due at `now`.
    pub(crate) fn is_due(&self, house: HouseId, now: Timestamp) -> bool {
        let book = self.0.lock();
        book.left_behind.contains(&house) || book.next.get(&house).is_some_and(|at| *at <= now)
    }

    /// Sets when the next proposal of `house` expires.
    pub(crate) fn set_next(&self, house: HouseId, at: Option<Timestamp>) {
        let mut book = self.0.lock();
        match at {
            Some(at) => book.next.insert(house, at),
            None => book.next.remove(&house),
        };
    }

    /// Notes whether something was left behind in `house`.
    pub(crate) fn set_left_behind(&self, house: HouseId, is_left: bool) {
        let mut book = self.0.lock();
        match is_left {
            true => book.left_behind.insert(house),
            false => book.left_behind.remove(&house),
        };
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
        let is_left = !changes.entries.is_empty() || proposals.iter().any(|(_, open, _)| open.expires_at.is_none());
        self.set_next(house, proposals.into_iter().filter_map(|(_, open, _)| open.expires_at).min());
        self.set_left_behind(house, is_left);
        Ok(())
    }
}
