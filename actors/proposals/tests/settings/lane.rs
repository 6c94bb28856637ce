//! Writes that wait for another write to the same library: what changes meanwhile is seen before anything is sent, and the lane is given back.

use std::time::Duration;

use playhouse_bus::{Deadline, Message};
use playhouse_house::{HouseActor, RevokeKey, Role, Scope, ToolSwitches};
use playhouse_library::answer::Code;
use playhouse_library::settings::{HoldWrites, ReleaseWrites};
use playhouse_library::{ArrActor, ObserveArr, add_tools};
use playhouse_proposals::{
    ApplyProfileChange, ApproveProposal, Armed, ChangeError, ChangeId, ChangeStatus, Decider, PreviewProfileChange,
    Previewed, ProposalError, ProposalQueueActor, ProposalStatus, RestoreChange, SettingsFailure, UpsertCustomFormat,
};
use playhouse_standins::Misbehaviour;
use playhouse_tools::{Registry, ToolCall};
use serde_json::json;
use tokio::task::JoinHandle;

use crate::town::{Town, hdr, in_time, min_score};

const PUT: &str = "PUT */qualityprofile/*";
const REMOVAL: &str = "DELETE */queue/*";

/// Has the library's lane for writes occupied by the removal of a download, until the application is told to release what it holds.
async fn occupy(town: &Town) -> JoinHandle<()> {
    town.arr.misbehave_once(REMOVAL, Misbehaviour::SlowToStart);
    let mut registry = Registry::new(ToolSwitches::new());
    add_tools(&mut registry).unwrap();
    let principal = town.caller(town.proposer).principal;
    let call = ToolCall { principal, bus: town.bus.clone(), deadline: in_time(), chosen: None };
    let arguments = json!({ "queue_id": 7, "media_type": "movie", "instance_id": town.library.to_string() });
    let serde_json::Value::Object(arguments) = arguments else { unreachable!("it is one") };
    let removal = actix_rt::spawn(async move { drop(registry.call("remove_queue_item", arguments, call).await) });
    town.arr.until_held(1).await;
    town.arr.forget_requests();
    removal
}

/// Waits until somebody has had his first look at the library and waits for the lane.
async fn until_one_waits(town: &Town, last_read: &str) {
    let key = ArrActor::key(town.house, town.library);
    loop {
        let n_reads = town.call(key, ObserveArr {}).await.n_reads;
        let health = town.bus.health();
        let n_calls = health.actor(key).map_or(0, |arr| arr.queued + arr.in_flight);
        let was_read = town.arr.requests().iter().any(|request| request.path.ends_with(last_read));
        // The removal and who waits behind it.
        if was_read && n_reads == 0 && n_calls == 2 {
            return;
        }
        tokio::task::yield_now().await;
    }
}

/// Waits until nobody is in the lane.
async fn until_free(town: &Town) {
    let key = ArrActor::key(town.house, town.library);
    let free = async {
        while town.call(key, ObserveArr {}).await.n_writes > 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout_at(in_time().instant(), free).await.expect("the lane is given back");
}

/// Gives an order while the lane is occupied, has something happen while it waits, and answers what became of it.
async fn while_it_waits<M>(town: &Town, order: M, last_read: &str, happens: impl AsyncFnOnce()) -> M::Reply
where
    M: Message<Actor = ProposalQueueActor>,
{
    let removal = occupy(town).await;
    let happening = async {
        until_one_waits(town, last_read).await;
        happens().await;
        town.arr.release();
    };
    let (ended, ()) = tokio::join!(town.ask(order), happening);
    removal.await.unwrap();
    until_free(town).await;
    ended
}

/// Nothing reached the profiles, and the history knows of nothing either.
async fn is_untouched(town: &Town) {
    assert_eq!((town.n_writes(), town.changes().await.len()), (0, 0));
}

async fn arm(town: &Town) -> (Armed, ApplyProfileChange) {
    let caller = town.chatting(town.proposer, "a", "Lower it.");
    let preview = PreviewProfileChange { caller: caller.clone(), ..town.preview(min_score(1)) };
    let Previewed::Armed(armed) = town.ask(preview).await.unwrap() else { panic!("parked") };
    let order = ApplyProfileChange { caller, reference: armed.reference.clone() };
    (armed, order)
}

#[actix_rt::test]
async fn what_waited_for_another_write_is_sent_when_nothing_changed_meanwhile() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    let order = ApproveProposal { id: proposal.id, decider: town.by_admin() };
    let applied = while_it_waits(&town, order, "/language", async || is_untouched(&town).await).await.unwrap();
    assert_eq!((applied.status, town.n_writes()), (ProposalStatus::Applied, 1));
}

#[actix_rt::test]
async fn case_76_a_key_revoked_while_its_yes_waits_for_another_write_sends_nothing() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    let credential = town.key("console", &[Scope::HouseAdmin], None).await;
    let order = ApproveProposal { id: proposal.id, decider: Decider::Key { credential } };

    let lost = while_it_waits(&town, order, "/language", async || {
        town.call(HouseActor::key(town.house), RevokeKey { id: credential }).await.unwrap();
    });
    let lost = lost.await.unwrap_err();

    assert!(matches!(lost, ProposalError::Forbidden { .. }), "{lost}");
    is_untouched(&town).await;
    assert_eq!(town.get(proposal.id).await.status, ProposalStatus::Pending);
    assert_eq!(town.approve(proposal.id).await.unwrap().status, ProposalStatus::Applied);
}

#[actix_rt::test]
async fn case_77_a_switch_turned_off_while_a_yes_waits_for_another_write_stops_it() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    let order = ApproveProposal { id: proposal.id, decider: town.by_admin() };

    let off = while_it_waits(&town, order, "/language", async || town.switch("apply_profile_change", false).await);

    assert_eq!(off.await, Err(ProposalError::SwitchedOff));
    is_untouched(&town).await;
    assert_eq!(town.get(proposal.id).await.status, ProposalStatus::Pending);
}

#[actix_rt::test]
async fn case_89_a_profile_edited_while_a_yes_waits_for_another_write_is_not_written_over() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    let order = ApproveProposal { id: proposal.id, decider: town.by_admin() };

    let stale = while_it_waits(&town, order, "/language", async || {
        town.arr.edit_profile(4, |profile| profile["minFormatScore"] = (-3).into());
    });
    let stale = stale.await.unwrap_err();

    assert!(matches!(stale, ProposalError::Stale { .. }), "{stale}");
    is_untouched(&town).await;
    assert_eq!(
        (town.get(proposal.id).await.status, &town.profile()["minFormatScore"]),
        (ProposalStatus::Failed, &json!(-3))
    );
}

#[actix_rt::test]
async fn a_restore_and_an_application_see_what_changed_while_they_waited_for_another_write() {
    let town = Town::open().await;
    let eve = town.account("Eve", Role::Admin).await;
    let credential = town.key("console", &[Scope::HouseAdmin], Some(&eve)).await;
    let proposal = town.propose(min_score(1)).await;
    town.approve(proposal.id).await.unwrap();
    let order = RestoreChange { id: ChangeId(1), decider: Decider::Key { credential } };
    let lost = while_it_waits(&town, order, "/language", async || {
        town.key_ring.set_role(town.house, eve.id, Role::User);
    });
    let lost = lost.await.unwrap_err();
    assert!(matches!(lost, ChangeError::Forbidden { .. }), "{lost}");
    assert_eq!((town.n_writes(), town.changes().await.len()), (1, 1));

    let town = Town::open().await;
    let (_, order) = arm(&town).await;
    let off = while_it_waits(&town, order, "/language", async || town.switch("apply_profile_change", false).await);
    let off = off.await.unwrap_err();
    assert!(matches!(off, SettingsFailure::Refused { code: Code::DisabledSpent, .. }), "{off:?}");
    is_untouched(&town).await;
}

#[actix_rt::test]
async fn case_33_and_36_a_format_is_looked_at_again_behind_the_wait_for_another_write() {
    let town = Town::open().await;
    let key = town.key("soon gone", &[Scope::MediaAdmin], None).await;
    let order = UpsertCustomFormat { caller: town.caller(key), ..town.upsert_of(hdr()) };
    let lost = while_it_waits(&town, order, "/customformat", async || {
        town.call(HouseActor::key(town.house), RevokeKey { id: key }).await.unwrap();
    });
    let lost = lost.await.unwrap_err();
    assert!(matches!(lost, SettingsFailure::AuthorisationLost { .. }), "{lost:?}");
    is_untouched(&town).await;

    let moved = while_it_waits(&town, town.upsert_of(hdr()), "/customformat", async || {
        town.arr.add_format(hdr());
    });
    let moved = moved.await.unwrap_err();
    assert!(matches!(moved, SettingsFailure::Refused { code: Code::ObjectChanged, .. }), "{moved:?}");
    is_untouched(&town).await;
}

#[actix_rt::test]
async fn while_another_write_does_not_end_nothing_is_begun_and_the_words_say_so() {
    let town = Town::open().await;
    let changed = town.propose(min_score(1)).await;
    town.approve(changed.id).await.unwrap();
    let proposal = town.propose(min_score(2)).await;
    let caller = town.chatting(town.proposer, "a", "Lower it.");
    let preview = PreviewProfileChange { caller: caller.clone(), ..town.preview(min_score(3)) };
    let Previewed::Armed(armed) = town.ask(preview).await.unwrap() else { panic!("parked") };
    let key = ArrActor::key(town.house, town.library);
    let lease = town.call(key, HoldWrites {}).await.unwrap();
    // Little more than is kept back for the look behind the wait.
    let soon = || Deadline::after(Duration::from_millis(3_000));
    let queue = ProposalQueueActor::key(town.house);

    let order = ApproveProposal { id: proposal.id, decider: town.by_admin() };
    let ended = town.bus.call(queue, order, soon()).await.unwrap().unwrap_err();
    let ProposalError::Unavailable { words } = ended else { panic!("{ended}") };
    assert!(words.contains("waits on") && words.contains("still under way"), "{words}");
    assert_eq!(town.get(proposal.id).await.status, ProposalStatus::Pending);

    let order = RestoreChange { id: ChangeId(1), decider: town.by_admin() };
    let ended = town.bus.call(queue, order, soon()).await.unwrap().unwrap_err();
    let ChangeError::Unavailable { words } = ended else { panic!("{ended}") };
    assert!(words.contains("Nothing was restored") && words.contains("still under way"), "{words}");

    let order = ApplyProfileChange { caller: caller.clone(), reference: armed.reference.clone() };
    let ended = town.bus.call(queue, order, soon()).await.unwrap().unwrap_err();
    let SettingsFailure::NotStarted { code: Code::Busy, words } = ended else { panic!("{ended:?}") };
    assert!(words.contains("still under way") && words.contains("spent"), "{words}");

    let ended = town.bus.call(queue, town.upsert_of(hdr()), soon()).await.unwrap().unwrap_err();
    let SettingsFailure::NotStarted { code: Code::Busy, words } = ended else { panic!("{ended:?}") };
    assert!(words.contains("still under way"), "{words}");

    assert_eq!((town.n_writes(), town.changes().await.len()), (1, 1));
    town.call(key, ReleaseWrites { lease }).await;
    until_free(&town).await;
    assert_eq!(town.approve(proposal.id).await.unwrap().status, ProposalStatus::Applied);
    let ended = town.ask(ApplyProfileChange { caller, reference: armed.reference }).await.unwrap_err();
    assert!(matches!(ended, SettingsFailure::Refused { code: Code::NoPendingReference, .. }), "{ended:?}");
}

#[actix_rt::test]
async fn the_lane_is_free_again_after_every_end() {
    let n_in_lane =
        async |town: &Town| town.call(ArrActor::key(town.house, town.library), ObserveArr {}).await.n_writes;
    for (status, spoil) in [
        (Some(ChangeStatus::Applied), (&|_: &Town| {}) as &dyn Fn(&Town)),
        (Some(ChangeStatus::Failed), &|town| town.arr.answer_instead(PUT, 400, json!([]))),
        (Some(ChangeStatus::OutcomeUnknown), &|town| town.arr.misbehave(PUT, Misbehaviour::DoneButLost)),
        (None, &|town| {
            town.arr.prefer_after("GET */qualityprofile", 1, |preferences| {
                preferences.edit_profile(4, |profile| profile["minFormatScore"] = (-3).into());
            });
        }),
    ] {
        let town = Town::open().await;
        let proposal = town.propose(min_score(1)).await;
        spoil(&town);
        let ended = town.approve(proposal.id).await;
        assert_eq!(ended.is_ok(), status == Some(ChangeStatus::Applied), "{ended:?}");
        assert_eq!(town.changes().await.first().map(|change| change.status), status);
        assert_eq!(n_in_lane(&town).await, 0, "{status:?}");
    }
    let town = Town::open().await;
    town.upsert(hdr()).await.unwrap();
    assert_eq!(n_in_lane(&town).await, 0);
    town.upsert(json!({"name": "Empty", "specifications": []})).await.unwrap_err();
    assert_eq!(n_in_lane(&town).await, 0);
}

#[actix_rt::test]
async fn a_caller_who_goes_while_he_waits_for_the_lane_leaves_it_free() {
    let town = Town::open().await;
    let removal = occupy(&town).await;
    let (bus, key, order) = (town.bus.clone(), ProposalQueueActor::key(town.house), town.upsert_of(hdr()));
    let call = actix_rt::spawn(async move { bus.call(key, order, in_time()).await.map(drop) });
    until_one_waits(&town, "/customformat").await;
    call.abort();
    town.arr.release();
    removal.await.unwrap();
    until_free(&town).await;
    is_untouched(&town).await;
    town.upsert(hdr()).await.unwrap();
}
