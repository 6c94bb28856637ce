//! What the proposal queue of a house is asked.

use bytes::Bytes;
use jiff::Timestamp;
use playhouse_library::answer::Code;
use playhouse_library::settings::{FormatAction, JsonText, ProfileChanges};
use playhouse_library::{InstanceLabel, Service};
use serde::{Deserialize, Serialize};

use crate::{AdminEvent, Caller, ChangeId, ChangeRecord, Decider, EventId, Proposal, ProposalId, ProposalQueueActor};

/// Makes or changes one custom format by its exact name, at once. Repeating it finds nothing to change.
#[derive(Debug, Serialize, Deserialize)]
pub struct UpsertCustomFormat {
    /// Who asks.
    pub caller: Caller,
    /// The service.
    pub service: Service,
    /// The library, by its id; absent for the default one.
    pub instance_id: Option<String>,
    /// The format, in the service's shape or that of the TRaSH guides.
    pub custom_format: JsonText,
}

/// That a format is as asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Upserted {
    /// The library.
    pub instance: InstanceLabel,
    /// What was done.
    pub action: FormatAction,
    /// The format's id.
    pub format_id: i64,
    /// Its name.
    pub name: String,
    /// The entry in the history; `None` where nothing was to be done.
    pub change: Option<ChangeRecord>,
    /// Whether the service stored no difference though it took the write.
    pub stored_no_difference: bool,
}

/// Works out a change of one profile. Over MCP it then waits as a proposal for an admin; in a turn of the app's own chat it can be applied in
/// that same turn. Nothing is written at the library.
///
/// An equal proposal that still waits is answered again, and nobody is paged again.
#[derive(Debug, Serialize, Deserialize)]
pub struct PreviewProfileChange {
    /// Who asks.
    pub caller: Caller,
    /// The service.
    pub service: Service,
    /// The library, by its id; absent for the default one.
    pub instance_id: Option<String>,
    /// The profile.
    pub profile_id: i64,
    /// What is asked for.
    pub changes: ProfileChanges,
}

/// What became of a preview.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Previewed {
    /// It waits for an admin.
    Parked {
        /// The proposal.
        proposal: Proposal,
        /// Whether it was waiting already, equal to the last detail.
        was_there: bool,
    },
    /// It can be applied in this turn.
    Armed(Armed),
}

/// A change that can be applied in the turn it was previewed in. `Debug` does not show the reference.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Armed {
    /// What apply_profile_change takes, once: `profile_change_` and 43 characters.
    pub reference: String,
    /// From when on it is not taken.
    pub expires_at: Timestamp,
    /// The library.
    pub instance: InstanceLabel,
    /// The profile.
    pub profile_id: i64,
    /// Its name.
    pub profile_name: String,
    /// The differences in lines.
    pub diff: Vec<String>,
}

impl std::fmt::Debug for Armed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Armed").field("profile_id", &self.profile_id).finish_non_exhaustive()
    }
}

/// Carries out a change that was previewed in the same turn of the app's own chat. A reference is taken once, whatever comes of it.
#[derive(Serialize, Deserialize)]
pub struct ApplyProfileChange {
    /// Who asks.
    pub caller: Caller,
    /// The reference.
    pub reference: String,
}

/// Why a change of settings did not end as asked. What is known of its effect is in the variant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettingsFailure {
    /// An answer rather than an error: nothing was written, and the words say what to do.
    #[error("{words}")]
    Refused {
        /// Its stable name.
        code: Code,
        /// What is the case and what to do next.
        words: String,
    },
    /// Nothing was written: the library could not be read, or a precondition failed.
    #[error("{words}")]
    NotStarted {
        /// Its stable name.
        code: Code,
        /// Why, and what to do next.
        words: String,
    },
    /// The service refused the write, which proves that nothing was changed.
    #[error("{words}")]
    Definite {
        /// Its stable name.
        code: Code,
        /// What the service said, as far as that may be shown.
        words: String,
    },
    /// The write was, or may have been, taken, and a later step failed: `<completed>; <pending> failed: <cause>`.
    #[error("{completed}; {pending} failed: {cause}")]
    Partial {
        /// What was done, or may have been.
        completed: String,
        /// What was still to be done.
        pending: String,
        /// Why it was not.
        cause: String,
        /// The entry in the history.
        change: Option<ChangeId>,
        /// Whether the service said that it took the write. If not, it may have been lost on its way.
        was_accepted: bool,
    },
    /// The caller may not do this any more.
    #[error("{words}")]
    AuthorisationLost {
        /// In the words of every door.
        words: String,
    },
}

/// Lists proposals, the newest first, at most 200, as a JSON array of [`Proposal`]: encoded once until one changes, because admins' pages ask for it
/// again and again.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListProposals {
    /// Also those that are decided; else only those that wait.
    pub all: bool,
}

/// Shows one proposal; of one that waits also whether it could be carried out now, for which its library is read.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetProposal {
    /// Which.
    pub id: ProposalId,
}

/// Approves a proposal and carries it out. Approving again is refused.
#[derive(Debug, Serialize, Deserialize)]
pub struct ApproveProposal {
    /// Which.
    pub id: ProposalId,
    /// Who decides.
    pub decider: Decider,
}

/// Rejects a proposal; its library is not touched. Rejecting again is refused.
#[derive(Debug, Serialize, Deserialize)]
pub struct RejectProposal {
    /// Which.
    pub id: ProposalId,
    /// Who decides.
    pub decider: Decider,
    /// Why, for the record. At most 4 KiB are kept.
    pub note: Option<String>,
}

/// Marks what nobody decided in time as expired, and settles what a crash left unfinished. Repeating it is harmless.
#[derive(Debug, Serialize, Deserialize)]
pub struct SweepProposals {}

/// Why a proposal was not shown or decided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalError {
    /// The house has no proposal of that number.
    #[error("This house has no such proposal; list its proposals to see their numbers.")]
    NotFound,
    /// It is decided, replaced, expired or being carried out.
    #[error("{words}")]
    NotPending {
        /// What became of it.
        words: String,
    },
    /// Something it depends on has changed, so it failed; nothing was written.
    #[error("{words}")]
    Stale {
        /// What, and to propose again.
        words: String,
    },
    /// `apply_profile_change` is switched off in this house; it waits on.
    #[error(
        "The tool apply_profile_change is switched off in this house, so nothing was written and the proposal waits on. Switch it on and approve again."
    )]
    SwitchedOff,
    /// The library cannot be read now; it waits on.
    #[error("{words}")]
    Unavailable {
        /// Why.
        words: String,
    },
    /// Who decides may not do so any more.
    #[error("{words}")]
    Forbidden {
        /// Why.
        words: String,
    },
    /// The write did not end well; the history tells what is known.
    #[error("{words}")]
    Failed {
        /// What is known.
        words: String,
    },
    /// The store did not take the change, or did not say whether it did.
    #[error("{words}")]
    Store {
        /// Why.
        words: String,
    },
}

/// Lists changes without their details, the newest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListChanges {
    /// How many; 1 to 200, other numbers mean 100 (too small) or 200 (too large).
    pub limit: i64,
    /// Only those before this one.
    pub before: Option<ChangeId>,
}

/// Shows one change with its details and how the library compares now.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetChange {
    /// Which.
    pub id: ChangeId,
}

/// Puts a profile back to what it was before a change, once. Answers the new entry.
#[derive(Debug, Serialize, Deserialize)]
pub struct RestoreChange {
    /// Which.
    pub id: ChangeId,
    /// Who restores.
    pub decider: Decider,
}

/// Why a change was not shown or put back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeError {
    /// The house has no change of that number.
    #[error("This house has no such change; list its configuration history to see the numbers.")]
    NotFound,
    /// It is of a kind or in a state that cannot be put back, or was put back already.
    #[error("{words}")]
    NotRestorable {
        /// Why.
        words: String,
    },
    /// The profile or what it depends on has moved on: nothing was restored.
    #[error("{words}")]
    Moved {
        /// What.
        words: String,
    },
    /// The library cannot be read, or is another one now: nothing was restored.
    #[error("{words}")]
    Unavailable {
        /// Why.
        words: String,
    },
    /// Who restores may not do so any more.
    #[error("{words}")]
    Forbidden {
        /// Why.
        words: String,
    },
    /// The write did not end well, or what is kept does not hold together.
    #[error("{words}")]
    Failed {
        /// What is known.
        words: String,
    },
    /// The store did not take the change, or did not say whether it did.
    #[error("{words}")]
    Store {
        /// Why.
        words: String,
    },
}

/// Reads events that happened after one, the oldest first, at most 200.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListEvents {
    /// After which; 0 for all that are kept.
    pub after: EventId,
}

/// Asks how the queue is.
#[derive(Debug, Serialize, Deserialize)]
pub struct ObserveProposals {}

/// How the queue is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposalsStatus {
    /// Proposals that wait.
    pub n_pending: usize,
    /// Proposals and changes being carried out.
    pub n_executing: usize,
    /// Changes of the app's chat that could be applied now.
    pub n_armed: usize,
}

playhouse_bus::messages! { ProposalQueueActor:
    UpsertCustomFormat => Result<Upserted, SettingsFailure>,
    PreviewProfileChange => Result<Previewed, SettingsFailure>,
    ApplyProfileChange => Result<ChangeRecord, SettingsFailure>,
    ListProposals => Result<Bytes, ProposalError>,
    GetProposal => Result<Proposal, ProposalError>,
    ApproveProposal => Result<Proposal, ProposalError>,
    RejectProposal => Result<Proposal, ProposalError>,
    SweepProposals => (),
    ListChanges => Result<Vec<ChangeRecord>, ChangeError>,
    GetChange => Result<ChangeRecord, ChangeError>,
    RestoreChange => Result<ChangeRecord, ChangeError>,
    ListEvents => Result<Vec<AdminEvent>, ProposalError>,
    ObserveProposals => ProposalsStatus,
}
