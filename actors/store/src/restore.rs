//! Replacing a whole house: what goes in, and what can go wrong.

use bytes::Bytes;
use futures::stream::BoxStream;

use crate::{CommitError, HouseId, LogEntry, Path, Seq};

/// One thing a restored house has. Records may come in any order; the entries of one log come in order from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RestoreEntry {
    /// A record.
    Record {
        /// Its path in the house.
        path: Path,
        /// Its value.
        value: Bytes,
    },
    /// An entry of a log.
    Log {
        /// The log's path in the house.
        log: Path,
        /// The entry, with its place.
        entry: LogEntry,
    },
}

/// What [`Store::restore`](crate::Store::restore) is fed with. An error in the stream gives the restore up.
pub type RestoreEntries<'a> = BoxStream<'a, Result<RestoreEntry, RestoreError>>;

/// What a restore does with a house that already has something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenOccupied {
    /// Leaves it alone and answers [`RestoreError::Occupied`].
    Refuse,
    /// Replaces it.
    Replace,
}

/// Why a house was not restored. It is as it was, except after [`CommitError::Indeterminate`].
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The house has records or logs, and was not to be replaced.
    #[error("house {house} already has data; ask to replace it if that is what you want")]
    Occupied {
        /// Which house.
        house: HouseId,
    },
    /// Another restore of the same house is under way.
    #[error("house {house} is being restored already; wait for that to end")]
    UnderWay {
        /// Which house.
        house: HouseId,
    },
    /// A log's entries do not come in order.
    #[error("log `{log}` goes on with entry {found} where entry {expected} was due")]
    LogOutOfOrder {
        /// Which log.
        log: Path,
        /// The place that was due.
        expected: Seq,
        /// The place that came.
        found: Seq,
    },
    /// The source of the entries failed.
    #[error("reading what to restore failed: {0}")]
    Source(String),
    /// The store could not write.
    #[error(transparent)]
    Store(#[from] CommitError),
}
