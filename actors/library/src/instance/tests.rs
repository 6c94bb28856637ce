//! What is shown and called after a change that the store took and could not be read back from.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use playhouse_bus::{Bus, BusSettings, CallError, Deadline, HouseId, Placement};
use playhouse_house::{Sealer, open_house};
use playhouse_standins::{ArrKind, ArrStandin, Library, StoreManners, UnreliableStore};
use playhouse_store::{Key, SharedStore, StoreError, system_clock};
use playhouse_upstream::AddressPolicy;

use super::record::INSTANCES;
use super::*;
use crate::client::ArrHttp;
use crate::{ArrActor, ArrServices, LaneBook, ObserveArr, Service};

/// A store whose lists of instances cannot be read so many times.
#[derive(Default)]
struct Unreadable {
    left: AtomicUsize,
}

impl StoreManners for Unreadable {
    fn scan_fault(&self, prefix: &Key) -> Option<StoreError> {
        let spend = |left: usize| left.checked_sub(1);
        let fails =
            prefix.path == INSTANCES && self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, spend).is_ok();
        fails.then_some(StoreError::Overloaded)
    }
}

/// A house with one library, called `Films`.
struct OneLibrary {
    store: Arc<UnreliableStore<Unreadable>>,
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
        let store = UnreliableStore::new(Unreadable::default());
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
