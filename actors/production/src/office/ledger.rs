//! The way into the store: one change after the other, each whole or not at all, however large.
//!
//! What fits one commit is one commit. A larger change is staged first: its records are written beside the office, in as many commits as it
//! takes; then one small commit of the head says that the change is decided; then the records are moved into place. A process that dies before
//! the head is written leaves nothing but staged records, which the next start throws away; one that dies afterwards leaves a move to
//! finish, which the next start does before it reads anything.

use playhouse_store::{
    Change, CommitError, Expect, HouseId, Key, MAX_COMMIT_BYTES, MAX_COMMIT_OPS, Op, Path, Refusal, SharedStore,
    StoreError, Version, put, read,
};

use super::layout::{HEAD, Head, STAGED, StagedRemoval};
use crate::messages::OfficeRefusal;
use crate::model::Counters;

/// Room that is left for the head in every commit.
const HEAD_BYTES: usize = 16 * 1024;
const MOST_OPS: usize = MAX_COMMIT_OPS - 1;
const MOST_BYTES: usize = MAX_COMMIT_BYTES - HEAD_BYTES;

/// Who writes a house's office, and which version of its head it knows.
#[derive(Clone)]
pub(crate) struct Ledger {
    pub(super) store: SharedStore,
    pub(super) house: HouseId,
    pub(super) head: Head,
    pub(super) version: Option<Version>,
}

/// Why a change is not in the store.
#[derive(Debug)]
pub(crate) enum NotCommitted {
    /// Nothing happened, and what is in memory is still what is in the store.
    Nothing(OfficeRefusal),
    /// It is unknown whether it happened, or somebody else wrote: read the office anew.
    Doubtful(CommitError),
}

impl Ledger {
    /// Finds a house's office in the store: finishes what was decided, throws away what was not.
    pub(super) async fn open(store: SharedStore, house: HouseId) -> Result<Self, CommitError> {
        let found = read::<Head>(&*store, &Key::new(house, HEAD)).await?;
        let (head, version) = found.map_or_else(Default::default, |(head, version)| (head, Some(version)));
        let mut ledger = Self { store, house, head, version };
        ledger.settle().await?;
        ledger.discard_staged().await?;
        Ok(ledger)
    }

    /// Commits one change.
    pub(crate) async fn commit(&mut self, ops: Vec<Op>, counters: Counters) -> Result<(), NotCommitted> {
        self.settle().await.map_err(NotCommitted::of)?;
        let head = Head { revision: self.head.revision + 1, counters, pending: None };
        let n_bytes: usize = ops.iter().map(n_bytes).sum();
        if ops.len() <= MOST_OPS && n_bytes <= MOST_BYTES {
            return self.write(ops, head).await.map_err(NotCommitted::of);
        }
        self.discard_staged().await.map_err(NotCommitted::of)?;
        let folder = staged_folder(head.revision).map_err(|error| NotCommitted::of(error.into()))?;
        for batch in batches(ops) {
            let staged = batch.into_iter().map(|op| staged(&folder, op)).collect::<Result<Vec<_>, _>>();
            let staged = staged.map_err(NotCommitted::of)?;
            // Whatever becomes of this, nothing is decided before the head says so.
            let outcome = self.store.commit(self.house, staged, None).await;
            outcome.map_err(|error| NotCommitted::Nothing(refusal(&error)))?;
        }
        let pending = Some(head.revision);
        self.write(Vec::new(), Head { pending, ..head }).await.map_err(NotCommitted::of)?;
        if let Err(error) = self.settle().await {
            // Decided all the same. The next change, or the next start, finishes the move before anything else.
            tracing::warn!(house = %self.house, %error, "a large change is decided, and not wholly in its place yet");
        }
        Ok(())
    }

    /// Moves the records of a decided change into place, if there is one.
    async fn settle(&mut self) -> Result<(), CommitError> {
        let Some(revision) = self.head.pending else { return Ok(()) };
        let folder = Key::new(self.house, staged_folder(revision)?);
        loop {
            let page = self.store.scan(&folder, None, (MOST_OPS / 2) as u32).await?;
            let mut ops = Vec::new();
            let mut room = MOST_BYTES;
            for (key, staged) in page.entries {
                let Some(left) = room.checked_sub(staged.value.len()) else { break };
                room = left;
                ops.push(unstaged(&folder.path, &key.path, staged.value)?);
                ops.push(Op::delete(key.path, Expect::Any));
            }
            let done = ops.is_empty();
            let head = Head { pending: self.head.pending.filter(|_| !done), ..self.head.clone() };
            self.write(ops, head).await?;
            if done {
                return Ok(());
            }
        }
    }

    /// Removes staged records of a change that was never decided.
    async fn discard_staged(&mut self) -> Result<(), CommitError> {
        let folder = Key::new(self.house, STAGED);
        loop {
            let page = self.store.scan(&folder, None, MOST_OPS as u32).await?;
            if page.entries.is_empty() {
                return Ok(());
            }
            let ops = page.entries.into_iter().map(|(key, _)| Op::delete(key.path, Expect::Any)).collect();
            self.store.commit(self.house, ops, None).await?;
        }
    }

    /// One commit, with the head in it.
    async fn write(&mut self, mut ops: Vec<Op>, head: Head) -> Result<(), CommitError> {
        let expect = self.version.map_or(Expect::Absent, Expect::Version);
        ops.push(put(HEAD, &head, expect)?);
        let versions = self.store.commit(self.house, ops, None).await?;
        self.version = versions.last().copied();
        self.head = head;
        Ok(())
    }
}

impl NotCommitted {
    fn of(error: CommitError) -> Self {
        match error {
            CommitError::Conflict { .. } | CommitError::Fenced { .. } | CommitError::Indeterminate => {
                Self::Doubtful(error)
            }
            CommitError::Refused(_) | CommitError::Overloaded | CommitError::Unavailable { .. } => {
                Self::Nothing(refusal(&error))
            }
        }
    }
}

/// What the caller is told about a commit that did not happen.
fn refusal(error: &CommitError) -> OfficeRefusal {
    match error {
        CommitError::Refused(Refusal::ValueTooLarge { .. }) => {
            OfficeRefusal::invalid("One record of this change is larger than 64 KB; make it smaller.")
        }
        CommitError::Refused(refused) => {
            tracing::error!(error = %refused, "the office made a change that the store refuses");
            OfficeRefusal::unavailable()
        }
        _ => OfficeRefusal::unavailable(),
    }
}

fn n_bytes(op: &Op) -> usize {
    match &op.change {
        Change::Put(value) => value.len(),
        Change::Delete => 0,
    }
}

/// Cuts operations into commits, in order.
fn batches(ops: Vec<Op>) -> Vec<Vec<Op>> {
    let mut batches: Vec<Vec<Op>> = Vec::new();
    let mut room = 0;
    for op in ops {
        let needs = n_bytes(&op);
        match batches.last_mut() {
            Some(batch) if batch.len() < MOST_OPS && needs <= room => {
                room -= needs;
                batch.push(op);
            }
            _ => {
                room = MOST_BYTES.saturating_sub(needs);
                batches.push(vec![op]);
            }
        }
    }
    batches
}

fn staged_folder(revision: u64) -> Result<Path, StoreError> {
    Ok(STAGED.join(format!("{revision:020}"))?)
}

/// The operation that stages `op`: its own path beneath the folder, after what is to happen.
fn staged(folder: &Path, op: Op) -> Result<Op, CommitError> {
    let beneath = |what: &str| Path::new(&format!("{folder}/{what}/{}", op.path));
    Ok(match op.change {
        Change::Put(value) => Op::put(beneath("put")?, value, Expect::Any),
        Change::Delete => put(beneath("delete")?, &StagedRemoval {}, Expect::Any)?,
    })
}

/// The operation that was staged at `path`.
fn unstaged(folder: &Path, path: &Path, value: bytes::Bytes) -> Result<Op, CommitError> {
    let rest = path.as_str().strip_prefix(folder.as_str()).unwrap_or_default();
    if let Some(path) = rest.strip_prefix("/put/") {
        return Ok(Op::put(Path::new(path)?, value, Expect::Any));
    }
    let path = rest.strip_prefix("/delete/").unwrap_or_default();
    Ok(Op::delete(Path::new(path)?, Expect::Any))
}
