//! Frames: one command out, one reply back.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::wire::Command;

/// The longest frame that a TV may send, in bytes. The longest honest one lists some hundred apps (about 60 KB); replies also have to
/// stay below what the bus carries (512 KiB).
pub const MAX_FRAME_BYTES: usize = 256 * 1024;

/// Writes `command` as a frame. `id` comes back in the reply.
pub fn encode(id: &str, command: &Command) -> String {
    encode_frame(id, command.op().as_str(), &command.params())
}

pub(super) fn encode_frame(id: &str, op: &str, params: &[(&'static str, String)]) -> String {
    #[derive(Serialize)]
    struct OutgoingFrame<'a> {
        id: &'a str,
        op: &'a str,
        params: Params<'a>,
    }

    struct Params<'a>(&'a [(&'static str, String)]);

    impl Serialize for Params<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(Some(self.0.len()))?;
            for (name, value) in self.0 {
                map.serialize_entry(name, value)?;
            }
            map.end()
        }
    }

    // Strings in a struct always serialise; the fallback exists because the signature says otherwise.
    serde_json::to_string(&OutgoingFrame { id, op, params: Params(params) }).unwrap_or_default()
}

/// A TV's reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IncomingFrame {
    /// The id of the command that it answers.
    pub id: String,
    /// Whether the TV did it.
    pub ok: bool,
    /// An error code or free text. Empty when the TV sent none.
    #[serde(default)]
    pub message: String,
    /// Values by name. Those whose name ends in `_json` hold JSON text, which [`payload`](super::payload) reads.
    #[serde(default)]
    pub data: BTreeMap<String, String>,
}

/// Why a frame is no reply. A TV that keeps sending such frames is closed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameFault {
    /// Longer than [`MAX_FRAME_BYTES`].
    #[error("frame of {n_bytes} bytes; at most {MAX_FRAME_BYTES} are taken")]
    TooLong {
        /// Length of the frame.
        n_bytes: usize,
    },
    /// Not JSON, or nested too deep to be read.
    #[error("frame is not JSON")]
    NotJson,
    /// JSON, but not an object with `id` and `ok`.
    #[error("frame has no usable `{0}`")]
    Missing(&'static str),
}

/// Reads a frame from a TV.
///
/// Lenient where versions of the app differ: `message` and `data` may be missing or null, and a value in `data` that is not a string is
/// taken as its JSON text.
///
/// # Errors
/// [`FrameFault`] when there is no reply to be had from the text.
pub fn parse_frame(text: &str) -> Result<IncomingFrame, FrameFault> {
    if text.len() > MAX_FRAME_BYTES {
        return Err(FrameFault::TooLong { n_bytes: text.len() });
    }
    let Value::Object(mut fields) = serde_json::from_str(text).map_err(|_| FrameFault::NotJson)? else {
        return Err(FrameFault::Missing("id"));
    };
    let Some(Value::String(id)) = fields.remove("id").filter(|id| id.as_str().is_some_and(|id| !id.is_empty())) else {
        return Err(FrameFault::Missing("id"));
    };
    let Some(ok) = fields.get("ok").and_then(Value::as_bool) else { return Err(FrameFault::Missing("ok")) };
    let message = match fields.remove("message") {
        None | Some(Value::Null) => String::new(),
        Some(message) => text_of(message),
    };
    let data = match fields.remove("data") {
        Some(Value::Object(data)) => {
            data.into_iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| (name, text_of(value))).collect()
        }
        _ => BTreeMap::new(),
    };
    Ok(IncomingFrame { id, ok, message, data })
}

fn text_of(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::launch::LaunchIntent;
    use crate::remote_key::RemoteKey;
    use crate::wire::{Direction, Fraction, Level, OnScreenLine, TypedText};

    #[test]
    fn every_command_is_written_as_the_app_reads_it() {
        let line = |text: &str| OnScreenLine::try_from(text.to_owned()).unwrap();
        let cases = [
            (Command::PressKey(RemoteKey::VolUp), r#"{"id":"1","op":"key","params":{"key":"VOL_UP"}}"#),
            (
                Command::Launch(
                    LaunchIntent::from_arguments(Some("spotify:track:2M9"), Some("com.spotify.tv.android")).unwrap(),
                ),
                r#"{"id":"1","op":"launch_app","params":{"data":"spotify:track:2M9","package":"com.spotify.tv.android"}}"#,
            ),
            (
                Command::Launch(LaunchIntent::from_arguments(Some("https://news.ycombinator.com"), None).unwrap()),
                r#"{"id":"1","op":"launch_app","params":{"data":"https://news.ycombinator.com"}}"#,
            ),
            (Command::ListApps, r#"{"id":"1","op":"list_apps","params":{}}"#),
            (Command::Observe, r#"{"id":"1","op":"observe","params":{}}"#),
            (Command::GetPlayback, r#"{"id":"1","op":"playback","params":{"cmd":"get"}}"#),
            (Command::Pause, r#"{"id":"1","op":"playback","params":{"cmd":"pause"}}"#),
            (Command::Resume, r#"{"id":"1","op":"playback","params":{"cmd":"resume"}}"#),
            (Command::SeekTo(90_000), r#"{"id":"1","op":"playback","params":{"cmd":"seek","position_ms":"90000"}}"#),
            (Command::SeekBy(-15_000), r#"{"id":"1","op":"playback","params":{"cmd":"seek","delta_ms":"-15000"}}"#),
            (Command::GetVolume, r#"{"id":"1","op":"volume","params":{"cmd":"get"}}"#),
            (
                Command::SetVolume(Level::try_from(40).unwrap()),
                r#"{"id":"1","op":"volume","params":{"cmd":"set","level":"40"}}"#,
            ),
            (Command::Mute, r#"{"id":"1","op":"volume","params":{"cmd":"mute"}}"#),
            (Command::Unmute, r#"{"id":"1","op":"volume","params":{"cmd":"unmute"}}"#),
            (Command::CaptionsOn, r#"{"id":"1","op":"captions","params":{"cmd":"on"}}"#),
            (Command::CaptionsOff, r#"{"id":"1","op":"captions","params":{"cmd":"off"}}"#),
            (
                Command::CaptionsLanguage("pt-BR".parse().unwrap()),
                r#"{"id":"1","op":"captions","params":{"cmd":"set_language","lang":"pt-BR"}}"#,
            ),
            (
                Command::TypeText(TypedText::try_from("say \"hé\"".to_owned()).unwrap()),
                r#"{"id":"1","op":"input","params":{"cmd":"type","text":"say \"hé\""}}"#,
            ),
            (
                Command::Tap(Fraction::MIDDLE, Fraction::try_from(0.25).unwrap()),
                r#"{"id":"1","op":"gesture","params":{"cmd":"tap","x":"0.5000","y":"0.2500"}}"#,
            ),
            (Command::Swipe(Direction::Left), r#"{"id":"1","op":"gesture","params":{"cmd":"swipe","dir":"left"}}"#),
            (Command::ShowSubtitle(line("Hi")), r#"{"id":"1","op":"subtitle","params":{"cmd":"show","text":"Hi"}}"#),
            (Command::ClearSubtitle, r#"{"id":"1","op":"subtitle","params":{"cmd":"clear"}}"#),
        ];
        for (command, frame) in cases {
            assert_eq!(encode("1", &command), frame);
        }
    }

    #[test]
    fn message_and_data_may_be_missing() {
        let frame = parse_frame(r#"{"id":"01HZX","ok":true}"#).unwrap();
        assert_eq!(
            frame,
            IncomingFrame { id: "01HZX".into(), ok: true, message: String::new(), data: BTreeMap::new() }
        );
        assert_eq!(parse_frame(r#"{"id":"01HZX","ok":true,"message":null,"data":null}"#).unwrap(), frame);
    }

    #[test]
    fn values_that_are_no_strings_are_taken_as_their_text() {
        let frame =
            parse_frame(r#"{"id":"1","ok":false,"message":7,"data":{"a":1,"b":true,"c":null,"d":{"e":[]}}}"#).unwrap();
        assert_eq!(frame.message, "7");
        let data: Vec<(&str, &str)> = frame.data.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(data, [("a", "1"), ("b", "true"), ("d", r#"{"e":[]}"#)]);
    }

    #[test]
    fn what_is_no_reply_is_refused_with_the_reason() {
        let cases = [
            ("", FrameFault::NotJson),
            ("hello", FrameFault::NotJson),
            (r#"{"id":"1","ok":true"#, FrameFault::NotJson),
            ("[]", FrameFault::Missing("id")),
            ("null", FrameFault::Missing("id")),
            (r#"{"ok":true}"#, FrameFault::Missing("id")),
            (r#"{"id":"","ok":true}"#, FrameFault::Missing("id")),
            (r#"{"id":1,"ok":true}"#, FrameFault::Missing("id")),
            (r#"{"id":"1"}"#, FrameFault::Missing("ok")),
            (r#"{"id":"1","ok":"true"}"#, FrameFault::Missing("ok")),
        ];
        for (text, fault) in cases {
            assert_eq!(parse_frame(text), Err(fault), "{text}");
        }
    }

    #[test]
    fn a_frame_that_is_too_long_is_refused_unread() {
        let text = format!(r#"{{"id":"1","ok":true,"message":"{}"}}"#, "x".repeat(MAX_FRAME_BYTES));
        assert_eq!(parse_frame(&text), Err(FrameFault::TooLong { n_bytes: text.len() }));
    }

    #[test]
    fn deep_nesting_is_refused() {
        let text = format!(r#"{{"id":"1","ok":true,"data":{{"a":{}{}}}}}"#, "[".repeat(5_000), "]".repeat(5_000));
        assert_eq!(parse_frame(&text), Err(FrameFault::NotJson));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,200}") {
            let _ = parse_frame(&text);
        }

        #[test]
        fn text_that_looks_like_a_frame_is_read_or_refused(text in r#"\{("(id|ok|message|data)":("[a-z\\"]{0,4}"|true|null|[0-9]{1,3}|\{\}),?){0,5}\}?"#) {
            let _ = parse_frame(&text);
        }

        #[test]
        fn what_a_tv_sent_is_read_back(id in "[A-Za-z0-9-]{1,30}", ok: bool, message: String, value: String) {
            let sent = IncomingFrame { id, ok, message, data: BTreeMap::from([("x_json".to_owned(), value)]) };
            prop_assert_eq!(parse_frame(&serde_json::to_string(&sent).unwrap()).unwrap(), sent);
        }

        #[test]
        fn whatever_is_typed_arrives_as_it_was(text in "\\PC{0,50}") {
            let frame = encode("1", &Command::TypeText(TypedText::try_from(text.clone()).unwrap()));
            let read: Value = serde_json::from_str(&frame).unwrap();
            prop_assert_eq!(&read["params"]["text"], &Value::String(text));
        }
    }
}
