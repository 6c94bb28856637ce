//! The configuration history and putting a profile back, over REST and on the command line.

use playhouse_standins::Misbehaviour;
use serde_json::{Value, json};

use crate::scene::{PROFILE, Scene, refusal};

const PUT_PROFILE: &str = "PUT */qualityprofile/*";

#[actix_web::test]
async fn a_change_is_listed_without_details_shown_with_them_and_put_back() {
    let scene = Scene::set().await;
    let change = scene.change(10).await;
    let listed = scene.rest("GET", "/v1/configuration-history").await.json();
    assert_eq!((&listed["changes"][0]["id"], &listed["changes"][0]["changes"]), (&json!(change), &json!([])));
    let shown = scene.compared(change).await;
    let labels: Vec<&str> =
        shown["changes"].as_array().unwrap().iter().map(|field| field["key"].as_str().unwrap()).collect();
    assert_eq!(labels, ["upgrade_allowed", "cutoff_format_score"]);
    assert_eq!((&shown["changes"][0]["before"], &shown["changes"][0]["after"]), (&json!("on"), &json!("off")));

    let restored = scene.restore(change).await;
    assert_eq!(restored.status, 200, "{restored:?}");
    let restored = restored.json();
    assert_eq!(
        (&restored["parent_id"], &restored["operation"], &restored["source"], &restored["status"]),
        (&json!(change), &json!("revert"), &json!("admin_revert"), &json!("applied"))
    );
    assert_eq!((&restored["changes"][0]["before"], &restored["changes"][0]["after"]), (&json!("off"), &json!("on")));
    assert_eq!((scene.profile(), scene.n_writes()), (scene.before.clone(), 2));
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn restoring_asks_no_tool_whether_it_is_switched_on() {
    let scene = Scene::set().await;
    let change = scene.change(10).await;
    let path = "/v1/tools/apply_profile_change";
    scene.town().rest(&scene.house.admin, "PUT", path, Some(json!({ "enabled": false }))).await;
    assert_eq!((scene.restore(change).await.status, scene.profile()), (200, scene.before.clone()));
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_102_a_profile_that_moved_on_is_409_and_can_be_restored_once_it_is_back() {
    let scene = Scene::set().await;
    let change = scene.change(10).await;
    scene.arr.edit_profile(PROFILE, |profile| profile["minFormatScore"] = json!(3));
    let moved = scene.compared(change).await;
    assert_eq!((&moved["current_status"], &moved["can_revert"]), (&json!("different"), &json!(false)));
    assert_eq!((refusal(&scene.restore(change).await).0, scene.n_writes()), (409, 1));
    scene.arr.edit_profile(PROFILE, |profile| profile["minFormatScore"] = json!(0));
    assert_eq!(scene.compared(change).await["can_revert"], true);
    assert_eq!(scene.restore(change).await.status, 200);
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_103_a_restore_is_used_up_even_when_the_applied_values_come_back() {
    let scene = Scene::set().await;
    let change = scene.change(10).await;
    let applied = scene.profile();
    assert_eq!(scene.restore(change).await.status, 200);
    scene.arr.edit_profile(PROFILE, |profile| *profile = applied);
    let shown = scene.compared(change).await;
    assert_eq!((&shown["current_status"], &shown["can_revert"]), (&json!("matches_applied"), &json!(false)));
    assert_eq!((scene.restore(change).await.status, scene.n_writes()), (409, 2));
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_104_a_restore_that_the_library_refuses_may_be_tried_again() {
    let scene = Scene::set().await;
    let change = scene.change(10).await;
    let words = json!([{ "propertyName": "Name", "errorMessage": "Should be unique" }]);
    scene.arr.answer_instead(PUT_PROFILE, 400, words);
    let (status, words) = refusal(&scene.restore(change).await);
    assert_eq!(status, 500);
    assert!(words.contains("Should be unique") && !words.contains("127.0.0.1"), "{words}");
    let listed = scene.rest("GET", "/v1/configuration-history").await.json();
    assert_eq!(
        (&listed["changes"][0]["status"], &listed["changes"][0]["parent_id"]),
        (&json!("failed"), &json!(change))
    );
    scene.arr.forget_rules();
    assert_eq!((scene.restore(change).await.status, scene.profile()), (200, scene.before.clone()));
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_105_a_restore_whose_outcome_is_unknown_is_the_last_one() {
    let scene = Scene::set().await;
    let change = scene.change(10).await;
    scene.arr.misbehave_once(PUT_PROFILE, Misbehaviour::DoneButLost);
    assert_eq!(refusal(&scene.restore(change).await).0, 500);
    let listed = scene.rest("GET", "/v1/configuration-history").await.json();
    assert_eq!(listed["changes"][0]["status"], "outcome_unknown");
    assert_eq!((refusal(&scene.restore(change).await).0, scene.n_writes()), (409, 2));
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_106_a_restore_is_not_taken_back_and_neither_is_a_format() {
    let scene = Scene::set().await;
    let change = scene.change(10).await;
    let restored = scene.restore(change).await.json()["id"].as_u64().unwrap();
    assert_eq!(refusal(&scene.restore(restored).await).0, 409);
    let condition = json!({ "name": "HDR", "implementation": "ReleaseTitleSpecification", "required": true,
        "fields": { "value": r"\bHDR\b" } });
    let format = json!({ "service": "radarr", "custom_format": { "name": "HDR", "specifications": [condition] } });
    let made = scene.house.ask("upsert_custom_format", format).await["change"]["id"].as_u64().unwrap();
    let (status, words) = refusal(&scene.restore(made).await);
    assert!(status == 409 && words.contains("custom format"), "{status} {words}");
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn a_library_that_cannot_be_read_or_is_another_one_now_restores_nothing() {
    let scene = Scene::set().await;
    let change = scene.change(10).await;
    scene.arr.behave(Misbehaviour::HungUp);
    assert_eq!(scene.compared(change).await["current_status"], "unavailable");
    assert_eq!(refusal(&scene.restore(change).await).0, 503);
    scene.arr.behave(Misbehaviour::None);
    assert_eq!(scene.n_writes(), 1);
    assert_eq!(scene.rest("DELETE", &format!("/v1/instances/{}", scene.library)).await.status, 204);
    assert_eq!((refusal(&scene.restore(change).await).0, scene.n_writes()), (503, 1));
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_109_a_page_has_up_to_200_changes_and_the_next_begins_before_it() {
    let scene = Scene::set().await;
    let mut changes = Vec::new();
    for score in 1..=3 {
        changes.push(scene.change(score).await);
    }
    let listed = async |query: &str| -> Vec<u64> {
        let answer = scene.rest("GET", &format!("/v1/configuration-history{query}")).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let list: Value = answer.json();
        list["changes"].as_array().unwrap().iter().map(|change| change["id"].as_u64().unwrap()).collect()
    };
    let newest_first: Vec<u64> = changes.iter().rev().copied().collect();
    for query in ["", "?limit=5000", "?limit=-1", "?limit=0", "?before_id=0", "?before_id=-1", "?limit="] {
        assert_eq!(listed(query).await, newest_first, "{query}");
    }
    assert_eq!(listed("?limit=2").await, newest_first[..2]);
    assert_eq!(listed(&format!("?limit=2&before_id={}", newest_first[1])).await, newest_first[2..]);
    assert_eq!(listed(&format!("?before_id={}", newest_first[2])).await, [0_u64; 0]);
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn the_operator_reads_the_history_and_restores_on_the_command_line() {
    let scene = Scene::set().await;
    let (town, house) = (scene.town(), scene.house.house.as_str());
    let change = scene.change(10).await.to_string();
    let listed = town.said(&["history", "list", "--house", house]).await;
    assert!(
        listed.starts_with(&format!("{change}  applied  update  profile \"HD-1080p\"  Radarr \"Films\"  by ")),
        "{listed}"
    );
    let shown = town.said(&["history", "show", "--house", house, &change]).await;
    for words in ["now      as the change left it", "restore  possible", "on -> off", "now as changed"] {
        assert!(squeezed(&shown).contains(&squeezed(words)), "{words} in {shown}");
    }
    let restored = town.said(&["history", "restore", "--house", house, &change]).await;
    let words = format!("restore of {change} of profile \"HD-1080p\" [{PROFILE}]");
    assert!(restored.contains(&words) && restored.contains("the operator (command line)"), "{restored}");
    assert_eq!(scene.profile(), scene.before);
    let again = town.refused(&["history", "restore", "--house", house, &change]).await;
    assert!(again.contains("put back already"), "{again}");
    let json: Value = serde_json::from_str(&town.said(&["history", "list", "--house", house, "--json"]).await).unwrap();
    assert_eq!(json["changes"].as_array().unwrap().len(), 2);
    scene.house.town.stop().await;
}

/// Without what aligns columns.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
