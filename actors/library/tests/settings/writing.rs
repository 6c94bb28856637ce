//! Sending a profile: once, whole, and what is known when it does not go well.

use std::time::Duration;

use playhouse_bus::{CallError, Deadline};
use playhouse_library::answer::{Code, Outcome, Unfinished};
use playhouse_library::instance::EditInstance;
use playhouse_library::settings::{
    GetConnection, HoldWrites, JsonText, PreparedFormat, PutProfile, ReadyProfile, ReleaseWrites, SendFormat,
    WriteLease,
};
use playhouse_library::{ArrActor, ObserveArr};
use playhouse_standins::{ArrKind, Misbehaviour};
use serde_json::{Value, json};

use crate::home::{Shelf, in_time, title_format};

const HD: i64 = 4;
const PUT: &str = "PUT */qualityprofile/*";

#[actix_rt::test]
async fn a_change_is_sent_once_and_everything_else_stays_to_the_letter() {
    for kind in ArrKind::ALL {
        let shelf = Shelf::of(kind).await;
        shelf.arr.edit_profile(1, |profile| {
            profile["futureField"] = json!({ "ratio": 0.25, "list": [1, 2.5] });
        });
        let before = shelf.arr.profiles()[0].clone();
        let prepared = shelf.prepare(1, json!({ "cutoff_format_score": 77 })).await.unwrap();
        let ready = shelf.rebuild(1, &prepared).await.unwrap();
        shelf.put(1, &ready).await.unwrap();
        let mut expected = before;
        expected["cutoffFormatScore"] = json!(77);
        assert_eq!(serde_json::from_str::<Value>(&shelf.sent()).unwrap(), expected, "{kind:?}");
        let known = |violation: &_| format!("{violation:?}").contains("futureField is not described");
        assert!(shelf.n_writes() == 1 && shelf.arr.violations().iter().all(known), "{:?}", shelf.arr.violations());
    }
}

#[actix_rt::test]
async fn sizes_that_sonarr_stores_as_decimals_come_back_as_they_were() {
    let shelf = Shelf::of(ArrKind::Sonarr).await;
    let text = r#"[{"id":4,"name":"HD-1080p","upgradeAllowed":true,"cutoff":7,"items":[{"quality":{"id":7,"name":"Bluray"},"items":[],
        "allowed":true,"minSize":0.50,"maxSize":null,"preferredSize":1e2}],"minFormatScore":0,"cutoffFormatScore":0,"minUpgradeFormatScore":1,
        "formatItems":[],"big":123456789012345678901234567890}]"#;
    shelf.arr.answer_bytes_instead("GET */qualityprofile", 200, text);
    shelf.arr.answer_bytes_instead("GET */customformat", 200, "[]");
    let prepared = shelf.prepare(HD, json!({ "min_format_score": 5 })).await.unwrap();
    let ready = shelf.rebuild(HD, &prepared).await.unwrap();
    let body = ready.desired.as_str();
    for kept in
        [r#""minSize":0.50"#, r#""maxSize":null"#, r#""preferredSize":1e2"#, r#""big":123456789012345678901234567890"#]
    {
        assert!(body.contains(kept), "{kept}: {body}");
    }
    assert!(body.contains(r#""minFormatScore":5"#) && text.contains(ready.before.as_str()), "{body}");
}

#[actix_rt::test]
async fn case_78_and_81_what_the_service_refuses_did_not_happen_and_its_rule_is_told() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let prepared = shelf.prepare(HD, json!({ "min_format_score": 2_000_000 })).await.unwrap();
    let ready = shelf.rebuild(HD, &prepared).await.unwrap();
    let unfinished = shelf.put(HD, &ready).await.unwrap_err();
    assert_eq!((unfinished.outcome(), unfinished.code()), (Outcome::NotStarted, Code::UpstreamStatus));
    let words = unfinished.to_string();
    assert!(words.contains("/api/v3/qualityprofile/4 returned status 400: ") && words.contains("core"), "{words}");
    assert_eq!(shelf.arr.n_settings_writes().n_refused, 1);
}

#[actix_rt::test]
async fn a_status_from_300_to_499_proves_that_nothing_happened_and_its_body_is_not_told() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let prepared = shelf.prepare(HD, json!({ "upgrade_allowed": false })).await.unwrap();
    let ready = shelf.rebuild(HD, &prepared).await.unwrap();
    for status in [302, 400, 401, 403, 404, 409, 422, 429] {
        shelf.arr.answer_instead(PUT, status, json!({ "message": "s3cret words", "description": "at /opt/x.cs" }));
        let unfinished = shelf.put(HD, &ready).await.unwrap_err();
        let words = unfinished.to_string();
        assert_eq!(unfinished.outcome(), Outcome::NotStarted, "{status}: {words}");
        assert!(!words.contains("s3cret") && !words.contains("x.cs"), "{words}");
        shelf.arr.forget_rules();
    }
}

#[actix_rt::test]
async fn an_answer_that_is_lost_leaves_the_outcome_unknown_and_nothing_is_repeated() {
    for misbehaviour in [
        Misbehaviour::HungUp,
        Misbehaviour::DoneButLost,
        Misbehaviour::CutOff,
        Misbehaviour::Failing { status: 500 },
        Misbehaviour::Failing { status: 503 },
        Misbehaviour::DoneButFailing { status: 502 },
        Misbehaviour::Huge { n_bytes: 5 << 20 },
        Misbehaviour::Html,
    ] {
        let shelf = Shelf::of(ArrKind::Lidarr).await;
        let prepared = shelf.prepare(2, json!({ "upgrade_allowed": false })).await.unwrap();
        let ready = shelf.rebuild(2, &prepared).await.unwrap();
        shelf.arr.misbehave(PUT, misbehaviour);
        let unfinished = shelf.put(2, &ready).await.unwrap_err();
        assert_eq!(unfinished.outcome(), Outcome::Unknown, "{misbehaviour:?}: {unfinished}");
        assert_eq!(shelf.n_writes(), 1, "{misbehaviour:?}");
    }
}

#[actix_rt::test]
async fn a_good_status_is_enough_whatever_the_body_says() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    for (n, body) in ["", "{\"name\": ", "[]"].into_iter().enumerate() {
        let prepared = shelf.prepare(HD, json!({ "min_format_score": -1 - n as i64 })).await.unwrap();
        let ready = shelf.rebuild(HD, &prepared).await.unwrap();
        shelf.arr.do_but_answer(PUT, 202, body);
        assert_eq!(shelf.put(HD, &ready).await, Ok(()), "{body}");
    }
}

#[actix_rt::test]
async fn a_service_that_is_not_there_was_sent_nothing() {
    let Shelf { home, arr, id } = Shelf::of(ArrKind::Radarr).await;
    let key = ArrActor::key(home.house, id);
    let connection = home.bus.call(key, GetConnection {}, in_time()).await.unwrap().digest.unwrap();
    let lease = home.bus.call(key, HoldWrites {}, in_time()).await.unwrap().unwrap();
    drop(arr);
    let order = PutProfile { lease, connection, profile_id: 4, body: JsonText::new("{\"id\":4}").unwrap() };
    let unfinished = home.bus.call(key, order, in_time()).await.unwrap().unwrap_err();
    assert_eq!(unfinished.outcome(), Outcome::NotStarted, "{unfinished}");
    assert_ne!(unfinished.code(), Code::Busy, "{unfinished}");
}

#[actix_rt::test]
async fn an_object_of_another_id_than_the_address_is_not_sent() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let prepared = shelf.prepare(HD, json!({ "upgrade_allowed": false })).await.unwrap();
    let ready = shelf.rebuild(HD, &prepared).await.unwrap();
    let unfinished = shelf.put(5, &ready).await.unwrap_err();
    assert_eq!((unfinished.outcome(), shelf.n_writes()), (Outcome::NotStarted, 0));
}

/// That nothing was begun because others write.
fn is_busy<T: std::fmt::Debug>(ended: Result<Result<T, Unfinished>, CallError>) {
    match ended {
        Ok(Err(unfinished)) => assert_eq!((unfinished.outcome(), unfinished.code()), (Outcome::NotStarted, Code::Busy)),
        Err(CallError::Deadline { started: true }) => panic!("it must be told in time"),
        other => panic!("{other:?}"),
    }
}

#[actix_rt::test]
async fn a_write_goes_to_its_end_when_its_caller_has_gone_and_keeps_the_lane_when_its_lease_was_released() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let prepared = shelf.prepare(HD, json!({ "upgrade_allowed": false })).await.unwrap();
    let ready = shelf.rebuild(HD, &prepared).await.unwrap();
    shelf.arr.misbehave_once(PUT, Misbehaviour::SlowToStart);
    let key = ArrActor::key(shelf.home.house, shelf.id);
    let lease = shelf.ask(HoldWrites {}).await.unwrap();
    let order = || PutProfile { lease, connection: ready.connection, profile_id: HD, body: ready.desired.clone() };
    let bus = shelf.home.bus.clone();
    let call = actix_rt::spawn({
        let order = order();
        async move { bus.call(key, order, in_time()).await.map(drop) }
    });
    shelf.arr.until_held(1).await;
    call.abort();

    is_busy(shelf.home.bus.call(key, order(), in_time()).await);
    shelf.ask(ReleaseWrites { lease }).await;
    is_busy(shelf.home.bus.call(key, HoldWrites {}, Deadline::after(Duration::from_secs(1))).await);
    assert_eq!(shelf.ask(ObserveArr {}).await.n_writes, 1);

    shelf.arr.release();
    let next = shelf.ask(HoldWrites {}).await.unwrap();
    assert_ne!(next, lease);
    assert_eq!(shelf.arr.n_settings_writes().n_accepted, 1);
    assert_eq!((shelf.n_writes(), shelf.arr.profiles()[1]["upgradeAllowed"].clone()), (1, json!(false)));
}

#[actix_rt::test]
async fn a_lease_that_is_over_or_never_was_sends_nothing() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let prepared = shelf.prepare(HD, json!({ "upgrade_allowed": false })).await.unwrap();
    let ready = shelf.rebuild(HD, &prepared).await.unwrap();
    let format = shelf.prepare_format(&title_format("New", "x")).await.unwrap();
    let over = shelf.holding(async |lease| lease).await;
    shelf.ask(ReleaseWrites { lease: over }).await;
    let held = shelf.ask(HoldWrites {}).await.unwrap();
    for lease in [over, WriteLease(held.0 + 1)] {
        let put = PutProfile { lease, connection: ready.connection, profile_id: HD, body: ready.desired.clone() };
        is_busy(Ok(shelf.ask(put).await));
        let PreparedFormat { connection, action, name, desired: body, .. } = format.clone();
        is_busy(Ok(shelf.ask(SendFormat { lease, connection, action, name, body }).await));
        // Nobody releases what somebody else holds.
        shelf.ask(ReleaseWrites { lease }).await;
    }
    assert_eq!((shelf.n_writes(), shelf.ask(ObserveArr {}).await.n_writes), (0, 1));
}

#[actix_rt::test]
async fn an_edit_of_the_instance_keeps_the_lane_with_who_holds_it() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let lease = shelf.ask(HoldWrites {}).await.unwrap();
    let order = EditInstance {
        id: shelf.id,
        service: None,
        name: Some("Cinema".to_owned()),
        base_url: None,
        api_key: None,
        sort_order: None,
        is_default: None,
    };
    shelf.home.edit(order).await;
    let observed = shelf.ask(ObserveArr {}).await;
    assert_eq!((observed.instance.name.as_str(), observed.n_writes), ("Cinema", 1));
    let prepared = shelf.prepare(HD, json!({ "upgrade_allowed": false })).await.unwrap();
    let ready = shelf.rebuild(HD, &prepared).await.unwrap();
    let ReadyProfile { connection, desired: body, .. } = ready;
    assert_eq!(shelf.ask(PutProfile { lease, connection, profile_id: HD, body }).await, Ok(()));
    shelf.ask(ReleaseWrites { lease }).await;
    assert_eq!(shelf.ask(ObserveArr {}).await.n_writes, 0);
}
