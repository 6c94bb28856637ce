//! What an assistant meets at the MCP door.

use playhouse_house::{Role, Scope};
use serde_json::{Value, json};

use crate::common::library::prose_of;
use crate::scene::{PROFILE, Scene};

const SETTINGS_TOOLS: [&str; 2] = ["preview_profile_change", "upsert_custom_format"];

async fn listed(scene: &Scene, key: &str) -> Vec<String> {
    let list = scene.town().rpc(key, "tools/list", json!({})).await.result();
    list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[actix_web::test]
async fn case_83_a_preview_waits_and_its_answer_names_no_way_to_apply_it() {
    let scene = Scene::set().await;
    let arguments = json!({ "service": "radarr", "profile_id": PROFILE, "changes": { "min_format_score": 10 } });
    let result = scene.house.result("preview_profile_change", arguments).await;
    assert_eq!(result["isError"], false, "{result}");
    let text = result.to_string();
    assert!(!text.contains("apply_profile_change") && !text.contains("profile_change_reference"), "{text}");
    let prose = prose_of(&result);
    assert!(prose.contains("minimum custom-format score: 0 -> 10") && prose.contains("Nothing was written"), "{prose}");
    assert_eq!((scene.n_writes(), scene.profile()), (0, scene.before.clone()));
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_86_and_116_a_user_sees_no_settings_tool_and_may_call_none() {
    let scene = Scene::set().await;
    let all = &Scope::ALL[..8];
    let user = scene.town().key_of_person(&scene.house.house, "Ben", Role::User, all).await;
    let admin = scene.town().key_of_person(&scene.house.house, "Ada", Role::Admin, all).await;
    let (of_user, of_admin) = (listed(&scene, &user).await, listed(&scene, &admin).await);
    for tool in SETTINGS_TOOLS {
        assert!(!of_user.iter().any(|name| name == tool) && of_admin.iter().any(|name| name == tool), "{tool}");
    }
    assert!(!of_admin.iter().any(|name| name == "apply_profile_change"), "{of_admin:?}");
    let arguments = json!({ "service": "radarr", "profile_id": PROFILE, "changes": { "upgrade_allowed": false } });
    let refused = scene.town().call(&user, "preview_profile_change", arguments).await.result();
    assert!(refused["content"].to_string().contains("for admins of the house"), "{refused}");
    assert_eq!(scene.rest("GET", "/v1/proposals").await.json(), json!({ "proposals": [] }));
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn case_117_applying_from_outside_is_refused_in_words_and_is_no_error() {
    let scene = Scene::set().await;
    let reference = format!("profile_change_{}", "A".repeat(43));
    let result = scene.house.result("apply_profile_change", json!({ "change_reference": reference })).await;
    assert_eq!(result["isError"], false, "{result}");
    assert_eq!(result["structuredContent"]["code"], "in_app_only", "{result}");
    assert_eq!(scene.n_writes(), 0);
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn names_of_arguments_are_exact_to_the_letter() {
    let scene = Scene::set().await;
    let right = json!({ "service": "radarr", "profile_id": PROFILE, "changes": { "upgrade_allowed": false } });
    let with = |from: &str, to: &str| -> Value { serde_json::from_str(&right.to_string().replace(from, to)).unwrap() };
    for (arguments, wrong, nearest) in [
        (with("\"service\"", "\"Service\""), "Service", "service"),
        (with("profile_id", "Profile_ID"), "Profile_ID", "profile_id"),
        (with("upgrade_allowed", "upgradeAllowed"), "upgradeAllowed", "upgrade_allowed"),
        (with("\"changes\"", "\"change\""), "change", "changes"),
    ] {
        let words = scene.house.failure("preview_profile_change", arguments).await;
        assert!(words.contains(wrong) && words.contains(nearest), "{words}");
    }
    assert_eq!(scene.rest("GET", "/v1/proposals").await.json(), json!({ "proposals": [] }));
    assert_eq!(scene.arr.n_requests(), 0, "nothing was asked of the library");
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn the_largest_format_passes_the_door() {
    let scene = Scene::set().await;
    // Refused by the tool's own rule rather than at the door: what counts here is which of them speaks.
    let large = "x".repeat(1024 * 1024 - 4_096);
    let condition =
        json!({ "name": "Large", "implementation": "ReleaseTitleSpecification", "fields": { "value": large } });
    let arguments = json!({ "service": "radarr", "custom_format": { "name": "Large", "specifications": [condition] } });
    let answer = scene.town().call(&scene.house.key, "upsert_custom_format", arguments).await;
    assert_eq!(answer.status, 200, "{}", &answer.text[..answer.text.len().min(300)]);
    scene.house.town.stop().await;
}
