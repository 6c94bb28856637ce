use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn reply(field: &str, text: impl Into<String>) -> IncomingFrame {
    IncomingFrame {
        id: "1".into(),
        ok: true,
        message: String::new(),
        data: BTreeMap::from([(field.to_owned(), text.into())]),
    }
}

#[test]
fn apps_are_read_as_listed() {
    let text = r#"[{"package":"com.netflix.ninja","label":"Netflix","leanback":true},{"package":"org.x.y","label":"X","leanback":false}]"#;
    let list = apps(&reply("apps_json", text)).unwrap();
    assert_eq!(list.n_unreadable, 0);
    assert_eq!(list.apps[0], App { package: "com.netflix.ninja".into(), label: "Netflix".into(), leanback: true });
    assert_eq!(list.apps[1].package, "org.x.y");
}

#[test]
fn an_odd_app_entry_costs_only_itself() {
    let list = apps(&reply("apps_json", r#"[7, {"label":"no package"}, {"package":"a.b"}]"#)).unwrap();
    assert_eq!(list.apps, [App { package: "a.b".into(), label: "a.b".into(), leanback: false }]);
    assert_eq!(list.n_unreadable, 2);
}

#[test]
fn an_observation_is_read_in_both_known_versions() {
    let old = r#"{"package":"com.netflix.ninja","activity":"FrameLayout","focused":{"text":"Play"},
        "visible":[{"text":"Play","clickable":true},{"content_description":"My List","clickable":true}]}"#;
    let seen = observation(&reply("observe_json", old)).unwrap();
    assert_eq!(seen.focused, FocusedNode { text: "Play".into(), content_description: String::new() });
    assert_eq!(seen.visible[1].content_description, "My List");
    assert_eq!((seen.visible[0].cx, seen.truncated), (None, false));

    let new = r#"{"package":"a.b","activity":"","focused":{},"visible":[{"text":"Play","clickable":true,"cx":0.25,"cy":1.5,"node_class":"x"}]}"#;
    let seen = observation(&reply("observe_json", new)).unwrap();
    assert_eq!(seen.focused, FocusedNode::default());
    assert_eq!((seen.visible[0].cx, seen.visible[0].cy), (Some(0.25), Some(1.0)));
}

#[test]
fn the_fifty_first_entry_becomes_a_flag() {
    let mut nodes: Vec<Value> = (0..50).map(|n| json!({ "text": format!("node {n}"), "clickable": false })).collect();
    nodes.push(json!({ "text": "… (1 more)", "clickable": false }));
    let seen = observation(&reply("observe_json", json!({ "visible": nodes }).to_string())).unwrap();
    assert!(seen.truncated);
    assert_eq!(seen.visible.len(), 50);
}

#[test]
fn a_short_screen_that_happens_to_say_one_more_is_complete() {
    let seen = observation(&reply("observe_json", r#"{"visible":[{"text":"… (1 more)","clickable":true}]}"#)).unwrap();
    assert!(!seen.truncated);
    assert_eq!(seen.visible.len(), 1);
}

#[test]
fn an_app_that_draws_everything_itself_gives_an_empty_screen() {
    let seen = observation(&reply("observe_json", r#"{"package":"com.netflix.ninja"}"#)).unwrap();
    assert!(seen.visible.is_empty() && !seen.truncated);
}

#[test]
fn playback_takes_states_and_times_as_they_come() {
    let text = r#"{"title":"","app":"com.x.y","position_ms":"1500","duration_ms":-1,"state":"warping","source":"media_session"}"#;
    let playing = playback(&reply("playback_json", text)).unwrap();
    assert_eq!((playing.title, playing.position_ms, playing.duration_ms), (None, 1500, 0));
    assert_eq!(playing.state, PlaybackState::Unknown);
}

#[test]
fn volume_without_a_level_is_reported() {
    assert_eq!(
        volume(&reply("volume_json", r#"{"level":40,"muted":false,"max_raw":15}"#)),
        Ok(Volume { level: 40, muted: false, max_raw: 15 })
    );
    assert!(matches!(volume(&reply("volume_json", r#"{"muted":true}"#)), Err(PayloadFault::Malformed { .. })));
}

#[test]
fn what_is_missing_or_malformed_is_named() {
    let empty = reply("other", "");
    assert_eq!(captions(&empty), Err(PayloadFault::Missing { field: "captions_json".into() }));
    for text in ["", "{", "[]", "null", "7", "\"x\""] {
        assert_eq!(
            captions(&reply("captions_json", text)),
            Err(PayloadFault::Malformed { field: "captions_json".into() }),
            "{text}"
        );
    }
}

#[test]
fn typing_reports_what_was_set() {
    assert_eq!(
        typed(&reply("input_json", r#"{"chars":5,"method":"set_text"}"#)),
        Ok(TypeResult { chars: 5, method: "set_text".into() })
    );
}

proptest! {
    #[test]
    fn any_inner_text_is_read_or_reported(text in "\\PC{0,200}") {
        let _ = apps(&reply("apps_json", text.clone()));
        let _ = observation(&reply("observe_json", text.clone()));
        let _ = playback(&reply("playback_json", text.clone()));
        let _ = volume(&reply("volume_json", text.clone()));
        let _ = captions(&reply("captions_json", text.clone()));
        let _ = typed(&reply("input_json", text));
    }

    #[test]
    fn any_json_in_a_known_place_is_read(
        value in prop_oneof![
            Just(Value::Null), any::<bool>().prop_map(Value::from), any::<f64>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from), ".{0,10}".prop_map(Value::from), Just(json!([1])), Just(json!({"a": 1})),
        ],
    ) {
        let seen = observation(&reply("observe_json", json!({
            "package": value, "activity": value, "focused": value, "visible": [value, { "text": value, "cx": value, "clickable": value }],
        }).to_string())).unwrap();
        prop_assert!(seen.visible.iter().all(|node| node.cx.is_none_or(|cx| (0.0..=1.0).contains(&cx))));
        let playing = playback(&reply("playback_json", json!({ "position_ms": value, "duration_ms": value, "state": value }).to_string())).unwrap();
        prop_assert!(playing.position_ms >= 0 && playing.duration_ms >= 0);
    }
}
