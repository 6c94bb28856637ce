//! A store that does not do what it is asked.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream::BoxStream;
use playhouse_store::{
    Claim, CommitError, Fence, Hint, HouseId, IdemKey, Key, LogEntry, LogId, Lost, MemoryStore, NodeId, Op, Page, Path,
    ResourceId, RestoreEntries, RestoreError, Seq, Store, StoreError, Version, Versioned, WhenOccupied,
};

/// In which way a store is unreliable. What is not overridden is done as asked.
#[async_trait]
pub trait StoreManners: Send + Sync + 'static {
    /// What becomes of a commit; `kept` is the store that would do it.
    async fn commit(
        &self,
        kept: &MemoryStore,
        house: HouseId,
        ops: Vec<Op>,
        fence: Option<Fence>,
    ) -> Result<Vec<Version>, CommitError> {
        kept.commit(house, ops, fence).await
    }

    /// Why what lies beneath `prefix` cannot be read now; `None` where it can.
    fn scan_fault(&self, _prefix: &Key) -> Option<StoreError> {
        None
    }
}

/// A store in memory that is unreliable in the way of `M`, to which it derefs. What it keeps outlives it, as a disk does a process.
pub struct UnreliableStore<M> {
    kept: Arc<MemoryStore>,
    manners: M,
}

impl<M: StoreManners> UnreliableStore<M> {
    /// One that begins empty.
    pub fn new(manners: M) -> Arc<Self> {
        Self::over(Arc::default(), manners)
    }

    /// One over what another one has kept.
    pub fn over(kept: Arc<MemoryStore>, manners: M) -> Arc<Self> {
        Arc::new(Self { kept, manners })
    }
}

impl<M> Deref for UnreliableStore<M> {
    type Target = M;

    fn deref(&self) -> &M {
        &self.manners
    }
}

#[async_trait]
impl<M: StoreManners> Store for UnreliableStore<M> {
    async fn get(&self, key: &Key) -> Result<Option<Versioned>, StoreError> {
        self.kept.get(key).await
    }

    async fn scan(&self, prefix: &Key, after: Option<&Key>, limit: u32) -> Result<Page, StoreError> {
        match self.manners.scan_fault(prefix) {
            Some(fault) => Err(fault),
            None => self.kept.scan(prefix, after, limit).await,
        }
    }

    async fn partitions(&self, after: Option<HouseId>, limit: u32) -> Result<Vec<HouseId>, StoreError> {
        self.kept.partitions(after, limit).await
    }

    async fn commit(&self, house: HouseId, ops: Vec<Op>, fence: Option<Fence>) -> Result<Vec<Version>, CommitError> {
        self.manners.commit(&self.kept, house, ops, fence).await
    }

    async fn append(&self, log: LogId, record: Bytes, idem: IdemKey, fence: Option<Fence>) -> Result<Seq, CommitError> {
        self.kept.append(log, record, idem, fence).await
    }

    async fn read_log(&self, log: &LogId, from: Seq, limit: u32) -> Result<Vec<LogEntry>, StoreError> {
        self.kept.read_log(log, from, limit).await
    }

    async fn logs(&self, house: HouseId, after: Option<&Path>, limit: u32) -> Result<Vec<LogId>, StoreError> {
        self.kept.logs(house, after, limit).await
    }

    async fn claim(&self, resource: &ResourceId, node: NodeId, ttl: Duration) -> Result<Claim, StoreError> {
        self.kept.claim(resource, node, ttl).await
    }

    async fn renew(&self, resource: &ResourceId, epoch: u64, ttl: Duration) -> Result<(), Lost> {
        self.kept.renew(resource, epoch, ttl).await
    }

    async fn release(&self, resource: &ResourceId, epoch: u64) {
        self.kept.release(resource, epoch).await;
    }

    fn watch(&self, prefix: &Key) -> BoxStream<'static, Hint> {
        self.kept.watch(prefix)
    }

    async fn restore(
        &self,
        house: HouseId,
        entries: RestoreEntries<'_>,
        when_occupied: WhenOccupied,
    ) -> Result<(), RestoreError> {
        self.kept.restore(house, entries, when_occupied).await
    }

    /// What is kept stays open for whoever comes next.
    async fn close(&self) -> Result<(), StoreError> {
        Ok(())
    }
}
