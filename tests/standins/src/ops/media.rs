//! Playback, volume and captions.

use serde_json::{Value, json};

use super::Answer;
use crate::{
    app::{AppVersion, Installation},
    frame::Command,
    world::{Playback, PlaybackState, World},
};

pub(super) fn playback(app: Installation, world: &mut World, cmd: &str, command: &Command) -> Option<Answer> {
    if app.version == AppVersion::V0_5 {
        return Some(Answer::failed("playback_not_implemented"));
    }
    let readable = world.notification_access;
    let session = world.playback.as_mut();
    Some(match cmd {
        "get" => match (readable, session) {
            (false, _) => Answer::failed("playback_notification_listener_not_granted"),
            (true, None) => Answer::failed("playback_no_session"),
            (true, Some(session)) => reported(session),
        },
        "seek" => match (readable, session) {
            (false, _) => Answer::failed("playback_notification_listener_not_granted"),
            (true, None) => Answer::failed("playback_no_session"),
            (true, Some(session)) => seek(session, command),
        },
        "pause" => pause_or_resume(session, readable, PlaybackState::Paused),
        "resume" => pause_or_resume(session, readable, PlaybackState::Playing),
        _ => return None,
    })
}

fn seek(session: &mut Playback, command: &Command) -> Answer {
    let number = |name: &str| {
        command
            .param(name)
            .map(|text| text.parse::<i64>().map_err(|_| format!("{name} must be a whole number: {text}")))
    };
    // With both given, the absolute position wins.
    let target = match (number("position_ms"), number("delta_ms")) {
        (Some(Ok(position)), _) => position,
        (None, Some(Ok(delta))) => session.position_ms.saturating_add(delta),
        (Some(Err(why)), _) | (None, Some(Err(why))) => return Answer::failed(why),
        (None, None) => return Answer::failed("position_ms or delta_ms is required"),
    };
    if !session.can_seek {
        return Answer::failed("playback_seek_unsupported");
    }
    let end = if session.duration_ms > 0 { session.duration_ms } else { i64::MAX };
    session.position_ms = target.clamp(0, end);
    reported(session)
}

/// Without a session that can be read, the app presses a media *toggle* key: nobody knows which way it went.
fn pause_or_resume(session: Option<&mut Playback>, readable: bool, wanted: PlaybackState) -> Answer {
    match session {
        Some(session) if readable => {
            session.state = wanted;
            reported(session)
        }
        hidden => {
            if let Some(session) = hidden {
                let was_playing = session.state == PlaybackState::Playing;
                session.state = if was_playing { PlaybackState::Paused } else { PlaybackState::Playing };
            }
            let unknown = json!({ "position_ms": 0, "duration_ms": 0, "state": "unknown", "source": "accessibility" });
            Answer::json("playback_json", &unknown)
        }
    }
}

fn reported(session: &Playback) -> Answer {
    let mut report = json!({
        "app": session.app,
        "position_ms": session.position_ms,
        "duration_ms": session.duration_ms,
        "state": session.state.as_str(),
        "source": "media_session",
    });
    if let Some(title) = &session.title {
        report["title"] = Value::from(title.as_str());
    }
    Answer::json("playback_json", &report)
}

pub(super) fn volume(world: &mut World, cmd: &str, command: &Command) -> Option<Answer> {
    let volume = &mut world.volume;
    let has_mixer = volume.max_raw > 0;
    match cmd {
        "get" => {}
        "set" | "mute" | "unmute" if !has_mixer => return Some(Answer::failed("volume_not_available")),
        "set" => {
            let Some(level) = command.param("level") else { return Some(Answer::failed("level is required")) };
            let Ok(level) = level.parse::<i64>() else {
                return Some(Answer::failed(format!("level must be a whole number: {level}")));
            };
            if !volume.fixed {
                let level = u32::try_from(level.clamp(0, 100)).unwrap_or(0);
                // Rounded down to a step; reading back rounds to the nearest, so 50 of 15 steps comes back as 47.
                volume.raw = level * volume.max_raw / 100;
            }
        }
        "mute" | "unmute" => {
            if !volume.fixed {
                volume.muted = cmd == "mute";
            }
        }
        _ => return None,
    }
    let level = if has_mixer { (volume.raw * 100 + volume.max_raw / 2) / volume.max_raw } else { 0 };
    Some(Answer::json("volume_json", &json!({ "level": level, "muted": volume.muted, "max_raw": volume.max_raw })))
}

/// The app may read the system's caption setting but not change it: only asking for what is already so succeeds.
pub(super) fn captions(world: &World, cmd: &str) -> Option<Answer> {
    let wanted = match cmd {
        "on" => true,
        "off" => false,
        "set_language" => return Some(Answer::failed("captions_unsupported")),
        _ => return None,
    };
    let captions = &world.captions;
    if captions.enabled != wanted {
        return Some(Answer::failed("captions_unsupported"));
    }
    let mut report = json!({ "enabled": captions.enabled, "source": "system" });
    if let Some(language) = &captions.language {
        report["language"] = Value::from(language.as_str());
    }
    Some(Answer::json("captions_json", &report))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{NEWEST, ask, check, room};
    use super::*;

    fn film() -> Playback {
        Playback {
            title: Some("Heat".into()),
            app: "com.netflix.ninja".into(),
            position_ms: 1_000,
            duration_ms: 10_000,
            state: PlaybackState::Playing,
            can_seek: true,
        }
    }

    fn position(world: &mut World, params: &[(&str, &str)]) -> i64 {
        let answer = ask(NEWEST, world, "playback", params);
        let report: Value = serde_json::from_str(&answer.data["playback_json"]).unwrap();
        report["position_ms"].as_i64().unwrap()
    }

    fn level(world: &mut World, params: &[(&str, &str)]) -> u64 {
        let report: Value = serde_json::from_str(&ask(NEWEST, world, "volume", params).data["volume_json"]).unwrap();
        report["level"].as_u64().unwrap()
    }

    #[test]
    fn the_0_5_skeleton_has_no_playback() {
        let old = Installation { version: AppVersion::V0_5, android: 13 };
        assert_eq!(ask(old, &mut room(), "playback", &[("cmd", "get")]), Answer::failed("playback_not_implemented"));
    }

    #[test]
    fn playback_is_read_from_the_session() {
        let mut world = room();
        world.playback = Some(Playback { title: None, ..film() });
        let answer = ask(NEWEST, &mut world, "playback", &[("cmd", "get")]);
        let report: Value = serde_json::from_str(&answer.data["playback_json"]).unwrap();
        let wanted = json!({ "app": "com.netflix.ninja", "position_ms": 1_000, "duration_ms": 10_000, "state": "playing", "source": "media_session" });
        assert_eq!(report, wanted);
    }

    #[test]
    fn playback_needs_a_session_and_the_right_to_read_it() {
        let mut world = room();
        check(&mut world, "playback", &[("cmd", "get")], r#"{"ok":false,"message":"playback_no_session"}"#);
        world.notification_access = false;
        for cmd in ["get", "seek"] {
            let wanted = r#"{"ok":false,"message":"playback_notification_listener_not_granted"}"#;
            check(&mut world, "playback", &[("cmd", cmd), ("delta_ms", "1")], wanted);
        }
    }

    #[test]
    fn a_seek_is_clamped_and_the_absolute_position_wins() {
        let mut world = room();
        world.playback = Some(film());
        assert_eq!(position(&mut world, &[("cmd", "seek"), ("delta_ms", "500")]), 1_500);
        assert_eq!(position(&mut world, &[("cmd", "seek"), ("delta_ms", "-9000")]), 0);
        assert_eq!(position(&mut world, &[("cmd", "seek"), ("position_ms", "99000")]), 10_000);
        assert_eq!(position(&mut world, &[("cmd", "seek"), ("position_ms", "7"), ("delta_ms", "500")]), 7);
    }

    #[test]
    fn a_player_may_refuse_seeks() {
        let mut world = room();
        world.playback = Some(Playback { can_seek: false, ..film() });
        check(
            &mut world,
            "playback",
            &[("cmd", "seek"), ("delta_ms", "1")],
            r#"{"ok":false,"message":"playback_seek_unsupported"}"#,
        );
    }

    #[test]
    fn without_notification_access_pause_is_a_toggle_in_the_dark() {
        let mut world = room();
        world.playback = Some(Playback { state: PlaybackState::Paused, ..film() });
        world.notification_access = false;
        let answer = ask(NEWEST, &mut world, "playback", &[("cmd", "pause")]);
        let report: Value = serde_json::from_str(&answer.data["playback_json"]).unwrap();
        assert_eq!(
            report,
            json!({ "position_ms": 0, "duration_ms": 0, "state": "unknown", "source": "accessibility" })
        );
        assert_eq!(world.playback.map(|session| session.state), Some(PlaybackState::Playing));
    }

    #[test]
    fn a_level_snaps_to_the_sets_steps() {
        let mut world = room();
        assert_eq!(level(&mut world, &[("cmd", "set"), ("level", "50")]), 47);
        assert_eq!(level(&mut world, &[("cmd", "set"), ("level", "40")]), 40);
        assert_eq!(level(&mut world, &[("cmd", "set"), ("level", "900")]), 100);
        assert_eq!(level(&mut world, &[("cmd", "set"), ("level", "-3")]), 0);
    }

    #[test]
    fn a_level_must_be_a_whole_number() {
        let answer = ask(NEWEST, &mut room(), "volume", &[("cmd", "set"), ("level", "40.5")]);
        assert!(!answer.ok && answer.message.contains("40.5"), "{answer:?}");
    }

    #[test]
    fn a_fixed_output_answers_ok_and_stays() {
        let mut world = room();
        world.volume.fixed = true;
        assert_eq!(level(&mut world, &[("cmd", "set"), ("level", "90")]), 40);
        let wanted = r#"{"ok":true,"data":{"volume_json":"{\"level\":40,\"max_raw\":15,\"muted\":false}"}}"#;
        check(&mut world, "volume", &[("cmd", "mute")], wanted);
    }

    #[test]
    fn a_set_without_a_mixer_reads_0_of_0() {
        let mut world = room();
        world.volume.max_raw = 0;
        let wanted = r#"{"ok":true,"data":{"volume_json":"{\"level\":0,\"max_raw\":0,\"muted\":false}"}}"#;
        check(&mut world, "volume", &[("cmd", "get")], wanted);
        check(&mut world, "volume", &[("cmd", "mute")], r#"{"ok":false,"message":"volume_not_available"}"#);
    }

    #[test]
    fn captions_change_only_to_what_they_are() {
        let mut world = room();
        let wanted = r#"{"ok":true,"data":{"captions_json":"{\"enabled\":false,\"source\":\"system\"}"}}"#;
        check(&mut world, "captions", &[("cmd", "off")], wanted);
        check(&mut world, "captions", &[("cmd", "on")], r#"{"ok":false,"message":"captions_unsupported"}"#);
        check(
            &mut world,
            "captions",
            &[("cmd", "set_language"), ("lang", "de")],
            r#"{"ok":false,"message":"captions_unsupported"}"#,
        );
    }
}
