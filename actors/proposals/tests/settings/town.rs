//! A house with a library on loopback, its admins' keys, and a clock that the test holds.

use std::borrow::Borrow;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use playhouse_bus::{ActorKey, Bus, BusSettings, Deadline, HouseId, Message, Placement};
use playhouse_house::{
    Account, Clock, CreateAccount, CreateKey, CredentialId, HouseActor, HouseServices, KeyRing, Role, Scope, Scopes,
    Sealer, SwitchTool, ToolSwitches, TvGrant, open_house,
};
use playhouse_library::client::ArrHttp;
use playhouse_library::instance::{AddInstance, EditInstance, KeyText, RemoveInstance, SetDefaultInstance};
use playhouse_library::settings::{FormatScore, JsonText, ProfileChanges};
use playhouse_library::{
    AddressPolicy, ArrActor, ArrServices, InstanceId, InstancesActor, InstancesServices, LaneBook, Service,
};
use playhouse_proposals::{
    AdminEvent, ApproveProposal, ArmedBook, Caller, ChangeError, ChangeId, ChangeRecord, ChatTurn, Decider, EventHub,
    EventId, EventKind, Expiries, GetChange, GetProposal, ListChanges, ListEvents, ListProposals, ObserveProposals,
    Origin, PreviewProfileChange, Previewed, Proposal, ProposalError, ProposalId, ProposalQueueActor, ProposalServices,
    ProposalsStatus, RejectProposal, RestoreChange, SettingsFailure, SweepProposals, UpsertCustomFormat, Upserted,
    WorkBook,
};
use playhouse_standins::{ArrKind, ArrStandin, Library};
use playhouse_store::{MemoryStore, SharedStore};
use serde_json::{Value, json};

/// The profile of the household that most tests change: "HD-1080p".
pub(crate) const PROFILE: i64 = 4;

/// Longer than anything here takes.
pub(crate) fn in_time() -> Deadline {
    Deadline::after(Duration::from_secs(20))
}

pub(crate) struct Town {
    pub(crate) store: SharedStore,
    pub(crate) key_ring: KeyRing,
    pub(crate) switches: ToolSwitches,
    pub(crate) events: EventHub,
    pub(crate) expiries: Expiries,
    pub(crate) works: WorkBook,
    pub(crate) bus: Bus,
    pub(crate) house: HouseId,
    pub(crate) arr: Arc<ArrStandin>,
    pub(crate) library: InstanceId,
    /// A key with `media:admin` of nobody in particular: "laptop".
    pub(crate) proposer: CredentialId,
    /// A key with `house:admin`: "kitchen".
    pub(crate) admin: CredentialId,
    now: Arc<Mutex<Timestamp>>,
    sealer: Sealer,
}

impl Town {
    /// A house with a Radarr as a household has it.
    pub(crate) async fn open() -> Self {
        Self::over(Arc::new(MemoryStore::new()), ArrKind::Radarr).await
    }

    pub(crate) async fn with(kind: ArrKind) -> Self {
        Self::over(Arc::new(MemoryStore::new()), kind).await
    }

    pub(crate) async fn over(store: SharedStore, kind: ArrKind) -> Self {
        let now: Timestamp = "2026-11-30T12:00:00Z".parse().unwrap();
        let now = Arc::new(Mutex::new(now));
        let told = Arc::clone(&now);
        let clock: Clock = Arc::new(move || *told.lock());
        let house = open_house(&store, "Kestrel Street", &clock).await.unwrap().id;
        let sealer = Sealer::random();
        let (key_ring, switches) = (KeyRing::new(), ToolSwitches::new());
        let (events, expiries, works) = (EventHub::default(), Expiries::default(), WorkBook::default());
        let bus = Bus::new(BusSettings::new(Placement::Current));
        let arr = Arc::new(ArrStandin::start(kind, Library::empty(kind)));
        let mut town = Self {
            store,
            key_ring,
            switches,
            events,
            expiries,
            works,
            bus,
            house,
            arr,
            library: "radarr-00000000".parse().unwrap(),
            proposer: CredentialId::draw(&mut rand::rng()),
            admin: CredentialId::draw(&mut rand::rng()),
            now,
            sealer,
        };
        town.serve(&clock);
        town.library = town.add(&town.arr, "Films").await;
        town.proposer = town.key("laptop", &[Scope::MediaAdmin], None).await;
        town.admin = town.key("kitchen", &[Scope::HouseAdmin], None).await;
        town
    }

    /// Another process over the same store, with the same keys and the same library.
    pub(crate) async fn beside(&self, works: WorkBook) -> Self {
        let now = Arc::clone(&self.now);
        let told = Arc::clone(&now);
        let clock: Clock = Arc::new(move || *told.lock());
        let other = Self {
            store: self.store.clone(),
            key_ring: self.key_ring.clone(),
            switches: self.switches.clone(),
            events: EventHub::default(),
            expiries: Expiries::default(),
            works,
            bus: Bus::new(BusSettings::new(Placement::Current)),
            house: self.house,
            arr: Arc::clone(&self.arr),
            library: self.library,
            proposer: self.proposer,
            admin: self.admin,
            now,
            sealer: self.sealer.clone(),
        };
        other.serve(&clock);
        other.expiries.load(&*other.store).await.unwrap();
        other
    }

    fn serve(&self, clock: &Clock) {
        let Self { store, key_ring, switches, events, expiries, works, bus, sealer, .. } = self;
        bus.serve::<HouseActor>(HouseServices {
            store: store.clone(),
            key_ring: key_ring.clone(),
            switches: switches.clone(),
            clock: clock.clone(),
        });
        let http = ArrHttp::new(AddressPolicy::self_hosted(), None).unwrap();
        bus.serve::<InstancesActor>(InstancesServices {
            store: store.clone(),
            sealer: sealer.clone(),
            http: http.clone(),
            clock: clock.clone(),
            bus: bus.clone(),
        });
        bus.serve::<ArrActor>(ArrServices {
            store: store.clone(),
            sealer: sealer.clone(),
            http,
            clock: clock.clone(),
            lanes: LaneBook::default(),
            bridge: None,
        });
        bus.serve::<ProposalQueueActor>(ProposalServices {
            store: store.clone(),
            bus: bus.clone(),
            key_ring: key_ring.clone(),
            switches: switches.clone(),
            events: events.clone(),
            clock: clock.clone(),
            expiries: expiries.clone(),
            works: works.clone(),
            armed: ArmedBook::default(),
        });
    }

    pub(crate) fn now(&self) -> Timestamp {
        *self.now.lock()
    }

    pub(crate) fn advance(&self, by: SignedDuration) {
        let mut now = self.now.lock();
        *now = now.checked_add(by).unwrap();
    }

    /// The message's reply, from the actor of this key.
    pub(crate) async fn call<M: Message>(&self, key: ActorKey, message: M) -> M::Reply {
        self.bus.call(key, message, in_time()).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// The message's reply, from the house's queue.
    pub(crate) async fn ask<M: Message<Actor = ProposalQueueActor>>(&self, message: M) -> M::Reply {
        self.call(ProposalQueueActor::key(self.house), message).await
    }

    pub(crate) async fn add(&self, arr: &ArrStandin, name: &str) -> InstanceId {
        let service = match arr.kind() {
            ArrKind::Radarr => Service::Radarr,
            ArrKind::Sonarr => Service::Sonarr,
            ArrKind::Lidarr => Service::Lidarr,
            ArrKind::Chaptarr => Service::Chaptarr,
        };
        let order = AddInstance {
            service,
            name: name.to_owned(),
            base_url: arr.url().to_string(),
            api_key: KeyText::from(arr.api_key()),
            sort_order: 0,
            is_default: false,
        };
        let kept = self.call(InstancesActor::key(self.house), order).await.unwrap();
        arr.forget_requests();
        kept.details.summary.id
    }

    pub(crate) async fn remove(&self, id: InstanceId) {
        self.call(InstancesActor::key(self.house), RemoveInstance { id }).await.unwrap();
    }

    pub(crate) async fn rename(&self, id: InstanceId, name: &str) {
        let order = EditInstance {
            id,
            service: None,
            name: Some(name.to_owned()),
            base_url: None,
            api_key: None,
            sort_order: None,
            is_default: None,
        };
        self.call(InstancesActor::key(self.house), order).await.unwrap();
    }

    /// Has the library be found at the address of another application.
    pub(crate) async fn move_to(&self, id: InstanceId, arr: &ArrStandin) {
        let order = EditInstance {
            id,
            service: None,
            name: None,
            base_url: Some(arr.url().to_string()),
            api_key: Some(KeyText::from(arr.api_key())),
            sort_order: None,
            is_default: None,
        };
        self.call(InstancesActor::key(self.house), order).await.unwrap();
    }

    pub(crate) async fn make_default(&self, id: InstanceId) {
        self.call(InstancesActor::key(self.house), SetDefaultInstance { id }).await.unwrap();
    }

    pub(crate) async fn account(&self, name: &str, role: Role) -> Account {
        self.call(HouseActor::key(self.house), CreateAccount { name: name.to_owned(), role }).await.unwrap()
    }

    pub(crate) async fn key(&self, label: &str, scopes: &[Scope], account: Option<&Account>) -> CredentialId {
        let order = CreateKey {
            label: label.to_owned(),
            scopes: Scopes::of(scopes),
            tvs: TvGrant::All,
            account: account.map(|account| account.id),
            engagement: None,
            expires_at: None,
        };
        self.call(HouseActor::key(self.house), order).await.unwrap().summary.id
    }

    pub(crate) async fn switch(&self, tool: &str, enabled: bool) {
        let order = SwitchTool { tool: tool.to_owned(), enabled };
        self.call(HouseActor::key(self.house), order).await.unwrap();
    }

    pub(crate) fn caller(&self, key: CredentialId) -> Caller {
        let principal = self.key_ring.current(key, self.now()).unwrap();
        Caller { principal: (*principal).clone(), origin: Origin::ExternalMcp }
    }

    pub(crate) fn chatting(&self, key: CredentialId, turn: &str, said: &str) -> Caller {
        let turn = ChatTurn { id: turn.to_owned(), said: said.to_owned() };
        Caller { origin: Origin::Chat(turn), ..self.caller(key) }
    }

    pub(crate) fn by_admin(&self) -> Decider {
        Decider::Key { credential: self.admin }
    }

    pub(crate) fn preview(&self, changes: ProfileChanges) -> PreviewProfileChange {
        PreviewProfileChange {
            caller: self.caller(self.proposer),
            service: self.library.service(),
            instance_id: Some(self.library.to_string()),
            profile_id: PROFILE,
            changes,
        }
    }

    /// Proposes a change of "HD-1080p".
    pub(crate) async fn propose(&self, changes: ProfileChanges) -> Proposal {
        match self.ask(self.preview(changes)).await.unwrap() {
            Previewed::Parked { proposal, .. } => proposal,
            Previewed::Armed(_) => panic!("armed"),
        }
    }

    pub(crate) async fn approve(&self, id: ProposalId) -> Result<Proposal, ProposalError> {
        self.ask(ApproveProposal { id, decider: self.by_admin() }).await
    }

    pub(crate) async fn reject(&self, id: ProposalId, note: &str) -> Result<Proposal, ProposalError> {
        self.ask(RejectProposal { id, decider: self.by_admin(), note: Some(note.to_owned()) }).await
    }

    pub(crate) async fn restore(&self, id: ChangeId) -> Result<ChangeRecord, ChangeError> {
        self.ask(RestoreChange { id, decider: self.by_admin() }).await
    }

    pub(crate) async fn get(&self, id: ProposalId) -> Proposal {
        self.ask(GetProposal { id }).await.unwrap()
    }

    pub(crate) async fn list(&self, all: bool) -> Vec<Proposal> {
        serde_json::from_slice(&self.ask(ListProposals { all }).await.unwrap()).unwrap()
    }

    pub(crate) async fn changes(&self) -> Vec<ChangeRecord> {
        self.ask(ListChanges { limit: 0, before: None }).await.unwrap()
    }

    pub(crate) async fn change(&self, id: ChangeId) -> ChangeRecord {
        self.ask(GetChange { id }).await.unwrap()
    }

    pub(crate) async fn observe(&self) -> ProposalsStatus {
        self.ask(ObserveProposals {}).await
    }

    pub(crate) async fn sweep(&self) {
        self.ask(SweepProposals {}).await;
    }

    pub(crate) async fn events(&self) -> Vec<AdminEvent> {
        self.ask(ListEvents { after: EventId(0) }).await.unwrap()
    }

    /// The events as short words: `pending 1 (1)`, `decided 1 (0)`, with the proposal and how many wait.
    pub(crate) async fn told(&self) -> Vec<String> {
        let worded = |event: AdminEvent| match event.kind {
            EventKind::ProfileChangePending { proposal_id, pending_count, .. } => {
                format!("pending {proposal_id} ({pending_count})")
            }
            EventKind::ProfileChangeDecided { proposal_id, pending_count } => {
                format!("decided {proposal_id} ({pending_count})")
            }
        };
        self.events().await.into_iter().map(worded).collect()
    }

    pub(crate) async fn upsert(&self, format: impl Borrow<Value>) -> Result<Upserted, SettingsFailure> {
        self.ask(self.upsert_of(format)).await
    }

    pub(crate) fn upsert_of(&self, format: impl Borrow<Value>) -> UpsertCustomFormat {
        UpsertCustomFormat {
            caller: self.caller(self.proposer),
            service: self.library.service(),
            instance_id: Some(self.library.to_string()),
            custom_format: JsonText::new(format.borrow().to_string()).unwrap(),
        }
    }

    /// The profile as the application has it now.
    pub(crate) fn profile(&self) -> Value {
        self.arr.profiles().into_iter().find(|profile| profile["id"] == PROFILE).unwrap()
    }

    /// How many writes arrived at the application.
    pub(crate) fn n_writes(&self) -> usize {
        self.arr.n_settings_writes().n_all()
    }
}

/// Other least scores: a change that depends on nothing else.
pub(crate) fn min_score(score: i32) -> ProfileChanges {
    ProfileChanges { min_format_score: Some(score), ..ProfileChanges::default() }
}

pub(crate) fn score(format: &str, score: i32) -> ProfileChanges {
    let format_score = FormatScore { format_name: format.to_owned(), score };
    ProfileChanges { custom_format_scores: Some(vec![format_score]), ..ProfileChanges::default() }
}

/// A format that the household does not have.
pub(crate) fn hdr() -> Value {
    json!({"name": "HDR10", "specifications": [titled("HDR", "HDR10")]})
}

/// A condition on the title of a release.
pub(crate) fn titled(name: &str, pattern: &str) -> Value {
    json!({"name": name, "implementation": "ReleaseTitleSpecification", "negate": false, "required": true,
        "fields": [{"name": "value", "value": pattern}]})
}
