//! Who owns a resource, and for how long.

use std::time::Duration;

use playhouse_store::{Claim, CommitError, Expect, Fence, IdemKey, LogId, Lost, NodeId, Op, ResourceId, Seq, Store};
use uuid::Uuid;

use crate::subject::{Subject, house, path};

const TTL: Duration = Duration::from_secs(10);

pub(crate) async fn one_node_at_a_time_owns_a_resource(subject: impl Subject) {
    let store = &**subject.store();
    assert_eq!(claim(store, 1).await, Claim::Owned { epoch: 1 });
    let until = subject.clock().now() + TTL;
    assert_eq!(claim(store, 2).await, Claim::Held { by: node(1), until });
    let other = ResourceId::new(house(1), path("arr/2"));
    assert_eq!(store.claim(&other, node(2), TTL).await.unwrap(), Claim::Owned { epoch: 1 });
}

pub(crate) async fn a_claim_ends_with_its_time_unless_renewed(subject: impl Subject) {
    let store = &**subject.store();
    claim(store, 1).await;
    subject.clock().advance(TTL * 9 / 10);
    store.renew(&resource(), 1, TTL).await.unwrap();
    subject.clock().advance(TTL * 9 / 10);
    assert!(matches!(claim(store, 2).await, Claim::Held { .. }));
    subject.clock().advance(TTL / 10);
    assert_eq!(store.renew(&resource(), 1, TTL).await, Err(Lost::Over { current: 1 }));
    assert_eq!(claim(store, 2).await, Claim::Owned { epoch: 2 });
    assert_eq!(store.renew(&resource(), 1, TTL).await, Err(Lost::Over { current: 2 }));
    let unknown = ResourceId::new(house(1), path("never"));
    assert_eq!(store.renew(&unknown, 1, TTL).await, Err(Lost::Over { current: 0 }));
}

pub(crate) async fn the_owner_claims_again_under_a_new_epoch(subject: impl Subject) {
    let store = &**subject.store();
    claim(store, 1).await;
    assert_eq!(claim(store, 1).await, Claim::Owned { epoch: 2 });
    assert_eq!(store.renew(&resource(), 1, TTL).await, Err(Lost::Over { current: 2 }));
}

pub(crate) async fn a_released_resource_is_free_and_its_epoch_is_over(subject: impl Subject) {
    let store = &**subject.store();
    claim(store, 1).await;
    store.release(&resource(), 7).await;
    assert!(matches!(claim(store, 2).await, Claim::Held { .. }), "a wrong epoch releases nothing");
    store.release(&resource(), 1).await;
    assert_eq!(put_fenced(store, 1).await, Err(CommitError::Fenced { current: 2 }));
    assert_eq!(claim(store, 2).await, Claim::Owned { epoch: 3 });
}

pub(crate) async fn a_fenced_write_changes_nothing(subject: impl Subject) {
    let store = &**subject.store();
    assert_eq!(put_fenced(store, 1).await, Err(CommitError::Fenced { current: 0 }));
    claim(store, 1).await;
    put_fenced(store, 1).await.unwrap();
    subject.clock().advance(TTL * 2);
    put_fenced(store, 1).await.expect("nobody took it, so nobody can have acted in between");
    claim(store, 2).await;
    assert_eq!(put_fenced(store, 1).await, Err(CommitError::Fenced { current: 2 }));
    let log = LogId::new(house(1), path("log"));
    let fenced = store.append(log.clone(), "x".into(), IdemKey::new("k").unwrap(), fence(1)).await;
    assert_eq!(fenced, Err(CommitError::Fenced { current: 2 }));
    assert_eq!(crate::records::texts(store, house(1)).await, ["a=1"]);
    assert_eq!(store.read_log(&log, Seq::FIRST, 10).await.unwrap(), []);
    put_fenced(store, 2).await.unwrap();
}

pub(crate) async fn epochs_survive_opening_again(mut subject: impl Subject) {
    claim(&**subject.store(), 1).await;
    subject.open_again().await;
    assert!(matches!(claim(&**subject.store(), 2).await, Claim::Held { .. }));
    assert_eq!(claim(&**subject.store(), 1).await, Claim::Owned { epoch: 2 });
}

fn node(number: u128) -> NodeId {
    NodeId(Uuid::from_u128(number))
}

fn resource() -> ResourceId {
    ResourceId::new(house(1), path("arr/1"))
}

fn fence(epoch: u64) -> Option<Fence> {
    Some(Fence { resource: resource(), epoch })
}

async fn claim(store: &dyn Store, by: u128) -> Claim {
    store.claim(&resource(), node(by), TTL).await.unwrap()
}

/// Puts the epoch as the value of `a`.
async fn put_fenced(store: &dyn Store, epoch: u64) -> Result<(), CommitError> {
    let op = Op::put(path("a"), epoch.to_string(), Expect::Any);
    store.commit(house(1), vec![op], fence(epoch)).await.map(drop)
}
