//! What the tests of several capabilities work with.

use std::sync::Arc;
use std::time::Duration;

use playhouse_bus::{Bus, BusSettings, Deadline, HouseId, Placement};
use playhouse_house::{Caller, CredentialId, Principal, Role, Scope, Scopes, TvGrant};
use playhouse_standins::{ArrKind, ArrStandin, Library};
use playhouse_store::{MemoryStore, SharedStore};
use playhouse_tools::ToolCall;
use playhouse_upstream::AddressPolicy;

use crate::actor::{Hands, InstanceLabel};
use crate::client::{ArrClient, ArrHttp, ArrKey, BaseUrl};
use crate::instance::InstanceId;
use crate::repair::Journal;
use crate::service::Service;

/// An application on loopback, and the hands of an instance's actor at it.
pub(crate) struct Ward {
    pub(crate) arr: ArrStandin,
    pub(crate) hands: Hands,
    pub(crate) store: SharedStore,
}

impl Ward {
    pub(crate) fn open(kind: ArrKind, library: Library) -> Self {
        let arr = ArrStandin::start(kind, library);
        let service = match kind {
            ArrKind::Radarr => Service::Radarr,
            ArrKind::Sonarr => Service::Sonarr,
            ArrKind::Lidarr => Service::Lidarr,
            ArrKind::Chaptarr => Service::Chaptarr,
        };
        let id: InstanceId = format!("{}-00000001", service.key()).parse().unwrap();
        let http = ArrHttp::new(AddressPolicy::self_hosted(), None).unwrap();
        let base = BaseUrl::parse(arr.url().as_str()).unwrap();
        let client = ArrClient::new(service, &base, &ArrKey::parse(&arr.api_key()).unwrap(), &http);
        let label = InstanceLabel { id, service, name: "Ward".to_owned() };
        let store: SharedStore = Arc::new(MemoryStore::new());
        let journal = Journal::new(Arc::clone(&store), HouseId::INSTANCE, id);
        let hands = Hands::without_an_actor(client, label, arr.now(), journal);
        Self { arr, hands, store }
    }

    /// The calls of this method whose path ends like this.
    pub(crate) fn calls(&self, method: &str, path: &str) -> Vec<playhouse_standins::SeenRequest> {
        let is_it = |request: &playhouse_standins::SeenRequest| request.method == method && request.path.contains(path);
        self.arr.requests().into_iter().filter(is_it).collect()
    }
}

/// Longer than anything here takes.
pub(crate) fn in_time() -> Deadline {
    Deadline::after(Duration::from_secs(20))
}

/// A call that reaches no actor.
pub(crate) fn nobodys_call() -> ToolCall {
    let principal = Principal {
        house: HouseId::INSTANCE,
        credential: CredentialId::draw(&mut rand::rng()),
        caller: Caller::Key { tvs: TvGrant::All, account: None, engagement: None },
        scopes: Scopes::of(&[Scope::MediaAdmin]),
        role: Role::Admin,
    };
    let bus = Bus::new(BusSettings::new(Placement::Current));
    ToolCall { principal, bus, deadline: in_time(), chosen: None }
}
