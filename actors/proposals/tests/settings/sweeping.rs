//! What is looked after without anybody deciding.

use jiff::{SignedDuration, Timestamp};
use playhouse_proposals::{Expiries, ProposalQueueActor, ProposalStatus};

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
