//! Why a TV did not do what it was asked, in words that tell a model what to do next.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::name::DeviceName;
use crate::remote_key::RemoteKey;
use crate::wire::payload::PayloadFault;
use crate::wire::{BridgeCode, BridgeError, Op};

/// Why a TV did not do what it was asked.
///
/// Each says whether the TV may have done it after all: commands are never repeated by themselves, because a second press or launch
/// is worse than a question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum TvError {
    /// It is not connected. Nothing was sent.
    #[error(
        "The TV `{tv}` is off or its bridge is not running ({}). Ask the user to switch the TV on; if it is on, ask them to open \
         the bridge app on it and to check that its accessibility service is still switched on, because some TVs switch it off \
         at each restart. Then try again.",
        last_seen_words(.last_seen, .now)
    )]
    Offline {
        /// The TV.
        tv: DeviceName,
        /// When it was last there, if that is known.
        last_seen: Option<Timestamp>,
        /// The present moment, to say how long ago that was.
        now: Timestamp,
    },
    /// Too much waits for it already. Nothing was sent.
    #[error(
        "The TV `{tv}` still has other commands to work off, so this one was not sent. Wait a few seconds and try again."
    )]
    NotSent {
        /// The TV.
        tv: DeviceName,
    },
    /// It was sent, and no answer came in time.
    #[error(
        "The TV `{tv}` did not answer within {waited_seconds} s. {} It may be asleep or have lost its network.",
        outcome_words(*.op, *.only_reads)
    )]
    NoAnswer {
        /// The TV.
        tv: DeviceName,
        /// What it was asked.
        op: Op,
        /// Whether the command changes nothing on the TV.
        only_reads: bool,
        /// How long was waited.
        waited_seconds: u64,
    },
    /// It was sent, and the connection ended before the answer.
    #[error("The connection to the TV `{tv}` was lost before it answered. {}", outcome_words(*.op, *.only_reads))]
    LinkLost {
        /// The TV.
        tv: DeviceName,
        /// What it was asked.
        op: Op,
        /// Whether the command changes nothing on the TV.
        only_reads: bool,
    },
    /// The bridge says that it did not do it.
    #[error("{}", refusal_words(.tv, *.op, .error))]
    Refused {
        /// The TV.
        tv: DeviceName,
        /// What it was asked.
        op: Op,
        /// The bridge's reason.
        error: BridgeError,
    },
    /// The bridge says that it did it, but what it answered cannot be read.
    #[error(
        "The TV `{tv}` answered that it did it, but {fault}; its bridge app may be of another version than this relay knows. \
         {}",
        if *.only_reads { "Nothing was changed on the TV." } else { "Check with tv_observe before repeating it." }
    )]
    Unreadable {
        /// The TV.
        tv: DeviceName,
        /// Whether the command changes nothing on the TV.
        only_reads: bool,
        /// What is wrong with the answer.
        fault: PayloadFault,
    },
    /// Several presses were asked for, and one failed.
    #[error("{key} was pressed {pressed} of {asked} times, then it stopped: {cause}")]
    KeyRunStopped {
        /// The key.
        key: RemoteKey,
        /// Presses that the TV acknowledged.
        pressed: u8,
        /// Presses asked for.
        asked: u8,
        /// What stopped it.
        cause: Box<TvError>,
    },
}

/// The seed's text, word for word: assistants are known to act on it.
const ACCESSIBILITY_WORDS: &str = "accessibility_not_granted: a setup prompt was just posted on the TV. Ask the user to tap it to grant \
     accessibility, then retry tv.observe.";

fn last_seen_words(last_seen: &Option<Timestamp>, now: &Timestamp) -> String {
    let Some(last_seen) = last_seen else { return "it has not been seen since it was paired".to_owned() };
    let minutes = now.duration_since(*last_seen).as_secs().max(0) / 60;
    let ago = match minutes {
        0 => "less than a minute ago".to_owned(),
        1 => "a minute ago".to_owned(),
        2..=119 => format!("{minutes} minutes ago"),
        120..=2879 => format!("{} hours ago", minutes / 60),
        _ => format!("{} days ago", minutes / 1_440),
    };
    format!("last seen {ago}, at {}", last_seen.strftime("%Y-%m-%d %H:%M UTC"))
}

fn outcome_words(op: Op, only_reads: bool) -> &'static str {
    if only_reads {
        return "Nothing was changed on the TV; try again.";
    }
    match op {
        Op::Playback => "Whether it took effect is unknown and it was not repeated; check with tv_get_playback first.",
        Op::Volume => "Whether it took effect is unknown and it was not repeated; check with tv_get_volume first.",
        Op::Key
        | Op::LaunchApp
        | Op::Captions
        | Op::Input
        | Op::Gesture
        | Op::Subtitle
        | Op::ListApps
        | Op::Observe => "Whether it took effect is unknown and it was not repeated; check with tv_observe first.",
    }
}

fn refusal_words(tv: &DeviceName, op: Op, error: &BridgeError) -> String {
    match error {
        BridgeError::Code(code) => code_words(op, *code),
        BridgeError::UnsupportedOp(op) => format!(
            "The bridge app on `{tv}` is too old for this ({op}). Ask the user to update it; until then use {}.",
            match op {
                Op::Gesture => "tv_send_key with the arrow keys and OK",
                Op::Playback => "tv_send_key with OK or BACK",
                Op::Volume => "tv_send_key with VOL_UP and VOL_DOWN",
                Op::Key | Op::LaunchApp | Op::ListApps | Op::Observe | Op::Captions | Op::Input | Op::Subtitle =>
                    "the other tv_ tools",
            }
        ),
        BridgeError::UnsupportedCmd { op, cmd } => {
            format!(
                "The bridge app on `{tv}` knows {op} but not `{cmd}`; its version is too old for it. Ask the user to update it."
            )
        }
        BridgeError::NothingHandlesIt => format!(
            "Nothing on `{tv}` opens that; no app was started. Call tv_list_apps and use the `package` of an app that is installed \
             there, with a link that this app is known to take, or with the `package` alone to open its start page."
        ),
        BridgeError::Other(text) if text.is_empty() => {
            format!("The TV `{tv}` refused ({op}) without saying why. Check with tv_observe what is on the screen.")
        }
        BridgeError::Other(text) => match op {
            Op::LaunchApp => {
                format!("The TV `{tv}` could not open it: {text}. Call tv_list_apps to see which apps are installed.")
            }
            Op::Key => format!(
                "The TV `{tv}` could not press the key: {text}. If it stays so, ask the user to check the bridge app's accessibility \
                 service on the TV."
            ),
            Op::Observe => format!("The screen of `{tv}` could not be read: {text}. Wait a second and try again."),
            Op::ListApps | Op::Playback | Op::Volume | Op::Captions | Op::Input | Op::Gesture | Op::Subtitle => {
                format!("The TV `{tv}` refused ({op}): {text}.")
            }
        },
    }
}

fn code_words(op: Op, code: BridgeCode) -> String {
    let advice = match code {
        BridgeCode::AccessibilityNotGranted if op == Op::Observe => return ACCESSIBILITY_WORDS.to_owned(),
        BridgeCode::AccessibilityNotGranted | BridgeCode::AccessibilityNotBound => {
            "the bridge's accessibility service is off. Ask the user to switch it on in the TV's accessibility settings, then try again."
        }
        BridgeCode::PlaybackNoSession => {
            "nothing is playing that can be steered. Check with tv_observe what is on the screen; start something with tv_launch_app first."
        }
        BridgeCode::PlaybackSeekUnsupported => {
            "this player does not let others jump in it. Use tv_send_key with LEFT and RIGHT in the player instead."
        }
        BridgeCode::PlaybackNotificationListenerNotGranted => {
            "the bridge app has no notification access, which reading playback needs. Ask the user to grant it in the TV's settings \
             (Apps, Special app access, Notification access); until then use tv_send_key and tv_observe."
        }
        BridgeCode::PlaybackNotImplemented => {
            "the bridge app is too old for playback control. Ask the user to update it; until then use tv_send_key."
        }
        BridgeCode::VolumeNotAvailable => {
            "this TV has no volume that can be set from the app; its sound may go through a receiver. Try tv_send_key with VOL_UP or VOL_DOWN."
        }
        BridgeCode::CaptionsUnsupported => {
            "captions cannot be switched from outside on this TV. Open the player's own subtitle menu with tv_send_key and tv_observe."
        }
        BridgeCode::CaptionsLanguageUnavailable => {
            "there are no captions in that language. Ask the user which other language would do."
        }
        BridgeCode::InputNoEditableFocus => {
            "no text field has the focus. Move to one with tv_send_key, press OK so that the cursor stands in it, check with tv_observe, \
             then type again. Apps with a keyboard of their own have no such field; there, pick the letters with the arrow keys."
        }
        BridgeCode::InputSetTextRejected => {
            "the field did not take the text. It may have a keyboard of its own; pick the letters with tv_send_key."
        }
        BridgeCode::GestureUnsupported => {
            "this TV's Android is too old for gestures. Use tv_send_key with the arrow keys and OK instead."
        }
        BridgeCode::GestureDispatchFailed => {
            "Android did not take the gesture. Try once more, or use tv_send_key instead."
        }
    };
    format!("{}: {advice}", code.as_str())
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan;

    use super::*;

    fn refused(op: Op, error: BridgeError) -> String {
        TvError::Refused { tv: "den".parse().unwrap(), op, error }.to_string()
    }

    #[test]
    fn the_accessibility_text_is_the_seeds_word_for_word() {
        assert_eq!(
            refused(Op::Observe, BridgeError::Code(BridgeCode::AccessibilityNotGranted)),
            "accessibility_not_granted: a setup prompt was just posted on the TV. Ask the user to tap it to grant accessibility, then retry tv.observe."
        );
    }

    #[test]
    fn every_code_stays_recognisable_and_says_what_to_do() {
        for code in BridgeCode::ALL {
            let words = refused(Op::Playback, BridgeError::Code(code));
            assert!(words.starts_with(code.as_str()), "{words}");
            assert!(words.len() > code.as_str().len() + 40, "{words}");
        }
    }

    #[test]
    fn a_tv_that_is_off_says_when_it_was_last_there() {
        let now: Timestamp = "2026-11-30T12:00:00Z".parse().unwrap();
        let words = |last_seen| TvError::Offline { tv: "den".parse().unwrap(), last_seen, now }.to_string();
        assert!(words(None).starts_with(
            "The TV `den` is off or its bridge is not running (it has not been seen since it was paired)."
        ));
        assert!(words(Some(now - 3.hours())).contains("(last seen 3 hours ago, at 2026-11-30 09:00 UTC)."));
        assert!(words(Some(now - 90.seconds())).contains("last seen a minute ago"));
        assert!(words(Some(now - 72.hours())).contains("last seen 3 days ago"));
        assert!(
            words(Some(now + 10.seconds())).contains("last seen less than a minute ago"),
            "a clock that was set back"
        );
    }

    #[test]
    fn an_unknown_outcome_is_said_to_be_unknown() {
        let no_answer = |op, only_reads| {
            TvError::NoAnswer { tv: "den".parse().unwrap(), op, only_reads, waited_seconds: 10 }.to_string()
        };
        assert!(no_answer(Op::Key, false).contains("unknown"));
        assert!(no_answer(Op::Observe, true).contains("Nothing was changed"));
    }

    #[test]
    fn a_stopped_run_says_how_far_it_came() {
        let cause = TvError::LinkLost { tv: "den".parse().unwrap(), op: Op::Key, only_reads: false };
        let words =
            TvError::KeyRunStopped { key: RemoteKey::Down, pressed: 3, asked: 5, cause: Box::new(cause) }.to_string();
        assert!(words.starts_with("DOWN was pressed 3 of 5 times, then it stopped: The connection"), "{words}");
    }

    #[test]
    fn free_text_of_the_tv_is_passed_on() {
        let words = refused(Op::LaunchApp, BridgeError::Other("launch failed: permission".into()));
        assert!(words.contains("launch failed: permission") && words.contains("tv_list_apps"), "{words}");
    }
}
