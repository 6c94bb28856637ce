//! The guarded write: worked out twice, written down, sent once, read back, written down again.
//!
//! An arr has no compare-and-swap. Between the last look and the write somebody else may still change the same object, and that change is lost;
//! what is done here keeps that moment as short as it can be and never sends anything twice. From the entry in the history on nothing waits for
//! the caller: each step has a deadline of its own, and a caller who goes away changes nothing.

mod draft;
pub(crate) mod format;
pub(crate) mod profile;
mod record;

use std::time::Duration;

use playhouse_bus::Deadline;
use playhouse_library::answer::Code;
use playhouse_store::CommitError;

pub(crate) use draft::Draft;
pub(crate) use record::proposal_ended;

use crate::gate::Lost;
use crate::records::ChangeRow;
use crate::{ChangeId, SettingsFailure};

/// How long one write may take with the wait for its turn at the instance. Together with the look behind it, it stays within the grace that the
/// bus gives to work whose caller has gone.
const SEND_WITHIN: Duration = Duration::from_secs(120);

/// How long reading one thing back may take.
const CONFIRM_WITHIN: Duration = Duration::from_secs(90);

fn to_send() -> Deadline {
    Deadline::after(SEND_WITHIN)
}

fn to_confirm() -> Deadline {
    Deadline::after(CONFIRM_WITHIN)
}

/// Why nothing was sent and nothing written down.
#[derive(Debug, Clone)]
pub(crate) enum NotBegun {
    /// The right was lost in the meantime.
    Lost(Lost),
    /// Somebody else was faster.
    Taken,
    /// The store did not take it.
    Store(String),
}

impl From<CommitError> for NotBegun {
    fn from(error: CommitError) -> Self {
        NotBegun::Store(error.to_string())
    }
}

/// How a write ended.
#[derive(Debug, Clone)]
pub(crate) enum Written {
    /// It was read back.
    Applied(Box<ChangeRow>),
    /// Nothing was sent.
    NotBegun(NotBegun),
    /// The service refused it, or it was not sent after all: nothing was changed, and the history says so.
    Failed { row: Box<ChangeRow>, code: Code, words: String },
    /// It was, or may have been, taken, and a later step failed.
    Unsure(Unsure),
}

/// What is known of a write that did not end well.
#[derive(Debug, Clone)]
pub(crate) struct Unsure {
    pub(crate) change: ChangeId,
    /// Whether the service said that it took it.
    pub(crate) was_accepted: bool,
    pub(crate) completed: String,
    pub(crate) pending: String,
    pub(crate) cause: String,
}

impl Unsure {
    /// One sentence, as the history keeps it.
    pub(crate) fn words(&self) -> String {
        format!("{}; {} failed: {}", self.completed, self.pending, self.cause)
    }
}

impl From<Unsure> for SettingsFailure {
    fn from(unsure: Unsure) -> Self {
        let Unsure { change, was_accepted, completed, pending, cause } = unsure;
        SettingsFailure::Partial { completed, pending, cause, change: Some(change), was_accepted }
    }
}

impl From<NotBegun> for SettingsFailure {
    fn from(not_begun: NotBegun) -> Self {
        match not_begun {
            NotBegun::Lost(lost) => lost.into(),
            NotBegun::Taken => SettingsFailure::not_started(
                Code::ObjectChanged,
                "Nothing was sent: somebody else changed the record of this in the same moment. Look again before you repeat it.",
            ),
            NotBegun::Store(words) => SettingsFailure::not_recorded(&words),
        }
    }
}
