//! The rules of writing: decides requests one after the other and collects the rows they change.
//!
//! A round never writes. The backend hands it the rows as they are, lets it decide any number of requests, each seeing
//! what the ones before it decided, and then puts all changed rows in place at once. A request that fails leaves no
//! trace.

use std::{collections::BTreeMap, time::Duration};

use bytes::Bytes;
use jiff::Timestamp;

use crate::{
    Change, Claim, CommitError, Expect, Fence, HouseId, IdemKey, Key, LogId, Lost, MAX_COMMIT_BYTES, MAX_COMMIT_OPS,
    MAX_VALUE_BYTES, NodeId, Op, Path, Refusal, ResourceId, Seq, StoreError, Version,
    rows::{self, ClaimRow, Generation, Holder, HouseRow, Rows},
};

/// Rows to put (`Some`, sealed) or to remove (`None`).
pub(crate) type ChangedRows = BTreeMap<Vec<u8>, Option<Bytes>>;

/// What watchers are told once a round is durable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Touched {
    Record(Key),
    House(HouseId),
}

/// See the module.
pub struct Round<'a> {
    rows: &'a dyn Rows,
    now: Timestamp,
    /// What earlier requests decided.
    settled: Decided,
    /// What the request at hand has decided so far.
    open: Decided,
}

#[derive(Default)]
struct Decided {
    rows: ChangedRows,
    touched: Vec<Touched>,
}

impl<'a> Round<'a> {
    /// A round over the rows as they are, at the time `now`.
    pub(crate) fn new(rows: &'a dyn Rows, now: Timestamp) -> Self {
        Self { rows, now, settled: Decided::default(), open: Decided::default() }
    }

    /// Decides one request. If it fails, everything it did to the round is forgotten.
    pub(crate) fn decide<T>(
        &mut self,
        request: impl FnOnce(&mut Self) -> Result<T, CommitError>,
    ) -> Result<T, CommitError> {
        let answer = request(self);
        let mut decided = std::mem::take(&mut self.open);
        if answer.is_ok() {
            self.settled.rows.append(&mut decided.rows);
            self.settled.touched.append(&mut decided.touched);
        }
        answer
    }

    /// The rows to change, and what to tell watchers when they are durable.
    pub(crate) fn finish(self) -> (ChangedRows, Vec<Touched>) {
        (self.settled.rows, self.settled.touched)
    }

    /// See [`Store::commit`](crate::Store::commit).
    pub(crate) fn commit(
        &mut self,
        partition: HouseId,
        ops: &[Op],
        fence: Option<&Fence>,
    ) -> Result<Vec<Version>, CommitError> {
        check_size(partition, ops)?;
        self.check_fence(fence)?;
        let mut house = self.house(partition)?;
        let generation = Generation { house: partition, number: house.generation };
        for op in ops {
            self.check_expectation(generation, op)?;
        }
        if ops.is_empty() {
            return Ok(Vec::new());
        }
        house.last_version += 1;
        let version = Version(house.last_version);
        for op in ops {
            let key = generation.record(&op.path);
            match &op.change {
                Change::Put(value) => self.put(key, &rows::record_payload(version, value)),
                Change::Delete => self.remove(key),
            }
            self.touch(Touched::Record(Key::new(partition, op.path.clone())));
        }
        self.put(HouseRow::key(partition), &house.payload());
        Ok(vec![version; ops.len()])
    }

    /// See [`Store::append`](crate::Store::append).
    pub(crate) fn append(
        &mut self,
        log: &LogId,
        record: &[u8],
        idem: &IdemKey,
        fence: Option<&Fence>,
    ) -> Result<Seq, CommitError> {
        check_name(&log.path)?;
        check_value(&log.path, record)?;
        self.check_fence(fence)?;
        let house = self.house(log.partition)?;
        let generation = Generation { house: log.partition, number: house.generation };
        let idem_key = generation.idem(&log.path, idem);
        if let Some(payload) = self.payload(&idem_key)? {
            let seq = rows::parse_number(&idem_key, payload)?;
            return self.same_entry(generation, log, seq, record);
        }
        let end_key = generation.log_end(&log.path);
        let seq = match self.payload(&end_key)? {
            Some(payload) => rows::parse_number(&end_key, payload)?.next(),
            None => Seq::FIRST,
        };
        self.put_log_entry(generation, &log.path, seq, idem, record);
        if house == HouseRow::default() {
            // The house may have no row yet, and is found by it.
            self.put(HouseRow::key(log.partition), &house.payload());
        }
        Ok(seq)
    }

    /// Answers the first append again, unless the repetition would hide other bytes.
    fn same_entry(&self, generation: Generation, log: &LogId, seq: Seq, record: &[u8]) -> Result<Seq, CommitError> {
        let key = generation.log_entry(&log.path, seq);
        let payload = self.payload(&key)?.ok_or_else(|| rows::damaged(&key))?;
        if rows::parse_log_entry(&key, payload)?.record != record {
            return Err(Refusal::IdemKeyReused { seq }.into());
        }
        Ok(seq)
    }

    pub(crate) fn put_log_entry(
        &mut self,
        generation: Generation,
        log: &Path,
        seq: Seq,
        idem: &IdemKey,
        record: &[u8],
    ) {
        self.put(generation.log_entry(log, seq), &rows::log_entry_payload(idem, record));
        self.put(generation.log_end(log), &rows::number_payload(seq));
        self.put(generation.idem(log, idem), &rows::number_payload(seq));
    }

    /// See [`Store::claim`](crate::Store::claim).
    pub(crate) fn claim(&mut self, resource: &ResourceId, node: NodeId, ttl: Duration) -> Result<Claim, CommitError> {
        check_name(&resource.path)?;
        let key = ClaimRow::key(resource);
        let row = self.claim_row(&key)?;
        if let Some(holder) = row.holder
            && holder.node != node
            && holder.until > self.now
        {
            return Ok(Claim::Held { by: holder.node, until: holder.until });
        }
        let epoch = row.epoch + 1;
        let holder = Holder { node, until: self.ends_after(ttl) };
        self.put(key, &ClaimRow { epoch, holder: Some(holder) }.payload());
        Ok(Claim::Owned { epoch })
    }

    /// See [`Store::renew`](crate::Store::renew).
    pub(crate) fn renew(&mut self, resource: &ResourceId, epoch: u64, ttl: Duration) -> Result<(), Lost> {
        let key = ClaimRow::key(resource);
        let row = self.claim_row(&key)?;
        match row.holder {
            Some(holder) if row.epoch == epoch && holder.until > self.now => {
                let holder = Holder { until: self.ends_after(ttl), ..holder };
                self.put(key, &ClaimRow { epoch, holder: Some(holder) }.payload());
                Ok(())
            }
            _ => Err(Lost::Over { current: row.epoch }),
        }
    }

    /// See [`Store::release`](crate::Store::release). The epoch grows, so that writes under the released claim are
    /// fenced.
    pub(crate) fn release(&mut self, resource: &ResourceId, epoch: u64) -> Result<(), CommitError> {
        let key = ClaimRow::key(resource);
        let row = self.claim_row(&key)?;
        if row.epoch == epoch && row.holder.is_some() {
            self.put(key, &ClaimRow { epoch: epoch + 1, holder: None }.payload());
        }
        Ok(())
    }

    pub(crate) fn house(&self, house: HouseId) -> Result<HouseRow, StoreError> {
        let key = HouseRow::key(house);
        HouseRow::parse(&key, self.payload(&key)?)
    }

    pub(crate) fn put(&mut self, key: Vec<u8>, payload: &[u8]) {
        let row = rows::seal(&key, payload);
        self.open.rows.insert(key, Some(row));
    }

    pub(crate) fn remove(&mut self, key: Vec<u8>) {
        self.open.rows.insert(key, None);
    }

    pub(crate) fn touch(&mut self, touched: Touched) {
        self.open.touched.push(touched);
    }

    /// The rows as they were before this round.
    pub(crate) fn rows_before(&self) -> &'a dyn Rows {
        self.rows
    }

    /// Whether earlier requests of this round put a row whose key starts with `prefix`.
    pub(crate) fn puts_beneath(&self, prefix: &[u8]) -> bool {
        let mut from_prefix = self.settled.rows.range(prefix.to_vec()..);
        from_prefix.by_ref().take_while(|(key, _)| key.starts_with(prefix)).any(|(_, row)| row.is_some())
    }

    /// The payload under `key`, as decided so far.
    pub(crate) fn payload(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        match self.open.rows.get(key).or_else(|| self.settled.rows.get(key)) {
            Some(Some(row)) => rows::unseal(key, row).map(Some),
            Some(None) => Ok(None),
            None => rows::payload(self.rows, key),
        }
    }

    fn check_expectation(&self, generation: Generation, op: &Op) -> Result<(), CommitError> {
        if op.expect == Expect::Any {
            return Ok(());
        }
        let key = generation.record(&op.path);
        let current = self.payload(&key)?.map(|payload| rows::parse_record(&key, payload)).transpose()?;
        let current = current.map(|record| record.version);
        let wanted = match op.expect {
            Expect::Version(version) => Some(version),
            Expect::Any | Expect::Absent => None,
        };
        if current == wanted {
            return Ok(());
        }
        Err(CommitError::Conflict { key: Key::new(generation.house, op.path.clone()), current })
    }

    fn check_fence(&self, fence: Option<&Fence>) -> Result<(), CommitError> {
        let Some(fence) = fence else { return Ok(()) };
        let row = self.claim_row(&ClaimRow::key(&fence.resource))?;
        // A claim whose time is over but which nobody took still fences: no one else can have acted in between.
        if row.epoch == fence.epoch && row.holder.is_some() {
            return Ok(());
        }
        Err(CommitError::Fenced { current: row.epoch })
    }

    fn claim_row(&self, key: &[u8]) -> Result<ClaimRow, StoreError> {
        ClaimRow::parse(key, self.payload(key)?)
    }

    fn ends_after(&self, ttl: Duration) -> Timestamp {
        self.now.checked_add(ttl).unwrap_or(Timestamp::MAX)
    }
}

fn check_size(partition: HouseId, ops: &[Op]) -> Result<(), Refusal> {
    let mut n_bytes = 0;
    for op in ops {
        check_name(&op.path)?;
        if let Change::Put(value) = &op.change {
            check_value(&op.path, value)?;
            n_bytes += value.len();
        }
    }
    if ops.len() > MAX_COMMIT_OPS || n_bytes > MAX_COMMIT_BYTES {
        return Err(Refusal::CommitTooLarge { n_ops: ops.len(), n_bytes });
    }
    let mut paths: Vec<&Path> = ops.iter().map(|op| &op.path).collect();
    paths.sort_unstable();
    match paths.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Refusal::KeyTwice(Key::new(partition, pair[0].clone()))),
        None => Ok(()),
    }
}

pub(crate) fn check_name(path: &Path) -> Result<(), Refusal> {
    if path.is_root() { Err(Refusal::RootPath) } else { Ok(()) }
}

pub(crate) fn check_value(path: &Path, value: &[u8]) -> Result<(), Refusal> {
    if value.len() > MAX_VALUE_BYTES {
        return Err(Refusal::ValueTooLarge { place: path.to_string(), n_bytes: value.len() });
    }
    Ok(())
}
