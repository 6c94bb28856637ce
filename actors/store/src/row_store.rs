//! One store over any place where rows can lie.

use std::{future::Future, time::Duration};

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;

use crate::{
    Change, Claim, CommitError, Fence, Hint, HouseId, IdemKey, Key, LogEntry, LogId, Lost, NodeId, Op, Page, Path,
    ResourceId, RestoreEntries, RestoreError, Seq, Store, StoreError, Version, Versioned, WhenOccupied, reading,
    round::Round,
    rows::Rows,
    staging::{self, UnderWay},
    watchers::Watchers,
};

/// A place where rows lie. What a store promises follows from these three promises:
pub trait Backend: Send + Sync + 'static {
    /// Looks at rows that are durable and do not change while it looks.
    fn read<T, F>(&self, look: F) -> impl Future<Output = Result<T, StoreError>> + Send
    where
        T: Send + 'static,
        F: FnOnce(&dyn Rows) -> Result<T, StoreError> + Send + 'static;

    /// Lets a request decide in a round, one after the other with all other writes, and answers when what it decided is
    /// durable. `n_bytes` is roughly how much it writes.
    fn write<T, F>(&self, n_bytes: usize, decide: F) -> impl Future<Output = Result<T, CommitError>> + Send
    where
        T: Send + 'static,
        F: FnOnce(&mut Round<'_>) -> Result<T, CommitError> + Send + 'static;

    /// Who is told what durable rounds touched.
    fn watchers(&self) -> &Watchers;

    /// See [`Store::close`].
    fn close(&self) -> impl Future<Output = Result<(), StoreError>> + Send;
}

/// The one implementation of [`Store`]; see [`MemoryStore`](crate::MemoryStore) and [`SledStore`](crate::SledStore).
pub struct RowStore<B> {
    pub(crate) backend: B,
    under_way: UnderWay,
}

impl<B> RowStore<B> {
    pub(crate) fn over(backend: B) -> Self {
        Self { backend, under_way: UnderWay::default() }
    }
}

#[async_trait]
impl<B: Backend> Store for RowStore<B> {
    async fn get(&self, key: &Key) -> Result<Option<Versioned>, StoreError> {
        let key = key.clone();
        self.backend.read(move |rows| reading::get(rows, &key)).await
    }

    async fn scan(&self, prefix: &Key, after: Option<&Key>, limit: u32) -> Result<Page, StoreError> {
        let prefix = prefix.clone();
        let after = after.map(|after| after.path.clone());
        self.backend.read(move |rows| reading::scan(rows, &prefix, after.as_ref(), limit)).await
    }

    async fn partitions(&self, after: Option<HouseId>, limit: u32) -> Result<Vec<HouseId>, StoreError> {
        self.backend.read(move |rows| reading::partitions(rows, after, limit)).await
    }

    async fn commit(
        &self,
        partition: HouseId,
        ops: Vec<Op>,
        fence: Option<Fence>,
    ) -> Result<Vec<Version>, CommitError> {
        let n_bytes = ops.iter().map(written_bytes).sum();
        self.backend.write(n_bytes, move |round| round.commit(partition, &ops, fence.as_ref())).await
    }

    async fn append(&self, log: LogId, record: Bytes, idem: IdemKey, fence: Option<Fence>) -> Result<Seq, CommitError> {
        let n_bytes = record.len();
        self.backend.write(n_bytes, move |round| round.append(&log, &record, &idem, fence.as_ref())).await
    }

    async fn read_log(&self, log: &LogId, from: Seq, limit: u32) -> Result<Vec<LogEntry>, StoreError> {
        let log = log.clone();
        self.backend.read(move |rows| reading::read_log(rows, &log, from, limit)).await
    }

    async fn logs(&self, partition: HouseId, after: Option<&Path>, limit: u32) -> Result<Vec<LogId>, StoreError> {
        let after = after.cloned();
        self.backend.read(move |rows| reading::logs(rows, partition, after.as_ref(), limit)).await
    }

    async fn claim(&self, resource: &ResourceId, node: NodeId, ttl: Duration) -> Result<Claim, StoreError> {
        let resource = resource.clone();
        self.backend.write(0, move |round| round.claim(&resource, node, ttl)).await.map_err(claim_error)
    }

    async fn renew(&self, resource: &ResourceId, epoch: u64, ttl: Duration) -> Result<(), Lost> {
        let resource = resource.clone();
        let renewed = self.backend.write(0, move |round| Ok(round.renew(&resource, epoch, ttl))).await;
        renewed.map_err(claim_error)?
    }

    async fn release(&self, resource: &ResourceId, epoch: u64) {
        let wanted = resource.clone();
        let released = self.backend.write(0, move |round| round.release(&wanted, epoch)).await;
        if let Err(error) = released {
            tracing::debug!(resource = ?resource.path, epoch, %error, "a claim could not be given back and will end by itself");
        }
    }

    fn watch(&self, prefix: &Key) -> BoxStream<'static, Hint> {
        self.backend.watchers().watch(prefix.clone())
    }

    async fn restore(
        &self,
        house: HouseId,
        entries: RestoreEntries<'_>,
        when_occupied: WhenOccupied,
    ) -> Result<(), RestoreError> {
        staging::restore(&self.backend, &self.under_way, house, entries, when_occupied).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        let closed = self.backend.close().await;
        self.backend.watchers().close();
        closed
    }
}

fn written_bytes(op: &Op) -> usize {
    match &op.change {
        Change::Put(value) => value.len(),
        Change::Delete => 0,
    }
}

/// A claim has no conditions and no fence, so what can go wrong with it is the store's own trouble or a bad name.
fn claim_error(error: CommitError) -> StoreError {
    match error {
        CommitError::Overloaded => StoreError::Overloaded,
        CommitError::Unavailable { cause } => StoreError::Unavailable { cause },
        CommitError::Indeterminate
        | CommitError::Refused(_)
        | CommitError::Conflict { .. }
        | CommitError::Fenced { .. } => StoreError::Unavailable { cause: error.to_string() },
    }
}
