//! The TV tools through the door, against a simulated TV: what they answer, what the TV then did, and the words when it did not.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod common;

use common::{PATIENCE, Town};
use playhouse_house::Scope;
use playhouse_standins::{
    Accessibility, Act, Answer, AppVersion, Manner, Pacing, PlaybackState, SimulatedTv, TextField,
};
use serde_json::{Value, json};

/// A house with one TV, and a key that reaches it.
struct Room {
    town: Town,
    tv: SimulatedTv,
    key: String,
}

impl Room {
    async fn new() -> Self {
        Self::with(AppVersion::V0_7_0).await
    }

    async fn with(version: AppVersion) -> Self {
        let town = Town::start().await;
        let house = town.house("Kestrel Street").await;
        let key = town.key(&house, &[Scope::Tv, Scope::HouseAdmin]).await;
        let tv = SimulatedTv::builder(town.url("").parse().unwrap()).model(version).pacing(Pacing::quick()).start();
        town.claim(&key, &tv.code().await, "living-room").await;
        tokio::time::timeout(PATIENCE, tv.online()).await.expect("the TV dials in");
        Self { town, tv, key }
    }

    async fn ask(&self, tool: &str, arguments: Value) -> Value {
        self.town.ask(&self.key, tool, arguments).await
    }

    async fn failure(&self, tool: &str, arguments: Value) -> String {
        self.town.failure(&self.key, tool, arguments).await
    }

    /// Ends the test: the relay kept to the bridge's contract all the time.
    async fn leave(self) {
        assert_eq!(self.tv.violations(), []);
        self.town.stop().await;
    }
}

#[actix_web::test]
async fn keys_arrive_in_order_and_as_often_as_asked() {
    let room = Room::new().await;
    assert_eq!(room.ask("tv_send_key", json!({ "key": "HOME" })).await, json!({ "key": "HOME", "pressed": 1 }));
    assert_eq!(
        room.ask("tv_send_key", json!({ "key": "VOL_DOWN", "repeat": 3 })).await,
        json!({ "key": "VOL_DOWN", "pressed": 3 })
    );
    assert_eq!(room.tv.world().keys, ["HOME", "VOL_DOWN", "VOL_DOWN", "VOL_DOWN"]);
    for repeat in [json!(0), json!(21), json!("3"), json!(1.5)] {
        room.failure("tv_send_key", json!({ "key": "UP", "repeat": repeat })).await;
    }
    assert!(room.failure("tv_send_key", json!({ "key": "MUTE" })).await.contains("VOL_DOWN"));
    assert_eq!(room.tv.world().keys.len(), 4, "a refused press reached the TV");
    room.leave().await;
}

#[actix_web::test]
async fn a_link_opens_and_an_unsafe_one_never_reaches_the_tv() {
    let room = Room::new().await;
    let app = room.tv.world().apps[0].package.clone();
    let link = "https://www.youtube.com/watch?v=jNQXAC9IVRw";
    let opened = room.ask("tv_launch_app", json!({ "data": link })).await;
    assert_eq!(opened["data"], link);
    room.ask("tv_launch_app", json!({ "package": app })).await;
    let n_launches = room.tv.world().launches.len();
    assert_eq!(n_launches, 2);
    for data in [
        "file:///sdcard/secret",
        "content://contacts",
        "FILE:///sdcard/secret",
        "intent:#Intent;component=com.evil/.Main;end",
        "intent:#Intent;action=android.intent.action.DELETE;end",
        "intent://x#Intent;SEL;action=android.intent.action.VIEW;end",
        "",
    ] {
        room.failure("tv_launch_app", json!({ "data": data })).await;
    }
    room.failure("tv_launch_app", json!({})).await;
    assert_eq!(room.tv.world().launches.len(), n_launches);
    room.leave().await;
}

#[actix_web::test]
async fn a_link_that_nothing_on_the_tv_handles_is_said_so() {
    let room = Room::new().await;
    let words = room.failure("tv_launch_app", json!({ "data": "nosuchscheme:thing" })).await;
    assert!(words.contains("tv_list_apps"), "{words}");
    room.leave().await;
}

#[actix_web::test]
async fn apps_and_screen_answer_as_the_seed_has_them() {
    let room = Room::new().await;
    let apps = room.ask("tv_list_apps", json!({})).await;
    assert!(apps["apps"][0]["package"].is_string() && apps["apps"][0]["leanback"].is_boolean(), "{apps}");
    let screen = room.ask("tv_observe", json!({})).await;
    assert!(screen["visible"].as_array().is_some_and(|visible| !visible.is_empty()), "{screen}");
    assert_eq!(screen["truncated"], false);
    room.leave().await;
}

#[actix_web::test]
async fn a_long_screen_is_marked_as_cut() {
    let room = Room::new().await;
    room.tv.change_world(|world| {
        let node = world.screen.nodes[0].clone();
        world.screen.nodes = vec![node; 60];
    });
    let screen = room.ask("tv_observe", json!({})).await;
    assert_eq!((screen["visible"].as_array().unwrap().len(), &screen["truncated"]), (50, &json!(true)));
    room.leave().await;
}

#[actix_web::test]
async fn without_accessibility_the_seeds_words_come_back_word_for_word() {
    let room = Room::new().await;
    room.tv.change_world(|world| world.accessibility = Accessibility::NotGranted);
    assert_eq!(
        room.failure("tv_observe", json!({})).await,
        "accessibility_not_granted: a setup prompt was just posted on the TV. Ask the user to tap it to grant accessibility, then \
         retry tv.observe."
    );
    room.leave().await;
}

#[actix_web::test]
async fn playback_is_read_paused_resumed_and_moved() {
    let room = Room::new().await;
    let nothing = room.failure("tv_get_playback", json!({})).await;
    assert!(nothing.to_lowercase().contains("playing") || nothing.contains("player"), "{nothing}");
    room.tv.change_world(|world| {
        world.playback = Some(playhouse_standins::Playback {
            title: Some("Kestrel".into()),
            app: "com.example.player".into(),
            position_ms: 60_000,
            duration_ms: 600_000,
            state: PlaybackState::Playing,
            can_seek: true,
        });
    });
    assert_eq!(room.ask("tv_get_playback", json!({})).await["title"], "Kestrel");
    assert_eq!(room.ask("tv_control_playback", json!({ "action": "pause" })).await["state"], "paused");
    room.ask("tv_control_playback", json!({ "action": "seek", "position_ms": 120_000 })).await;
    assert_eq!(room.tv.world().playback.unwrap().position_ms, 120_000);
    room.failure("tv_control_playback", json!({ "action": "seek" })).await;
    room.failure("tv_control_playback", json!({ "action": "stop" })).await;
    room.leave().await;
}

#[actix_web::test]
async fn volume_is_set_and_read_back_in_the_tvs_own_steps() {
    let room = Room::new().await;
    room.tv.change_world(|world| world.volume.max_raw = 15);
    let volume = room.ask("tv_set_volume", json!({ "level": 50 })).await;
    assert_eq!(volume["level"], 47);
    assert_eq!(room.ask("tv_set_volume", json!({ "mute": true })).await["muted"], true);
    assert_eq!(room.ask("tv_get_volume", json!({})).await["muted"], true);
    for level in [json!(101), json!(-1), json!(40.5)] {
        room.failure("tv_set_volume", json!({ "level": level })).await;
    }
    room.leave().await;
}

#[actix_web::test]
async fn text_goes_into_the_focused_field_and_nowhere_else() {
    let room = Room::new().await;
    let words = room.failure("tv_type", json!({ "text": "kestrel" })).await;
    assert!(words.contains("field"), "{words}");
    room.tv.change_world(|world| world.text_field = Some(TextField { text: "old".into(), refuses_text: false }));
    room.ask("tv_type", json!({ "text": "kestrel" })).await;
    assert_eq!(room.tv.world().text_field.unwrap().text, "kestrel");
    room.leave().await;
}

#[actix_web::test]
async fn a_subtitle_shows_and_is_cleared() {
    let room = Room::new().await;
    room.ask("tv_subtitle", json!({ "text": "Dinner is ready" })).await;
    assert_eq!(room.tv.world().subtitle.as_deref(), Some("Dinner is ready"));
    room.ask("tv_subtitle", json!({ "clear": true })).await;
    assert_eq!(room.tv.world().subtitle, None);
    room.leave().await;
}

#[actix_web::test]
async fn an_older_app_is_named_as_the_reason() {
    let room = Room::with(AppVersion::V0_5).await;
    let words = room.failure("tv_subtitle", json!({ "text": "hello" })).await;
    assert!(words.contains("too old for this (subtitle)"), "{words}");
    room.leave().await;
}

#[actix_web::test]
async fn a_tv_that_is_off_says_so_and_what_to_do() {
    let room = Room::new().await;
    room.tv.act(Act::SwitchOff).await.unwrap();
    let off = async { while room.ask("tv_list_devices", json!({})).await["devices"][0]["online"] == json!(true) {} };
    tokio::time::timeout(PATIENCE, off).await.expect("the TV goes off");
    for (tool, arguments) in [
        ("tv_send_key", json!({ "key": "HOME" })),
        ("tv_observe", json!({})),
        ("tv_launch_app", json!({ "data": "https://example.org" })),
        ("tv_get_volume", json!({})),
    ] {
        let words = room.failure(tool, arguments).await;
        assert!(words.contains("`living-room` is off") && words.contains("switch the TV on"), "{words}");
    }
    room.leave().await;
}

#[actix_web::test]
async fn a_connection_lost_in_the_middle_leaves_the_outcome_unknown_and_repeats_nothing() {
    let room = Room::new().await;
    room.tv.behave(Manner::Silent);
    let press = room.town.call(&room.key, "tv_send_key", json!({ "key": "OK" }));
    let cut = async {
        room.tv.wait_for_world(|world| !world.keys.is_empty()).await;
        room.tv.behave(Manner::AsTheApp);
        room.tv.act(Act::Cut).await.unwrap();
    };
    let (answer, ()) = futures_util::join!(press, cut);
    let result = answer.result();
    let words = result["content"][0]["text"].as_str().unwrap();
    assert!(
        result["isError"] == json!(true) && words.contains("connection") && words.contains("tv_observe"),
        "{words}"
    );

    tokio::time::timeout(PATIENCE, room.tv.online()).await.expect("the TV dials in again");
    room.ask("tv_send_key", json!({ "key": "HOME" })).await;
    assert_eq!(room.tv.world().keys, ["OK", "HOME"]);
    room.leave().await;
}

#[actix_web::test]
async fn broken_inner_json_is_reported_and_does_not_drop_the_call() {
    let room = Room::new().await;
    room.tv.behave(Manner::BrokenInnerJson);
    let words = room.failure("tv_get_volume", json!({})).await;
    assert!(words.contains("version"), "{words}");
    room.leave().await;
}

#[actix_web::test]
async fn free_text_of_the_bridge_is_passed_on() {
    let room = Room::new().await;
    room.tv.answer_next("key", Answer::failed("the service is napping"));
    let words = room.failure("tv_send_key", json!({ "key": "HOME" })).await;
    assert!(words.contains("the service is napping"), "{words}");
    room.leave().await;
}

#[actix_web::test]
async fn many_calls_at_once_are_all_answered_or_told_to_wait() {
    let room = Room::new().await;
    let presses = (0..200).map(|_| room.town.call(&room.key, "tv_send_key", json!({ "key": "VOL_UP" })));
    let answers = futures_util::future::join_all(presses).await;
    let n_taken = answers.iter().filter(|answer| answer.result()["isError"] == json!(false)).count();
    for answer in answers.iter().filter(|answer| answer.result()["isError"] == json!(true)) {
        let words = answer.result()["content"][0]["text"].as_str().unwrap().to_owned();
        assert!(words.contains("again"), "{words}");
    }
    assert!(n_taken > 0);
    assert_eq!(
        room.tv.world().keys.len(),
        n_taken,
        "a press that was refused reached the TV, or one that was taken did not"
    );
    room.leave().await;
}
