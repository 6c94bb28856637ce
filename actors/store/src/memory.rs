//! A store in memory, for tests of what is built on stores and as the one the conformance suite compares others with.

use std::{
    collections::BTreeMap,
    sync::{PoisonError, RwLock},
};

use bytes::Bytes;

use crate::{
    Clock, CommitError, StoreError,
    clock::system_clock,
    round::Round,
    row_store::{Backend, RowStore},
    rows::{Rows, Visit},
    watchers::Watchers,
};

/// A store whose contents end with the process. It keeps every promise of [`Store`](crate::Store) but durability, and
/// its futures are ready at once, so that tests with paused time are not disturbed. Not for production.
pub type MemoryStore = RowStore<MemoryRows>;

impl MemoryStore {
    /// An empty store that goes by the machine's clock.
    pub fn new() -> Self {
        Self::with_clock(system_clock())
    }

    /// An empty store that goes by `clock`.
    pub fn with_clock(clock: Clock) -> Self {
        Self::over(MemoryRows { rows: RwLock::new(Some(RowMap::default())), clock, watchers: Watchers::new() })
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

/// The rows of a [`MemoryStore`].
pub struct MemoryRows {
    /// `None` once closed.
    rows: RwLock<Option<RowMap>>,
    clock: Clock,
    watchers: Watchers,
}

#[derive(Default)]
struct RowMap(BTreeMap<Vec<u8>, Bytes>);

impl Rows for RowMap {
    fn row(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        Ok(self.0.get(key).cloned())
    }

    fn rows_from(&self, start: &[u8], visit: Visit<'_>) -> Result<(), StoreError> {
        for (key, row) in self.0.range(start.to_vec()..) {
            if visit(key, row).is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl Backend for MemoryRows {
    async fn read<T, F>(&self, look: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&dyn Rows) -> Result<T, StoreError> + Send + 'static,
    {
        match &*self.rows.read().unwrap_or_else(PoisonError::into_inner) {
            Some(rows) => look(rows),
            None => Err(StoreError::Unavailable { cause: CLOSED.to_owned() }),
        }
    }

    async fn write<T, F>(&self, _n_bytes: usize, decide: F) -> Result<T, CommitError>
    where
        T: Send + 'static,
        F: FnOnce(&mut Round<'_>) -> Result<T, CommitError> + Send + 'static,
    {
        let mut rows = self.rows.write().unwrap_or_else(PoisonError::into_inner);
        let Some(rows) = &mut *rows else { return Err(CommitError::Unavailable { cause: CLOSED.to_owned() }) };
        let mut round = Round::new(rows, (self.clock)());
        let answer = round.decide(decide);
        let (changed, touched) = round.finish();
        for (key, row) in changed {
            match row {
                Some(row) => rows.0.insert(key, row),
                None => rows.0.remove(&key),
            };
        }
        self.watchers.tell(touched);
        answer
    }

    fn watchers(&self) -> &Watchers {
        &self.watchers
    }

    async fn close(&self) -> Result<(), StoreError> {
        *self.rows.write().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(())
    }
}

const CLOSED: &str = "it has been closed";
