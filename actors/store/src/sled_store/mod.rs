//! The store on disk: sled 0.34 under a durability rule that does not trust its `flush`.
//!
//! sled's own `flush` reaches the disk's cache but not the disk (on Linux it is `sync_file_range`), so a power cut
//! after it loses or even breaks the database. Therefore `committer` owns all writes and answers only after an
//! `fdatasync` of the `db` file, `opening` makes a new database's files durable before anyone is served, and any
//! failure to write or sync ends the process: what a failed sync has lost cannot be found out by trying again.
//!
//! sled's recovery also drops what it cannot read, so each start reads every row (`scan`) and compares with what must
//! be there (`census`, `witness`).

mod census;
mod committer;
mod opening;
mod scan;
mod tree_rows;
mod witness;

use std::{
    fmt,
    path::PathBuf,
    sync::{Arc, PoisonError, RwLock},
};

use tokio::sync::Semaphore;

use crate::{
    Clock, CommitError, KnownKind, StoreError,
    clock::system_clock,
    round::Round,
    row_store::{Backend, RowStore},
    rows::Rows,
    watchers::Watchers,
};
use committer::Committer;
pub use opening::OpenError;
use tree_rows::TreeRows;

/// A store in one folder of this machine; see the module's text for what makes it durable.
///
/// Needs a tokio runtime that can run blocking tasks. Under a paused tokio clock its answers come from outside the
/// runtime, so the clock may jump ahead while one waits; tests that pause time use [`MemoryStore`](crate::MemoryStore).
pub type SledStore = RowStore<SledBackend>;

/// What ends the process when the store can no longer keep its promises. It is told why.
pub type OnFatal = Arc<dyn Fn(&str) + Send + Sync>;

/// How to open a [`SledStore`].
#[derive(Clone)]
pub struct SledSettings {
    /// The data folder; made when it is missing. One process at a time may have it open.
    pub dir: PathBuf,
    /// Size of sled's page cache in bytes. The process's memory grows by about two and a half times as much.
    pub cache_bytes: u64,
    /// How many writes may wait; more are answered with [`CommitError::Overloaded`] at once.
    pub max_waiting: usize,
    /// How many readings may be at the disk at once; more wait for their turn.
    pub max_readers: usize,
    /// Tells the time, for the end of claims.
    pub clock: Clock,
    /// The records this program knows. A stored one of a newer format keeps the store from opening.
    pub known_kinds: Vec<KnownKind>,
    /// Called after a failed write or sync, when nothing is read or written any more and before the waiting callers are
    /// told [`CommitError::Indeterminate`]. The default logs and aborts the process; another one must end the process
    /// as well, with a code other than 0.
    pub on_fatal: OnFatal,
}

impl SledSettings {
    /// The settings for production.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self {
            dir: dir.into(),
            cache_bytes: 32 * 1024 * 1024,
            max_waiting: 4_096,
            max_readers: 8,
            clock: system_clock(),
            known_kinds: Vec::new(),
            on_fatal: Arc::new(abort),
        }
    }
}

impl fmt::Debug for SledSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SledSettings")
            .field("dir", &self.dir)
            .field("cache_bytes", &self.cache_bytes)
            .field("max_waiting", &self.max_waiting)
            .field("max_readers", &self.max_readers)
            .field("known_kinds", &self.known_kinds)
            .finish_non_exhaustive()
    }
}

fn abort(cause: &str) {
    tracing::error!(cause, "the store has failed; the process ends so that the next start reads what is really there");
    // Said on stderr as well, since a log writer in another thread may not come to write it.
    eprintln!("playhouse: the store has failed and the process ends: {cause}");
    std::process::abort();
}

impl SledStore {
    /// Opens the folder, makes sure that what it holds is durable, and verifies every row.
    ///
    /// Blocks for as long as reading all data takes: call it before serving, or in `spawn_blocking`. The folder is let
    /// go by [`Store::close`](crate::Store::close); a store that is only dropped still finishes its accepted writes,
    /// but nobody can wait for that.
    pub fn open(settings: SledSettings) -> Result<SledStore, OpenError> {
        let opened = opening::open(&settings)?;
        let access = Arc::new(RwLock::new(Access::Open(opened.tree.clone())));
        let watchers = Arc::new(Watchers::new());
        let max_readers = settings.max_readers.max(1);
        let committer = Committer::start(opened, access.clone(), watchers.clone(), settings)?;
        let readers = Arc::new(Semaphore::new(max_readers));
        Ok(Self::over(SledBackend { access, committer, watchers, readers }))
    }
}

/// Who may look at the rows. The committer holds this exclusively from the moment it changes rows until they are
/// durable, so that no reader sees what a power cut could still take back, nor half of a commit.
enum Access {
    Open(sled::Tree),
    Stopped { cause: String },
}

/// The rows of a [`SledStore`].
pub struct SledBackend {
    access: Arc<RwLock<Access>>,
    committer: Committer,
    watchers: Arc<Watchers>,
    readers: Arc<Semaphore>,
}

impl Backend for SledBackend {
    /// Every reading goes to a blocking thread, even of keys that are likely cached: sled has no way to ask whether a
    /// page is in memory, and a page that is not would stop an arbiter for as long as the disk takes.
    /// `examples/measure.rs` prints what the detour costs; actors keep their state in memory and read at their start
    /// only, so it is paid rarely.
    async fn read<T, F>(&self, look: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&dyn Rows) -> Result<T, StoreError> + Send + 'static,
    {
        let turn = self.readers.clone().acquire_owned().await;
        let turn = turn.map_err(|error| StoreError::Unavailable { cause: error.to_string() })?;
        let access = self.access.clone();
        let looked = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            // Poisoned means that the committer panicked in the middle of a round.
            match &*access.read().map_err(|_| StoreError::Unavailable { cause: HALF_WRITTEN.to_owned() })? {
                Access::Open(tree) => look(&TreeRows(tree)),
                Access::Stopped { cause } => Err(StoreError::Unavailable { cause: cause.clone() }),
            }
        });
        looked.await.map_err(|error| StoreError::Unavailable { cause: error.to_string() })?
    }

    async fn write<T, F>(&self, n_bytes: usize, decide: F) -> Result<T, CommitError>
    where
        T: Send + 'static,
        F: FnOnce(&mut Round<'_>) -> Result<T, CommitError> + Send + 'static,
    {
        self.committer.submit(n_bytes, decide).await
    }

    fn watchers(&self) -> &Watchers {
        &self.watchers
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.committer.close().await;
        match &*self.access.read().unwrap_or_else(PoisonError::into_inner) {
            Access::Stopped { cause } if cause != CLOSED => Err(StoreError::Unavailable { cause: cause.clone() }),
            Access::Stopped { .. } | Access::Open(_) => Ok(()),
        }
    }
}

const CLOSED: &str = "it has been closed";
const HALF_WRITTEN: &str = "it failed in the middle of a write";
