//! The Import Doctor through the door: every kind of stuck download is found, and each call it suggests is made exactly as it is printed and
//! heals what it was printed for.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod common;

use std::time::Duration;

use common::library::{LibraryHouse, service};
use playhouse_standins::{Afflicted, ArrKind, ArrStandin, Cure, Library};
use serde_json::{Value, json};

fn media_type(kind: ArrKind) -> &'static str {
    service(kind).media_type().as_str()
}

async fn diagnose(house: &LibraryHouse, kind: ArrKind) -> Value {
    house.ask("diagnose_queue", json!({ "media_type": media_type(kind) })).await
}

/// What the Doctor says of a download; `None` where it sees nothing wrong.
fn problem_of<'d>(diagnosis: &'d Value, afflicted: &Afflicted) -> Option<&'d Value> {
    let problems = diagnosis["problems"].as_array().unwrap();
    problems.iter().find(|problem| {
        let others = problem["same_download"].as_array().into_iter().flatten();
        others.chain([&problem["queue_id"]]).any(|id| *id == afflicted.queue_id)
    })
}

/// Does what only a person can, where the call says that it comes first.
fn put_right(arr: &ArrStandin, cure: Cure) {
    match cure {
        Cure::ProcessOnceRight => arr.set_places_right(),
        // What is still being unpacked or waits for a title takes its time.
        Cure::Process => arr.advance(Duration::from_secs(61 * 60)),
        _ => {}
    }
}

/// Makes each suggested call as it is printed, a rescan's after what its hint says.
async fn follow(house: &LibraryHouse, arr: &ArrStandin, problem: &Value) {
    for call in problem["next"].as_array().unwrap() {
        let tool = call["tool"].as_str().unwrap();
        let result = house.result(tool, call["args"].clone()).await;
        assert_eq!(result["isError"], false, "{tool} {}: {result}\n{problem}", call["args"]);
    }
    arr.settle();
}

async fn each_suggestion_heals(kind: ArrKind) {
    let house = LibraryHouse::empty().await;
    let (arr, afflicted) = ArrStandin::with_every_ailment(kind);
    house.add(&arr, kind.name()).await;

    let diagnosis = diagnose(&house, kind).await;
    assert_eq!(diagnosis["severity"], "error");
    assert_eq!(diagnosis["n_problems"], diagnosis["problems"].as_array().unwrap().len());
    let mut n_healed = 0;
    for download in &afflicted {
        let name = format!("{} in {}", download.ailment.name, kind.name());
        let problem = problem_of(&diagnosis, download);
        if download.ailment.code == "ok" {
            assert!(problem.is_none_or(|problem| problem["severity"] == "info"), "{name}: {problem:?}");
            continue;
        }
        let problem = problem.unwrap_or_else(|| panic!("{name} was not found"));
        assert_eq!(problem["code"], download.ailment.code, "{name}: {problem}");
        assert!(!problem["evidence"].as_array().unwrap().is_empty(), "{name}: {problem}");
        assert!(!problem.to_string().contains("0123456789abcdef"), "{name}: {problem}");
        if download.ailment.cure == Cure::Operator {
            assert_eq!(problem["next"], json!([]), "{name}: {problem}");
            continue;
        }
        put_right(&arr, download.ailment.cure);
        follow(&house, &arr, problem).await;
        assert!(arr.is_healed(download), "{name} was not healed by {}", problem["next"]);
        n_healed += 1;
    }
    assert!(n_healed >= 15, "{n_healed}");

    // What only a person can put right is put right, and then nothing is wrong any more but what nobody can change here.
    arr.bring_client_back();
    arr.advance(Duration::from_secs(3_600));
    arr.settle();
    let after = diagnose(&house, kind).await;
    for download in &afflicted {
        let left = problem_of(&after, download);
        let stays = matches!(download.ailment.cure, Cure::Operator) || download.ailment.code == "ok";
        assert!(left.is_none() || stays, "{} is still wrong: {left:?}", download.ailment.name);
    }
    assert_eq!(arr.violations(), []);
    house.town.stop().await;
}

#[actix_web::test]
async fn each_suggestion_heals_in_radarr() {
    each_suggestion_heals(ArrKind::Radarr).await;
}

#[actix_web::test]
async fn each_suggestion_heals_in_sonarr() {
    each_suggestion_heals(ArrKind::Sonarr).await;
}

#[actix_web::test]
async fn each_suggestion_heals_in_lidarr() {
    each_suggestion_heals(ArrKind::Lidarr).await;
}

#[actix_web::test]
async fn each_suggestion_heals_in_chaptarr() {
    each_suggestion_heals(ArrKind::Chaptarr).await;
}

/// Departs from a live queue only in what the client says of the one download.
fn stall(arr: &ArrStandin) {
    arr.alter("GET */queue", |page| {
        for record in page["records"].as_array_mut().into_iter().flatten() {
            record["status"] = json!("warning");
            record["trackedDownloadStatus"] = json!("warning");
            record["errorMessage"] = json!("The download is stalled with no connections");
        }
    });
}

fn one_film() -> (Library, u32) {
    let mut library = Library::empty(ArrKind::Radarr);
    let film = library.movie(603, "The Lantern Keeper", 2019, None);
    (library, film)
}

#[actix_web::test]
async fn an_upgrade_that_nobody_asked_for_is_dropped_without_a_search() {
    let (library, film) = one_film();
    let (house, arr, _) = LibraryHouse::with(ArrKind::Radarr, library).await;
    arr.download("The.Lantern.Keeper.2019.1080p-GRP", &[film], true).unwrap();
    stall(&arr);

    let gap = diagnose(&house, ArrKind::Radarr).await;
    assert_eq!(gap["problems"][0]["next"][0]["args"]["action"], "blocklist_search", "the library has no file: {gap}");
    assert!(!arr.requests().iter().any(|request| request.path.ends_with("/history")), "123 a gap needs no provenance");

    arr.alter("GET */queue", |page| page["records"][0]["movie"]["movieFileId"] = json!(7));
    let upgrade = diagnose(&house, ArrKind::Radarr).await;
    let problem = &upgrade["problems"][0];
    assert_eq!(
        (&problem["code"], &problem["next"][0]["args"]["action"]),
        (&json!("download_stalled"), &json!("blocklist_only")),
        "{problem}"
    );
    assert!(problem["explanation"].as_str().unwrap().contains("loses nothing"), "{problem}");

    arr.alter("GET */history", |page| page["records"][0]["data"]["releaseSource"] = json!("UserInvokedSearch"));
    let asked_for = diagnose(&house, ArrKind::Radarr).await;
    assert_eq!(asked_for["problems"][0]["next"][0]["args"]["action"], "blocklist_search", "118: {asked_for}");
    arr.answer_instead("GET */history", 500, json!({}));
    let unknown = diagnose(&house, ArrKind::Radarr).await;
    assert_eq!(unknown["problems"][0]["next"][0]["args"]["action"], "blocklist_search", "119: {unknown}");
    house.town.stop().await;
}

/// Words in another language say nothing, so the rejections of a manual import are asked.
#[actix_web::test]
async fn what_a_message_does_not_tell_the_files_tell() {
    let (library, film) = one_film();
    let (house, arr, _) = LibraryHouse::with(ArrKind::Radarr, library).await;
    let download = arr.afflict("blocked-in-german", &[film]).unwrap();
    arr.reject_file(download.download_id.as_ref().unwrap(), 0, "Not an upgrade for existing movie file(s)", true);

    let diagnosis = diagnose(&house, ArrKind::Radarr).await;
    let problem = &diagnosis["problems"][0];
    assert_eq!(problem["code"], "not_upgrade", "{problem}");
    assert_eq!(problem["evidence"][0]["field"], "manualimport[0].rejections[0].reason", "{problem}");
    house.town.stop().await;
}

#[actix_web::test]
async fn an_empty_and_a_healthy_queue_say_so_and_what_they_do_not_rule_out() {
    let (library, film) = one_film();
    let (house, arr, id) = LibraryHouse::with(ArrKind::Radarr, library).await;
    let empty = house.prose("diagnose_queue", json!({ "media_type": "movie" })).await;
    assert!(empty.contains("queue is empty") && empty.contains("not imported files"), "{empty}");

    arr.download("The.Lantern.Keeper.2019.1080p-GRP", &[film], true).unwrap();
    let healthy = house.ask("diagnose_queue", json!({ "media_type": "movie", "instance_id": id })).await;
    assert_eq!(
        (&healthy["healthy"], &healthy["problems"], &healthy["severity"]),
        (&json!(1), &json!([]), &json!("ok"))
    );
    house.town.stop().await;
}

#[actix_web::test]
async fn a_read_of_a_named_library_names_it_in_each_suggestion() {
    let (library, film) = one_film();
    let (house, arr, id) = LibraryHouse::with(ArrKind::Radarr, library).await;
    arr.afflict("sample", &[film]).unwrap();
    let diagnosis = house.ask("diagnose_queue", json!({ "media_type": "movie", "instance_id": id })).await;
    assert_eq!(diagnosis["problems"][0]["next"][0]["args"]["instance_id"], json!(id), "{diagnosis}");
    assert!(diagnosis["problems"][0]["library"].as_str().unwrap().contains("Radarr"), "{diagnosis}");
    house.town.stop().await;
}
