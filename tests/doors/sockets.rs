//! An instance with a bridge, and the TVs' ends of its sockets.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use playhouse::bridge::{self, BridgeServices};
use playhouse::config;
use playhouse_bus::{Bus, Deadline, HouseId};
use playhouse_house::{
    Credential, CredentialKind, HouseActor, HouseServices, KeyRing, Minted, Scopes, ToolSwitches, TvId,
    credential_path, mint, open_house,
};
use playhouse_store::{Expect, MemoryStore, Op, Path, SharedStore, encode, system_clock};
use playhouse_tv::{
    KeyPressed, LinkSettings, Links, ObserveTv, RemoteKey, SendKey, TvActor, TvDirectory, TvError, TvRecord,
    TvServices, TvStatus,
};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{self, Message};
use uuid::Uuid;

use crate::doors::{bus, serve, soon};

pub(crate) struct Instance {
    pub(crate) address: SocketAddr,
    pub(crate) bus: Bus,
    pub(crate) links: Links,
    pub(crate) key_ring: KeyRing,
    directory: TvDirectory,
    store: SharedStore,
    pub(crate) house: HouseId,
}

/// A TV of the instance's one house, and its bridge's token.
pub(crate) struct PairedTv {
    pub(crate) tv: TvId,
    pub(crate) credential: Credential,
    pub(crate) token: String,
}

impl Instance {
    pub(crate) async fn start() -> Instance {
        Instance::with(&config::Bridge::default()).await
    }

    pub(crate) async fn with(bridge: &config::Bridge) -> Instance {
        let store: SharedStore = Arc::new(MemoryStore::new());
        let (bus, key_ring, directory) = (bus(), KeyRing::new(), TvDirectory::new());
        let links = Links::new(LinkSettings { max_queued_frames: bridge.max_queued_frames, ..LinkSettings::default() });
        let clock = system_clock();
        bus.serve::<HouseActor>(HouseServices {
            store: SharedStore::clone(&store),
            key_ring: key_ring.clone(),
            switches: ToolSwitches::new(),
            clock: clock.clone(),
        });
        bus.serve::<TvActor>(TvServices {
            store: SharedStore::clone(&store),
            links: links.clone(),
            directory: directory.clone(),
            clock: clock.clone(),
        });
        let house = open_house(&store, "Home", &clock).await.unwrap().id;
        let door = BridgeServices::new(bus.clone(), key_ring.clone(), clock, links.clone(), bridge);
        let address = serve(bridge::routes(door)).await;
        Instance { address, bus, links, key_ring, directory, store, house }
    }

    /// Puts a TV into the house, as claiming does.
    pub(crate) async fn pair(&self, name: &str) -> PairedTv {
        let tv = TvId::from_uuid(Uuid::now_v7());
        let kind = CredentialKind::TvBridge { tv };
        let now = (system_clock())();
        let Minted { credential, plain } = mint(kind, "bridge".to_owned(), Scopes::NONE, now, &mut rand::rng());
        let record = TvRecord { name: name.parse().unwrap(), bridge: credential.id, paired_at: now };
        let tv_path = Path::literal("tv").join(tv).unwrap();
        let puts = vec![
            Op::put(tv_path, encode(&record).unwrap(), Expect::Absent),
            Op::put(credential_path(credential.id), encode(&credential).unwrap(), Expect::Absent),
        ];
        self.store.commit(self.house, puts, None).await.unwrap();
        self.key_ring.put(self.house, &credential);
        self.directory.load_house(&*self.store, self.house).await.unwrap();
        PairedTv { tv, credential, token: plain.reveal().to_owned() }
    }

    pub(crate) async fn dial_with(
        &self,
        authorization: Option<&str>,
    ) -> Result<(Socket, tungstenite::handshake::client::Response), Refused> {
        let mut request = format!("ws://{}/bridge", self.address).into_client_request().unwrap();
        if let Some(authorization) = authorization {
            request.headers_mut().insert("authorization", authorization.parse().unwrap());
        }
        request.headers_mut().insert("sec-websocket-extensions", "permessage-deflate".parse().unwrap());
        let stream = TcpStream::connect(self.address).await.unwrap();
        match soon("a handshake", tokio_tungstenite::client_async(request, stream)).await {
            Ok((stream, response)) => Ok((Socket(stream), response)),
            Err(tungstenite::Error::Http(response)) => {
                let body =
                    response.body().as_deref().and_then(|body| serde_json::from_slice(body).ok()).unwrap_or_default();
                Err(Refused { status: response.status().as_u16(), body })
            }
            Err(error) => panic!("no answer to the handshake: {error}"),
        }
    }

    pub(crate) async fn dial(&self, tv: &PairedTv) -> Socket {
        let dialled = self.dial_with(Some(&format!("Bearer {}", tv.token))).await;
        let (socket, _) = dialled.unwrap_or_else(|refused| panic!("refused: {} {}", refused.status, refused.body));
        // The TV's actor has taken note of it.
        soon("the TV", async { while !self.status(tv).await.online {} }).await;
        socket
    }

    pub(crate) async fn status(&self, tv: &PairedTv) -> TvStatus {
        let deadline = Deadline::after(Duration::from_secs(5));
        self.bus.call(TvActor::key(self.house, tv.tv), ObserveTv {}, deadline).await.unwrap()
    }

    /// Presses a key, beside the test.
    pub(crate) fn press(&self, tv: &PairedTv, key: RemoteKey) -> JoinHandle<Result<KeyPressed, TvError>> {
        let (bus, address) = (self.bus.clone(), TvActor::key(self.house, tv.tv));
        actix_web::rt::spawn(async move {
            bus.call(address, SendKey { key, repeat: 1 }, Deadline::after(Duration::from_secs(20))).await.unwrap()
        })
    }

    /// Waits until the TV is off.
    pub(crate) async fn goes_off(&self, tv: &PairedTv) {
        let off = async {
            while self.status(tv).await.online {
                tokio::task::yield_now().await;
            }
        };
        soon("the end of the socket", off).await;
    }
}

#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

/// A TV's end of its socket.
pub(crate) struct Socket(pub(crate) WebSocketStream<TcpStream>);

impl Socket {
    pub(crate) async fn next(&mut self) -> Option<Message> {
        soon("a message", self.0.next()).await.map(|message| message.expect("the connection holds"))
    }

    /// The next frame for the app.
    pub(crate) async fn frame(&mut self) -> Value {
        match self.next().await {
            Some(Message::Text(text)) => serde_json::from_str(&text).unwrap(),
            other => panic!("expected a frame, got {other:?}"),
        }
    }

    /// Reads on until the relay closes.
    pub(crate) async fn close(&mut self) -> (u16, String) {
        loop {
            match self.next().await {
                Some(Message::Close(Some(CloseFrame { code, reason }))) => return (code.into(), reason.to_string()),
                Some(Message::Text(_) | Message::Ping(_) | Message::Pong(_)) => {}
                other => panic!("expected a close with a code, got {other:?}"),
            }
        }
    }

    pub(crate) async fn send(&mut self, message: impl Into<Message>) {
        // A relay that has closed already takes nothing more; the test then looks at how it closed.
        let _ = self.0.send(message.into()).await;
    }

    pub(crate) async fn answer(&mut self, frame: &Value) {
        let answer = json!({ "id": frame["id"], "ok": true, "data": { "key": frame["params"]["key"] } });
        self.send(answer.to_string()).await;
    }
}
