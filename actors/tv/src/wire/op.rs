//! The operations of the bridge and how long each may take.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// An operation of the bridge app. `gesture` and `subtitle` came after 0.6; older apps answer `unsupported op`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// Press a key.
    Key,
    /// Hand an intent to Android.
    LaunchApp,
    /// List launchable apps.
    ListApps,
    /// Read the accessibility tree of the screen.
    Observe,
    /// Read or steer the media session.
    Playback,
    /// Read or set the media volume.
    Volume,
    /// Switch captions.
    Captions,
    /// Set the text of the focused field.
    Input,
    /// Tap or swipe.
    Gesture,
    /// Show a line over everything.
    Subtitle,
}

impl Op {
    /// Every operation.
    pub const ALL: [Op; 10] = [
        Op::Key,
        Op::LaunchApp,
        Op::ListApps,
        Op::Observe,
        Op::Playback,
        Op::Volume,
        Op::Captions,
        Op::Input,
        Op::Gesture,
        Op::Subtitle,
    ];

    /// The operation's name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Op::Key => "key",
            Op::LaunchApp => "launch_app",
            Op::ListApps => "list_apps",
            Op::Observe => "observe",
            Op::Playback => "playback",
            Op::Volume => "volume",
            Op::Captions => "captions",
            Op::Input => "input",
            Op::Gesture => "gesture",
            Op::Subtitle => "subtitle",
        }
    }

    /// How long the TV may take to answer. The two that walk through the system take seconds on slow sticks; all others are
    /// done in one, and waiting longer would only hide a half-open socket.
    pub const fn time_limit(self) -> Duration {
        match self {
            Op::ListApps | Op::Observe => Duration::from_secs(20),
            Op::Key
            | Op::LaunchApp
            | Op::Playback
            | Op::Volume
            | Op::Captions
            | Op::Input
            | Op::Gesture
            | Op::Subtitle => Duration::from_secs(10),
        }
    }

    /// This operation's bit in a set of operations.
    pub(crate) const fn bit(self) -> u16 {
        1 << self as u16
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_has_a_bit_of_its_own() {
        let all = Op::ALL.into_iter().fold(0, |set, op| {
            assert_eq!(set & op.bit(), 0, "{op} shares its bit");
            set | op.bit()
        });
        assert_eq!(all.count_ones() as usize, Op::ALL.len());
    }
}
