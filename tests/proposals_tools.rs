//! Settings changes by an assistant, through the MCP door.

mod common;

use common::library::{LibraryHouse, prose_of};
use playhouse_standins::{ArrKind, ArrStandin, Library, Misbehaviour};
use serde_json::{Value, json};

async fn household() -> (LibraryHouse, ArrStandin, String) {
    LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await
}

fn lower_the_score() -> Value {
    json!({"service": "radarr", "profile_id": 4, "changes": {"min_format_score": 1}})
}

fn reference() -> Value {
    json!({"change_reference": format!("profile_change_{}", "A".repeat(43))})
}

#[actix_web::test]
async fn case_83_the_answer_shows_the_proposal_and_no_way_to_apply_it() {
    let (house, arr, id) = household().await;

    let result = house.result("preview_profile_change", lower_the_score()).await;

    let (prose, structured) = (prose_of(&result), &result["structuredContent"]);
    assert_eq!(result["isError"], false);
    for part in ["Proposal 1", "HD-1080p", "minimum custom-format score: 0 -> 1", "Nothing was written"] {
        assert!(prose.contains(part), "{part}: {prose}");
    }
    for part in ["profile_change_A", "apply_profile_change", "reference"] {
        assert!(!result.to_string().contains(part), "{part}: {result}");
    }
    assert_eq!(structured["outcome"], "done");
    assert_eq!(structured["libraries"][0]["instance_id"], id);
    let proposal = &structured["proposal"];
    assert_eq!(
        (&proposal["id"], &proposal["status"], &proposal["profile_id"]),
        (&json!(1), &json!("pending"), &json!(4))
    );
    assert_eq!((&proposal["source_client"], &proposal["instance_id"]), (&json!("MCP: test"), &json!(id)));
    for hidden in ["plan", "binding", "credential", "worded"] {
        assert!(proposal.get(hidden).is_none(), "{hidden}");
    }
    assert_eq!(arr.n_settings_writes().n_all(), 0);
    let again = house.ask("preview_profile_change", lower_the_score()).await;
    assert_eq!((&again["was_waiting_already"], &again["proposal"]["id"]), (&json!(true), &json!(1)));
}

#[actix_web::test]
async fn case_15_an_unknown_outer_key_of_a_format_is_an_error_before_anything_is_asked() {
    let (house, arr, _) = household().await;
    let format = json!({"name": "HDR", "specifications": []});

    let words = house
        .failure("upsert_custom_format", json!({"service": "radarr", "custom_format": format, "instanceid": "x"}))
        .await;

    assert!(words.contains("`instanceid`; did you mean `instance_id`?"), "{words}");
    assert_eq!(arr.n_requests(), 0);
}

#[actix_web::test]
async fn case_43_and_58_names_and_numbers_that_do_not_fit_are_refused_with_the_nearest() {
    let (house, arr, _) = household().await;
    let failure = async |changes: Value| {
        house.failure("preview_profile_change", json!({"service": "radarr", "profile_id": 4, "changes": changes})).await
    };
    let words = failure(json!({"min_score": 1})).await;
    assert!(words.contains("`changes.min_score`; did you mean `changes.min_format_score`?"), "{words}");
    let words = failure(json!({"custom_format_scores": [{"format": "x", "score": 1}]})).await;
    assert!(words.contains("`changes.custom_format_scores.0.format`"), "{words}");
    for changes in [
        json!({}),
        json!({"min_format_score": 2_147_483_648_i64}),
        json!({"custom_format_scores": [{"format_name": "x265 (HD)", "score": -2_147_483_649_i64}]}),
        json!({"min_upgrade_format_score": 0}),
        json!({"name": "other"}),
    ] {
        failure(changes).await;
    }
    let words =
        house.failure("preview_profile_change", json!({"Service": "radarr", "profile_id": 4, "changes": {}})).await;
    assert!(words.contains("`Service`; did you mean `service`?"), "{words}");
    assert_eq!(arr.n_requests(), 0);
}

#[actix_web::test]
async fn the_schemas_are_plain_and_strict() {
    let (house, _arr, _) = household().await;
    let listed = house.town.rpc(&house.key, "tools/list", json!({})).await.result();
    let input = |name: &str| {
        let tools = listed["tools"].as_array().unwrap();
        tools.iter().find(|tool| tool["name"] == name).map(|tool| tool["inputSchema"].clone()).unwrap()
    };
    let preview = input("preview_profile_change");
    assert_eq!(preview["required"], json!(["service", "profile_id", "changes"]));
    let changes = &preview["properties"]["changes"];
    assert_eq!((&changes["additionalProperties"], &changes["minProperties"]), (&json!(false), &json!(1)));
    let scores = &changes["properties"]["custom_format_scores"];
    assert_eq!((&scores["maxItems"], &scores["items"]["additionalProperties"]), (&json!(256), &json!(false)));
    assert_eq!(scores["items"]["required"], json!(["format_name", "score"]));
    assert_eq!(scores["items"]["properties"]["score"]["maximum"], i32::MAX);
    assert_eq!(changes["properties"]["min_format_score"]["minimum"], i32::MIN);
    assert_eq!(changes["properties"]["language_name"]["maxLength"], 256);
    let upsert = input("upsert_custom_format");
    assert_eq!(
        (&upsert["additionalProperties"], &upsert["required"]),
        (&json!(false), &json!(["service", "custom_format"]))
    );
    let format = &upsert["properties"]["custom_format"];
    assert_eq!((&format["required"], format.get("additionalProperties")), (&json!(["name", "specifications"]), None));
    assert_eq!(upsert["properties"]["service"]["enum"], json!(["radarr", "sonarr", "lidarr", "chaptarr"]));
    let names: Vec<_> = listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(!names.contains(&"apply_profile_change"), "it is the app's own");
}

#[actix_web::test]
async fn case_117_the_apps_own_tool_is_refused_in_words_from_outside() {
    let (house, arr, _) = household().await;
    let result = house.result("apply_profile_change", reference()).await;
    assert_eq!((&result["isError"], &result["structuredContent"]["outcome"]), (&json!(false), &json!("refused")));
    assert_eq!(result["structuredContent"]["code"], "in_app_only");
    assert!(prose_of(&result).contains("app's own chat"));
    assert_eq!(arr.n_requests(), 0);
}

#[actix_web::test]
async fn a_format_is_made_and_the_same_again_is_told_apart() {
    let (house, arr, _) = household().await;
    let condition = json!({"name": "HDR", "implementation": "ReleaseTitleSpecification", "fields": {"value": "HDR10"}});
    let order = json!({"service": "radarr", "custom_format": {"name": "HDR10", "trash_id": "abc", "specifications": [condition]}});

    let made = house.result("upsert_custom_format", order.clone()).await;

    assert_eq!(made["isError"], false, "{made}");
    let structured = &made["structuredContent"];
    assert_eq!((&structured["outcome"], &structured["action"]), (&json!("done"), &json!("created")));
    assert_eq!((&structured["change"]["id"], &structured["change"]["status"]), (&json!(1), &json!("applied")));
    assert!(prose_of(&made).contains("score 0"));
    let again = house.result("upsert_custom_format", order).await;
    let structured = &again["structuredContent"];
    assert_eq!(
        (&again["isError"], &structured["outcome"], &structured["code"]),
        (&json!(false), &json!("refused"), &json!("already_matches"))
    );
    assert_eq!(arr.n_settings_writes().n_all(), 1);
}

#[actix_web::test]
async fn what_is_not_known_of_a_write_is_told_as_an_error_that_can_be_read_by_programs() {
    let (house, arr, _) = household().await;
    arr.misbehave("POST */customformat", Misbehaviour::DoneButLost);
    let order = json!({"service": "radarr", "custom_format": {"name": "Empty", "specifications": [
        {"name": "a", "implementation": "ReleaseTitleSpecification", "fields": [{"name": "value", "value": "a"}]}]}});
    let result = house.result("upsert_custom_format", order).await;
    assert_eq!((&result["isError"], &result["structuredContent"]["outcome"]), (&json!(true), &json!("unknown")));
    assert!(prose_of(&result).contains("change 1"), "{result}");

    arr.misbehave("*", Misbehaviour::Failing { status: 503 });
    let result = house.result("preview_profile_change", lower_the_score()).await;
    assert_eq!((&result["isError"], &result["structuredContent"]["outcome"]), (&json!(true), &json!("not_started")));
}
