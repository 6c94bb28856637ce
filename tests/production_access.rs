//! Who may do what in a production office: every endpoint against every shape of key, and what is answered besides.
//!
//! An endpoint that is not in the table here fails the tests: whoever adds one has to say who may use it.

mod common;
mod production;

use common::{Answer, Town};
use playhouse::rest::office::{BASES, Door, ENDPOINTS, openapi_document};
use playhouse_house::{Scope, Scopes};
use production::{EVERYTHING, Office, form};
use serde_json::{Value, json};

use Door::{Either, Production};
use Scope::{Read, ReadMoney, SubmitTurnover, Write};

/// Method, path, scope and door, as the specification has them.
const ENDPOINTS_WANTED: [(&str, &str, Scope, Door); 24] = [
    ("GET", "/production", Read, Production),
    ("GET", "/departments", Read, Production),
    ("GET", "/departments/{slug}", Read, Production),
    ("GET", "/scenes", Read, Production),
    ("GET", "/assets", Read, Production),
    ("GET", "/assets/{node_id}", Read, Production),
    ("GET", "/schedule", Read, Production),
    ("GET", "/deliveries", Read, Production),
    ("GET", "/approvals", Read, Production),
    ("GET", "/activity", Read, Production),
    ("GET", "/purchase-orders", ReadMoney, Either),
    ("GET", "/bundles/scene/{node_id}", Read, Either),
    ("GET", "/bundles/character/{node_id}", Read, Either),
    ("GET", "/turnovers", Read, Either),
    ("POST", "/turnovers/{id}/submissions", SubmitTurnover, Either),
    ("GET", "/script-changes", Read, Production),
    ("GET", "/people", Read, Production),
    ("GET", "/jobs", Read, Production),
    ("GET", "/media/{id}", Read, Either),
    ("GET", "/media/{id}/content", Read, Either),
    ("POST", "/assets", Write, Production),
    ("POST", "/assets/{node_id}/notes", Write, Production),
    ("POST", "/approvals/{id}/decide", Write, Production),
    ("POST", "/imports/{kind}", Write, Production),
];

const SCOPE_SETS: [&[Scope]; 7] =
    [&[Scope::Media], &[Read], &[Write], &[ReadMoney], &[SubmitTurnover], &[Scope::Tv, Scope::HouseAdmin], &EVERYTHING];

#[test]
fn every_endpoint_is_in_the_table_with_its_scope_and_door() {
    let served: Vec<_> = ENDPOINTS.iter().map(|it| (it.method.as_str(), it.path, it.scope, it.door)).collect();
    assert_eq!(served, ENDPOINTS_WANTED);
}

#[test]
fn every_tool_has_the_scope_of_its_endpoint() {
    let tools = playhouse::docs::all_tools().expect("tools");
    let with_tools: Vec<_> = ENDPOINTS.iter().filter_map(|endpoint| Some((endpoint.tool?, endpoint.scope))).collect();
    assert_eq!(with_tools.len(), 15);
    for (name, scope) in with_tools {
        let tool = tools.iter().find(|tool| tool.name == name).unwrap_or_else(|| panic!("no tool {name}"));
        assert_eq!(tool.scope, scope.as_str(), "{name}");
        assert_eq!(tool.annotations["readOnlyHint"], name != "submit_turnover", "{name}");
        assert_eq!(tool.annotations["destructiveHint"], false, "{name}");
        assert_eq!(tool.input["additionalProperties"], false, "{name}");
    }
}

#[actix_web::test]
async fn every_endpoint_answers_every_key_by_its_scope_and_door_and_nothing_else() {
    let office = Office::open().await;
    let mut keys = vec![
        ("no key".to_owned(), None, Scopes::NONE, false),
        ("nonsense".to_owned(), Some("ph_nonsense".to_owned()), Scopes::NONE, false),
    ];
    for scopes in SCOPE_SETS {
        for engagement in [None, Some(office.engagement)] {
            let is_bound = engagement.is_some();
            // A key that is bound to an engagement holds the office's scopes only, and never `write`.
            if is_bound && scopes.iter().any(|scope| ![Read, ReadMoney, SubmitTurnover].contains(scope)) {
                continue;
            }
            let key = office.key(scopes, engagement).await;
            keys.push((format!("{scopes:?}, bound: {is_bound}"), Some(key), Scopes::of(scopes), is_bound));
        }
    }
    for base in BASES {
        for (method, path, scope, door) in ENDPOINTS_WANTED {
            for (label, key, scopes, is_bound) in &keys {
                let answer = ask(&office.town, method, &format!("{base}{path}"), key.as_deref()).await;
                let is_no_key = label == "no key" || label == "nonsense";
                let expected = match (is_no_key, scopes.contains(scope), *is_bound && door == Production) {
                    (true, ..) => Err(401),
                    (false, false, _) => Err(403),
                    (false, true, true) => Err(403),
                    (false, true, false) => Ok(()),
                };
                let case = format!("{method} {base}{path} with {label}: {answer:?}");
                match expected {
                    Ok(()) => assert!(!matches!(answer.status, 401 | 403), "{case}"),
                    Err(status) => assert_eq!(answer.status, status, "{case}"),
                }
                if answer.status == 403 && !scopes.contains(scope) {
                    let detail = format!("This key does not have the '{scope}' scope.");
                    assert_eq!(answer.json(), json!({ "detail": detail }), "{case}");
                } else if answer.status == 403 {
                    let detail = "This key is bound to an engagement and cannot use this endpoint.";
                    assert_eq!(answer.json(), json!({ "detail": detail }), "{case}");
                }
            }
        }
    }
    office.town.stop().await;
}

async fn ask(town: &Town, method: &str, path: &str, key: Option<&str>) -> Answer {
    let path =
        path.replace("{slug}", "vfx").replace("{node_id}", "4711").replace("{id}", "4711").replace("{kind}", "people");
    let url = town.url(&path);
    let sent = match method {
        "GET" => town.http.get(url),
        _ if path.ends_with("/submissions") => town.http.post(url).multipart(form(&[("a.mov", b"x")])),
        _ if path.contains("/imports/") => town.http.post(url).body("name,role\n"),
        _ => town.http.post(url).json(&json!({})),
    };
    town.send(match key {
        Some(key) => sent.bearer_auth(key),
        None => sent,
    })
    .await
}

#[actix_web::test]
async fn an_unknown_path_is_404_another_method_405_and_no_key_401_before_that() {
    let office = Office::open().await;
    let nothing = office.get(&office.r, "/nothing").await;
    assert_eq!((nothing.status, nothing.json()), (404, json!({ "detail": "Not found." })));
    let without_key = office.town.send(office.town.http.get(office.url("/nothing"))).await;
    assert_eq!((without_key.status, without_key.json()), (401, json!({ "detail": "Missing access key." })));
    for (method, path, allowed) in [
        (reqwest::Method::DELETE, "/production", "GET"),
        (reqwest::Method::PUT, "/assets", "GET, POST"),
        (reqwest::Method::GET, "/approvals/1/decide", "POST"),
        (reqwest::Method::POST, "/media/1/content", "GET, HEAD"),
    ] {
        let answer = office.town.send(office.town.http.request(method, office.url(path)).bearer_auth(&office.w)).await;
        assert_eq!((answer.status, answer.header("allow")), (405, Some(allowed)), "{path}");
    }
    office.town.stop().await;
}

#[actix_web::test]
async fn a_read_that_the_client_has_already_is_304_and_one_that_changed_is_not() {
    let office = Office::open().await;
    let first = office.get(&office.w, "/assets").await;
    let etag = first.header("etag").expect("a tag").to_owned();
    let again =
        |tag: &str| office.town.http.get(office.url("/assets")).bearer_auth(&office.w).header("If-None-Match", tag);
    let known = office.town.send(again(&etag)).await;
    assert_eq!((known.status, known.text.as_str(), known.header("etag")), (304, "", Some(etag.as_str())));
    let asset = json!({ "name": "Lantern", "kind": "prop", "department": "props" });
    assert_eq!(office.post(&office.w, "/assets", &asset).await.status, 201);
    let changed = office.town.send(again(&etag)).await;
    assert_eq!(changed.status, 200);
    assert_ne!(changed.header("etag"), Some(etag.as_str()));
    office.town.stop().await;
}

/// The committed document; `UPDATE_OPENAPI=1` writes it anew.
const SNAPSHOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/production/openapi.json");

#[test]
fn the_openapi_document_is_the_committed_one() {
    let made = format!("{}\n", serde_json::to_string_pretty(&openapi_document()).expect("JSON"));
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        std::fs::write(SNAPSHOT, &made).expect("the snapshot");
    }
    let committed = std::fs::read_to_string(SNAPSHOT).expect("the snapshot; make it with UPDATE_OPENAPI=1");
    assert!(
        committed == made,
        "the API changed: look at the difference, then make the snapshot anew with UPDATE_OPENAPI=1"
    );
}

#[test]
fn every_reference_of_the_openapi_document_leads_somewhere() {
    let document = openapi_document();
    let mut references = Vec::new();
    collect_references(&document, &mut references);
    assert!(!references.is_empty());
    for reference in references {
        let pointer = reference.strip_prefix('#').expect("within the document");
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

fn collect_references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|inner| collect_references(inner, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| collect_references(inner, found)),
        _ => {}
    }
}

#[actix_web::test]
async fn the_openapi_document_is_served_to_anybody() {
    let town = Town::start().await;
    let answer = town.send(town.http.get(town.url("/openapi.json"))).await;
    assert_eq!((answer.status, answer.json()), (200, openapi_document()));
    town.stop().await;
}
