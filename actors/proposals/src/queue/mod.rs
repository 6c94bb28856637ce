//! Proposals: parked, listed, decided, expired.

pub(crate) mod approve;
pub(crate) mod list;
pub(crate) mod park;
pub(crate) mod preview;
pub(crate) mod reject;
pub(crate) mod sweep;

use jiff::{SignedDuration, Timestamp};
use playhouse_store::{CommitError, StoreError};

use crate::clean::clean;
use crate::gate::Lost;
use crate::records::ProposalRecord;
use crate::{ProposalError, ProposalStatus};

/// How long a proposal waits.
const WAITS_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);

/// How many proposals of one house may wait at once.
const MAX_PENDING: usize = 2_000;

pub(crate) const SUPERSEDED: &str = "A newer proposal for the same profile took its place; nothing was written.";
pub(crate) const EXPIRED: &str = "Nobody decided within seven days; nothing was written.";

/// When what is proposed at `now` expires.
fn expires_at(now: Timestamp) -> Timestamp {
    now.checked_add(WAITS_FOR).unwrap_or(Timestamp::MAX)
}

impl From<StoreError> for ProposalError {
    fn from(error: StoreError) -> Self {
        ProposalError::Store { words: error.to_string() }
    }
}

impl From<CommitError> for ProposalError {
    fn from(error: CommitError) -> Self {
        ProposalError::Store { words: error.to_string() }
    }
}

impl ProposalError {
    /// That a proposal cannot be decided any more.
    pub(crate) fn not_pending(record: &ProposalRecord) -> Self {
        let id = record.shown.id;
        let words = match record.shown.status {
            ProposalStatus::Pending => format!("Proposal {id} has changed in this moment; look at it again."),
            ProposalStatus::Executing => format!("Proposal {id} was approved and is being carried out."),
            ProposalStatus::Applied => format!("Proposal {id} was applied already."),
            ProposalStatus::Rejected => format!("Proposal {id} was rejected already."),
            ProposalStatus::Superseded => format!("Proposal {id} was replaced by a newer one for the same profile."),
            ProposalStatus::Expired => {
                format!("Proposal {id} has expired: nobody decided within seven days. Have it proposed again.")
            }
            ProposalStatus::Failed => format!("Proposal {id} was approved already and failed; see its result."),
        };
        ProposalError::NotPending { words }
    }
}

impl From<Lost> for ProposalError {
    fn from(lost: Lost) -> Self {
        match lost {
            Lost::SwitchedOff(_) => ProposalError::SwitchedOff,
            Lost::Key(_) | Lost::Role(_) => ProposalError::Forbidden { words: clean(&lost.to_string()) },
        }
    }
}
