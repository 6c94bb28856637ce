use std::sync::atomic::Ordering;
use std::time::Duration;

use playhouse_bus::{ActorState, CallError};
use serde_json::json;

use super::*;
use crate::answers::{PlaybackState, Volume};
use crate::error::TvError;
use crate::launch::LaunchIntent;
use crate::remote_key::RemoteKey;
use crate::testing::{HOUSE, Stage, curtain_up, settle, tv};
use crate::wire::{BridgeCode, BridgeError, Fraction, Level, OnScreenLine, Op, TypedText};
use crate::{CloseReason, Links, PairedTv};

fn press(key: RemoteKey, repeat: u8) -> SendKey {
    SendKey { key, repeat }
}

fn volume(level: i64) -> serde_json::Value {
    json!({ "level": level, "muted": false, "max_raw": 15 })
}

#[actix::test]
async fn a_tv_that_was_never_paired_is_not_found() {
    let stage = Stage::new();
    assert_eq!(stage.send(GetVolume {}).await.unwrap(), Err(CallError::NotFound));
}

#[actix::test]
async fn a_tv_that_is_off_says_when_it_was_last_there_also_after_a_restart() {
    let stage = Stage::with_den().await;
    let off = |last_seen| TvError::Offline { tv: "den".parse().unwrap(), last_seen, now: curtain_up() };
    assert_eq!(stage.send(press(RemoteKey::Ok, 1)).await.unwrap().unwrap(), Err(off(None)));

    stage.dial_in().await.hang_up().await;
    assert_eq!(stage.send(GetVolume {}).await.unwrap().unwrap(), Err(off(Some(curtain_up()))));

    let restarted = stage.restarted().await;
    let reply = restarted.send(GetVolume {}).await.unwrap().unwrap();
    assert!(matches!(reply, Err(TvError::Offline { last_seen: Some(at), .. }) if at == curtain_up()), "{reply:?}");
}

#[actix::test]
async fn a_key_is_pressed_and_acknowledged() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let pressed = stage.send(press(RemoteKey::VolUp, 1));
    let asked = set.asked().await;
    assert_eq!((asked.op.as_str(), &asked.params), ("key", &json!({ "key": "VOL_UP" })));
    set.ok(&asked).await;
    assert_eq!(pressed.await.unwrap().unwrap(), Ok(KeyPressed { key: RemoteKey::VolUp, pressed: 1 }));
}

#[actix::test]
async fn a_silent_set_does_not_hold_up_the_next_key() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let home = stage.send(press(RemoteKey::Home, 1));
    let ok = stage.send(press(RemoteKey::Ok, 1));

    let _never_answered = set.asked().await;
    let second = set.asked().await;
    assert_eq!(second.params, json!({ "key": "OK" }));
    set.ok(&second).await;

    assert!(ok.await.unwrap().unwrap().is_ok());
    let home = home.await.unwrap().unwrap();
    assert!(matches!(home, Err(TvError::NoAnswer { op: Op::Key, waited_seconds: 10, .. })), "{home:?}");
}

#[actix::test]
async fn commands_reach_the_set_in_the_order_they_were_sent() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let keys = [RemoteKey::Up, RemoteKey::Down, RemoteKey::Left, RemoteKey::Right, RemoteKey::Ok, RemoteKey::Back];
    let sent: Vec<_> = keys.iter().map(|key| stage.send(press(*key, 1))).collect();
    let seen: Vec<_> = set.pending().await.into_iter().map(|frame| frame["params"]["key"].clone()).collect();
    assert_eq!(seen, keys.map(|key| json!(key)));
    drop(sent);
}

#[actix::test]
async fn a_repeated_key_is_pressed_one_by_one_and_nothing_comes_in_between() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let downs = stage.send(press(RemoteKey::Down, 3));
    let ok = stage.send(press(RemoteKey::Ok, 1));
    for _ in 0..3 {
        let asked = set.asked().await;
        assert_eq!(asked.params, json!({ "key": "DOWN" }));
        assert!(set.pending().await.is_empty(), "the next press waits for the answer to this one");
        set.ok(&asked).await;
    }
    assert_eq!(downs.await.unwrap().unwrap(), Ok(KeyPressed { key: RemoteKey::Down, pressed: 3 }));
    assert_eq!(set.asked().await.params, json!({ "key": "OK" }));
    drop(ok);
}

#[actix::test]
async fn a_run_of_presses_stops_at_the_first_failure_and_says_how_far_it_came() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let downs = stage.send(press(RemoteKey::Down, 5));
    let first = set.asked().await;
    set.ok(&first).await;
    let asked = set.asked().await;
    set.refuse(&asked, "could not dispatch DOWN").await;

    let stopped = downs.await.unwrap().unwrap();
    assert!(matches!(stopped, Err(TvError::KeyRunStopped { pressed: 1, asked: 5, .. })), "{stopped:?}");
    assert!(set.pending().await.is_empty());
}

#[actix::test]
async fn a_run_stops_when_its_caller_has_gone_and_lets_the_next_one_write() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let downs = stage.send(press(RemoteKey::Down, 20));
    let first = set.asked().await;
    let ok = stage.send(press(RemoteKey::Ok, 1));
    downs.abort();
    settle().await;
    set.ok(&first).await;
    assert_eq!(set.asked().await.params, json!({ "key": "OK" }));
    drop(ok);
}

#[actix::test]
async fn more_presses_than_allowed_are_taken_as_the_most() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let downs = stage.send(press(RemoteKey::Down, 200));
    for _ in 0..MAX_KEY_REPEAT {
        let asked = set.asked().await;
        set.ok(&asked).await;
    }
    assert_eq!(downs.await.unwrap().unwrap().unwrap().pressed, MAX_KEY_REPEAT);
}

#[actix::test]
async fn a_newer_socket_fails_what_was_in_flight_on_the_old_one_at_once() {
    let stage = Stage::with_den().await;
    let mut old = stage.dial_in().await;
    let pressed = stage.send(press(RemoteKey::Ok, 1));
    let asked = old.asked().await;
    let began = tokio::time::Instant::now();

    let mut new = stage.dial_in().await;

    let lost = pressed.await.unwrap().unwrap();
    assert!(matches!(lost, Err(TvError::LinkLost { op: Op::Key, only_reads: false, .. })), "{lost:?}");
    assert_eq!(began.elapsed(), Duration::ZERO);
    assert_eq!(old.closed().await, CloseReason::Replaced);
    // Late words of the old socket change nothing.
    old.ok(&asked).await;
    old.hang_up().await;
    assert!(stage.send(ObserveTv {}).await.unwrap().unwrap().online);
    assert!(new.pending().await.is_empty(), "nothing is repeated by itself");
}

#[actix::test]
async fn late_duplicate_and_unknown_replies_are_ignored() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let first = stage.send(GetVolume {});
    let asked = set.asked().await;
    set.reply(json!({ "id": "never-sent", "ok": true })).await;
    set.ok_with(&asked, "volume_json", volume(40)).await;
    set.ok_with(&asked, "volume_json", volume(99)).await;
    assert_eq!(first.await.unwrap().unwrap(), Ok(Volume { level: 40, muted: false, max_raw: 15 }));

    let second = stage.send(GetVolume {});
    let late = set.asked().await;
    assert!(second.await.unwrap().unwrap().is_err(), "no answer in time");
    set.ok_with(&late, "volume_json", volume(1)).await;
    assert_eq!(stage.send(ObserveTv {}).await.unwrap().unwrap().n_in_flight, 0);
}

#[actix::test]
async fn a_callers_nearer_deadline_still_gets_an_answer() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let seen = stage.send_within(ObserveScreen {}, 3);
    let _never_answered = set.asked().await;
    let seen = seen.await.unwrap().unwrap();
    assert!(matches!(seen, Err(TvError::NoAnswer { waited_seconds: 2, only_reads: true, .. })), "{seen:?}");
}

#[actix::test]
async fn a_screen_that_could_not_be_read_gets_one_more_look_after_a_second() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let seen = stage.send(ObserveScreen {});
    let asked = set.asked().await;
    set.refuse(&asked, "accessibility_not_granted").await;
    let began = tokio::time::Instant::now();
    let again = set.asked().await;
    assert_eq!(began.elapsed().as_secs(), 1);
    set.refuse(&again, "accessibility_not_granted").await;

    let error = BridgeError::Code(BridgeCode::AccessibilityNotGranted);
    assert_eq!(
        seen.await.unwrap().unwrap(),
        Err(TvError::Refused { tv: "den".parse().unwrap(), op: Op::Observe, error })
    );
    assert!(set.pending().await.is_empty());
}

#[actix::test]
async fn an_operation_that_the_app_lacks_is_asked_for_once_a_socket() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let tap = || MakeGesture { gesture: Gesture::Tap { x: Fraction::MIDDLE, y: Fraction::MIDDLE } };
    let first = stage.send(tap());
    let asked = set.asked().await;
    set.refuse(&asked, "unsupported op: gesture").await;
    let unsupported = first.await.unwrap().unwrap();
    assert!(matches!(unsupported, Err(TvError::Refused { error: BridgeError::UnsupportedOp(Op::Gesture), .. })));

    assert_eq!(stage.send(tap()).await.unwrap().unwrap(), unsupported);
    assert!(set.pending().await.is_empty());
    assert_eq!(stage.send(ObserveTv {}).await.unwrap().unwrap().lacking, [Op::Gesture]);

    let mut updated = stage.dial_in().await;
    let second = stage.send(tap());
    let asked = updated.asked().await;
    updated.ok(&asked).await;
    assert_eq!(second.await.unwrap().unwrap(), Ok(()));
}

#[actix::test]
async fn an_app_is_tried_as_a_phone_app_only_when_it_is_certain_that_nothing_was_opened() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let intent = LaunchIntent::from_arguments(None, Some("org.x.y")).unwrap();

    let launched = stage.send(LaunchApp { intent: intent.clone() });
    let first = set.asked().await;
    assert!(first.params["data"].as_str().unwrap().contains("LEANBACK_LAUNCHER"));
    set.refuse(&first, "no activity matches intent (data=x package=org.x.y)").await;
    let second = set.asked().await;
    assert!(second.params["data"].as_str().unwrap().contains("category.LAUNCHER"));
    set.ok(&second).await;
    assert_eq!(launched.await.unwrap().unwrap().unwrap().intent, intent.as_phone_app().unwrap());

    let launched = stage.send(LaunchApp { intent });
    let only = set.asked().await;
    set.refuse(&only, "launch failed: security").await;
    assert!(launched.await.unwrap().unwrap().is_err());
    assert!(set.pending().await.is_empty());
}

#[actix::test]
async fn a_malformed_answer_is_reported_and_loses_no_call() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let pause = stage.send(ControlPlayback { action: PlaybackAction::Pause });
    let asked = set.asked().await;
    set.reply(json!({ "id": asked.id, "ok": true, "data": { "playback_json": "{oops" } })).await;
    let unreadable = pause.await.unwrap().unwrap();
    assert!(matches!(unreadable, Err(TvError::Unreadable { only_reads: false, .. })), "{unreadable:?}");
}

#[actix::test]
async fn playback_is_steered_and_read_back() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let seek = stage.send(ControlPlayback { action: PlaybackAction::SeekBy(-15_000) });
    let asked = set.asked().await;
    assert_eq!(asked.params, json!({ "cmd": "seek", "delta_ms": "-15000" }));
    set.ok_with(&asked, "playback_json", json!({ "position_ms": 1, "state": "playing", "source": "media_session" }))
        .await;
    assert_eq!(seek.await.unwrap().unwrap().unwrap().state, PlaybackState::Playing);
}

#[actix::test]
async fn level_and_mute_are_set_in_one_go() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let level = Level::try_from(30).unwrap();
    let changed = stage.send(SetVolume { level: Some(level), muted: Some(false) });
    let first = set.asked().await;
    assert_eq!(first.params, json!({ "cmd": "set", "level": "30" }));
    set.ok_with(&first, "volume_json", volume(27)).await;
    let second = set.asked().await;
    assert_eq!(second.params, json!({ "cmd": "unmute" }));
    set.ok_with(&second, "volume_json", volume(28)).await;
    assert_eq!(changed.await.unwrap().unwrap().unwrap().level, 28);
}

#[actix::test]
async fn captions_are_switched_on_before_their_language_is_chosen() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let changed = stage.send(SetCaptions { enabled: None, language: Some("de".parse().unwrap()) });
    let first = set.asked().await;
    assert_eq!(first.params, json!({ "cmd": "on" }));
    set.ok(&first).await;
    let second = set.asked().await;
    assert_eq!(second.params, json!({ "cmd": "set_language", "lang": "de" }));
    set.ok_with(&second, "captions_json", json!({ "enabled": true, "language": "de", "source": "x" })).await;
    assert_eq!(changed.await.unwrap().unwrap().unwrap().language.as_deref(), Some("de"));
}

#[actix::test]
async fn typing_reports_the_length_of_the_field() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let typed = stage.send(TypeText { text: TypedText::try_from("Amélie".to_owned()).unwrap() });
    let asked = set.asked().await;
    set.ok_with(&asked, "input_json", json!({ "chars": 6, "method": "set_text" })).await;
    assert_eq!(typed.await.unwrap().unwrap().unwrap().chars, 6);
}

fn show(text: &str, seconds: u32) -> ShowSubtitle {
    ShowSubtitle { line: OnScreenLine::try_from(text.to_owned()).unwrap(), seconds }
}

#[actix::test]
async fn a_subtitle_is_taken_away_after_its_time() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let shown = stage.send(show("Dinner", 8));
    let asked = set.asked().await;
    set.ok(&asked).await;
    assert_eq!(shown.await.unwrap().unwrap(), Ok(()));
    let began = tokio::time::Instant::now();
    assert_eq!(set.asked().await.params, json!({ "cmd": "clear" }));
    assert_eq!(began.elapsed().as_secs(), 8);
}

#[actix::test]
async fn a_later_subtitle_is_not_taken_away_by_the_time_of_an_earlier_one() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let first = stage.send(show("one", 5));
    let asked = set.asked().await;
    set.ok(&asked).await;
    first.await.unwrap().unwrap().unwrap();
    tokio::time::advance(Duration::from_secs(3)).await;
    let second = stage.send(show("two", 5));
    let asked = set.asked().await;
    set.ok(&asked).await;
    second.await.unwrap().unwrap().unwrap();

    let began = tokio::time::Instant::now();
    assert_eq!(set.asked().await.params, json!({ "cmd": "clear" }));
    assert_eq!(began.elapsed().as_secs(), 5);
    tokio::time::advance(Duration::from_secs(60)).await;
    assert!(set.pending().await.is_empty());
}

#[actix::test]
async fn a_subtitle_that_was_up_when_the_tv_was_lost_is_taken_away_when_it_is_back() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let shown = stage.send(show("Dinner", 8));
    let asked = set.asked().await;
    set.ok(&asked).await;
    shown.await.unwrap().unwrap().unwrap();
    set.hang_up().await;
    tokio::time::advance(Duration::from_secs(60)).await;
    settle().await;

    let mut back = stage.dial_in().await;
    assert_eq!(back.asked().await.params, json!({ "cmd": "clear" }));
    assert!(stage.dial_in().await.pending().await.is_empty());
}

#[actix::test]
async fn a_subtitle_is_taken_away_before_the_relay_shuts_down() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let _shown = stage.send(show("Dinner", 8));
    let asked = set.asked().await;
    set.ok(&asked).await;
    stage.links.close_all(CloseReason::ShuttingDown);
    assert_eq!(set.asked().await.params, json!({ "cmd": "clear" }));
    assert_eq!(set.closed().await, CloseReason::ShuttingDown);
}

#[actix::test]
async fn an_actor_that_was_put_away_finds_its_tv_still_connected() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    tokio::time::sleep(Duration::from_secs(3_000)).await;
    let health = stage.bus.health();
    assert_eq!(health.actor(TvActor::key(HOUSE, tv(1))).unwrap().state, ActorState::PutAway);

    let pressed = stage.send(press(RemoteKey::Ok, 1));
    let asked = set.asked().await;
    set.ok(&asked).await;
    assert!(pressed.await.unwrap().unwrap().is_ok());
}

#[actix::test]
async fn a_panic_in_the_actor_loses_no_other_command_in_flight_and_not_the_tv() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let waiting = stage.send(GetVolume {});
    let asked = set.asked().await;

    stage.clock_is_broken.store(true, Ordering::Relaxed);
    let broken = stage.send(LinkOpened { link: set.link.id() }).await.unwrap();
    assert!(matches!(broken, Err(CallError::Panicked { .. })), "{broken:?}");
    stage.clock_is_broken.store(false, Ordering::Relaxed);

    set.ok_with(&asked, "volume_json", volume(40)).await;
    assert_eq!(waiting.await.unwrap().unwrap().unwrap().level, 40);
    let pressed = stage.send(press(RemoteKey::Ok, 1));
    let asked = set.asked().await;
    set.ok(&asked).await;
    assert!(pressed.await.unwrap().unwrap().is_ok());
    assert_eq!(stage.bus.health().actor(TvActor::key(HOUSE, tv(1))).unwrap().restarts, 1);
}

#[actix::test]
async fn status_says_what_is_known_without_asking_the_tv() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    let status = stage.send(ObserveTv {}).await.unwrap().unwrap();
    assert_eq!((status.name.as_str(), status.online, status.online_since), ("den", true, Some(curtain_up())));
    assert!(set.pending().await.is_empty());
}

#[actix::test]
async fn a_tv_that_was_renamed_is_called_by_its_new_name() {
    let stage = Stage::with_den().await;
    stage.send(ObserveTv {}).await.unwrap().unwrap();
    let den = stage.directory.get(HOUSE, tv(1)).unwrap();
    stage.directory.put(HOUSE, PairedTv { name: "bedroom".parse().unwrap(), ..den });
    let off = stage.send(GetVolume {}).await.unwrap().unwrap().unwrap_err();
    assert!(off.to_string().starts_with("The TV `bedroom` is off"), "{off}");
}

#[actix::test]
async fn a_queue_that_is_full_refuses_without_sending() {
    let stage = Stage::with_den().await;
    let _set = stage.dial_in().await;
    let link = Links::current(&stage.links, tv(1)).unwrap();
    while link.send("x".to_owned()).is_ok() {}
    let refused = stage.send(press(RemoteKey::Ok, 1)).await.unwrap().unwrap();
    assert_eq!(refused, Err(TvError::NotSent { tv: "den".parse().unwrap() }));
}
