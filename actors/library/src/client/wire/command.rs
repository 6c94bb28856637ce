//! Commands and what became of them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::lenient::resource;
use super::time::TimeSpan;

/// The receipt of a command. What it does comes later: look at files, history and queue before claiming that it is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandAccepted {
    /// By which its state can be read for some minutes. An equal command that waited already answers its own.
    pub id: i64,
    /// `queued`, mostly.
    #[serde(default)]
    pub status: String,
}

resource! {
    /// A command, waiting, under way or done.
    pub CommandState {
        /// The service's own; gone some minutes after the end.
        id: i64,
        /// `RescanMovie`.
        name: Option<String>,
        /// `queued`, `started`, `completed`, `failed`, `aborted`, `cancelled`, `orphaned` …
        status: Option<String>,
        /// `unknown`, `successful`, `unsuccessful` … Successful searches may have found nothing.
        result: Option<String>,
        /// What it is doing.
        message: Option<String>,
        /// When it was given.
        queued: Option<Timestamp>,
        /// When it began.
        started: Option<Timestamp>,
        /// When it ended.
        ended: Option<Timestamp>,
        /// How long it took.
        duration: Option<TimeSpan>,
        /// `manual`, `scheduled` …
        trigger: Option<String>,
    }
}
