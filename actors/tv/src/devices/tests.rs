use playhouse_bus::{CallError, HouseId};
use playhouse_house::{Caller, Credential, CredentialKind, CredentialUse, KeyRefusal, Minted, PlainKey, Scopes, mint};
use uuid::Uuid;

use super::*;
use crate::CloseReason;
use crate::testing::{HOUSE, Stage, curtain_up, in_seconds, tv};

fn bridge(number: u128) -> (Credential, PlainKey) {
    let kind = CredentialKind::TvBridge { tv: tv(number) };
    let Minted { credential, plain } = mint(kind, "bridge".into(), Scopes::NONE, curtain_up(), &mut rand::rng());
    (credential, plain)
}

impl Stage {
    async fn order<M>(&self, message: M) -> M::Reply
    where
        M: playhouse_bus::Message<Actor = DevicesActor>,
    {
        self.call(DevicesActor::key(HOUSE), message).await
    }

    async fn add(&self, number: u128, name: Option<&str>) -> (Result<AddedDevice, DevicesError>, PlainKey) {
        let (bridge, plain) = bridge(number);
        let order = AddDevice { tv: tv(number), name: name.map(|name| name.parse().unwrap()), bridge };
        (self.order(order).await, plain)
    }

    async fn names(&self) -> Vec<String> {
        self.order(ListDevices {}).await.unwrap().iter().map(|device| device.name.to_string()).collect()
    }
}

#[actix::test]
async fn a_house_that_does_not_exist_has_no_list_of_tvs() {
    let stage = Stage::with_house().await;
    let elsewhere = DevicesActor::key(HouseId::from_uuid(Uuid::from_u128(0xB)));
    let reply = stage.bus.call(elsewhere, ListDevices {}, in_seconds(5)).await;
    assert_eq!(reply, Err(CallError::NotFound));
}

#[actix::test]
async fn an_added_tv_has_two_tokens_that_open_different_doors() {
    let stage = Stage::with_house().await;
    let (added, bridge) = stage.add(1, Some("den")).await;
    let AddedDevice { device, token } = added.unwrap();
    assert_eq!((device.id, device.name.as_str(), device.online), (tv(1), "den", false));

    assert_eq!(stage.opens(&token, CredentialUse::Assistant).unwrap().caller, Caller::Tv(tv(1)));
    assert_eq!(stage.opens(&bridge, CredentialUse::Bridge).unwrap().caller, Caller::Tv(tv(1)));
    assert_eq!(stage.opens(&token, CredentialUse::Bridge), Err(KeyRefusal::Invalid));
    assert_eq!(stage.opens(&bridge, CredentialUse::Assistant), Err(KeyRefusal::Invalid));
}

#[actix::test]
async fn tvs_without_a_name_get_the_first_free_default() {
    let stage = Stage::with_house().await;
    stage.add(1, None).await.0.unwrap();
    stage.add(2, Some("tv-2")).await.0.unwrap();
    stage.add(3, None).await.0.unwrap();
    assert_eq!(stage.names().await, ["living-room", "tv-2", "tv-3"]);
}

#[actix::test]
async fn a_name_that_is_taken_is_refused_with_one_that_is_free() {
    let stage = Stage::with_house().await;
    stage.add(1, Some("den")).await.0.unwrap();
    let (refused, bridge) = stage.add(2, Some("den")).await;
    let taken = DevicesError::NameTaken { name: "den".parse().unwrap(), suggestion: "living-room".parse().unwrap() };
    assert_eq!(refused.unwrap_err(), taken);
    assert_eq!(stage.opens(&bridge, CredentialUse::Bridge), Err(KeyRefusal::Invalid));
    assert_eq!(stage.names().await, ["den"]);
}

#[actix::test]
async fn adding_the_same_tv_twice_is_refused_and_changes_nothing() {
    let stage = Stage::with_house().await;
    stage.add(1, Some("den")).await.0.unwrap();
    assert_eq!(stage.add(1, Some("attic")).await.0.unwrap_err(), DevicesError::AlreadyPaired);
    assert_eq!(stage.names().await, ["den"]);
}

#[actix::test]
async fn everything_is_there_after_a_restart() {
    let stage = Stage::with_house().await;
    let (added, bridge) = stage.add(1, Some("den")).await;
    let token = added.unwrap().token;

    let restarted = stage.restarted().await;

    assert_eq!(restarted.names().await, ["den"]);
    assert!(restarted.opens(&token, CredentialUse::Assistant).is_ok());
    assert!(restarted.opens(&bridge, CredentialUse::Bridge).is_ok());
}

#[actix::test]
async fn a_tv_is_renamed_and_renaming_it_again_changes_nothing() {
    let stage = Stage::with_house().await;
    stage.add(1, Some("den")).await.0.unwrap();
    stage.add(2, Some("attic")).await.0.unwrap();
    let to = |name: &str| RenameDevice { tv: tv(1), name: name.parse().unwrap() };

    assert!(matches!(stage.order(to("attic")).await, Err(DevicesError::NameTaken { .. })));
    for _ in 0..2 {
        assert_eq!(stage.order(to("bedroom")).await.unwrap().name.as_str(), "bedroom");
    }
    assert_eq!(stage.names().await, ["attic", "bedroom"]);
    assert_eq!(stage.restarted().await.names().await, ["attic", "bedroom"]);
}

#[actix::test]
async fn removing_a_tv_kills_its_tokens_and_closes_its_socket_at_once() {
    let stage = Stage::with_house().await;
    let (added, bridge) = stage.add(1, Some("den")).await;
    let token = added.unwrap().token;
    let mut set = stage.dial_in().await;

    assert_eq!(stage.order(RemoveDevice { tv: tv(1) }).await.unwrap().name.as_str(), "den");

    assert_eq!(set.closed().await, CloseReason::Removed);
    assert_eq!(stage.opens(&token, CredentialUse::Assistant), Err(KeyRefusal::Revoked));
    assert_eq!(stage.opens(&bridge, CredentialUse::Bridge), Err(KeyRefusal::Revoked));
    assert_eq!(stage.order(RemoveDevice { tv: tv(1) }).await, Err(DevicesError::NoSuchTv));
    let restarted = stage.restarted().await;
    assert!(restarted.names().await.is_empty());
    assert_eq!(restarted.opens(&token, CredentialUse::Assistant), Err(KeyRefusal::Invalid));
}

#[actix::test]
async fn another_houses_tv_is_not_found() {
    let stage = Stage::with_house().await;
    stage.add(1, Some("den")).await.0.unwrap();
    let other = HouseId::from_uuid(Uuid::from_u128(0xB));
    stage.open_house(other).await;
    let reply = stage.call(DevicesActor::key(other), RemoveDevice { tv: tv(1) }).await;
    assert_eq!(reply, Err(DevicesError::NoSuchTv));
    assert_eq!(stage.names().await, ["den"]);
}

#[actix::test]
async fn assistants_tokens_are_revoked_without_a_walk_to_the_tv() {
    let stage = Stage::with_house().await;
    let (added, bridge) = stage.add(1, Some("den")).await;
    let first = added.unwrap().token;
    let created = stage.order(CreateDeviceToken { tv: tv(1), label: "Ada's assistant".into() }).await.unwrap();
    assert!(stage.opens(&created.token, CredentialUse::Assistant).is_ok());

    assert_eq!(stage.order(RevokeDeviceTokens { tv: tv(1) }).await, Ok(2));
    assert_eq!(stage.order(RevokeDeviceTokens { tv: tv(1) }).await, Ok(0));

    for token in [&first, &created.token] {
        assert_eq!(stage.opens(token, CredentialUse::Assistant), Err(KeyRefusal::Revoked));
    }
    assert!(stage.opens(&bridge, CredentialUse::Bridge).is_ok());
}

#[actix::test]
async fn a_tv_has_a_bounded_number_of_tokens() {
    let stage = Stage::with_house().await;
    stage.add(1, Some("den")).await.0.unwrap();
    let mut n_tokens = 2; // the assistant's first and the bridge's
    let create = || CreateDeviceToken { tv: tv(1), label: String::new() };
    while stage.order(create()).await.is_ok() {
        n_tokens += 1;
    }
    assert_eq!(n_tokens, MAX_TOKENS_A_TV);
    assert_eq!(stage.order(RevokeDeviceTokens { tv: tv(1) }).await, Ok(MAX_TOKENS_A_TV - 1));
    assert!(stage.order(create()).await.is_ok());
    assert!(stage.order(RemoveDevice { tv: tv(1) }).await.is_ok(), "all go in one commit");
}

#[actix::test]
async fn a_tv_that_was_reset_is_paired_again_under_its_old_name_and_id() {
    let stage = Stage::with_house().await;
    let (added, old_bridge) = stage.add(1, Some("den")).await;
    let old_token = added.unwrap().token;
    let mut set = stage.dial_in().await;
    let (bridge, new_bridge) = bridge(99);

    let again = stage.order(RepairDevice { name: "den".parse().unwrap(), bridge: bridge.clone() }).await.unwrap();

    assert_eq!((again.device.id, again.device.paired_at), (tv(1), curtain_up()));
    assert_eq!(set.closed().await, CloseReason::Removed);
    assert_eq!(stage.opens(&old_bridge, CredentialUse::Bridge), Err(KeyRefusal::Revoked));
    for token in [&old_token, &again.token] {
        assert_eq!(stage.opens(token, CredentialUse::Assistant).unwrap().caller, Caller::Tv(tv(1)));
    }
    assert_eq!(stage.opens(&new_bridge, CredentialUse::Bridge).unwrap().caller, Caller::Tv(tv(1)));
    let repeated = stage.order(RepairDevice { name: "den".parse().unwrap(), bridge }).await;
    assert_eq!(repeated.unwrap_err(), DevicesError::AlreadyPaired);
}
