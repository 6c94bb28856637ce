//! Thousands of connected televisions that do nothing but answer at once.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use futures_util::{SinkExt, StreamExt};
use tokio::{
    sync::{Semaphore, watch},
    task::JoinSet,
    time::sleep,
};
use tokio_tungstenite::tungstenite::Message;
use url::Url;

use crate::{
    app::{Backoff, Pacing},
    dial::{DialError, Socket, address_of, dial_from},
    frame,
    ops::Answer,
};

/// Who dials where.
#[derive(Debug, Clone)]
pub struct FleetSettings {
    /// `http://127.0.0.1:PORT`.
    pub relay: Url,
    /// One paired television each.
    pub tokens: Vec<String>,
    /// Taken in turn: one address has some 28,000 ports, shared with whatever has just closed.
    pub sources: Vec<Ipv4Addr>,
    /// Connects under way at once; more would overflow the server's accept queue and measure that.
    pub n_connects_at_once: usize,
    /// After a drop or refusal; the app's own unless set.
    pub redial: Backoff,
}

impl FleetSettings {
    /// Eight loopback source addresses, 256 connects at once, the app's own back-off.
    #[must_use]
    pub fn new(relay: Url, tokens: Vec<String>) -> Self {
        let sources = (2..10).map(|last| Ipv4Addr::new(127, 0, 0, last)).collect();
        Self { relay, tokens, sources, n_connects_at_once: 256, redial: Pacing::default().redial }
    }
}

/// A running fleet; dropping it cuts every socket.
pub struct Fleet {
    n_online: watch::Receiver<usize>,
    _members: JoinSet<()>,
}

struct Member {
    settings: Arc<FleetSettings>,
    address: SocketAddr,
    connects: Arc<Semaphore>,
    n_online: watch::Sender<usize>,
    number: usize,
}

impl Fleet {
    /// Starts dialling.
    ///
    /// # Errors
    /// When the relay's host has no address.
    pub async fn start(settings: FleetSettings) -> std::io::Result<Self> {
        let address = address_of(&settings.relay).await.map_err(|error| std::io::Error::other(format!("{error:?}")))?;
        let settings = Arc::new(settings);
        let connects = Arc::new(Semaphore::new(settings.n_connects_at_once));
        let n_online = watch::Sender::new(0);
        let mut members = JoinSet::new();
        for number in 0..settings.tokens.len() {
            let member = Member {
                settings: Arc::clone(&settings),
                address,
                connects: Arc::clone(&connects),
                n_online: n_online.clone(),
                number,
            };
            members.spawn(member.live());
        }
        Ok(Self { n_online: n_online.subscribe(), _members: members })
    }

    /// Sockets open now.
    #[must_use]
    pub fn n_online(&self) -> usize {
        *self.n_online.borrow()
    }

    /// Waits until at least so many sockets are open.
    pub async fn online(&mut self, at_least: usize) {
        // The members hold senders as long as `self` lives.
        let _ = self.n_online.wait_for(|n| *n >= at_least).await;
    }

    /// Waits until at most so many sockets are open.
    pub async fn offline(&mut self, at_most: usize) {
        let _ = self.n_online.wait_for(|n| *n <= at_most).await;
    }
}

impl Member {
    async fn live(self) {
        let mut n_failures = 0;
        loop {
            // Boxed: the dial's large state must not stay with ten thousand idle tasks.
            if let Ok(socket) = Box::pin(self.dial()).await {
                n_failures = 0;
                self.n_online.send_modify(|n| *n += 1);
                answer_all(socket).await;
                self.n_online.send_modify(|n| *n -= 1);
            }
            sleep(self.settings.redial.after(n_failures)).await;
            n_failures += 1;
        }
    }

    async fn dial(&self) -> Result<Socket, DialError> {
        // Never closed, so this waits for a turn and cannot fail.
        let _turn = self.connects.acquire().await;
        let source = self.settings.sources[self.number % self.settings.sources.len()];
        dial_from(SocketAddr::from((source, 0)), self.address, &self.settings.relay, &self.settings.tokens[self.number])
            .await
    }
}

/// `key` works; everything else, a relay's probe included, is an operation this TV lacks.
async fn answer_all(mut socket: Socket) {
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else { continue };
        let Some(command) = frame::read(&text, &mut Vec::new()) else { continue };
        let answer = match command.param("key").filter(|_| command.op == "key") {
            Some(key) => Answer::ok().with("key", key),
            None => Answer::failed(format!("unsupported op: {}", command.op)),
        };
        if socket.send(Message::text(frame::write(&command.id, &answer))).await.is_err() {
            return;
        }
    }
}
