//! The activity list: its newest part in memory, the rest read when somebody asks for it.

use std::collections::VecDeque;

use playhouse_store::{HouseId, Key, SharedStore, StoreError, decode};

use super::layout::{ACTIVITY, activity_path};
use super::ledger::Ledger;
use crate::model::{ActivityEntry, ActivityId};

/// How many entries are kept in memory: several times the longest answer, as some entries may be hidden from who asks.
const RECENT: u32 = 1_000;

/// The activity list of one production.
#[derive(Clone)]
pub(crate) struct Activity {
    store: SharedStore,
    house: HouseId,
    /// The newest entries without a hole, oldest first.
    recent: VecDeque<ActivityEntry>,
}

impl Activity {
    pub(super) async fn open(ledger: &Ledger, last: u32) -> Result<Self, StoreError> {
        let mut activity = Self { store: ledger.store.clone(), house: ledger.house, recent: VecDeque::new() };
        activity.recent = activity.read(last.saturating_sub(RECENT), last).await?.into();
        Ok(activity)
    }

    /// Adds an entry that was committed.
    pub(crate) fn push(&mut self, entry: ActivityEntry) {
        self.recent.push_back(entry);
        if self.recent.len() > RECENT as usize {
            self.recent.pop_front();
        }
    }

    /// The newest `limit` entries that are older than `before` and pass `shown`, newest first, as far as memory goes. `Err` with what was
    /// found when older entries have to be read.
    pub(crate) fn recent(
        &self,
        before: Option<ActivityId>,
        limit: usize,
        shown: impl Fn(&ActivityEntry) -> bool,
    ) -> Result<Vec<ActivityEntry>, Vec<ActivityEntry>> {
        let older = |entry: &&ActivityEntry| before.is_none_or(|before| entry.id < before);
        let found: Vec<_> =
            self.recent.iter().rev().filter(older).filter(|entry| shown(entry)).take(limit).cloned().collect();
        let is_all = self.recent.front().is_none_or(|oldest| oldest.id <= ActivityId(1));
        if found.len() == limit || is_all { Ok(found) } else { Err(found) }
    }

    /// Goes on with `found` where memory ends, reading as far back as it takes.
    pub(crate) async fn older(
        self,
        mut found: Vec<ActivityEntry>,
        before: Option<ActivityId>,
        limit: usize,
        shown: impl Fn(&ActivityEntry) -> bool,
    ) -> Result<Vec<ActivityEntry>, StoreError> {
        let oldest_kept = self.recent.front().map_or(0, |entry| entry.id.0);
        let mut end = before.map_or(oldest_kept, |before| before.0.min(oldest_kept)).saturating_sub(1);
        while end > 0 && found.len() < limit {
            let start = end.saturating_sub(RECENT);
            let entries = self.read(start, end).await?;
            found.extend(entries.into_iter().rev().filter(|entry| shown(entry)).take(limit - found.len()));
            end = start;
        }
        Ok(found)
    }

    /// The entries after number `after` up to number `last`, oldest first.
    async fn read(&self, after: u32, last: u32) -> Result<Vec<ActivityEntry>, StoreError> {
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
                entries.push(entry);
            }
            if !page.more {
                return Ok(entries);
            }
        }
    }
}
