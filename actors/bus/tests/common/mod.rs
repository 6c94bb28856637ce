//! An actor that breaks on demand, and a bus to put it on.
//!
//! What an order makes the actor do is data, as every message is; what it waits for lies in the [`World`] that its services are.

#![expect(dead_code, reason = "each test file uses its own part of this module")]
#![expect(clippy::unwrap_used, reason = "all of this is test code")]

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use playhouse_bus::{
    ActorHealth, ActorId, ActorKey, ActorKind, ActorState, Answer, Behaviour, Bus, BusSettings, CallError, CallInfo,
    Deadline, Handle, HouseId, KindSettings, Message, Placement, StartError,
};
use serde::{Deserialize, Serialize};
use tokio::sync::{Notify, Semaphore};
use uuid::Uuid;

/// What the actor is to do with one message. The reply is the sum of all `Add`s since it was last started.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) enum Do {
    Add(u32),
    Panic,
    PanicLater,
    PanicToTheEnd,
    /// While it only prepares.
    PanicPreparing,
    /// After it has begun.
    PanicPrepared,
    PanicAlone,
    PanicInFinish,
    /// `Answer::later` until the world's door opens.
    WaitLater,
    WaitToTheEnd,
    /// Waits at the door twice: before it has begun and after.
    WaitPrepared,
    WaitAlone,
    /// Holds the thread until the world says go on.
    Block,
    /// Ends the thread's arbiter.
    StopThread,
    /// `Answer::later` that panics once the door opens.
    PanicAtTheDoor,
    /// A future whose destructor panics when it is abandoned.
    PanicWhenDropped,
}

impl Do {
    /// Every way to panic while it is handled.
    pub(crate) const PANICS: [Do; 7] = [
        Do::Panic,
        Do::PanicLater,
        Do::PanicToTheEnd,
        Do::PanicPreparing,
        Do::PanicPrepared,
        Do::PanicAlone,
        Do::PanicInFinish,
    ];
}

impl Message for Do {
    type Actor = Clown;
    type Reply = u32;
}

/// How the next start goes; when none is left, well.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Start {
    Well,
    Panic,
    Unavailable,
    NotFound,
    Hang,
}

/// The surroundings of all clowns of one test.
pub(crate) struct World {
    pub(crate) starts: Mutex<VecDeque<Start>>,
    /// Starts for keys of this house only, if set; others start well.
    pub(crate) only_house: Mutex<Option<HouseId>>,
    pub(crate) n_started: AtomicU32,
    pub(crate) n_handled: AtomicU32,
    /// Futures that were dropped before their end.
    pub(crate) n_dropped: AtomicU32,
    pub(crate) n_ended: AtomicU32,
    /// Told whenever a waiting future begins.
    pub(crate) waiting: Semaphore,
    /// One permit lets one waiting future end.
    pub(crate) door: Semaphore,
    /// Told whenever a waiting future ends or is dropped.
    pub(crate) dropped: Notify,
    /// Receives the name of the thread that is blocked.
    pub(crate) blocked: tokio::sync::mpsc::UnboundedSender<String>,
    pub(crate) go_on: Mutex<mpsc::Receiver<()>>,
}

/// The test's ends of the channels a blocked thread uses.
pub(crate) struct Release {
    pub(crate) blocked: tokio::sync::mpsc::UnboundedReceiver<String>,
    pub(crate) go_on: mpsc::Sender<()>,
}

impl World {
    pub(crate) fn new() -> (Arc<Self>, Release) {
        let (blocked_tx, blocked) = tokio::sync::mpsc::unbounded_channel();
        let (go_on, go_on_rx) = mpsc::channel();
        let world = Self {
            starts: Mutex::default(),
            only_house: Mutex::default(),
            n_started: AtomicU32::default(),
            n_handled: AtomicU32::default(),
            n_dropped: AtomicU32::default(),
            n_ended: AtomicU32::default(),
            waiting: Semaphore::new(0),
            door: Semaphore::new(0),
            dropped: Notify::new(),
            blocked: blocked_tx,
            go_on: Mutex::new(go_on_rx),
        };
        (Arc::new(world), Release { blocked, go_on })
    }

    pub(crate) fn starts_go(&self, starts: impl IntoIterator<Item = Start>) {
        *self.starts.lock().unwrap() = starts.into_iter().collect();
    }

    pub(crate) fn n_started(&self) -> u32 {
        self.n_started.load(Ordering::SeqCst)
    }

    pub(crate) fn n_handled(&self) -> u32 {
        self.n_handled.load(Ordering::SeqCst)
    }

    pub(crate) fn n_dropped(&self) -> u32 {
        self.n_dropped.load(Ordering::SeqCst)
    }

    pub(crate) fn n_ended(&self) -> u32 {
        self.n_ended.load(Ordering::SeqCst)
    }

    /// Waits until one more future waits at the door.
    pub(crate) async fn one_waits(&self) {
        self.waiting.acquire().await.unwrap().forget();
    }

    async fn wait_at_the_door(self: Arc<Self>) {
        struct Waiting {
            world: Arc<World>,
            ended: bool,
        }
        impl Drop for Waiting {
            fn drop(&mut self) {
                let count = if self.ended { &self.world.n_ended } else { &self.world.n_dropped };
                count.fetch_add(1, Ordering::SeqCst);
                self.world.dropped.notify_one();
            }
        }
        let mut waiting = Waiting { world: Arc::clone(&self), ended: false };
        self.waiting.add_permits(1);
        self.door.acquire().await.unwrap().forget();
        waiting.ended = true;
    }
}

/// The actor that breaks on demand.
pub(crate) struct Clown {
    sum: u32,
    world: Arc<World>,
}

impl Behaviour for Clown {
    const KIND: ActorKind = ActorKind::Tv;
    type Services = Arc<World>;

    async fn start(key: ActorKey, world: Self::Services) -> Result<Self, StartError> {
        let concerned = world.only_house.lock().unwrap().is_none_or(|house| house == key.house);
        let start = if concerned { world.starts.lock().unwrap().pop_front() } else { None };
        world.n_started.fetch_add(1, Ordering::SeqCst);
        match start {
            None | Some(Start::Well) => Ok(Self { sum: 0, world }),
            Some(Start::Panic) => panic!("fell on the stairs"),
            Some(Start::Unavailable) => Err(StartError::Unavailable { reason: "the store is down".into() }),
            Some(Start::NotFound) => Err(StartError::NotFound),
            Some(Start::Hang) => std::future::pending().await,
        }
    }
}

impl Handle<Do> for Clown {
    fn handle(&mut self, order: Do, _call: CallInfo) -> Answer<Self, u32> {
        self.world.n_handled.fetch_add(1, Ordering::SeqCst);
        let world = Arc::clone(&self.world);
        let sum = self.sum;
        match order {
            Do::Add(n) => {
                self.sum += n;
                Answer::now(self.sum)
            }
            Do::Panic => panic!("slipped on a banana"),
            Do::PanicLater => Answer::later(async { panic!("slipped later") }),
            Do::PanicToTheEnd => Answer::to_the_end(async { panic!("slipped at the end") }),
            Do::PanicPreparing => {
                Answer::prepared::<std::future::Ready<u32>>(async { panic!("slipped at the rehearsal") })
            }
            Do::PanicPrepared => Answer::prepared(async { Ok(async { panic!("slipped in the ring") }) }),
            Do::PanicAlone => Answer::alone(async { panic!("slipped alone") }, |_, never: u32| never),
            Do::PanicInFinish => Answer::alone(async {}, |_, ()| panic!("slipped at the finish")),
            Do::WaitLater => Answer::later(async move {
                world.wait_at_the_door().await;
                sum
            }),
            Do::WaitToTheEnd => Answer::to_the_end(async move {
                world.wait_at_the_door().await;
                sum
            }),
            Do::WaitPrepared => Answer::prepared(async move {
                Arc::clone(&world).wait_at_the_door().await;
                Ok(async move {
                    world.wait_at_the_door().await;
                    sum
                })
            }),
            Do::WaitAlone => Answer::alone(world.wait_at_the_door(), |clown: &mut Self, ()| {
                clown.sum += 100;
                clown.sum
            }),
            Do::PanicAtTheDoor => Answer::later(async move {
                world.wait_at_the_door().await;
                panic!("slipped at the door")
            }),
            Do::Block => {
                let thread = std::thread::current().name().unwrap_or_default().to_owned();
                world.blocked.send(thread).unwrap();
                world.go_on.lock().unwrap().recv().unwrap();
                Answer::now(sum)
            }
            Do::StopThread => {
                actix::Arbiter::current().stop();
                Answer::later(std::future::pending())
            }
            Do::PanicWhenDropped => {
                struct Bomb;
                impl Drop for Bomb {
                    fn drop(&mut self) {
                        panic!("fell out of the window");
                    }
                }
                let bomb = Bomb;
                Answer::later(async move {
                    let _bomb = bomb;
                    world.wait_at_the_door().await;
                    0
                })
            }
        }
    }
}

/// What the threads' names are; shows where actors were placed.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct WhichThread;

impl Message for WhichThread {
    type Actor = Clown;
    type Reply = String;
}

impl Handle<WhichThread> for Clown {
    fn handle(&mut self, _: WhichThread, _: CallInfo) -> Answer<Self, String> {
        Answer::now(std::thread::current().name().unwrap_or_default().to_owned())
    }
}

/// How much of the caller's time is left when the handler looks, in milliseconds.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct TimeLeft;

impl Message for TimeLeft {
    type Actor = Clown;
    type Reply = u128;
}

impl Handle<TimeLeft> for Clown {
    fn handle(&mut self, _: TimeLeft, call: CallInfo) -> Answer<Self, u128> {
        Answer::now(call.deadline.remaining().as_millis())
    }
}

/// A bus with clowns on it.
pub(crate) struct Circus {
    pub(crate) bus: Bus,
    pub(crate) world: Arc<World>,
    pub(crate) release: Release,
}

impl Circus {
    /// On this thread, with time stopped.
    pub(crate) fn frozen() -> Self {
        Self::frozen_with(BusSettings::new(Placement::Current))
    }

    /// On this thread, with time stopped, and other settings.
    pub(crate) fn frozen_with(mut settings: BusSettings) -> Self {
        tokio::time::pause();
        settings.placement = Placement::Current;
        Self::with(settings)
    }

    /// On so many threads, in real time.
    pub(crate) fn on_threads(n_threads: usize) -> Self {
        Self::with(BusSettings::new(Placement::Arbiters(n_threads)))
    }

    pub(crate) fn with(mut settings: BusSettings) -> Self {
        settings.seed = 1;
        settings.now = "2026-11-30T12:00:00Z".parse().unwrap();
        let (world, release) = World::new();
        let bus = Bus::new(settings);
        bus.serve::<Clown>(Arc::clone(&world));
        Self { bus, world, release }
    }

    pub(crate) async fn order(&self, key: ActorKey, order: Do) -> Result<u32, CallError> {
        self.bus.call(key, order, in_seconds(60)).await
    }

    pub(crate) async fn order_within(&self, key: ActorKey, order: Do, time: Duration) -> Result<u32, CallError> {
        self.bus.call(key, order, Deadline::after(time)).await
    }

    /// Calls without waiting: the call is on its way when this returns, and its result comes through the handle.
    pub(crate) fn send(&self, key: ActorKey, order: Do) -> tokio::task::JoinHandle<Result<u32, CallError>> {
        let bus = self.bus.clone();
        actix_rt::spawn(async move { bus.call(key, order, in_seconds(60)).await })
    }

    pub(crate) fn health(&self, key: ActorKey) -> ActorHealth {
        self.bus.health().actor(key).cloned().unwrap_or_else(|| panic!("{key} is not remembered"))
    }

    pub(crate) fn state(&self, key: ActorKey) -> ActorState {
        self.health(key).state
    }
}

/// tokio's timers are exact to a millisecond.
pub(crate) const TICK: Duration = Duration::from_millis(1);

pub(crate) fn in_seconds(seconds: u64) -> Deadline {
    Deadline::after(Duration::from_secs(seconds))
}

/// The `number`th house of a test.
pub(crate) fn house(number: u128) -> HouseId {
    HouseId::from_uuid(Uuid::from_u128(number))
}

/// The `number`th TV of the first house.
pub(crate) fn tv(number: u128) -> ActorKey {
    tv_of(house(1), number)
}

pub(crate) fn tv_of(house: HouseId, number: u128) -> ActorKey {
    ActorKey::new(house, ActorKind::Tv, ActorId::from_uuid(Uuid::from_u128(number)))
}

pub(crate) fn tv_settings() -> KindSettings {
    ActorKind::Tv.settings()
}

/// Lets everything that is ready run, as often as a chain of actors could need.
pub(crate) async fn settle() {
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}
