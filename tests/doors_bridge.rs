//! `GET /bridge`, from the TV's side of the socket.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod doors;
#[path = "doors/sockets.rs"]
mod sockets;

use std::time::Duration;

use doors::soon;
use futures_util::{SinkExt, StreamExt};
use playhouse::config;
use playhouse_bus::{CallError, Deadline};
use playhouse_house::{CredentialKind, HouseActor, RevokeKey, Scopes, mint};
use playhouse_store::system_clock;
use playhouse_tv::{KeyPressed, RemoteKey, SendKey, SendRefusal, TvActor, TvError};
use serde_json::json;
use sockets::Instance;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

/// From here on tokio's clock jumps to the next timer whenever the thread waits, be it for a timer or for a socket. So only tests in
/// which nothing but timers has to happen in time may call it.
fn stop_the_clock() {
    tokio::time::pause();
}

/// What the app's WebSocket library can echo.
fn assert_bearable((code, reason): &(u16, String)) {
    assert!(matches!(code, 1000 | 1001 | 1008 | 1011 | 4000..=4999), "{code} {reason}");
    assert!(reason.len() <= 123, "{reason}");
}

#[actix_web::test]
async fn a_token_that_opens_nothing_is_refused_before_the_upgrade() {
    let instance = Instance::start().await;
    let mut revoked = instance.pair("den").await;
    revoked.credential.revoked_at = Some((system_clock())());
    instance.key_ring.put(instance.house, &revoked.credential);
    let unknown = mint(
        CredentialKind::TvBridge { tv: revoked.tv },
        String::new(),
        Scopes::NONE,
        (system_clock())(),
        &mut rand::rng(),
    );
    for (authorization, detail) in [
        (None, "Missing access key."),
        (Some("Basic eDp5".to_owned()), "Missing access key."),
        (Some("Bearer nonsense".to_owned()), "Invalid access key."),
        (Some(format!("Bearer {}", unknown.plain.reveal())), "Invalid access key."),
        (Some(format!("Bearer {}", revoked.token)), "This access key was revoked."),
    ] {
        let refused = instance.dial_with(authorization.as_deref()).await.map(|_| ()).unwrap_err();
        assert_eq!((refused.status, &refused.body["detail"]), (401, &json!(detail)));
    }
    assert_eq!(instance.links.n_open(), 0);
}

#[actix_web::test]
async fn an_assistants_token_does_not_dial_in() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let kind = CredentialKind::TvAssistant { tv: tv.tv };
    let minted = mint(kind, String::new(), Scopes::NONE, (system_clock())(), &mut rand::rng());
    instance.key_ring.put(instance.house, &minted.credential);
    let refused = instance.dial_with(Some(&format!("Bearer {}", minted.plain.reveal()))).await.map(|_| ()).unwrap_err();
    assert_eq!(refused.status, 401);
}

#[actix_web::test]
async fn a_plain_request_is_told_to_upgrade() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let request =
        reqwest::Client::builder().no_proxy().build().unwrap().get(format!("http://{}/bridge", instance.address));
    let response = soon("an answer", request.bearer_auth(&tv.token).send()).await.unwrap();
    assert_eq!(response.status(), 426);
    assert_eq!(instance.links.n_open(), 0);
}

#[actix_web::test]
async fn compression_is_declined() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let (_socket, response) = instance.dial_with(Some(&format!("Bearer {}", tv.token))).await.unwrap();
    assert_eq!(response.status(), 101);
    assert!(response.headers().get("sec-websocket-extensions").is_none());
}

#[actix_web::test]
async fn commands_go_out_in_order_and_their_answers_come_back() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let mut socket = instance.dial(&tv).await;

    let keys = [RemoteKey::Home, RemoteKey::Down, RemoteKey::Ok];
    let mut presses = Vec::new();
    for key in keys {
        presses.push(instance.press(&tv, key));
        tokio::task::yield_now().await;
    }
    for key in keys {
        let frame = socket.frame().await;
        assert_eq!((&frame["op"], &frame["params"]["key"]), (&json!("key"), &json!(key.to_string())));
        socket.answer(&frame).await;
    }
    for (press, key) in presses.into_iter().zip(keys) {
        assert_eq!(soon("the answer", press).await.unwrap(), Ok(KeyPressed { key, pressed: 1 }));
    }
}

#[actix_web::test]
async fn a_frame_in_pieces_is_one_answer() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let mut socket = instance.dial(&tv).await;
    let press = instance.press(&tv, RemoteKey::Home);
    let frame = socket.frame().await;
    let answer = json!({ "id": frame["id"], "ok": true }).to_string();
    let (start, end) = answer.split_at(5);
    socket.send(Message::Frame(Frame::message(start.to_owned(), OpCode::Data(Data::Text), false))).await;
    socket.send(Message::Ping("between".into())).await;
    socket.send(Message::Frame(Frame::message(end.to_owned(), OpCode::Data(Data::Continue), true))).await;

    assert!(soon("the answer", press).await.unwrap().is_ok());
    assert_eq!(socket.next().await, Some(Message::Pong("between".into())));
}

#[actix_web::test]
async fn the_newest_socket_wins_and_what_was_in_flight_on_the_old_one_fails_at_once() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let mut old = instance.dial(&tv).await;
    let press = instance.press(&tv, RemoteKey::Home);
    old.frame().await;

    let mut new = instance.dial(&tv).await;
    let failed = soon("the failure", press).await.unwrap();
    assert!(matches!(failed, Err(TvError::LinkLost { .. })), "{failed:?}");
    let close = old.close().await;
    assert_eq!(close, (4000, "replaced by a newer connection".to_owned()));

    // The old socket ends late; the new one is the TV's all the same.
    while old.next().await.is_some() {}
    drop(old);
    for _ in 0..100 {
        assert!(instance.status(&tv).await.online);
        tokio::task::yield_now().await;
    }
    let press = instance.press(&tv, RemoteKey::Ok);
    let frame = new.frame().await;
    new.answer(&frame).await;
    assert!(soon("the answer", press).await.unwrap().is_ok());
}

/// The session's clock started some moments before or after the test's, so parts of a second do not count.
fn seconds_since(instant: tokio::time::Instant) -> u64 {
    (instant.elapsed() + Duration::from_millis(500)).as_secs()
}

#[actix_web::test]
async fn a_silent_tv_is_probed_twice_and_then_closed() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let mut socket = instance.dial(&tv).await;
    stop_the_clock();
    let dialled = tokio::time::Instant::now();
    let mut ids = Vec::new();
    for n in 1..=2 {
        let probe = socket.frame().await;
        assert!(!matches!(probe["op"].as_str(), Some("key" | "observe") | None), "{probe}");
        assert!(probe["id"].as_str().is_some_and(|id| !id.is_empty()) && probe["params"].is_object(), "{probe}");
        assert_eq!(seconds_since(dialled), 25 * n);
        ids.push(probe["id"].clone());
    }
    assert_ne!(ids[0], ids[1]);
    let close = socket.close().await;
    assert_eq!(close, (4001, "no answer to probes".to_owned()));
    assert_eq!(seconds_since(dialled), 75);
    tokio::time::resume();
    instance.goes_off(&tv).await;
}

#[actix_web::test]
async fn a_tv_that_answers_probes_stays_for_ever() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let mut socket = instance.dial(&tv).await;
    stop_the_clock();
    for _ in 0..100 {
        let probe = socket.frame().await;
        let words = format!("unsupported op: {}", probe["op"].as_str().unwrap());
        socket.send(json!({ "id": probe["id"], "ok": false, "message": words }).to_string()).await;
    }
    assert!(instance.status(&tv).await.online);
}

#[actix_web::test]
async fn a_missing_pong_closes_nothing_and_a_pong_proves_nothing() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let mut socket = instance.dial(&tv).await;
    stop_the_clock();
    // A proxy that answers pings by itself, in front of a TV that sleeps.
    for _ in 0..2 {
        socket.send(Message::Pong("proxy".into())).await;
        socket.frame().await;
    }
    socket.send(Message::Pong("proxy".into())).await;
    assert_eq!(socket.close().await.0, 4001);
}

#[actix_web::test]
async fn late_doubled_and_unknown_answers_are_ignored() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let mut socket = instance.dial(&tv).await;
    for _ in 0..20 {
        socket.send(r#"{"id":"nobody asked","ok":true}"#.to_owned()).await;
    }
    let press = instance.press(&tv, RemoteKey::Home);
    let frame = socket.frame().await;
    socket.answer(&frame).await;
    socket.answer(&frame).await;
    assert!(soon("the answer", press).await.unwrap().is_ok());
    assert!(instance.status(&tv).await.online);
}

#[actix_web::test]
async fn a_tv_that_misbehaves_is_closed_and_hurts_nobody_else() {
    let answer_to_nothing = || Message::from(r#"{"id":"x","ok":true}"#.to_owned());
    let cases: [(&str, Vec<Message>); 5] = [
        ("a flood", std::iter::repeat_with(answer_to_nothing).take(2_000).collect()),
        ("a flood of pings", vec![Message::Ping("x".into()); 2_000]),
        ("garbage", vec![Message::from("not json".to_owned()); 8]),
        ("binary", vec![Message::binary("x")]),
        ("an oversized message", vec![Message::from("x".repeat(300 * 1024))]),
    ];
    for (what, messages) in cases {
        let instance = Instance::start().await;
        let (bad, good) = (instance.pair("bad").await, instance.pair("good").await);
        let (bad_socket, mut good_socket) = (instance.dial(&bad).await, instance.dial(&good).await);
        // Reads and writes at once, or a flood would fill the pipe.
        let (mut write, mut read) = bad_socket.0.split();
        actix_web::rt::spawn(async move {
            for message in messages {
                if write.send(message).await.is_err() {
                    return;
                }
            }
            std::future::pending::<()>().await;
        });
        let close = loop {
            match soon(what, read.next()).await {
                Some(Ok(Message::Close(Some(close)))) => break (close.code.into(), close.reason.to_string()),
                Some(Ok(_)) => {}
                other => panic!("{what}: expected a close, got {other:?}"),
            }
        };
        assert_bearable(&close);
        assert_eq!(close.0, 4002, "{what}: {close:?}");
        instance.goes_off(&bad).await;

        let press = instance.press(&good, RemoteKey::Home);
        let frame = good_socket.frame().await;
        good_socket.answer(&frame).await;
        assert!(soon("the answer", press).await.unwrap().is_ok(), "{what}");
    }
}

#[actix_web::test]
async fn some_garbage_is_borne() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let mut socket = instance.dial(&tv).await;
    for garbage in ["", "[]", "{", r#"{"ok":true}"#] {
        socket.send(garbage.to_owned()).await;
    }
    let press = instance.press(&tv, RemoteKey::Home);
    let frame = socket.frame().await;
    socket.answer(&frame).await;
    assert!(soon("the answer", press).await.unwrap().is_ok());
}

#[actix_web::test]
async fn a_busy_tv_may_answer_as_fast_as_it_is_asked() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let mut socket = instance.dial(&tv).await;
    for _ in 0..1_000 {
        let press = instance.press(&tv, RemoteKey::Down);
        loop {
            let frame = socket.frame().await;
            socket.answer(&frame).await;
            if frame["op"] == "key" {
                break;
            }
        }
        assert!(soon("the answer", press).await.unwrap().is_ok());
    }
    assert!(instance.status(&tv).await.online);
}

#[actix_web::test]
async fn answers_come_through_to_a_tv_with_more_callers_than_it_admits() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let mut socket = instance.dial(&tv).await;
    let callers: Vec<_> = (0..200)
        .map(|_| {
            let (bus, address) = (instance.bus.clone(), TvActor::key(instance.house, tv.tv));
            let order = SendKey { key: RemoteKey::Down, repeat: 1 };
            actix_web::rt::spawn(
                async move { bus.call(address, order, Deadline::after(Duration::from_secs(20))).await },
            )
        })
        .collect();
    let answering = actix_web::rt::spawn(async move {
        loop {
            let frame = socket.frame().await;
            socket.answer(&frame).await;
        }
    });
    let (mut n_pressed, mut n_busy) = (0, 0);
    for caller in callers {
        match soon("an answer", caller).await.unwrap() {
            Ok(Ok(_)) => n_pressed += 1,
            Ok(Err(TvError::NotSent { .. })) | Err(CallError::Busy { .. }) => n_busy += 1,
            other => panic!("an admitted call must be answered: {other:?}"),
        }
    }
    answering.abort();
    assert!(n_pressed >= 32 && n_busy > 0, "{n_pressed} pressed, {n_busy} refused");
}

#[actix_web::test]
async fn a_tv_that_reads_nothing_is_written_little_and_then_closed() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let mut socket = instance.dial(&tv).await;
    let link = instance.links.current(tv.tv).unwrap();
    let frame = format!(r#"{{"id":"1","op":"input","params":{{"text":"{}"}}}}"#, "x".repeat(1_000));
    let mut n_taken = 0;
    let refusal = loop {
        match link.send(frame.clone()) {
            Ok(()) => n_taken += 1,
            Err(refusal) => break refusal,
        }
        // Lets the session take the frame.
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        assert!(n_taken < 1_000, "the queue must fill up");
    };
    assert_eq!(refusal, SendRefusal::Full);
    stop_the_clock();
    // What had been written before the session stopped, and the close.
    let mut n_bytes = 0;
    loop {
        match socket.next().await {
            Some(Message::Text(text)) => n_bytes += text.len(),
            Some(Message::Close(Some(close))) => {
                assert_eq!(u16::from(close.code), 4001, "{close:?}");
                break;
            }
            other => panic!("expected frames and a close, got {other:?}"),
        }
    }
    assert!((16 * 1024..24 * 1024).contains(&n_bytes), "{n_bytes} bytes");
    tokio::time::resume();
    instance.goes_off(&tv).await;
}

#[actix_web::test]
async fn a_tv_that_reads_again_gets_the_rest() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let mut socket = instance.dial(&tv).await;
    let link = instance.links.current(tv.tv).unwrap();
    for n in 0..60 {
        link.send(format!(r#"{{"id":"{n}","op":"input","params":{{"text":"{}"}}}}"#, "x".repeat(1_000))).unwrap();
    }
    let mut next = 0;
    while next < 60 {
        let frame = socket.frame().await;
        let id = frame["id"].as_str().unwrap();
        if id.starts_with("probe") {
            socket.answer(&frame).await;
        } else {
            assert_eq!(id, next.to_string());
            next += 1;
        }
    }
}

#[actix_web::test]
async fn a_revoked_token_closes_its_socket() {
    let instance = Instance::start().await;
    let (tv, other) = (instance.pair("den").await, instance.pair("attic").await);
    let (mut socket, _other_socket) = (instance.dial(&tv).await, instance.dial(&other).await);
    let revoke = RevokeKey { id: tv.credential.id };
    let deadline = Deadline::after(Duration::from_secs(5));
    instance.bus.call(HouseActor::key(instance.house), revoke, deadline).await.unwrap().unwrap();
    stop_the_clock();
    let close = socket.close().await;
    assert_eq!(close, (1008, "this TV is no longer paired".to_owned()));
    tokio::time::resume();
    instance.goes_off(&tv).await;
    assert!(instance.status(&other).await.online);
}

#[actix_web::test]
async fn a_tv_that_was_removed_is_closed() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let mut socket = instance.dial(&tv).await;
    instance.links.close(tv.tv, playhouse_tv::CloseReason::Removed);
    assert_eq!(socket.close().await.0, 1008);
}

#[actix_web::test]
async fn a_tv_that_says_goodbye_is_answered_and_off() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    for reason in ["service unbound", "repairing"] {
        let mut socket = instance.dial(&tv).await;
        let close = CloseFrame { code: 1000.into(), reason: reason.into() };
        socket.send(Message::Close(Some(close))).await;
        assert_eq!(socket.close().await.0, 1000);
        instance.goes_off(&tv).await;
    }
}

#[actix_web::test]
async fn a_cut_connection_fails_what_was_in_flight() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let mut socket = instance.dial(&tv).await;
    let press = instance.press(&tv, RemoteKey::Home);
    socket.frame().await;
    drop(socket);

    let failed = soon("the failure", press).await.unwrap();
    assert!(matches!(failed, Err(TvError::LinkLost { .. })), "{failed:?}");
    let status = instance.status(&tv).await;
    assert!(!status.online && status.last_seen.is_some());
}

#[actix_web::test]
async fn the_instance_holds_so_many_sockets_and_no_more() {
    let instance = Instance::with(&config::Bridge { max_sockets: 1, ..config::Bridge::default() }).await;
    let (first, second) = (instance.pair("den").await, instance.pair("attic").await);
    let mut socket = instance.dial(&first).await;
    let authorization = format!("Bearer {}", second.token);
    let refused = instance.dial_with(Some(&authorization)).await.map(|_| ()).unwrap_err();
    assert_eq!(refused.status, 503);
    assert!(refused.body["detail"].is_string(), "{}", refused.body);

    socket.send(Message::Close(None)).await;
    socket.close().await;
    instance.goes_off(&first).await;
    instance.dial(&second).await;
}

#[actix_web::test]
async fn a_restart_of_the_relay_is_said_with_an_allowed_code() {
    let instance = Instance::start().await;
    let tv = instance.pair("den").await;
    let mut socket = instance.dial(&tv).await;
    instance.links.close_all(playhouse_tv::CloseReason::ShuttingDown);
    let close = socket.close().await;
    assert_bearable(&close);
    assert_eq!(close.0, 1001);
}
