//! SIGKILL of a real server while it carries out an approval: what the next one says is true of the library, and nothing is sent twice.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod common;

use common::library::LibraryHouse;
use common::process::Server;
use common::{PATIENCE, Town};
use playhouse_standins::{ArrKind, ArrStandin, Library, Misbehaviour};
use serde_json::{Value, json};

/// "HD-1080p".
const PROFILE: u32 = 4;

/// At which request of the approval the server is killed.
#[derive(Debug, Clone, Copy)]
enum Kill {
    /// While it reads the profiles, after it took the proposal.
    Reading,
    /// After it sent the profile, which never came to the application's ears.
    Sent,
    /// After the application has stored it, before it could say so.
    Stored,
    /// After the admin was told.
    Told,
}

fn min_score(arr: &ArrStandin) -> Value {
    arr.profiles().into_iter().find(|profile| profile["id"] == PROFILE).unwrap()["minFormatScore"].clone()
}

/// Approves at a server that is killed at that moment.
async fn approve_and_kill(server: Server, admin: &str, path: &str, arr: &ArrStandin, kill: Kill) {
    match kill {
        Kill::Reading => arr.misbehave_nth("GET */qualityprofile", 1, Misbehaviour::Slow),
        Kill::Sent => arr.misbehave_nth("PUT *", 1, Misbehaviour::SlowToStart),
        Kill::Stored => arr.misbehave_nth("PUT *", 1, Misbehaviour::Slow),
        Kill::Told => {}
    }
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let approving = http.post(format!("{}{path}/approve", server.base)).bearer_auth(admin).send();
    let approving = actix_web::rt::spawn(approving);
    if let Kill::Told = kill {
        let approved = tokio::time::timeout(PATIENCE, approving).await.unwrap().unwrap().unwrap();
        assert_eq!(approved.status(), 200);
        return server.kill();
    }
    tokio::time::timeout(PATIENCE, arr.until_held(1)).await.unwrap_or_else(|_| panic!("{kill:?} was not reached"));
    server.kill();
    assert!(approving.await.unwrap().is_err(), "{kill:?}: nobody is there to answer");
    arr.until_none_is_held().await;
    arr.forget_rules();
}

#[actix_web::test]
async fn case_95_no_kill_during_an_approval_leaves_anything_untrue_or_sends_anything_twice() {
    let (house, arr, _) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let LibraryHouse { mut town, key, admin, .. } = house;
    for (score, kill) in [(1, Kill::Reading), (2, Kill::Sent), (3, Kill::Stored), (4, Kill::Told)] {
        let arguments = json!({"service": "radarr", "profile_id": PROFILE, "changes": {"min_format_score": score}});
        let proposal = town.ask(&key, "preview_profile_change", arguments).await["proposal"]["id"].clone();
        let path = format!("/v1/proposals/{proposal}");
        let folder = town.stop().await;
        let n_before = arr.n_settings_writes().n_all();

        approve_and_kill(Server::start(folder.path()), &admin, &path, &arr, kill).await;

        town = Town::start_in(folder, |_| {}).await;
        let shown = town.rest(&admin, "GET", &path, None).await.json();
        let change = match shown["setting_change_id"].as_u64() {
            None => Value::Null,
            Some(id) => town.rest(&admin, "GET", &format!("/v1/configuration-history/{id}"), None).await.json(),
        };
        let is_stored = min_score(&arr) == score;
        let (status, of_change, stored) = match kill {
            Kill::Reading => ("pending", Value::Null, false),
            Kill::Sent => ("failed", json!("outcome_unknown"), false),
            Kill::Stored => ("failed", json!("outcome_unknown"), true),
            Kill::Told => ("applied", json!("applied"), true),
        };
        assert_eq!((&shown["status"], &change["status"]), (&json!(status), &of_change), "{kill:?}: {shown}");
        assert_eq!(is_stored, stored, "{kill:?}");
        // The comparison with the library tells what the process could not.
        let compared = if stored { json!("matches_applied") } else { json!("different") };
        assert!(change.is_null() || change["current_status"] == compared, "{kill:?}: {change}");

        let again = town.rest(&admin, "POST", &format!("{path}/approve"), None).await.status;
        assert_eq!(again, if status == "pending" { 200 } else { 409 }, "{kill:?}");
        // One that arrived and was never done counts as well.
        let n_sent = arr.n_settings_writes().n_all() - n_before;
        assert_eq!((n_sent, min_score(&arr) == score), (1, !matches!(kill, Kill::Sent)), "{kill:?}");
    }
    town.stop().await;
}
