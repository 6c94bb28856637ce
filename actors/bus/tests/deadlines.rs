//! A call ends with its deadline; what must not be cut off is finished, and what did not end is called unknown.

mod common;

use std::time::Duration;

use common::{Circus, Do, TICK, TimeLeft, settle, tv};
use playhouse_bus::{ActorState, CallError, Deadline, Failure};
use tokio::time::{Instant, advance};

const SECOND: Duration = Duration::from_secs(1);

#[actix::test]
async fn a_deadline_travels_with_the_message() {
    let circus = Circus::frozen();

    assert_eq!(circus.bus.call(tv(1), TimeLeft, Deadline::after(3 * SECOND)).await, Ok(3_000));
}

#[actix::test]
async fn a_call_that_comes_too_late_wakes_nobody() {
    let circus = Circus::frozen();

    let late = circus.order_within(tv(1), Do::Add(1), Duration::ZERO).await;

    assert_eq!(late, Err(CallError::Deadline { started: false }));
    assert_eq!(circus.bus.health().actor(tv(1)), None);
}

#[actix::test]
async fn a_message_that_waited_too_long_is_never_handled() {
    let circus = Circus::frozen();
    let alone = circus.send(tv(1), Do::WaitAlone);
    circus.world.one_waits().await;

    let waited = circus.order_within(tv(1), Do::Add(1), SECOND).await;

    assert_eq!(waited, Err(CallError::Deadline { started: false }));
    circus.world.door.add_permits(1);
    assert_eq!(alone.await.unwrap(), Ok(100));
    assert_eq!(circus.order(tv(1), Do::Add(0)).await, Ok(100));
    assert_eq!((circus.world.n_handled(), circus.health(tv(1)).abandoned), (2, 1));
}

#[actix::test]
async fn a_message_whose_caller_went_is_never_handled() {
    let circus = Circus::frozen();
    let alone = circus.send(tv(1), Do::WaitAlone);
    circus.world.one_waits().await;
    let queued = circus.send(tv(1), Do::Add(1));
    settle().await;
    assert_eq!(circus.health(tv(1)).queued, 1);

    queued.abort();
    settle().await;

    assert_eq!(circus.health(tv(1)).queued, 0, "its place is free at once");
    circus.world.door.add_permits(1);
    assert_eq!(alone.await.unwrap(), Ok(100));
    assert_eq!(circus.order(tv(1), Do::Add(0)).await, Ok(100));
}

#[actix::test]
async fn a_future_that_hangs_is_dropped_at_the_deadline() {
    let circus = Circus::frozen();
    let asked = Instant::now();

    let hung = circus.order_within(tv(1), Do::WaitLater, 7 * SECOND).await;

    assert_eq!(hung, Err(CallError::Deadline { started: true }));
    let waited = asked.elapsed();
    assert!(7 * SECOND <= waited && waited <= 7 * SECOND + TICK, "{waited:?}");
    circus.world.dropped.notified().await;
    settle().await;
    let health = circus.health(tv(1));
    assert_eq!((health.in_flight, health.abandoned, health.failed), (0, 1, 0));
    assert_eq!(health.state, ActorState::Running, "hanging harms no one else");
}

#[actix::test]
async fn later_work_is_dropped_when_its_caller_goes() {
    let circus = Circus::frozen();
    let call = circus.send(tv(1), Do::WaitLater);
    circus.world.one_waits().await;

    call.abort();

    circus.world.dropped.notified().await;
    settle().await;
    assert_eq!((circus.world.n_ended(), circus.health(tv(1)).in_flight), (0, 0));
}

#[actix::test]
async fn a_side_effect_is_finished_without_its_caller() {
    let circus = Circus::frozen();
    let call = circus.send(tv(1), Do::WaitToTheEnd);
    circus.world.one_waits().await;
    call.abort();
    settle().await;
    assert_eq!((circus.world.n_dropped(), circus.health(tv(1)).in_flight), (0, 1));

    circus.world.door.add_permits(1);
    settle().await;

    let health = circus.health(tv(1));
    assert_eq!((circus.world.n_ended(), health.handled, health.in_flight), (1, 1, 0));
}

#[actix::test]
async fn what_only_prepares_ends_with_its_caller_and_what_has_begun_does_not() {
    let circus = Circus::frozen();
    let preparing = circus.send(tv(1), Do::WaitPrepared);
    circus.world.one_waits().await;
    preparing.abort();
    settle().await;
    assert_eq!((circus.world.n_dropped(), circus.health(tv(1)).in_flight), (1, 0));

    let begun = circus.send(tv(1), Do::WaitPrepared);
    circus.world.one_waits().await;
    circus.world.door.add_permits(1);
    circus.world.one_waits().await;
    begun.abort();
    settle().await;
    assert_eq!((circus.world.n_dropped(), circus.health(tv(1)).in_flight), (1, 1));
    circus.world.door.add_permits(1);
    settle().await;
    let health = circus.health(tv(1));
    assert_eq!((circus.world.n_ended(), health.handled, health.in_flight), (2, 1, 0));
}

#[actix::test]
async fn what_only_prepares_is_dropped_at_its_deadline_and_what_has_begun_is_unknown_after_its_grace() {
    let circus = Circus::frozen();
    let lost = circus.order_within(tv(1), Do::WaitPrepared, SECOND).await;
    assert_eq!(lost, Err(CallError::Deadline { started: true }));
    settle().await;
    let health = circus.health(tv(1));
    assert_eq!((circus.world.n_dropped(), health.abandoned, health.unknown, health.in_flight), (1, 1, 0, 0));

    circus.world.door.add_permits(1);
    let lost = circus.order_within(tv(1), Do::WaitPrepared, SECOND).await;
    assert_eq!(lost, Err(CallError::Deadline { started: true }));
    settle().await;
    assert_eq!((circus.world.n_dropped(), circus.health(tv(1)).in_flight), (1, 1), "it has begun");
    advance(Duration::from_secs(31)).await;
    settle().await;
    let health = circus.health(tv(1));
    assert_eq!((circus.world.n_dropped(), health.abandoned, health.unknown, health.in_flight), (2, 1, 1, 0));
}

#[actix::test]
async fn a_side_effect_without_end_is_unknown_after_its_grace() {
    let circus = Circus::frozen();

    let lost = circus.order_within(tv(1), Do::WaitToTheEnd, SECOND).await;
    assert_eq!(lost, Err(CallError::Deadline { started: true }));

    settle().await;
    advance(Duration::from_millis(29_900)).await;
    settle().await;
    assert_eq!((circus.world.n_dropped(), circus.health(tv(1)).unknown), (0, 0));
    advance(Duration::from_millis(200)).await;
    settle().await;
    let health = circus.health(tv(1));
    assert_eq!((circus.world.n_dropped(), health.unknown, health.failed, health.in_flight), (1, 1, 1, 0));
    assert_eq!(health.state, ActorState::Running);
}

#[actix::test]
async fn work_that_is_alone_lets_no_other_message_in() {
    let circus = Circus::frozen();
    let alone = circus.send(tv(1), Do::WaitAlone);
    circus.world.one_waits().await;

    let next = circus.send(tv(1), Do::Add(1));
    settle().await;
    let health = circus.health(tv(1));
    assert_eq!((health.in_flight, health.queued), (1, 1));

    circus.world.door.add_permits(1);
    assert_eq!((alone.await.unwrap(), next.await.unwrap()), (Ok(100), Ok(101)));
}

#[actix::test]
async fn a_commit_is_applied_without_its_caller() {
    let circus = Circus::frozen();
    let call = circus.send(tv(1), Do::WaitAlone);
    circus.world.one_waits().await;
    call.abort();
    settle().await;

    circus.world.door.add_permits(1);

    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(101));
}

#[actix::test]
async fn a_commit_without_end_is_unknown_and_the_state_is_read_anew() {
    let circus = Circus::frozen();
    assert_eq!(circus.order(tv(1), Do::Add(5)).await, Ok(5));
    let lost = circus.order_within(tv(1), Do::WaitAlone, SECOND).await;
    assert_eq!(lost, Err(CallError::Deadline { started: true }));

    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(1));

    let health = circus.health(tv(1));
    assert_eq!((health.unknown, health.failed, health.restarts), (1, 1, 1));
    assert_eq!(health.last_cause.unwrap().what, Failure::Unfinished);
    assert_eq!(circus.world.n_dropped(), 1);
}
