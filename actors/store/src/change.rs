//! What a commit is made of, and what reading answers.

use bytes::Bytes;

use crate::{IdemKey, Key, NodeId, Path, ResourceId, Seq, Version};

/// The largest value of a record and the largest entry of a log, in bytes: 64 KiB.
/// Beyond that sled keeps values in other ways than those whose crash behaviour we know.
pub const MAX_VALUE_BYTES: usize = 64 * 1024;

/// The most operations in one commit.
pub const MAX_COMMIT_OPS: usize = 256;

/// The most bytes of values in one commit: 1 MiB.
pub const MAX_COMMIT_BYTES: usize = 1024 * 1024;

/// The most entries one page or one reading of a log answers, whatever was asked for.
pub const MAX_PAGE_ENTRIES: u32 = 1_000;

/// A page ends once it holds this many bytes of values (1 MiB), so that a reader's memory is bounded.
pub const MAX_PAGE_BYTES: usize = 1024 * 1024;

/// A value and which writing of it this is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Versioned {
    /// What was put.
    pub value: Bytes,
    /// To be given as [`Expect::Version`] by whoever writes what it read.
    pub version: Version,
}

/// What must be true of a record for an operation to happen. If it is not, nothing of the commit happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// No condition: the last writer wins.
    Any,
    /// There is no such record.
    Absent,
    /// The record is there and has this version: nobody wrote it since it was read.
    Version(Version),
}

/// One change of one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Op {
    /// Which record of the commit's house.
    pub path: Path,
    /// The condition.
    pub expect: Expect,
    /// What happens.
    pub change: Change,
}

/// What an [`Op`] does to its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The record has this value afterwards.
    Put(Bytes),
    /// There is no such record afterwards. Deleting what is not there is no error.
    Delete,
}

impl Op {
    /// Makes the record, or replaces its value.
    pub fn put(path: Path, value: impl Into<Bytes>, expect: Expect) -> Op {
        Op { path, expect, change: Change::Put(value.into()) }
    }

    /// Removes the record.
    pub fn delete(path: Path, expect: Expect) -> Op {
        Op { path, expect, change: Change::Delete }
    }
}

/// Shows that the writer still owns what it writes about: the write happens only while `resource` is held under
/// `epoch`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence {
    /// What the writer claimed.
    pub resource: ResourceId,
    /// The epoch its claim answered.
    pub epoch: u64,
}

/// Records in the order of their paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The records. May be fewer than asked for when they are large ([`MAX_PAGE_BYTES`]).
    pub entries: Vec<(Key, Versioned)>,
    /// Whether there were more after these. Go on with the last entry's key as `after`.
    pub more: bool,
}

/// One entry of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// Its place.
    pub seq: Seq,
    /// The name under which it was appended.
    pub idem: IdemKey,
    /// What was appended.
    pub record: Bytes,
}

/// The answer to a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// The resource is the caller's until its time runs out; epochs of one resource only grow.
    Owned {
        /// To be given in every [`Fence`] and to renew.
        epoch: u64,
    },
    /// Another node has it.
    Held {
        /// Who.
        by: NodeId,
        /// When its claim ends unless it renews it, by this store's clock.
        until: jiff::Timestamp,
    },
}

/// Something under a watched prefix may have changed. Hints may be merged, repeated or dropped: read again, and do not
/// rely on them alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    /// This record was written or deleted.
    Changed(Key),
    /// Hints were lost, or the whole house was replaced: anything under the prefix may have changed.
    Anything,
}
