//! What is shown and called after a change that the store took and could not be read back from.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream::BoxStream;
use playhouse_bus::{Bus, BusSettings, CallError, Deadline, HouseId, Placement};
use playhouse_house::{Sealer, open_house};
use playhouse_standins::{ArrKind, ArrStandin, Library};
use playhouse_store::{
    Claim, CommitError, Fence, Hint, IdemKey, Key, LogEntry, LogId, Lost, MemoryStore, NodeId, Op, Page, Path,
    ResourceId, RestoreEntries, RestoreError, Seq, SharedStore, Store, StoreError, Version, Versioned, WhenOccupied,
    system_clock,
};
use playhouse_upstream::AddressPolicy;

use super::record::INSTANCES;
use super::*;
use crate::client::ArrHttp;
use crate::{ArrActor, ArrServices, LaneBook, ObserveArr, Service};

/// A store whose lists of instances cannot be read so many times.
#[derive(Default)]
struct Unreadable {
    inner: MemoryStore,
    left: AtomicUsize,
}

#[async_trait]
impl Store for Unreadable {
    async fn get(&self, key: &Key) -> Result<Option<Versioned>, StoreError> {
        self.inner.get(key).await
    }

    async fn scan(&self, prefix: &Key, after: Option<&Key>, limit: u32) -> Result<Page, StoreError> {
        let spend = |left: usize| left.checked_sub(1);
        let is_instances = prefix.path == INSTANCES;
        match is_instances && self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, spend).is_ok() {
            true => Err(StoreError::Overloaded),
            false => self.inner.scan(prefix, after, limit).await,
        }
    }

    async fn partitions(&self, after: Option<HouseId>, limit: u32) -> Result<Vec<HouseId>, StoreError> {
        self.inner.partitions(after, limit).await
    }

    async fn commit(&self, house: HouseId, ops: Vec<Op>, fence: Option<Fence>) -> Result<Vec<Version>, CommitError> {
        self.inner.commit(house, ops, fence).await
    }

    async fn append(&self, log: LogId, record: Bytes, idem: IdemKey, fence: Option<Fence>) -> Result<Seq, CommitError> {
        self.inner.append(log, record, idem, fence).await
    }

    async fn read_log(&self, log: &LogId, from: Seq, limit: u32) -> Result<Vec<LogEntry>, StoreError> {
        self.inner.read_log(log, from, limit).await
    }

    async fn logs(&self, house: HouseId, after: Option<&Path>, limit: u32) -> Result<Vec<LogId>, StoreError> {
        self.inner.logs(house, after, limit).await
    }

    async fn claim(&self, resource: &ResourceId, node: NodeId, ttl: Duration) -> Result<Claim, StoreError> {
        self.inner.claim(resource, node, ttl).await
    }

    async fn renew(&self, resource: &ResourceId, epoch: u64, ttl: Duration) -> Result<(), Lost> {
        self.inner.renew(resource, epoch, ttl).await
    }

    async fn release(&self, resource: &ResourceId, epoch: u64) {
        self.inner.release(resource, epoch).await;
    }

    fn watch(&self, prefix: &Key) -> BoxStream<'static, Hint> {
        self.inner.watch(prefix)
    }

    async fn restore(
        &self,
        house: HouseId,
        entries: RestoreEntries<'_>,
        when_occupied: WhenOccupied,
    ) -> Result<(), RestoreError> {
        self.inner.restore(house, entries, when_occupied).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.inner.close().await
    }
}

/// A house with one library, called `Films`.
struct OneLibrary {
    store: Arc<Unreadable>,
    bus: Bus,
    house: HouseId,
    id: InstanceId,
    _radarr: ArrStandin,
}

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(20))
}

impl OneLibrary {
    async fn open() -> Self {
        let store = Arc::new(Unreadable::default());
        let shared: SharedStore = Arc::clone(&store) as SharedStore;
        let clock = system_clock();
        let house = open_house(&shared, "Kestrel Street", &clock).await.unwrap().id;
        let bus = Bus::new(BusSettings::new(Placement::Current));
        let (sealer, http) = (Sealer::random(), ArrHttp::new(AddressPolicy::self_hosted(), None).unwrap());
        bus.serve::<InstancesActor>(InstancesServices {
            store: Arc::clone(&shared),
            sealer: sealer.clone(),
            http: http.clone(),
            clock: Arc::clone(&clock),
            bus: bus.clone(),
        });
        let lanes = LaneBook::default();
        bus.serve::<ArrActor>(ArrServices { store: shared, sealer, http, clock, lanes, bridge: None });
        let radarr = ArrStandin::start(ArrKind::Radarr, Library::empty(ArrKind::Radarr));
        let order = AddInstance {
            service: Service::Radarr,
            name: "Films".to_owned(),
            base_url: radarr.url().to_string(),
            api_key: radarr.api_key().into(),
            sort_order: 0,
            is_default: false,
        };
        let added = bus.call(InstancesActor::key(house), order, soon()).await.unwrap().unwrap();
        Self { store, bus, house, id: added.details.summary.id, _radarr: radarr }
    }

    async fn rename(&self, name: &str) -> Result<KeptInstance, InstancesError> {
        let order = EditInstance {
            id: self.id,
            service: None,
            name: Some(name.to_owned()),
            base_url: None,
            api_key: None,
            sort_order: None,
            is_default: None,
        };
        self.bus.call(InstancesActor::key(self.house), order, soon()).await.unwrap()
    }

    /// What its own actor calls it.
    async fn own_name(&self) -> Result<String, CallError> {
        let status = self.bus.call(ArrActor::key(self.house, self.id), ObserveArr {}, soon()).await;
        status.map(|status| status.instance.name)
    }

    async fn listed(&self) -> Vec<String> {
        let listed = self.bus.call(InstancesActor::key(self.house), ListInstances {}, soon()).await.unwrap();
        listed.into_iter().map(|summary| summary.name).collect()
    }
}

#[actix_rt::test]
async fn what_was_stored_and_not_read_back_is_shown_and_called_by_what_is_stored() {
    let library = OneLibrary::open().await;
    assert_eq!(library.own_name().await.unwrap(), "Films");

    library.store.left.store(1, Ordering::SeqCst);
    let refused = library.rename("4K").await.unwrap_err();

    assert!(refused.to_string().starts_with("the change was stored"), "{refused}");
    assert_eq!(library.own_name().await.unwrap(), "4K", "the instance's actor still has the old record");
    assert_eq!(library.listed().await, ["4K"], "the list shows what is not stored");
    library.rename("Films again").await.unwrap();
    assert_eq!(library.listed().await, ["Films again"]);
}

#[actix_rt::test]
async fn a_removed_library_is_unknown_to_its_own_actor_although_the_list_cannot_be_read() {
    let library = OneLibrary::open().await;
    library.own_name().await.unwrap();

    library.store.left.store(1, Ordering::SeqCst);
    let remove = RemoveInstance { id: library.id };
    library.bus.call(InstancesActor::key(library.house), remove, soon()).await.unwrap().unwrap_err();

    assert_eq!(library.own_name().await, Err(CallError::NotFound));
    assert!(library.listed().await.is_empty());
}
