//! What a queue has in memory of its house: everything that goes on, and the newest proposals, so that a list costs no look at the disk.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use bytes::Bytes;
use jiff::Timestamp;
use playhouse_bus::HouseId;
use playhouse_store::{Key, Path, Record, RecordError, Store, StoreError, Version, decode, read};

use crate::records::{
    COUNTERS, ChangeRow, Counters, OPEN_CHANGES, OPEN_PROPOSALS, PROPOSALS, ProposalRecord, change_path, proposal_path,
};
use crate::{ChangeId, ProposalId};

/// How many entries a list shows.
pub(crate) const MAX_LISTED: usize = 200;

/// A record as the store has it.
#[derive(Debug, Clone)]
pub(crate) struct Kept<R> {
    pub(crate) record: Rc<R>,
    pub(crate) version: Version,
}

/// What the store holds, as of the commits that were seen.
#[derive(Debug)]
pub(crate) struct State {
    /// How many commits of the house this includes.
    pub(crate) seen: u64,
    pub(crate) counters: Counters,
    /// `None` before the first number was given out.
    pub(crate) counters_version: Option<Version>,
    /// The proposals that wait or are being carried out.
    pub(crate) open: BTreeMap<ProposalId, Kept<ProposalRecord>>,
    /// The newest proposals, whatever became of them, the newest first.
    pub(crate) recent: VecDeque<Rc<ProposalRecord>>,
    /// The lists of those that wait and of all, as JSON; absent until they are asked for again after a change.
    pub(crate) encoded: [Option<Bytes>; 2],
    /// The changes that are being carried out.
    pub(crate) open_changes: BTreeMap<ChangeId, Kept<ChangeRow>>,
}

impl State {
    /// Reads it. `seen` is the number of commits that were begun before this reading.
    pub(crate) async fn read(house: HouseId, store: &dyn Store, seen: u64) -> Result<Self, StoreError> {
        let counters = read::<Counters>(store, &Key::new(house, COUNTERS)).await?;
        let (counters, counters_version) = counters.map_or((Counters::default(), None), |(c, v)| (c, Some(v)));
        let mut open = BTreeMap::new();
        for number in numbers(house, store, OPEN_PROPOSALS).await? {
            let kept = kept::<ProposalRecord>(house, store, proposal_path(ProposalId(number))).await?;
            open.extend(kept.map(|kept| (ProposalId(number), kept)));
        }
        let mut open_changes = BTreeMap::new();
        for number in numbers(house, store, OPEN_CHANGES).await? {
            let kept = kept::<ChangeRow>(house, store, change_path(ChangeId(number))).await?;
            open_changes.extend(kept.map(|kept| (ChangeId(number), kept)));
        }
        let recent = first_records::<ProposalRecord>(house, store, PROPOSALS, None, MAX_LISTED).await?;
        let recent = recent.into_iter().map(Rc::new).collect();
        Ok(Self { seen, counters, counters_version, open, recent, encoded: [None, None], open_changes })
    }

    /// How many proposals wait.
    pub(crate) fn n_pending(&self) -> usize {
        self.open.values().filter(|kept| kept.record.is_pending()).count()
    }

    /// When the next proposal expires.
    pub(crate) fn next_expiry(&self) -> Option<Timestamp> {
        let pending = self.open.values().filter(|kept| kept.record.is_pending());
        pending.map(|kept| kept.record.shown.expires_at).min()
    }

    /// Takes over a proposal as it was committed.
    pub(crate) fn take_over_proposal(&mut self, record: Rc<ProposalRecord>, version: Version) {
        let id = record.shown.id;
        self.encoded = [None, None];
        match self.recent.iter().position(|kept| kept.shown.id == id) {
            Some(at) => self.recent[at] = Rc::clone(&record),
            None if self.recent.front().is_none_or(|newest| newest.shown.id < id) => {
                self.recent.push_front(Rc::clone(&record));
                self.recent.truncate(MAX_LISTED);
            }
            None => {}
        }
        match record.is_open() {
            true => self.open.insert(id, Kept { record, version }),
            false => self.open.remove(&id),
        };
    }

    /// Takes over a change as it was committed.
    pub(crate) fn take_over_change(&mut self, record: Rc<ChangeRow>, version: Version) {
        let id = record.shown.id;
        match record.is_executing() {
            true => self.open_changes.insert(id, Kept { record, version }),
            false => self.open_changes.remove(&id),
        };
    }
}

/// A record with its version.
pub(crate) async fn kept<R: Record>(
    house: HouseId,
    store: &dyn Store,
    path: Path,
) -> Result<Option<Kept<R>>, StoreError> {
    let found = read::<R>(store, &Key::new(house, path)).await?;
    Ok(found.map(|(record, version)| Kept { record: Rc::new(record), version }))
}

/// The first records beneath `prefix`, at most so many, after `after` only.
pub(crate) async fn first_records<R: Record>(
    house: HouseId,
    store: &dyn Store,
    prefix: Path,
    after: Option<Path>,
    limit: usize,
) -> Result<Vec<R>, StoreError> {
    let prefix = Key::new(house, prefix);
    let mut after = after.map(|path| Key::new(house, path));
    let mut records: Vec<R> = Vec::new();
    while records.len() < limit {
        let wanted = u32::try_from(limit - records.len()).unwrap_or(u32::MAX);
        let page = store.scan(&prefix, after.as_ref(), wanted).await?;
        after = page.entries.last().map(|(key, _)| key.clone());
        for (key, found) in page.entries {
            match decode(&found.value) {
                Ok(record) => records.push(record),
                Err(error) => return Err(StoreError::Record { key, error }),
            }
        }
        if !page.more {
            break;
        }
    }
    Ok(records)
}

/// The numbers of an index.
async fn numbers(house: HouseId, store: &dyn Store, index: Path) -> Result<Vec<u64>, StoreError> {
    let prefix = Key::new(house, index);
    let mut numbers = Vec::new();
    let mut after: Option<Key> = None;
    loop {
        let page = store.scan(&prefix, after.as_ref(), playhouse_store::MAX_PAGE_ENTRIES).await?;
        for (key, _) in &page.entries {
            let number = key.path.last().and_then(|segment| segment.parse().ok());
            let error = || StoreError::Record { key: key.clone(), error: RecordError::NotARecord };
            numbers.push(number.ok_or_else(error)?);
        }
        after = page.entries.last().map(|(key, _)| key.clone());
        if !page.more {
            return Ok(numbers);
        }
    }
}
