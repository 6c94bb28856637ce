//! The end of a bus: nothing new begins, and what runs is waited for.

mod common;

use std::time::Duration;

use common::{Circus, Do, TICK, settle, tv};
use playhouse_bus::{ActorState, CallError};
use tokio::time::Instant;

#[actix::test]
async fn a_closing_bus_takes_no_calls_and_waits_for_those_it_has() {
    let circus = Circus::frozen();
    let waits = circus.send(tv(1), Do::WaitToTheEnd);
    circus.world.one_waits().await;
    let bus = circus.bus.clone();
    let closing = actix_rt::spawn(async move { bus.close(Duration::from_secs(60)).await });
    settle().await;

    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Err(CallError::Closing));
    assert!(!closing.is_finished());

    circus.world.door.add_permits(1);
    assert_eq!(waits.await.unwrap(), Ok(0));
    closing.await.unwrap();
    settle().await;
    assert_eq!(circus.state(tv(1)), ActorState::PutAway);
    assert_eq!(std::sync::Arc::strong_count(&circus.world), 1, "an actor or its services outlived the bus");
}

#[actix::test]
async fn it_waits_no_longer_than_its_grace() {
    let circus = Circus::frozen();
    let _waits = circus.send(tv(1), Do::WaitToTheEnd);
    circus.world.one_waits().await;
    let began = Instant::now();

    circus.bus.close(Duration::from_secs(5)).await;

    let waited = began.elapsed();
    assert!(Duration::from_secs(5) <= waited && waited <= Duration::from_secs(5) + TICK, "{waited:?}");
}

#[actix::test]
async fn calls_queued_at_an_actor_that_cannot_start_hear_that_the_bus_closed() {
    let circus = Circus::frozen();
    circus.world.starts_go([common::Start::Unavailable; 100]);
    let queued = circus.send(tv(1), Do::Add(1));
    settle().await;
    assert_eq!(circus.state(tv(1)), ActorState::BackingOff);

    circus.bus.close(Duration::ZERO).await;

    assert_eq!(queued.await.unwrap(), Err(CallError::Closing));
}

#[actix::test]
async fn threads_of_a_closed_bus_end() {
    let circus = Circus::on_threads(2);
    for number in 0..10 {
        assert_eq!(circus.order(tv(number), Do::Add(1)).await, Ok(1));
    }

    circus.bus.close(Duration::from_secs(1)).await;

    // The actors die with their threads, and the world's last other owner with them.
    while std::sync::Arc::strong_count(&circus.world) > 1 {
        tokio::task::yield_now().await;
    }
}
