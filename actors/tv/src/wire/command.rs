//! What a TV can be asked, with arguments that are already checked.

use serde::{Deserialize, Serialize};

use crate::launch::LaunchIntent;
use crate::remote_key::RemoteKey;
use crate::wire::Op;

mod arguments;

pub use arguments::{
    Direction, Fraction, FractionFault, LanguageTag, LanguageTagFault, Level, LevelFault, LineFault, OnScreenLine,
    TypedText, TypedTextFault,
};

/// One command to a TV.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// Press and release a key.
    PressKey(RemoteKey),
    /// Hand an intent to Android.
    Launch(LaunchIntent),
    /// List launchable apps.
    ListApps,
    /// Read the screen.
    Observe,
    /// Read the media session.
    GetPlayback,
    /// Pause. Without a session or notification access the app presses the toggle key instead.
    Pause,
    /// Resume. Falls back like [`Command::Pause`].
    Resume,
    /// Jump to a position in milliseconds; the app clamps it to the length.
    SeekTo(u64),
    /// Jump by milliseconds, backwards when negative.
    SeekBy(i64),
    /// Read the volume.
    GetVolume,
    /// Set the volume.
    SetVolume(Level),
    /// Mute.
    Mute,
    /// Unmute.
    Unmute,
    /// Switch captions on.
    CaptionsOn,
    /// Switch captions off.
    CaptionsOff,
    /// Choose the captions' language.
    CaptionsLanguage(LanguageTag),
    /// Replace the text of the focused field.
    TypeText(TypedText),
    /// Tap at fractions of the screen's width and height.
    Tap(Fraction, Fraction),
    /// Swipe across the screen.
    Swipe(Direction),
    /// Show a line over everything.
    ShowSubtitle(OnScreenLine),
    /// Take that line away.
    ClearSubtitle,
}

impl Command {
    /// The operation this command belongs to.
    pub const fn op(&self) -> Op {
        match self {
            Command::PressKey(_) => Op::Key,
            Command::Launch(_) => Op::LaunchApp,
            Command::ListApps => Op::ListApps,
            Command::Observe => Op::Observe,
            Command::GetPlayback | Command::Pause | Command::Resume | Command::SeekTo(_) | Command::SeekBy(_) => {
                Op::Playback
            }
            Command::GetVolume | Command::SetVolume(_) | Command::Mute | Command::Unmute => Op::Volume,
            Command::CaptionsOn | Command::CaptionsOff | Command::CaptionsLanguage(_) => Op::Captions,
            Command::TypeText(_) => Op::Input,
            Command::Tap(..) | Command::Swipe(_) => Op::Gesture,
            Command::ShowSubtitle(_) | Command::ClearSubtitle => Op::Subtitle,
        }
    }

    /// The wire's `cmd`, for operations that have one.
    pub const fn cmd(&self) -> Option<&'static str> {
        match self {
            Command::PressKey(_) | Command::Launch(_) | Command::ListApps | Command::Observe => None,
            Command::GetPlayback | Command::GetVolume => Some("get"),
            Command::Pause => Some("pause"),
            Command::Resume => Some("resume"),
            Command::SeekTo(_) | Command::SeekBy(_) => Some("seek"),
            Command::SetVolume(_) => Some("set"),
            Command::Mute => Some("mute"),
            Command::Unmute => Some("unmute"),
            Command::CaptionsOn => Some("on"),
            Command::CaptionsOff => Some("off"),
            Command::CaptionsLanguage(_) => Some("set_language"),
            Command::TypeText(_) => Some("type"),
            Command::Tap(..) => Some("tap"),
            Command::Swipe(_) => Some("swipe"),
            Command::ShowSubtitle(_) => Some("show"),
            Command::ClearSubtitle => Some("clear"),
        }
    }

    /// Whether doing it changes nothing on the TV, so that an unknown outcome costs nothing.
    pub const fn only_reads(&self) -> bool {
        matches!(self, Command::ListApps | Command::Observe | Command::GetPlayback | Command::GetVolume)
    }

    /// The command's parameters. All are strings: the app turns a JSON null into the text `null`, so what is missing is left out.
    pub(super) fn params(&self) -> Vec<(&'static str, String)> {
        let mut params: Vec<(&'static str, String)> =
            self.cmd().map(|cmd| ("cmd", cmd.to_owned())).into_iter().collect();
        match self {
            Command::PressKey(key) => params.push(("key", key.as_str().to_owned())),
            Command::Launch(intent) => {
                params.push(("data", intent.data().to_owned()));
                params.extend(intent.package().map(|package| ("package", package.to_owned())));
            }
            Command::SeekTo(position_ms) => params.push(("position_ms", position_ms.to_string())),
            Command::SeekBy(delta_ms) => params.push(("delta_ms", delta_ms.to_string())),
            Command::SetVolume(level) => params.push(("level", level.percent().to_string())),
            Command::CaptionsLanguage(tag) => params.push(("lang", tag.as_str().to_owned())),
            Command::TypeText(text) => params.push(("text", text.as_str().to_owned())),
            Command::Tap(x, y) => {
                params.push(("x", x.as_wire()));
                params.push(("y", y.as_wire()));
            }
            Command::Swipe(direction) => params.push(("dir", direction.as_str().to_owned())),
            Command::ShowSubtitle(line) => params.push(("text", line.as_str().to_owned())),
            Command::ListApps
            | Command::Observe
            | Command::GetPlayback
            | Command::Pause
            | Command::Resume
            | Command::GetVolume
            | Command::Mute
            | Command::Unmute
            | Command::CaptionsOn
            | Command::CaptionsOff
            | Command::ClearSubtitle => {}
        }
        params
    }
}
