//! The health page, as the console and `/v1/health/actors` get it.

mod common;

use std::time::Duration;

use common::{Circus, Do, house, tv, tv_of};
use playhouse_bus::{ActorKey, ActorKind, BusSettings, CallError, Deadline, HealthReport, Placement};
use serde_json::json;
use tokio::time::advance;

#[actix::test]
async fn an_actor_is_reported_with_all_that_happened_to_it() {
    let circus = Circus::frozen();
    let waits = circus.send(tv(7), Do::WaitLater);
    circus.world.one_waits().await;
    advance(Duration::from_secs(1)).await;
    circus.world.door.add_permits(1);
    waits.await.unwrap().unwrap();
    assert!(circus.order(tv(7), Do::Panic).await.is_err());

    let report = serde_json::to_value(circus.bus.health()).unwrap();

    let mut actor = report["actors"][0].clone();
    let place = actor["last_cause"]["place"].take();
    assert!(place.as_str().unwrap().contains("common/mod.rs:"), "{place}");
    let p99 = actor["latency"].take()["p99"].as_f64().unwrap();
    assert!((1.0..1.42).contains(&p99), "{p99}");
    let next_try = actor["next_try"].take();
    assert!(next_try.as_str().unwrap().starts_with("2026-11-30T12:00:01.0"), "{next_try}");
    assert_eq!(
        actor,
        json!({
            "house": house(1).to_string(),
            "kind": "tv",
            "id": "00000000-0000-0000-0000-000000000007",
            "state": "backing_off",
            "since": "2026-11-30T12:00:01Z",
            "next_try": null,
            "restarts": 0,
            "last_cause": {
                "what": "panic",
                "text": "slipped on a banana",
                "place": null,
                "at": "2026-11-30T12:00:01Z",
            },
            "queued": 0,
            "in_flight": 0,
            "handled": 1,
            "failed": 1,
            "unknown": 0,
            "abandoned": 0,
            "latency": null,
        })
    );
}

#[actix::test]
async fn a_kind_is_the_sum_of_its_actors() {
    let circus = Circus::frozen();
    assert_eq!(circus.order(tv(1), Do::Add(1)).await, Ok(1));
    assert_eq!(circus.order(tv_of(house(2), 1), Do::Add(1)).await, Ok(1));
    assert!(circus.order(tv(2), Do::Panic).await.is_err());
    let _waits = circus.send(tv(1), Do::WaitLater);
    circus.world.one_waits().await;

    let report = circus.bus.health();

    let kind = report.kind(ActorKind::Tv).unwrap();
    assert_eq!((kind.running, kind.backing_off, kind.parked), (2, 1, 0));
    assert_eq!((kind.handled, kind.failed, kind.admitted), (2, 1, 1));
    assert_eq!(report.admitted, 1);
    assert_eq!(report.actors.iter().map(|actor| actor.key).collect::<Vec<_>>(), [tv(1), tv(2), tv_of(house(2), 1)]);
}

#[actix::test]
async fn a_report_survives_the_wire() {
    let circus = Circus::frozen();
    assert!(circus.order(tv(1), Do::Panic).await.is_err());
    let report = circus.bus.health();

    let read: HealthReport = serde_json::from_str(&serde_json::to_string(&report).unwrap()).unwrap();

    assert_eq!(read, report);
}

#[actix::test]
async fn an_address_of_another_kind_is_not_served() {
    let circus = Circus::frozen();
    let key = ActorKey::only(house(1), ActorKind::House);

    let refused = circus.order(key, Do::Add(1)).await;

    assert_eq!(refused, Err(CallError::NotServed { kind: ActorKind::House }));
}

#[actix::test]
async fn a_kind_without_behaviour_is_not_served() {
    let bus = playhouse_bus::Bus::new(BusSettings::new(Placement::Current));

    let refused = bus.call(tv(1), Do::Add(1), Deadline::after(Duration::from_secs(1))).await;

    assert_eq!(refused, Err(CallError::NotServed { kind: ActorKind::Tv }));
}

#[actix::test]
async fn a_call_may_be_made_from_any_thread() {
    fn is_send<T: Send>(future: T) -> T {
        future
    }
    let circus = Circus::on_threads(1);
    let bus = circus.bus.clone();

    let reply = is_send(async move { bus.call(tv(1), Do::Add(1), common::in_seconds(60)).await }).await;

    assert_eq!(reply, Ok(1));
    circus.bus.close(Duration::from_secs(1)).await;
}
