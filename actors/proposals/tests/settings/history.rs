//! The configuration history.

use playhouse_library::settings::LiveState;
use playhouse_proposals::{ChangeError, ChangeId, GetChange, ListChanges, ProposalQueueActor};
use playhouse_standins::Misbehaviour;
use playhouse_store::{Expect, Key, MAX_PAGE_ENTRIES, Op, Path};

use crate::town::{Town, min_score};

/// Applies so many changes, one after the other.
async fn applied(town: &Town, n: i32) {
    for score in 1..=n {
        let proposal = town.propose(min_score(score)).await;
        town.approve(proposal.id).await.unwrap();
    }
}

#[actix_rt::test]
async fn changes_are_listed_newest_first_in_pages_and_without_details() {
    let town = Town::open().await;
    applied(&town, 3).await;
    let numbers = async |limit, before: Option<u64>| {
        let listed = town.ask(ListChanges { limit, before: before.map(ChangeId) }).await.unwrap();
        assert!(listed.iter().all(|change| change.changes.is_empty() && !change.can_revert));
        listed.into_iter().map(|change| change.id.0).collect::<Vec<_>>()
    };
    assert_eq!(numbers(0, None).await, [3, 2, 1]);
    assert_eq!(numbers(2, None).await, [3, 2]);
    assert_eq!(numbers(2, Some(3)).await, [2, 1]);
    assert_eq!(numbers(2, Some(0)).await, [3, 2]);
    assert_eq!(numbers(2, Some(1)).await, [0; 0]);
    assert_eq!(town.ask(GetChange { id: ChangeId(4) }).await, Err(ChangeError::NotFound));
}

#[actix_rt::test]
async fn case_100_details_that_cannot_be_read_keep_no_list_from_being_shown() {
    let town = Town::open().await;
    applied(&town, 1).await;
    let texts = Key::new(town.house, Path::literal("change_text"));
    let kept = town.store.scan(&texts, None, MAX_PAGE_ENTRIES).await.unwrap();
    let ops = kept.entries.into_iter().map(|(key, _)| Op::delete(key.path, Expect::Any)).collect();
    town.store.commit(town.house, ops, None).await.unwrap();

    assert_eq!(town.changes().await.len(), 1);
    let broken = town.ask(GetChange { id: ChangeId(1) }).await.unwrap_err();
    assert!(matches!(broken, ChangeError::Failed { .. }), "{broken}");
    let broken = town.restore(ChangeId(1)).await.unwrap_err();
    assert!(matches!(broken, ChangeError::Failed { .. }), "{broken}");
    assert_eq!(town.n_writes(), 1);
}

#[actix_rt::test]
async fn a_change_is_compared_with_what_the_library_has_now() {
    let town = Town::open().await;
    applied(&town, 1).await;
    let now = async || {
        let change = town.change(ChangeId(1)).await;
        (change.current_status.unwrap(), change.can_revert)
    };
    assert_eq!(now().await, (LiveState::MatchesApplied, true));
    town.arr.edit_profile(4, |profile| profile["minFormatScore"] = 9.into());
    assert_eq!(now().await, (LiveState::Different, false));
    town.arr.edit_profile(4, |profile| profile["minFormatScore"] = 1.into());
    assert_eq!(now().await, (LiveState::MatchesApplied, true));
    town.arr.misbehave("*", Misbehaviour::Failing { status: 503 });
    assert_eq!(now().await, (LiveState::Unavailable, false));
    town.remove(town.library).await;
    assert_eq!(now().await, (LiveState::Unavailable, false));
}

#[actix_rt::test]
async fn texts_without_an_entry_are_removed_when_the_queue_starts() {
    let town = Town::open().await;
    applied(&town, 1).await;
    let texts = Key::new(town.house, Path::literal("change_text"));
    let before = town.store.scan(&texts, None, MAX_PAGE_ENTRIES).await.unwrap().entries;
    let orphan = texts.path.join("00000000000000000002").unwrap().join("before").unwrap().join("00000").unwrap();
    town.store
        .commit(town.house, vec![Op::put(orphan, before[0].1.value.clone(), Expect::Absent)], None)
        .await
        .unwrap();

    town.bus.put_away_actor(ProposalQueueActor::key(town.house));
    assert_eq!(town.changes().await.len(), 1);

    assert_eq!(town.store.scan(&texts, None, MAX_PAGE_ENTRIES).await.unwrap().entries, before);
    let next = town.propose(min_score(2)).await;
    assert_eq!(town.approve(next.id).await.unwrap().setting_change_id, Some(ChangeId(2)));
}
