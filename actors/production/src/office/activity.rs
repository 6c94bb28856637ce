//! The activity list: its newest part in memory, the rest read when somebody asks for it.

use std::collections::VecDeque;
use std::sync::Arc;

use playhouse_store::{HouseId, Key, SharedStore, StoreError, decode};

use super::layout::{ACTIVITY, activity_path};
use super::ledger::Ledger;
use crate::model::{ActivityEntry, ActivityId};

/// How many entries are kept in memory: several times the longest answer, as some entries may be hidden from who asks.
const RECENT: u32 = 1_000;

/// The activity list of one production.
pub(crate) struct Activity {
    stored: Stored,
    /// The newest entries without a hole, oldest first.
    recent: VecDeque<Arc<ActivityEntry>>,
}

/// All of the list, in the store.
#[derive(Clone)]
struct Stored {
    store: SharedStore,
    house: HouseId,
}

/// What memory has of an answer that goes back further.
pub(crate) struct Further {
    stored: Stored,
    found: Vec<Arc<ActivityEntry>>,
    /// The number of the next older entry; 0 when there is none.
    end: u32,
}

impl Activity {
    pub(super) async fn open(ledger: &Ledger, last: u32) -> Result<Self, StoreError> {
        let stored = Stored { store: ledger.store.clone(), house: ledger.house };
        let recent = stored.read(last.saturating_sub(RECENT), last).await?;
        Ok(Self { stored, recent: recent.into() })
    }

    /// Adds an entry that was committed.
    pub(crate) fn push(&mut self, entry: ActivityEntry) {
        self.recent.push_back(Arc::new(entry));
        if self.recent.len() > RECENT as usize {
            self.recent.pop_front();
        }
    }

    /// The newest `limit` entries that are older than `before` and pass `shown`, newest first, as far as memory goes. `Err` when
    /// older entries have to be read.
    pub(crate) fn recent(
        &self,
        before: Option<ActivityId>,
        limit: usize,
        shown: impl Fn(&ActivityEntry) -> bool,
    ) -> Result<Vec<Arc<ActivityEntry>>, Further> {
        let older = |entry: &&Arc<ActivityEntry>| before.is_none_or(|before| entry.id < before);
        let found: Vec<_> =
            self.recent.iter().rev().filter(older).filter(|entry| shown(entry)).take(limit).cloned().collect();
        let is_all = self.recent.front().is_none_or(|oldest| oldest.id <= ActivityId(1));
        if found.len() == limit || is_all {
            return Ok(found);
        }
        let oldest_kept = self.recent.front().map_or(0, |entry| entry.id.0);
        let end = before.map_or(oldest_kept, |before| before.0.min(oldest_kept)).saturating_sub(1);
        Err(Further { stored: self.stored.clone(), found, end })
    }

    /// Whether one of the entries in memory is so.
    pub(crate) fn has_recent(&self, is_so: impl Fn(&ActivityEntry) -> bool) -> bool {
        self.recent.iter().rev().any(|entry| is_so(entry))
    }
}

impl Further {
    /// Goes on where memory ends, reading as far back as it takes for `limit` entries in all.
    pub(crate) async fn read(
        self,
        limit: usize,
        shown: impl Fn(&ActivityEntry) -> bool,
    ) -> Result<Vec<Arc<ActivityEntry>>, StoreError> {
        let Self { stored, mut found, mut end } = self;
        while end > 0 && found.len() < limit {
            let start = end.saturating_sub(RECENT);
            let entries = stored.read(start, end).await?;
            found.extend(entries.into_iter().rev().filter(|entry| shown(entry)).take(limit - found.len()));
            end = start;
        }
        Ok(found)
    }
}

impl Stored {
    /// The entries after number `after` up to number `last`, oldest first.
    async fn read(&self, after: u32, last: u32) -> Result<Vec<Arc<ActivityEntry>>, StoreError> {
        let folder = Key::new(self.house, ACTIVITY);
        let mut entries = Vec::new();
        let mut after = Key::new(self.house, activity_path(ActivityId(after))?);
        loop {
            let page = self.store.scan(&folder, Some(&after), RECENT).await?;
            let Some((key, _)) = page.entries.last() else { return Ok(entries) };
            after = key.clone();
            for (key, found) in page.entries {
                let entry: ActivityEntry = decode(&found.value).map_err(|error| StoreError::Record { key, error })?;
                if entry.id.0 > last {
                    return Ok(entries);
                }
                entries.push(Arc::new(entry));
            }
            if !page.more {
                return Ok(entries);
            }
        }
    }
}
