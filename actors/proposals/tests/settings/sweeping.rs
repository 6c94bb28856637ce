//! What is looked after without anybody deciding.

use jiff::{SignedDuration, Timestamp};
use playhouse_house::DisabledTools;
use playhouse_proposals::{
    ChangeStatus, Expiries, ProposalError, ProposalId, ProposalQueueActor, ProposalStatus, WorkBook,
};
use playhouse_standins::Misbehaviour;

use crate::town::{Town, min_score};

#[actix_rt::test]
async fn a_proposal_that_nobody_decided_expires_at_the_next_sweep_and_is_told_of() {
    let town = Town::open().await;
    let mut heard = town.events.listen(town.house);
    let proposal = town.propose(min_score(1)).await;
    assert_eq!(town.expiries.due(town.now()), []);
    town.advance(SignedDuration::from_hours(7 * 24));
    assert_eq!(town.expiries.due(town.now()), [town.house]);

    town.sweep().await;
    town.sweep().await;

    let expired = town.get(proposal.id).await;
    assert_eq!((expired.status, expired.decided_at), (ProposalStatus::Expired, Some(town.now())));
    assert_eq!(town.told().await, ["pending 1 (1)", "decided 1 (0)"]);
    assert_eq!((heard.recv().await.unwrap().id.0, heard.recv().await.unwrap().id.0), (1, 2));
    assert_eq!(town.expiries.due(Timestamp::MAX), []);
}

#[actix_rt::test]
async fn a_list_never_shows_what_has_expired_as_waiting() {
    let town = Town::open().await;
    town.propose(min_score(1)).await;
    town.advance(SignedDuration::from_hours(7 * 24));
    assert_eq!(town.list(false).await, []);
    assert_eq!(town.told().await.len(), 2);
}

#[actix_rt::test]
async fn when_a_house_is_due_is_read_from_the_store() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    let read = Expiries::default();
    read.load(&*town.store).await.unwrap();
    assert_eq!(read.due(proposal.expires_at - SignedDuration::from_nanos(1)), []);
    assert_eq!(read.due(proposal.expires_at), [town.house]);
    town.reject(proposal.id, "").await.unwrap();
    read.load_house(&*town.store, town.house).await.unwrap();
    assert_eq!(read.due(Timestamp::MAX), []);
}

#[actix_rt::test]
async fn a_queue_started_long_after_ends_what_has_expired_meanwhile() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.bus.put_away_actor(ProposalQueueActor::key(town.house));
    town.advance(SignedDuration::from_hours(8 * 24));
    assert_eq!(town.get(proposal.id).await.status, ProposalStatus::Expired);
}

/// Another process over the same store and the same library.
async fn neighbour(town: &Town) -> Town {
    town.beside(WorkBook::default()).await
}

#[actix_rt::test]
async fn case_108_an_end_is_final_also_where_another_process_wrote_it() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.arr.misbehave_once("PUT */qualityprofile/*", Misbehaviour::Slow);
    let approving = town.approve(proposal.id);
    let settling = async {
        town.arr.until_held(1).await;
        // It knows nothing of the work in the other process, as after a crash.
        let other = neighbour(&town).await;
        assert_eq!(other.changes().await[0].status, ChangeStatus::OutcomeUnknown);
        assert_eq!(other.get(proposal.id).await.status, ProposalStatus::Failed);
        town.arr.release();
    };
    let (approved, ()) = tokio::join!(approving, settling);

    assert!(matches!(approved, Err(ProposalError::Failed { .. })), "{approved:?}");
    let change = &town.changes().await[0];
    assert_eq!(change.status, ChangeStatus::OutcomeUnknown);
    assert!(change.error_text.as_ref().unwrap().contains("The server stopped"));
    assert_eq!(town.get(proposal.id).await.status, ProposalStatus::Failed);
    assert_eq!(town.n_writes(), 1);
}

#[actix_rt::test]
async fn what_another_process_decided_meanwhile_is_seen_and_not_overwritten() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    let other = neighbour(&town).await;
    other.reject(proposal.id, "no").await.unwrap();
    let late = town.approve(proposal.id).await.unwrap_err();
    assert!(matches!(late, ProposalError::NotPending { .. }), "{late}");
    assert!(matches!(town.reject(proposal.id, "").await, Err(ProposalError::NotPending { .. })));
    assert_eq!(town.n_writes(), 0);
    // Numbers are given out once, also by two.
    assert_eq!(town.propose(min_score(2)).await.id, ProposalId(2));
    assert_eq!(town.told().await, ["pending 1 (1)", "decided 1 (0)", "pending 2 (1)"]);
}

#[actix_rt::test]
async fn where_the_switches_cannot_be_read_nothing_is_approved() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.switches.take_over(town.house, DisabledTools::Unreadable(serde_json::json!("all")));
    assert_eq!(town.approve(proposal.id).await, Err(ProposalError::SwitchedOff));
    assert!(town.ask(town.preview(min_score(2))).await.is_err());
    town.switch("tv_observe", false).await;
    assert_eq!(town.approve(proposal.id).await.unwrap().status, ProposalStatus::Applied);
}
