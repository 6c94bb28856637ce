//! What is checked between the door and a tool: a call may have waited in between.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod common;

use std::time::Duration;

use common::Town;
use playhouse::control::{AccountOrder, KeyOwner, Order, OrderReply};
use playhouse::mcp::{CallTool, McpRouter};
use playhouse_bus::Deadline;
use playhouse_house::{CredentialUse, Principal, Role, Scope, Scopes, UsedVia};
use playhouse_tools::Outcome;
use serde_json::Map;

/// The principal that the door makes of a key now.
fn at_the_door(town: &Town, key: &str) -> Principal {
    let instance = &town.running.instance;
    let checked = instance.key_ring.check(key, CredentialUse::Assistant, UsedVia::Mcp, (instance.clock)());
    (*checked.unwrap()).clone()
}

/// A call that passed the door with `principal` a while ago.
async fn later(town: &Town, principal: Principal) -> Outcome {
    let call =
        CallTool { name: "list_arr_instances".to_owned(), arguments: Map::new(), stop_with_caller: false, principal };
    let router = McpRouter::key(call.principal.house);
    town.running.instance.bus.call(router, call, Deadline::after(Duration::from_secs(5))).await.unwrap()
}

#[actix_web::test]
async fn case_120_a_key_revoked_between_door_and_tool_reaches_no_tool() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let key = town.key(&house, &[Scope::MediaAdmin]).await;
    let principal = at_the_door(&town, &key);
    assert!(matches!(later(&town, principal.clone()).await, Outcome::Answered { .. }));

    let revoke = Order::RevokeKey { owner: KeyOwner::House(house), id: principal.credential };
    town.order(revoke).await.unwrap();
    let Outcome::Refused(refusal) = later(&town, principal).await else { panic!("a revoked key reached a tool") };
    assert_eq!(refusal.status, 401);
}

#[actix_web::test]
async fn a_role_taken_between_door_and_tool_counts() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let create = AccountOrder::Create { house: house.clone(), name: "Ada".to_owned(), role: Role::Admin };
    let OrderReply::Account(ada) = town.order(Order::Account(create)).await.unwrap() else { panic!("no account") };
    let order = Order::CreateKey {
        owner: KeyOwner::House(house.clone()),
        label: "Ada's".to_owned(),
        scopes: Scopes::of(&[Scope::MediaAdmin]),
        tvs: Vec::new(),
        account: Some(ada.id.to_string()),
        engagement: None,
        expires_at: None,
    };
    let OrderReply::NewKey(created) = town.order(order).await.unwrap() else { panic!("no key") };
    let principal = at_the_door(&town, created.plain.reveal());
    assert!(matches!(later(&town, principal.clone()).await, Outcome::Answered { .. }));

    let demote = AccountOrder::SetRole { house, account: ada.id.to_string(), role: Role::User };
    town.order(Order::Account(demote)).await.unwrap();
    let Outcome::Failed { words } = later(&town, principal).await else { panic!("a user reached an admin's tool") };
    assert!(words.contains("for admins of the house"), "{words}");
}
