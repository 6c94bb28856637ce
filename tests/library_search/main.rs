//! Searching and fetching through the door: `trigger_search`, `search_releases` and `grab_release` against applications on loopback.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

#[path = "../common/mod.rs"]
mod common;

mod grab;
mod releases;
mod trigger;

use std::time::Duration;

use jiff::Timestamp;
use playhouse_standins::{ArrStandin, SeenRequest};
use serde_json::Value;

/// So many days from now on.
fn in_days(days: i64) -> Timestamp {
    let distance = Duration::from_secs(days.unsigned_abs() * 86_400);
    let now = Timestamp::now();
    if days < 0 { now.checked_sub(distance).unwrap() } else { now.checked_add(distance).unwrap() }
}

/// The requests of this method whose path ends like this.
fn requests(arr: &ArrStandin, method: &str, path: &str) -> Vec<SeenRequest> {
    let is_it = |request: &SeenRequest| request.method == method && request.path.ends_with(path);
    arr.requests().into_iter().filter(is_it).collect()
}

/// The bodies of the commands that were posted.
fn commands(arr: &ArrStandin) -> Vec<Value> {
    requests(arr, "POST", "/command").into_iter().filter_map(|request| request.body).collect()
}

/// That no guid of a release occurs in it, nor what its links lead to.
fn gives_no_guid_away(text: &str) {
    for secret in ["passkey", "magnet:", "urn:btih", "nzb-", "rookery.example.org", "corncrake.example.org", "broken-", "prowlarr.example.org"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}
