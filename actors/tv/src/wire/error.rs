//! What a bridge says when it did not do something.

use serde::{Deserialize, Serialize};

use crate::wire::{Command, IncomingFrame, Op};

/// The error codes of the bridge app. Matched exactly; everything else is free text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BridgeCode {
    /// The window could not be read at that moment: no accessibility service, or the screen is off or switching.
    AccessibilityNotGranted,
    /// The accessibility service is not bound, so nothing can be typed.
    AccessibilityNotBound,
    /// Nothing is playing that publishes a media session.
    PlaybackNoSession,
    /// The player does not let others seek.
    PlaybackSeekUnsupported,
    /// Media sessions need notification access, which the app does not have.
    PlaybackNotificationListenerNotGranted,
    /// The app is a 0.5 version in which playback is a skeleton.
    PlaybackNotImplemented,
    /// The set has no mixer that can be set.
    VolumeNotAvailable,
    /// Captions cannot be switched from outside.
    CaptionsUnsupported,
    /// There are no captions in that language.
    CaptionsLanguageUnavailable,
    /// No editable field has the focus.
    InputNoEditableFocus,
    /// The field did not take the text.
    InputSetTextRejected,
    /// Gestures need Android 7.
    GestureUnsupported,
    /// Android did not take the gesture.
    GestureDispatchFailed,
}

impl BridgeCode {
    /// Every code.
    pub const ALL: [BridgeCode; 13] = [
        BridgeCode::AccessibilityNotGranted,
        BridgeCode::AccessibilityNotBound,
        BridgeCode::PlaybackNoSession,
        BridgeCode::PlaybackSeekUnsupported,
        BridgeCode::PlaybackNotificationListenerNotGranted,
        BridgeCode::PlaybackNotImplemented,
        BridgeCode::VolumeNotAvailable,
        BridgeCode::CaptionsUnsupported,
        BridgeCode::CaptionsLanguageUnavailable,
        BridgeCode::InputNoEditableFocus,
        BridgeCode::InputSetTextRejected,
        BridgeCode::GestureUnsupported,
        BridgeCode::GestureDispatchFailed,
    ];

    /// The code as the app sends it.
    pub const fn as_str(self) -> &'static str {
        match self {
            BridgeCode::AccessibilityNotGranted => "accessibility_not_granted",
            BridgeCode::AccessibilityNotBound => "accessibility service not bound",
            BridgeCode::PlaybackNoSession => "playback_no_session",
            BridgeCode::PlaybackSeekUnsupported => "playback_seek_unsupported",
            BridgeCode::PlaybackNotificationListenerNotGranted => "playback_notification_listener_not_granted",
            BridgeCode::PlaybackNotImplemented => "playback_not_implemented",
            BridgeCode::VolumeNotAvailable => "volume_not_available",
            BridgeCode::CaptionsUnsupported => "captions_unsupported",
            BridgeCode::CaptionsLanguageUnavailable => "captions_language_unavailable",
            BridgeCode::InputNoEditableFocus => "input_no_editable_focus",
            BridgeCode::InputSetTextRejected => "input_set_text_rejected",
            BridgeCode::GestureUnsupported => "gesture_unsupported",
            BridgeCode::GestureDispatchFailed => "gesture_dispatch_failed",
        }
    }
}

/// Why the bridge did not do a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum BridgeError {
    /// One of its codes.
    Code(BridgeCode),
    /// The app is older than the operation.
    UnsupportedOp(Op),
    /// The app knows the operation but not what was asked within it.
    UnsupportedCmd {
        /// The operation.
        op: Op,
        /// What was asked.
        cmd: String,
    },
    /// No installed app takes the intent. Certain: nothing was opened. Versions up to 0.6.0 answer ok instead.
    NothingHandlesIt,
    /// Anything else, in the TV's own words, cleaned of control characters and cut at 300 characters. May be empty.
    Other(String),
}

const MAX_TEXT_CHARACTERS: usize = 300;

impl BridgeError {
    /// Reads the refusal in `reply` to `command`.
    pub fn of(command: &Command, reply: &IncomingFrame) -> Self {
        let message = reply.message.as_str();
        let op = command.op();
        if let Some(code) = BridgeCode::ALL.into_iter().find(|code| code.as_str() == message) {
            return BridgeError::Code(code);
        }
        if message.strip_prefix("unsupported op: ").is_some_and(|name| name == op.as_str()) {
            return BridgeError::UnsupportedOp(op);
        }
        if let Some(cmd) = command.cmd() {
            // The second wording is that of a side branch, which sets are known to run.
            if message == format!("unknown {op} cmd: {cmd}") || message == format!("unsupported {op} cmd: {cmd}") {
                return BridgeError::UnsupportedCmd { op, cmd: cmd.to_owned() };
            }
        }
        if op == Op::LaunchApp && message.starts_with("no activity matches intent") {
            return BridgeError::NothingHandlesIt;
        }
        BridgeError::Other(clean(message))
    }
}

/// Text from a TV ends up in front of a model and in logs: one line, no control characters, of bounded length.
fn clean(text: &str) -> String {
    let mut cleaned: String = text
        .chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .take(MAX_TEXT_CHARACTERS)
        .collect();
    cleaned.truncate(cleaned.trim_end().len());
    cleaned
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::launch::LaunchIntent;
    use crate::remote_key::RemoteKey;

    fn refusal(message: &str) -> IncomingFrame {
        IncomingFrame { id: "1".into(), ok: false, message: message.into(), data: BTreeMap::new() }
    }

    #[test]
    fn codes_are_matched_exactly() {
        for code in BridgeCode::ALL {
            assert_eq!(BridgeError::of(&Command::Observe, &refusal(code.as_str())), BridgeError::Code(code));
            for near in [format!("{} ", code.as_str()), format!("x{}", code.as_str()), code.as_str().to_uppercase()] {
                assert!(matches!(BridgeError::of(&Command::Observe, &refusal(&near)), BridgeError::Other(_)), "{near}");
            }
        }
    }

    #[test]
    fn an_older_app_is_recognised_by_its_answer() {
        let error = BridgeError::of(&Command::ClearSubtitle, &refusal("unsupported op: subtitle"));
        assert_eq!(error, BridgeError::UnsupportedOp(Op::Subtitle));
        for message in ["unknown captions cmd: set_language", "unsupported captions cmd: set_language"] {
            let error = BridgeError::of(&Command::CaptionsLanguage("de".parse().unwrap()), &refusal(message));
            assert_eq!(error, BridgeError::UnsupportedCmd { op: Op::Captions, cmd: "set_language".into() });
        }
    }

    #[test]
    fn an_answer_about_another_operation_is_free_text() {
        let error = BridgeError::of(&Command::Observe, &refusal("unsupported op: gesture"));
        assert_eq!(error, BridgeError::Other("unsupported op: gesture".into()));
    }

    #[test]
    fn an_intent_that_nothing_handles_is_certain() {
        let launch = Command::Launch(LaunchIntent::from_arguments(Some("nosuch:thing"), None).unwrap());
        let error = BridgeError::of(&launch, &refusal("no activity matches intent (data=nosuch:thing package=null)"));
        assert_eq!(error, BridgeError::NothingHandlesIt);
    }

    #[test]
    fn free_text_is_one_bounded_line() {
        let BridgeError::Other(text) = BridgeError::of(
            &Command::PressKey(RemoteKey::Up),
            &refusal(&format!("a\u{1b}[31m\nb{}", "x".repeat(1_000))),
        ) else {
            panic!("taken for a code")
        };
        assert!(text.starts_with("a [31m b") && text.chars().count() == MAX_TEXT_CHARACTERS);
    }

    proptest! {
        #[test]
        fn any_message_is_understood_or_passed_on(message: String) {
            if let BridgeError::Other(text) = BridgeError::of(&Command::Pause, &refusal(&message)) {
                prop_assert!(!text.chars().any(char::is_control));
            }
        }
    }
}
