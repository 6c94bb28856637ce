//! Both doors of the production office answer alike: every endpoint that has a tool, with every shape of key, byte for byte.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod common;
mod production;

use common::{Answer, Town};
use jiff::{Timestamp, ToSpan};
use playhouse::control::{KeyOwner, Order, OrderReply};
use playhouse::rest::office::{ENDPOINTS, Endpoint, Method};
use playhouse_house::{Scope, Scopes};
use playhouse_production::model::EngagementStatus;
use production::{EVERYTHING, Office, call_arguments, form};
use serde_json::{Value, json};

/// What both doors are asked: an endpoint with its path filled in, and its tool's arguments.
struct Ask {
    endpoint: &'static Endpoint,
    /// What is particular about it.
    what: String,
    path: String,
    arguments: Value,
}

const FILES: [(&str, &[u8]); 1] = [("KST_101_003_0010_comp_NLT_v001.mov", b"moving")];

async fn asks(office: &Office) -> Vec<Ask> {
    let (scene, hidden_scene) = (office.scene("3").await, office.scene("2").await);
    let asset = office.asset("creature").await;
    let (turnover, foreign_turnover) = (office.turnover("TO-101-01").await, office.turnover("TO-101-02").await);
    let character = office.get(&office.w, "/scenes").await.json()[0]["characters"][0]["node_id"].as_u64().unwrap();
    let mut asks = Vec::new();
    for endpoint in ENDPOINTS.iter().filter(|endpoint| endpoint.tool.is_some()) {
        let mut add = |what: &str, path: String, arguments: Value| {
            asks.push(Ask { endpoint, what: what.to_owned(), path, arguments });
        };
        match endpoint.path {
            "/departments/{slug}" => {
                for slug in ["vfx", "nothing"] {
                    add(slug, format!("/departments/{slug}"), json!({ "slug": slug }));
                }
            }
            path @ ("/assets/{node_id}" | "/bundles/scene/{node_id}" | "/bundles/character/{node_id}") => {
                for id in [asset, scene, hidden_scene, character, 999_999, 0] {
                    add(&format!("{id}"), path.replace("{node_id}", &id.to_string()), json!({ "node_id": id }));
                }
                add("-1", path.replace("{node_id}", "-1"), json!({ "node_id": -1 }));
            }
            "/turnovers/{id}/submissions" => {
                for id in [turnover, foreign_turnover, 999_999] {
                    let path = format!("/turnovers/{id}/submissions");
                    add(&format!("to {id}"), path, call_arguments(id, &FILES));
                }
            }
            "/assets" => {
                add("all", "/assets".to_owned(), json!({}));
                add("unknown department", "/assets?department=vfxx".to_owned(), json!({ "department": "vfxx" }));
                add("of a department", "/assets?department=vfx".to_owned(), json!({ "department": "vfx" }));
                add("in a status", "/assets?status=approved".to_owned(), json!({ "status": "approved" }));
            }
            "/schedule" => {
                add("all", "/schedule".to_owned(), json!({}));
                add("no such episode", "/schedule?episode_id=4711".to_owned(), json!({ "episode_id": 4711 }));
            }
            "/activity" => {
                add("fifty", "/activity".to_owned(), json!({}));
                add("three", "/activity?limit=3".to_owned(), json!({ "limit": 3 }));
            }
            path => add("", path.to_owned(), json!({})),
        }
    }
    asks
}

/// A key of every shape, by what is particular about it.
async fn keys(office: &Office) -> Vec<(&'static str, Option<String>)> {
    let wide = |scopes: &'static [Scope]| office.key(scopes, None);
    let bound = |scopes: &'static [Scope]| office.key(scopes, Some(office.engagement));
    let revoked = wide(&EVERYTHING).await;
    office.revoke(&revoked).await;
    let mut wrong_secret = office.w.clone();
    wrong_secret.replace_range(20..21, if &wrong_secret[20..21] == "a" { "b" } else { "a" });
    vec![
        ("no key", None),
        ("garbage", Some("ph_garbage".to_owned())),
        ("a wrong secret", Some(wrong_secret)),
        ("revoked", Some(revoked)),
        ("expired", Some(expired(office).await)),
        ("of a suspended engagement", Some(suspended(office).await)),
        ("bound, that submits only", Some(bound(&[Scope::SubmitTurnover]).await)),
        ("bound, that sees money only", Some(bound(&[Scope::ReadMoney]).await)),
        ("of the TVs", Some(wide(&[Scope::Tv]).await)),
        ("that writes only", Some(wide(&[Scope::Write]).await)),
        ("that submits only", Some(wide(&[Scope::SubmitTurnover]).await)),
        ("that sees money only", Some(wide(&[Scope::ReadMoney]).await)),
        ("R", Some(office.r.clone())),
        ("W", Some(office.w.clone())),
        ("V", Some(office.v.clone())),
        ("M", Some(office.m.clone())),
        ("of another house", Some(of_another_house(office).await)),
    ]
}

async fn expired(office: &Office) -> String {
    let order = Order::CreateKey {
        owner: KeyOwner::House(office.house.to_string()),
        label: "short".to_owned(),
        scopes: Scopes::of(&EVERYTHING),
        tvs: vec![],
        account: None,
        engagement: None,
        expires_at: Some(Timestamp::now() + 1.second()),
    };
    let Ok(OrderReply::NewKey(created)) = office.town.order(order).await else { panic!("a key") };
    let key = created.plain.reveal().to_owned();
    // The clock is the real one here, so the key is asked again until its second is over.
    let ends = async { while office.get(&key, "/production").await.status != 401 {} };
    tokio::time::timeout(common::PATIENCE, ends).await.unwrap();
    key
}

async fn suspended(office: &Office) -> String {
    let id = office.put_sound_engagement(EngagementStatus::Active).await;
    let key = office.key(&[Scope::Read, Scope::SubmitTurnover], Some(id)).await;
    assert_eq!(office.get(&key, "/turnovers").await.status, 200);
    office.put_sound_engagement(EngagementStatus::Suspended).await;
    key
}

async fn of_another_house(office: &Office) -> String {
    let house = office.town.house("Elsewhere").await;
    office.town.key(&house, &EVERYTHING).await
}

async fn over_rest(office: &Office, ask: &Ask, key: Option<&str>) -> Answer {
    let url = office.url(&ask.path);
    let sent = match ask.endpoint.method {
        Method::Get => office.town.http.get(url),
        Method::Post => office.town.http.post(url).multipart(form(&FILES)),
    };
    office.town.send(with_key(sent, key)).await
}

async fn over_mcp(office: &Office, ask: &Ask, key: Option<&str>) -> Answer {
    let params = json!({ "name": ask.endpoint.tool, "arguments": ask.arguments });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let sent = office.town.http.post(office.town.url("/mcp")).json(&message);
    office.town.send(with_key(sent, key)).await
}

fn with_key(request: reqwest::RequestBuilder, key: Option<&str>) -> reqwest::RequestBuilder {
    match key {
        Some(key) => request.bearer_auth(key),
        None => request,
    }
}

#[actix_web::test]
async fn every_endpoint_that_has_a_tool_answers_every_key_alike_at_both_doors() {
    let office = Office::open().await;
    let asks = asks(&office).await;
    let mut n_refused = 0;
    for (shape, key) in keys(&office).await {
        for ask in &asks {
            let case = format!("{} {} ({}) with a key {shape}", ask.endpoint.method.as_str(), ask.path, ask.what);
            let (rest, mcp) =
                (over_rest(&office, ask, key.as_deref()).await, over_mcp(&office, ask, key.as_deref()).await);
            if rest.status >= 400 {
                n_refused += 1;
                assert_eq!((mcp.status, mcp.text.as_str()), (rest.status, rest.text.as_str()), "{case}");
            } else {
                same_document(&case, &rest, &mcp);
            }
        }
    }
    assert!(n_refused > asks.len() * 5, "most shapes of key are refused somewhere");
    office.town.stop().await;
}

/// The tool's answer is the REST body, laid out as text and, where it is an object, as structured content.
fn same_document(case: &str, rest: &Answer, mcp: &Answer) {
    assert_eq!(mcp.status, 200, "{case}: {mcp:?}");
    let result = mcp.result();
    let text = result["content"][0]["text"].as_str().unwrap();
    // A submission of the same files is answered with the first one, so even these are the same.
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), rest.json(), "{case}");
    let structured = result.get("structuredContent");
    assert_eq!(structured.is_some(), rest.json().is_object(), "{case}");
    assert_eq!((&result["isError"], &result["content"][0]["type"]), (&json!(false), &json!("text")), "{case}");
}

#[actix_web::test]
async fn every_resource_answers_every_key_as_its_endpoint_does() {
    let office = Office::open().await;
    let resources = [
        ("production", "/production"),
        ("departments", "/departments"),
        ("schedule", "/schedule"),
        ("script", "/scenes"),
        ("deliveries", "/deliveries"),
        ("approvals", "/approvals"),
    ];
    for (shape, key) in keys(&office).await {
        for (name, path) in resources {
            for uri in [format!("playhouse://{name}"), format!("throughline://{name}")] {
                let case = format!("{uri} with a key {shape}");
                let rest = office.town.send(with_key(office.town.http.get(office.url(path)), key.as_deref())).await;
                let message =
                    json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": { "uri": uri } });
                let sent = office.town.http.post(office.town.url("/mcp")).json(&message);
                let mcp = office.town.send(with_key(sent, key.as_deref())).await;
                if rest.status >= 400 {
                    assert_eq!((mcp.status, mcp.text.as_str()), (rest.status, rest.text.as_str()), "{case}");
                } else {
                    let contents = mcp.result()["contents"].clone();
                    assert_eq!(
                        (&contents[0]["uri"], &contents[0]["mimeType"]),
                        (&json!(uri), &json!("application/json"))
                    );
                    let text = contents[0]["text"].as_str().unwrap();
                    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), rest.json(), "{case}");
                }
            }
        }
    }
    office.town.stop().await;
}

#[actix_web::test]
async fn both_base_paths_answer_the_same_bytes() {
    let office = Office::open().await;
    for path in ["/production", "/scenes", "/assets?kind=vfx", "/assets/0", "/turnovers?x=1", "/nothing"] {
        let one = office.get(&office.w, path).await;
        let other = office.town.http.get(office.town.url(&format!("/api/v1{path}"))).bearer_auth(&office.w);
        let other = office.town.send(other).await;
        assert_eq!((one.status, one.text), (other.status, other.text), "{path}");
    }
    office.town.stop().await;
}

#[actix_web::test]
async fn a_key_without_a_production_in_its_house_is_told_so_at_both_doors() {
    let town = Town::start().await;
    let house = town.house("Empty").await;
    let key = town.key(&house, &[Scope::Read]).await;
    let rest = town.send(town.http.get(town.url("/v1/production")).bearer_auth(&key)).await;
    let mcp = town.call(&key, "get_production", json!({})).await;
    assert_eq!((rest.status, rest.text.as_str()), (404, r#"{"detail":"Production not found."}"#));
    assert_eq!((mcp.status, mcp.text), (rest.status, rest.text));
    town.stop().await;
}
