//! The order of checks at both doors of the production office, and what is refused before it is looked at.

mod common;
mod production;

use common::Answer;
use playhouse_house::Scope;
use playhouse_production::messages::SetUpStep;
use playhouse_production::model::{EngagementStatus, ProductionStatus};
use production::{Office, call_arguments, form, with_files};
use reqwest::multipart::Form;
use serde_json::{Value, json};

const NAME: &str = "KST_101_003_0010_comp_NLT_v001.mov";
const DOOR: &str = "This key is bound to an engagement and cannot use this endpoint.";

fn said(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.text.as_str())
}

fn detail(sentence: &str) -> String {
    json!({ "detail": sentence }).to_string()
}

fn scope(name: &str) -> String {
    format!("This key does not have the '{name}' scope.")
}

/// A key without any of the office's scopes, bound to an engagement that is over.
async fn of_an_ended_engagement(office: &Office) -> String {
    let id = office.put_sound_engagement(EngagementStatus::Active).await;
    let key = office.key(&[Scope::ReadMoney], Some(id)).await;
    office.put_sound_engagement(EngagementStatus::Ended).await;
    key
}

/// Each request is wrong in two ways at least; what is answered is the first of them.
#[actix_web::test]
async fn rest_checks_size_key_engagement_scope_door_parameters_reach_and_state_in_this_order() {
    let office = Office::open().await;
    let ended = of_an_ended_engagement(&office).await;
    let bare = office.key(&[Scope::ReadMoney], Some(office.engagement)).await;
    let writes = office.key(&[Scope::Write], None).await;
    let large = vec![b'x'; (1 << 20) + 1];

    let no_key = office.town.http.post(office.url("/assets")).body(large.clone());
    assert_eq!(said(&office.town.send(no_key).await).0, 413, "size before key");
    for (what, path, key, status, sentence) in [
        ("key before engagement", "/assets?state=x", "ph_nonsense", 401, "Invalid access key.".to_owned()),
        ("engagement before scope", "/assets?state=x", &ended, 403, "This key's engagement is not active.".to_owned()),
        ("scope before door", "/assets?state=x", &bare, 403, scope("read")),
        ("scope before parameters", "/assets/abc", &writes, 403, scope("read")),
        ("door before parameters", "/assets?state=x", &office.v, 403, DOOR.to_owned()),
        ("door before reach", "/assets/4711", &office.v, 403, DOOR.to_owned()),
        (
            "parameters before reach",
            "/bundles/scene/4711?x=1",
            &office.v,
            422,
            "Unknown query parameter 'x'.".to_owned(),
        ),
    ] {
        assert_eq!(said(&office.get(key, path).await), (status, detail(&sentence).as_str()), "{what}");
    }

    office.set_up(SetUpStep::SetProductionStatus { status: ProductionStatus::Archived }).await;
    let known = office.asset("creature").await;
    for (what, path, body, status, sentence) in [
        ("fields before reach", "/assets/4711/notes".to_owned(), "", 422, "body must be 1 to 4000 characters."),
        ("reach before state", "/assets/4711/notes".to_owned(), "Dented.", 404, "Asset not found."),
        ("state last", format!("/assets/{known}/notes"), "Dented.", 409, "This production is archived."),
    ] {
        let answer = office.post(&office.w, &path, &json!({ "body": body })).await;
        assert_eq!(said(&answer), (status, detail(sentence).as_str()), "{what}");
    }
    let unknown = office.submit(&office.v, 4711, &[(NAME, b"x")]).await;
    assert_eq!(said(&unknown), (404, detail("Turnover not found.").as_str()), "reach before state");
    let nothing = office.town.send(office.submission(&office.v, office.turnover("TO-101-01").await, Form::new())).await;
    assert_eq!(said(&nothing), (409, detail("This production is archived.").as_str()), "state before parts");
    office.town.stop().await;
}

#[actix_web::test]
async fn importing_orders_takes_the_scope_for_money_before_anything_is_read() {
    let office = Office::open().await;
    let writes = office.key(&[Scope::Write], None).await;
    let bound = office.key(&[Scope::Read], Some(office.engagement)).await;
    let import = async |key: &str, path: &str, body: &[u8]| {
        office.town.send(office.town.http.post(office.url(path)).bearer_auth(key).body(body.to_vec())).await
    };
    for path in ["/imports/purchase-orders", "/imports/purchase-orders?dry_run=maybe", "/imports/purchase-orders?x=1"] {
        assert_eq!(
            said(&import(&writes, path, b"nonsense").await),
            (403, detail(&scope("read:money")).as_str()),
            "{path}"
        );
        assert_eq!(said(&import(&bound, path, b"nonsense").await), (403, detail(&scope("write")).as_str()), "{path}");
    }
    let other = import(&writes, "/imports/people?dry_run=maybe", b"nonsense").await;
    assert_eq!(said(&other), (422, detail("dry_run must be true or false.").as_str()));
    office.town.stop().await;
}

#[actix_web::test]
async fn mcp_checks_size_key_engagement_message_name_scope_door_arguments_reach_and_state_in_this_order() {
    let office = Office::open().await;
    let ended = of_an_ended_engagement(&office).await;
    let bare = office.key(&[Scope::ReadMoney], Some(office.engagement)).await;
    let turnover = office.turnover("TO-101-01").await;
    let raw = async |key: &str, body: String| {
        let post = office.town.mcp(key).header("Content-Type", "application/json");
        office.town.send(post.body(body)).await
    };
    let large = " ".repeat(12 * 1024 * 1024 + 1);
    assert_eq!(raw("ph_nonsense", large).await.status, 413, "size before key");
    assert_eq!(said(&raw("ph_nonsense", "{".to_owned()).await), (401, detail("Invalid access key.").as_str()));
    let over = detail("This key's engagement is not active.");
    assert_eq!(said(&raw(&ended, "{".to_owned()).await), (403, over.as_str()), "engagement before message");
    assert_eq!(raw(&bare, "{".to_owned()).await.error_code(), -32700, "message before scope");
    let unknown = office.town.call(&bare, "search", json!({})).await;
    assert_eq!(unknown.error_code(), -32601, "name before scope");
    let wrong = json!({ "state": "x" });
    let call = async |key: &str, tool: &str, arguments: Value| office.town.call(key, tool, arguments).await;
    assert_eq!(said(&call(&bare, "list_assets", wrong.clone()).await), (403, detail(&scope("read")).as_str()));
    assert_eq!(said(&call(&office.v, "list_assets", wrong.clone()).await), (403, detail(DOOR).as_str()));
    assert_eq!(call(&office.w, "list_assets", wrong).await.error_code(), -32602);
    let extra = json!({ "node_id": 4711, "x": 1 });
    assert_eq!(call(&office.v, "get_scene_bundle", extra).await.error_code(), -32602, "arguments before reach");

    office.set_up(SetUpStep::SetProductionStatus { status: ProductionStatus::Archived }).await;
    let unknown = call(&office.v, "submit_turnover", call_arguments(4711, &[(NAME, b"x")])).await;
    assert_eq!(said(&unknown), (404, detail("Turnover not found.").as_str()), "reach before state");
    let known = call(&office.v, "submit_turnover", call_arguments(turnover, &[(NAME, b"x")])).await;
    assert_eq!(said(&known), (409, detail("This production is archived.").as_str()), "state last");
    office.town.stop().await;
}

#[actix_web::test]
async fn words_that_are_too_long_and_base64_that_is_none_are_refused_by_their_place() {
    let office = Office::open().await;
    let turnover = office.turnover("TO-101-01").await;
    let long = "é".repeat(4_001);
    let sent = with_files(Form::new().text("note", long.clone()), &[(NAME, b"x")]);
    let rest = office.town.send(office.submission(&office.w, turnover, sent)).await;
    assert_eq!(said(&rest), (422, detail("note must be at most 4000 characters.").as_str()));
    let mut arguments = call_arguments(turnover, &[(NAME, b"x")]);
    arguments["note"] = json!(long);
    let mcp = office.town.call(&office.w, "submit_turnover", arguments).await;
    assert_eq!(mcp.error_code(), -32602);
    assert!(mcp.text.contains("`note`") && mcp.text.len() < 1_000, "{mcp:?}");

    let mut arguments = call_arguments(turnover, &[(NAME, b"x"), ("b.mov", b"y")]);
    arguments["files"][1]["content_base64"] = json!("AA$=");
    let second = office.town.call(&office.w, "submit_turnover", arguments).await;
    assert_eq!(second.error_code(), -32602);
    assert!(second.text.contains("files[1]") && !second.text.contains("files[0]"), "{second:?}");
    assert_eq!(office.settled_media_files().await, [""; 0]);

    let most = with_files(Form::new().text("note", "é".repeat(4_000)), &[(NAME, b"x")]);
    assert_eq!(office.town.send(office.submission(&office.w, turnover, most)).await.status, 201);
    office.town.stop().await;
}

#[actix_web::test]
async fn bodies_of_another_kind_are_415_and_idempotency_keys_have_100_characters_at_most() {
    let office = Office::open().await;
    let (turnover, creature) = (office.turnover("TO-101-01").await, office.asset("creature").await);
    let post = |path: &str| office.town.http.post(office.url(path)).bearer_auth(&office.w);
    let submissions = format!("/turnovers/{turnover}/submissions");
    for (what, request) in [
        ("an asset as a form", post("/assets").multipart(form(&[("a", b"x")]))),
        ("a note without a type", post(&format!("/assets/{creature}/notes")).body("{\"body\":\"x\"}")),
        ("a decision as text", post("/approvals/1/decide").header("Content-Type", "text/plain").body("{}")),
        ("a submission as JSON", post(&submissions).json(&json!({ "files": [] }))),
        ("an import as a form", post("/imports/people").multipart(form(&[("people.csv", b"name,role\n")]))),
    ] {
        let answer = office.town.send(request).await;
        assert_eq!(answer.status, 415, "{what}: {answer:?}");
        assert!(answer.json()["detail"].as_str().unwrap().starts_with("Send"), "{what}: {answer:?}");
    }
    let words = detail("Idempotency-Key must be 1 to 100 visible ASCII characters.");
    let asset = json!({ "name": "Lantern", "kind": "prop", "department": "props" });
    for (key, is_good) in [("k".repeat(101), false), ("two words".to_owned(), false), ("k".repeat(100), true)] {
        for (what, request) in [
            ("asset", post("/assets").json(&asset)),
            ("import", post("/imports/people").body("name,role\nIda Moss,Gaffer\n")),
            ("submission", post(&submissions).multipart(form(&[(NAME, b"x")]))),
        ] {
            let answer = office.town.send(request.header("Idempotency-Key", &key)).await;
            match is_good {
                true => assert_ne!(answer.status, 422, "{what}: {answer:?}"),
                false => assert_eq!(said(&answer), (422, words.as_str()), "{what}"),
            }
            if key.len() == 100 && what == "asset" {
                assert_eq!(answer.status, 201, "{answer:?}");
            }
        }
    }
    office.town.stop().await;
}
