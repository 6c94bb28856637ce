//! What distinguishes one installed bridge app from another: its version, its Android, its clockwork.

use std::{collections::BTreeMap, time::Duration};

/// A published version of the bridge app. Each knows the operations of those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AppVersion {
    /// Keys, launches, apps and the screen; `playback` is a skeleton that answers `playback_not_implemented`.
    V0_5,
    /// Adds playback, volume, captions and typing. Answers `ok` to a launch that nothing on the TV handles.
    V0_6_0,
    /// Adds gestures and the centres of screen nodes; refuses a launch that nothing handles.
    V0_6_3,
    /// Adds the subtitle line.
    V0_7_0,
}

impl AppVersion {
    /// Every version, oldest first.
    pub const ALL: [Self; 4] = [Self::V0_5, Self::V0_6_0, Self::V0_6_3, Self::V0_7_0];

    /// Whether this version has code for an operation; it answers `unsupported op: NAME` to any other.
    #[must_use]
    pub fn knows(self, op: &str) -> bool {
        let since = match op {
            "key" | "launch_app" | "list_apps" | "observe" | "playback" => Self::V0_5,
            "volume" | "captions" | "input" => Self::V0_6_0,
            "gesture" => Self::V0_6_3,
            "subtitle" => Self::V0_7_0,
            _ => return false,
        };
        self >= since
    }

    /// Whether a launch that no app handles is an error, and screen nodes carry their centres.
    pub(crate) fn is_after_0_6_0(self) -> bool {
        self > Self::V0_6_0
    }
}

/// The app as installed on one television.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Installation {
    pub(crate) version: AppVersion,
    /// Android's release number, 6 to 14 or so.
    pub(crate) android: u8,
}

impl Installation {
    /// The d-pad is a real key press from Android 13 on; before, the app can only scroll and click.
    pub(crate) fn presses_real_keys(self) -> bool {
        self.android >= 13
    }

    /// Android 7 (API 24) brought accessibility gestures.
    pub(crate) fn has_gestures(self) -> bool {
        self.android >= 7
    }
}

/// Waits that double from `first` up to `most`, without jitter, as the app does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// The wait after the first failure.
    pub first: Duration,
    /// No wait is longer.
    pub most: Duration,
}

impl Backoff {
    /// The wait after `n_failures` failures in a row, counted from 0.
    pub(crate) fn after(self, n_failures: u32) -> Duration {
        2_u32
            .checked_pow(n_failures)
            .and_then(|factor| self.first.checked_mul(factor))
            .map_or(self.most, |wait| wait.min(self.most))
    }
}

/// The clockwork of pairing and dialling. The default is the app's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pacing {
    /// Between two dials while a code is on the screen and nobody has claimed it.
    pub poll: Duration,
    /// After a refused or failed `POST /pair/init`.
    pub pairing: Backoff,
    /// After a dropped or refused socket of a paired TV.
    pub redial: Backoff,
}

impl Default for Pacing {
    fn default() -> Self {
        let most = Duration::from_secs(30);
        Self {
            poll: Duration::from_secs(2),
            pairing: Backoff { first: Duration::from_secs(2), most },
            redial: Backoff { first: Duration::from_secs(1), most },
        }
    }
}

impl Pacing {
    /// A hundred times as fast, so that a test over real sockets need not wait.
    #[must_use]
    pub fn quick() -> Self {
        let most = Duration::from_millis(300);
        Self {
            poll: Duration::from_millis(20),
            pairing: Backoff { first: Duration::from_millis(20), most },
            redial: Backoff { first: Duration::from_millis(10), most },
        }
    }
}

/// How long each operation keeps the TV's reader thread. Frames behind it wait.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpTimes {
    /// For operations that `by_op` does not name.
    pub usual: Duration,
    /// By operation name.
    pub by_op: BTreeMap<String, Duration>,
}

impl OpTimes {
    /// Everything at once: for tests and load.
    #[must_use]
    pub fn immediate() -> Self {
        Self::default()
    }

    /// A television in good health: keys in a blink, the screen and the app list in a second.
    #[must_use]
    pub fn like_a_television() -> Self {
        let slow = [("launch_app", 300), ("gesture", 200), ("list_apps", 900), ("observe", 700)];
        Self {
            usual: Duration::from_millis(30),
            by_op: slow.into_iter().map(|(op, millis)| (op.to_owned(), Duration::from_millis(millis))).collect(),
        }
    }

    pub(crate) fn of(&self, op: &str) -> Duration {
        self.by_op.get(op).copied().unwrap_or(self.usual)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redials_wait_1_2_4_8_16_and_then_30_seconds_for_ever() {
        let redial = Pacing::default().redial;
        let waits: Vec<u64> = [0, 1, 2, 3, 4, 5, 6, 40].map(|n| redial.after(n).as_secs()).into();
        assert_eq!(waits, [1, 2, 4, 8, 16, 30, 30, 30]);
    }

    #[test]
    fn a_version_keeps_what_older_ones_had() {
        for op in ["key", "volume", "gesture", "subtitle", "wake"] {
            let knows = AppVersion::ALL.map(|version| version.knows(op));
            assert!(knows.is_sorted(), "{op}: {knows:?}");
        }
        assert!(AppVersion::ALL.iter().all(|version| !version.knows("probe")));
    }
}
