//! A stage for tests of this crate's actors: a bus on this thread with time stopped, a store in memory, and TVs that do as told.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::StreamExt;
use jiff::Timestamp;
use playhouse_bus::{ActorKey, Bus, BusSettings, CallError, Deadline, HouseId, Message, Placement};
use playhouse_house::{
    CredentialId, CredentialUse, HouseRecord, KeyRefusal, KeyRing, PlainKey, Principal, ToolSwitches, TvId, UsedVia,
    house_path,
};
use playhouse_store::{Clock, Expect, MemoryStore, SharedStore, put};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::record::{TvRecord, tv_key};
use crate::wire::parse_frame;
use crate::{
    DevicesActor, DevicesServices, Link, LinkClosed, LinkFrames, LinkOpened, LinkSettings, Links, Outgoing, PairedTv,
    PairingActor, PairingServices, PairingSettings, TvActor, TvDirectory, TvServices,
};

pub(crate) const HOUSE: HouseId = HouseId::from_uuid(Uuid::from_u128(0xA));

pub(crate) struct Stage {
    pub(crate) bus: Bus,
    pub(crate) store: SharedStore,
    pub(crate) links: Links,
    pub(crate) directory: TvDirectory,
    pub(crate) key_ring: KeyRing,
    pub(crate) clock: Clock,
    /// While set, whoever asks for the time panics.
    pub(crate) clock_is_broken: Arc<AtomicBool>,
}

/// The time of day at which every test begins; it goes on with tokio's clock.
pub(crate) fn curtain_up() -> Timestamp {
    "2026-11-30T12:00:00Z".parse().unwrap()
}

pub(crate) fn tv(number: u128) -> TvId {
    TvId::from_uuid(Uuid::from_u128(number))
}

pub(crate) fn in_seconds(seconds: u64) -> Deadline {
    Deadline::after(Duration::from_secs(seconds))
}

/// Lets everything that is ready run, as often as a chain of actors could need.
pub(crate) async fn settle() {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}

impl Stage {
    /// A stage without any TV, with time stopped.
    pub(crate) fn new() -> Self {
        tokio::time::pause();
        Self::with_store(Arc::new(MemoryStore::new()))
    }

    /// Another stage on the same store, as if the process was started anew. Time is stopped already.
    pub(crate) fn with_store(store: SharedStore) -> Self {
        Self::with_settings(store, PairingSettings::default())
    }

    pub(crate) fn with_settings(store: SharedStore, pairing: PairingSettings) -> Self {
        let began = tokio::time::Instant::now();
        let clock_is_broken = Arc::new(AtomicBool::new(false));
        let is_broken = Arc::clone(&clock_is_broken);
        let clock: Clock = Arc::new(move || {
            assert!(!is_broken.load(Ordering::Relaxed), "the clock fell off the wall");
            curtain_up() + began.elapsed()
        });
        let settings = BusSettings { seed: 1, now: curtain_up(), ..BusSettings::new(Placement::Current) };
        let (links, directory) = (Links::new(LinkSettings::default()), TvDirectory::new());
        let bus = Bus::new(settings);
        bus.serve::<TvActor>(TvServices {
            store: store.clone(),
            links: links.clone(),
            directory: directory.clone(),
            clock: clock.clone(),
        });
        let key_ring = KeyRing::new();
        bus.serve::<DevicesActor>(DevicesServices {
            store: store.clone(),
            key_ring: key_ring.clone(),
            directory: directory.clone(),
            links: links.clone(),
            clock: clock.clone(),
        });
        bus.serve::<PairingActor>(PairingServices {
            store: store.clone(),
            bus: bus.clone(),
            clock: clock.clone(),
            settings: pairing,
        });
        Self { bus, store, links, directory, key_ring, clock, clock_is_broken }
    }

    /// A stage with a house, `HOUSE`, that has no TV.
    pub(crate) async fn with_house() -> Self {
        let stage = Self::new();
        stage.open_house(HOUSE).await;
        stage
    }

    pub(crate) async fn open_house(&self, house: HouseId) {
        let record = HouseRecord {
            name: "The Lovelaces".to_owned(),
            created_at: curtain_up(),
            disabled_tools: Default::default(),
        };
        let put = put(house_path(), &record, Expect::Absent).unwrap();
        self.store.commit(house, vec![put], None).await.unwrap();
    }

    /// The process starts anew on the same store, and has read what it reads before its doors open.
    pub(crate) async fn restarted(&self) -> Self {
        let stage = Self::with_store(self.store.clone());
        playhouse_house::load(&*stage.store, &stage.key_ring, &ToolSwitches::new()).await.unwrap();
        stage.directory.load(&*stage.store).await.unwrap();
        stage
    }

    /// What `token` opens at a door of kind `door`.
    pub(crate) fn opens(&self, token: &PlainKey, door: CredentialUse) -> Result<Arc<Principal>, KeyRefusal> {
        self.key_ring.check(token.reveal(), door, UsedVia::Mcp, (self.clock)())
    }

    /// A stage with one paired TV, `den`, which is number 1 and not connected.
    pub(crate) async fn with_den() -> Self {
        let stage = Self::new();
        stage.pair(1, "den").await;
        stage
    }

    /// Pairs a TV without any ceremony.
    pub(crate) async fn pair(&self, number: u128, name: &str) {
        let bridge = CredentialId::draw(&mut rand::rng());
        let record = TvRecord { name: name.parse().unwrap(), bridge, paired_at: curtain_up() };
        let put = put(tv_key(HOUSE, tv(number)).path, &record, Expect::Absent).unwrap();
        self.store.commit(HOUSE, vec![put], None).await.unwrap();
        self.directory.put(HOUSE, PairedTv { name: record.name, id: tv(number), paired_at: record.paired_at });
    }

    /// Calls the actor of TV number 1 without waiting: the call is on its way when this returns.
    pub(crate) fn send<M: Message<Actor = TvActor>>(&self, message: M) -> JoinHandle<Result<M::Reply, CallError>> {
        self.send_within(message, 60)
    }

    pub(crate) fn send_within<M: Message<Actor = TvActor>>(
        &self,
        message: M,
        seconds: u64,
    ) -> JoinHandle<Result<M::Reply, CallError>> {
        let bus = self.bus.clone();
        actix_rt::spawn(async move { bus.call(TvActor::key(HOUSE, tv(1)), message, in_seconds(seconds)).await })
    }

    /// Calls an actor and waits.
    pub(crate) async fn call<M: Message>(&self, key: ActorKey, message: M) -> M::Reply {
        self.bus.call(key, message, in_seconds(60)).await.unwrap()
    }

    /// Has TV number 1 dial in.
    pub(crate) async fn dial_in(&self) -> TvSet {
        let frames = self.links.open(tv(1), (self.clock)());
        let set = TvSet { bus: self.bus.clone(), clock: self.clock.clone(), link: frames.link().clone(), frames };
        self.send(LinkOpened { link: set.link.id() }).await.unwrap().unwrap();
        set
    }
}

/// TV number 1 and the session that moves its frames.
pub(crate) struct TvSet {
    bus: Bus,
    clock: Clock,
    pub(crate) link: Link,
    frames: LinkFrames,
}

/// A command as it reached the TV.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) id: String,
    pub(crate) op: String,
    pub(crate) params: Value,
}

impl TvSet {
    /// The next command; waits for it.
    pub(crate) async fn asked(&mut self) -> Asked {
        let Some(Outgoing::Frame(text)) = self.frames.next().await else { panic!("the link was closed") };
        let frame: Value = serde_json::from_str(&text).unwrap();
        let text = |name: &str| frame[name].as_str().unwrap().to_owned();
        Asked { id: text("id"), op: text("op"), params: frame["params"].clone() }
    }

    /// What is on its way to the TV, without waiting for more.
    pub(crate) async fn pending(&mut self) -> Vec<Value> {
        use futures_util::FutureExt;
        settle().await;
        let mut pending = Vec::new();
        while let Some(Some(Outgoing::Frame(text))) = self.frames.next().now_or_never() {
            pending.push(serde_json::from_str(&text).unwrap());
        }
        pending
    }

    /// The close frame; panics when there are frames before it.
    pub(crate) async fn closed(&mut self) -> crate::CloseReason {
        match self.frames.next().await {
            Some(Outgoing::Close(reason)) => reason,
            other => panic!("expected a close, not {other:?}"),
        }
    }

    /// Sends a reply as the app does.
    pub(crate) async fn reply(&self, reply: Value) {
        self.link.take_reply(parse_frame(&reply.to_string()).unwrap());
        settle().await;
    }

    pub(crate) async fn ok(&self, asked: &Asked) {
        self.reply(json!({ "id": asked.id, "ok": true })).await;
    }

    pub(crate) async fn ok_with(&self, asked: &Asked, field: &str, value: Value) {
        self.reply(json!({ "id": asked.id, "ok": true, "data": { field: value.to_string() } })).await;
    }

    pub(crate) async fn refuse(&self, asked: &Asked, message: &str) {
        self.reply(json!({ "id": asked.id, "ok": false, "message": message })).await;
    }

    /// Ends the socket, and reports it as the session does.
    pub(crate) async fn hang_up(self) {
        let closed = LinkClosed { link: self.link.id(), last_heard_at: (self.clock)() };
        drop(self.frames);
        self.bus.call(TvActor::key(HOUSE, tv(1)), closed, in_seconds(60)).await.unwrap();
    }
}
