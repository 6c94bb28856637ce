//! How questions about settings end when they are not answered as asked.

use super::{Comparison, FieldChange, LiveState, NotConfirmed, NotReady};
use crate::answer::ArrFailure;

impl NotReady {
    /// That something it was bound to has changed; `words` are a sentence.
    pub(super) fn stale(words: impl Into<String>) -> Self {
        NotReady::Stale { connection: false, words: words.into() }
    }

    /// That the instance is called over another connection.
    pub(super) fn moved() -> Self {
        NotReady::Stale { connection: true, words: MOVED.to_owned() }
    }
}

impl From<ArrFailure> for NotReady {
    fn from(failure: ArrFailure) -> Self {
        NotReady::Unread(failure)
    }
}

/// That the instance is called over another connection.
const MOVED: &str = "The instance's address or API key was changed since.";

impl From<ArrFailure> for NotConfirmed {
    fn from(failure: ArrFailure) -> Self {
        Self { words: failure.to_string() }
    }
}

impl Comparison {
    /// That there is nothing to compare with.
    pub(super) fn unavailable(note: impl Into<String>, fields: Vec<FieldChange>) -> Self {
        Self { state: LiveState::Unavailable, note: Some(note.into()), fields }
    }

    /// That the change was made over another connection.
    pub(super) fn moved(fields: Vec<FieldChange>) -> Self {
        Self::unavailable(MOVED, fields)
    }
}
