//! The libraries of a house: added, tested, chosen and taken away, at every door.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod common;

use std::collections::BTreeSet;

use common::Town;
use common::library::{KEY, LibraryHouse, prose_of, service};
use playhouse::control::{AccountOrder, InstanceOrder, KeyOwner, Order, OrderReply};
use playhouse_house::{AccountId, Role, Scope, Scopes};
use playhouse_library::Service;
use playhouse_standins::{ArrKind, ArrSettings, ArrStandin, Library, Misbehaviour};
use reqwest::Method;
use serde_json::{Value, json};

fn radarr() -> ArrStandin {
    ArrStandin::start(ArrKind::Radarr, Library::empty(ArrKind::Radarr))
}

fn body(standin: &ArrStandin, name: &str) -> Value {
    let service = service(standin.kind()).key();
    json!({ "service": service, "name": name, "url": standin.url().as_str(), "api_key": standin.api_key() })
}

/// Adds over REST; answers the library's id.
async fn add(house: &LibraryHouse, body: Value) -> String {
    let added = house.rest(Method::POST, "/v1/instances", Some(body)).await;
    assert_eq!(added.status, 201, "{added:?}");
    added.json()["id"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn a_library_is_added_listed_edited_and_removed_over_rest_and_its_key_never_comes_out() {
    let house = LibraryHouse::empty().await;
    let standin = radarr();

    let added = house.rest(Method::POST, "/v1/instances", Some(body(&standin, "Films"))).await;
    assert_eq!(added.status, 201, "{added:?}");
    let id = added.json()["id"].as_str().unwrap().to_owned();
    assert!(id.strip_prefix("radarr-").is_some_and(|digits| digits.len() == 8), "{id}");
    assert_eq!(added.json()["connected"]["app_name"], "Radarr");

    let edited = house.rest(Method::PATCH, &format!("/v1/instances/{id}"), Some(json!({ "name": "4K" }))).await;
    let listed = house.rest(Method::GET, "/v1/instances", None).await;
    let shown = house.rest(Method::GET, &format!("/v1/instances/{id}"), None).await;
    for answer in [&added, &edited, &listed, &shown] {
        assert!(!answer.text.contains(KEY), "{answer:?}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{answer:?}");
    }
    assert_eq!(listed.json()["instances"][0]["name"], "4K");
    assert_eq!((&shown.json()["is_default"], &shown.json()["has_api_key"]), (&json!(true), &json!(true)));

    let removed = house.rest(Method::DELETE, &format!("/v1/instances/{id}"), None).await;
    assert_eq!(removed.status, 204);
    for (method, path) in [
        (Method::GET, format!("/v1/instances/{id}")),
        (Method::DELETE, format!("/v1/instances/{id}")),
        (Method::GET, "/v1/instances/radarr-00000000".to_owned()),
        (Method::GET, "/v1/instances/nonsense".to_owned()),
    ] {
        let gone = house.rest(method, &path, None).await;
        assert_eq!((gone.status, gone.text.as_str()), (404, missing().as_str()), "{path}");
    }
    house.town.stop().await;
}

fn missing() -> String {
    json!({ "detail": "This house has no such instance; list its instances to see their ids." }).to_string()
}

#[actix_web::test]
async fn a_removed_library_is_unknown_on_the_very_next_call() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let asked = json!({ "media_type": "movie", "instance_id": id });
    assert_eq!(house.ask("get_arr_health", asked.clone()).await["outcome"], "answered");
    standin.forget_requests();

    assert_eq!(house.rest(Method::DELETE, &format!("/v1/instances/{id}"), None).await.status, 204);

    let answer = house.ask("get_arr_health", asked).await;
    assert_eq!((&answer["outcome"], &answer["code"]), (&json!("refused"), &json!("instance_unknown")));
    assert_eq!(standin.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn a_new_address_holds_for_the_very_next_call() {
    let (house, old, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let new = ArrStandin::start_with(
        ArrKind::Radarr,
        ArrSettings { api_key: "0".repeat(32), ..ArrSettings::default() },
        Library::empty(ArrKind::Radarr),
    );
    house.ask("get_arr_health", json!({ "media_type": "movie" })).await;
    old.forget_requests();

    let changes = json!({ "url": new.url().as_str(), "api_key": new.api_key() });
    assert_eq!(house.rest(Method::PATCH, &format!("/v1/instances/{id}"), Some(changes)).await.status, 200);
    new.forget_requests();
    house.ask("get_arr_health", json!({ "media_type": "movie" })).await;

    assert_eq!((old.n_requests(), new.n_requests()), (0, 1));
    house.town.stop().await;
}

#[actix_web::test]
async fn a_blank_key_on_an_edit_keeps_the_stored_one() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let whole = json!({ "name": "Films", "url": standin.url().as_str(), "api_key": "  " });
    let edited = house.rest(Method::PUT, &format!("/v1/instances/{id}"), Some(whole)).await;
    assert_eq!(edited.status, 200, "{edited:?}");
    assert_eq!(house.ask("get_arr_health", json!({ "media_type": "movie" })).await["outcome"], "answered");
    house.town.stop().await;
}

#[actix_web::test]
async fn a_library_keeps_its_service() {
    let (house, _standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let changes = Some(json!({ "service": "sonarr" }));
    let refused = house.rest(Method::PATCH, &format!("/v1/instances/{id}"), changes).await;
    assert_eq!(refused.status, 400, "{refused:?}");
    assert!(refused.json()["detail"].as_str().unwrap().contains("this one is Radarr"), "{refused:?}");
    house.town.stop().await;
}

/// What an application that is not as it should be makes of a connection test.
#[actix_web::test]
async fn the_connection_test_tells_apart_what_is_wrong() {
    let house = LibraryHouse::empty().await;
    let old = |kind, version: &str| {
        let settings = ArrSettings { version: Some(version.to_owned()), ..ArrSettings::default() };
        ArrStandin::start_with(kind, settings, Library::empty(kind))
    };
    let based = ArrStandin::start_with(
        ArrKind::Radarr,
        ArrSettings { url_base: "/radarr".to_owned(), ..ArrSettings::default() },
        Library::empty(ArrKind::Radarr),
    );
    let standin = radarr();
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let mut without_base = based.url();
    without_base.set_path("");
    let starting = radarr();
    starting.set_starting(true);
    let page = radarr();
    page.behave(Misbehaviour::Html);
    let login = radarr();
    login.behave(Misbehaviour::LoginRedirect);
    let failing = radarr();
    failing.behave(Misbehaviour::Failing { status: 502 });
    let sonarr = ArrStandin::start(ArrKind::Sonarr, Library::empty(ArrKind::Sonarr));
    let old_radarr = old(ArrKind::Radarr, "3.2.2.5080");
    let wrong_path = format!("{}no/such", standin.url());
    let secure = standin.url().as_str().replace("http://", "https://");

    for (case, url, key, expected) in [
        ("unreachable: refused", closed.as_str(), KEY, "connection refused"),
        ("unreachable: no such host", "http://no-such-host.invalid:7878", KEY, "cannot resolve host"),
        ("TLS", secure.as_str(), KEY, "TLS verification failed"),
        ("wrong base path: redirect", without_base.as_str(), KEY, "redirect (status 307)"),
        ("wrong base path: HTML", wrong_path.as_str(), KEY, "instead of data"),
        ("a login page", page.url().as_str(), KEY, "instead of data"),
        ("a redirect to a login", login.url().as_str(), KEY, "redirect (status 302)"),
        ("wrong key", standin.url().as_str(), "ffffffffffffffffffffffffffffffff", "invalid API key"),
        ("wrong service", sonarr.url().as_str(), KEY, "this is Sonarr, not Radarr"),
        ("too old", old_radarr.url().as_str(), KEY, "Radarr 3.2.2.5080 is too old: version 4"),
        ("starting", starting.url().as_str(), KEY, "is starting"),
        ("another status", failing.url().as_str(), KEY, "status 502"),
    ] {
        let sent = json!({ "service": "radarr", "name": "Films", "url": url, "api_key": key });
        let added = house.rest(Method::POST, "/v1/instances", Some(sent.clone())).await;
        let mut trial = sent;
        trial.as_object_mut().unwrap().remove("name");
        let tested = house.rest(Method::POST, "/v1/instances/test", Some(trial)).await;
        for answer in [added, tested] {
            assert_eq!(answer.status, 400, "{case}: {answer:?}");
            let detail = answer.json()["detail"].as_str().unwrap().to_owned();
            assert!(detail.starts_with("connection test failed: "), "{case}: {detail}");
            assert!(detail.contains(expected), "{case}: {detail}");
            for secret in [KEY, "127.0.0.1", "no-such-host"] {
                assert!(!detail.contains(secret), "{case}: {detail}");
            }
        }
    }
    assert_eq!(house.rest(Method::GET, "/v1/instances", None).await.json()["instances"], json!([]));
    house.town.stop().await;
}

#[actix_web::test]
async fn a_readarr_is_taken_for_a_chaptarr() {
    let house = LibraryHouse::empty().await;
    let settings = ArrSettings { app_name: Some("Readarr".to_owned()), ..ArrSettings::default() };
    let readarr = ArrStandin::start_with(ArrKind::Chaptarr, settings, Library::empty(ArrKind::Chaptarr));
    let added = house.rest(Method::POST, "/v1/instances", Some(body(&readarr, "Books"))).await;
    assert_eq!((added.status, &added.json()["connected"]["app_name"]), (201, &json!("Readarr")));
    house.town.stop().await;
}

#[actix_web::test]
async fn an_edit_that_does_not_connect_changes_nothing() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let changes = Some(json!({ "name": "Other", "api_key": "ffffffffffffffffffffffffffffffff" }));
    let refused = house.rest(Method::PATCH, &format!("/v1/instances/{id}"), changes).await;
    assert_eq!(refused.status, 400, "{refused:?}");
    assert_eq!(house.rest(Method::GET, &format!("/v1/instances/{id}"), None).await.json()["name"], "Radarr");
    assert_eq!(house.ask("get_arr_health", json!({ "media_type": "movie" })).await["outcome"], "answered");
    assert_eq!(standin.violations(), []);
    house.town.stop().await;
}

#[actix_web::test]
async fn a_name_can_be_changed_while_the_library_is_down() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    standin.behave(Misbehaviour::HungUp);
    let edited = house.rest(Method::PATCH, &format!("/v1/instances/{id}"), Some(json!({ "name": "4K" }))).await;
    assert_eq!((edited.status, &edited.json()["name"]), (200, &json!("4K")));
    assert_eq!(standin.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn case_3_an_unknown_id_is_refused_and_the_default_receives_nothing() {
    let (house, standin, _) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    for tool in ["get_arr_health", "get_disk_space"] {
        let mut arguments = json!({ "instance_id": "radarr-ffffffff" });
        if tool == "get_arr_health" {
            arguments["media_type"] = json!("movie");
        }
        let result = house.result(tool, arguments).await;
        assert_eq!(result["isError"], false, "{result}");
        assert_eq!(result["structuredContent"]["code"], "instance_unknown", "{result}");
        let prose = prose_of(&result);
        assert!(prose.contains("radarr-ffffffff") && prose.contains("list_arr_instances"), "{prose}");
    }
    assert_eq!(standin.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn case_4_an_id_of_another_service_is_unknown_and_never_asked() {
    let (house, radarr, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let sonarr = ArrStandin::start(ArrKind::Sonarr, Library::empty(ArrKind::Sonarr));
    house.add(&sonarr, "Series").await;
    let answer = house.ask("get_arr_health", json!({ "media_type": "tv", "instance_id": id })).await;
    assert_eq!(answer["code"], "instance_unknown", "{answer}");
    assert_eq!((radarr.n_requests(), sonarr.n_requests()), (0, 0));
    house.town.stop().await;
}

#[actix_web::test]
async fn case_5_an_id_whose_key_cannot_be_opened_exists_and_says_so() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let (id_of_house, folder) = (house.house.clone(), house.town.stop().await);
    // Another master key, as after a move that left the old one behind.
    std::fs::remove_file(folder.path().join("data/master.key")).unwrap();
    let town = Town::start_in(folder, |_| {}).await;
    let key = town.key(&id_of_house, &[Scope::MediaAdmin]).await;
    standin.forget_requests();

    let answer = town.ask(&key, "get_arr_health", json!({ "media_type": "movie", "instance_id": id })).await;

    assert_eq!((&answer["outcome"], &answer["code"]), (&json!("refused"), &json!("instance_unreadable")));
    let note = answer["libraries"][0]["note"].as_str().unwrap();
    assert!(note.contains("exists") && note.contains("could not be opened"), "{note}");
    assert_eq!(standin.n_requests(), 0);

    // Entering the key again repairs it.
    let admin = town.key(&id_of_house, &[Scope::HouseAdmin]).await;
    let house = LibraryHouse { town, house: id_of_house, key, admin };
    let repaired =
        house.rest(Method::PATCH, &format!("/v1/instances/{id}"), Some(json!({ "api_key": standin.api_key() }))).await;
    assert_eq!(repaired.status, 200, "{repaired:?}");
    assert_eq!(house.ask("get_arr_health", json!({ "media_type": "movie" })).await["outcome"], "answered");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_7_of_two_libraries_without_a_flag_the_first_is_asked() {
    let house = LibraryHouse::empty().await;
    let (first, second) = (radarr(), radarr());
    let mut later = body(&second, "A");
    later["sort_order"] = json!(1);
    let second_id = add(&house, later).await;
    add(&house, body(&first, "Z")).await;
    first.forget_requests();
    second.forget_requests();

    house.ask("get_arr_health", json!({ "media_type": "movie" })).await;
    assert_eq!((first.n_requests(), second.n_requests()), (1, 0));

    let flagged = house.rest(Method::PUT, &format!("/v1/instances/{second_id}/default"), None).await;
    assert_eq!(flagged.status, 200, "{flagged:?}");
    house.ask("get_arr_health", json!({ "media_type": "movie" })).await;
    assert_eq!((first.n_requests(), second.n_requests()), (1, 1));
    house.town.stop().await;
}

#[actix_web::test]
async fn setting_one_default_clears_the_other_of_the_same_service_alone() {
    let house = LibraryHouse::empty().await;
    let sonarr = ArrStandin::start(ArrKind::Sonarr, Library::empty(ArrKind::Sonarr));
    let standins = [radarr(), radarr(), sonarr];
    let mut ids = Vec::new();
    for (standin, name) in standins.iter().zip(["One", "Two", "Series"]) {
        let mut flagged = body(standin, name);
        flagged["is_default"] = json!(true);
        ids.push(add(&house, flagged).await);
    }
    let listed = house.rest(Method::GET, "/v1/instances", None).await.json();
    let flagged: BTreeSet<&str> = listed["instances"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|instance| instance["is_flagged_default"] == true)
        .map(|instance| instance["name"].as_str().unwrap())
        .collect();
    assert_eq!(flagged, BTreeSet::from(["Two", "Series"]));
    house.town.stop().await;
}

#[actix_web::test]
async fn case_8_a_chaptarr_saved_with_the_flag_loses_it_and_the_first_still_is_the_default() {
    let house = LibraryHouse::empty().await;
    let start = || ArrStandin::start(ArrKind::Chaptarr, Library::empty(ArrKind::Chaptarr));
    let (first, second) = (start(), start());
    add(&house, body(&first, "A")).await;
    let mut flagged = body(&second, "B");
    flagged["is_default"] = json!(true);
    let id = add(&house, flagged).await;

    let shown = house.rest(Method::GET, &format!("/v1/instances/{id}"), None).await.json();
    assert_eq!((&shown["is_flagged_default"], &shown["is_default"]), (&json!(false), &json!(false)));
    let listed = house.ask("list_arr_instances", json!({ "service": "chaptarr" })).await;
    assert_eq!((&listed["instances"][0]["name"], &listed["instances"][0]["is_default"]), (&json!("A"), &json!(true)));
    let refused = house.rest(Method::PUT, &format!("/v1/instances/{id}/default"), None).await;
    assert_eq!(refused.status, 409, "{refused:?}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_9_a_caller_who_is_no_admin_is_told_so_and_nothing_is_contacted() {
    let (house, standin, _) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let order = AccountOrder::Create { house: house.house.clone(), name: "Ada".into(), role: Role::User };
    house.town.order(Order::Account(order)).await.unwrap();
    let order = Order::CreateKey {
        owner: KeyOwner::House(house.house.clone()),
        label: "Ada's".into(),
        scopes: Scopes::of(&[Scope::MediaAdmin, Scope::HouseAdmin]),
        tvs: vec![],
        account: Some("Ada".into()),
        engagement: None,
        expires_at: None,
    };
    let Ok(OrderReply::NewKey(created)) = house.town.order(order).await else { panic!("a key") };
    let key = created.plain.reveal();

    for tool in ["list_arr_instances", "get_disk_space", "get_arr_health"] {
        let words = house.town.failure(key, tool, json!({})).await;
        assert!(words.contains("admin"), "{tool}: {words}");
    }
    let get = house.town.http.get(house.town.url("/v1/instances")).bearer_auth(key);
    assert_eq!(house.town.send(get).await.status, 403);
    assert_eq!(standin.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn case_10_a_tool_that_is_switched_off_says_so_and_contacts_nothing() {
    let (house, standin, _) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let switch = |enabled| Order::SwitchTool { house: house.house.clone(), tool: "get_arr_health".into(), enabled };
    house.town.order(switch(false)).await.unwrap();
    let words = house.failure("get_arr_health", json!({})).await;
    assert!(words.contains("switched off"), "{words}");
    assert_eq!(standin.n_requests(), 0);
    house.town.order(switch(true)).await.unwrap();
    house.ask("get_arr_health", json!({})).await;
    assert_eq!(standin.n_requests(), 1);
    house.town.stop().await;
}

#[actix_web::test]
async fn case_11_broken_json_is_an_error_and_no_read_of_everything() {
    let (house, standin, _) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let sent = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_arr_health","arguments":{"media_type":}}"#;
    let post = house.town.mcp(&house.key).header("content-type", "application/json").body(sent);
    let answer = house.town.send(post).await;
    assert_eq!(answer.error_code(), -32700, "{answer:?}");
    for arguments in [json!("{\"media_type\":"), json!([1]), json!(7)] {
        let answer = house.town.call(&house.key, "get_arr_health", arguments.clone()).await;
        assert!(answer.json().get("error").is_some(), "{arguments}: {answer:?}");
    }
    assert_eq!(standin.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn case_12_a_key_revoked_between_two_calls_opens_nothing() {
    let (house, standin, _) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    house.ask("get_arr_health", json!({})).await;
    let id = house.key.split('_').nth(1).unwrap().parse().unwrap();
    house.town.order(Order::RevokeKey { owner: KeyOwner::House(house.house.clone()), id }).await.unwrap();
    let refused = house.town.call(&house.key, "get_arr_health", json!({})).await;
    assert_eq!((refused.status, standin.n_requests()), (401, 1), "{refused:?}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_13_an_upstream_error_shows_service_method_path_and_status_only() {
    let (house, standin, _) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let said =
        json!({ "message": "/config/radarr.db is locked", "description": "at token=hunter2 in /app/Radarr.Core" });
    standin.answer_instead("GET */health", 502, said);
    let words = house.failure("get_arr_health", json!({ "media_type": "movie" })).await;
    assert!(words.contains("Radarr GET /api/v3/health returned status 502"), "{words}");
    for hidden in ["hunter2", "/config", "127.0.0.1", KEY] {
        assert!(!words.contains(hidden), "{words}");
    }
    house.town.stop().await;
}

#[actix_web::test]
async fn case_14_and_15_no_error_names_a_host_and_no_redirect_is_followed() {
    let (house, standin, _) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    standin.behave(Misbehaviour::LoginRedirect);
    let words = house.failure("get_arr_health", json!({ "media_type": "movie" })).await;
    assert!(words.contains("302"), "{words}");
    assert_eq!(standin.n_requests(), 1, "the redirect was followed");
    standin.behave(Misbehaviour::HungUp);
    let port = standin.url().port().unwrap().to_string();
    let words = house.failure("get_arr_health", json!({ "media_type": "movie" })).await;
    assert!(!words.contains("127.0.0.1") && !words.contains(&port), "{words}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_157_the_list_has_neither_address_nor_key_and_marks_the_defaults() {
    let house = LibraryHouse::empty().await;
    assert!(house.prose("list_arr_instances", json!({})).await.starts_with("No instances are configured"));
    let none = house.prose("list_arr_instances", json!({ "service": "lidarr" })).await;
    assert!(none.contains("No instances of Lidarr"), "{none}");

    let standins: Vec<ArrStandin> =
        ArrKind::ALL.into_iter().map(|kind| ArrStandin::start(kind, Library::empty(kind))).collect();
    for standin in &standins {
        house.add(standin, &format!("My {}", standin.kind().name())).await;
    }
    let result = house.result("list_arr_instances", json!({})).await;
    let text = result.to_string();
    for standin in &standins {
        let port = standin.url().port().unwrap();
        assert!(!text.contains(&format!(":{port}")) && !text.contains(KEY), "{text}");
        assert_eq!(standin.n_requests(), 0);
    }
    let instances = result["structuredContent"]["instances"].as_array().unwrap();
    let services: Vec<&str> = instances.iter().map(|instance| instance["service"].as_str().unwrap()).collect();
    assert_eq!(services, ["radarr", "sonarr", "lidarr", "chaptarr"]);
    assert!(instances.iter().all(|instance| instance["is_default"] == true));
    assert!(prose_of(&result).contains("\"My Radarr\" (instance_id radarr-"), "{result}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_158_one_library_that_is_down_leaves_the_others_their_disks() {
    let (house, _radarr, radarr_id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let sonarr = ArrStandin::start(ArrKind::Sonarr, Library::empty(ArrKind::Sonarr));
    let sonarr_id = house.add(&sonarr, "Series").await;
    sonarr.behave(Misbehaviour::Failing { status: 500 });

    let result = house.result("get_disk_space", json!({})).await;
    assert_eq!(result["isError"], false, "{result}");
    let answer = &result["structuredContent"];
    let states: Vec<&str> =
        answer["libraries"].as_array().unwrap().iter().map(|library| library["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["read", "unreadable"], "{answer}");
    assert_eq!(answer["sections"].as_array().unwrap().len(), 1);
    assert_eq!(answer["sections"][0]["instance_id"], json!(radarr_id));
    assert!(prose_of(&result).contains("Sonarr instance \"Series\": could not be read"), "{result}");

    let words = house.failure("get_disk_space", json!({ "instance_id": sonarr_id })).await;
    assert!(words.contains("status 500"), "{words}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_159_a_disk_of_no_size_is_shown_without_a_percentage() {
    let (house, radarr, _) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let disk = json!([{ "path": "/mnt/media", "label": "", "freeSpace": 5, "totalSpace": 0 }]);
    radarr.answer_instead("GET */diskspace", 200, disk);
    let result = house.result("get_disk_space", json!({})).await;
    let volume = &result["structuredContent"]["sections"][0]["volumes"][0];
    assert_eq!((&volume["total_bytes"], volume.get("free_percent")), (&json!(0), None), "{volume}");
    assert!(prose_of(&result).contains("/mnt/media: 5 B free of 0 B"), "{result}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_160_an_address_is_scheme_host_port_and_base_and_nothing_else() {
    let house = LibraryHouse::empty().await;
    for url in
        ["http://me:pass@radarr", "http://radarr?apikey=1", "http://radarr/#x", "radarr:7878", "ftp://radarr", ""]
    {
        let sent = json!({ "service": "radarr", "name": "Films", "url": url, "api_key": KEY });
        let refused = house.rest(Method::POST, "/v1/instances", Some(sent)).await;
        assert_eq!((refused.status, &refused.json()["errors"][0]["field"]), (422, &json!("url")), "{url}: {refused:?}");
    }
    // Names inside a cluster are addresses; that nothing answers there comes out later.
    for url in ["http://sonarr", "http://chaptarr:8787/books"] {
        let sent = json!({ "service": "sonarr", "name": "Series", "url": url, "api_key": KEY });
        let refused = house.rest(Method::POST, "/v1/instances", Some(sent)).await;
        assert_eq!(refused.status, 400, "{url}: {refused:?}");
        assert!(refused.json()["detail"].as_str().unwrap().starts_with("connection test failed"), "{refused:?}");
    }
    house.town.stop().await;
}

#[actix_web::test]
async fn case_161_a_test_of_a_kept_library_uses_its_key() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let test = async |body: Value| house.rest(Method::POST, "/v1/instances/test", Some(body)).await;
    assert_eq!(test(json!({ "id": id, "api_key": "" })).await.json()["app_name"], "Radarr");
    assert_eq!(house.rest(Method::POST, &format!("/v1/instances/{id}/test"), None).await.status, 200);
    assert_eq!(test(json!({ "id": id, "api_key": "f".repeat(32) })).await.status, 400);
    assert_eq!(test(json!({ "id": "radarr-ffffffff", "api_key": KEY })).await.status, 404);
    let unknown = json!({ "service": "prowlarr", "url": standin.url().as_str(), "api_key": KEY });
    assert_eq!(test(unknown).await.status, 400);
    assert_eq!(test(json!({ "id": id, "service": "sonarr" })).await.status, 400);
    assert_eq!(test(json!({ "service": "radarr" })).await.status, 422);
    assert_eq!(standin.violations(), []);
    house.town.stop().await;
}

#[actix_web::test]
async fn names_keys_and_numbers_are_bounded() {
    let house = LibraryHouse::empty().await;
    let standin = radarr();
    for (field, value) in [
        ("name", json!("")),
        ("name", json!("x".repeat(81))),
        ("name", json!("a\nb")),
        ("url", json!(format!("http://radarr/{}", "x".repeat(2_000)))),
        ("api_key", json!("")),
        ("api_key", json!("a b")),
        ("api_key", json!("x".repeat(257))),
        ("sort_order", json!("first")),
        ("colour", json!("red")),
    ] {
        let mut sent = body(&standin, "Films");
        sent[field] = value.clone();
        let refused = house.rest(Method::POST, "/v1/instances", Some(sent)).await;
        assert_eq!(refused.status, 422, "{field} {value}: {refused:?}");
    }
    assert_eq!(standin.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn a_grant_is_listed_and_goes_with_its_account() {
    let (house, _standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let create = AccountOrder::Create { house: house.house.clone(), name: "Ada".into(), role: Role::User };
    let Ok(OrderReply::Account(ada)) = house.town.order(Order::Account(create)).await else { panic!("an account") };
    let path = format!("/v1/instances/{id}/grants/{}", ada.id);

    for _ in 0..2 {
        let granted = house.rest(Method::PUT, &path, None).await;
        assert_eq!((granted.status, &granted.json()["granted_to"]), (200, &json!([ada.id])), "{granted:?}");
    }
    assert_eq!(house.rest(Method::DELETE, &path, None).await.json()["granted_to"], json!([]));
    house.rest(Method::PUT, &path, None).await;
    let remove = AccountOrder::Remove { house: house.house.clone(), account: "Ada".into() };
    house.town.order(Order::Account(remove)).await.unwrap();
    assert_eq!(house.rest(Method::GET, &format!("/v1/instances/{id}"), None).await.json()["granted_to"], json!([]));

    for nobody in [AccountId::new().to_string(), "nonsense".to_owned()] {
        let refused = house.rest(Method::PUT, &format!("/v1/instances/{id}/grants/{nobody}"), None).await;
        assert_eq!(refused.status, 404, "{refused:?}");
    }
    house.town.stop().await;
}

#[actix_web::test]
async fn another_houses_library_is_answered_like_one_that_there_is_not() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let other = house.town.house("Other").await;
    let key = house.town.key(&other, &[Scope::MediaAdmin, Scope::HouseAdmin]).await;
    let health = async |id: &str| {
        let arguments = json!({ "media_type": "movie", "instance_id": id });
        house.town.call(&key, "get_arr_health", arguments).await.text.replace(id, "ID")
    };
    assert_eq!(health(&id).await, health("radarr-00000000").await);
    let get = |id: &str| house.town.http.get(house.town.url(&format!("/v1/instances/{id}"))).bearer_auth(&key);
    let (theirs, nobodys) = (house.town.send(get(&id)).await, house.town.send(get("radarr-00000000")).await);
    assert_eq!((theirs.status, theirs.text), (nobodys.status, nobodys.text));
    assert_eq!(standin.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn libraries_survive_a_restart() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let (id_of_house, folder) = (house.house.clone(), house.town.stop().await);
    let town = Town::start_in(folder, |_| {}).await;
    let key = town.key(&id_of_house, &[Scope::MediaAdmin]).await;
    let answer = town.ask(&key, "get_arr_health", json!({ "instance_id": id, "media_type": "movie" })).await;
    assert_eq!((&answer["outcome"], standin.n_requests()), (&json!("answered"), 1));
    town.stop().await;
}

#[actix_web::test]
async fn a_server_that_many_share_calls_nothing_in_its_own_network() {
    let house = LibraryHouse::in_town(Town::start_with(|config| config.library.hosted = true).await).await;
    let standin = radarr();
    let refused = house.rest(Method::POST, "/v1/instances", Some(body(&standin, "Films"))).await;
    assert_eq!(refused.status, 400, "{refused:?}");
    assert!(refused.json()["detail"].as_str().unwrap().contains("does not call"), "{refused:?}");
    assert_eq!(standin.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn a_house_has_at_most_64_libraries() {
    let house = LibraryHouse::empty().await;
    let standin = radarr();
    for n in 0..64 {
        let added = house.try_add(Service::Radarr, &format!("Films {n}"), standin.url().as_str(), KEY).await;
        assert!(added.is_ok(), "{n}: {added:?}");
    }
    let refused = house.try_add(Service::Radarr, "One more", standin.url().as_str(), KEY).await;
    assert!(refused.unwrap_err().contains("64 instances"));
    house.town.stop().await;
}

#[actix_web::test]
async fn the_operator_names_a_library_by_its_name_where_there_is_one_of_it() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let order =
        |named: &str| Order::Instance(InstanceOrder::Test { house: house.house.clone(), instance: named.to_owned() });
    for named in ["Radarr", id.as_str()] {
        assert!(house.town.order(order(named)).await.is_ok(), "{named}");
    }
    house.add(&standin, "Radarr").await;
    assert!(house.town.order(order("Radarr")).await.is_err_and(|words| words.contains("several")));
    assert!(house.town.order(order("Films")).await.is_err_and(|words| words.contains("no instance `Films`")));
    house.town.stop().await;
}

#[actix_web::test]
async fn the_health_page_shows_which_library_is_left_alone() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let operator = house.town.operator_key().await;
    let page = async || {
        let get = house.town.http.get(house.town.url("/v1/health/actors")).bearer_auth(&operator);
        house.town.send(get).await.json()["libraries"].clone()
    };
    assert_eq!(page().await, json!([]), "an actor was started for it");
    standin.behave(Misbehaviour::HungUp);
    let health = json!({ "media_type": "movie" });
    while page().await[0]["circuit"]["state"] != "open" {
        house.failure("get_arr_health", health.clone()).await;
    }
    assert_eq!(page().await[0]["instance"], json!(id));
    standin.forget_requests();
    let words = house.failure("get_arr_health", health).await;
    assert!(words.contains("left alone"), "{words}");
    assert_eq!(standin.n_requests(), 0);
    house.town.stop().await;
}
