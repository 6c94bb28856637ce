//! An admin's yes and no, over REST and on the command line.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use futures_util::join;
use jiff::Timestamp;
use playhouse_house::{Role, Scope};
use playhouse_standins::Misbehaviour;
use serde_json::json;

use crate::scene::{PROFILE, Scene, refusal};

const PUT_PROFILE: &str = "PUT */qualityprofile/*";

#[actix_web::test]
async fn a_proposal_waits_is_shown_and_approved_and_the_profile_is_changed_once() {
    let scene = Scene::set().await;
    let proposal = scene.propose(10).await;
    assert_eq!((&proposal["status"], scene.n_writes()), (&json!("pending"), 0));

    let waiting = scene.rest("GET", "/v1/proposals").await.json();
    assert_eq!(waiting["proposals"], json!([proposal]));
    let shown = scene.shown(&proposal).await;
    assert_eq!(shown["current_status"], "applicable");
    assert_eq!(shown["diff"], json!(["upgrade policy: on -> off", "custom-format cutoff score: 100 -> 10"]));
    assert_eq!(shown["source_client"], "MCP: test");
    for hidden in ["plan", "binding", "connection", "digest", "proposer", "credential"] {
        assert!(shown.get(hidden).is_none(), "{hidden} is nobody's business");
    }

    let approved = scene.approve(&proposal).await;
    assert_eq!((approved.status, &approved.json()["status"]), (200, &json!("applied")), "{approved:?}");
    assert_eq!(approved.header("cache-control"), Some("no-store"));
    let now = scene.profile();
    assert_eq!((&now["upgradeAllowed"], &now["cutoffFormatScore"], scene.n_writes()), (&json!(false), &json!(10), 1));

    assert_eq!(scene.rest("GET", "/v1/proposals").await.json(), json!({ "proposals": [] }));
    let all = scene.rest("GET", "/v1/proposals?status=all").await.json();
    assert_eq!(all["proposals"][0]["setting_change_id"], approved.json()["setting_change_id"]);
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_87_another_admin_approves_and_the_change_is_its_proposers() {
    let scene = Scene::set().await;
    let town = scene.town();
    let proposer = town.key_of_person(&scene.house.house, "Ada", Role::Admin, &[Scope::MediaAdmin]).await;
    let decider = town.key_of_person(&scene.house.house, "Grace", Role::Admin, &[Scope::HouseAdmin]).await;
    let arguments = json!({ "service": "radarr", "profile_id": PROFILE, "changes": { "upgrade_allowed": false } });
    let proposal = town.ask(&proposer, "preview_profile_change", arguments).await["proposal"].clone();
    let path = format!("/v1/proposals/{}/approve", proposal["id"]);
    let approved = town.rest(&decider, "POST", &path, None).await.json();
    assert_eq!((&approved["proposed_by_name"], &approved["decided_by_name"]), (&json!("Ada"), &json!("Grace")));
    let change = scene.compared(approved["setting_change_id"].as_u64().unwrap()).await;
    assert_eq!((&change["actor_name"], &change["source"]), (&json!("Ada"), &json!("external_mcp")));
    assert_eq!((&change["current_status"], &change["can_revert"]), (&json!("matches_applied"), &json!(true)));
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_88_approving_twice_and_approving_what_was_rejected_is_409() {
    let scene = Scene::set().await;
    let proposal = scene.propose(10).await;
    assert_eq!(scene.approve(&proposal).await.status, 200);
    assert_eq!((scene.approve(&proposal).await.status, scene.reject(&proposal, "late").await.status), (409, 409));
    assert_eq!(scene.n_writes(), 1);

    let other = scene.propose(20).await;
    let rejected = scene.reject(&other, "  not now  ").await;
    assert_eq!((rejected.status, &rejected.json()["status"]), (200, &json!("rejected")));
    assert_eq!(rejected.json()["reject_note"], "not now");
    assert_eq!((scene.approve(&other).await.status, scene.reject(&other, "again").await.status), (409, 409));
    assert_eq!(scene.n_writes(), 1);
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_89_what_has_moved_on_is_409_and_nothing_is_written() {
    let scene = Scene::set().await;
    let proposal = scene.propose(10).await;
    scene.arr.edit_profile(PROFILE, |profile| profile["minFormatScore"] = json!(3));
    let (status, words) = refusal(&scene.approve(&proposal).await);
    assert_eq!(status, 409);
    assert!(words.contains("Nothing was written"), "{words}");
    assert_eq!((&scene.shown(&proposal).await["status"], scene.n_writes()), (&json!("failed"), 0));
    assert_eq!(scene.approve(&proposal).await.status, 409);
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_90_while_its_tool_is_off_nothing_is_approved_and_then_it_is() {
    let scene = Scene::set().await;
    let proposal = scene.propose(10).await;
    let switch = |enabled: bool| {
        let body = Some(json!({ "enabled": enabled }));
        scene.town().rest(&scene.house.admin, "PUT", "/v1/tools/apply_profile_change", body)
    };
    assert_eq!(switch(false).await.status, 200);
    let (status, words) = refusal(&scene.approve(&proposal).await);
    assert!(status == 409 && words.contains("apply_profile_change is switched off"), "{status} {words}");
    assert_eq!((&scene.shown(&proposal).await["status"], scene.n_writes()), (&json!("pending"), 0));
    assert_eq!(switch(true).await.status, 200);
    assert_eq!((scene.approve(&proposal).await.status, scene.n_writes()), (200, 1));
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn a_house_that_stops_previews_only_still_decides_what_waits() {
    let scene = Scene::set().await;
    let proposal = scene.propose(10).await;
    let path = "/v1/tools/preview_profile_change";
    scene.town().rest(&scene.house.admin, "PUT", path, Some(json!({ "enabled": false }))).await;
    assert_eq!(scene.approve(&proposal).await.status, 200);
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_91_a_library_that_cannot_be_read_is_503_and_the_proposal_waits_on() {
    let scene = Scene::set().await;
    let proposal = scene.propose(10).await;
    scene.arr.behave(Misbehaviour::HungUp);
    let (status, words) = refusal(&scene.approve(&proposal).await);
    assert!(status == 503 && !words.contains("127.0.0.1"), "{status} {words}");
    scene.arr.behave(Misbehaviour::None);
    assert_eq!((&scene.shown(&proposal).await["status"], scene.n_writes()), (&json!("pending"), 0));
    assert_eq!((scene.approve(&proposal).await.status, scene.n_writes()), (200, 1));
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_92_and_93_after_seven_days_nothing_is_decided_any_more() {
    let seconds = Arc::new(AtomicI64::new(1_800_000_000));
    let reading = Arc::clone(&seconds);
    let scene = Scene::set_at(Arc::new(move || Timestamp::from_second(reading.load(Ordering::Relaxed)).unwrap())).await;
    let proposal = scene.propose(10).await;
    seconds.fetch_add(7 * 24 * 3_600, Ordering::Relaxed);
    for answer in [scene.approve(&proposal).await, scene.reject(&proposal, "late").await] {
        assert_eq!(answer.status, 409, "{answer:?}");
    }
    assert_eq!((&scene.shown(&proposal).await["status"], scene.n_writes()), (&json!("expired"), 0));
    assert_eq!(scene.rest("GET", "/v1/proposals").await.json(), json!({ "proposals": [] }));
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_94_a_write_whose_answer_is_lost_is_500_and_its_outcome_unknown() {
    let scene = Scene::set().await;
    let proposal = scene.propose(10).await;
    scene.arr.misbehave_once(PUT_PROFILE, Misbehaviour::DoneButLost);
    let (status, words) = refusal(&scene.approve(&proposal).await);
    assert!(status == 500 && words.contains("history"), "{status} {words}");
    let shown = scene.shown(&proposal).await;
    assert_eq!(shown["status"], "failed");
    let change = scene.compared(shown["setting_change_id"].as_u64().unwrap()).await;
    assert_eq!((&change["status"], &change["can_revert"]), (&json!("outcome_unknown"), &json!(false)));
    assert_eq!((scene.approve(&proposal).await.status, scene.n_writes()), (409, 1));
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_96_of_a_yes_and_a_no_at_once_exactly_one_counts() {
    let scene = Scene::set().await;
    for score in 1..=5 {
        let proposal = scene.propose(score).await;
        let (yes, no) = join!(scene.approve(&proposal), scene.reject(&proposal, "no"));
        let mut statuses = [yes.status, no.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{yes:?} {no:?}");
        let status = &scene.shown(&proposal).await["status"];
        assert_eq!(status, if yes.status == 200 { "applied" } else { "rejected" });
    }
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_97_one_that_waits_says_whether_it_could_be_carried_out_now() {
    let scene = Scene::set().await;
    let proposal = scene.propose(10).await;
    scene.arr.behave(Misbehaviour::HungUp);
    assert_eq!(scene.shown(&proposal).await["current_status"], "unavailable");
    scene.arr.behave(Misbehaviour::None);
    scene.arr.edit_profile(PROFILE, |profile| profile["minFormatScore"] = json!(3));
    let stale = scene.shown(&proposal).await;
    assert_eq!((&stale["status"], &stale["current_status"]), (&json!("pending"), &json!("stale")));
    let listed = scene.rest("GET", "/v1/proposals").await.json();
    assert!(listed["proposals"][0].get("current_status").is_none(), "a list reads no library");
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_98_a_library_that_is_gone_is_409_and_the_proposal_has_failed() {
    let scene = Scene::set().await;
    let proposal = scene.propose(10).await;
    assert_eq!(scene.rest("DELETE", &format!("/v1/instances/{}", scene.library)).await.status, 204);
    assert_eq!(scene.approve(&proposal).await.status, 409);
    assert_eq!((&scene.shown(&proposal).await["status"], scene.n_writes()), (&json!("failed"), 0));
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn another_houses_proposals_are_as_unknown_as_those_there_never_were() {
    let scene = Scene::set().await;
    let change = scene.change(5).await;
    let proposal = scene.propose(10).await;
    let other = scene.town().house("Elsewhere").await;
    let stranger = scene.town().key(&other, &[Scope::HouseAdmin]).await;
    for (known, unknown) in [
        (format!("GET /v1/proposals/{}", proposal["id"]), "GET /v1/proposals/999"),
        (format!("POST /v1/proposals/{}/approve", proposal["id"]), "POST /v1/proposals/999/approve"),
        (format!("POST /v1/proposals/{}/reject", proposal["id"]), "POST /v1/proposals/999/reject"),
        (format!("GET /v1/configuration-history/{change}"), "GET /v1/configuration-history/999"),
        (format!("POST /v1/configuration-history/{change}/restore"), "POST /v1/configuration-history/999/restore"),
    ] {
        let ask = async |line: &str| {
            let (method, path) = line.split_once(' ').unwrap();
            scene.town().rest(&stranger, method, path, None).await
        };
        let (theirs, nobodys) = (ask(&known).await, ask(unknown).await);
        assert_eq!((theirs.status, &theirs.text), (404, &nobodys.text), "{known}");
    }
    for path in ["/v1/proposals?status=all", "/v1/configuration-history"] {
        let listed = scene.town().rest(&stranger, "GET", path, None).await.json();
        assert!(listed.as_object().unwrap().values().all(|list| *list == json!([])), "{listed}");
    }
    assert_eq!((scene.n_writes(), &scene.shown(&proposal).await["status"]), (1, &json!("pending")));
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn the_operator_decides_on_the_command_line() {
    let scene = Scene::set().await;
    let town = scene.town();
    let house = scene.house.house.as_str();
    let first = scene.propose(10).await["id"].to_string();

    let listed = town.said(&["proposals", "list", "--house", house]).await;
    assert!(
        listed.starts_with(&format!("{first}  pending  Radarr \"Films\"  HD-1080p  2 differences  by ")),
        "{listed}"
    );
    let shown = town.said(&["proposals", "show", "--house", house, &first]).await;
    for line in [
        &format!("proposal  {first}, pending, can be carried out now"),
        "profile   HD-1080p [4] in Radarr \"Films\"",
        "  upgrade policy: on -> off",
        "  custom-format cutoff score: 100 -> 10",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line} in {shown}");
    }
    let approved = town.said(&["proposals", "approve", "--house", house, &first]).await;
    assert!(approved.starts_with(&format!("proposal  {first}, applied\n")), "{approved}");
    assert!(approved.contains(" by the operator (command line)\n"), "{approved}");
    assert_eq!((&scene.profile()["cutoffFormatScore"], scene.n_writes()), (&json!(10), 1));
    assert!(town.refused(&["proposals", "approve", "--house", house, &first]).await.contains(&first));

    let second = scene.propose(20).await["id"].to_string();
    let note = "wait for the new disk";
    let rejected = town.said(&["proposals", "reject", "--house", house, &second, "--note", note]).await;
    assert!(rejected.contains(&format!("{second}, rejected\n")) && rejected.contains(note), "{rejected}");
    let all = town.said(&["proposals", "list", "--house", house, "--all", "--json"]).await;
    let all: serde_json::Value = serde_json::from_str(&all).unwrap();
    let statuses: Vec<&str> =
        all["proposals"].as_array().unwrap().iter().map(|proposal| proposal["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["rejected", "applied"]);
    scene.house.town.stop().await;
}
