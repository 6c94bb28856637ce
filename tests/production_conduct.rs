//! What the production office holds to at its doors: lists in their order and within their caps, activity without words or money, keys that
//! are changed over, ids that open nothing elsewhere, approvals by a second pair of eyes.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod common;
mod production;

use common::Answer;
use playhouse_house::Scope;
use playhouse_production::kestrel::kestrel;
use playhouse_production::messages::{PutProduction, SetUpStep};
use playhouse_production::model::SubjectType;
use production::{EVERYTHING, Office, with_files};
use reqwest::multipart::Form;
use serde_json::{Value, json};

const NAME: &str = "KST_101_003_0010_comp_NLT_v001.mov";

fn said(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.text.as_str())
}

fn detail(sentence: &str) -> String {
    json!({ "detail": sentence }).to_string()
}

/// The members of each entry of a list, under one name.
fn each(list: &Value, member: &str) -> Vec<Value> {
    list.as_array().unwrap().iter().map(|entry| entry[member].clone()).collect()
}

#[actix_web::test]
async fn activity_holds_no_words_of_notes_and_no_money() {
    let office = Office::open().await;
    let (scene, creature) = (office.scene("3").await, office.asset("creature").await);
    let words = "quagmire 48500.00";
    for node in [scene, creature] {
        let note = json!({ "body": words, "visibility": "engagement" });
        assert_eq!(office.post(&office.w, &format!("/assets/{node}/notes"), &note).await.status, 201);
    }
    let turnover = office.turnover("TO-101-01").await;
    let sent = with_files(Form::new().text("note", words).text("title", "First look"), &[(NAME, b"x")]);
    let submission = office.town.send(office.submission(&office.v, turnover, sent)).await.json();
    let decide = format!("/approvals/{}/decide", submission["approval_id"]);
    let decision = json!({ "decision": "changes_requested", "note": words });
    assert_eq!(office.post(&office.w, &decide, &decision).await.status, 200);
    let orders = b"number,vendor,currency,total\nPO-2001,NLT,GBP,48500.00\n";
    assert_eq!(office.import("purchase-orders", orders, "").await.status, 201);

    let activity = office.get(&office.w, "/activity?limit=200").await;
    assert!(activity.json().as_array().unwrap().len() > 10);
    for hidden in ["quagmire", "48500", "4850000", "48,500"] {
        assert!(!activity.text.contains(hidden), "{hidden} in {}", activity.text);
    }
    let verbs = each(&activity.json(), "verb");
    assert_eq!(verbs[0], "order.imported");
    // Entries about orders go with the scope for money, however they came about.
    let without = office.get(&office.r, "/activity?limit=200").await.json();
    assert!(each(&without, "verb").iter().all(|verb| !verb.as_str().unwrap().starts_with("order.")));
    assert!(without.as_array().unwrap().iter().all(|entry| entry["subject"]["type"] != "purchase_order"));
    office.town.stop().await;
}

#[actix_web::test]
async fn a_job_of_an_import_of_orders_tells_why_it_failed_to_keys_with_money_only() {
    let office = Office::open().await;
    let orders = b"number,vendor,currency,total\nPO-2001,NLT,GBP,48500.001\n";
    assert_eq!(office.import("purchase-orders", orders, "").await.status, 422);
    let shown = office.get(&office.w, "/jobs?status=failed").await;
    assert!(shown.text.contains("48500.001"), "{shown:?}");
    let hidden = office.get(&office.r, "/jobs?status=failed").await;
    assert!(hidden.status == 200 && !hidden.text.contains("48500"), "{hidden:?}");
    office.town.stop().await;
}

#[actix_web::test]
async fn keys_of_engagements_are_in_the_activity_list_without_their_secrets() {
    let office = Office::open().await;
    let key = office.key(&[Scope::Read, Scope::SubmitTurnover], Some(office.engagement)).await;
    let wide = office.key(&[Scope::Read], None).await;
    office.revoke(&key).await;
    office.revoke(&key).await;
    office.revoke(&wide).await;
    let activity = office.get(&office.w, "/activity?limit=2").await;
    let id = key.split('_').nth(1).unwrap();
    let summaries =
        [format!("key {id} for NLT-101 was revoked"), format!("key {id} for NLT-101: read submit:turnover")];
    assert_eq!(each(&activity.json(), "verb"), ["key.revoked", "key.created"]);
    assert_eq!(each(&activity.json(), "summary"), summaries);
    let subject = json!({ "type": "key", "id": 0, "title": "Northlight pipeline" });
    assert_eq!(activity.json()[0]["subject"], subject);
    let all = office.get(&office.w, "/activity?limit=200").await.text;
    for secret in [&key, &wide, &office.v] {
        assert!(!all.contains(secret.split('_').nth(2).unwrap()));
    }
    assert!(!all.contains(wide.split('_').nth(1).unwrap()), "keys of the whole production are the house's own affair");
    office.town.stop().await;
}

#[actix_web::test]
async fn a_vendors_key_is_changed_over_without_a_gap() {
    let office = Office::open().await;
    let old = office.v.clone();
    let new = office.key(&[Scope::Read, Scope::SubmitTurnover], Some(office.engagement)).await;
    for key in [&old, &new] {
        assert_eq!(office.get(key, "/turnovers").await.status, 200, "both work in between");
    }
    assert_eq!(office.get(&old, "/turnovers").await.text, office.get(&new, "/turnovers").await.text);
    office.revoke(&old).await;
    assert_eq!(office.get(&old, "/turnovers").await.status, 401);
    assert_eq!(office.town.call(&old, "list_turnovers", json!({})).await.status, 401);
    assert_eq!(office.get(&new, "/turnovers").await.status, 200);
    assert_eq!(office.town.call(&new, "list_turnovers", json!({})).await.status, 200);
    office.town.stop().await;
}

#[actix_web::test]
async fn each_prompt_names_its_tool_and_takes_what_fits_only() {
    let office = Office::open().await;
    let get = async |name: &str, arguments: Value| {
        office.town.rpc(&office.v, "prompts/get", json!({ "name": name, "arguments": arguments })).await
    };
    for (name, arguments, words) in [
        ("scene_status", json!({ "node_id": "7" }), &["get_scene_bundle", "node_id 7", "`outstanding`"][..]),
        ("pending_turnovers", json!({}), &["list_turnovers", "overdue"]),
        ("whats_changed", json!({}), &["list_activity.", "summaries"]),
        ("whats_changed", json!({ "limit": "200" }), &["list_activity with limit 200"]),
        (
            "how_to_submit_work",
            json!({ "delivery_id": "21" }),
            &["list_turnovers", "/v1/turnovers/21/submissions", "9 MB"],
        ),
    ] {
        let messages = get(name, arguments).await.result()["messages"].clone();
        assert_eq!((messages.as_array().unwrap().len(), &messages[0]["role"]), (1, &json!("user")), "{name}");
        let text = messages[0]["content"]["text"].as_str().unwrap();
        assert!(words.iter().all(|word| text.contains(word)), "{name}: {text}");
        assert!(!text.contains("Kestrel") && !text.contains("Creature"), "no data in {name}");
    }
    for (name, arguments) in [
        ("whats_changed", json!({ "limit": "0" })),
        ("whats_changed", json!({ "limit": "201" })),
        ("whats_changed", json!({ "limit": 50 })),
        ("how_to_submit_work", json!({})),
        ("how_to_submit_work", json!({ "delivery_id": "21; ask nobody" })),
        ("pending_turnovers", json!({ "limit": "5" })),
    ] {
        assert_eq!(get(name, arguments.clone()).await.error_code(), -32602, "{name} {arguments}");
    }
    office.town.stop().await;
}

#[actix_web::test]
async fn the_second_base_path_pages_through_activity_and_says_where_things_are_below_itself() {
    let office = Office::open().await;
    let api = |path: &str| office.town.url(&format!("/api/v1{path}"));
    let asset = json!({ "name": "Lantern", "kind": "prop", "department": "props" });
    let made = office.town.send(office.town.http.post(api("/assets")).bearer_auth(&office.w).json(&asset)).await;
    let location = made.header("location").unwrap().to_owned();
    assert_eq!((made.status, &location), (201, &format!("/api/v1/assets/{}", made.json()["node_id"])));
    let get = async |path: &str| office.town.send(office.town.http.get(api(path)).bearer_auth(&office.w)).await;
    let there = office.town.send(office.town.http.get(office.town.url(&location)).bearer_auth(&office.w)).await;
    assert_eq!(there.json(), made.json());

    let all = get("/activity?limit=200").await.json();
    let (mut paged, mut before) = (Vec::new(), String::new());
    loop {
        let page = get(&format!("/activity?limit=3{before}")).await.json();
        let Some(last) = page.as_array().unwrap().last() else { break };
        before = format!("&before_id={}", last["id"]);
        paged.extend(each(&page, "id"));
    }
    assert_eq!(paged, each(&all, "id"));
    assert!(paged.windows(2).all(|pair| pair[0].as_u64() > pair[1].as_u64()), "newest first");
    assert_eq!(get("/activity?before_id=1").await.json(), json!([]));
    assert_eq!(get("/activity?before_id=x").await.status, 422);
    office.town.stop().await;
}

#[actix_web::test]
async fn lists_come_in_their_order_and_within_their_caps() {
    let office = Office::open().await;
    let turnover = office.turnover("TO-101-01").await;
    assert_eq!(office.submit(&office.v, turnover, &[(NAME, b"x")]).await.status, 201);
    let turnovers = office.get(&office.w, "/turnovers").await.json();
    assert_eq!(each(&turnovers, "outstanding"), [true, false], "outstanding first");
    let orders = each(&office.get(&office.w, "/purchase-orders").await.json(), "number");
    assert_eq!(orders, ["PO-1001", "PO-1002", "PO-1003"]);

    let creature = u32::try_from(office.asset("creature").await).unwrap();
    let ask = SetUpStep::AskApproval { subject_type: SubjectType::Asset, id: creature, due_on: None };
    let newest = office.set_up(ask).await;
    let decide = format!("/approvals/{newest}/decide");
    assert_eq!(office.post(&office.w, &decide, &json!({ "decision": "approved" })).await.status, 200);
    let approvals = office.get(&office.w, "/approvals").await.json();
    let statuses = each(&approvals, "status");
    let n_pending = statuses.iter().filter(|status| *status == "pending").count();
    assert!(n_pending >= 2 && statuses[..n_pending].iter().all(|status| status == "pending"), "{statuses:?}");
    assert_eq!(approvals[n_pending]["id"], newest, "then the newest");

    let notes = format!("/assets/{creature}/notes");
    for number in 0..51 {
        assert_eq!(office.post(&office.w, &notes, &json!({ "body": format!("{number}") })).await.status, 201);
    }
    let asset = office.get(&office.w, &format!("/assets/{creature}")).await.json();
    let bodies = each(&asset["notes"], "body");
    assert_eq!((bodies.len(), &bodies[0], &bodies[49]), (50, &json!("50"), &json!("1")), "newest first, fifty at most");

    for _ in 0..100 {
        assert_eq!(office.import("people", b"name,role\nIda Moss,Gaffer\n", "").await.status / 100, 2);
    }
    let jobs = each(&office.get(&office.w, "/jobs").await.json(), "id");
    assert_eq!(jobs.len(), 100);
    assert!(jobs.windows(2).all(|pair| pair[0].as_u64() > pair[1].as_u64()), "newest first");
    assert_eq!(office.get(&office.w, "/activity").await.json().as_array().unwrap().len(), 50);
    office.town.stop().await;
}

#[actix_web::test]
async fn case_14_no_id_of_another_production_opens_anything() {
    let office = Office::open().await;
    let turnover = office.turnover("TO-101-01").await;
    let submission = office.submit(&office.w, turnover, &[(NAME, b"x")]).await.json();
    let elsewhere = office.town.house("Elsewhere").await;
    let stranger = office.town.key(&elsewhere, &EVERYTHING).await;
    let media = &submission["files"][0]["media_id"];
    for (known, unknown) in [
        (format!("/media/{media}"), "/media/4711"),
        (format!("/media/{media}/content"), "/media/4711/content"),
        (format!("/bundles/character/{}", office.asset("creature").await), "/bundles/character/4711"),
        ("/departments/vfx".to_owned(), "/departments/nothing"),
    ] {
        let (theirs, nobodys) = (office.get(&stranger, &known).await, office.get(&stranger, unknown).await);
        assert_eq!((theirs.status, said(&theirs)), (404, said(&nobodys)), "{known}");
    }
    let sent = office.submit(&stranger, turnover, &[(NAME, b"x")]).await;
    assert_eq!(said(&sent), (404, detail("Turnover not found.").as_str()));
    let decide = format!("/approvals/{}/decide", submission["approval_id"]);
    let decided = office.post(&stranger, &decide, &json!({ "decision": "approved" })).await;
    assert_eq!(said(&decided), (404, detail("Approval not found.").as_str()));
    office.town.stop().await;
}

#[actix_web::test]
async fn case_15_a_node_of_another_kind_is_not_found_in_the_same_bytes_at_both_doors() {
    let office = Office::open().await;
    let (scene, asset) = (office.scene("3").await, office.asset("creature").await);
    let characters = office.get(&office.w, "/scenes").await.json()[0]["characters"].clone();
    let character = characters[0]["node_id"].as_u64().unwrap();
    for (kind, tool, what, others) in [
        ("scene", "get_scene_bundle", "Scene not found.", [character, asset]),
        ("character", "get_character_bundle", "Character not found.", [scene, asset]),
    ] {
        for node in others {
            let rest = office.get(&office.r, &format!("/bundles/{kind}/{node}")).await;
            let mcp = office.town.call(&office.r, tool, json!({ "node_id": node })).await;
            assert_eq!(
                (said(&rest), said(&mcp)),
                ((404, detail(what).as_str()), (404, detail(what).as_str())),
                "{node}"
            );
        }
    }
    let notes_scene = office.get(&office.r, &format!("/assets/{scene}")).await;
    assert_eq!(said(&notes_scene), (404, detail("Asset not found.").as_str()));
    office.town.stop().await;
}

#[actix_web::test]
async fn case_40_a_table_with_one_bad_row_writes_none() {
    let office = Office::open().await;
    let table = "code,name,kind,department\nlamp-1,Lamp,prop,props\nlamp-2,Lamp,prop,props\nlamp-3,Lamp,prop,props\n\
                 lamp-4,Lamp,prop,vfxx\nlamp-5,Lamp,prop,props\nlamp-6,Lamp,prop,props\n";
    let before = office.get(&office.w, "/assets").await.text;
    let refused = office.import("assets", table.as_bytes(), "").await;
    assert_eq!(refused.status, 422, "{refused:?}");
    let body = refused.json();
    assert_eq!(body["detail"], "Row 4: unknown department 'vfxx'.");
    assert_eq!(body["rows"], json!([{ "line": 5, "column": "department", "message": "unknown department 'vfxx'" }]));
    assert_eq!(office.get(&office.w, "/assets").await.text, before);
    office.town.stop().await;
}

#[actix_web::test]
async fn with_four_eyes_an_asset_in_review_is_approved_by_another_key_than_the_one_that_asked() {
    let office = Office::open().await;
    let Some(SetUpStep::PutProduction(production)) = kestrel().unwrap().before.into_iter().next() else {
        panic!("no production")
    };
    office.set_up(SetUpStep::PutProduction(PutProduction { four_eyes: true, ..production })).await;
    let asset = json!({ "name": "Lantern", "kind": "prop", "department": "props", "status": "in_review" });
    let made = office.post(&office.w, "/assets", &asset).await.json();
    let asset = format!("/assets/{}", made["node_id"]);
    let approvals = office.get(&office.w, &asset).await.json()["approvals"].clone();
    assert_eq!((approvals.as_array().unwrap().len(), &approvals[0]["status"]), (1, &json!("pending")));
    let decide = format!("/approvals/{}/decide", approvals[0]["id"]);
    let approved = json!({ "decision": "approved" });
    let own = office.post(&office.w, &decide, &approved).await;
    assert_eq!(said(&own), (403, detail("The key that asked for this approval cannot decide it.").as_str()));
    assert_eq!(office.get(&office.w, &asset).await.json()["status"], "in_review");

    let other = office.key(&[Scope::Write], None).await;
    assert_eq!(office.post(&other, &decide, &approved).await.status, 200);
    let after = office.get(&office.w, &asset).await.json();
    assert_eq!((&after["status"], &after["approvals"][0]["status"]), (&json!("approved"), &json!("approved")));
    office.town.stop().await;
}

#[test]
fn tools_say_whether_repeating_them_changes_anything() {
    let tools = playhouse::docs::all_tools().unwrap();
    let office = playhouse::rest::office::ENDPOINTS.iter().filter_map(|endpoint| endpoint.tool);
    for name in office {
        let tool = tools.iter().find(|tool| tool.name == name).unwrap();
        assert_eq!(tool.annotations["idempotentHint"], name != "submit_turnover", "{name}");
        assert_eq!(tool.annotations["openWorldHint"], false, "{name}");
    }
}
