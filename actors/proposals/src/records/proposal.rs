//! A proposal as it is kept.

use jiff::Timestamp;
use playhouse_house::{AccountId, CredentialId};
use playhouse_library::settings::{Binding, ProfilePlan};
use playhouse_store::Record;
use serde::{Deserialize, Serialize};

use crate::{Proposal, ProposalStatus};

/// The largest proposal that is parked, encoded, in bytes. What is added later (a note, an outcome) still fits into a record of the store.
pub(crate) const MAX_RECORD_BYTES: usize = 40 * 1024;

/// A proposal as it is kept. What is not in `shown` never leaves the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProposalRecord {
    /// What people see; without how it stands at this moment.
    pub(crate) shown: Proposal,
    /// The account that proposed it, where the key belonged to one.
    pub(crate) proposer: Option<AccountId>,
    /// The key that proposed it.
    pub(crate) credential: Option<CredentialId>,
    /// What is to be done.
    pub(crate) plan: ProfilePlan,
    /// What must still be so.
    pub(crate) binding: Binding,
    /// The differences as the library words them, where `shown` had to leave something out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) worded: Option<Vec<String>>,
    /// Since when it is being carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) executing_at: Option<Timestamp>,
}

impl Record for ProposalRecord {
    const FORMAT: u16 = 1;
    const KIND: &'static str = "proposal";
}

/// That a proposal waits or is being carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpenProposal {
    /// When it expires; absent while it is being carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) expires_at: Option<Timestamp>,
}

impl Record for OpenProposal {
    const FORMAT: u16 = 1;
    const KIND: &'static str = "proposal_open";
}

impl ProposalRecord {
    /// Whether an admin can decide about it, expiry aside.
    pub(crate) fn is_pending(&self) -> bool {
        self.shown.status == ProposalStatus::Pending
    }

    pub(crate) fn is_executing(&self) -> bool {
        self.shown.status == ProposalStatus::Executing
    }

    /// Whether it stands in the index of those that go on.
    pub(crate) fn is_open(&self) -> bool {
        self.is_pending() || self.is_executing()
    }

    /// Whether its time is over at `now`.
    pub(crate) fn has_expired(&self, now: Timestamp) -> bool {
        self.is_pending() && self.shown.expires_at <= now
    }

    /// Its entry in the index of those that go on.
    pub(crate) fn open_mark(&self) -> OpenProposal {
        OpenProposal { expires_at: self.is_pending().then_some(self.shown.expires_at) }
    }

    /// The differences as the library words them.
    pub(crate) fn diff(&self) -> &[String] {
        self.worded.as_deref().unwrap_or(&self.shown.diff)
    }

    /// The same proposal with an end.
    pub(crate) fn ended(&self, status: ProposalStatus, at: Timestamp, words: Option<String>) -> Self {
        let mut ended = self.clone();
        ended.shown.status = status;
        ended.shown.decided_at = Some(at);
        ended.shown.result_text = words;
        ended.executing_at = None;
        ended
    }
}
