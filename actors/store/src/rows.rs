//! The layout: how houses, records, logs and claims lie in one ordered map from bytes to bytes.
//!
//! ```text
//! m | "format"                                   the layout's format
//! m | "census"                                   counts of all rows of the other tables (sled only)
//! h | house                                      generation, last version
//! r | house | generation | path                  version, value
//! n | house | generation | log                   last sequence number
//! l | house | generation | log | 0 | sequence    length of idem, idem, record
//! i | house | generation | log | 0 | idem        sequence
//! c | house | resource                           epoch, holder
//! ```
//! House is 16 bytes, generation 4, numbers big-endian, so that byte order is the order of the trait. Paths hold no
//! control characters, so the 0 ends one. A house's rows carry its generation: a restore fills the next generation
//! beside the live one and then changes the one row `h`. Each row starts with a CRC-32 over its key and payload.

use std::ops::ControlFlow;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use jiff::Timestamp;
use uuid::Uuid;

use crate::{HouseId, IdemKey, LogEntry, NodeId, Path, ResourceId, Seq, StoreError, Version, Versioned};

/// The format of this layout. A database with a larger number was written by a newer program and is refused.
pub(crate) const LAYOUT_FORMAT: u32 = 1;

const SUM_BYTES: usize = 4;

/// The first byte of a row's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Table {
    Marker = b'm',
    Houses = b'h',
    Records = b'r',
    LogEnds = b'n',
    LogEntries = b'l',
    IdemKeys = b'i',
    Claims = b'c',
}

impl Table {
    /// The tables whose rows belong to one generation of a house.
    pub(crate) const OF_A_GENERATION: [Table; 4] = [Table::Records, Table::LogEnds, Table::LogEntries, Table::IdemKeys];
}

/// Is shown keys and sealed rows.
pub(crate) type Visit<'a> = &'a mut dyn FnMut(&[u8], &[u8]) -> ControlFlow<()>;

/// An ordered map of sealed rows, read only.
pub trait Rows {
    /// The sealed row under `key`.
    fn row(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError>;

    /// Shows the sealed rows from `start` on (inclusive) in key order until there are none or `visit` breaks.
    fn rows_from(&self, start: &[u8], visit: Visit<'_>) -> Result<(), StoreError>;
}

/// The payload under `key`, verified.
pub(crate) fn payload(rows: &dyn Rows, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
    rows.row(key)?.map(|row| unseal(key, &row)).transpose()
}

/// A row: check sum and payload.
pub(crate) fn seal(key: &[u8], payload: &[u8]) -> Bytes {
    let mut row = BytesMut::with_capacity(SUM_BYTES + payload.len());
    row.put_u32(check_sum(key, payload));
    row.put_slice(payload);
    row.freeze()
}

/// The payload of a row, if its check sum matches.
pub(crate) fn unseal(key: &[u8], row: &Bytes) -> Result<Bytes, StoreError> {
    verify(key, row)?;
    Ok(row.slice(SUM_BYTES..))
}

/// The payload of a borrowed row, if its check sum matches.
pub(crate) fn verify<'a>(key: &[u8], row: &'a [u8]) -> Result<&'a [u8], StoreError> {
    match row.split_first_chunk::<SUM_BYTES>() {
        Some((sum, payload)) if u32::from_be_bytes(*sum) == check_sum(key, payload) => Ok(payload),
        _ => Err(damaged(key)),
    }
}

fn check_sum(key: &[u8], payload: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(key);
    sum.update(payload);
    sum.finalize()
}

pub(crate) fn damaged(key: &[u8]) -> StoreError {
    StoreError::Damaged { place: readable(key) }
}

/// A row's key for a person: table, house, rest.
fn readable(key: &[u8]) -> String {
    match key.split_first() {
        Some((table, rest)) => match rest.split_first_chunk::<16>() {
            Some((house, rest)) => {
                format!("{}:{}:{}", char::from(*table), Uuid::from_bytes(*house), rest.escape_ascii())
            }
            None => format!("{}:{}", char::from(*table), rest.escape_ascii()),
        },
        None => "(empty key)".to_owned(),
    }
}

/// The key of the layout's format.
pub(crate) fn format_key() -> Vec<u8> {
    mark(b"format")
}

/// The key of the census of rows.
pub(crate) fn census_key() -> Vec<u8> {
    mark(b"census")
}

fn mark(name: &[u8]) -> Vec<u8> {
    let mut key = vec![Table::Marker as u8];
    key.extend_from_slice(name);
    key
}

/// Whether a row is a mark of the store itself, which the census does not count.
pub(crate) fn is_mark(key: &[u8]) -> bool {
    key.first() == Some(&(Table::Marker as u8))
}

/// The check sum a row carries; 0 for what is too short to be a row.
pub(crate) fn sum_of(row: &[u8]) -> u64 {
    row.first_chunk::<SUM_BYTES>().map_or(0, |sum| u64::from(u32::from_be_bytes(*sum)))
}

/// What the store knows of a house as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct HouseRow {
    /// Which generation of rows is live.
    pub(crate) generation: u32,
    /// The last version given out; it never goes back, so no version is given twice.
    pub(crate) last_version: u64,
}

impl HouseRow {
    pub(crate) fn key(house: HouseId) -> Vec<u8> {
        let mut key = Vec::with_capacity(17);
        key.push(Table::Houses as u8);
        key.extend_from_slice(house.as_uuid().as_bytes());
        key
    }

    pub(crate) fn read(rows: &dyn Rows, house: HouseId) -> Result<HouseRow, StoreError> {
        let key = Self::key(house);
        Self::parse(&key, payload(rows, &key)?)
    }

    pub(crate) fn parse(key: &[u8], payload: Option<Bytes>) -> Result<HouseRow, StoreError> {
        let Some(mut payload) = payload else { return Ok(HouseRow::default()) };
        let generation = payload.try_get_u32().map_err(|_| damaged(key))?;
        let last_version = payload.try_get_u64().map_err(|_| damaged(key))?;
        Ok(HouseRow { generation, last_version })
    }

    /// A verified row as a house's row; `None` for rows of other tables.
    pub(crate) fn of_row(key: &[u8], payload: &[u8]) -> Result<Option<(HouseId, HouseRow)>, StoreError> {
        let [table, id @ ..] = key else { return Ok(None) };
        if *table != Table::Houses as u8 {
            return Ok(None);
        }
        let id = id.try_into().map_err(|_| damaged(key))?;
        let row = Self::parse(key, Some(Bytes::copy_from_slice(payload)))?;
        Ok(Some((HouseId::from_uuid(Uuid::from_bytes(id)), row)))
    }

    pub(crate) fn payload(self) -> Vec<u8> {
        let mut payload = Vec::with_capacity(12);
        payload.put_u32(self.generation);
        payload.put_u64(self.last_version);
        payload
    }
}

/// One generation of one house: makes the keys of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Generation {
    pub(crate) house: HouseId,
    pub(crate) number: u32,
}

impl Generation {
    pub(crate) const PREFIX_BYTES: usize = 1 + 16 + 4;

    /// The live generation.
    pub(crate) fn live(rows: &dyn Rows, house: HouseId) -> Result<Generation, StoreError> {
        Ok(Generation { house, number: HouseRow::read(rows, house)?.generation })
    }

    /// What all rows of this generation in `table` start with.
    pub(crate) fn prefix(self, table: Table) -> Vec<u8> {
        let mut key = Vec::with_capacity(Self::PREFIX_BYTES + 64);
        key.push(table as u8);
        key.extend_from_slice(self.house.as_uuid().as_bytes());
        key.extend_from_slice(&self.number.to_be_bytes());
        key
    }

    pub(crate) fn record(self, path: &Path) -> Vec<u8> {
        self.named(Table::Records, path)
    }

    pub(crate) fn log_end(self, log: &Path) -> Vec<u8> {
        self.named(Table::LogEnds, log)
    }

    pub(crate) fn log_entry(self, log: &Path, seq: Seq) -> Vec<u8> {
        let mut key = self.log_entries(log);
        key.extend_from_slice(&seq.0.to_be_bytes());
        key
    }

    /// What all rows of one log's entries start with.
    pub(crate) fn log_entries(self, log: &Path) -> Vec<u8> {
        let mut key = self.named(Table::LogEntries, log);
        key.push(0);
        key
    }

    pub(crate) fn idem(self, log: &Path, idem: &IdemKey) -> Vec<u8> {
        let mut key = self.named(Table::IdemKeys, log);
        key.push(0);
        key.extend_from_slice(idem.as_str().as_bytes());
        key
    }

    fn named(self, table: Table, path: &Path) -> Vec<u8> {
        let mut key = self.prefix(table);
        key.extend_from_slice(path.as_str().as_bytes());
        key
    }

    /// The path in the key of a record or a log's end.
    pub(crate) fn path_of(key: &[u8]) -> Result<Path, StoreError> {
        key.get(Self::PREFIX_BYTES..)
            .and_then(|path| std::str::from_utf8(path).ok())
            .and_then(|path| Path::new(path).ok())
            .ok_or_else(|| damaged(key))
    }

    /// Which table and generation a row of [`Table::OF_A_GENERATION`] belongs to; `None` for rows of other tables.
    pub(crate) fn of_key(key: &[u8]) -> Option<(Table, Generation)> {
        let (table, rest) = key.split_first()?;
        let table = Table::OF_A_GENERATION.into_iter().find(|known| *known as u8 == *table)?;
        let (house, rest) = rest.split_first_chunk::<16>()?;
        let (number, _) = rest.split_first_chunk::<4>()?;
        let house = HouseId::from_uuid(Uuid::from_bytes(*house));
        Some((table, Generation { house, number: u32::from_be_bytes(*number) }))
    }
}

pub(crate) fn record_payload(version: Version, value: &[u8]) -> Vec<u8> {
    let mut payload = Vec::with_capacity(8 + value.len());
    payload.put_u64(version.0);
    payload.put_slice(value);
    payload
}

pub(crate) fn parse_record(key: &[u8], mut payload: Bytes) -> Result<Versioned, StoreError> {
    let version = payload.try_get_u64().map_err(|_| damaged(key))?;
    Ok(Versioned { value: payload, version: Version(version) })
}

pub(crate) fn number_payload(seq: Seq) -> Vec<u8> {
    seq.0.to_be_bytes().to_vec()
}

pub(crate) fn parse_number(key: &[u8], mut payload: Bytes) -> Result<Seq, StoreError> {
    payload.try_get_u64().map(Seq).map_err(|_| damaged(key))
}

pub(crate) fn log_entry_payload(idem: &IdemKey, record: &[u8]) -> Vec<u8> {
    let idem = idem.as_str().as_bytes();
    let mut payload = Vec::with_capacity(1 + idem.len() + record.len());
    // An `IdemKey` has at most 128 bytes.
    payload.push(idem.len() as u8);
    payload.put_slice(idem);
    payload.put_slice(record);
    payload
}

pub(crate) fn parse_log_entry(key: &[u8], mut payload: Bytes) -> Result<LogEntry, StoreError> {
    let (_, seq) = key.split_last_chunk::<8>().ok_or_else(|| damaged(key))?;
    let n_idem = usize::from(payload.try_get_u8().map_err(|_| damaged(key))?);
    if payload.len() < n_idem {
        return Err(damaged(key));
    }
    let idem = payload.split_to(n_idem);
    let idem = std::str::from_utf8(&idem).ok().and_then(|idem| IdemKey::new(idem).ok()).ok_or_else(|| damaged(key))?;
    Ok(LogEntry { seq: Seq(u64::from_be_bytes(*seq)), idem, record: payload })
}

/// Who has a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ClaimRow {
    /// Grows with each claim and each release.
    pub(crate) epoch: u64,
    /// `None` after a release.
    pub(crate) holder: Option<Holder>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Holder {
    pub(crate) node: NodeId,
    pub(crate) until: Timestamp,
}

impl ClaimRow {
    pub(crate) fn key(resource: &ResourceId) -> Vec<u8> {
        let mut key = vec![Table::Claims as u8];
        key.extend_from_slice(resource.partition.as_uuid().as_bytes());
        key.extend_from_slice(resource.path.as_str().as_bytes());
        key
    }

    pub(crate) fn parse(key: &[u8], payload: Option<Bytes>) -> Result<ClaimRow, StoreError> {
        let Some(mut payload) = payload else { return Ok(ClaimRow::default()) };
        let epoch = payload.try_get_u64().map_err(|_| damaged(key))?;
        if payload.is_empty() {
            return Ok(ClaimRow { epoch, holder: None });
        }
        let node = payload.try_get_u128().map_err(|_| damaged(key))?;
        let until = payload.try_get_i64().map_err(|_| damaged(key))?;
        let until = Timestamp::from_millisecond(until).map_err(|_| damaged(key))?;
        Ok(ClaimRow { epoch, holder: Some(Holder { node: NodeId(Uuid::from_u128(node)), until }) })
    }

    pub(crate) fn payload(self) -> Vec<u8> {
        let mut payload = Vec::with_capacity(32);
        payload.put_u64(self.epoch);
        if let Some(holder) = self.holder {
            payload.put_u128(holder.node.0.as_u128());
            payload.put_i64(holder.until.as_millisecond());
        }
        payload
    }
}
