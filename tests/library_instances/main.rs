//! The libraries of a house: added, tested, chosen and taken away, at every door.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

#[path = "../common/mod.rs"]
mod common;

mod calling;
mod keeping;

use common::library::{LibraryHouse, service};
use playhouse_standins::{ArrKind, ArrStandin, Library};
use reqwest::Method;
use serde_json::{Value, json};

pub(crate) fn radarr() -> ArrStandin {
    ArrStandin::start(ArrKind::Radarr, Library::empty(ArrKind::Radarr))
}

pub(crate) fn body(standin: &ArrStandin, name: &str) -> Value {
    let service = service(standin.kind()).key();
    json!({ "service": service, "name": name, "url": standin.url().as_str(), "api_key": standin.api_key() })
}

/// Adds over REST; answers the library's id.
pub(crate) async fn add(house: &LibraryHouse, body: Value) -> String {
    let added = house.rest(Method::POST, "/v1/instances", Some(body)).await;
    assert_eq!(added.status, 201, "{added:?}");
    added.json()["id"].as_str().unwrap().to_owned()
}

pub(crate) fn missing() -> String {
    json!({ "detail": "This house has no such instance; list its instances to see their ids." }).to_string()
}
