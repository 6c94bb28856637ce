//! A house with media libraries, made through the doors of a Playhouse.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use playhouse_standins::ArrStandin;
use serde_json::{Value, json};

use crate::{
    http1::{Connection, post},
    playhouse::Playhouse,
};

/// A house whose key manages its libraries and asks them.
pub(crate) struct LibraryHouse {
    key: String,
    address: std::net::SocketAddr,
}

impl LibraryHouse {
    /// Opens one of this name.
    pub(crate) async fn open(playhouse: &Playhouse, name: &str) -> Result<Self> {
        playhouse.order(&["house", "create", name]).await?;
        let scopes = ["--scope", "media:admin", "--scope", "house:admin"];
        let arguments = [&["key", "create", "--house", name, "--label", "bench"], scopes.as_slice()].concat();
        let made = playhouse.order(&arguments).await?;
        let key = made["new_key"]["plain"].as_str().with_context(|| format!("no key in {made}"))?.to_owned();
        Ok(Self { key, address: playhouse.address() })
    }

    /// Adds an application as a library; answers its id.
    pub(crate) async fn add(&self, arr: &ArrStandin, name: &str) -> Result<String> {
        let service = arr.kind().name().to_lowercase();
        let body = json!({"service": service, "name": name, "url": arr.url(), "api_key": arr.api_key()});
        let headers = self.authorization();
        let request = post("/v1/instances", &self.address.to_string(), &headers, &body.to_string());
        let mut connection = self.connect().await?;
        let response = connection.exchange(&request).await?;
        let said = String::from_utf8_lossy(response.body).into_owned();
        ensure!(
            response.status == 201 || response.status == 200,
            "adding a library was answered {} {said}",
            response.status
        );
        let added: Value = serde_json::from_str(&said)?;
        let id = added["id"].as_str().or(added["instance"]["id"].as_str());
        Ok(id.with_context(|| format!("no id in {said}"))?.to_owned())
    }

    /// The header of its key.
    pub(crate) fn authorization(&self) -> String {
        format!("Authorization: Bearer {}\r\n", self.key)
    }

    pub(crate) async fn connect(&self) -> Result<Connection> {
        Connection::open(self.address).await
    }

    /// Calls a tool; answers how long that took. An answer that is an error is an error here.
    pub(crate) async fn call(&self, connection: &mut Connection, tool: &str, arguments: &Value) -> Result<Duration> {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
        let headers = format!(
            "Authorization: Bearer {}\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n",
            self.key
        );
        let request = post("/mcp", &self.address.to_string(), &headers, &body.to_string());
        let began = Instant::now();
        let response = connection.exchange(&request).await?;
        let took = began.elapsed();
        let answer: Value = serde_json::from_slice(response.body).context("an answer that is no JSON")?;
        let is_answer = response.status == 200 && answer["result"]["isError"] == false;
        ensure!(is_answer, "{tool} was answered {} {answer}", response.status);
        Ok(took)
    }
}
