//! Files of a production behind its doors: what is said of a submission that fails at its end, how files are named when they are sent out,
//! and that those which are removed, or which nobody names, are gone.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod common;
mod production;

use std::path::Path;
use std::time::{Duration, SystemTime};

use common::{Answer, PATIENCE, Town};
use futures_util::stream;
use playhouse::control::{Controller, ProductionOrder, ProductionReply};
use playhouse_house::Scope;
use playhouse_production::model::EngagementStatus;
use production::{Office, call_arguments, form, with_files};
use reqwest::multipart::{Form, Part};
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

const NAME: &str = "KST_101_003_0010_comp_NLT_v001.mov";

fn detail(sentence: &str) -> String {
    json!({ "detail": sentence }).to_string()
}

fn hash_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An upload whose first bytes are on their way; dropping the sender ends it.
struct Upload {
    answer: tokio::task::JoinHandle<Answer>,
    feed: mpsc::Sender<Vec<u8>>,
}

impl Upload {
    async fn begin(office: &Office, key: &str) -> Self {
        let (feed, fed) = mpsc::channel::<Vec<u8>>(1);
        let bytes = stream::unfold(fed, |mut fed| async move {
            let chunk = fed.recv().await?;
            Some((Ok::<_, std::io::Error>(chunk), fed))
        });
        feed.send(b"first bytes ".to_vec()).await.unwrap();
        let part = Part::stream(reqwest::Body::wrap_stream(bytes)).file_name(NAME);
        let sent = office.submission(key, office.turnover("TO-101-01").await, Form::new().part("files", part));
        let answer = actix_web::rt::spawn(async move { Answer::of(sent.send().await.unwrap()).await });
        let begun = async {
            while !office.media_files().iter().any(|file| file.starts_with("incoming")) {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, begun).await.expect("a file comes in");
        Self { answer, feed }
    }

    async fn end(self) -> Answer {
        drop(self.feed);
        tokio::time::timeout(PATIENCE, self.answer).await.unwrap().unwrap()
    }
}

#[actix_web::test]
async fn a_key_that_dies_during_its_upload_is_challenged_as_any_other() {
    let office = Office::open().await;
    let key = office.key(&[Scope::SubmitTurnover], None).await;
    let upload = Upload::begin(&office, &key).await;
    office.revoke(&key).await;
    let answer = upload.end().await;
    let at_the_door = office.get(&key, "/turnovers").await;
    assert_eq!((answer.status, &answer.text), (401, &detail("This access key was revoked.")));
    assert!(answer.header("www-authenticate").is_some());
    assert_eq!(answer.header("www-authenticate"), at_the_door.header("www-authenticate"));
    office.town.stop().await;
}

#[actix_web::test]
async fn an_engagement_that_ends_during_an_upload_leaves_no_submission_and_no_files() {
    let office = Office::open().await;
    let upload = Upload::begin(&office, &office.v).await;
    office.set_engagement_status(EngagementStatus::Suspended).await;
    let answer = upload.end().await;
    assert_eq!((answer.status, &answer.text), (403, &detail("This key's engagement is not active.")));
    let turnover = office.find(&office.w, "/turnovers", "code", "TO-101-01").await;
    assert_eq!((&turnover["status"], &turnover["submissions"]), (&json!("open"), &json!([])));
    assert_eq!(office.settled_media_files().await, [""; 0]);
    office.town.stop().await;
}

#[actix_web::test]
async fn more_uploads_than_may_come_in_at_once_are_told_when_to_come_again_at_both_doors() {
    let office = Office::open_with(|config| config.production.max_uploads = 1).await;
    let turnover = office.turnover("TO-101-01").await;
    let upload = Upload::begin(&office, &office.v).await;
    let rest = office.submit(&office.w, turnover, &[(NAME, b"x")]).await;
    let mcp = office.town.call(&office.w, "submit_turnover", call_arguments(turnover, &[(NAME, b"x")])).await;
    for answer in [&rest, &mcp] {
        assert_eq!((answer.status, &answer.text), (503, &detail("Try again shortly.")));
        assert_eq!(answer.header("retry-after"), Some("2"));
    }
    assert_eq!(upload.end().await.status, 201);
    office.town.stop().await;
}

#[actix_web::test]
async fn an_office_that_is_not_reached_says_so_alike_at_both_doors() {
    let office = Office::open().await;
    office.town.running.instance.bus.close(Duration::ZERO).await;
    let answers = [
        office.get(&office.w, "/scenes").await,
        office.town.call(&office.w, "list_scenes", json!({})).await,
        office.town.rpc(&office.w, "resources/read", json!({ "uri": "playhouse://script" })).await,
    ];
    for answer in answers {
        assert_eq!((answer.status, &answer.text), (503, &detail("Try again shortly.")));
        assert_eq!(answer.header("retry-after"), Some("2"));
    }
}

#[actix_web::test]
async fn hashes_are_compared_by_names_in_composed_form_and_each_file_has_to_be_sent() {
    let office = Office::open().await;
    let turnover = office.turnover("TO-101-01").await;
    let (composed, decomposed) = ("Sz\u{e9}ne.mov", "Sze\u{301}ne.mov");
    let send = async |hashes: serde_json::Value, name: &str| {
        let form = with_files(Form::new().text("sha256", hashes.to_string()), &[(name, b"x")]);
        office.town.send(office.submission(&office.w, turnover, form)).await
    };
    let differs = send(json!({ decomposed: "0".repeat(64) }), composed).await;
    assert_eq!((differs.status, differs.text), (422, detail(&format!("sha256 of {composed} does not match."))));
    let twice = send(json!({ decomposed: "0".repeat(64), composed: hash_of(b"x") }), composed).await;
    assert_eq!((twice.status, twice.text), (422, detail(&format!("sha256 names {composed} twice."))));
    let unsent = send(json!({ composed: hash_of(b"x"), "b.mov": hash_of(b"y") }), composed).await;
    assert_eq!((unsent.status, unsent.text), (422, detail("sha256 names b.mov, which was not sent.")));
    assert_eq!(office.settled_media_files().await, [""; 0]);
    assert_eq!(send(json!({ decomposed: hash_of(b"x") }), composed).await.status, 201);
    office.town.stop().await;
}

#[actix_web::test]
async fn a_name_that_is_not_ascii_is_sent_out_whole_beside_a_plain_one() {
    let office = Office::open().await;
    let turnover = office.turnover("TO-101-01").await;
    let submission = office.submit(&office.v, turnover, &[("Szene \u{e4}.mov", b"x")]).await.json();
    let content = office.get(&office.v, &format!("/media/{}/content", submission["files"][0]["media_id"])).await;
    let expected = "attachment; filename=\"Szene _.mov\"; filename*=UTF-8''Szene%20%C3%A4.mov";
    assert_eq!((content.status, content.header("content-disposition")), (200, Some(expected)));
    office.town.stop().await;
}

async fn purge(office: &Office, sha256: &str) -> Result<ProductionReply, String> {
    let controller = Controller::Here(Box::new(office.town.running.instance.clone()));
    let order = ProductionOrder::Purge { house: office.house.to_string(), sha256: sha256.to_owned() };
    controller.production(order, Vec::new().into(), |_| {}).await.map_err(|error| error.to_string())
}

#[actix_web::test]
async fn a_file_that_was_purged_is_410_at_the_doors_and_off_the_disk() {
    let office = Office::open().await;
    let turnover = office.turnover("TO-101-01").await;
    let files: [(&str, &[u8]); 2] = [(NAME, b"frames"), ("other.mov", b"others")];
    let submission = office.submit(&office.v, turnover, &files).await.json();
    let (id, other) = (&submission["files"][0]["media_id"], &submission["files"][1]["media_id"]);
    assert_eq!(office.media_files().len(), 2);

    let Ok(ProductionReply::Purged(purged)) = purge(&office, &hash_of(b"frames").to_uppercase()).await else {
        panic!("not purged")
    };
    assert_eq!((purged.n_files, purged.bytes_are_gone, &purged.sha256), (1, true, &hash_of(b"frames")));
    for base in ["/v1", "/api/v1"] {
        for path in [format!("{base}/media/{id}"), format!("{base}/media/{id}/content")] {
            for key in [&office.v, &office.w] {
                let answer = office.town.send(office.town.http.get(office.town.url(&path)).bearer_auth(key)).await;
                assert_eq!((answer.status, &answer.text), (410, &detail("This file was removed.")), "{path}");
            }
        }
    }
    let head = office.town.http.head(office.url(&format!("/media/{id}/content"))).bearer_auth(&office.v);
    assert_eq!(office.town.send(head).await.status, 410);
    let stranger = office.key(&[Scope::Read], Some(sound(&office).await)).await;
    assert_eq!(office.get(&stranger, &format!("/media/{id}")).await.status, 404, "hidden comes before removed");
    assert_eq!(office.get(&office.v, &format!("/media/{other}/content")).await.text, "others");
    assert_eq!(office.media_files(), [place_of(b"others")]);
    // The newest entry is that of the stranger's key.
    let entry = office.get(&office.w, "/activity?limit=2").await.json()[1].clone();
    assert_eq!((&entry["verb"], &entry["summary"]), (&json!("media.purged"), &json!(format!("{NAME} was removed"))));

    let again = purge(&office, &hash_of(b"frames")).await;
    assert!(matches!(again, Ok(ProductionReply::Purged(purged)) if purged.bytes_are_gone), "once is enough");
    assert_eq!(purge(&office, &hash_of(b"nobody's")).await.err().as_deref(), Some("Media not found."));
    assert!(purge(&office, "frames").await.err().unwrap().contains("64 hexadecimal digits"));
    office.town.stop().await;
}

#[actix_web::test]
async fn a_purge_that_cannot_reach_the_bytes_does_not_say_that_they_are_gone() {
    let office = Office::open().await;
    let turnover = office.turnover("TO-101-01").await;
    office.submit(&office.v, turnover, &[(NAME, b"frames")]).await;
    let place = office.town.folder.path().join("data/media").join(place_of(b"frames"));
    let folder = place.parent().unwrap();
    let aside = folder.with_extension("aside");
    std::fs::rename(folder, &aside).unwrap();
    std::fs::write(folder, b"in the way").unwrap();

    let refused = purge(&office, &hash_of(b"frames")).await.err().unwrap();
    assert!(refused.contains("may still be on the disk") && refused.contains("type the command again"), "{refused}");

    std::fs::remove_file(folder).unwrap();
    std::fs::rename(&aside, folder).unwrap();
    let again = purge(&office, &hash_of(b"frames")).await;
    assert!(matches!(again, Ok(ProductionReply::Purged(purged)) if purged.bytes_are_gone));
    assert!(!place.exists());
    office.town.stop().await;
}

#[actix_web::test]
async fn a_purge_leaves_bytes_alone_that_another_house_has_too() {
    let office = Office::open().await;
    let here = office.house;
    let turnover = office.turnover("TO-101-01").await;
    assert_eq!(office.submit(&office.w, turnover, &[(NAME, b"frames")]).await.status, 201);
    let elsewhere = office.town.house("Elsewhere").await.parse().unwrap();
    let mut there = Office { house: elsewhere, ..office };
    there.w = there.key(&production::EVERYTHING, None).await;
    there.fill_with_kestrel().await;
    let key = there.w.clone();
    let turnover = there.find(&key, "/turnovers", "code", "TO-101-01").await["id"].as_u64().unwrap();
    let submission = there.submit(&key, turnover, &[(NAME, b"frames")]).await.json();
    let office = Office { house: here, ..there };

    let Ok(ProductionReply::Purged(purged)) = purge(&office, &hash_of(b"frames")).await else { panic!("not purged") };
    assert_eq!((purged.n_files, purged.bytes_are_gone), (1, false));
    let content = office.get(&key, &format!("/media/{}/content", submission["files"][0]["media_id"])).await;
    assert_eq!((content.status, content.text.as_str()), (200, "frames"));
    office.town.stop().await;
}

/// The engagement that the creature's files are nothing to.
async fn sound(office: &Office) -> playhouse_house::EngagementId {
    let turnover = office.find(&office.w, "/turnovers", "code", "TO-101-02").await;
    playhouse_house::EngagementId(u32::try_from(turnover["engagement"]["id"].as_u64().unwrap()).unwrap())
}

fn place_of(bytes: &[u8]) -> String {
    let hash = hash_of(bytes);
    format!("{}/{hash}", &hash[..2])
}

/// Makes a file look as if it had lain there for two days.
fn age(file: &Path) {
    let two_days_ago = SystemTime::now() - Duration::from_secs(48 * 3_600);
    std::fs::File::options().write(true).open(file).unwrap().set_modified(two_days_ago).unwrap();
}

#[actix_web::test]
async fn a_start_removes_old_files_that_no_record_names_and_no_other() {
    let office = Office::open().await;
    let turnover = office.turnover("TO-101-01").await;
    let submission = office.submit(&office.v, turnover, &[(NAME, b"named")]).await.json();
    let key = office.w.clone();
    let folder = office.town.stop().await;
    let media = folder.path().join("data/media");
    for bytes in [&b"nobody's, old"[..], b"nobody's, new"] {
        let place = media.join(place_of(bytes));
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(&place, bytes).unwrap();
    }
    age(&media.join(place_of(b"nobody's, old")));
    age(&media.join(place_of(b"named")));

    let town = Town::start_in(folder, |config| config.production.min_free_mib = 0).await;
    let swept = async {
        while media.join(place_of(b"nobody's, old")).exists() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, swept).await.expect("the old one goes");
    assert!(media.join(place_of(b"nobody's, new")).exists());
    let content = town.url(&format!("/v1/media/{}/content", submission["files"][0]["media_id"]));
    assert_eq!(town.send(town.http.get(content).bearer_auth(&key)).await.text, "named");
    town.stop().await;
}

#[actix_web::test]
async fn a_submission_sent_again_under_its_key_is_answered_though_its_turnover_is_settled() {
    let office = Office::open().await;
    let turnover = office.turnover("TO-101-01").await;
    let send = async |bytes: &[u8], key: &str| {
        let sent = office.submission(&office.v, turnover, form(&[(NAME, bytes)]));
        office.town.send(sent.header("Idempotency-Key", key)).await
    };
    let first = send(b"frames", "v1").await;
    let decide = format!("/approvals/{}/decide", first.json()["approval_id"]);
    assert_eq!(office.post(&office.w, &decide, &json!({ "decision": "approved" })).await.status, 200);
    let again = send(b"frames", "v1").await;
    assert_eq!((again.status, again.header("idempotent-replay"), &again.text), (201, Some("true"), &first.text));
    assert_eq!(send(b"other frames", "v1").await.status, 409);
    let settled = send(b"frames", "v2").await;
    assert_eq!(settled.text, detail("This turnover was accepted; ask production to reopen it."));
    office.town.stop().await;
}
