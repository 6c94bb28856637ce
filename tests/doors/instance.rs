//! An instance with pairing and bridge, a house and a key that administers it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use governor::clock::DefaultClock;
use jiff::Timestamp;
use playhouse::bridge::{self, BridgeServices};
use playhouse::config;
use playhouse::limits::Limits;
use playhouse::pairing::{self, PairingServices};
use playhouse_bus::{Bus, Deadline, HouseId};
use playhouse_house::{
    CreateKey, HouseActor, HouseServices, KeyRing, Scope, Scopes, ToolSwitches, TvGrant, open_house,
};
use playhouse_store::{Clock, MemoryStore, SharedStore};
use playhouse_tv::{
    DevicesActor, DevicesServices, LinkSettings, Links, PairingActor, PairingSettings, TvActor, TvDirectory, TvServices,
};
use reqwest::{RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use crate::doors::{bus, serve, soon};

/// What the operator decides.
#[derive(Clone)]
pub(crate) struct Operator {
    pub(crate) open_pairing: bool,
    pub(crate) limits: config::Limits,
}

impl Default for Operator {
    fn default() -> Self {
        let generous = config::Limits {
            pair_init_per_minute: 1_000,
            pair_init_burst: 1_000,
            pair_claim_per_minute: 1_000,
            pair_claim_burst: 1_000,
            ..config::Limits::default()
        };
        Operator { open_pairing: false, limits: generous }
    }
}

pub(crate) struct Instance {
    pub(crate) base: String,
    pub(crate) bus: Bus,
    pub(crate) key_ring: KeyRing,
    pub(crate) house: HouseId,
    /// A key that administers the house.
    pub(crate) admin: String,
    pub(crate) http: reqwest::Client,
    /// Seconds since 1970.
    pub(crate) now: Arc<AtomicI64>,
}

impl Instance {
    pub(crate) async fn start() -> Instance {
        Instance::with(Operator::default()).await
    }

    pub(crate) async fn with(operator: Operator) -> Instance {
        let now = Arc::new(AtomicI64::new(1_800_000_000));
        let reading = Arc::clone(&now);
        let clock: Clock = Arc::new(move || Timestamp::from_second(reading.load(Ordering::Relaxed)).unwrap());
        let store: SharedStore = Arc::new(MemoryStore::new());
        let (bus, key_ring, directory) = (bus(), KeyRing::new(), TvDirectory::new());
        let links = Links::new(LinkSettings::default());
        let stored = || SharedStore::clone(&store);
        bus.serve::<HouseActor>(HouseServices {
            store: stored(),
            key_ring: key_ring.clone(),
            switches: ToolSwitches::new(),
            clock: clock.clone(),
        });
        bus.serve::<TvActor>(TvServices {
            store: stored(),
            links: links.clone(),
            directory: directory.clone(),
            clock: clock.clone(),
        });
        bus.serve::<DevicesActor>(DevicesServices {
            store: stored(),
            key_ring: key_ring.clone(),
            directory,
            links: links.clone(),
            clock: clock.clone(),
        });
        bus.serve::<PairingActor>(playhouse_tv::PairingServices {
            store: stored(),
            bus: bus.clone(),
            clock: clock.clone(),
            settings: PairingSettings { unpolled_for: Duration::from_secs(600), ..PairingSettings::default() },
        });
        let house = open_house(&store, "Lighthouse", &clock).await.unwrap().id;
        let limits = Arc::new(Limits::new(&operator.limits, &config::Server::default(), &DefaultClock::default()));
        let pairing = pairing::routes(PairingServices {
            bus: bus.clone(),
            key_ring: key_ring.clone(),
            clock: clock.clone(),
            limits,
            open_pairing: operator.open_pairing,
            mcp_url: "http://127.0.0.1/mcp".into(),
        });
        let bridge = bridge::routes(BridgeServices::new(
            bus.clone(),
            key_ring.clone(),
            clock,
            links,
            &config::Bridge::default(),
        ));
        let address = serve(move |config| {
            pairing(config);
            bridge(config);
        })
        .await;
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let base = format!("http://{address}");
        let mut instance = Instance { base, bus, key_ring, house, admin: String::new(), http, now };
        instance.admin = instance.key(&[Scope::HouseAdmin]).await;
        instance
    }

    /// A new key of the house.
    pub(crate) async fn key(&self, scopes: &[Scope]) -> String {
        let order = CreateKey {
            label: "test".to_owned(),
            scopes: Scopes::of(scopes),
            tvs: TvGrant::All,
            account: None,
            engagement: None,
            expires_at: None,
        };
        let created = self.bus.call(HouseActor::key(self.house), order, Deadline::after(Duration::from_secs(5))).await;
        created.unwrap().unwrap().plain.reveal().to_owned()
    }

    pub(crate) fn pass(&self, seconds: i64) {
        self.now.fetch_add(seconds, Ordering::Relaxed);
    }

    pub(crate) fn post(&self, path: &str) -> RequestBuilder {
        self.http.post(format!("{}{path}", self.base))
    }

    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        self.http.get(format!("{}{path}", self.base))
    }

    /// Code and token of a TV that asked for them.
    pub(crate) async fn init(&self) -> (String, String) {
        let (status, answer) = json_of(self.post("/pair/init").json(&json!({}))).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        let text =
            |field: &str| answer[field].as_str().unwrap_or_else(|| panic!("no text `{field}` in {answer}")).to_owned();
        (text("code"), text("token"))
    }

    /// Claims with the house's key.
    pub(crate) async fn claim(&self, body: &Value) -> (StatusCode, Value) {
        json_of(self.post("/pair/claim").bearer_auth(&self.admin).json(body)).await
    }

    /// What `GET /bridge` answers to that token, in the app's place.
    pub(crate) async fn poll(&self, token: &str) -> u16 {
        let request = self
            .get("/bridge")
            .bearer_auth(token)
            .header("connection", "upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
        sent(request).await.status().as_u16()
    }
}

pub(crate) async fn sent(request: RequestBuilder) -> Response {
    soon("an answer", request.send()).await.unwrap()
}

pub(crate) async fn json_of(request: RequestBuilder) -> (StatusCode, Value) {
    let response = sent(request).await;
    (response.status(), response.json().await.unwrap())
}
