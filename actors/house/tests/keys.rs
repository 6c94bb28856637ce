//! Keys of a house, through its actor: made, listed, revoked.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

use std::sync::Arc;
use std::time::Duration;

use jiff::{Timestamp, ToSpan};
use playhouse_bus::{ActorKey, Bus, BusSettings, CallError, Deadline, HouseId, Message, Placement};
use playhouse_house::{
    Clock, CreateAccount, CreateKey, CreatedKey, CredentialId, CredentialUse, DisabledTools, EngagementId,
    EngagementStanding, GetHouse, HouseActor, HouseError, HouseRecord, HouseServices, HouseSummary, KeyRefusal,
    KeyRing, ListAccounts, ListKeys, RemoveAccount, RenameHouse, RevokeKey, Role, Scope, Scopes, SetRole, SwitchTool,
    ToolSwitches, TvGrant, UsedVia, engagement_path, house_path, load, open_house, write_last_used,
};
use playhouse_store::{Expect, Key, MemoryStore, SharedStore, put, read};
use uuid::Uuid;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

struct Town {
    store: SharedStore,
    key_ring: KeyRing,
    switches: ToolSwitches,
    clock: Clock,
    bus: Bus,
}

impl Town {
    fn new() -> Self {
        let store: SharedStore = Arc::new(MemoryStore::new());
        let (key_ring, clock): (KeyRing, Clock) = (KeyRing::new(), Arc::new(|| NOW));
        let bus = Bus::new(BusSettings::new(Placement::Current));
        let switches = ToolSwitches::new();
        bus.serve::<HouseActor>(HouseServices {
            store: store.clone(),
            key_ring: key_ring.clone(),
            switches: switches.clone(),
            clock: clock.clone(),
        });
        Self { store, key_ring, switches, clock, bus }
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
    CreateKey {
        label: label.to_owned(),
        scopes: Scopes::of(&[Scope::Tv]),
        tvs: TvGrant::All,
        account: None,
        engagement: None,
        expires_at: None,
    }
}

#[actix_rt::test]
async fn a_new_key_opens_its_house_at_once_and_after_a_restart() {
    let town = Town::new();
    let house = town.house().await.id;
    let created = town.create(house, tv_key("laptop")).await.unwrap();
    assert_eq!(town.opens(&created), Ok(house));

    let after_restart = KeyRing::new();
    load(&*town.store, &after_restart, &ToolSwitches::new()).await.unwrap();
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
    load(&*town.store, &after_restart, &ToolSwitches::new()).await.unwrap();
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
    load(&*town.store, &after_restart, &ToolSwitches::new()).await.unwrap();
    assert_eq!(after_restart.last_used(created.summary.id), Some(used_at));
}

#[actix_rt::test]
async fn a_key_acts_as_its_person_until_that_person_is_removed() {
    let town = Town::new();
    let house = town.house().await.id;
    let person = CreateAccount { name: "Ada".to_owned(), role: Role::User };
    let ada = town.call(HouseActor::key(house), person).await.unwrap().unwrap();
    let created = town.create(house, CreateKey { account: Some(ada.id), ..tv_key("laptop") }).await.unwrap();
    let role = || {
        let checked = town.key_ring.check(created.plain.reveal(), CredentialUse::Assistant, UsedVia::Mcp, NOW);
        checked.map(|principal| principal.role)
    };
    assert_eq!(role(), Ok(Role::User));

    let promoted = SetRole { account: ada.id, role: Role::Admin };
    assert_eq!(town.call(HouseActor::key(house), promoted).await.unwrap().unwrap().role, Role::Admin);
    assert_eq!(role(), Ok(Role::Admin));
    let after_restart = KeyRing::new();
    load(&*town.store, &after_restart, &ToolSwitches::new()).await.unwrap();
    let checked = after_restart.check(created.plain.reveal(), CredentialUse::Assistant, UsedVia::Mcp, NOW);
    assert_eq!(checked.unwrap().role, Role::Admin);

    let gone = RemoveAccount { account: ada.id };
    assert_eq!(town.call(HouseActor::key(house), gone).await.unwrap().unwrap().name, "Ada");
    assert_eq!(role(), Err(KeyRefusal::Revoked));
    let again = RemoveAccount { account: ada.id };
    assert_eq!(town.call(HouseActor::key(house), again).await.unwrap(), Err(HouseError::NoSuchAccount));
    assert_eq!(town.call(HouseActor::key(house), ListAccounts {}).await.unwrap(), Ok(vec![]));
}

#[actix_rt::test]
async fn a_key_is_refused_to_people_and_engagements_that_are_not_this_houses() {
    let town = Town::new();
    let (house, neighbours) = (town.house().await.id, town.house().await.id);
    let person = CreateAccount { name: "Bob".to_owned(), role: Role::User };
    let bob = town.call(HouseActor::key(neighbours), person).await.unwrap().unwrap();
    let standing = EngagementStanding { id: EngagementId(41), active: true };
    let kept = put(engagement_path(standing.id), &standing, Expect::Absent).unwrap();
    town.store.commit(neighbours, vec![kept], None).await.unwrap();

    let vendor = |scopes: &[Scope]| CreateKey {
        scopes: Scopes::of(scopes),
        engagement: Some(EngagementId(41)),
        ..tv_key("vendor")
    };
    let refused = [
        (CreateKey { account: Some(bob.id), ..tv_key("k") }, HouseError::NoSuchAccount),
        (vendor(&[Scope::Read]), HouseError::NoSuchEngagement),
        (vendor(&[Scope::Read, Scope::Write]), HouseError::EngagementScopes),
        (vendor(&[Scope::Tv]), HouseError::EngagementScopes),
    ];
    for (order, error) in refused {
        assert_eq!(town.create(house, order).await.unwrap_err(), error);
    }
    let created = town.create(neighbours, vendor(&[Scope::Read, Scope::SubmitTurnover])).await.unwrap();
    town.key_ring.set_engagement(neighbours, standing);
    assert_eq!(town.opens(&created), Ok(neighbours));
}

#[actix_rt::test]
async fn a_switch_bites_at_once_and_survives_a_restart() {
    let town = Town::new();
    let (house, neighbours) = (town.house().await.id, town.house().await.id);
    let switch = async |enabled| {
        let order = SwitchTool { tool: "tv_observe".to_owned(), enabled };
        town.call(HouseActor::key(house), order).await.unwrap().unwrap().len()
    };
    assert_eq!((switch(false).await, switch(false).await), (1, 1));
    assert!(town.switches.off(house).is_some_and(|off| off.contains("tv_observe")));
    assert!(town.switches.off(neighbours).is_none());
    let after_restart = ToolSwitches::new();
    load(&*town.store, &KeyRing::new(), &after_restart).await.unwrap();
    assert_eq!(after_restart.off(house), town.switches.off(house));
    assert_eq!((switch(true).await, town.switches.off(house)), (0, None));
}

#[actix_rt::test]
async fn switches_that_cannot_be_read_switch_off_what_changes_something_until_somebody_sets_one() {
    let town = Town::new();
    let (house, neighbours) = (town.house().await.id, town.house().await.id);
    let key = Key::new(house, house_path());
    let (mut record, _) = read::<HouseRecord>(&*town.store, &key).await.unwrap().unwrap();
    record.disabled_tools = DisabledTools::Unreadable(serde_json::json!(7));
    town.store.commit(house, vec![put(key.path.clone(), &record, Expect::Any).unwrap()], None).await.unwrap();

    let found = load(&*town.store, &town.key_ring, &town.switches).await;

    assert!(found.is_ok(), "one house's switches keep nobody else's house closed");
    let forbidden = |house, only_reads| town.switches.forbid(house, "tv_send_key", only_reads);
    assert_eq!((forbidden(house, false), forbidden(house, true)), (true, false));
    assert!(!forbidden(neighbours, false));

    let order = SwitchTool { tool: "tv_observe".to_owned(), enabled: false };
    let off = town.call(HouseActor::key(house), order).await.unwrap().unwrap();

    assert_eq!(off.into_iter().collect::<Vec<_>>(), ["tv_observe"]);
    assert!(!forbidden(house, false) && town.switches.forbid(house, "tv_observe", true));
    let after_restart = ToolSwitches::new();
    load(&*town.store, &KeyRing::new(), &after_restart).await.unwrap();
    assert!(!after_restart.are_unreadable(house) && after_restart.off(house) == town.switches.off(house));
}
