//! The one writer: groups waiting requests into rounds and answers none before its round is on the disk.

use std::{
    fs::File,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Instant,
};

use tokio::sync::{mpsc, oneshot, watch};

use super::{
    Access, CLOSED, OnFatal, OpenError, SledSettings,
    census::Census,
    opening::{Opened, panic_text},
    tree_rows::TreeRows,
    witness::Witness,
};
use crate::{
    Clock, CommitError,
    round::{ChangedRows, Round},
    watchers::Watchers,
};

/// The most requests in one round.
const MAX_ROUND_REQUESTS: usize = 256;

/// A round takes no further request once it holds about this many bytes.
const MAX_ROUND_BYTES: usize = 4 * 1024 * 1024;

/// How many bytes of values may wait; beyond that writes are answered `Overloaded`, however few they are.
const MAX_WAITING_BYTES: usize = 64 * 1024 * 1024;

/// Gives the caller its answer. Dropping it instead tells the caller `Indeterminate`.
type Answer = Box<dyn FnOnce() + Send>;

/// Decides in the round; the answer is to be given once the round is durable.
type Decide = Box<dyn FnOnce(&mut Round<'_>) -> Answer + Send>;

struct Request {
    n_bytes: usize,
    decide: Decide,
}

/// The way to the committer's thread.
pub(crate) struct Committer {
    /// `None` once closed: the thread ends when it has done what was accepted.
    queue: RwLock<Option<mpsc::Sender<Request>>>,
    waiting_bytes: Arc<AtomicUsize>,
    /// Its sender lives in the thread, so a closed channel means that the thread has ended and the files are let go.
    ended: watch::Receiver<()>,
}

impl Committer {
    pub(crate) fn start(
        opened: Opened,
        access: Arc<RwLock<Access>>,
        watchers: Arc<Watchers>,
        settings: SledSettings,
    ) -> Result<Committer, OpenError> {
        let (queue, requests) = mpsc::channel(settings.max_waiting.max(1));
        let (running, ended) = watch::channel(());
        let waiting_bytes = Arc::new(AtomicUsize::new(0));
        let thread = CommitterThread {
            requests,
            waiting_bytes: waiting_bytes.clone(),
            tree: opened.tree,
            db_file: opened.db_file,
            census: opened.census,
            witness: opened.witness,
            clock: settings.clock,
            access,
            watchers,
            on_fatal: settings.on_fatal,
        };
        let run = move || {
            thread.run();
            drop(running);
        };
        thread::Builder::new()
            .name("store-committer".to_owned())
            .spawn(run)
            .map_err(|source| OpenError::Io { what: "start the store's writing thread".to_owned(), source })?;
        Ok(Committer { queue: RwLock::new(Some(queue)), waiting_bytes, ended })
    }

    /// Queues a request and waits for its answer. Once queued it is carried out even if the caller stops waiting.
    pub(crate) async fn submit<T, F>(&self, n_bytes: usize, decide: F) -> Result<T, CommitError>
    where
        T: Send + 'static,
        F: FnOnce(&mut Round<'_>) -> Result<T, CommitError> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let decide: Decide = Box::new(move |round| {
            let decided = round.decide(decide);
            // A caller that went away needs no answer.
            Box::new(move || drop(answer.send(decided)))
        });
        self.enqueue(Request { n_bytes, decide })?;
        answered.await.unwrap_or(Err(CommitError::Indeterminate))
    }

    fn enqueue(&self, request: Request) -> Result<(), CommitError> {
        let queue = self.queue.read().unwrap_or_else(PoisonError::into_inner);
        let Some(queue) = &*queue else { return Err(CommitError::Unavailable { cause: CLOSED.to_owned() }) };
        let n_bytes = request.n_bytes;
        if self.waiting_bytes.fetch_add(n_bytes, Ordering::Relaxed) > MAX_WAITING_BYTES {
            self.waiting_bytes.fetch_sub(n_bytes, Ordering::Relaxed);
            return Err(overloaded());
        }
        queue.try_send(request).map_err(|refused| {
            self.waiting_bytes.fetch_sub(n_bytes, Ordering::Relaxed);
            match refused {
                mpsc::error::TrySendError::Full(_) => overloaded(),
                mpsc::error::TrySendError::Closed(_) => CommitError::Unavailable { cause: STOPPED.to_owned() },
            }
        })
    }

    /// Takes no more requests and waits until the accepted ones are answered and the database is let go.
    pub(crate) async fn close(&self) {
        drop(self.queue.write().unwrap_or_else(PoisonError::into_inner).take());
        // Never `Ok`: nothing is ever sent.
        let _ended = self.ended.clone().changed().await;
    }
}

const STOPPED: &str = "it stopped after a failed write";

fn overloaded() -> CommitError {
    metrics::counter!("playhouse_store_overloaded_total").increment(1);
    CommitError::Overloaded
}

struct CommitterThread {
    requests: mpsc::Receiver<Request>,
    waiting_bytes: Arc<AtomicUsize>,
    tree: sled::Tree,
    /// A second handle to sled's `db` file. The kernel tells each handle once of a failed write-back, so an error that
    /// sled's own background sync met and only logged is still reported here.
    db_file: File,
    census: Census,
    witness: Witness,
    clock: Clock,
    access: Arc<RwLock<Access>>,
    watchers: Arc<Watchers>,
    on_fatal: OnFatal,
}

impl CommitterThread {
    /// Works until the queue is closed or until the first failure.
    fn run(mut self) {
        while let Some(first) = self.requests.blocking_recv() {
            let requests = self.drain(first);
            let mut answers = Vec::with_capacity(requests.len());
            // A panic in here leaves rows in an unknown state, which is the same as a failed write.
            let round = catch_unwind(AssertUnwindSafe(|| self.round(requests, &mut answers)));
            if let Err(cause) = round.unwrap_or_else(|panic| Err(panic_text(&*panic))) {
                self.shut(&cause);
                // While the callers still wait: one that knew might end the process in good order, with code 0.
                (self.on_fatal)(&cause);
                return;
            }
            answers.into_iter().for_each(|answer| answer());
        }
        self.shut(CLOSED);
    }

    /// The first request and what waits behind it, as far as one round goes.
    fn drain(&mut self, first: Request) -> Vec<Request> {
        let mut n_bytes = first.n_bytes;
        let mut requests = vec![first];
        while requests.len() < MAX_ROUND_REQUESTS && n_bytes < MAX_ROUND_BYTES {
            let Ok(next) = self.requests.try_recv() else { break };
            n_bytes += next.n_bytes;
            requests.push(next);
        }
        self.waiting_bytes.fetch_sub(n_bytes, Ordering::Relaxed);
        requests
    }

    /// Decides the requests and makes durable what they decided. The answers, refusals too, are given after that only:
    /// a refusal may rest on what an earlier request of the round wrote.
    fn round(&mut self, requests: Vec<Request>, answers: &mut Vec<Answer>) -> Result<(), String> {
        let n_requests = requests.len();
        let tree = self.tree.clone();
        let rows = TreeRows(&tree);
        let mut round = Round::new(&rows, (self.clock)());
        answers.extend(requests.into_iter().map(|request| (request.decide)(&mut round)));
        let (changed, touched) = round.finish();
        if !changed.is_empty() {
            self.make_durable(changed)?;
        }
        metrics::histogram!("playhouse_store_round_requests").record(n_requests as f64);
        self.watchers.tell(touched);
        Ok(())
    }

    /// Puts all changed rows in place at once and on the disk. The order of the steps is the durability rule.
    fn make_durable(&mut self, changed: ChangedRows) -> Result<(), String> {
        let started = Instant::now();
        let (batch, census) = self.batch(changed).map_err(|error| format!("reading the database failed: {error}"))?;
        let mut access = self.access.write().map_err(|_| "a reader's lock is poisoned".to_owned())?;
        let written = self.tree.apply_batch(batch).map_err(|error| format!("writing the database failed: {error}"));
        let flushed =
            written.and_then(|()| self.tree.flush().map_err(|error| format!("flushing the database failed: {error}")));
        let synced = flushed.and_then(|_| {
            self.db_file.sync_data().map_err(|error| format!("syncing the database file failed: {error}"))
        });
        let noted = synced.and_then(|()| {
            self.witness.note(census.n_rounds).map_err(|error| format!("writing the witness file failed: {error}"))
        });
        if let Err(cause) = &noted {
            // Before readers get in again: they must not see what may not be on the disk.
            *access = Access::Stopped { cause: cause.clone() };
        }
        self.census = census;
        metrics::histogram!("playhouse_store_durable_write_seconds").record(started.elapsed().as_secs_f64());
        noted
    }

    /// The changes and the census after them, as one batch.
    fn batch(&self, changed: ChangedRows) -> sled::Result<(sled::Batch, Census)> {
        let mut batch = sled::Batch::default();
        let mut census = self.census;
        census.n_rounds += 1;
        for (key, row) in changed {
            if let Some(old) = self.tree.get(&key)? {
                census.count_out(&old);
            }
            match row {
                Some(row) => {
                    census.count_in(&row);
                    batch.insert(key, row.as_ref());
                }
                None => batch.remove(key),
            }
        }
        let (key, row) = census.row();
        batch.insert(key, row.as_ref());
        Ok((batch, census))
    }

    /// Lets nobody in any more. Requests that still wait are dropped with the queue, which tells their callers
    /// `Indeterminate`.
    fn shut(&mut self, cause: &str) {
        self.requests.close();
        let mut access = self.access.write().unwrap_or_else(PoisonError::into_inner);
        *access = Access::Stopped { cause: cause.to_owned() };
    }
}

#[cfg(test)]
mod tests {
    use std::{pin::Pin, sync::mpsc as blocking};

    use futures::{FutureExt, future::join_all};

    use crate::{
        CommitError, Expect, HouseId, Key, Op, Path, SledSettings, SledStore, Store, StoreError, row_store::Backend,
    };

    const A: Path = Path::literal("a");
    const HOUSE: HouseId = HouseId::INSTANCE;

    fn settings(dir: &tempfile::TempDir) -> SledSettings {
        let mut settings = SledSettings::new(dir.path());
        settings.on_fatal = std::sync::Arc::new(|cause| panic!("{cause}"));
        settings
    }

    /// Holds the committer in a round of its own, so that what is written meanwhile has to wait.
    struct Busy<'a> {
        round: Pin<Box<dyn Future<Output = Result<(), CommitError>> + Send + 'a>>,
        let_go: blocking::Sender<()>,
    }

    impl<'a> Busy<'a> {
        fn hold(store: &'a SledStore) -> Self {
            let (began, begun) = blocking::channel();
            let (let_go, held) = blocking::channel();
            let mut round = Box::pin(store.backend.write(0, move |_| {
                began.send(()).unwrap();
                held.recv().unwrap();
                Ok(())
            }));
            assert!((&mut round).now_or_never().is_none());
            begun.recv().unwrap();
            Self { round, let_go }
        }

        async fn let_go(self) {
            self.let_go.send(()).unwrap();
            self.round.await.unwrap();
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_full_queue_refuses_at_once_and_keeps_what_it_took() {
        let dir = tempfile::tempdir().unwrap();
        let store = SledStore::open(SledSettings { max_waiting: 3, ..settings(&dir) }).unwrap();
        let busy = Busy::hold(&store);

        let put = |number: usize| store.commit(HOUSE, vec![Op::put(A.join(number).unwrap(), "x", Expect::Any)], None);
        let mut accepted: Vec<_> = (0..3).map(put).collect();
        for waiting in &mut accepted {
            assert!(waiting.now_or_never().is_none());
        }
        assert_eq!(put(3).now_or_never(), Some(Err(CommitError::Overloaded)));

        busy.let_go().await;
        assert!(join_all(accepted).await.iter().all(Result::is_ok));
        assert_eq!(store.scan(&Key::all_of(HOUSE), None, 10).await.unwrap().entries.len(), 3);
        put(3).await.unwrap();
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn too_many_waiting_bytes_are_refused_too() {
        let dir = tempfile::tempdir().unwrap();
        let store = SledStore::open(settings(&dir)).unwrap();
        let busy = Busy::hold(&store);
        let mut large = Box::pin(store.backend.write(super::MAX_WAITING_BYTES + 1, |_| Ok(())));
        assert!((&mut large).now_or_never().is_none());
        let refused = store.backend.write(1, |_| Ok(())).await;
        assert_eq!(refused, Err(CommitError::Overloaded));
        busy.let_go().await;
        large.await.unwrap();
        store.backend.write(1, |_| Ok(())).await.expect("the bytes are counted off again");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn one_round_carries_many_requests_and_each_sees_those_before_it() {
        let dir = tempfile::tempdir().unwrap();
        let store = SledStore::open(settings(&dir)).unwrap();
        let busy = Busy::hold(&store);
        let put = || store.commit(HOUSE, vec![Op::put(A, "x", Expect::Absent)], None);
        let mut both = [put(), put()];
        for waiting in &mut both {
            assert!(waiting.now_or_never().is_none());
        }
        busy.let_go().await;
        let [won, lost] = both;
        let version = won.await.unwrap()[0];
        let conflict = CommitError::Conflict { key: Key::new(HOUSE, A), current: Some(version) };
        assert_eq!(lost.await, Err(conflict));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_failed_round_is_indeterminate_and_the_last_one() {
        let dir = tempfile::tempdir().unwrap();
        let (fatal, told) = blocking::channel();
        let fatal = std::sync::Mutex::new(fatal);
        let mut settings = settings(&dir);
        settings.on_fatal = std::sync::Arc::new(move |cause| fatal.lock().unwrap().send(cause.to_owned()).unwrap());
        let store = SledStore::open(settings).unwrap();
        let failed: Result<(), _> = store.backend.write(0, |_| panic!("the disk is on fire")).await;
        assert_eq!(failed, Err(CommitError::Indeterminate));
        assert_eq!(told.recv().unwrap(), "the disk is on fire");
        let put = store.commit(HOUSE, vec![Op::put(A, "x", Expect::Any)], None).await;
        assert!(matches!(put, Err(CommitError::Unavailable { .. })));
        assert!(matches!(store.get(&Key::new(HOUSE, A)).await, Err(StoreError::Unavailable { .. })));
        assert!(matches!(store.close().await, Err(StoreError::Unavailable { .. })));
    }
}
