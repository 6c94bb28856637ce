//! A house with libraries, without any door.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use playhouse_bus::{Bus, BusSettings, Deadline, HouseId, Message, Placement};
use playhouse_house::{
    Caller, CredentialId, Principal, Role, Scope, Scopes, Sealer, ToolSwitches, TvGrant, open_house,
};
use playhouse_library::answer::{ArrFailure, Code, Unfinished};
use playhouse_library::client::ArrHttp;
use playhouse_library::instance::{AddInstance, EditInstance, KeyText};
use playhouse_library::settings::{
    ConfirmProfile, FormatAction, HoldWrites, JsonText, NotReady, PrepareFormat, PrepareProfileChange, PreparedFormat,
    PreparedProfile, ProfileChanges, PutProfile, ReadyProfile, RebuildProfile, ReleaseWrites, SendFormat, WriteLease,
};
use playhouse_library::{
    AddressPolicy, ArrActor, ArrServices, InstanceId, InstancesActor, InstancesServices, LaneBook, Service, add_tools,
};
use playhouse_standins::{ArrKind, ArrStandin, Library};
use playhouse_store::{Clock, MemoryStore, SharedStore};
use playhouse_tools::{Outcome, Registry, ToolCall};
use serde_json::{Value, json};

/// A house's libraries.
pub(crate) struct Home {
    pub(crate) bus: Bus,
    pub(crate) house: HouseId,
    store: SharedStore,
    registry: Registry,
}

/// A house with one library.
pub(crate) struct Shelf {
    pub(crate) home: Home,
    pub(crate) arr: ArrStandin,
    pub(crate) id: InstanceId,
}

impl Home {
    pub(crate) async fn empty() -> Self {
        let store: SharedStore = Arc::new(MemoryStore::new());
        let clock: Clock = Arc::new(Timestamp::now);
        let house = open_house(&store, "Kestrel Street", &clock).await.unwrap().id;
        Self::over(store, house, Sealer::from_master_key([7; 32]))
    }

    fn over(store: SharedStore, house: HouseId, sealer: Sealer) -> Self {
        let clock: Clock = Arc::new(Timestamp::now);
        let http = ArrHttp::new(AddressPolicy::self_hosted(), None).unwrap();
        let bus = Bus::new(BusSettings::new(Placement::Current));
        bus.serve::<InstancesActor>(InstancesServices {
            store: store.clone(),
            sealer: sealer.clone(),
            http: http.clone(),
            clock: clock.clone(),
            bus: bus.clone(),
        });
        let lanes = LaneBook::default();
        bus.serve::<ArrActor>(ArrServices { store: store.clone(), sealer, http, clock, lanes, bridge: None });
        let mut registry = Registry::new(ToolSwitches::new());
        add_tools(&mut registry).unwrap();
        Self { bus, house, store, registry }
    }

    /// The same house after its master key was lost.
    pub(crate) fn without_its_keys(&self) -> Self {
        Self::over(self.store.clone(), self.house, Sealer::from_master_key([8; 32]))
    }

    pub(crate) async fn add(&self, arr: &ArrStandin, name: &str) -> InstanceId {
        let order = AddInstance {
            service: service(arr.kind()),
            name: name.to_owned(),
            base_url: arr.url().to_string(),
            api_key: KeyText::from(arr.api_key()),
            sort_order: 0,
            is_default: false,
        };
        let kept = self.bus.call(InstancesActor::key(self.house), order, in_time()).await.unwrap().unwrap();
        arr.forget_requests();
        kept.details.summary.id
    }

    pub(crate) async fn edit(&self, order: EditInstance) {
        self.bus.call(InstancesActor::key(self.house), order, in_time()).await.unwrap().unwrap();
    }

    /// Calls a tool; answers prose, structured value and whether it is an error.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> (String, Value, bool) {
        let principal = Principal {
            house: self.house,
            credential: CredentialId::draw(&mut rand::rng()),
            caller: Caller::Key { tvs: TvGrant::All, account: None, engagement: None },
            scopes: Scopes::of(&[Scope::MediaAdmin]),
            role: Role::Admin,
        };
        let call = ToolCall { principal, bus: self.bus.clone(), deadline: in_time(), chosen: None };
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        match self.registry.call(tool, arguments, call).await {
            Outcome::Answered { structured, prose, is_error } => {
                (prose, serde_json::from_str(&structured).unwrap(), is_error)
            }
            Outcome::Failed { words } => (words, Value::Null, true),
            other => panic!("{other:?}"),
        }
    }
}

impl Shelf {
    pub(crate) async fn of(kind: ArrKind) -> Self {
        let home = Home::empty().await;
        let arr = ArrStandin::start(kind, Library::empty(kind));
        let id = home.add(&arr, "Main").await;
        Self { home, arr, id }
    }

    /// Asks the library's actor.
    pub(crate) async fn ask<M: Message<Actor = ArrActor>>(&self, message: M) -> M::Reply {
        self.home.bus.call(ArrActor::key(self.home.house, self.id), message, in_time()).await.unwrap()
    }

    pub(crate) async fn prepare(&self, profile_id: i64, changes: Value) -> Result<PreparedProfile, ArrFailure> {
        self.ask(PrepareProfileChange { profile_id, changes: self::changes(changes) }).await
    }

    /// That the change is refused; answers the words.
    pub(crate) async fn refusal(&self, profile_id: i64, changes: Value) -> String {
        match self.prepare(profile_id, changes.clone()).await {
            Err(ArrFailure::Refused { code: Code::ChangeRefused, words }) => words,
            other => panic!("{changes} should be refused: {other:?}"),
        }
    }

    pub(crate) async fn rebuild(&self, profile_id: i64, prepared: &PreparedProfile) -> Result<ReadyProfile, NotReady> {
        let PreparedProfile { plan, diff, binding, .. } = prepared.clone();
        self.ask(RebuildProfile { profile_id, plan, diff, binding }).await
    }

    pub(crate) async fn put(&self, profile_id: i64, ready: &ReadyProfile) -> Result<(), Unfinished> {
        let ReadyProfile { connection, desired: body, .. } = ready.clone();
        self.holding(async |lease| self.ask(PutProfile { lease, connection, profile_id, body }).await).await
    }

    /// Does something while the lane for writes is held.
    pub(crate) async fn holding<T>(&self, work: impl AsyncFnOnce(WriteLease) -> T) -> T {
        let lease = self.ask(HoldWrites {}).await.unwrap();
        let done = work(lease).await;
        self.ask(ReleaseWrites { lease }).await;
        done
    }

    /// The whole change of a profile, as it goes well.
    pub(crate) async fn change(&self, profile_id: i64, changes: Value) -> ReadyProfile {
        let prepared = self.prepare(profile_id, changes).await.unwrap();
        let ready = self.rebuild(profile_id, &prepared).await.unwrap();
        self.put(profile_id, &ready).await.unwrap();
        self.ask(ConfirmProfile { profile_id, desired: ready.desired_digest }).await.unwrap();
        ready
    }

    pub(crate) async fn prepare_format(&self, payload: &Value) -> Result<PreparedFormat, ArrFailure> {
        self.ask(PrepareFormat { payload: JsonText::new(payload.to_string()).unwrap() }).await
    }

    pub(crate) async fn format_refusal(&self, payload: &Value) -> String {
        match self.prepare_format(payload).await {
            Err(ArrFailure::Refused { code: Code::ChangeRefused, words }) => words,
            other => panic!("{payload} should be refused: {other:?}"),
        }
    }

    pub(crate) async fn send_format(&self, prepared: &PreparedFormat) -> Result<Option<i64>, Unfinished> {
        let PreparedFormat { connection, action, name, desired: body, .. } = prepared.clone();
        self.holding(async |lease| self.ask(SendFormat { lease, connection, action, name, body }).await).await
    }

    /// How often anything was written.
    pub(crate) fn n_writes(&self) -> usize {
        self.arr.requests().iter().filter(|request| request.method != "GET").count()
    }

    /// The body of the newest write, as it was sent.
    pub(crate) fn sent(&self) -> String {
        self.arr.requests().iter().rfind(|request| request.method != "GET").unwrap().text().to_owned()
    }
}

pub(crate) fn changes(changes: Value) -> ProfileChanges {
    serde_json::from_value(changes).unwrap()
}

/// A format with one condition on titles.
pub(crate) fn title_format(name: &str, pattern: &str) -> Value {
    json!({ "name": name, "includeCustomFormatWhenRenaming": false, "specifications": [title_condition(name, pattern)] })
}

pub(crate) fn title_condition(name: &str, pattern: &str) -> Value {
    json!({ "name": name, "implementation": "ReleaseTitleSpecification", "negate": false, "required": true,
        "fields": [{ "name": "value", "value": pattern }] })
}

pub(crate) fn id_of(action: FormatAction) -> Option<i64> {
    match action {
        FormatAction::Create => None,
        FormatAction::Update { id } | FormatAction::Unchanged { id } => Some(id),
    }
}

pub(crate) fn service(kind: ArrKind) -> Service {
    match kind {
        ArrKind::Radarr => Service::Radarr,
        ArrKind::Sonarr => Service::Sonarr,
        ArrKind::Lidarr => Service::Lidarr,
        ArrKind::Chaptarr => Service::Chaptarr,
    }
}

/// Longer than anything here takes.
pub(crate) fn in_time() -> Deadline {
    Deadline::after(Duration::from_secs(20))
}
