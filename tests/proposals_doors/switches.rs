//! Switching tools off and on.

use playhouse_house::Scope;
use serde_json::{Value, json};

use crate::common::Town;

fn tool<'l>(list: &'l Value, name: &str) -> &'l Value {
    list["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("no {name}"))
}

#[actix_web::test]
async fn the_list_has_every_tool_with_its_scope_and_whom_it_is_for() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let admin = town.key(&house, &[Scope::HouseAdmin]).await;
    let list = town.rest(&admin, "GET", "/v1/tools", None).await.json();
    let names: Vec<&str> =
        list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let mut all: Vec<String> = playhouse::docs::all_tools().unwrap().iter().map(|tool| tool.name.to_owned()).collect();
    // Of the app's own chat, so it is described to no assistant; what approves proposals goes with it.
    all.push("apply_profile_change".to_owned());
    all.sort();
    assert_eq!(names, all);
    let queue = tool(&list, "get_queue");
    assert_eq!(
        (&queue["enabled"], &queue["admin_only"], &queue["permission"]),
        (&json!(true), &json!(true), &json!("media:admin"))
    );
    assert_eq!(tool(&list, "tv_type")["admin_only"], false);
    assert!(queue["description"].as_str().unwrap().len() > 20);
    town.stop().await;
}

#[actix_web::test]
async fn a_switch_bites_on_the_very_next_call_and_repeating_it_changes_nothing() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let admin = town.key(&house, &[Scope::HouseAdmin, Scope::MediaAdmin]).await;
    let other = town.house("Elsewhere").await;
    let stranger = town.key(&other, &[Scope::HouseAdmin, Scope::MediaAdmin]).await;
    let switch = |enabled: bool| town.rest(&admin, "PUT", "/v1/tools/get_queue", Some(json!({ "enabled": enabled })));
    let is_listed = async |key: &str| {
        let listed = town.rpc(key, "tools/list", json!({})).await.result();
        listed["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "get_queue")
    };

    for _ in 0..2 {
        let off = switch(false).await;
        assert_eq!(
            (off.status, &off.json()["enabled"], &off.json()["name"]),
            (200, &json!(false), &json!("get_queue"))
        );
        assert_eq!((is_listed(&admin).await, is_listed(&stranger).await), (false, true));
        assert!(town.failure(&admin, "get_queue", json!({})).await.contains("switched off in this house"));
        let list = town.rest(&admin, "GET", "/v1/tools", None).await.json();
        assert_eq!(tool(&list, "get_queue"), &off.json());
        let theirs = town.rest(&stranger, "GET", "/v1/tools", None).await.json();
        assert_eq!(tool(&theirs, "get_queue")["enabled"], true);
    }
    let said = town.said(&["tool", "list", "--house", &house]).await;
    let line = said.lines().find(|line| line.starts_with("get_queue ")).unwrap();
    assert_eq!(line.split_whitespace().take(4).collect::<Vec<_>>(), ["get_queue", "off", "media:admin", "admins"]);

    assert_eq!(switch(true).await.json()["enabled"], true);
    assert!(is_listed(&admin).await);
    town.stop().await;
}

#[actix_web::test]
async fn what_is_no_tool_or_no_switch_is_refused_and_changes_nothing() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let admin = town.key(&house, &[Scope::HouseAdmin]).await;
    let before = town.rest(&admin, "GET", "/v1/tools", None).await.text;
    for (name, body, status) in [
        ("tv_typo", json!({ "enabled": false }), 404),
        ("TV_TYPE", json!({ "enabled": false }), 404),
        ("tv_type", json!({}), 400),
        ("tv_type", json!({ "enabled": "no" }), 400),
        ("tv_type", json!({ "Enabled": false }), 400),
        ("tv_type", json!({ "enabled": false, "for": "ever" }), 400),
        ("tv_type", json!({ "enabled": false, "pad": "n".repeat(5_000) }), 413),
    ] {
        let answer = town.rest(&admin, "PUT", &format!("/v1/tools/{name}"), Some(body)).await;
        assert_eq!(answer.status, status, "{answer:?}");
    }
    assert_eq!(town.rest(&admin, "PUT", "/v1/tools/tv_type", None).await.status, 400);
    assert_eq!(town.rest(&admin, "GET", "/v1/tools", None).await.text, before);
    town.stop().await;
}
