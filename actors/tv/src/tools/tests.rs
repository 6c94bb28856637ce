use std::collections::HashSet;

use playhouse_house::{Caller, CredentialId, Principal, Role, Scope, Scopes, ToolSwitches, TvGrant, TvId};
use playhouse_tools::{Outcome, Registry, ToolCall};
use serde_json::{Map, Value, json};
use tokio::task::JoinHandle;

use crate::testing::{HOUSE, Stage, TvSet, in_seconds, tv};
use crate::{PairingActor, StartPairing};

use super::add_tools;

fn principal(caller: Caller, scopes: &[Scope]) -> Principal {
    Principal {
        house: HOUSE,
        credential: CredentialId::draw(&mut rand::rng()),
        caller,
        scopes: Scopes::of(scopes),
        role: Role::Admin,
    }
}

fn tv_token(of: TvId) -> Principal {
    principal(Caller::Tv(of), &[Scope::Tv])
}

fn key(tvs: TvGrant) -> Principal {
    principal(Caller::Key { tvs, account: None, engagement: None }, &[Scope::Tv, Scope::HouseAdmin])
}

fn registry(stage: &Stage) -> Registry {
    let mut registry = Registry::new(ToolSwitches::new());
    add_tools(&mut registry, &stage.directory).unwrap();
    registry
}

impl Stage {
    fn start_call(&self, principal: Principal, name: &'static str, arguments: Value) -> JoinHandle<Outcome> {
        let (registry, bus) = (registry(self), self.bus.clone());
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        actix_rt::spawn(async move {
            let call = ToolCall { principal, bus, deadline: in_seconds(30), chosen: None };
            registry.call(name, arguments, call).await
        })
    }

    /// The structured value and the prose of a call that answers.
    async fn answered(&self, principal: Principal, name: &'static str, arguments: Value) -> (Value, String) {
        answer(self.start_call(principal, name, arguments).await.unwrap())
    }

    /// The words of a call that the world refuses.
    async fn failed(&self, principal: Principal, name: &'static str, arguments: Value) -> String {
        words(self.start_call(principal, name, arguments).await.unwrap())
    }
}

fn answer(outcome: Outcome) -> (Value, String) {
    match outcome {
        Outcome::Answered { structured, prose, is_error: false } => (serde_json::from_str(&structured).unwrap(), prose),
        other => panic!("expected an answer, not {other:?}"),
    }
}

fn words(outcome: Outcome) -> String {
    match outcome {
        Outcome::Failed { words } => words,
        other => panic!("expected a failure, not {other:?}"),
    }
}

/// A connected `den`.
async fn den() -> (Stage, TvSet) {
    let stage = Stage::with_den().await;
    let set = stage.dial_in().await;
    (stage, set)
}

/// Calls a tool with `den`'s token, has the TV reply, and gives what it was asked and what the tool answered.
async fn with_reply(
    (stage, set): &mut (Stage, TvSet),
    name: &'static str,
    arguments: Value,
    field: &str,
    value: Value,
) -> (Value, Value, String) {
    let call = stage.start_call(tv_token(tv(1)), name, arguments);
    let asked = set.asked().await;
    set.ok_with(&asked, field, value).await;
    let (structured, prose) = answer(call.await.unwrap());
    (asked.params, structured, prose)
}

async fn two_tvs() -> (Stage, TvSet) {
    let stage = Stage::with_den().await;
    stage.pair(2, "attic").await;
    let set = stage.dial_in().await;
    (stage, set)
}

fn listed(stage: &Stage, principal: &Principal) -> Vec<Value> {
    serde_json::from_slice(&registry(stage).list(principal)).unwrap()
}

#[actix::test]
async fn every_schema_is_a_plain_object_without_composition() {
    fn assert_plain(schema: &Value) {
        match schema {
            Value::Object(object) => {
                for keyword in ["$ref", "oneOf", "anyOf", "allOf", "$defs"] {
                    assert!(!object.contains_key(keyword), "{keyword} in {schema}");
                }
                object.values().for_each(assert_plain);
            }
            Value::Array(items) => items.iter().for_each(assert_plain),
            _ => {}
        }
    }
    let stage = Stage::with_den().await;
    let tools = listed(&stage, &key(TvGrant::All));
    assert_eq!(tools.len(), 14);
    for tool in &tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert_plain(&tool["inputSchema"]);
        assert_plain(&tool["outputSchema"]);
        assert!(tool["description"].as_str().unwrap().len() > 60, "{tool}");
    }
}

#[actix::test]
async fn every_argument_is_described() {
    let stage = Stage::with_den().await;
    for tool in listed(&stage, &key(TvGrant::All)) {
        for (name, schema) in tool["inputSchema"]["properties"].as_object().unwrap() {
            assert!(schema["description"].is_string(), "`{name}` of {}", tool["name"]);
            assert!(schema["type"].is_string(), "`{name}` of {}", tool["name"]);
        }
    }
}

#[actix::test]
async fn only_a_key_that_reaches_several_tvs_is_asked_which() {
    let (stage, _set) = two_tvs().await;
    let choices = |principal: &Principal| {
        let tools = listed(&stage, principal);
        let tool = tools.iter().find(|tool| tool["name"] == "tv_send_key").unwrap();
        tool["inputSchema"]["properties"]["tv"]["enum"].clone()
    };
    assert_eq!(choices(&key(TvGrant::All)), json!(["attic", "den"]));
    assert_eq!(choices(&key(TvGrant::Only(vec![tv(2)]))), Value::Null);
    assert_eq!(choices(&tv_token(tv(1))), Value::Null);
}

#[actix::test]
async fn a_call_reaches_the_tv_it_names_and_no_other() {
    let (stage, mut set) = two_tvs().await;
    let on_den = stage.start_call(key(TvGrant::All), "tv_send_key", json!({ "key": "OK", "tv": "den" }));
    let asked = set.asked().await;
    set.ok(&asked).await;
    assert_eq!(answer(on_den.await.unwrap()).0, json!({ "key": "OK", "pressed": 1 }));

    let off = stage.failed(key(TvGrant::All), "tv_send_key", json!({ "key": "OK", "tv": "attic" })).await;
    assert!(off.starts_with("The TV `attic` is off"), "{off}");
    assert!(set.pending().await.is_empty());
}

#[actix::test]
async fn a_token_for_one_tv_cannot_name_another() {
    let (stage, mut set) = two_tvs().await;
    for arguments in [json!({ "key": "OK", "tv": "den" }), json!({ "key": "OK", "device_id": "den" })] {
        let refused = stage.failed(tv_token(tv(2)), "tv_send_key", arguments).await;
        assert!(refused.starts_with("Wrong arguments"), "{refused}");
    }
    let outside =
        stage.failed(key(TvGrant::Only(vec![tv(2)])), "tv_send_key", json!({ "key": "OK", "tv": "den" })).await;
    assert!(outside.starts_with("Wrong arguments"), "{outside}");
    assert!(set.pending().await.is_empty());
}

#[actix::test]
async fn the_list_holds_the_tvs_that_the_key_reaches() {
    let (stage, _set) = two_tvs().await;
    stage.open_house(HOUSE).await;
    let all = json!({ "devices": [{ "id": "attic", "online": false }, { "id": "den", "online": true }] });
    let den = json!({ "devices": [{ "id": "den", "online": true }] });
    let (structured, prose) = stage.answered(key(TvGrant::All), "tv_list_devices", json!({})).await;
    assert_eq!((structured, prose.as_str()), (all, "attic: offline\nden: online"));
    assert_eq!(stage.answered(tv_token(tv(1)), "tv_list_devices", json!({})).await.0, den);
    assert_eq!(stage.answered(key(TvGrant::Only(vec![tv(1)])), "tv.list_devices", json!({})).await.0, den);
}

#[actix::test]
async fn a_house_without_tvs_says_how_to_pair_one() {
    let stage = Stage::with_house().await;
    let (structured, prose) = stage.answered(key(TvGrant::All), "tv_list_devices", json!({})).await;
    assert_eq!(structured, json!({ "devices": [] }));
    assert!(prose.contains("tv_claim_device"), "{prose}");
    assert!(stage.failed(key(TvGrant::All), "tv_observe", json!({})).await.contains("tv_claim_device"));
}

#[actix::test]
async fn a_tv_is_paired_by_its_code() {
    let stage = Stage::with_house().await;
    let code = stage.call(PairingActor::KEY, StartPairing {}).await.unwrap().code;
    let claim = |name: &str| json!({ "code": code.to_string(), "name": name });

    let odd = stage.failed(key(TvGrant::All), "tv_claim_device", claim("Living Room")).await;
    assert!(odd.starts_with("No TV was paired") && odd.contains("`living-room` would do"), "{odd}");
    let (structured, prose) = stage.answered(key(TvGrant::All), "tv_claim_device", claim("den")).await;
    assert_eq!((&structured["id"], &structured["house"]), (&json!("den"), &json!("The Lovelaces")));
    assert!(prose.contains(structured["token"].as_str().unwrap()));
    let again = stage.failed(key(TvGrant::All), "tv_claim_device", claim("attic")).await;
    assert!(again.contains("claimed already"), "{again}");
}

#[actix::test]
async fn pairing_takes_a_house_admins_key() {
    let stage = Stage::with_house().await;
    let outcome = stage.start_call(tv_token(tv(1)), "tv_claim_device", json!({ "code": "12345678" })).await.unwrap();
    assert!(matches!(outcome, Outcome::Refused(refusal) if refusal.status == 403));
}

#[actix::test]
async fn keys_are_repeated_within_bounds() {
    let stage = Stage::with_den().await;
    for (arguments, hint) in [
        (json!({ "key": "OK", "repeat": 0 }), "at least 1"),
        (json!({ "key": "OK", "repeat": 21 }), "at most 20"),
        (json!({ "key": "MUTE" }), "expected one of \"POWER\""),
    ] {
        let words = stage.failed(tv_token(tv(1)), "tv.send_key", arguments).await;
        assert!(words.contains(hint), "{words}");
    }
}

#[actix::test]
async fn an_unsafe_launch_is_refused_before_anything_is_sent() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    for data in ["file:///sdcard/x", "intent:#Intent;component=a.b/.C;end", "netflix"] {
        let words = stage.failed(tv_token(tv(1)), "tv_launch_app", json!({ "data": data })).await;
        assert!(words.starts_with("Nothing was sent to the TV: "), "{words}");
    }
    let nothing = stage.failed(tv_token(tv(1)), "tv_launch_app", json!({})).await;
    assert!(nothing.contains("`package`"), "{nothing}");
    assert!(set.pending().await.is_empty());
}

#[actix::test]
async fn a_launch_says_what_was_handed_over() {
    let mut den = den().await;
    let arguments = json!({ "data": "https://www.netflix.com/title/70025587", "package": "com.netflix.ninja" });
    let (asked, structured, prose) = with_reply(&mut den, "tv_launch_app", arguments.clone(), "data", json!("x")).await;
    assert_eq!(asked, arguments);
    assert_eq!(
        structured,
        json!({ "launched": true, "data": "https://www.netflix.com/title/70025587", "package": "com.netflix.ninja" })
    );
    assert!(prose.contains("tv_observe"), "{prose}");
}

#[actix::test]
async fn apps_are_listed_as_the_seed_has_them() {
    let mut den = den().await;
    let apps = json!([
        { "package": "com.netflix.ninja", "label": "Netflix", "leanback": true },
        { "package": "org.x.y", "label": "X", "leanback": false },
    ]);
    let (_, structured, prose) = with_reply(&mut den, "tv_list_apps", json!({}), "apps_json", apps.clone()).await;
    assert_eq!(structured, json!({ "apps": apps }));
    assert_eq!(prose, "2 apps on den:\nNetflix (com.netflix.ninja)\nX (org.x.y, not made for TVs)");
}

#[actix::test]
async fn the_screen_is_told_as_the_seed_has_it() {
    let mut den = den().await;
    let seen = json!({ "package": "com.netflix.ninja", "activity": "FrameLayout", "focused": { "text": "Play" },
        "visible": [{ "text": "Play", "clickable": true, "cx": 0.5, "cy": 0.25 }, { "content_description": "My List", "clickable": true }] });
    let (_, structured, prose) = with_reply(&mut den, "tv_observe", json!({}), "observe_json", seen).await;
    assert_eq!(
        structured,
        json!({
            "package": "com.netflix.ninja",
            "activity": "FrameLayout",
            "focused": { "text": "Play", "content_description": "" },
            "visible": [
                { "text": "Play", "content_description": "", "clickable": true, "cx": 0.5, "cy": 0.25 },
                { "text": "", "content_description": "My List", "clickable": true },
            ],
            "truncated": false,
        })
    );
    assert_eq!(
        prose,
        "com.netflix.ninja is in front on den. Focused: \"Play\".\nVisible:\n- \"Play\" (clickable) at 0.50, 0.25\n- \"My List\" (clickable)"
    );
}

#[actix::test]
async fn a_blind_toggle_is_said_to_be_one() {
    let mut den = den().await;
    let toggled = json!({ "position_ms": 0, "duration_ms": 0, "state": "unknown", "source": "accessibility" });
    let (asked, structured, prose) =
        with_reply(&mut den, "tv_control_playback", json!({ "action": "pause" }), "playback_json", toggled).await;
    assert_eq!(asked, json!({ "cmd": "pause" }));
    assert_eq!(structured["source"], "accessibility");
    assert!(prose.contains("not known"), "{prose}");
}

#[actix::test]
async fn what_plays_is_told_with_times_that_people_read() {
    let mut den = den().await;
    let playing = json!({ "title": "Scrubs", "app": "a.b", "position_ms": 65_000, "duration_ms": 3_600_000, "state": "playing", "source": "media_session" });
    let (_, structured, prose) =
        with_reply(&mut den, "tv_get_playback", json!({}), "playback_json", playing.clone()).await;
    assert_eq!(structured, playing);
    assert_eq!(prose, "den: playing \"Scrubs\" in a.b, at 0:01:05 of 1:00:00 when the player last reported.");
}

#[actix::test]
async fn arguments_that_exclude_each_other_are_refused_in_words() {
    let stage = Stage::with_den().await;
    let mut set = stage.dial_in().await;
    for (name, arguments) in [
        ("tv_control_playback", json!({ "action": "seek" })),
        ("tv_control_playback", json!({ "action": "seek", "position_ms": 1, "delta_ms": 1 })),
        ("tv_control_playback", json!({ "action": "pause", "delta_ms": 1 })),
        ("tv_set_volume", json!({})),
        ("tv_set_captions", json!({})),
        ("tv_set_captions", json!({ "language": "english please" })),
        ("tv_set_captions", json!({ "enabled": false, "language": "en" })),
        ("tv_gesture", json!({ "swipe": "up", "x": 0.5 })),
        ("tv_subtitle", json!({})),
        ("tv_subtitle", json!({ "text": "x", "clear": true })),
        ("tv_subtitle", json!({ "text": "  " })),
        ("tv_type", json!({ "text": "a\nb" })),
    ] {
        let words = stage.failed(tv_token(tv(1)), name, arguments.clone()).await;
        assert!(words.starts_with("Nothing was sent to the TV: "), "{name} {arguments}: {words}");
    }
    assert!(set.pending().await.is_empty());
}

#[actix::test]
async fn volume_is_set_and_read_back() {
    let mut den = den().await;
    let volume = json!({ "level": 47, "muted": false, "max_raw": 15 });
    let (asked, structured, prose) =
        with_reply(&mut den, "tv_set_volume", json!({ "level": 50 }), "volume_json", volume.clone()).await;
    assert_eq!(asked, json!({ "cmd": "set", "level": "50" }));
    assert_eq!((structured, prose.as_str()), (volume.clone(), "The volume of den is 47 of 100."));

    let fixed = json!({ "level": 0, "muted": false, "max_raw": 0 });
    let (_, _, prose) = with_reply(&mut den, "tv_get_volume", json!({}), "volume_json", fixed).await;
    assert!(prose.contains("another device"), "{prose}");
}

#[actix::test]
async fn text_gestures_captions_and_subtitles_are_acknowledged() {
    let mut den = den().await;
    let typed = json!({ "chars": 2, "method": "set_text" });
    let (asked, structured, _) =
        with_reply(&mut den, "tv_type", json!({ "text": "hi" }), "input_json", typed.clone()).await;
    assert_eq!((asked, structured), (json!({ "cmd": "type", "text": "hi" }), typed));

    let (asked, structured, _) = with_reply(&mut den, "tv_gesture", json!({ "x": 0.25 }), "cmd", json!("tap")).await;
    assert_eq!(
        (asked, structured),
        (json!({ "cmd": "tap", "x": "0.2500", "y": "0.5000" }), json!({ "gesture": "tap" }))
    );
    let (asked, structured, _) =
        with_reply(&mut den, "tv_gesture", json!({ "swipe": "left" }), "cmd", json!("swipe")).await;
    assert_eq!((asked, structured), (json!({ "cmd": "swipe", "dir": "left" }), json!({ "gesture": "swipe" })));

    let on = json!({ "enabled": true, "source": "system" });
    let (asked, structured, _) =
        with_reply(&mut den, "tv_set_captions", json!({ "enabled": true }), "captions_json", on.clone()).await;
    assert_eq!((asked, structured), (json!({ "cmd": "on" }), on));

    let (asked, structured, _) =
        with_reply(&mut den, "tv_subtitle", json!({ "text": "Dinner" }), "cmd", json!("show")).await;
    assert_eq!(
        (asked, structured),
        (json!({ "cmd": "show", "text": "Dinner" }), json!({ "shown": true, "seconds": 8 }))
    );
    let (asked, structured, _) =
        with_reply(&mut den, "tv_subtitle", json!({ "clear": true }), "cmd", json!("clear")).await;
    assert_eq!((asked, structured), (json!({ "cmd": "clear" }), json!({ "shown": false })));
}

#[actix::test]
async fn every_tool_that_steers_a_tv_says_so_when_it_is_off() {
    let stage = Stage::with_den().await;
    let not_steering: HashSet<&str> = HashSet::from(["tv_list_devices", "tv_claim_device"]);
    for tool in listed(&stage, &tv_token(tv(1))) {
        let name: &'static str = tool["name"].as_str().unwrap().to_owned().leak();
        if not_steering.contains(name) {
            continue;
        }
        let arguments = match name {
            "tv_send_key" => json!({ "key": "OK" }),
            "tv_launch_app" => json!({ "data": "https://x.y" }),
            "tv_control_playback" => json!({ "action": "pause" }),
            "tv_set_volume" => json!({ "level": 1 }),
            "tv_set_captions" => json!({ "enabled": true }),
            "tv_type" | "tv_subtitle" => json!({ "text": "x" }),
            _ => Value::Object(Map::new()),
        };
        let words = stage.failed(tv_token(tv(1)), name, arguments).await;
        assert!(words.starts_with("The TV `den` is off"), "{name}: {words}");
    }
}
