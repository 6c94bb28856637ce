//! The rules of reading, over rows that do not change meanwhile.

use std::ops::ControlFlow;

use bytes::Bytes;

use crate::{
    HouseId, Key, LogEntry, LogId, MAX_PAGE_BYTES, MAX_PAGE_ENTRIES, Page, Path, Seq, StoreError, Versioned,
    rows::{self, Generation, HouseRow, Rows, Table},
};

/// See [`Store::get`](crate::Store::get).
pub(crate) fn get(rows: &dyn Rows, key: &Key) -> Result<Option<Versioned>, StoreError> {
    let row_key = Generation::live(rows, key.partition)?.record(&key.path);
    rows::payload(rows, &row_key)?.map(|payload| rows::parse_record(&row_key, payload)).transpose()
}

/// See [`Store::scan`](crate::Store::scan).
pub(crate) fn scan(rows: &dyn Rows, prefix: &Key, after: Option<&Path>, limit: u32) -> Result<Page, StoreError> {
    let generation = Generation::live(rows, prefix.partition)?;
    let mut row_prefix = generation.record(&prefix.path);
    if !prefix.path.is_root() {
        row_prefix.push(b'/');
    }
    let mut start = row_prefix.clone();
    if let Some(after) = after {
        start = start.max(just_after(generation.record(after)));
    }
    let mut page = PageLimit::new(limit);
    let mut entries = Vec::new();
    let more = collect(rows, &start, &row_prefix, &mut page, |key, payload| {
        let record = rows::parse_record(key, payload)?;
        let n_bytes = record.value.len();
        entries.push((Key::new(prefix.partition, Generation::path_of(key)?), record));
        Ok(n_bytes)
    })?;
    Ok(Page { entries, more })
}

/// See [`Store::read_log`](crate::Store::read_log).
pub(crate) fn read_log(rows: &dyn Rows, log: &LogId, from: Seq, limit: u32) -> Result<Vec<LogEntry>, StoreError> {
    let generation = Generation::live(rows, log.partition)?;
    let start = generation.log_entry(&log.path, from);
    let mut page = PageLimit::new(limit);
    let mut entries = Vec::new();
    collect(rows, &start, &generation.log_entries(&log.path), &mut page, |key, payload| {
        let entry = rows::parse_log_entry(key, payload)?;
        let n_bytes = entry.record.len();
        entries.push(entry);
        Ok(n_bytes)
    })?;
    Ok(entries)
}

/// See [`Store::logs`](crate::Store::logs).
pub(crate) fn logs(
    rows: &dyn Rows,
    partition: HouseId,
    after: Option<&Path>,
    limit: u32,
) -> Result<Vec<LogId>, StoreError> {
    let generation = Generation::live(rows, partition)?;
    let prefix = generation.prefix(Table::LogEnds);
    let start = after.map_or_else(|| prefix.clone(), |after| just_after(generation.log_end(after)));
    let mut page = PageLimit::new(limit);
    let mut logs = Vec::new();
    collect(rows, &start, &prefix, &mut page, |key, _| {
        logs.push(LogId::new(partition, Generation::path_of(key)?));
        Ok(0)
    })?;
    Ok(logs)
}

/// See [`Store::partitions`](crate::Store::partitions).
pub(crate) fn partitions(rows: &dyn Rows, after: Option<HouseId>, limit: u32) -> Result<Vec<HouseId>, StoreError> {
    let prefix = [Table::Houses as u8];
    let start = after.map_or_else(|| prefix.to_vec(), |after| just_after(HouseRow::key(after)));
    let mut page = PageLimit::new(limit);
    let mut houses = Vec::new();
    collect(rows, &start, &prefix, &mut page, |key, payload| {
        let Some((house, row)) = HouseRow::of_row(key, &payload)? else { return Ok(0) };
        if has_anything(rows, Generation { house, number: row.generation })? {
            houses.push(house);
        }
        Ok(0)
    })?;
    Ok(houses)
}

/// Whether a generation has a record or a log entry.
pub(crate) fn has_anything(rows: &dyn Rows, generation: Generation) -> Result<bool, StoreError> {
    for table in [Table::Records, Table::LogEnds] {
        if !keys_beneath(rows, &generation.prefix(table), 1)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// At most `limit` keys that start with `prefix`, in order.
pub(crate) fn keys_beneath(rows: &dyn Rows, prefix: &[u8], limit: usize) -> Result<Vec<Vec<u8>>, StoreError> {
    let mut keys = Vec::new();
    rows.rows_from(prefix, &mut |key, _| {
        if keys.len() == limit || !key.starts_with(prefix) {
            return ControlFlow::Break(());
        }
        keys.push(key.to_vec());
        ControlFlow::Continue(())
    })?;
    Ok(keys)
}

/// When a page is full.
struct PageLimit {
    entries_left: u32,
    bytes_left: usize,
}

impl PageLimit {
    fn new(limit: u32) -> Self {
        Self { entries_left: limit.min(MAX_PAGE_ENTRIES), bytes_left: MAX_PAGE_BYTES }
    }

    fn is_full(&self) -> bool {
        self.entries_left == 0 || self.bytes_left == 0
    }

    fn count(&mut self, n_bytes: usize) {
        self.entries_left -= 1;
        self.bytes_left = self.bytes_left.saturating_sub(n_bytes);
    }
}

/// Shows verified rows that start with `prefix` until the page is full; `take` answers how many bytes it kept.
/// Answers whether there was one more.
fn collect(
    rows: &dyn Rows,
    start: &[u8],
    prefix: &[u8],
    page: &mut PageLimit,
    mut take: impl FnMut(&[u8], Bytes) -> Result<usize, StoreError>,
) -> Result<bool, StoreError> {
    let mut more = false;
    let mut failed = None;
    rows.rows_from(start, &mut |key, row| {
        if !key.starts_with(prefix) {
            return ControlFlow::Break(());
        }
        if page.is_full() {
            more = true;
            return ControlFlow::Break(());
        }
        match rows::verify(key, row).and_then(|payload| take(key, Bytes::copy_from_slice(payload))) {
            Ok(n_bytes) => page.count(n_bytes),
            Err(error) => {
                failed = Some(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })?;
    failed.map_or(Ok(more), Err)
}

/// The smallest key larger than `key`.
fn just_after(mut key: Vec<u8>) -> Vec<u8> {
    key.push(0);
    key
}
