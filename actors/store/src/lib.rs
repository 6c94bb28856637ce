//! Durable, ordered, versioned records: the [`Store`] trait and the sled backend.
//!
//! A house's data is a map from [`Path`]s to values of bytes, plus append-only logs. [`Store`] says what every backend
//! promises; [`SledStore`] keeps the promises on one machine's disk, [`MemoryStore`] keeps them in tests. Values are
//! usually [`Record`]s: JSON in an envelope with kind, format and check sum. [`export`] and [`import`] move houses
//! between stores.
//!
//! ```
//! # use playhouse_store::*;
//! # use serde::{Deserialize, Serialize};
//! #[derive(Serialize, Deserialize)]
//! struct Tv {
//!     name: String,
//! }
//!
//! impl Record for Tv {
//!     const FORMAT: u16 = 1;
//!     const KIND: &'static str = "tv";
//! }
//!
//! const TVS: Path = Path::literal("tv");
//!
//! async fn rename(store: &dyn Store, house: HouseId, id: &str, name: String) -> Result<(), CommitError> {
//!     let key = Key::new(house, TVS.join(id)?);
//!     let Some((mut tv, version)) = read::<Tv>(store, &key).await? else { return Ok(()) };
//!     tv.name = name;
//!     // Answers `Conflict` if someone else wrote the TV since it was read, and is on the disk when it answers `Ok`.
//!     store.commit(house, vec![put(key.path, &tv, Expect::Version(version))?], None).await?;
//!     Ok(())
//! }
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! # let store = MemoryStore::new();
//! # rename(&store, HouseId::INSTANCE, "a", "den".to_owned()).await.unwrap();
//! # });
//! ```
//!
//! Inside, the rules and the disk are apart. `round` decides writes and `reading` answers reads over any ordered map of
//! rows, whose layout is in `rows`; a `row_store::Backend` keeps such a map, takes one round at a time and makes it
//! durable.

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
