//! The handle to one simulated television.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};
use url::Url;

use crate::{
    app::{AppVersion, Installation, OpTimes, Pacing},
    event::TvEvent,
    life::{Life, Order},
    misbehaviour::{Act, Manner, NotConnected},
    ops::Answer,
    pairing::{StoredPairing, http_client},
    shared::{OnEvent, Shared, State},
    update::{self, UpdateCheck},
    violation::Violation,
    world::World,
};

/// One television with the bridge app, alive as a task until it is dropped.
pub struct SimulatedTv {
    shared: Arc<Shared>,
    relay: Url,
    http: reqwest::Client,
    orders: mpsc::Sender<Order>,
    task: JoinHandle<()>,
}

/// How the television is before it is switched on.
pub struct SimulatedTvBuilder {
    relay: Url,
    app: Installation,
    world: World,
    pacing: Pacing,
    op_times: OpTimes,
    pairing: Option<StoredPairing>,
    on_event: Option<OnEvent>,
}

impl SimulatedTvBuilder {
    /// The app's version; the newest unless set.
    #[must_use]
    pub fn model(mut self, version: AppVersion) -> Self {
        self.app.version = version;
        self
    }

    /// Android's release number; 13 unless set. Below 13 the d-pad cannot press real keys, below 7 there are no gestures.
    #[must_use]
    pub fn android(mut self, release: u8) -> Self {
        self.app.android = release;
        self
    }

    /// Which apps and which mixer the set has; the same seed furnishes the same set.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.world = World::furnished(seed);
        self
    }

    /// Exactly this world.
    #[must_use]
    pub fn world(mut self, world: World) -> Self {
        self.world = world;
        self
    }

    /// The clockwork of pairing and dialling; the app's own unless set.
    #[must_use]
    pub fn pacing(mut self, pacing: Pacing) -> Self {
        self.pacing = pacing;
        self
    }

    /// How long operations take; no time unless set.
    #[must_use]
    pub fn op_times(mut self, op_times: OpTimes) -> Self {
        self.op_times = op_times;
        self
    }

    /// Continues as a TV that was claimed before, with the token it had.
    #[must_use]
    pub fn token(self, token: impl Into<String>) -> Self {
        self.resume(StoredPairing { token: token.into(), code: None })
    }

    /// Continues where [`SimulatedTv::pairing`] left off, also with a code still on the screen.
    #[must_use]
    pub fn resume(mut self, pairing: StoredPairing) -> Self {
        self.pairing = Some(pairing);
        self
    }

    /// Called with each event as it happens, on the TV's own task: it must not block.
    #[must_use]
    pub fn on_event(mut self, on_event: impl Fn(&TvEvent) + Send + Sync + 'static) -> Self {
        self.on_event = Some(Box::new(on_event));
        self
    }

    /// Switches the television on.
    ///
    /// # Panics
    /// Outside a tokio runtime, and where no HTTP client can be made at all.
    #[must_use]
    pub fn start(self) -> SimulatedTv {
        let shared = Arc::new(Shared::new(self.app, self.world, self.op_times, self.pairing, self.on_event));
        // One order at a time is enough: `act` waits for its own.
        let (orders, receiver) = mpsc::channel(1);
        let http = http_client().expect("an HTTP client without TLS settings of its own can always be made");
        let (relay, client) = (self.relay.clone(), http.clone());
        let life = Life { shared: Arc::clone(&shared), relay, http: client, pacing: self.pacing, orders: receiver };
        let task = tokio::spawn(life.live());
        SimulatedTv { shared, relay: self.relay, http, orders, task }
    }
}

impl SimulatedTv {
    /// A television whose app was built for this relay: `http://HOST:PORT`.
    #[must_use]
    pub fn builder(relay: Url) -> SimulatedTvBuilder {
        SimulatedTvBuilder {
            relay,
            app: Installation { version: AppVersion::V0_7_0, android: 13 },
            world: World::furnished(0),
            pacing: Pacing::default(),
            op_times: OpTimes::immediate(),
            pairing: None,
            on_event: None,
        }
    }

    /// Waits for the code on the screen.
    pub async fn code(&self) -> String {
        self.shared.wait_for(|state| state.pairing.as_ref()?.code.clone()).await
    }

    /// What the app has stored: for a later [`SimulatedTvBuilder::resume`]. `None` before the relay gave a code.
    #[must_use]
    pub fn pairing(&self) -> Option<StoredPairing> {
        self.shared.read(|state| state.pairing.clone())
    }

    /// Waits until the socket is open.
    pub async fn online(&self) {
        self.shared.wait_for(|state| state.online.then_some(())).await;
    }

    /// Waits until the socket is not open.
    pub async fn offline(&self) {
        self.shared.wait_for(|state| (!state.online).then_some(())).await;
    }

    /// Whether the socket is open, as far as the TV knows.
    #[must_use]
    pub fn is_online(&self) -> bool {
        self.shared.read(|state| state.online)
    }

    /// A copy of the world as it is now.
    #[must_use]
    pub fn world(&self) -> World {
        self.shared.read(|state| state.world.clone())
    }

    /// Changes the world, as a hand on the remote or another app would.
    pub fn change_world(&self, change: impl FnOnce(&mut World)) {
        self.shared.change(|state| change(&mut state.world));
    }

    /// Waits until the world satisfies the test's condition.
    pub async fn wait_for_world(&self, mut reached: impl FnMut(&World) -> bool) {
        self.shared.wait_for(|state| reached(&state.world).then_some(())).await;
    }

    /// What happened so far, oldest first. After ten thousand events the older half is forgotten.
    #[must_use]
    pub fn events(&self) -> Vec<TvEvent> {
        self.shared.read(|state| state.events.clone())
    }

    /// Waits until the events so far satisfy the test's condition.
    pub async fn wait_until(&self, mut reached: impl FnMut(&[TvEvent]) -> bool) {
        self.shared.wait_for(|state: &State| reached(&state.events).then_some(())).await;
    }

    /// Every breach of the contract by the relay so far.
    #[must_use]
    pub fn violations(&self) -> Vec<Violation> {
        self.shared.read(|state| state.violations.clone())
    }

    /// From now on treats frames in this manner.
    pub fn behave(&self, manner: Manner) {
        self.shared.manner.send_replace(manner);
    }

    /// Does one thing now, and waits until it is done.
    ///
    /// # Errors
    /// [`NotConnected`] when the act needs an open socket and there is none.
    pub async fn act(&self, act: Act) -> Result<(), NotConnected> {
        let (done, outcome) = oneshot::channel();
        self.orders.send(Order { act, done }).await.map_err(|_| NotConnected)?;
        outcome.await.unwrap_or(Err(NotConnected))
    }

    /// Opens the app's own screen, which asks the relay for a newer version.
    pub async fn check_for_update(&self) -> UpdateCheck {
        update::check(&self.http, &self.relay).await
    }

    /// The next `op` is answered so, whatever the app would say, and changes nothing. Several queue up.
    pub fn answer_next(&self, op: &str, answer: Answer) {
        self.shared.change(|state| state.prepared.entry(op.to_owned()).or_default().push_back(answer));
    }

    /// From now on this operation takes so long.
    pub fn take_time(&self, op: &str, time: Duration) {
        self.shared.change(|state| state.op_times.by_op.insert(op.to_owned(), time));
    }
}

impl Drop for SimulatedTv {
    fn drop(&mut self) {
        self.task.abort();
    }
}
