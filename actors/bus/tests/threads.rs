//! Where actors live, and what happens when a thread is held or ends.

mod common;

use std::collections::HashMap;
use std::time::Duration;

use common::{Circus, Do, WhichThread, in_seconds, tv};
use playhouse_bus::{ActorKey, ActorState, ArbiterState, BusSettings, BusyScope, CallError, Failure, Placement};

async fn thread_of(circus: &Circus, key: ActorKey) -> String {
    circus.bus.call(key, WhichThread, in_seconds(60)).await.expect("a thread has a name")
}

/// Sweeps fast, so that a blocked thread is found before anybody is bored.
fn fast_sweeps(n_threads: usize) -> BusSettings {
    BusSettings {
        sweep_every: Duration::from_millis(10),
        blocked_after: Duration::from_millis(200),
        ..BusSettings::new(Placement::Arbiters(n_threads))
    }
}

#[actix::test]
async fn actors_are_spread_over_threads_by_their_key() {
    let circus = Circus::on_threads(4);
    let mut homes: HashMap<String, u32> = HashMap::new();
    for number in 0..100 {
        *homes.entry(thread_of(&circus, tv(number)).await).or_default() += 1;
    }

    assert_eq!(homes.len(), 4);
    assert!(homes.values().all(|n_actors| *n_actors >= 10), "{homes:?}");
    circus.bus.close(Duration::from_secs(1)).await;
}

#[actix::test]
async fn an_actor_comes_back_to_the_same_thread() {
    let circus = Circus::on_threads(4);
    let home = thread_of(&circus, tv(1)).await;

    assert!(circus.order(tv(1), Do::Panic).await.is_err());

    assert_eq!(thread_of(&circus, tv(1)).await, home);
    circus.bus.close(Duration::from_secs(1)).await;
}

#[actix::test]
async fn a_blocked_threads_neighbours_are_moved_and_the_blocker_is_named() {
    let mut circus = Circus::with(fast_sweeps(1));
    assert_eq!(circus.order(tv(2), Do::Add(7)).await, Ok(7));
    let blocker = circus.send(tv(1), Do::Block);
    let blocked_thread = circus.release.blocked.recv().await.unwrap();

    // Queued at the blocked thread: the message follows its actor to the new one.
    let new_thread = thread_of(&circus, tv(2)).await;

    assert_ne!(new_thread, blocked_thread);
    let report = circus.bus.health();
    assert!(report.arbiters.iter().any(|arbiter| arbiter.number == 0 && arbiter.state == ArbiterState::Blocked));
    assert!(report.arbiters.iter().any(|arbiter| arbiter.state != ArbiterState::Blocked));
    let neighbour = circus.health(tv(2));
    assert_eq!((neighbour.state, neighbour.failed, neighbour.last_cause), (ActorState::Running, 0, None));
    let health = circus.health(tv(1));
    assert_eq!(health.last_cause.unwrap().what, Failure::Blocked);
    assert_eq!((health.state, health.in_flight), (ActorState::BackingOff, 1));

    // Also the blocker itself goes on, elsewhere, while its old thread is still held.
    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(1));
    assert!(!blocker.is_finished());

    circus.release.go_on.send(()).unwrap();
    assert_eq!(blocker.await.unwrap(), Ok(0), "a late answer is still an answer");
    circus.bus.close(Duration::from_secs(1)).await;
    assert_eq!(circus.bus.health().admitted, 0);
}

#[actix::test]
async fn a_blocked_thread_that_comes_free_is_stopped() {
    let mut circus = Circus::with(fast_sweeps(1));
    let blocker = circus.send(tv(1), Do::Block);
    circus.release.blocked.recv().await.unwrap();
    thread_of(&circus, tv(2)).await;
    circus.release.go_on.send(()).unwrap();
    blocker.await.unwrap().unwrap();

    while circus.bus.health().arbiters.iter().any(|arbiter| arbiter.state == ArbiterState::Blocked) {
        tokio::task::yield_now().await;
    }

    assert_eq!(circus.order(tv(2), Do::Add(1)).await, Ok(1));
    circus.bus.close(Duration::from_secs(1)).await;
}

#[actix::test]
async fn a_thread_that_ends_takes_no_other_threads_actors_along() {
    let circus = Circus::with(fast_sweeps(2));
    let first_home = thread_of(&circus, tv(0)).await;
    let mut elsewhere = 1;
    while thread_of(&circus, tv(elsewhere)).await == first_home {
        elsewhere += 1;
    }
    assert_eq!(circus.order(tv(elsewhere), Do::Add(7)).await, Ok(7));

    let ended = circus.order(tv(0), Do::StopThread).await;

    let Err(CallError::Panicked { cause }) = ended else { panic!("{ended:?}") };
    assert_eq!(cause.what, Failure::Lost);
    assert_eq!(circus.order(tv(elsewhere), Do::Add(0)).await, Ok(7));
    assert_eq!(circus.order(tv(0), Do::Add(1)).await, Ok(1), "the next call starts it on a living thread");
    let health = circus.health(tv(0));
    assert_eq!((health.state, health.last_cause.unwrap().what), (ActorState::Running, Failure::Lost));
    circus.bus.close(Duration::from_secs(1)).await;
}

#[actix::test]
async fn a_thread_that_ended_is_replaced_even_if_it_was_the_only_one() {
    let circus = Circus::with(fast_sweeps(1));
    let old = thread_of(&circus, tv(1)).await;
    assert!(circus.order(tv(1), Do::StopThread).await.is_err());

    let new = loop {
        // Until the sweeper comes round there is no thread to start on, and calls hear that.
        match circus.bus.call(tv(2), WhichThread, in_seconds(60)).await {
            Ok(thread) => break thread,
            Err(CallError::Busy { scope: BusyScope::Instance, .. }) => tokio::task::yield_now().await,
            Err(other) => panic!("{other:?}"),
        }
    };

    assert_ne!(new, old);
    assert_eq!(circus.health(tv(2)).last_cause, None, "having no thread is no failure of the actor");
    circus.bus.close(Duration::from_secs(1)).await;
}
