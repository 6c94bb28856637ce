//! Keys of a house, through its actor: made, listed, revoked.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

use std::sync::Arc;
use std::time::Duration;

use jiff::{Timestamp, ToSpan};
use playhouse_bus::{ActorKey, Bus, BusSettings, CallError, Deadline, HouseId, Message, Placement};
use playhouse_house::{
    Clock, CreateKey, CreatedKey, CredentialId, CredentialUse, GetHouse, HouseActor, HouseError, HouseServices,
    HouseSummary, KeyRefusal, KeyRing, ListKeys, RenameHouse, RevokeKey, Scope, Scopes, TvGrant, UsedVia, load,
    open_house, write_last_used,
};
use playhouse_store::{MemoryStore, SharedStore};
use uuid::Uuid;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

struct Town {
    store: SharedStore,
    key_ring: KeyRing,
    clock: Clock,
    bus: Bus,
}

impl Town {
    fn new() -> Self {
        let store: SharedStore = Arc::new(MemoryStore::new());
        let (key_ring, clock): (KeyRing, Clock) = (KeyRing::new(), Arc::new(|| NOW));
        let bus = Bus::new(BusSettings::new(Placement::Current));
        bus.serve::<HouseActor>(HouseServices {
            store: store.clone(),
            key_ring: key_ring.clone(),
            clock: clock.clone(),
        });
        Self { store, key_ring, clock, bus }
    }

    async fn house(&self) -> HouseSummary {
        open_house(&self.store, "Kestrel Street", &self.clock).await.unwrap()
    }

    async fn call<M: Message>(&self, key: ActorKey, message: M) -> Result<M::Reply, CallError> {
        self.bus.call(key, message, Deadline::after(Duration::from_secs(5))).await
    }

    async fn create(&self, house: HouseId, order: CreateKey) -> Result<CreatedKey, HouseError> {
        self.call(HouseActor::key(house), order).await.unwrap()
    }

    fn opens(&self, created: &CreatedKey) -> Result<HouseId, KeyRefusal> {
        let checked = self.key_ring.check(created.plain.reveal(), CredentialUse::Assistant, UsedVia::Mcp, NOW);
        checked.map(|principal| principal.house)
    }
}

fn tv_key(label: &str) -> CreateKey {
    CreateKey { label: label.to_owned(), scopes: Scopes::of(&[Scope::Tv]), tvs: TvGrant::All, expires_at: None }
}

#[actix_rt::test]
async fn a_new_key_opens_its_house_at_once_and_after_a_restart() {
    let town = Town::new();
    let house = town.house().await.id;
    let created = town.create(house, tv_key("laptop")).await.unwrap();
    assert_eq!(town.opens(&created), Ok(house));

    let after_restart = KeyRing::new();
    load(&*town.store, &after_restart).await.unwrap();
    let checked = after_restart.check(created.plain.reveal(), CredentialUse::Assistant, UsedVia::Mcp, NOW);
    assert_eq!(checked.unwrap().house, house);
}

#[actix_rt::test]
async fn making_a_key_again_makes_another_key() {
    let town = Town::new();
    let house = town.house().await.id;
    let first = town.create(house, tv_key("laptop")).await.unwrap();
    let second = town.create(house, tv_key("laptop")).await.unwrap();
    assert_ne!(first.summary.id, second.summary.id);
    assert_eq!(town.call(HouseActor::key(house), ListKeys {}).await.unwrap().unwrap().len(), 2);
}

#[actix_rt::test]
async fn a_refused_key_is_neither_stored_nor_on_the_ring() {
    let town = Town::new();
    let house = town.house().await.id;
    let refused = [
        (CreateKey { label: " ".into(), ..tv_key("") }, HouseError::BadName { what: "label".into() }),
        (CreateKey { label: "a\nb".into(), ..tv_key("") }, HouseError::BadName { what: "label".into() }),
        (CreateKey { scopes: Scopes::NONE, ..tv_key("k") }, HouseError::NoScopes),
        (CreateKey { scopes: Scopes::of(&[Scope::Operator]), ..tv_key("k") }, HouseError::OperatorScope),
        (CreateKey { tvs: TvGrant::Only(vec![]), ..tv_key("k") }, HouseError::NoTvs),
        (CreateKey { expires_at: Some(NOW), ..tv_key("k") }, HouseError::AlreadyExpired),
    ];
    for (order, error) in refused {
        assert_eq!(town.create(house, order).await.map(|_| ()), Err(error));
    }
    assert_eq!(town.call(HouseActor::key(house), ListKeys {}).await.unwrap(), Ok(vec![]));
    assert!(town.key_ring.is_empty());
}

#[actix_rt::test]
async fn an_operators_key_has_its_one_scope_and_no_house() {
    let town = Town::new();
    let order = CreateKey { scopes: Scopes::of(&[Scope::Operator]), ..tv_key("me") };
    let created = town.create(HouseId::INSTANCE, order).await.unwrap();
    assert_eq!(town.opens(&created), Ok(HouseId::INSTANCE));

    let both = CreateKey { scopes: Scopes::of(&[Scope::Operator, Scope::Tv]), ..tv_key("me") };
    assert_eq!(town.create(HouseId::INSTANCE, both).await.map(|_| ()), Err(HouseError::OperatorScope));
    assert_eq!(town.create(HouseId::INSTANCE, tv_key("me")).await.map(|_| ()), Err(HouseError::OperatorScope));
}

#[actix_rt::test]
async fn a_revoked_key_is_refused_on_the_next_call_and_after_a_restart() {
    let town = Town::new();
    let house = town.house().await.id;
    let created = town.create(house, tv_key("laptop")).await.unwrap();

    let revoked = town.call(HouseActor::key(house), RevokeKey { id: created.summary.id }).await.unwrap().unwrap();

    assert_eq!(revoked.revoked_at, Some(NOW));
    assert_eq!(town.opens(&created), Err(KeyRefusal::Revoked));
    let after_restart = KeyRing::new();
    load(&*town.store, &after_restart).await.unwrap();
    let checked = after_restart.check(created.plain.reveal(), CredentialUse::Assistant, UsedVia::Mcp, NOW);
    assert_eq!(checked, Err(KeyRefusal::Revoked));
}

#[actix_rt::test]
async fn revoking_again_answers_the_first_revocation() {
    let town = Town::new();
    let house = town.house().await.id;
    let id = town.create(house, tv_key("laptop")).await.unwrap().summary.id;
    let first = town.call(HouseActor::key(house), RevokeKey { id }).await.unwrap();
    assert_eq!(town.call(HouseActor::key(house), RevokeKey { id }).await.unwrap(), first);
}

#[actix_rt::test]
async fn an_unknown_key_and_another_houses_key_answer_alike() {
    let town = Town::new();
    let (house, other) = (town.house().await.id, town.house().await.id);
    let others = town.create(other, tv_key("theirs")).await.unwrap();
    let unknown = CredentialId::draw(&mut rand::rng());

    for id in [unknown, others.summary.id] {
        assert_eq!(town.call(HouseActor::key(house), RevokeKey { id }).await.unwrap(), Err(HouseError::NoSuchKey));
    }
    assert_eq!(town.opens(&others), Ok(other));
}

#[actix_rt::test]
async fn an_unknown_house_answers_not_found() {
    let town = Town::new();
    let nowhere = HouseId::from_uuid(Uuid::now_v7());
    let answer = town.call(HouseActor::key(nowhere), ListKeys {}).await;
    assert!(matches!(answer, Err(CallError::NotFound)), "{answer:?}");
}

#[actix_rt::test]
async fn a_house_is_renamed_and_keeps_its_id() {
    let town = Town::new();
    let house = town.house().await;
    let order = || RenameHouse { name: "Kestrel Lane".into() };
    let renamed = town.call(HouseActor::key(house.id), order()).await.unwrap().unwrap();
    assert_eq!((renamed.id, renamed.name.as_str()), (house.id, "Kestrel Lane"));
    assert_eq!(town.call(HouseActor::key(house.id), order()).await.unwrap(), Ok(renamed.clone()));
    assert_eq!(town.call(HouseActor::key(house.id), GetHouse {}).await.unwrap(), Ok(renamed));
}

#[actix_rt::test]
async fn the_last_use_is_shown_at_once_and_survives_a_restart_once_written() {
    let town = Town::new();
    let house = town.house().await.id;
    let created = town.create(house, tv_key("laptop")).await.unwrap();
    let used_at = NOW + 90.seconds();
    town.key_ring.check(created.plain.reveal(), CredentialUse::Assistant, UsedVia::Mcp, used_at).unwrap();

    let listed = town.call(HouseActor::key(house), ListKeys {}).await.unwrap().unwrap();
    assert_eq!(listed[0].last_used_at, Some(used_at));

    write_last_used(&town.store, &town.key_ring).await;
    let after_restart = KeyRing::new();
    load(&*town.store, &after_restart).await.unwrap();
    assert_eq!(after_restart.last_used(created.summary.id), Some(used_at));
}
