//! What failed is tried again, further and further apart; what fails too often rests, and says so at once.

mod common;

use std::time::Duration;

use common::{Circus, Do, Start, TICK, settle, tv};
use playhouse_bus::{ActorState, CallError, Failure};
use tokio::time::{Instant, advance};

#[actix::test]
async fn a_storm_of_restarts_parks_the_actor_and_calls_hear_at_once() {
    let circus = Circus::frozen();
    for _ in 0..6 {
        assert!(matches!(circus.order(tv(1), Do::Panic).await, Err(CallError::Panicked { .. })));
    }

    let asked = Instant::now();
    let refused = circus.order(tv(1), Do::Add(1)).await;

    assert_eq!(asked.elapsed(), Duration::ZERO);
    let Err(CallError::Parked { cause, retry_after }) = refused else { panic!("{refused:?}") };
    assert_eq!(cause.text, "slipped on a banana");
    assert!(retry_after >= Duration::from_secs(1), "{retry_after:?}");
    let health = circus.health(tv(1));
    assert_eq!((health.state, health.restarts, health.failed), (ActorState::Parked, 5, 6));
    assert_eq!(health.last_cause.as_ref(), Some(&*cause));
    assert_eq!(health.next_try, Some(circus.bus.health().at.checked_add(retry_after).unwrap()));
}

#[actix::test]
async fn after_its_rest_the_next_call_tries_again() {
    let circus = Circus::frozen();
    for _ in 0..6 {
        let _ = circus.order(tv(1), Do::Panic).await;
    }
    let Err(CallError::Parked { retry_after, .. }) = circus.order(tv(1), Do::Add(1)).await else { panic!() };

    advance(retry_after).await;

    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(1));
    let health = circus.health(tv(1));
    assert_eq!((health.state, health.restarts), (ActorState::Running, 6));
}

#[actix::test]
async fn one_more_failure_after_the_rest_parks_it_again_for_longer() {
    let circus = Circus::frozen();
    for _ in 0..6 {
        let _ = circus.order(tv(1), Do::Panic).await;
    }
    let mut rests = Vec::new();
    for _ in 0..7 {
        let Err(CallError::Parked { retry_after, .. }) = circus.order(tv(1), Do::Add(1)).await else { panic!() };
        rests.push(retry_after);
        advance(retry_after).await;
        assert!(matches!(circus.order(tv(1), Do::Panic).await, Err(CallError::Panicked { .. })));
    }

    assert!(rests[6] >= 4 * rests[0], "{rests:?}");
    assert!(rests.iter().all(|rest| *rest <= Duration::from_secs(30)), "{rests:?}");
}

#[actix::test]
async fn a_store_that_fails_for_a_moment_costs_calls_a_moment() {
    let circus = Circus::frozen();
    circus.world.starts_go([Start::Unavailable; 3]);
    let asked = Instant::now();

    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(1));

    let waited = asked.elapsed();
    assert!(Duration::from_millis(35) <= waited && waited <= Duration::from_millis(75), "{waited:?}");
    let health = circus.health(tv(1));
    let cause = health.last_cause.unwrap();
    assert_eq!((cause.what, cause.place), (Failure::StartFailed, None));
    assert!(cause.text.contains("the store is down"), "{}", cause.text);
    assert_eq!((health.state, health.restarts, health.failed), (ActorState::Running, 3, 0));
}

#[actix::test]
async fn while_the_store_is_down_every_waiting_call_hears_why_and_later_all_is_well() {
    let circus = Circus::frozen();
    circus.world.starts_go([Start::Unavailable; 6]);

    let waiting: Vec<_> = (0..5).map(|_| circus.send(tv(1), Do::Add(1))).collect();
    let mut retry_after = Duration::ZERO;
    for call in waiting {
        let refused = call.await.unwrap();
        let Err(CallError::Parked { cause, retry_after: hint }) = refused else { panic!("{refused:?}") };
        assert_eq!(cause.what, Failure::StartFailed);
        retry_after = hint;
    }
    assert_eq!(circus.state(tv(1)), ActorState::Parked);
    assert_eq!(circus.bus.health().admitted, 0);

    advance(retry_after).await;
    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(1));
}

#[actix::test]
async fn a_start_that_hangs_is_given_up_and_tried_again() {
    let circus = Circus::frozen();
    circus.world.starts_go([Start::Hang]);

    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(1));

    let cause = circus.health(tv(1)).last_cause.unwrap();
    assert_eq!(cause.what, Failure::StartFailed);
    assert!(cause.text.contains("could not be read within 10 s"), "{}", cause.text);
}

#[actix::test]
async fn calls_wait_while_the_actor_starts_and_while_it_backs_off() {
    let circus = Circus::frozen();
    circus.world.starts_go([Start::Hang, Start::Unavailable]);

    let call = circus.send(tv(1), Do::Add(1));
    settle().await;
    let health = circus.health(tv(1));
    assert_eq!((health.state, health.queued, health.in_flight), (ActorState::Starting, 1, 0));

    advance(Duration::from_secs(10) + TICK).await;
    settle().await;
    let health = circus.health(tv(1));
    assert_eq!((health.state, health.queued, health.in_flight), (ActorState::BackingOff, 1, 0));

    assert_eq!(call.await.unwrap(), Ok(1));
}

#[actix::test]
async fn what_is_not_stored_is_not_found_never_restarted_and_not_remembered() {
    let circus = Circus::frozen();
    circus.world.starts_go([Start::NotFound]);

    let calls: Vec<_> = (0..5).map(|_| circus.send(tv(1), Do::Add(1))).collect();
    for call in calls {
        assert_eq!(call.await.unwrap(), Err(CallError::NotFound));
    }

    assert_eq!(circus.world.n_started(), 1);
    let health = circus.bus.health();
    assert_eq!(health.actor(tv(1)), None);
    assert_eq!(health.admitted, 0);
}

#[actix::test]
async fn what_is_stored_meanwhile_is_found() {
    let circus = Circus::frozen();
    circus.world.starts_go([Start::NotFound]);
    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Err(CallError::NotFound));

    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(1));
}

#[actix::test]
async fn one_houses_failing_actor_never_delays_anothers() {
    let circus = Circus::frozen();
    circus.world.starts_go([Start::Unavailable; 3]);
    *circus.world.only_house.lock().unwrap() = Some(common::house(1));
    let failing = circus.send(tv(1), Do::Add(1));
    settle().await;
    assert_eq!(circus.state(tv(1)), ActorState::BackingOff);

    let asked = Instant::now();
    assert_eq!(circus.order(common::tv_of(common::house(2), 1), Do::Add(2)).await, Ok(2));

    assert_eq!(asked.elapsed(), Duration::ZERO);
    assert_eq!(failing.await.unwrap(), Ok(1));
}
