//! What a hand does: keys, typing, touches.

use serde_json::json;

use super::Answer;
use crate::{
    app::Installation,
    frame::Command,
    world::{Accessibility, Gesture, World},
};

pub(super) fn key(app: Installation, world: &mut World, command: &Command) -> Answer {
    let Some(key) = command.param("key").filter(|key| !key.is_empty()) else {
        return Answer::failed("key is required");
    };
    match key {
        // It opens Android's power menu; the set stays on.
        "POWER" => world.power_menu_open = true,
        "HOME" => world.go_home(),
        "BACK" if world.power_menu_open => world.power_menu_open = false,
        "BACK" => world.go_home(),
        "DOWN" | "RIGHT" => move_focus(app, world, 1),
        "UP" | "LEFT" => move_focus(app, world, -1),
        "OK" => click_focused(world),
        "VOL_UP" => step_volume(world, 1),
        "VOL_DOWN" => step_volume(world, -1),
        _ => return Answer::failed(format!("could not dispatch {key}")).with("key", key),
    }
    world.keys.push(key.to_owned());
    Answer::ok().with("key", key)
}

/// Before Android 13 the app can only scroll, so that the focus stays where it is; it answers ok all the same.
fn move_focus(app: Installation, world: &mut World, step: isize) {
    let screen = &mut world.screen;
    if app.presses_real_keys() && !screen.nodes.is_empty() {
        let last = screen.nodes.len() - 1;
        screen.focused = Some(screen.focused.map_or(0, |at| at.saturating_add_signed(step).min(last)));
    }
}

fn click_focused(world: &mut World) {
    if let Some(node) = world.screen.focused.and_then(|at| world.screen.nodes.get(at)) {
        world.clicks.push(node.text.clone());
    }
}

fn step_volume(world: &mut World, step: i32) {
    let volume = &mut world.volume;
    if !volume.fixed {
        volume.raw = volume.raw.saturating_add_signed(step).min(volume.max_raw);
    }
}

pub(super) fn input(world: &mut World, cmd: &str, command: &Command) -> Option<Answer> {
    if cmd != "type" {
        return None;
    }
    let Some(text) = command.param("text") else { return Some(Answer::failed("text is required")) };
    if world.accessibility == Accessibility::Unbound {
        return Some(Answer::failed("accessibility service not bound"));
    }
    Some(match &mut world.text_field {
        None => Answer::failed("input_no_editable_focus"),
        Some(field) if field.refuses_text => Answer::failed("input_set_text_rejected"),
        Some(field) => {
            text.clone_into(&mut field.text);
            Answer::json("input_json", &json!({ "chars": text.encode_utf16().count(), "method": "set_text" }))
        }
    })
}

pub(super) fn gesture(app: Installation, world: &mut World, cmd: &str, command: &Command) -> Option<Answer> {
    // A coordinate that is missing or not a number is the middle.
    let coordinate = |name| {
        command
            .param(name)
            .and_then(|text| text.parse::<f64>().ok())
            .filter(|at| !at.is_nan())
            .unwrap_or(0.5)
            .clamp(0.0, 1.0)
    };
    let gesture = match cmd {
        "tap" => Gesture::Tap(coordinate("x"), coordinate("y")),
        "swipe" => match command.param("dir") {
            Some(dir @ ("up" | "down" | "left" | "right")) => Gesture::Swipe(dir.to_owned()),
            other => {
                return Some(Answer::failed(format!(
                    "dir must be up, down, left or right, not {}",
                    other.unwrap_or("missing")
                )));
            }
        },
        _ => return None,
    };
    if !app.has_gestures() {
        return Some(Answer::failed("gesture_unsupported"));
    }
    if world.gestures_fail {
        return Some(Answer::failed("gesture_dispatch_failed"));
    }
    world.gestures.push(gesture);
    Some(Answer::ok().with("cmd", cmd))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{NEWEST, ask, check, room};
    use super::*;
    use crate::{app::AppVersion, world::TextField};

    #[test]
    fn a_key_is_echoed_also_when_it_fails() {
        let mut world = room();
        check(&mut world, "key", &[("key", "DOWN")], r#"{"ok":true,"data":{"key":"DOWN"}}"#);
        check(
            &mut world,
            "key",
            &[("key", "MUTE")],
            r#"{"ok":false,"message":"could not dispatch MUTE","data":{"key":"MUTE"}}"#,
        );
        check(
            &mut world,
            "key",
            &[("key", "ok")],
            r#"{"ok":false,"message":"could not dispatch ok","data":{"key":"ok"}}"#,
        );
        check(&mut world, "key", &[], r#"{"ok":false,"message":"key is required"}"#);
        assert_eq!(world.keys, ["DOWN"]);
    }

    #[test]
    fn power_opens_a_menu_and_back_shuts_it() {
        let mut world = room();
        ask(NEWEST, &mut world, "key", &[("key", "POWER")]);
        assert!(world.power_menu_open);
        ask(NEWEST, &mut world, "key", &[("key", "BACK")]);
        assert!(!world.power_menu_open);
    }

    #[test]
    fn the_d_pad_moves_the_focus_from_android_13_on() {
        for (android, focused) in [(12, Some(0)), (13, Some(1))] {
            let mut world = room();
            let answer =
                ask(Installation { version: AppVersion::V0_7_0, android }, &mut world, "key", &[("key", "DOWN")]);
            assert!(answer.ok);
            assert_eq!(world.screen.focused, focused, "Android {android}");
        }
    }

    #[test]
    fn ok_clicks_what_is_focused() {
        let mut world = room();
        ask(NEWEST, &mut world, "key", &[("key", "OK")]);
        assert_eq!(world.clicks, ["Netflix"]);
    }

    #[test]
    fn volume_keys_always_answer_ok() {
        let mut world = room();
        world.volume.raw = 15;
        check(&mut world, "key", &[("key", "VOL_UP")], r#"{"ok":true,"data":{"key":"VOL_UP"}}"#);
        assert_eq!(world.volume.raw, 15);
        world.volume.fixed = true;
        check(&mut world, "key", &[("key", "VOL_DOWN")], r#"{"ok":true,"data":{"key":"VOL_DOWN"}}"#);
        assert_eq!(world.volume.raw, 15);
    }

    #[test]
    fn typing_replaces_the_field_and_counts_utf_16_units() {
        let mut world = room();
        world.text_field = Some(TextField { text: "old".into(), refuses_text: false });
        let wanted = r#"{"ok":true,"data":{"input_json":"{\"chars\":4,\"method\":\"set_text\"}"}}"#;
        check(&mut world, "input", &[("cmd", "type"), ("text", "hé🙂")], wanted);
        assert_eq!(world.text_field.map(|field| field.text).as_deref(), Some("hé🙂"));
    }

    #[test]
    fn typing_needs_a_field_that_takes_text() {
        let mut world = room();
        let ask = [("cmd", "type"), ("text", "x")];
        check(&mut world, "input", &ask, r#"{"ok":false,"message":"input_no_editable_focus"}"#);
        world.text_field = Some(TextField { text: String::new(), refuses_text: true });
        check(&mut world, "input", &ask, r#"{"ok":false,"message":"input_set_text_rejected"}"#);
        world.accessibility = Accessibility::Unbound;
        check(&mut world, "input", &ask, r#"{"ok":false,"message":"accessibility service not bound"}"#);
    }

    #[test]
    fn a_tap_is_clamped_and_falls_back_to_the_middle() {
        let mut world = room();
        check(
            &mut world,
            "gesture",
            &[("cmd", "tap"), ("x", "7"), ("y", "NaN")],
            r#"{"ok":true,"data":{"cmd":"tap"}}"#,
        );
        check(&mut world, "gesture", &[("cmd", "swipe"), ("dir", "up")], r#"{"ok":true,"data":{"cmd":"swipe"}}"#);
        assert_eq!(world.gestures, [Gesture::Tap(1.0, 0.5), Gesture::Swipe("up".into())]);
    }

    #[test]
    fn gestures_can_be_refused() {
        let mut world = room();
        let sideways = ask(NEWEST, &mut world, "gesture", &[("cmd", "swipe"), ("dir", "sideways")]);
        assert!(!sideways.ok && sideways.message.contains("dir"), "{sideways:?}");
        let old = Installation { version: AppVersion::V0_7_0, android: 6 };
        assert_eq!(ask(old, &mut world, "gesture", &[("cmd", "tap")]), Answer::failed("gesture_unsupported"));
        world.gestures_fail = true;
        check(&mut world, "gesture", &[("cmd", "tap")], r#"{"ok":false,"message":"gesture_dispatch_failed"}"#);
        assert_eq!(world.gestures, []);
    }
}
