//! Who may do what, whole: every tool and every address against every shape of key.
//!
//! A tool or an address that is not in the tables here fails the tests: whoever adds one has to say who may use it.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use common::{Answer, Town};
use jiff::{Timestamp, ToSpan};
use playhouse::control::{KeyOwner, Order, OrderReply};
use playhouse_house::{Scope, Scopes};
use playhouse_standins::SimulatedTv;
use serde_json::{Value, json};

/// The scope of every tool, and arguments that are in order for it.
fn tools() -> Vec<(&'static str, Scope, Value)> {
    vec![
        // Listed to nobody outside the app's own chat, and refused in words: see `proposals_tools.rs`.
        (
            "apply_profile_change",
            Scope::MediaAdmin,
            json!({ "change_reference": "profile_change_".to_owned() + &"A".repeat(43) }),
        ),
        ("diagnose_queue", Scope::MediaAdmin, json!({})),
        ("execute_manual_import", Scope::MediaAdmin, json!({ "queue_id": 1, "media_type": "movie" })),
        ("get_album_timeline", Scope::MediaAdmin, json!({ "media_type": "music", "album_id": 1 })),
        ("get_arr_health", Scope::MediaAdmin, json!({})),
        ("get_asset", Scope::Read, json!({ "node_id": 1 })),
        ("get_book_timeline", Scope::MediaAdmin, json!({ "media_type": "book", "book_id": 1 })),
        ("get_calendar", Scope::MediaAdmin, json!({})),
        ("get_character_bundle", Scope::Read, json!({ "node_id": 1 })),
        ("get_custom_formats", Scope::MediaAdmin, json!({ "service": "radarr" })),
        ("get_department", Scope::Read, json!({ "slug": "vfx" })),
        ("get_disk_space", Scope::MediaAdmin, json!({})),
        ("get_episode_timeline", Scope::MediaAdmin, json!({ "media_type": "tv", "tmdb_id": 1 })),
        ("get_history", Scope::MediaAdmin, json!({ "media_type": "movie" })),
        ("get_library", Scope::MediaAdmin, json!({ "media_type": "movie" })),
        ("get_manual_import_candidates", Scope::MediaAdmin, json!({ "queue_id": 1, "media_type": "movie" })),
        ("get_media_file_details", Scope::MediaAdmin, json!({ "media_type": "movie", "tmdb_id": 1 })),
        ("get_production", Scope::Read, json!({})),
        ("get_purchase_orders", Scope::ReadMoney, json!({})),
        ("get_quality_profiles", Scope::MediaAdmin, json!({ "service": "radarr" })),
        ("get_queue", Scope::MediaAdmin, json!({})),
        ("get_scene_bundle", Scope::Read, json!({ "node_id": 1 })),
        ("get_schedule", Scope::Read, json!({})),
        ("get_service_config", Scope::MediaAdmin, json!({ "service": "radarr", "section": "indexers" })),
        (
            "grab_release",
            Scope::MediaAdmin,
            json!({ "guid": "[REDACTED release sha256:0123456789abcdef]", "indexer_id": 1, "media_type": "movie", "tmdb_id": 1 }),
        ),
        ("list_activity", Scope::Read, json!({})),
        ("list_approvals", Scope::Read, json!({})),
        ("list_arr_instances", Scope::MediaAdmin, json!({})),
        ("list_assets", Scope::Read, json!({})),
        ("list_deliveries", Scope::Read, json!({})),
        ("list_departments", Scope::Read, json!({})),
        ("list_scenes", Scope::Read, json!({})),
        ("list_turnovers", Scope::Read, json!({})),
        (
            "preview_profile_change",
            Scope::MediaAdmin,
            json!({ "service": "radarr", "profile_id": 1, "changes": { "upgrade_allowed": true } }),
        ),
        (
            "remediate_queue_item",
            Scope::MediaAdmin,
            json!({ "queue_id": 1, "media_type": "movie", "action": "remove" }),
        ),
        ("remove_queue_item", Scope::MediaAdmin, json!({ "queue_id": 1, "media_type": "movie" })),
        ("rescan_media", Scope::MediaAdmin, json!({ "media_type": "movie", "tmdb_id": 1 })),
        ("search_releases", Scope::MediaAdmin, json!({ "media_type": "movie", "tmdb_id": 1 })),
        (
            "submit_turnover",
            Scope::SubmitTurnover,
            json!({ "delivery_id": 1, "files": [{ "filename": "a.mov", "content_base64": "AA==" }] }),
        ),
        ("trigger_search", Scope::MediaAdmin, json!({ "media_type": "movie", "tmdb_id": 1 })),
        ("tv_claim_device", Scope::HouseAdmin, json!({ "code": "00000000" })),
        ("tv_control_playback", Scope::Tv, json!({ "action": "pause" })),
        ("tv_gesture", Scope::Tv, json!({ "x": 0.5, "y": 0.5 })),
        ("tv_get_playback", Scope::Tv, json!({})),
        ("tv_get_volume", Scope::Tv, json!({})),
        ("tv_launch_app", Scope::Tv, json!({ "data": "https://example.org" })),
        ("tv_list_apps", Scope::Tv, json!({})),
        ("tv_list_devices", Scope::Tv, json!({})),
        ("tv_observe", Scope::Tv, json!({})),
        ("tv_play_title", Scope::Tv, json!({ "title": "Inception" })),
        ("tv_resolve_title", Scope::Tv, json!({ "title": "Inception" })),
        ("tv_send_key", Scope::Tv, json!({ "key": "HOME" })),
        ("tv_set_captions", Scope::Tv, json!({ "enabled": true })),
        ("tv_set_volume", Scope::Tv, json!({ "level": 10 })),
        ("tv_subtitle", Scope::Tv, json!({ "text": "hello" })),
        ("tv_type", Scope::Tv, json!({ "text": "hello" })),
        (
            "upsert_custom_format",
            Scope::MediaAdmin,
            json!({ "service": "radarr", "custom_format": { "name": "x265", "specifications": [] } }),
        ),
    ]
}

/// Whether a tool belongs to the app's own chat: it answers its scope as every tool does, and is listed to nobody.
fn is_in_app_only(tool: &str) -> bool {
    tool == "apply_profile_change"
}

/// Who may use an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Anybody.
    Public,
    /// Any live key or assistant's token.
    AnyKey,
    /// Keys with the scope.
    Scoped(Scope),
    /// A TV's own bridge token.
    Bridge,
    /// Anybody where open pairing is on, otherwise keys with `house:admin`.
    Pairing,
}

/// Every address with each method it takes. Those of the production office are in `production_access.rs`.
const ADDRESSES: [(&str, &str, Access); 40] = [
    ("GET", "/.well-known/oauth-protected-resource", Access::Public),
    ("GET", "/.well-known/{rest:.*}", Access::Public),
    ("POST", "/api/mcp", Access::AnyKey),
    ("GET", "/bridge", Access::Bridge),
    ("GET", "/bridge/update", Access::Public),
    ("GET", "/claim", Access::Public),
    ("POST", "/claim", Access::Pairing),
    ("GET", "/claim/copy.js", Access::Public),
    ("GET", "/claim/style.css", Access::Public),
    ("GET", "/healthz", Access::Public),
    ("POST", "/mcp", Access::AnyKey),
    ("POST", "/mcp/", Access::AnyKey),
    ("GET", "/openapi.json", Access::Public),
    ("POST", "/pair/claim", Access::Pairing),
    ("POST", "/pair/init", Access::Public),
    ("GET", "/readyz", Access::Public),
    ("GET", "/v1/configuration-history", Access::Scoped(Scope::HouseAdmin)),
    ("GET", "/v1/configuration-history/{id}", Access::Scoped(Scope::HouseAdmin)),
    ("POST", "/v1/configuration-history/{id}/restore", Access::Scoped(Scope::HouseAdmin)),
    ("GET", "/v1/events", Access::Scoped(Scope::HouseAdmin)),
    ("GET", "/v1/health/actors", Access::Scoped(Scope::Operator)),
    ("GET", "/v1/instances", Access::Scoped(Scope::HouseAdmin)),
    ("POST", "/v1/instances", Access::Scoped(Scope::HouseAdmin)),
    ("POST", "/v1/instances/test", Access::Scoped(Scope::HouseAdmin)),
    ("GET", "/v1/instances/{id}", Access::Scoped(Scope::HouseAdmin)),
    ("PATCH", "/v1/instances/{id}", Access::Scoped(Scope::HouseAdmin)),
    ("PUT", "/v1/instances/{id}", Access::Scoped(Scope::HouseAdmin)),
    ("DELETE", "/v1/instances/{id}", Access::Scoped(Scope::HouseAdmin)),
    ("PUT", "/v1/instances/{id}/default", Access::Scoped(Scope::HouseAdmin)),
    ("PUT", "/v1/instances/{id}/grants/{account}", Access::Scoped(Scope::HouseAdmin)),
    ("DELETE", "/v1/instances/{id}/grants/{account}", Access::Scoped(Scope::HouseAdmin)),
    ("POST", "/v1/instances/{id}/test", Access::Scoped(Scope::HouseAdmin)),
    ("GET", "/v1/proposals", Access::Scoped(Scope::HouseAdmin)),
    ("GET", "/v1/proposals/{id}", Access::Scoped(Scope::HouseAdmin)),
    ("POST", "/v1/proposals/{id}/approve", Access::Scoped(Scope::HouseAdmin)),
    ("POST", "/v1/proposals/{id}/reject", Access::Scoped(Scope::HouseAdmin)),
    ("GET", "/v1/tools", Access::Scoped(Scope::HouseAdmin)),
    ("PUT", "/v1/tools/{name}", Access::Scoped(Scope::HouseAdmin)),
    ("POST", "/waitlist", Access::Public),
    // On the listener of its own, which is not reached from here.
    ("GET", "/metrics", Access::Public),
];

/// The shapes that a key comes in.
struct Keys {
    /// Label, key and what it may do; no scopes at all for a key that no door takes.
    shapes: Vec<(&'static str, Option<String>, Scopes)>,
    _tvs: Vec<SimulatedTv>,
}

async fn keys(town: &Town) -> Keys {
    let house = town.house("Kestrel Street").await;
    let owner = || KeyOwner::House(house.clone());
    let admin = town.key(&house, &[Scope::HouseAdmin]).await;
    let (tv, token) = town.tv(&admin, "living-room").await;
    let bridge_token = tv.pairing().unwrap().token;

    let revoked = town.key(&house, &Scope::ALL[..8]).await;
    revoke(town, owner(), &revoked).await;
    let mut shapes = vec![
        ("no key", None, Scopes::NONE),
        ("nonsense", Some("ph_nonsense".to_owned()), Scopes::NONE),
        ("revoked", Some(revoked), Scopes::NONE),
        ("bridge token", Some(bridge_token), Scopes::NONE),
        ("assistant's TV token", Some(token), Scopes::of(&[Scope::Tv])),
        ("operator", Some(town.operator_key().await), Scopes::of(&[Scope::Operator])),
        ("everything a house may give", Some(town.key(&house, &Scope::ALL[..8]).await), Scopes::of(&Scope::ALL[..8])),
    ];
    for scope in Scope::ALL.into_iter().filter(|scope| *scope != Scope::Operator) {
        shapes.push((scope.as_str(), Some(town.key(&house, &[scope]).await), Scopes::of(&[scope])));
    }
    Keys { shapes, _tvs: vec![tv] }
}

async fn revoke(town: &Town, owner: KeyOwner, key: &str) {
    let id = key.split('_').nth(1).unwrap().parse().unwrap();
    assert!(matches!(town.order(Order::RevokeKey { owner, id }).await, Ok(OrderReply::Key(_))));
}

async fn call_as(town: &Town, key: Option<&str>, tool: &str, arguments: &Value) -> Answer {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": arguments } });
    let mut post = town.http.post(town.url("/mcp")).json(&body);
    if let Some(key) = key {
        post = post.bearer_auth(key);
    }
    town.send(post).await
}

#[actix_web::test]
async fn every_tool_is_in_the_table_with_its_scope() {
    let listed: Vec<(String, String)> = playhouse::docs::all_tools()
        .unwrap()
        .iter()
        .map(|tool| (tool.name.to_owned(), tool.scope.to_owned()))
        .collect();
    let tools = tools();
    let documented = tools.iter().filter(|(name, _, _)| !is_in_app_only(name));
    let expected: Vec<(String, String)> =
        documented.map(|(name, scope, _)| ((*name).to_owned(), scope.to_string())).collect();
    assert_eq!(listed, expected, "a tool is missing here, or has another scope");
}

#[actix_web::test]
async fn every_address_in_the_source_is_in_the_table() {
    let mut found = BTreeSet::new();
    find_addresses(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut found);
    let expected: BTreeSet<String> = ADDRESSES.iter().map(|(_, path, _)| (*path).to_owned()).collect();
    assert_eq!(found, expected, "an address is missing here, or is gone from the source");
}

/// Every path that is given to actix-web as `resource("…")` or `route("…")`, and those of `/mcp`, which stand in a list.
fn find_addresses(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find_addresses(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = std::fs::read_to_string(&path).unwrap();
            // What tests register is not served.
            let source = source.split("#[cfg(test)]").next().unwrap();
            for opening in ["resource(\"", "route(\"", "for path in [\"", "\", \""] {
                let is_list = opening == "\", \"";
                if is_list && !path.ends_with("mcp/door.rs") {
                    continue;
                }
                for rest in source.split(opening).skip(1) {
                    let address = rest.split('"').next().unwrap();
                    if address.starts_with('/') {
                        found.insert(address.to_owned());
                    }
                }
            }
        }
    }
}

#[actix_web::test]
async fn every_tool_answers_every_key_by_its_scope_and_nothing_else() {
    let town = Town::start().await;
    let keys = keys(&town).await;
    for (tool, scope, arguments) in tools() {
        for (label, key, scopes) in &keys.shapes {
            let answer = call_as(&town, key.as_deref(), tool, &arguments).await;
            let expected = match (scopes.is_empty(), scopes.contains(scope)) {
                (true, _) => 401,
                (false, false) => 403,
                // There is no production in this house, so its tools say so with a status of their own.
                (false, true) if matches!(scope, Scope::Read | Scope::ReadMoney | Scope::SubmitTurnover) => {
                    answer.status
                }
                (false, true) => 200,
            };
            assert_eq!(answer.status, expected, "{tool} as {label}: {answer:?}");
            assert!(scopes.contains(scope) == !matches!(answer.status, 401 | 403), "{tool} as {label}: {answer:?}");
            if expected == 403 {
                assert_eq!(
                    answer.json()["detail"],
                    format!("This key does not have the '{scope}' scope."),
                    "{tool} as {label}"
                );
            }
        }
    }
    town.stop().await;
}

#[actix_web::test]
async fn a_tool_is_listed_for_those_who_may_call_it() {
    let town = Town::start().await;
    let keys = keys(&town).await;
    for (label, key, scopes) in keys.shapes.iter().filter(|(_, _, scopes)| !scopes.is_empty()) {
        let list = town.rpc(key.as_deref().unwrap(), "tools/list", json!({})).await.result();
        let listed: Vec<&str> =
            list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        let all = tools();
        let listable = all.iter().filter(|(name, scope, _)| scopes.contains(*scope) && !is_in_app_only(name));
        let expected: Vec<&str> = listable.map(|(name, _, _)| *name).collect();
        assert_eq!(listed, expected, "{label}");
    }
    town.stop().await;
}

#[actix_web::test]
async fn every_address_answers_every_key_by_its_access() {
    // Closed pairing, and limits that this many requests from one address do not reach.
    let town = Town::start_with(|config| {
        config.limits.pair_claim_burst = 1_000;
        config.limits.pair_init_burst = 1_000;
        config.limits.waitlist_burst = 1_000;
        config.limits.failed_claims_per_hour = 10_000;
        config.limits.failed_claims_per_hour_per_address = 10_000;
    })
    .await;
    let keys = keys(&town).await;
    for (method, path, access) in ADDRESSES.into_iter().filter(|(_, path, _)| *path != "/metrics") {
        for (label, key, scopes) in &keys.shapes {
            let answer = ask(&town, method, path, key.as_deref()).await;
            let refused = matches!(answer.status, 401 | 403);
            let may = match access {
                Access::Public => true,
                Access::AnyKey => !scopes.is_empty(),
                Access::Scoped(scope) => scopes.contains(scope),
                Access::Bridge => *label == "bridge token",
                Access::Pairing => scopes.contains(Scope::HouseAdmin),
            };
            // The form is answered as a page, with the refusal in it.
            let refused = refused || (path == "/claim" && method == "POST" && !may && answer.status >= 400);
            assert_eq!(refused, !may, "{method} {path} as {label}: {answer:?}");
            if refused && path != "/claim" {
                assert!(answer.json()["detail"].is_string(), "{method} {path} as {label}");
            }
        }
    }
    town.stop().await;
}

async fn ask(town: &Town, method: &str, path: &str, key: Option<&str>) -> Answer {
    let path = path.replace("{rest:.*}", "openid-configuration");
    let path = path.replace("{id}", "radarr-00000000").replace("{account}", "nobody");
    let mut sent = town.http.request(method.parse().unwrap(), town.url(&path));
    if let Some(key) = key {
        sent = sent.bearer_auth(key);
    }
    sent = match (method, path.as_str()) {
        ("POST", "/claim") => {
            let form = format!("code=12345678&name=den&key={}", key.unwrap_or_default());
            sent.header("Content-Type", "application/x-www-form-urlencoded").body(form)
        }
        ("POST", "/pair/claim") => sent.json(&json!({ "code": "12345678", "device_id": "den" })),
        ("POST", "/pair/init") => sent.json(&json!({})),
        ("POST", "/waitlist") => sent.json(&json!({ "email": "ada@example.org" })),
        ("POST", _) => sent.json(&json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })),
        _ => sent,
    };
    if path == "/v1/events" {
        // It goes on until somebody hangs up.
        let response = tokio::time::timeout(common::PATIENCE, sent.send()).await.unwrap().unwrap();
        return match response.status().is_success() {
            true => Answer::head_of(&response),
            false => Answer::of(response).await,
        };
    }
    town.send(sent).await
}

#[actix_web::test]
async fn a_revocation_bites_on_the_very_next_call_at_every_door() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let key = town.key(&house, &[Scope::Tv, Scope::HouseAdmin]).await;
    assert_eq!(call_as(&town, Some(&key), "tv_list_devices", &json!({})).await.status, 200);

    revoke(&town, KeyOwner::House(house), &key).await;

    let refused = json!({ "detail": "This access key was revoked." });
    let mcp = call_as(&town, Some(&key), "tv_list_devices", &json!({})).await;
    assert_eq!((mcp.status, mcp.json()), (401, refused.clone()));
    for (method, path) in [("GET", "/v1/health/actors"), ("POST", "/pair/claim")] {
        let answer = ask(&town, method, path, Some(&key)).await;
        assert_eq!((answer.status, answer.json()), (401, refused.clone()), "{path}");
    }
    town.stop().await;
}

#[actix_web::test]
async fn an_expired_key_is_told_so() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let order = Order::CreateKey {
        owner: KeyOwner::House(house),
        label: "short".into(),
        scopes: Scopes::of(&[Scope::Tv]),
        tvs: vec![],
        account: None,
        engagement: None,
        expires_at: Some(Timestamp::now() + 1.second()),
    };
    let Ok(OrderReply::NewKey(created)) = town.order(order).await else { panic!("a key") };
    let key = created.plain.reveal().to_owned();
    // The clock is the real one here, so the key is asked again until its second is over.
    let refused = async {
        loop {
            let answer = call_as(&town, Some(&key), "tv_list_devices", &json!({})).await;
            if answer.status != 200 {
                return answer;
            }
        }
    };
    let answer = tokio::time::timeout(common::PATIENCE, refused).await.unwrap();
    assert_eq!((answer.status, answer.json()), (401, json!({ "detail": "This access key has expired." })));
    town.stop().await;
}

#[actix_web::test]
async fn houses_never_see_each_other() {
    let town = Town::start().await;
    let (one, other) = (town.house("One").await, town.house("Other").await);
    let admin = town.key(&one, &[Scope::Tv, Scope::HouseAdmin]).await;
    let (tv, _) = town.tv(&admin, "living-room").await;
    let (second, _) = town.tv(&admin, "bedroom").await;
    let stranger = town.key(&other, &[Scope::Tv, Scope::HouseAdmin]).await;

    assert_eq!(town.ask(&stranger, "tv_list_devices", json!({})).await, json!({ "devices": [] }));
    // A TV of another house and one that there is not are refused alike.
    let theirs = town.call(&stranger, "tv_send_key", json!({ "key": "HOME", "tv": "living-room" })).await;
    let nobodys = town.call(&stranger, "tv_send_key", json!({ "key": "HOME", "tv": "no-such-room" })).await;
    assert_eq!(theirs.text.replace("living-room", "NAME"), nobodys.text.replace("no-such-room", "NAME"));
    assert!(tv.world().keys.is_empty() && second.world().keys.is_empty());
    town.stop().await;
}

#[actix_web::test]
async fn a_key_granted_some_tvs_sees_exactly_their_names_and_a_tv_token_no_argument() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let admin = town.key(&house, &[Scope::Tv, Scope::HouseAdmin]).await;
    let mut tvs = Vec::new();
    for name in ["living-room", "bedroom", "kitchen"] {
        tvs.push(town.tv(&admin, name).await);
    }
    let some = town.key_for(KeyOwner::House(house.clone()), &[Scope::Tv], &["kitchen", "bedroom"]).await;
    let one = town.key_for(KeyOwner::House(house), &[Scope::Tv], &["kitchen"]).await;

    let names = |list: Value| {
        let tools = list["tools"].as_array().unwrap().clone();
        let key = tools.iter().find(|tool| tool["name"] == "tv_send_key").unwrap();
        key["inputSchema"]["properties"].get("tv").map(|tv| tv["enum"].clone())
    };
    let listed = async |key: String| names(town.rpc(&key, "tools/list", json!({})).await.result());
    assert_eq!(listed(admin).await, Some(json!(["bedroom", "kitchen", "living-room"])));
    assert_eq!(listed(some.clone()).await, Some(json!(["bedroom", "kitchen"])));
    assert_eq!(listed(one.clone()).await, None);
    assert_eq!(listed(tvs[0].1.clone()).await, None);

    let beyond = town.failure(&some, "tv_send_key", json!({ "key": "HOME", "tv": "living-room" })).await;
    assert!(beyond.contains(r#"expected one of "bedroom", "kitchen""#), "{beyond}");
    for (key, pressed_on) in [(one, 2), (tvs[0].1.clone(), 0)] {
        assert_eq!(town.ask(&key, "tv_send_key", json!({ "key": "HOME" })).await["pressed"], 1);
        assert_eq!(tvs[pressed_on].0.world().keys, ["HOME"]);
    }
    let refused = town.failure(&tvs[0].1, "tv_send_key", json!({ "key": "HOME", "device_id": "kitchen" })).await;
    assert!(refused.contains("device_id"), "{refused}");
    town.stop().await;
}
