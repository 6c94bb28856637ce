//! The edge cases of the production office, by their numbers, at the doors. Those of submissions are in `production_submissions.rs`, those
//! of the importers and of the clamping beside the code in `actors/production`.

mod common;
mod production;

use common::Answer;
use playhouse_house::Scope;
use playhouse_production::kestrel::kestrel;
use playhouse_production::messages::SetUpStep;
use playhouse_production::model::{EngagementStatus, ProductionKind, ProductionStatus, SubjectType};
use production::{EVERYTHING, Office, call_arguments};
use serde_json::{Value, json};

/// Status and body, as both doors send them.
fn said(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.text.as_str())
}

fn detail(sentence: &str) -> String {
    json!({ "detail": sentence }).to_string()
}

#[actix_web::test]
async fn case_1_any_path_without_authorization_is_401_with_a_challenge() {
    let office = Office::open().await;
    for path in ["/production", "/assets/1", "/media/1/content", "/nothing/at/all"] {
        let answer = office.town.send(office.town.http.get(office.url(path))).await;
        assert_eq!(said(&answer), (401, detail("Missing access key.").as_str()), "{path}");
        assert!(answer.header("www-authenticate").unwrap().starts_with("Bearer"), "{path}");
    }
    let mcp = office.town.send(office.town.http.post(office.town.url("/mcp")).json(&json!({}))).await;
    assert_eq!(
        (said(&mcp), mcp.header("www-authenticate").is_some()),
        ((401, detail("Missing access key.").as_str()), true)
    );
    office.town.stop().await;
}

#[actix_web::test]
async fn case_2_the_scheme_in_lower_case_works() {
    let office = Office::open().await;
    let get = office.town.http.get(office.url("/production")).header("Authorization", format!("bearer {}", office.r));
    assert_eq!(office.town.send(get).await.status, 200);
    office.town.stop().await;
}

#[actix_web::test]
async fn case_3_a_key_in_the_address_is_no_key() {
    let office = Office::open().await;
    let get = office.town.http.get(office.url(&format!("/production?access_key={}", office.r)));
    assert_eq!(said(&office.town.send(get).await), (401, detail("Missing access key.").as_str()));
    office.town.stop().await;
}

#[actix_web::test]
async fn case_4_a_wrong_secret_and_an_unknown_id_answer_the_same_bytes() {
    let office = Office::open().await;
    let other_office = Office::open().await;
    // A key of another instance is well formed and unknown; one with the other's secret has a known id.
    let unknown = other_office.w.clone();
    let (id, secret) = (office.w.split('_').nth(1).unwrap(), unknown.split('_').nth(2).unwrap());
    let wrong_secret = format!("ph_{id}_{secret}");
    let answers = [office.get(&unknown, "/production").await, office.get(&wrong_secret, "/production").await];
    assert_eq!(said(&answers[0]), (401, detail("Invalid access key.").as_str()));
    assert_eq!(said(&answers[0]), said(&answers[1]));
    other_office.town.stop().await;
    office.town.stop().await;
}

#[actix_web::test]
async fn case_5_a_key_revoked_between_two_calls_is_refused_on_the_second_at_both_doors() {
    let office = Office::open().await;
    let key = office.key(&[Scope::Read], None).await;
    assert_eq!(office.get(&key, "/production").await.status, 200);
    assert_eq!(office.town.call(&key, "get_production", json!({})).await.status, 200);
    office.revoke(&key).await;
    let refused = detail("This access key was revoked.");
    assert_eq!(said(&office.get(&key, "/production").await), (401, refused.as_str()));
    assert_eq!(said(&office.town.call(&key, "get_production", json!({})).await), (401, refused.as_str()));
    office.town.stop().await;
}

#[actix_web::test]
async fn case_7_a_suspended_engagement_closes_all_doors_to_its_keys() {
    let office = Office::open().await;
    assert_eq!(office.get(&office.v, "/turnovers").await.status, 200);
    office.set_engagement_status(EngagementStatus::Suspended).await;
    let refused = detail("This key's engagement is not active.");
    for path in ["/turnovers", "/assets", "/purchase-orders", "/media/1"] {
        assert_eq!(said(&office.get(&office.v, path).await), (403, refused.as_str()), "{path}");
    }
    for method in ["tools/list", "initialize", "prompts/list"] {
        assert_eq!(said(&office.town.rpc(&office.v, method, json!({})).await), (403, refused.as_str()), "{method}");
    }
    office.set_engagement_status(EngagementStatus::Active).await;
    assert_eq!(office.get(&office.v, "/turnovers").await.status, 200);
    office.town.stop().await;
}

#[actix_web::test]
async fn cases_8_to_11_scope_comes_before_door_and_money_has_a_scope_of_its_own() {
    let office = Office::open().await;
    let door = detail("This key is bound to an engagement and cannot use this endpoint.");
    assert_eq!(said(&office.get(&office.v, "/assets").await), (403, door.as_str()), "case 8");

    // No key is made without any scope; this one lacks the one that is asked for.
    let bare = office.key(&[Scope::SubmitTurnover], Some(office.engagement)).await;
    let scope = detail("This key does not have the 'read' scope.");
    assert_eq!(said(&office.get(&bare, "/assets").await), (403, scope.as_str()), "case 9");

    let money = detail("This key does not have the 'read:money' scope.");
    assert_eq!(said(&office.get(&office.r, "/purchase-orders").await), (403, money.as_str()), "case 10");

    let orders = office.get(&office.m, "/purchase-orders").await.json();
    let numbers: Vec<&Value> = orders.as_array().unwrap().iter().map(|order| &order["number"]).collect();
    assert_eq!(numbers, [&json!("PO-1001")], "case 11");
    for hidden in ["budget_code", "approved_by", "internal_note"] {
        assert!(orders[0].get(hidden).is_none(), "case 11: {hidden}");
    }
    office.town.stop().await;
}

#[actix_web::test]
async fn case_14_another_productions_id_is_not_found_in_the_same_bytes_as_an_unknown_one() {
    let office = Office::open().await;
    let here = office.house;
    let elsewhere = office.town.house("Elsewhere").await.parse().unwrap();
    let there = Office { house: elsewhere, ..office };
    for step in kestrel().unwrap().before {
        there.set_up(step).await;
    }
    let stranger = there.key(&EVERYTHING, None).await;
    let office = Office { house: here, ..there };
    let (asset, scene) = (office.asset("creature").await, office.scene("3").await);
    for (known, unknown) in [
        (format!("/assets/{asset}"), "/assets/4711".to_owned()),
        (format!("/bundles/scene/{scene}"), "/bundles/scene/4711".to_owned()),
    ] {
        let (theirs, nobodys) = (office.get(&stranger, &known).await, office.get(&stranger, &unknown).await);
        assert_eq!((theirs.status, said(&theirs)), (404, said(&nobodys)), "{known}");
    }
    office.town.stop().await;
}

#[actix_web::test]
async fn cases_18_to_23_what_is_wrong_with_a_parameter_is_said() {
    let office = Office::open().await;
    let statuses = "planned, in_progress, in_review, approved, final, on_hold, omitted";
    for (case, path, status, sentence) in [
        (18, "/assets?state=approved", 422, "Unknown query parameter 'state'.".to_owned()),
        (19, "/assets?status=done", 422, format!("Unknown status 'done'. One of: {statuses}.")),
        (20, "/assets?department=vfxx", 422, "Unknown department 'vfxx'.".to_owned()),
        (21, "/assets/0", 404, "Asset not found.".to_owned()),
        (21, "/assets/-1", 404, "Asset not found.".to_owned()),
        (21, "/assets/abc", 422, "node_id must be a whole number.".to_owned()),
        (21, "/assets/99999999999999999999", 422, "node_id must be a whole number.".to_owned()),
        (22, "/activity?limit=0", 422, "limit must be between 1 and 200.".to_owned()),
        (22, "/activity?limit=201", 422, "limit must be between 1 and 200.".to_owned()),
        (22, "/activity?limit=50.5", 422, "limit must be between 1 and 200.".to_owned()),
        (23, "/schedule?episode_id=4711", 404, "Episode not found.".to_owned()),
    ] {
        assert_eq!(
            said(&office.get(&office.w, path).await),
            (status, detail(&sentence).as_str()),
            "case {case}: {path}"
        );
    }
    for (case, tool, arguments) in [
        (19, "list_assets", json!({ "status": "done" })),
        (22, "list_activity", json!({ "limit": "50" })),
        (22, "list_activity", json!({ "limit": 201 })),
        (18, "list_assets", json!({ "state": "approved" })),
        (21, "get_asset", json!({ "node_id": "abc" })),
        (21, "get_asset", json!({})),
    ] {
        let answer = office.town.call(&office.w, tool, arguments).await;
        assert_eq!((answer.status, answer.error_code()), (200, -32602), "case {case}: {answer:?}");
    }
    let unwrapped = office.town.call(&office.w, "list_assets", json!({ "department": "vfxx" })).await;
    assert_eq!(said(&unwrapped), (422, detail("Unknown department 'vfxx'.").as_str()), "case 20");
    office.town.stop().await;
}

#[actix_web::test]
async fn case_23_a_film_has_no_episodes() {
    let office = Office::open().await;
    let film = office.town.house("A film").await.parse().unwrap();
    let office = Office { house: film, ..office };
    let mut production = match kestrel().unwrap().before.remove(0) {
        SetUpStep::PutProduction(production) => production,
        other => panic!("not the production: {other:?}"),
    };
    production.kind = ProductionKind::Film;
    office.set_up(SetUpStep::PutProduction(production)).await;
    let key = office.key(&[Scope::Read], None).await;
    assert_eq!(said(&office.get(&key, "/schedule?episode_id=11").await), (404, detail("Episode not found.").as_str()));
    assert_eq!(office.get(&key, "/production").await.json()["episodes"], json!([]));
    office.town.stop().await;
}

#[actix_web::test]
async fn cases_36_and_37_a_decision_stands() {
    let office = Office::open().await;
    let asset = u32::try_from(office.asset("creature").await).unwrap();
    let subject_type = SubjectType::Asset;
    let approval = office.set_up(SetUpStep::AskApproval { subject_type, id: asset, due_on: None }).await;
    let path = format!("/approvals/{approval}/decide");
    let decide = async |body: Value| office.post(&office.w, &path, &body).await;

    let no_note = decide(json!({ "decision": "rejected" })).await;
    assert_eq!(
        (no_note.status, &no_note.json()["detail"]),
        (422, &json!("note is needed unless the decision is 'approved'."))
    );

    let first = decide(json!({ "decision": "approved", "note": "good" })).await;
    let second = decide(json!({ "decision": "approved", "note": "another note" })).await;
    assert_eq!((first.status, second.status), (200, 200), "{first:?}");
    assert_eq!((&first.json(), &first.json()["note"]), (&second.json(), &json!("good")));
    let turned = decide(json!({ "decision": "rejected", "note": "no" })).await;
    assert_eq!(turned.status, 409);
    assert!(turned.text.contains("was already approved on"), "{turned:?}");
    office.town.stop().await;
}

#[actix_web::test]
async fn case_41_what_is_no_message_gets_the_seeds_codes() {
    let office = Office::open().await;
    for (body, code) in [
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        ("{", -32700),
    ] {
        for key in [&office.r, &office.v] {
            let post = office.town.mcp(key).header("Content-Type", "application/json").body(body);
            assert_eq!(office.town.send(post).await.error_code(), code, "{body}");
        }
    }
    office.town.stop().await;
}

#[actix_web::test]
async fn case_42_search_is_no_tool_and_nothing_else_unknown_is_found_either() {
    let office = Office::open().await;
    for (method, params) in [
        ("tools/call", json!({ "name": "search", "arguments": {} })),
        ("resources/read", json!({ "uri": "throughline://search" })),
        ("prompts/get", json!({ "name": "search" })),
        ("nothing/at-all", json!({})),
    ] {
        let answer = office.town.rpc(&office.v, method, params).await;
        assert_eq!((answer.status, answer.error_code()), (200, -32601), "{method}");
    }
    // A key that belongs to other wings too is answered as the protocol has it.
    let mixed = office.key(&[Scope::Read, Scope::Tv], None).await;
    let answer = office.town.call(&mixed, "search", json!({})).await;
    assert_eq!(answer.error_code(), -32602);
    office.town.stop().await;
}

#[actix_web::test]
async fn case_43_a_resource_is_refused_as_its_endpoint_is() {
    let office = Office::open().await;
    let rest = office.get(&office.v, "/scenes").await;
    for uri in ["throughline://script", "playhouse://script"] {
        let mcp = office.town.rpc(&office.v, "resources/read", json!({ "uri": uri })).await;
        assert_eq!(said(&mcp), said(&rest), "{uri}");
    }
    assert_eq!(rest.status, 403);
    office.town.stop().await;
}

#[actix_web::test]
async fn case_44_a_prompt_checks_its_arguments_and_needs_no_scope() {
    let office = Office::open().await;
    // No key is made without any scope; this one has none of the office's.
    let bare = office.key(&[Scope::Media], None).await;
    let get = async |arguments: Value| {
        office.town.rpc(&bare, "prompts/get", json!({ "name": "scene_status", "arguments": arguments })).await
    };
    assert_eq!(get(json!({})).await.error_code(), -32602);
    assert_eq!(get(json!({ "node_id": "abc" })).await.error_code(), -32602);
    let filled = get(json!({ "node_id": "104" })).await.result();
    assert_eq!(filled["messages"].as_array().unwrap().len(), 1);
    assert!(filled["messages"][0]["content"]["text"].as_str().unwrap().contains("get_scene_bundle with node_id 104"));
    office.town.stop().await;
}

#[actix_web::test]
async fn resources_and_prompts_are_listed_to_any_key_of_the_office() {
    let office = Office::open().await;
    let submits = office.key(&[Scope::SubmitTurnover], None).await;
    for key in [&office.w, &office.v, &submits] {
        let names = async |method: &str, member: &str, name: &str| -> Vec<String> {
            let listed = office.town.rpc(key, method, json!({})).await.result()[member].clone();
            listed.as_array().unwrap().iter().map(|entry| entry[name].as_str().unwrap().to_owned()).collect()
        };
        let uris = names("resources/list", "resources", "uri").await;
        let wanted = ["production", "departments", "schedule", "script", "deliveries", "approvals"];
        assert_eq!(uris, wanted.map(|name| format!("playhouse://{name}")));
        let prompts = names("prompts/list", "prompts", "name").await;
        assert_eq!(prompts, ["scene_status", "pending_turnovers", "whats_changed", "how_to_submit_work"]);
    }
    let household = office.key(&[Scope::Tv], None).await;
    assert_eq!(office.town.rpc(&household, "resources/list", json!({})).await.result()["resources"], json!([]));
    office.town.stop().await;
}

#[actix_web::test]
async fn case_45_an_archived_production_takes_no_writes() {
    let office = Office::open().await;
    office.set_up(SetUpStep::SetProductionStatus { status: ProductionStatus::Archived }).await;
    let asset = json!({ "name": "Lantern", "kind": "prop", "department": "props" });
    let archived = detail("This production is archived.");
    assert_eq!(said(&office.post(&office.w, "/assets", &asset).await), (409, archived.as_str()));
    let turnover = office.turnover("TO-101-01").await;
    assert_eq!(said(&office.submit(&office.w, turnover, &[("a.mov", b"x")]).await), (409, archived.as_str()));
    let call = office.town.call(&office.w, "submit_turnover", call_arguments(turnover, &[("a.mov", b"x")])).await;
    assert_eq!(said(&call), (409, archived.as_str()));
    assert_eq!(office.get(&office.w, "/assets").await.status, 200);
    office.town.stop().await;
}

#[actix_web::test]
async fn case_47_a_notes_body_is_text_of_1_to_4000_characters() {
    let office = Office::open().await;
    let path = format!("/assets/{}/notes", office.asset("creature").await);
    let note = async |body: &str| office.post(&office.w, &path, &json!({ "body": body })).await;
    for wrong in ["x".repeat(4_001), "  \n ".to_owned(), String::new()] {
        let refused = note(&wrong).await;
        assert_eq!((refused.status, &refused.json()["detail"]), (422, &json!("body must be 1 to 4000 characters.")));
    }
    let markup = "<script>alert(1)</script>";
    let added = note(markup).await;
    assert_eq!((added.status, &added.json()["body"]), (201, &json!(markup)));
    office.town.stop().await;
}

#[actix_web::test]
async fn a_body_is_json_small_and_of_known_fields() {
    let office = Office::open().await;
    let post = || office.town.http.post(office.url("/assets")).bearer_auth(&office.w);
    let asset = json!({ "name": "Lantern", "kind": "prop", "department": "props" });
    let as_text = office.town.send(post().header("Content-Type", "text/plain").body(asset.to_string())).await;
    assert_eq!(as_text.status, 415);
    let large =
        office.town.send(post().header("Content-Type", "application/json").body(vec![b' '; (1 << 20) + 1])).await;
    assert_eq!(said(&large), (413, detail("Request body is larger than 1 MB.").as_str()));
    for body in ["{", "[]", "{}", r#"{"name":"x","kind":"prop","department":"props","colour":"red"}"#] {
        let answer = office.town.send(post().header("Content-Type", "application/json").body(body)).await;
        assert_eq!(answer.status, 422, "{body}: {answer:?}");
    }
    office.town.stop().await;
}

#[actix_web::test]
async fn a_post_with_an_idempotency_key_is_answered_once_and_replayed() {
    let office = Office::open().await;
    let post = async |body: Value| {
        let post = office.town.http.post(office.url("/assets")).bearer_auth(&office.w);
        office.town.send(post.header("Idempotency-Key", "lantern-1").json(&body)).await
    };
    let asset = json!({ "name": "Lantern", "kind": "prop", "department": "props" });
    let first = post(asset.clone()).await;
    let again = post(asset).await;
    assert_eq!((first.status, first.header("idempotent-replay")), (201, None));
    assert_eq!((again.status, again.header("idempotent-replay"), &again.text), (201, Some("true"), &first.text));
    assert_eq!(first.header("location"), Some(format!("/v1/assets/{}", first.json()["node_id"]).as_str()));
    let other = post(json!({ "name": "Rope", "kind": "prop", "department": "props" })).await;
    assert_eq!(other.status, 409, "{other:?}");
    office.town.stop().await;
}

#[actix_web::test]
async fn an_import_can_be_tried_dry_and_names_what_is_unknown() {
    let office = Office::open().await;
    let people = b"name,role,department,email\nIda Moss,Gaffer,art,ida@example.test\n";
    let before = office.get(&office.w, "/people").await.text;
    let dry = office.import("people", people, "?dry_run=true").await;
    assert_eq!((dry.status, &dry.json()["dry_run"], &dry.json()["added"]), (200, &json!(true), &json!(1)), "{dry:?}");
    assert_eq!(office.get(&office.w, "/people").await.text, before);
    assert_eq!(office.import("people", people, "").await.status, 201);
    assert_eq!(said(&office.import("weather", people, "").await), (404, detail("Unknown import 'weather'.").as_str()));
    let large = office.import("people", &vec![b'x'; (5 << 20) + 1], "").await;
    assert_eq!(said(&large), (413, detail("Request body is larger than 5 MB.").as_str()));
    office.town.stop().await;
}
