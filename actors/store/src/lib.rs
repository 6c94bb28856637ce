//! Durable, ordered, versioned records: the [`Store`] trait and the sled backend.

mod change;
mod clock;
mod error;
mod memory;
mod names;
mod path;
mod reading;
mod record;
mod restore;
mod round;
mod row_store;
mod rows;
mod sled_store;
mod staging;
mod store;
mod transfer;
mod typed;
mod watchers;

pub use change::{
    Change, Claim, Expect, Fence, Hint, LogEntry, MAX_COMMIT_BYTES, MAX_COMMIT_OPS, MAX_PAGE_BYTES, MAX_PAGE_ENTRIES,
    MAX_VALUE_BYTES, Op, Page, Versioned,
};
pub use clock::{Clock, system_clock};
pub use error::{CommitError, Lost, Refusal, StoreError};
pub use memory::MemoryStore;
pub use names::{IdemKey, IdemKeyError, Key, LogId, NodeId, ResourceId, Seq, Version};
pub use path::{MAX_PATH_BYTES, Path, PathError};
pub use playhouse_bus::HouseId;
pub use record::{Envelope, KnownKind, Record, RecordError, decode, encode};
pub use restore::{RestoreEntries, RestoreEntry, RestoreError, WhenOccupied};
pub use sled_store::{OnFatal, OpenError, SledSettings, SledStore};
pub use store::{SharedStore, Store};
pub use transfer::{ExportError, ImportError, ImportSettings, Progress, Scope, Stage, export, import};
pub use typed::{put, read, scan_all};
