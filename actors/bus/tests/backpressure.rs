//! Full means an immediate refusal with a hint; and every place that was taken is given back.

mod common;

use std::time::Duration;

use common::{Circus, Do, house, in_seconds, settle, tv, tv_of, tv_settings};
use playhouse_bus::{ActorKind, BusSettings, BusyScope, CallError, KindSettings, Placement};
use tokio::time::Instant;

fn busy_scope(result: Result<u32, CallError>) -> BusyScope {
    match result {
        Err(CallError::Busy { scope, retry_after }) => {
            assert!(
                retry_after >= Duration::from_millis(100) && retry_after <= Duration::from_secs(5),
                "{retry_after:?}"
            );
            scope
        }
        other => panic!("expected busy, not {other:?}"),
    }
}

fn settings() -> BusSettings {
    BusSettings::new(Placement::Current)
}

fn with_admission(admission: u32) -> BusSettings {
    settings().with_kind(ActorKind::Tv, KindSettings { admission, ..tv_settings() })
}

#[actix::test]
async fn a_full_actor_refuses_at_once_and_queues_nothing() {
    let circus = Circus::frozen_with(with_admission(3));
    let waiting: Vec<_> = (0..3).map(|_| circus.send(tv(1), Do::WaitAlone)).collect();
    circus.world.one_waits().await;
    let asked = Instant::now();

    assert_eq!(busy_scope(circus.order(tv(1), Do::Add(1)).await), BusyScope::Actor);

    assert_eq!(asked.elapsed(), Duration::ZERO);
    let health = circus.health(tv(1));
    assert_eq!((health.in_flight, health.queued), (1, 2));
    assert_eq!(circus.bus.health().kind(ActorKind::Tv).unwrap().refused, 1);
    assert_eq!(circus.order(tv(2), Do::Add(1)).await, Ok(1), "another actor has its own places");

    circus.world.door.add_permits(3);
    for call in waiting {
        call.await.unwrap().unwrap();
    }
    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(301), "nothing of the refused call was done");
}

#[actix::test]
async fn a_full_house_does_not_fill_the_next() {
    let circus = Circus::frozen_with(BusSettings { house_admission: 2, ..settings() });
    let waiting = [circus.send(tv(1), Do::WaitLater), circus.send(tv(2), Do::WaitLater)];
    circus.world.one_waits().await;
    circus.world.one_waits().await;

    assert_eq!(busy_scope(circus.order(tv(3), Do::Add(1)).await), BusyScope::House);
    assert_eq!(circus.order(tv_of(house(2), 1), Do::Add(1)).await, Ok(1));

    circus.world.door.add_permits(2);
    for call in waiting {
        call.await.unwrap().unwrap();
    }
    assert_eq!(circus.order(tv(3), Do::Add(1)).await, Ok(1));
}

#[actix::test]
async fn a_full_instance_refuses_everybody() {
    let circus = Circus::frozen_with(BusSettings { instance_admission: 2, ..settings() });
    let waiting = [circus.send(tv(1), Do::WaitLater), circus.send(tv_of(house(2), 1), Do::WaitLater)];
    circus.world.one_waits().await;
    circus.world.one_waits().await;
    assert_eq!(circus.bus.health().admitted, 2);

    assert_eq!(busy_scope(circus.order(tv_of(house(3), 1), Do::Add(1)).await), BusyScope::Instance);

    circus.world.door.add_permits(2);
    for call in waiting {
        call.await.unwrap().unwrap();
    }
    assert_eq!(circus.order(tv_of(house(3), 1), Do::Add(1)).await, Ok(1));
}

#[actix::test]
async fn the_hint_follows_how_long_answers_take() {
    let circus = Circus::frozen_with(with_admission(1));
    let slow = circus.send(tv(1), Do::WaitLater);
    circus.world.one_waits().await;
    tokio::time::advance(Duration::from_secs(2)).await;
    circus.world.door.add_permits(1);
    slow.await.unwrap().unwrap();
    let _waiting = circus.send(tv(1), Do::WaitLater);
    circus.world.one_waits().await;

    let Err(CallError::Busy { retry_after, .. }) = circus.order(tv(1), Do::Add(1)).await else { panic!() };

    assert!(retry_after >= Duration::from_secs(2), "{retry_after:?}");
}

#[actix::test]
async fn however_calls_end_their_places_are_given_back() {
    let circus = Circus::frozen();
    for order in [Do::Add(1)].into_iter().chain(Do::PANICS) {
        let _ = circus.order(tv(1), order).await;
    }
    for order in [Do::WaitLater, Do::WaitToTheEnd, Do::WaitPrepared, Do::WaitAlone, Do::PanicWhenDropped] {
        let abandoned = circus.send(tv(2), order);
        circus.world.one_waits().await;
        abandoned.abort();
        tokio::time::advance(Duration::from_secs(31)).await;
        settle().await;
    }

    let health = circus.bus.health();
    assert_eq!(health.admitted, 0);
    for actor in health.actors {
        assert_eq!((actor.queued, actor.in_flight), (0, 0), "{actor:?}");
    }
}

/// Real threads, real races: callers that wait, go away, are refused and panic, all at once.
#[actix::test]
async fn under_a_storm_of_callers_no_count_is_lost() {
    const N_CALLERS: u32 = 8;
    const N_CALLS: u32 = 500;
    let settings = BusSettings { house_admission: 24, ..BusSettings::new(Placement::Arbiters(2)) };
    let circus = Circus::with(settings.with_kind(ActorKind::Tv, KindSettings { admission: 8, ..tv_settings() }));

    let callers = (0..N_CALLERS).map(|caller| {
        let bus = circus.bus.clone();
        tokio::task::spawn_blocking(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
            runtime.block_on(async {
                let mut n_entered = 0;
                for i in 0..N_CALLS {
                    let key = tv(u128::from((caller + i) % 5));
                    // The fifth TV fails now and then, and is parked most of the time.
                    let order = if i % 97 == 0 && key == tv(4) { Do::Panic } else { Do::Add(1) };
                    let call = bus.call(key, order, in_seconds(60));
                    if i % 7 == 0 {
                        // Polled once and dropped: gone before or while the actor has it.
                        let mut call = std::pin::pin!(call);
                        let first = std::future::poll_fn(|cx| std::task::Poll::Ready(call.as_mut().poll(cx)));
                        let entered = match first.await {
                            std::task::Poll::Ready(Err(error)) => !is_refusal(&error),
                            _ => true,
                        };
                        n_entered += u64::from(entered);
                    } else {
                        n_entered += u64::from(!call.await.is_err_and(|error| is_refusal(&error)));
                    }
                }
                n_entered
            })
        })
    });
    let n_entered: u64 = futures_util::future::join_all(callers).await.into_iter().map(Result::unwrap).sum();
    circus.bus.close(Duration::from_secs(30)).await;

    let health = circus.bus.health();
    assert_eq!(health.admitted, 0);
    let kind = health.kind(ActorKind::Tv).unwrap();
    assert_eq!(kind.admitted, 0);
    // Those refused after they were queued (parked meanwhile) were both admitted and refused.
    assert!(kind.handled + kind.failed + kind.abandoned >= n_entered, "{kind:?} of {n_entered}");
    assert!(kind.handled + kind.failed + kind.abandoned <= u64::from(N_CALLERS * N_CALLS), "{kind:?}");
    for actor in health.actors {
        assert_eq!((actor.queued, actor.in_flight), (0, 0), "{actor:?}");
    }
}

fn is_refusal(error: &CallError) -> bool {
    matches!(error, CallError::Busy { .. } | CallError::Parked { .. })
}
