//! Actors without calls leave memory and come back; nobody notices but the health page.

mod common;

use std::time::Duration;

use common::{Circus, Do, house, in_seconds, settle, tv, tv_of, tv_settings};
use playhouse_bus::{ActorKind, ActorState, BusSettings, KindSettings, Placement};
use tokio::time::advance;

const IDLE_AFTER: Duration = Duration::from_secs(600);

/// Lets time pass sweep by sweep, as a single leap would be a single sweep.
async fn pass(time: Duration) {
    for _ in 0..time.as_secs() + 2 {
        advance(Duration::from_secs(1)).await;
        settle().await;
    }
}

#[actix::test]
async fn an_idle_actor_is_put_away_and_read_again_at_the_next_call() {
    let circus = Circus::frozen();
    assert_eq!(circus.order(tv(1), Do::Add(5)).await, Ok(5));
    pass(IDLE_AFTER - Duration::from_secs(5)).await;
    assert_eq!(circus.state(tv(1)), ActorState::Running);

    pass(Duration::from_secs(5)).await;

    assert_eq!(circus.state(tv(1)), ActorState::PutAway);
    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(1), "it was not read again");
    let health = circus.health(tv(1));
    assert_eq!((health.state, health.restarts, health.handled), (ActorState::Running, 0, 2));
    assert_eq!(circus.world.n_started(), 2);
}

#[actix::test]
async fn a_call_under_way_keeps_its_actor() {
    let settings = BusSettings::new(Placement::Current);
    let kind = KindSettings { idle_after: Duration::from_secs(10), ..tv_settings() };
    let circus = Circus::frozen_with(settings.with_kind(ActorKind::Tv, kind));
    let waits = circus.send(tv(1), Do::WaitLater);
    circus.world.one_waits().await;

    pass(Duration::from_secs(30)).await;

    assert_eq!(circus.state(tv(1)), ActorState::Running);
    circus.world.door.add_permits(1);
    assert_eq!(waits.await.unwrap(), Ok(0));
}

#[actix::test]
async fn what_was_put_away_long_ago_is_forgotten_and_still_there() {
    let circus = Circus::frozen_with(BusSettings {
        forget_after: Duration::from_secs(60),
        ..BusSettings::new(Placement::Current)
    });
    assert_eq!(circus.order(tv(1), Do::Add(5)).await, Ok(5));

    pass(IDLE_AFTER + Duration::from_secs(62)).await;

    let health = circus.bus.health();
    assert_eq!(health.actor(tv(1)), None);
    assert_eq!(health.kind(ActorKind::Tv).unwrap().handled, 1, "its calls stay counted");
    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(1));
}

#[actix::test]
async fn a_house_whose_store_was_replaced_is_read_again_and_the_next_house_is_not() {
    let circus = Circus::frozen();
    let next_door = tv_of(house(2), 1);
    for tv in [tv(1), next_door] {
        assert_eq!(circus.order(tv, Do::Add(5)).await, Ok(5));
    }
    let begun = circus.send(tv(1), Do::WaitAlone);
    circus.world.one_waits().await;
    let queued = circus.send(tv(1), Do::Add(1));
    settle().await;

    circus.bus.put_away(house(1));

    assert_eq!(queued.await.unwrap(), Ok(1), "the next one handles it, with the new state");
    circus.world.door.add_permits(1);
    assert_eq!(begun.await.unwrap(), Ok(105), "what was begun is finished");
    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(2));
    assert_eq!(circus.order(next_door, Do::Add(0)).await, Ok(5));
}

#[actix::test]
async fn a_parked_actor_whose_store_was_replaced_is_tried_at_once() {
    let circus = Circus::frozen();
    for _ in 0..6 {
        assert!(circus.order(tv(1), Do::Panic).await.is_err());
    }
    assert_eq!(circus.state(tv(1)), ActorState::Parked);

    circus.bus.put_away(house(1));

    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(1));
}

#[actix::test]
async fn one_actor_is_read_anew_when_its_record_was_changed_and_its_neighbours_are_not() {
    let circus = Circus::frozen();
    let next_door = tv(2);
    for key in [tv(1), next_door] {
        assert_eq!(circus.order(key, Do::Add(5)).await, Ok(5));
    }

    circus.bus.put_away_actor(tv(1));

    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(1), "it was not read again");
    assert_eq!(circus.order(next_door, Do::Add(1)).await, Ok(6));
}

/// The sweeper puts actors away as fast as it can, while callers on other threads call them: a call that meets an actor on
/// its way out must be handled once, by it or by the next.
#[actix::test]
async fn no_call_is_lost_to_an_actor_that_is_put_away_meanwhile() {
    const N_CALLS: u32 = 1_000;
    let settings = BusSettings {
        sweep_every: Duration::from_millis(1),
        blocked_after: Duration::from_secs(60),
        forget_after: Duration::ZERO,
        ..BusSettings::new(Placement::Arbiters(2))
    };
    let kind = KindSettings { idle_after: Duration::ZERO, ..tv_settings() };
    let circus = Circus::with(settings.with_kind(ActorKind::Tv, kind));

    let mut n_rounds = 0;
    // Fast machines may finish a round between two sweeps.
    while circus.world.n_started() < 50 {
        let callers = (0..4u128).map(|caller| {
            let bus = circus.bus.clone();
            tokio::task::spawn_blocking(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
                runtime.block_on(async {
                    for i in 0..N_CALLS {
                        let reply = bus.call(tv(caller % 2), Do::Add(1), in_seconds(60)).await;
                        assert!(reply.is_ok(), "call {i}: {reply:?}");
                    }
                });
            })
        });
        for caller in futures_util::future::join_all(callers).await {
            caller.unwrap();
        }
        n_rounds += 1;
    }

    assert_eq!(circus.world.n_handled(), 4 * N_CALLS * n_rounds, "a call was handled twice or never");
    circus.bus.close(Duration::from_secs(10)).await;
}
