//! SIGKILL of a real server during submissions: after each restart every submission is whole, and every acknowledged one is there.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod common;
mod production;

use std::collections::BTreeMap;
use std::path::Path;

use common::process::Server;
use common::{Answer, PATIENCE, Town};
use playhouse_production::media::{FileName, MediaLimits, MediaSettings, MediaStore, free_space_of_disk};
use production::{Office, form};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// Kills, each a little later than the one before.
const N_ROUNDS: usize = 6;
const N_SENDERS: usize = 3;

/// A file of 300 KB that no other submission has.
fn frames(round: usize, sender: usize, number: usize) -> Vec<u8> {
    format!("{round}-{sender}-{number};").into_bytes().repeat(40_000)
}

/// Sends one submission after the other until the server is gone; answers what was acknowledged, by submission id.
async fn send_until_killed(
    base: String,
    key: String,
    turnover: u64,
    round: usize,
    sender: usize,
) -> BTreeMap<u64, String> {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut acknowledged = BTreeMap::new();
    for number in 0.. {
        let bytes = frames(round, sender, number);
        let sent = http.post(format!("{base}/v1/turnovers/{turnover}/submissions")).bearer_auth(&key);
        let Ok(answer) = sent.multipart(form(&[("a.mov", &bytes), ("b.mov", &bytes[1..])])).send().await else { break };
        let status = answer.status().as_u16();
        let Ok(submission) = answer.json::<Value>().await else { break };
        assert_eq!(status, 201, "{submission}");
        acknowledged
            .insert(submission["id"].as_u64().unwrap(), submission["files"][0]["sha256"].as_str().unwrap().to_owned());
    }
    acknowledged
}

#[actix_web::test]
async fn no_kill_during_submissions_leaves_half_of_one_or_loses_one_that_was_acknowledged() {
    let office = Office::open().await;
    let (turnover, key) = (office.turnover("TO-101-01").await, office.w.clone());
    let folder = office.town.stop().await;
    let mut acknowledged = BTreeMap::new();
    for round in 0..N_ROUNDS {
        let server = Server::start(folder.path());
        let senders: Vec<_> = (0..N_SENDERS)
            .map(|sender| {
                actix_web::rt::spawn(send_until_killed(server.base.clone(), key.clone(), turnover, round, sender))
            })
            .collect();
        // The kill falls on another moment of their work each time: after so many files came in whole.
        let n_files = files_in(folder.path()) + round * 2 + 1;
        let reached = async {
            while files_in(folder.path()) < n_files {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, reached).await.expect("submissions come in");
        server.kill();
        for sender in senders {
            acknowledged.append(&mut sender.await.unwrap());
        }
        verify(folder.path(), &key, turnover, &acknowledged).await;
    }
    assert!(!acknowledged.is_empty());
}

/// How many files lie in their places.
fn files_in(folder: &Path) -> usize {
    let places = std::fs::read_dir(folder.join("data/media")).unwrap().map(|entry| entry.unwrap());
    let places = places.filter(|place| place.file_name() != "incoming");
    places.map(|place| std::fs::read_dir(place.path()).unwrap().count()).sum()
}

/// Asks a server that was started again for every submission and every byte of it.
async fn verify(folder: &Path, key: &str, turnover: u64, acknowledged: &BTreeMap<u64, String>) {
    let server = Server::start(folder);
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let get = async |path: String| {
        Answer::of(http.get(format!("{}/v1{path}", server.base)).bearer_auth(key).send().await.unwrap()).await
    };
    let turnovers = get("/turnovers".to_owned()).await.json();
    let found = turnovers.as_array().unwrap().iter().find(|it| it["id"] == turnover).unwrap().clone();
    let submissions = found["submissions"].as_array().unwrap();
    let versions: Vec<_> = submissions.iter().map(|it| it["version"].as_u64().unwrap()).collect();
    assert_eq!(versions, (1..=versions.len() as u64).collect::<Vec<_>>(), "no gap and no twin");
    let ids: Vec<_> = submissions.iter().map(|it| it["id"].as_u64().unwrap()).collect();
    for id in acknowledged.keys() {
        assert!(ids.contains(id), "submission {id} was acknowledged and is gone");
    }
    let n_media: u64 = submissions.iter().map(|it| it["file_count"].as_u64().unwrap()).sum();
    let mut n_found = 0;
    for id in 1.. {
        let media = get(format!("/media/{id}")).await;
        if media.status == 404 {
            break;
        }
        let media = media.json();
        if media["kind"] != "submission" {
            continue;
        }
        let content = get(format!("/media/{id}/content")).await;
        assert_eq!(content.status, 200, "media {id} has no bytes");
        let sum = Sha256::digest(content.text.as_bytes());
        let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(media["sha256"], json!(sum), "media {id}");
        n_found += 1;
    }
    assert_eq!(n_found, n_media, "every submission has all its files, and no file is of none");
    server.kill();
}

#[actix_web::test]
async fn a_kill_between_the_move_and_the_record_shows_no_submission_and_the_same_files_can_be_sent_again() {
    let office = Office::open().await;
    let turnover = office.turnover("TO-101-01").await;
    let key = office.w.clone();
    let folder: TempDir = office.town.stop().await;

    // What a process that is killed right there leaves: the file in its place, and nobody who knows of it.
    let store = MediaStore::new(MediaSettings {
        folder: folder.path().join("data/media"),
        limits: MediaLimits { min_free_bytes: 0, ..MediaLimits::default() },
        free_space: free_space_of_disk(),
    });
    let mut intake = store.receive(FileName::parse("a.mov").unwrap());
    intake.write(b"frames"[..].into()).await.unwrap();
    let received = intake.finish().await.unwrap();
    std::mem::forget(store.place(vec![received]).unwrap());
    assert_eq!(files_in(folder.path()), 1);

    let town = Town::start_in(folder, |config| config.production.min_free_mib = 0).await;
    let get = |path: &str| town.http.get(town.url(&format!("/v1{path}"))).bearer_auth(&key);
    let turnovers = town.send(get("/turnovers")).await.json();
    let found = turnovers.as_array().unwrap().iter().find(|it| it["id"] == turnover).unwrap().clone();
    assert_eq!((&found["status"], &found["submissions"]), (&json!("open"), &json!([])));

    let post = town.http.post(town.url(&format!("/v1/turnovers/{turnover}/submissions"))).bearer_auth(&key);
    let sent = town.send(post.multipart(form(&[("a.mov", b"frames")]))).await;
    assert_eq!(sent.status, 201, "{sent:?}");
    let content = town.send(get(&format!("/media/{}/content", sent.json()["files"][0]["media_id"]))).await;
    assert_eq!(content.text, "frames");
    town.stop().await;
}
