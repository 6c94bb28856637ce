//! The configuration history: listed, shown with how the library compares now, and put back once.

pub(crate) mod list;
pub(crate) mod restore;
pub(crate) mod show;

use playhouse_store::{CommitError, StoreError};

use crate::ChangeError;
use crate::clean::clean;
use crate::gate::Lost;
use crate::queue::sweep::SweepError;
use crate::records::TextError;

impl From<StoreError> for ChangeError {
    fn from(error: StoreError) -> Self {
        ChangeError::Store { words: error.to_string() }
    }
}

impl From<CommitError> for ChangeError {
    fn from(error: CommitError) -> Self {
        ChangeError::Store { words: error.to_string() }
    }
}

impl From<SweepError> for ChangeError {
    fn from(error: SweepError) -> Self {
        ChangeError::Store { words: error.to_string() }
    }
}

impl From<TextError> for ChangeError {
    fn from(error: TextError) -> Self {
        match error {
            TextError::Store(error @ (StoreError::Overloaded | StoreError::Unavailable { .. })) => error.into(),
            // Damaged or missing: nothing that trying again would mend.
            TextError::Store(_) | TextError::Broken => ChangeError::Failed {
                words: "What is kept of this change does not hold together, so it cannot be shown or put back. Tell the operator."
                    .to_owned(),
            },
        }
    }
}

impl From<Lost> for ChangeError {
    fn from(lost: Lost) -> Self {
        ChangeError::Forbidden { words: clean(&lost.to_string()) }
    }
}
