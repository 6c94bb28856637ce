//! Putting a profile back, once.

use playhouse_house::{Role, Scope};
use playhouse_proposals::{ChangeError, ChangeId, ChangeSource, ChangeStatus, Decider, Operation, RestoreChange};
use playhouse_standins::{ArrKind, ArrStandin, Library, Misbehaviour};
use serde_json::json;

use crate::town::{Town, hdr, in_time, min_score};

const PUT: &str = "PUT */qualityprofile/*";

/// A house in which change 1 raised the least score from 0 to 1.
async fn changed() -> Town {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.approve(proposal.id).await.unwrap();
    town
}

fn is_wrong_kind(ended: &Result<playhouse_proposals::ChangeRecord, ChangeError>) {
    assert!(matches!(ended, Err(ChangeError::NotRestorable { .. })), "{ended:?}");
}

#[actix_rt::test]
async fn a_profile_is_put_back_to_the_byte_and_the_history_says_who_did_it() {
    let town = changed().await;
    // No tool is asked: a human does this.
    town.switch("apply_profile_change", false).await;

    let restored = town.restore(ChangeId(1)).await.unwrap();

    assert_eq!((restored.id, restored.parent_id), (ChangeId(2), Some(ChangeId(1))));
    assert_eq!((restored.source, restored.operation), (ChangeSource::AdminRevert, Operation::Revert));
    assert_eq!((restored.status, restored.actor_name.as_str()), (ChangeStatus::Applied, "the key \"kitchen\""));
    assert_eq!(town.profile()["minFormatScore"], 0);
    let shown = town.change(ChangeId(2)).await;
    let fields: Vec<_> = shown.changes.iter().map(|field| (&*field.before, &*field.after)).collect();
    assert_eq!((fields, shown.can_revert), (vec![("1", "0")], false));
}

#[actix_rt::test]
async fn case_102_a_profile_that_moved_on_is_not_put_back_until_it_is_as_it_was_left() {
    let town = changed().await;
    town.arr.edit_profile(4, |profile| profile["cutoffFormatScore"] = 50.into());
    let moved = town.restore(ChangeId(1)).await.unwrap_err();
    assert!(matches!(moved, ChangeError::Moved { .. }), "{moved}");
    assert_eq!(town.n_writes(), 1);
    town.arr.edit_profile(4, |profile| profile["cutoffFormatScore"] = 100.into());
    assert!(town.change(ChangeId(1)).await.can_revert);

    town.arr.add_format(hdr());
    let moved = town.restore(ChangeId(1)).await.unwrap_err();
    assert!(matches!(moved, ChangeError::Moved { .. }), "what it depends on moved: {moved}");
    assert_eq!(town.changes().await.len(), 1);
}

#[actix_rt::test]
async fn case_103_once_put_back_it_is_not_put_back_again_whatever_the_library_says() {
    let town = changed().await;
    town.restore(ChangeId(1)).await.unwrap();
    town.arr.edit_profile(4, |profile| profile["minFormatScore"] = 1.into());
    assert!(!town.change(ChangeId(1)).await.can_revert);
    is_wrong_kind(&town.restore(ChangeId(1)).await);
    assert_eq!(town.n_writes(), 2);
}

#[actix_rt::test]
async fn case_104_an_attempt_that_was_refused_can_be_made_again() {
    let town = changed().await;
    town.arr.answer_instead(PUT, 400, json!([{"propertyName": "Cutoff", "errorMessage": "no"}]));
    let failed = town.restore(ChangeId(1)).await.unwrap_err();
    assert!(matches!(failed, ChangeError::Failed { .. }), "{failed}");
    assert_eq!(town.changes().await[0].status, ChangeStatus::Failed);
    assert!(town.change(ChangeId(1)).await.can_revert);
    town.arr.forget_rules();
    assert_eq!(town.restore(ChangeId(1)).await.unwrap().id, ChangeId(3));
}

#[actix_rt::test]
async fn case_105_an_attempt_of_which_nothing_is_known_is_the_last() {
    let town = changed().await;
    town.arr.misbehave(PUT, Misbehaviour::DoneButLost);
    let failed = town.restore(ChangeId(1)).await.unwrap_err();
    assert!(matches!(failed, ChangeError::Failed { .. }), "{failed}");
    assert_eq!(town.changes().await[0].status, ChangeStatus::OutcomeUnknown);
    town.arr.forget_rules();
    town.arr.edit_profile(4, |profile| profile["minFormatScore"] = 1.into());
    is_wrong_kind(&town.restore(ChangeId(1)).await);
    assert!(!town.change(ChangeId(1)).await.can_revert);
}

#[actix_rt::test]
async fn case_106_only_an_applied_change_of_a_profile_can_be_put_back() {
    let town = changed().await;
    town.restore(ChangeId(1)).await.unwrap();
    is_wrong_kind(&town.restore(ChangeId(2)).await);
    town.upsert(hdr()).await.unwrap();
    is_wrong_kind(&town.restore(ChangeId(3)).await);
    assert_eq!(town.restore(ChangeId(9)).await, Err(ChangeError::NotFound));
    assert_eq!(town.n_writes(), 3);
}

#[actix_rt::test]
async fn case_107_two_at_once_put_it_back_once() {
    let town = changed().await;
    let (first, second) = tokio::join!(town.restore(ChangeId(1)), town.restore(ChangeId(1)));
    assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
    assert_eq!((town.n_writes(), town.changes().await.len()), (2, 2));
}

#[actix_rt::test]
async fn a_library_that_is_another_one_now_or_does_not_answer_is_not_written_to() {
    let town = changed().await;
    town.arr.misbehave("*", Misbehaviour::Failing { status: 503 });
    let down = town.restore(ChangeId(1)).await.unwrap_err();
    assert!(matches!(down, ChangeError::Unavailable { .. }), "{down}");
    town.arr.forget_rules();
    let other = ArrStandin::start(ArrKind::Radarr, Library::empty(ArrKind::Radarr));
    town.move_to(town.library, &other).await;
    let elsewhere = town.restore(ChangeId(1)).await.unwrap_err();
    assert!(matches!(elsewhere, ChangeError::Unavailable { .. }), "{elsewhere}");
    assert_eq!((town.n_writes(), other.n_settings_writes().n_all()), (1, 0));
}

#[actix_rt::test]
async fn who_is_no_admin_of_the_house_restores_nothing() {
    let town = changed().await;
    let bob = town.account("Bob", Role::User).await;
    let users = town.key("bob's", &[Scope::HouseAdmin], Some(&bob)).await;
    for credential in [users, town.proposer] {
        let decider = Decider::Key { credential };
        let ended = town.bus.call(
            playhouse_proposals::ProposalQueueActor::key(town.house),
            RestoreChange { id: ChangeId(1), decider },
            in_time(),
        );
        let ended = ended.await.unwrap();
        assert!(matches!(ended, Err(ChangeError::Forbidden { .. })), "{ended:?}");
    }
    assert_eq!(town.n_writes(), 1);
}
