//! The backends under test, each with a clock the tests set.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use jiff::Timestamp;
use playhouse_store::{Clock, HouseId, Key, MemoryStore, Path, SharedStore, SledSettings, SledStore};
use uuid::Uuid;

/// One backend: makes a fresh store, and opens what it holds again.
pub(crate) trait Subject: Send + Sync + Sized + 'static {
    fn fresh() -> impl Future<Output = Self> + Send;
    /// Closes the store and opens it again. What cannot outlive its process does nothing.
    fn open_again(&mut self) -> impl Future<Output = ()> + Send;
    fn store(&self) -> &SharedStore;
    fn clock(&self) -> &TestClock;
}

/// A clock that moves when told to.
#[derive(Clone, Default)]
pub(crate) struct TestClock(Arc<AtomicI64>);

impl TestClock {
    pub(crate) fn advance(&self, by: Duration) {
        self.0.fetch_add(i64::try_from(by.as_millis()).unwrap(), Ordering::SeqCst);
    }

    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from_millisecond(self.0.load(Ordering::SeqCst)).unwrap()
    }

    fn for_store(&self) -> Clock {
        let clock = self.clone();
        Arc::new(move || clock.now())
    }
}

pub(crate) struct Memory {
    store: SharedStore,
    clock: TestClock,
}

impl Subject for Memory {
    async fn fresh() -> Self {
        let clock = TestClock::default();
        Self { store: Arc::new(MemoryStore::with_clock(clock.for_store())), clock }
    }

    async fn open_again(&mut self) {}

    fn store(&self) -> &SharedStore {
        &self.store
    }

    fn clock(&self) -> &TestClock {
        &self.clock
    }
}

pub(crate) struct Sled {
    store: SharedStore,
    clock: TestClock,
    dir: tempfile::TempDir,
}

impl Sled {
    fn open(dir: &std::path::Path, clock: &TestClock) -> SharedStore {
        let mut settings = SledSettings::new(dir);
        settings.clock = clock.for_store();
        settings.on_fatal = Arc::new(|cause| panic!("the store failed: {cause}"));
        Arc::new(SledStore::open(settings).unwrap())
    }
}

impl Subject for Sled {
    async fn fresh() -> Self {
        let clock = TestClock::default();
        let dir = tempfile::tempdir().unwrap();
        Self { store: Self::open(dir.path(), &clock), clock, dir }
    }

    async fn open_again(&mut self) {
        self.store.close().await.unwrap();
        self.store = Self::open(self.dir.path(), &self.clock);
    }

    fn store(&self) -> &SharedStore {
        &self.store
    }

    fn clock(&self) -> &TestClock {
        &self.clock
    }
}

pub(crate) fn house(number: u128) -> HouseId {
    HouseId::from_uuid(Uuid::from_u128(number))
}

pub(crate) fn path(text: &str) -> Path {
    Path::new(text).unwrap()
}

pub(crate) fn key(house_number: u128, text: &str) -> Key {
    Key::new(house(house_number), path(text))
}
