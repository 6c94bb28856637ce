//! A panic is one call's misfortune: everything else goes on, and the health page knows what happened.

mod common;

use std::time::Duration;

use common::{Circus, Do, settle, tv};
use playhouse_bus::{ActorState, CallError, Cause, Failure};

fn cause_of(result: Result<u32, CallError>) -> Cause {
    match result {
        Err(CallError::Panicked { cause }) => *cause,
        other => panic!("expected a panicked call, not {other:?}"),
    }
}

#[actix::test]
async fn a_panic_in_a_handler_fails_its_call_and_is_remembered() {
    let circus = Circus::frozen();

    let cause = cause_of(circus.order(tv(1), Do::Panic).await);

    assert_eq!((cause.what, cause.text.as_str()), (Failure::Panic, "slipped on a banana"));
    assert!(cause.place.as_ref().unwrap().contains("common/mod.rs:"), "{cause}");
    let health = circus.health(tv(1));
    assert_eq!(health.state, ActorState::BackingOff);
    assert_eq!((health.failed, health.handled, health.restarts), (1, 0, 0));
    assert_eq!(health.last_cause, Some(cause));
    assert!(health.next_try.unwrap() > health.since);
}

#[actix::test]
async fn the_actor_is_read_from_the_store_again_and_goes_on() {
    let circus = Circus::frozen();
    assert_eq!(circus.order(tv(1), Do::Add(5)).await, Ok(5));

    cause_of(circus.order(tv(1), Do::Panic).await);

    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(1), "memory of before the panic survived it");
    let health = circus.health(tv(1));
    assert_eq!((health.state, health.restarts), (ActorState::Running, 1));
    assert_eq!(circus.world.n_started(), 2);
}

#[actix::test]
async fn calls_queued_behind_a_panic_are_answered() {
    let circus = Circus::frozen();

    let panics = circus.send(tv(1), Do::Panic);
    let queued: Vec<_> = (0..10).map(|_| circus.send(tv(1), Do::Add(1))).collect();

    cause_of(panics.await.unwrap());
    for (i, queued) in queued.into_iter().enumerate() {
        assert_eq!(queued.await.unwrap(), Ok(i as u32 + 1));
    }
}

#[actix::test]
async fn whatever_a_call_was_doing_others_in_flight_finish() {
    let circus = Circus::frozen();
    for (i, order) in Do::PANICS.into_iter().enumerate() {
        let tv = tv(i as u128);
        let waits = circus.send(tv, Do::WaitLater);
        circus.world.one_waits().await;

        let cause = cause_of(circus.order(tv, order).await);
        settle().await;
        assert_eq!(circus.health(tv).last_cause, Some(cause), "{order:?}");
        assert!(!waits.is_finished(), "{order:?}");

        circus.world.door.add_permits(1);
        assert_eq!(waits.await.unwrap(), Ok(0), "{order:?}");
        assert_eq!(circus.order(tv, Do::Add(1)).await, Ok(1), "{order:?}");
        assert_eq!(circus.health(tv).restarts, 1, "{order:?}");
    }
}

#[actix::test]
async fn a_panic_while_starting_delays_calls_and_does_not_fail_them() {
    let circus = Circus::frozen();
    circus.world.starts_go([common::Start::Panic, common::Start::Panic]);

    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(1));

    let health = circus.health(tv(1));
    let cause = health.last_cause.unwrap();
    assert_eq!((cause.what, cause.text.as_str()), (Failure::StartPanic, "fell on the stairs"));
    assert!(cause.place.unwrap().contains("common/mod.rs:"));
    assert_eq!((health.state, health.restarts, health.failed), (ActorState::Running, 2, 0));
}

#[actix::test]
async fn what_an_earlier_life_left_running_cannot_fail_the_next() {
    let circus = Circus::frozen();
    let left_over = circus.send(tv(1), Do::PanicAtTheDoor);
    circus.world.one_waits().await;
    cause_of(circus.order(tv(1), Do::Panic).await);
    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(1));

    circus.world.door.add_permits(1);

    assert_eq!(cause_of(left_over.await.unwrap()).text, "slipped at the door");
    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(2), "the second life was ended too");
    let health = circus.health(tv(1));
    assert_eq!((health.restarts, health.failed), (1, 2));
}

#[actix::test]
async fn a_future_that_panics_while_it_is_dropped_harms_nobody() {
    let circus = Circus::frozen();
    let bomb = circus.send(tv(1), Do::PanicWhenDropped);
    circus.world.one_waits().await;

    bomb.abort();
    settle().await;

    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(1));
    let health = circus.health(tv(1));
    assert_eq!((health.restarts, health.in_flight, health.abandoned), (0, 0, 1));
}

#[actix::test]
async fn one_actors_panic_touches_no_other_and_no_thread_goes_down() {
    let circus = Circus::on_threads(1);
    let bystander = circus.send(tv(2), Do::WaitLater);
    circus.world.one_waits().await;
    assert_eq!(circus.order(tv(2), Do::Add(7)).await, Ok(7));

    for (i, order) in Do::PANICS.into_iter().enumerate() {
        // One each: so many panics would park one actor.
        cause_of(circus.order(tv(10 + i as u128), order).await);
        assert_eq!(circus.order(tv(2), Do::Add(0)).await, Ok(7), "{order:?}");
    }

    circus.world.door.add_permits(1);
    assert_eq!(bystander.await.unwrap(), Ok(0));
    let health = circus.health(tv(2));
    assert_eq!((health.restarts, health.failed, health.last_cause), (0, 0, None));
    let arbiters = circus.bus.health().arbiters;
    assert_eq!(arbiters.iter().map(|arbiter| arbiter.number).collect::<Vec<_>>(), [0]);
    circus.bus.close(Duration::from_secs(1)).await;
}
