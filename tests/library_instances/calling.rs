//! Which library a call reaches, and what it says when that cannot be read.

use std::collections::BTreeSet;

use playhouse::control::{AccountOrder, KeyOwner, Order, OrderReply};
use playhouse_house::{Role, Scope, Scopes};
use playhouse_standins::{ArrKind, ArrStandin, Library, Misbehaviour};
use reqwest::Method;
use serde_json::json;

use crate::common::Town;
use crate::common::library::{KEY, LibraryHouse, prose_of};
use crate::{add, body, radarr};

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
