//! The simulated TV seen from the relay's side, over real sockets.

#[expect(clippy::unwrap_used, reason = "part of a test, whose panic is its report")]
mod tiny_relay;

use std::time::Duration;

use playhouse_standins::{
    Act, Answer, AppVersion, Fleet, FleetSettings, Manner, NotConnected, Pacing, SimulatedTv, SimulatedTvBuilder,
    StoredPairing, TvEvent, UpdateCheck, Violation,
};
use proptest::prelude::*;
use serde_json::json;
use tiny_relay::{TinyRelay, TinySocket};
use tokio_tungstenite::tungstenite::Message;

fn quick(relay: &TinyRelay) -> SimulatedTvBuilder {
    SimulatedTv::builder(relay.url()).pacing(Pacing::quick())
}

/// A paired TV and the relay's end of its socket.
async fn connected() -> (TinyRelay, SimulatedTv, TinySocket) {
    let mut relay = TinyRelay::claimed().await;
    let tv = quick(&relay).token("t-1").start();
    let socket = relay.socket().await;
    tv.online().await;
    (relay, tv, socket)
}

fn n_times(events: &[TvEvent], wanted: &TvEvent) -> usize {
    events.iter().filter(|event| *event == wanted).count()
}

#[tokio::test]
async fn pairing_asks_exactly_as_the_app_does() {
    let relay = TinyRelay::start().await;
    let tv = quick(&relay).start();
    assert_eq!(tv.code().await, "012345");
    let request = &relay.requests()[0];
    assert!(request.starts_with("POST /pair/init HTTP/1.1\r\n"), "{request}");
    assert!(request.contains("content-type: application/json; charset=utf-8\r\n"), "{request}");
    assert!(request.ends_with("\r\n\r\n{}"), "{request}");
    assert!(!request.to_lowercase().contains("authorization"), "{request}");
}

#[tokio::test]
async fn a_refused_pairing_is_shown_and_tried_again() {
    let relay = TinyRelay::start().await;
    relay.answer_pairing(429, "slow down");
    relay.answer_pairing(200, r#"{"code":123456,"token":"t"}"#);
    let tv = quick(&relay).start();
    assert_eq!(tv.code().await, "012345");
    let refused = |status, body: &str| TvEvent::PairingRefused { status, body: body.to_owned() };
    // A code that is a number has lost its leading zero: that is no code.
    let wanted = [refused(429, "slow down"), refused(200, r#"{"code":123456,"token":"t"}"#)];
    assert_eq!(tv.events()[..2], wanted);
}

#[tokio::test]
async fn an_unclaimed_tv_polls_until_it_is_claimed() {
    let mut relay = TinyRelay::start().await;
    let tv = quick(&relay).start();
    tv.wait_until(|events| {
        events.iter().filter(|event| matches!(event, TvEvent::DialRefused { status: 401, .. })).count() == 3
    })
    .await;
    relay.claim();
    relay.socket().await;
    tv.online().await;
    let dial = relay.requests().pop().unwrap();
    assert!(dial.starts_with("GET /bridge ") && dial.contains("Bearer t-1"), "{dial}");
    assert!(dial.contains("permessage-deflate") && !dial.contains("sec-websocket-protocol"), "{dial}");
    let paired = tv.pairing().unwrap();
    assert_eq!(paired, StoredPairing { token: "t-1".into(), code: None });
}

#[tokio::test]
async fn a_stored_token_dials_without_pairing() {
    let (relay, tv, _socket) = connected().await;
    assert!(tv.is_online());
    assert!(relay.requests().iter().all(|request| request.starts_with("GET /bridge")));
}

#[tokio::test]
async fn commands_are_answered_one_at_a_time_in_order() {
    let (_relay, tv, mut socket) = connected().await;
    tv.take_time("observe", Duration::from_millis(50));
    socket.send(r#"{"id":"1","op":"observe","params":{}}"#).await;
    socket.send(r#"{"id":"2","op":"key","params":{"key":"OK"}}"#).await;
    assert_eq!(socket.answer().await["id"], "1");
    assert_eq!(socket.answer().await, json!({ "id": "2", "ok": true, "data": { "key": "OK" } }));
    assert_eq!(tv.world().keys, ["OK"]);
    assert_eq!(tv.violations(), []);
}

#[tokio::test]
async fn an_older_app_names_the_op_it_lacks() {
    let mut relay = TinyRelay::claimed().await;
    let _tv = quick(&relay).token("t-1").model(AppVersion::V0_6_0).start();
    let mut socket = relay.socket().await;
    socket.send(r#"{"id":"1","op":"gesture","params":{"cmd":"tap"}}"#).await;
    assert_eq!(socket.answer().await, json!({ "id": "1", "ok": false, "message": "unsupported op: gesture" }));
}

#[tokio::test]
async fn frames_without_an_id_get_no_answer_and_are_noted() {
    let (_relay, tv, mut socket) = connected().await;
    socket.send("not json").await;
    socket.send(r#"{"op":"key","params":{"key":"OK"}}"#).await;
    socket.send_message(Message::binary(r#"{"id":"1","op":"key","params":{"key":null}}"#)).await;
    // The first answer is to the third frame: binary is read as text, and the null has become a word.
    assert_eq!(socket.answer().await["message"], "could not dispatch null");
    let found = tv.violations();
    assert!(
        matches!(
            &found[..],
            [
                Violation::NotAnObject { .. },
                Violation::FieldMissing { field: "id", .. },
                Violation::BinaryFrame { .. },
                Violation::NullParam { .. }
            ]
        ),
        "{found:?}"
    );
}

#[tokio::test]
async fn an_id_used_twice_is_noted() {
    let (_relay, tv, mut socket) = connected().await;
    for _ in 0..2 {
        socket.send(r#"{"id":"1","op":"key","params":{"key":"OK"}}"#).await;
        socket.answer().await;
    }
    assert_eq!(tv.violations(), [Violation::RepeatedId { id: "1".into() }]);
}

#[tokio::test]
async fn a_ping_is_answered_with_a_pong_and_nothing_else() {
    let (_relay, tv, mut socket) = connected().await;
    socket.send_message(Message::Ping("x".into())).await;
    assert_eq!(socket.next().await, Some(Message::Pong("x".into())));
    assert_eq!(tv.events().last(), Some(&TvEvent::Pinged));
}

#[tokio::test]
async fn an_allowed_close_is_echoed_and_the_tv_dials_again() {
    let (mut relay, tv, mut socket) = connected().await;
    socket.close(4001, "newer socket").await;
    assert_eq!(socket.closed().await, (4001, "newer socket".to_owned()));
    relay.socket().await;
    tv.wait_until(|events| n_times(events, &TvEvent::Online) == 2).await;
    assert!(tv.events().contains(&TvEvent::ClosedByRelay { code: 4001, reason: "newer socket".into() }));
    assert_eq!(tv.violations(), []);
}

#[tokio::test]
async fn reserved_close_codes_are_violations_and_drop_the_socket() {
    for (close, wanted) in [
        (&[0x88, 2, 0x03, 0xED][..], Violation::ForbiddenCloseCode { code: None }),
        (&[0x88, 2, 0x03, 0xF4][..], Violation::ForbiddenCloseCode { code: Some(1012) }),
        (&[0x88, 0][..], Violation::CloseWithoutCode),
    ] {
        let (_relay, tv, mut socket) = connected().await;
        socket.send_raw(close).await;
        tv.offline().await;
        assert_eq!(tv.violations(), [wanted]);
        assert!(tv.events().iter().any(|event| matches!(event, TvEvent::Dropped { .. })));
    }
}

#[tokio::test]
async fn an_over_long_close_reason_breaks_the_protocol() {
    let (_relay, tv, mut socket) = connected().await;
    let mut close = vec![0x88, 126, 0, 126, 0x03, 0xE8];
    close.resize(4 + 126, b'x');
    socket.send_raw(&close).await;
    tv.offline().await;
    assert!(matches!(&tv.violations()[..], [Violation::Protocol(_)]));
}

#[tokio::test]
async fn a_revoked_tv_keeps_dialling_and_never_pairs_anew() {
    let (relay, tv, socket) = connected().await;
    relay.revoke();
    drop(socket);
    tv.wait_until(|events| events.iter().filter(|event| matches!(event, TvEvent::DialRefused { .. })).count() == 3)
        .await;
    assert!(relay.requests().iter().all(|request| request.starts_with("GET /bridge")));
}

#[tokio::test]
async fn reset_closes_with_repairing_and_asks_for_a_new_code() {
    let (relay, tv, mut socket) = connected().await;
    relay.revoke();
    let (outcome, close) = tokio::join!(tv.act(Act::Reset), socket.closed());
    assert_eq!((outcome, close), (Ok(()), (1000, "repairing".to_owned())));
    assert_eq!(tv.code().await, "012345");
}

#[tokio::test]
async fn switched_off_it_closes_with_service_unbound_until_switched_on() {
    let (mut relay, tv, mut socket) = connected().await;
    let (outcome, close) = tokio::join!(tv.act(Act::SwitchOff), socket.closed());
    assert_eq!((outcome, close), (Ok(()), (1000, "service unbound".to_owned())));
    assert_eq!(tv.act(Act::Cut).await, Err(NotConnected));
    tv.act(Act::SwitchOn).await.unwrap();
    relay.socket().await;
    tv.online().await;
}

#[tokio::test]
async fn a_second_socket_opens_while_the_old_one_lives() {
    let (mut relay, tv, mut old) = connected().await;
    tv.act(Act::OpenSecondSocket).await.unwrap();
    let mut new = relay.socket().await;
    old.close(4000, "a newer socket took over").await;
    let ended = TvEvent::OldSocketEnded { code: Some(4000), reason: "a newer socket took over".into() };
    tv.wait_until(|events| events.contains(&ended)).await;
    new.send(r#"{"id":"1","op":"key","params":{"key":"UP"}}"#).await;
    assert_eq!(new.answer().await["ok"], true);
    assert!(tv.is_online());
}

#[tokio::test]
async fn a_silent_tv_does_what_it_is_told_without_a_word() {
    let (_relay, tv, mut socket) = connected().await;
    tv.behave(Manner::Silent);
    socket.send(r#"{"id":"1","op":"key","params":{"key":"UP"}}"#).await;
    tv.wait_for_world(|world| world.keys == ["UP"]).await;
    tv.behave(Manner::AsTheApp);
    socket.send(r#"{"id":"2","op":"key","params":{"key":"DOWN"}}"#).await;
    assert_eq!(socket.answer().await["id"], "2");
}

#[tokio::test]
async fn a_half_open_tv_reads_nothing_until_it_wakes() {
    let (_relay, tv, mut socket) = connected().await;
    tv.behave(Manner::HalfOpen);
    // Its reader is parked once an act went through the same loop.
    tv.act(Act::SwitchOn).await.unwrap();
    socket.send_message(Message::Ping("x".into())).await;
    socket.send(r#"{"id":"1","op":"key","params":{"key":"UP"}}"#).await;
    tv.act(Act::SwitchOn).await.unwrap();
    assert_eq!(tv.events().last(), Some(&TvEvent::Online));
    tv.behave(Manner::AsTheApp);
    assert_eq!(socket.answer().await["id"], "1");
}

#[tokio::test]
async fn a_prepared_answer_replaces_the_apps_own() {
    let (_relay, tv, mut socket) = connected().await;
    tv.answer_next("captions", Answer::failed("captions_language_unavailable"));
    socket.send(r#"{"id":"1","op":"captions","params":{"cmd":"off"}}"#).await;
    assert_eq!(socket.answer().await["message"], "captions_language_unavailable");
}

#[tokio::test]
async fn a_cut_in_mid_frame_ends_the_socket_without_a_message() {
    let (_relay, tv, mut socket) = connected().await;
    tv.act(Act::CutMidFrame).await.unwrap();
    assert_eq!(socket.next().await, None);
}

#[tokio::test]
async fn unasked_frames_arrive_as_they_were_given() {
    let (_relay, tv, mut socket) = connected().await;
    tv.act(Act::SendText("nonsense".into())).await.unwrap();
    assert_eq!(socket.next().await, Some(Message::text("nonsense")));
    tv.act(Act::SendBinary(vec![0, 255])).await.unwrap();
    assert_eq!(socket.next().await, Some(Message::binary(vec![0, 255])));
    let (outcome, message) = tokio::join!(tv.act(Act::Oversized { n_bytes: 300_000 }), socket.next());
    assert_eq!((outcome, message.map(|message| message.len())), (Ok(()), Some(300_000)));
}

#[tokio::test]
async fn a_relay_without_updates_is_a_refusal() {
    let (_relay, tv, _socket) = connected().await;
    assert_eq!(tv.check_for_update().await, UpdateCheck::Refused { status: 404 });
}

#[tokio::test]
async fn a_flood_arrives_frame_by_frame_and_stops_at_a_close() {
    let (_relay, tv, mut socket) = connected().await;
    let relay_side = async {
        assert_eq!(socket.answer().await, json!({ "id": "flood-0", "ok": true }));
        socket.close(1008, "too many frames").await;
        while socket.next().await.is_some() {}
    };
    let (outcome, ()) = tokio::join!(tv.act(Act::Flood { n_frames: 10_000_000 }), relay_side);
    assert_eq!(outcome, Ok(()));
    assert!(tv.events().contains(&TvEvent::ClosedByRelay { code: 1008, reason: "too many frames".into() }));
}

#[tokio::test]
async fn a_vanished_tv_never_dials_again_until_switched_on() {
    let (mut relay, tv, mut socket) = connected().await;
    tv.act(Act::Vanish).await.unwrap();
    assert_eq!(socket.next().await, None);
    let n_dials = relay.requests().len();
    tv.act(Act::SwitchOn).await.unwrap();
    relay.socket().await;
    assert_eq!(relay.requests().len(), n_dials + 1);
}

#[tokio::test]
async fn a_fleet_comes_online_answers_keys_and_comes_back() {
    let mut relay = TinyRelay::claimed().await;
    let tokens = (0..50).map(|n| format!("t-{n}")).collect();
    let mut settings = FleetSettings::new(relay.url(), tokens);
    settings.redial = Pacing::quick().redial;
    let mut fleet = Fleet::start(settings).await.unwrap();
    fleet.online(50).await;
    let mut socket = relay.socket().await;
    socket.send(r#"{"id":"1","op":"key","params":{"key":"OK"}}"#).await;
    assert_eq!(socket.answer().await, json!({ "id": "1", "ok": true, "data": { "key": "OK" } }));
    socket.send(r#"{"id":"2","op":"probe","params":{}}"#).await;
    assert_eq!(socket.answer().await["message"], "unsupported op: probe");
    for _ in 1..50 {
        relay.socket().await;
    }
    drop(socket);
    relay.socket().await;
    fleet.online(50).await;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn no_text_from_a_relay_stops_the_tv(frames in prop::collection::vec(any_frame(), 0..20)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (_relay, _tv, mut socket) = connected().await;
            for frame in &frames {
                socket.send(frame).await;
            }
            socket.send(r#"{"id":"the last","op":"key","params":{"key":"OK"}}"#).await;
            while socket.answer().await["id"] != "the last" {}
        });
    }
}

/// Anything at all, and frames that get as far as an operation.
fn any_frame() -> impl Strategy<Value = String> {
    let op = prop::sample::select(vec![
        "key",
        "launch_app",
        "list_apps",
        "observe",
        "playback",
        "volume",
        "captions",
        "input",
        "gesture",
        "subtitle",
        "other",
    ]);
    let cmd = prop::sample::select(vec!["get", "set", "seek", "pause", "on", "type", "tap", "swipe", "show", "x"]);
    let name =
        prop::sample::select(vec!["key", "data", "package", "level", "text", "x", "dir", "position_ms", "delta_ms"]);
    let value = prop_oneof![".{0,30}", "-?[0-9]{1,25}", "intent:.{0,20}#Intent;.{0,20}"];
    let command = (op, cmd, name, value).prop_map(|(op, cmd, name, value)| {
        json!({ "id": "x", "op": op, "params": { "cmd": cmd, name: value } }).to_string()
    });
    prop_oneof![".{0,60}", command]
}
