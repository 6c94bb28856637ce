//! Custom formats, made and changed at once.

use playhouse_bus::{CallError, Deadline};
use playhouse_house::{HouseActor, RevokeKey, Role, Scope};
use playhouse_library::answer::Code;
use playhouse_library::settings::{FormatAction, LiveState};
use playhouse_proposals::{
    ChangeId, ChangeSource, ChangeStatus, Operation, ProposalQueueActor, ResourceType, SettingsFailure,
    UpsertCustomFormat,
};
use playhouse_standins::{ArrKind, ArrStandin, Library, Listing, Misbehaviour};
use serde_json::json;
use std::time::Duration;

use crate::town::{Town, hdr, in_time, titled};

const POST: &str = "POST */customformat";

fn refusal(failure: SettingsFailure) -> Code {
    match failure {
        SettingsFailure::Refused { code, .. } => code,
        other => panic!("{other:?}"),
    }
}

#[actix_rt::test]
async fn a_new_format_is_made_read_back_found_in_every_profile_and_kept_in_the_history() {
    for kind in ArrKind::ALL {
        let town = Town::with(kind).await;

        let made = town.upsert(hdr()).await.unwrap();

        assert_eq!(
            (made.action, made.name.as_str(), made.stored_no_difference),
            (FormatAction::Create, "HDR10", false)
        );
        let stored = town.arr.formats().into_iter().find(|format| format["name"] == "HDR10").unwrap();
        assert_eq!(stored["id"], made.format_id);
        let change = town.change(ChangeId(1)).await;
        assert_eq!(made.change.unwrap().id, change.id);
        assert_eq!((change.operation, change.resource_type), (Operation::Create, ResourceType::CustomFormat));
        assert_eq!((change.status, change.source), (ChangeStatus::Applied, ChangeSource::ExternalMcp));
        assert_eq!(change.resource_id, made.format_id.to_string());
        assert_eq!((change.current_status, change.can_revert), (Some(LiveState::MatchesApplied), false));
        assert_eq!(town.n_writes(), 1);
        assert_eq!(town.told().await, Vec::<String>::new(), "nobody has to decide about formats");
    }
}

#[actix_rt::test]
async fn an_update_changes_the_stored_one_and_the_same_again_changes_nothing() {
    let town = Town::open().await;
    let format = json!({"name": "x265 (HD)", "specifications": [titled("x265", "[xh]265")]});
    let updated = town.upsert(format.clone()).await.unwrap();
    assert_eq!(updated.action, FormatAction::Update { id: 1 });
    assert_eq!(town.changes().await[0].operation, Operation::Update);

    let again = town.upsert(format).await.unwrap();

    assert_eq!((again.action, again.change), (FormatAction::Unchanged { id: 1 }, None));
    assert_eq!((town.n_writes(), town.changes().await.len()), (1, 1));
}

#[actix_rt::test]
async fn what_could_not_be_read_back_is_not_said_to_have_changed_nothing() {
    let town = Town::open().await;
    town.arr.misbehave_nth("GET */customformat", 3, Misbehaviour::Failing { status: 404 });
    let failure = town.upsert(hdr()).await.unwrap_err();
    assert!(matches!(failure, SettingsFailure::Partial { was_accepted: true, .. }), "{failure:?}");
    assert!(!failure.to_string().to_lowercase().contains("nothing was"), "{failure}");
    assert_eq!((town.changes().await[0].status, town.n_writes()), (ChangeStatus::OutcomeUnknown, 1));
}

#[actix_rt::test]
async fn case_33_a_key_revoked_while_it_waits_for_the_lock_sends_nothing() {
    let town = Town::open().await;
    let key = town.key("soon gone", &[Scope::MediaAdmin], None).await;
    town.arr.misbehave_once("GET */customformat", Misbehaviour::Slow);
    let waiting = UpsertCustomFormat { caller: town.caller(key), ..town.upsert_of(hdr()) };
    let first = async {
        let _ = town.upsert(hdr()).await.unwrap();
    };
    let second = async {
        town.arr.until_held(1).await;
        let lost = async {
            let failure = town.ask(waiting).await.unwrap_err();
            assert!(matches!(failure, SettingsFailure::AuthorisationLost { .. }), "{failure:?}");
        };
        let revoking = async {
            town.call(HouseActor::key(town.house), RevokeKey { id: key }).await.unwrap();
            town.arr.release();
        };
        tokio::join!(lost, revoking);
    };
    tokio::join!(first, second);
    assert_eq!(town.n_writes(), 1);
}

#[actix_rt::test]
async fn case_34_a_switch_turned_off_between_the_looks_writes_and_records_nothing() {
    let town = Town::open().await;
    let (switches, house) = (town.switches.clone(), town.house);
    town.arr.after("GET */customformat", 1, move || switches.set(house, ["upsert_custom_format".to_owned()].into()));
    assert_eq!(refusal(town.upsert(hdr()).await.unwrap_err()), Code::DisabledBeforeWrite);
    assert_eq!((town.n_writes(), town.changes().await.len()), (0, 0));
}

#[actix_rt::test]
async fn case_35_another_address_between_the_looks_is_written_to_by_neither() {
    let town = Town::open().await;
    let other = ArrStandin::start(ArrKind::Radarr, Library::empty(ArrKind::Radarr));
    town.arr.misbehave_once("GET */customformat", Misbehaviour::Slow);
    let changed = async {
        assert_eq!(refusal(town.upsert(hdr()).await.unwrap_err()), Code::InstanceChanged);
    };
    let moving = async {
        town.arr.until_held(1).await;
        town.move_to(town.library, &other).await;
        town.arr.release();
    };
    tokio::join!(changed, moving);
    assert_eq!((town.n_writes(), other.n_settings_writes().n_all()), (0, 0));
}

#[actix_rt::test]
async fn case_36_a_format_edited_between_the_looks_is_not_written_over() {
    let town = Town::open().await;
    town.arr.prefer_after("GET */customformat", 1, |preferences| {
        preferences.add_format(json!({"name": "HDR10", "specifications": [titled("Theirs", "theirs")]}));
    });
    assert_eq!(refusal(town.upsert(hdr()).await.unwrap_err()), Code::ObjectChanged);
    assert_eq!((town.n_writes(), town.changes().await.len()), (0, 0));
}

#[actix_rt::test]
async fn case_37_who_gives_up_in_the_queue_sends_nothing_and_the_next_has_its_turn() {
    let town = Town::open().await;
    town.arr.misbehave_once("GET */customformat", Misbehaviour::Slow);
    let key = ProposalQueueActor::key(town.house);
    let first = async { town.upsert(hdr()).await.unwrap() };
    let others = async {
        town.arr.until_held(1).await;
        let other = json!({"name": "Given up", "specifications": [titled("a", "a")]});
        let soon = Deadline::after(Duration::from_millis(50));
        let given_up = town.bus.call(key, town.upsert_of(other), soon).await;
        assert!(
            matches!(given_up, Err(CallError::Deadline { .. }) | Ok(Err(SettingsFailure::NotStarted { .. }))),
            "{given_up:?}"
        );
        let next = json!({"name": "Next", "specifications": [titled("b", "b")]});
        let next = town.bus.call(key, town.upsert_of(next), in_time());
        let (next, ()) = tokio::join!(next, async { town.arr.release() });
        next.unwrap().unwrap()
    };
    tokio::join!(first, others);
    let names: Vec<_> = town.arr.formats().iter().map(|format| format["name"].clone()).collect();
    assert!(names.contains(&json!("Next")) && !names.contains(&json!("Given up")), "{names:?}");
}

#[actix_rt::test]
async fn case_38_a_caller_who_goes_while_a_new_format_is_verified_leaves_no_entry_open() {
    let town = Town::open().await;
    town.arr.misbehave("GET */qualityprofile", Misbehaviour::HungUp);
    let partial = town.upsert(hdr()).await.unwrap_err();
    let SettingsFailure::Partial { completed, pending, change, was_accepted, .. } = partial else {
        panic!("{partial:?}")
    };
    assert!(
        completed.contains("was created with the id") && pending.contains("every profile"),
        "{completed}; {pending}"
    );
    assert_eq!((change, was_accepted), (Some(ChangeId(1)), true));
    assert_eq!(town.changes().await[0].status, ChangeStatus::OutcomeUnknown);

    town.arr.forget_rules();
    town.arr.misbehave_once("GET */qualityprofile", Misbehaviour::Slow);
    let (bus, key) = (town.bus.clone(), ProposalQueueActor::key(town.house));
    let order = town.upsert_of(json!({"name": "Other", "specifications": [titled("a", "a")]}));
    let call = actix_rt::spawn(async move { bus.call(key, order, in_time()).await.map(drop) });
    town.arr.until_held(1).await;
    call.abort();
    town.arr.release();
    while town.changes().await[0].status == ChangeStatus::Executing {
        tokio::task::yield_now().await;
    }
    assert_eq!(town.changes().await[0].status, ChangeStatus::Applied, "it went on without its caller");
}

#[actix_rt::test]
async fn case_39_two_at_once_make_one_format() {
    let town = Town::open().await;
    let (first, second) = tokio::join!(town.upsert(hdr()), town.upsert(hdr()));
    let mut actions = [first.unwrap().action, second.unwrap().action];
    actions.sort_by_key(|action| matches!(action, FormatAction::Unchanged { .. }));
    assert!(matches!(actions, [FormatAction::Create, FormatAction::Unchanged { .. }]), "{actions:?}");
    let n_made = town.arr.formats().iter().filter(|format| format["name"] == "HDR10").count();
    assert_eq!((n_made, town.n_writes()), (1, 1));
}

#[actix_rt::test]
async fn case_24_a_refusal_is_certain_and_shows_what_the_service_said() {
    let town = Town::open().await;
    let failure = town.upsert(json!({"name": "Empty", "specifications": []})).await.unwrap_err();
    assert!(matches!(failure, SettingsFailure::Definite { .. }), "{failure:?}");
    assert_eq!(town.changes().await[0].status, ChangeStatus::Failed);
    assert_eq!(town.changes().await[0].resource_id, "name:Empty");
}

#[actix_rt::test]
async fn case_26_27_and_28_what_cannot_be_verified_is_unknown() {
    for (n, spoil) in [
        (&|town: &Town| town.arr.do_but_answer(POST, 201, json!({"id": 99, "name": "HDR10"}).to_string()))
            as &dyn Fn(&Town),
        &|town: &Town| town.arr.list_new_formats(4, Listing::AtScore(10)),
        &|town: &Town| town.arr.list_new_formats(4, Listing::Twice),
        &|town: &Town| town.arr.list_new_formats(4, Listing::NotAtAll),
        &|town: &Town| town.arr.misbehave(POST, Misbehaviour::DoneButFailing { status: 500 }),
        &|town: &Town| town.arr.misbehave(POST, Misbehaviour::HungUp),
    ]
    .into_iter()
    .enumerate()
    {
        let town = Town::open().await;
        spoil(&town);
        let failure = town.upsert(hdr()).await.unwrap_err();
        assert!(matches!(failure, SettingsFailure::Partial { .. }), "{n}: {failure:?}");
        let change = &town.changes().await[0];
        assert_eq!(change.status, ChangeStatus::OutcomeUnknown, "{n}");
        assert_eq!(change.error_text.as_deref(), Some(failure.to_string().as_str()));
        assert_eq!(town.n_writes(), 1, "{n}");
    }
}

#[actix_rt::test]
async fn case_25_an_answer_without_a_body_is_made_up_for_by_reading_back() {
    let town = Town::open().await;
    town.arr.do_but_answer(POST, 201, "");
    assert_eq!(town.upsert(hdr()).await.unwrap().action, FormatAction::Create);
}

#[actix_rt::test]
async fn case_101_a_lost_create_that_landed_is_recognised() {
    let town = Town::open().await;
    town.arr.misbehave(POST, Misbehaviour::DoneButLost);
    town.upsert(hdr()).await.unwrap_err();
    let change = town.change(ChangeId(1)).await;
    assert_eq!((change.status, change.current_status), (ChangeStatus::OutcomeUnknown, Some(LiveState::MatchesApplied)));
    assert!(!change.can_revert);
}

#[actix_rt::test]
async fn who_may_not_makes_nothing() {
    let town = Town::open().await;
    let bob = town.account("Bob", Role::User).await;
    let key = town.key("bob's", &[Scope::MediaAdmin], Some(&bob)).await;
    let order = UpsertCustomFormat { caller: town.caller(key), ..town.upsert_of(hdr()) };
    assert_eq!(refusal(town.ask(order).await.unwrap_err()), Code::RoleDenied);
    let other = UpsertCustomFormat { instance_id: Some("sonarr-00000001".into()), ..town.upsert_of(hdr()) };
    assert_eq!(refusal(town.ask(other).await.unwrap_err()), Code::InstanceUnknown);
    assert_eq!(town.arr.n_requests(), 0);
}
