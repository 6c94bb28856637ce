//! The guarded write: worked out, the library's lane for writes taken, worked out again, written down, sent once, read back, written down again.
//!
//! An arr has no compare-and-swap. Between the last look and the write somebody else may still change the same object, and that change is lost;
//! what is done here keeps that moment as short as it can be and never sends anything twice. The lane is taken before the last look ([`Held`]), so
//! that no other write of this server is waited for between that look, the last check of who asks, and the sending. From the entry in the history on
//! nothing waits for the caller: each step has a deadline of its own, and a caller who goes away changes nothing.

mod draft;
pub(crate) mod format;
mod held;
pub(crate) mod profile;
mod record;

use std::time::Duration;

use playhouse_bus::{Deadline, Message};
use playhouse_library::answer::{Code, Unfinished};
use playhouse_library::settings::NotConfirmed;
use playhouse_library::{ArrActor, InstanceId};
use playhouse_store::CommitError;

pub(crate) use draft::Draft;
pub(crate) use held::Held;
pub(crate) use record::proposal_ended;

use crate::desk::Desk;
use crate::gate::Lost;
use crate::records::ChangeRow;
use crate::{ChangeId, SettingsFailure};

/// How long one write may take. Together with the look behind it, it stays within the grace that the bus gives to work whose caller has gone, and
/// together with the look before it within the time for which the lane is held at most.
const SEND_WITHIN: Duration = Duration::from_secs(120);

/// How long reading one thing back may take.
const CONFIRM_WITHIN: Duration = Duration::from_secs(90);

/// Sends one write to a library, once.
async fn send<M, T>(desk: &Desk, instance: InstanceId, order: M) -> Result<T, Unfinished>
where
    M: Message<Actor = ArrActor, Reply = Result<T, Unfinished>>,
{
    let sent = desk.ask(instance, order, Deadline::after(SEND_WITHIN)).await;
    sent.unwrap_or_else(|error| Err(Unfinished::from(error)))
}

/// Reads back what was written; an error says in words why it is not confirmed.
async fn confirm<M, T>(desk: &Desk, instance: InstanceId, order: M) -> Result<T, String>
where
    M: Message<Actor = ArrActor, Reply = Result<T, NotConfirmed>>,
{
    let confirmed = desk.ask(instance, order, Deadline::after(CONFIRM_WITHIN)).await;
    confirmed.map_err(|error| error.to_string())?.map_err(|not_confirmed| not_confirmed.words)
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
