//! The `Store` trait: what every backend promises.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;

use crate::{
    Claim, CommitError, Fence, Hint, HouseId, IdemKey, Key, LogEntry, LogId, Lost, NodeId, Op, Page, Path, ResourceId,
    RestoreEntries, RestoreError, Seq, StoreError, Version, Versioned, WhenOccupied,
};

/// A store that many parts share.
pub type SharedStore = Arc<dyn Store>;

/// Ordered, versioned records and append-only logs, apart for each house.
///
/// What holds for every backend, and is tested by one conformance suite:
/// - `Ok` from a write means durable: it survives a killed process and a power cut.
/// - A commit happens whole or not at all.
/// - What a read answers is durable, and a page never shows half of a commit.
/// - A call that was answered is seen by every call that starts after it.
/// - Dropping the future of a write does not take the write back: it may still happen.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Reads one record; `None` when it is absent.
    async fn get(&self, key: &Key) -> Result<Option<Versioned>, StoreError>;

    /// Reads the records beneath `prefix` (not the one at it), in the order of their paths, at most `limit` and those
    /// after `after` only. All entries of one page were read at one moment; two pages were not.
    async fn scan(&self, prefix: &Key, after: Option<&Key>, limit: u32) -> Result<Page, StoreError>;

    /// Lists the houses that have a record or a log entry, ordered, at most `limit` and those after `after` only.
    /// [`HouseId::INSTANCE`] counts as one.
    async fn partitions(&self, after: Option<HouseId>, limit: u32) -> Result<Vec<HouseId>, StoreError>;

    /// Does all of `ops` in the house `partition`, or none. Answers one version for each operation, in order; a put
    /// record is read back with it. Repeating a commit is safe when its conditions are versions or `Absent`.
    async fn commit(&self, partition: HouseId, ops: Vec<Op>, fence: Option<Fence>)
    -> Result<Vec<Version>, CommitError>;

    /// Adds one entry at the end of a log. Appending again under the same `idem` answers the first place and adds
    /// nothing.
    async fn append(&self, log: LogId, record: Bytes, idem: IdemKey, fence: Option<Fence>) -> Result<Seq, CommitError>;

    /// Reads a log's entries from `from` on, at most `limit`; fewer when they are large. Empty when there are none.
    async fn read_log(&self, log: &LogId, from: Seq, limit: u32) -> Result<Vec<LogEntry>, StoreError>;

    /// Lists the logs of a house that have an entry, ordered, at most `limit` and those after `after` only.
    async fn logs(&self, partition: HouseId, after: Option<&Path>, limit: u32) -> Result<Vec<LogId>, StoreError>;

    /// Makes `node` the owner of `resource` for `ttl` from now, unless another node has it. The owner itself may claim
    /// again and gets a new epoch, which fences what it did under the old one.
    async fn claim(&self, resource: &ResourceId, node: NodeId, ttl: Duration) -> Result<Claim, StoreError>;

    /// Extends a claim to `ttl` from now, if it has neither ended nor passed on. Repeating it is harmless.
    async fn renew(&self, resource: &ResourceId, epoch: u64, ttl: Duration) -> Result<(), Lost>;

    /// Gives a claim back before its time. Best effort: if it cannot be done, the claim ends by itself.
    async fn release(&self, resource: &ResourceId, epoch: u64);

    /// Hints about changes of `prefix` itself and of everything beneath it, from now on. The stream ends when the store
    /// closes.
    fn watch(&self, prefix: &Key) -> BoxStream<'static, Hint>;

    /// Replaces everything `house` has (records and logs, not claims) by `entries`, all or nothing: when the stream
    /// fails, the caller goes away or the process dies, the house is as it was. Readers see the old house until the new
    /// one is whole. Writes to the house during a restore are lost with the old one. Every restored record gets one new
    /// version.
    async fn restore(
        &self,
        house: HouseId,
        entries: RestoreEntries<'_>,
        when_occupied: WhenOccupied,
    ) -> Result<(), RestoreError>;

    /// Takes no more work, finishes what was accepted and lets go of the files. Calls after it answer `Unavailable`.
    /// Closing again is harmless.
    async fn close(&self) -> Result<(), StoreError>;
}
