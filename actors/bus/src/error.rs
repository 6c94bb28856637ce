//! Why a call got no reply, in words for the caller; and the cause of a failure, in words for the operator.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ActorKind;

/// Why a call got no reply. What the domain refuses is a reply and never found here.
///
/// `Display` speaks to the caller and says what to do next. It does not show the [`Cause`]: that is for the operator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum CallError {
    /// Too many calls are waiting already. Nothing was queued.
    #[error("too many calls are waiting for {scope}; try again in {}", Seconds(*.retry_after))]
    Busy {
        /// When there is likely room again.
        retry_after: Duration,
        /// Whose limit it was.
        scope: BusyScope,
    },
    /// The actor failed too often and rests. Nothing was queued.
    #[error("this part has failed several times and is resting; try again in {}", Seconds(*.retry_after))]
    Parked {
        /// Its last failure.
        cause: Box<Cause>,
        /// When the next call will try again to start it.
        retry_after: Duration,
    },
    /// The deadline passed.
    #[error("{}", if *.started {
        "no answer came in time; whether the request took effect is unknown, so check before repeating it"
    } else {
        "the request was not begun in time and had no effect; try again"
    })]
    Deadline {
        /// Whether the actor had begun to handle the message. If not, it never will.
        started: bool,
    },
    /// The actor failed in the middle of this call. Others' calls are not touched.
    #[error("this request failed inside Playhouse; whether it took effect is unknown, so check before repeating it")]
    Panicked {
        /// What happened.
        cause: Box<Cause>,
    },
    /// There is no such thing in this house.
    #[error("there is no such thing here; check the name or id")]
    NotFound,
    /// No behaviour is registered for this kind, or the message belongs to another kind than the address.
    #[error("this instance does not offer `{kind}`; ask its operator")]
    NotServed {
        /// The kind that was addressed.
        kind: ActorKind,
    },
    /// The instance is shutting down.
    #[error("this instance is shutting down; try again in a moment")]
    Closing,
}

/// Whose share of waiting calls was used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BusyScope {
    /// The one actor that was called.
    Actor,
    /// All actors of the house together.
    House,
    /// The whole instance.
    Instance,
}

impl BusyScope {
    /// The name in metric labels.
    pub const fn as_str(self) -> &'static str {
        match self {
            BusyScope::Actor => "actor",
            BusyScope::House => "house",
            BusyScope::Instance => "instance",
        }
    }
}

impl fmt::Display for BusyScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BusyScope::Actor => "this device or service",
            BusyScope::House => "this house",
            BusyScope::Instance => "this instance",
        })
    }
}

/// What made an actor fail: for the log, the health page and the operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// The sort of failure.
    pub what: Failure,
    /// The panic's or the error's own text.
    pub text: String,
    /// Where in the source, as `file:line:column`, if it was a panic.
    pub place: Option<String>,
    /// When.
    pub at: Timestamp,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what.as_str(), self.text)?;
        match &self.place {
            Some(place) => write!(f, " ({place})"),
            None => Ok(()),
        }
    }
}

/// The sort of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// A handler, or the future it returned, panicked.
    Panic,
    /// Its start panicked.
    StartPanic,
    /// Its state could not be read.
    StartFailed,
    /// It held its thread for so long that its neighbours had to be moved away.
    Blocked,
    /// Work that had the actor to itself did not end, and its outcome is unknown.
    Unfinished,
    /// The actor ended outside what the bus guards: its thread stopped, or the bus itself has a bug.
    Lost,
}

impl Failure {
    pub(crate) const ALL: [Failure; 6] = [
        Failure::Panic,
        Failure::StartPanic,
        Failure::StartFailed,
        Failure::Blocked,
        Failure::Unfinished,
        Failure::Lost,
    ];

    /// The name in JSON, logs and metric labels.
    pub const fn as_str(self) -> &'static str {
        match self {
            Failure::Panic => "panic",
            Failure::StartPanic => "start_panic",
            Failure::StartFailed => "start_failed",
            Failure::Blocked => "blocked",
            Failure::Unfinished => "unfinished",
            Failure::Lost => "lost",
        }
    }
}

/// A wait as a person says it: whole seconds, rounded up, never "0 seconds".
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_millis().div_ceil(1_000).max(1) {
            1 => f.write_str("1 second"),
            seconds => write!(f, "{seconds} seconds"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_how_long_to_wait_and_keeps_the_cause_to_itself() {
        let cause = Cause {
            what: Failure::Panic,
            text: "secret detail".into(),
            place: Some("src/tv.rs:1:1".into()),
            at: Timestamp::UNIX_EPOCH,
        };
        let parked = CallError::Parked { cause: Box::new(cause), retry_after: Duration::from_millis(2_001) };

        assert_eq!(parked.to_string(), "this part has failed several times and is resting; try again in 3 seconds");
    }

    #[test]
    fn a_deadline_tells_whether_repeating_is_safe() {
        let begun = CallError::Deadline { started: true }.to_string();
        let waiting = CallError::Deadline { started: false }.to_string();

        assert!(begun.contains("unknown"), "{begun}");
        assert!(waiting.contains("had no effect"), "{waiting}");
    }
}
