//! A whole instance on loopback, with its real doors, for the tests of this folder.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]
#![expect(dead_code, reason = "each test file is a crate of its own and uses a part of this")]

pub(crate) mod library;
pub(crate) mod process;

use std::sync::Arc;
use std::time::Duration;

use playhouse::boot::Running;
use playhouse::config::Config;
use playhouse::control::{AccountOrder, KeyOwner, Order, OrderReply, perform};
use playhouse::instance::Instance;
use playhouse_house::{Clock, Role, Scope, Scopes};
use playhouse_standins::{Pacing, SimulatedTv};
use playhouse_store::{MemoryStore, SharedStore};
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Longest any single wait of a test may take before the test fails; nothing waits that long when all is well.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A serving instance in a folder of its own.
pub(crate) struct Town {
    pub(crate) running: Running,
    pub(crate) folder: TempDir,
    pub(crate) http: reqwest::Client,
}

/// What came back.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) async fn of(response: Response) -> Self {
        let head = Self::head_of(&response);
        Self { text: response.text().await.unwrap(), ..head }
    }

    /// Status and headers alone: of an answer whose body goes on.
    pub(crate) fn head_of(response: &Response) -> Self {
        let header = |(name, value): (&reqwest::header::HeaderName, &reqwest::header::HeaderValue)| {
            (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned())
        };
        let headers = response.headers().iter().map(header).collect();
        Self { status: response.status().as_u16(), headers, text: String::new() }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The JSON-RPC result.
    pub(crate) fn result(&self) -> Value {
        let json = self.json();
        assert!(json.get("result").is_some(), "no result: {self:?}");
        json["result"].clone()
    }

    /// The code of the JSON-RPC error.
    pub(crate) fn error_code(&self) -> i64 {
        self.json()["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {self:?}"))
    }
}

impl Town {
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    pub(crate) async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), change).await
    }

    /// Starts over what an earlier town left in `folder`.
    pub(crate) async fn start_in(folder: TempDir, change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Self::configuration(&folder);
        change(&mut config);
        Self::over(folder, Running::start(config, None).await.unwrap())
    }

    /// Starts over a store in memory, with a clock that the test owns.
    pub(crate) async fn start_at(clock: Clock) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = Self::configuration(&folder);
        std::fs::create_dir_all(&config.data.folder).unwrap();
        let store: SharedStore = Arc::new(MemoryStore::new());
        let instance = Instance::over(config, store, clock).await.unwrap();
        Self::over(folder, Running::over(instance, None).await.unwrap())
    }

    fn configuration(folder: &TempDir) -> Config {
        let mut config = Config::default();
        config.server.listen = ([127, 0, 0, 1], 0).into();
        config.server.workers = 1;
        config.data.folder = folder.path().join("data");
        config.metrics.enabled = false;
        config
    }

    fn over(folder: TempDir, running: Running) -> Self {
        let http = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { running, folder, http }
    }

    /// Stops in good order and hands the folder on.
    pub(crate) async fn stop(self) -> TempDir {
        self.running.stop().await.unwrap();
        self.folder
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.running.address)
    }

    pub(crate) async fn send(&self, request: RequestBuilder) -> Answer {
        Answer::of(tokio::time::timeout(PATIENCE, request.send()).await.expect("an answer in time").unwrap()).await
    }

    /// Runs the program's command line against this instance, as the operator would; answers whether it was carried out, and what it said.
    pub(crate) async fn command(&self, arguments: &[&str]) -> (bool, String) {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_playhouse"));
        command.args(arguments).env_clear().env("PLAYHOUSE_DATA_FOLDER", self.folder.path().join("data"));
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        let said = if output.status.success() { output.stdout } else { output.stderr };
        (output.status.success(), String::from_utf8(said).unwrap())
    }

    /// Runs a command that is carried out; answers what it printed.
    pub(crate) async fn said(&self, arguments: &[&str]) -> String {
        let (done, said) = self.command(arguments).await;
        assert!(done, "{arguments:?}: {said}");
        said
    }

    /// Runs a command that is refused; answers what it said.
    pub(crate) async fn refused(&self, arguments: &[&str]) -> String {
        let (done, said) = self.command(arguments).await;
        assert!(!done, "{arguments:?}: {said}");
        said
    }

    pub(crate) async fn order(&self, order: Order) -> Result<OrderReply, String> {
        perform(&self.running.instance, order).await
    }

    /// Opens a house; answers its id.
    pub(crate) async fn house(&self, name: &str) -> String {
        match self.order(Order::CreateHouse { name: name.to_owned() }).await.unwrap() {
            OrderReply::House(house) => house.id.to_string(),
            _ => panic!("not a house"),
        }
    }

    /// Makes a key of `house`.
    pub(crate) async fn key(&self, house: &str, scopes: &[Scope]) -> String {
        self.key_for(KeyOwner::House(house.to_owned()), scopes, &[]).await
    }

    /// Makes a key of a person who is made with it; answers the key.
    pub(crate) async fn key_of_person(&self, house: &str, name: &str, role: Role, scopes: &[Scope]) -> String {
        let create = AccountOrder::Create { house: house.to_owned(), name: name.to_owned(), role };
        let Ok(OrderReply::Account(account)) = self.order(Order::Account(create)).await else { panic!("an account") };
        let order = Order::CreateKey {
            owner: KeyOwner::House(house.to_owned()),
            label: format!("{name}'s laptop"),
            scopes: Scopes::of(scopes),
            tvs: Vec::new(),
            account: Some(account.id.to_string()),
            engagement: None,
            expires_at: None,
        };
        match self.order(order).await.unwrap() {
            OrderReply::NewKey(created) => created.plain.reveal().to_owned(),
            _ => panic!("not a key"),
        }
    }

    /// Revokes a key of `house`.
    pub(crate) async fn revoke(&self, house: &str, key: &str) {
        let id = key.split('_').nth(1).unwrap().parse().unwrap();
        self.order(Order::RevokeKey { owner: KeyOwner::House(house.to_owned()), id }).await.unwrap();
    }

    /// A request to `/v1…` with a key.
    pub(crate) async fn rest(&self, key: &str, method: &str, path: &str, body: Option<Value>) -> Answer {
        let mut request = self.http.request(method.parse().unwrap(), self.url(path)).bearer_auth(key);
        if let Some(body) = body {
            request = request.json(&body);
        }
        self.send(request).await
    }

    pub(crate) async fn operator_key(&self) -> String {
        self.key_for(KeyOwner::Operator, &[Scope::Operator], &[]).await
    }

    pub(crate) async fn key_for(&self, owner: KeyOwner, scopes: &[Scope], tvs: &[&str]) -> String {
        let tvs = tvs.iter().map(|name| (*name).to_owned()).collect();
        let order = Order::CreateKey {
            owner,
            label: "test".into(),
            scopes: Scopes::of(scopes),
            tvs,
            account: None,
            engagement: None,
            expires_at: None,
        };
        match self.order(order).await.unwrap() {
            OrderReply::NewKey(created) => created.plain.reveal().to_owned(),
            _ => panic!("not a key"),
        }
    }

    /// Starts a simulated TV, pairs it into the house of `admin_key` and waits until it is on; answers it and the assistant's token.
    pub(crate) async fn tv(&self, admin_key: &str, name: &str) -> (SimulatedTv, String) {
        let tv = SimulatedTv::builder(self.url("").parse().unwrap()).pacing(Pacing::quick()).start();
        let token = self.claim(admin_key, &tv.code().await, name).await;
        tokio::time::timeout(PATIENCE, tv.online()).await.expect("the TV dials in");
        (tv, token)
    }

    /// Claims a code into the house of `admin_key`; answers the assistant's token.
    pub(crate) async fn claim(&self, admin_key: &str, code: &str, name: &str) -> String {
        let claim = self.http.post(self.url("/pair/claim")).bearer_auth(admin_key);
        let answer = self.send(claim.json(&json!({ "code": code, "device_id": name }))).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()["token"].as_str().unwrap().to_owned()
    }

    /// A request to `/mcp` with a key and without a body.
    pub(crate) fn mcp(&self, key: &str) -> RequestBuilder {
        self.http.post(self.url("/mcp")).bearer_auth(key)
    }

    /// One legacy JSON-RPC request.
    pub(crate) async fn rpc(&self, key: &str, method: &str, params: Value) -> Answer {
        self.send(self.mcp(key).json(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))).await
    }

    /// Calls a tool; answers the whole HTTP answer.
    pub(crate) async fn call(&self, key: &str, tool: &str, arguments: Value) -> Answer {
        self.rpc(key, "tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// Calls a tool that answers; answers its structured content.
    pub(crate) async fn ask(&self, key: &str, tool: &str, arguments: Value) -> Value {
        let result = self.call(key, tool, arguments).await.result();
        assert_eq!(result["isError"], false, "{result}");
        result["structuredContent"].clone()
    }

    /// Calls a tool that fails in the world; answers the words for the model.
    pub(crate) async fn failure(&self, key: &str, tool: &str, arguments: Value) -> String {
        let result = self.call(key, tool, arguments).await.result();
        assert_eq!(result["isError"], true, "{result}");
        assert!(result.get("structuredContent").is_none(), "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }
}
