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
use crate::queue::sweep::SweepError;
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

/// How often a decision is made anew because its record was written by somebody else in the same moment.
const MAX_ATTEMPTS: usize = 3;

/// Why a decision was not recorded.
enum Undecided {
    /// Somebody else wrote the record meanwhile: look again.
    Overtaken(CommitError),
    For(ProposalError),
}

impl From<CommitError> for Undecided {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Conflict { .. } => Undecided::Overtaken(error),
            other => Undecided::For(other.into()),
        }
    }
}

impl From<ProposalError> for Undecided {
    fn from(error: ProposalError) -> Self {
        Undecided::For(error)
    }
}

impl From<StoreError> for Undecided {
    fn from(error: StoreError) -> Self {
        Undecided::For(error.into())
    }
}

impl From<SweepError> for Undecided {
    fn from(error: SweepError) -> Self {
        match error {
            SweepError::Store(error) => error.into(),
            SweepError::Commit(error) => error.into(),
        }
    }
}

/// Decides, and decides once more on what is stored by then where somebody else was faster.
async fn retried<T>(decide: impl AsyncFn() -> Result<T, Undecided>) -> Result<T, ProposalError> {
    let mut n_attempts = 1;
    loop {
        match decide().await {
            Ok(decided) => return Ok(decided),
            Err(Undecided::For(error)) => return Err(error),
            Err(Undecided::Overtaken(error)) if n_attempts >= MAX_ATTEMPTS => return Err(error.into()),
            Err(Undecided::Overtaken(_)) => n_attempts += 1,
        }
    }
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
