//! An entry of the configuration history as it is kept.

use playhouse_house::CredentialId;
use playhouse_library::settings::{Digest, FormatAction};
use playhouse_store::Record;
use serde::{Deserialize, Serialize};

use super::Text;
use crate::{ChangeId, ChangeRecord, ChangeStatus, Operation, ProposalId};

/// An entry of the history without its details. What is not in `shown` never leaves the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChangeRow {
    /// What people see; without differences and comparison.
    pub(crate) shown: ChangeRecord,
    /// The key that asked for it.
    pub(crate) credential: Option<CredentialId>,
    /// The proposal that was approved.
    pub(crate) proposal: Option<ProposalId>,
    /// Over which connection it was made.
    pub(crate) connection: Digest,
    /// What was changed.
    pub(crate) object: Object,
    /// The digest of the object from before.
    pub(crate) before_digest: Digest,
    /// The digest of the object after it: as it was read back, else as it was to be.
    pub(crate) after_digest: Digest,
    /// Whether the object after it was read back.
    pub(crate) was_confirmed: bool,
    /// The latest change that was to take this one back. It stands in the way of another one unless it failed.
    pub(crate) restored_by: Option<ChangeId>,
    /// The differences, as a JSON list.
    pub(crate) fields: Text,
    /// The object from before.
    pub(crate) before: Text,
    /// The object after it.
    pub(crate) after: Text,
}

/// Which object of an instance was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Object {
    /// A quality profile.
    Profile {
        /// Its id.
        id: i64,
        /// What it depended on.
        dependencies: Digest,
    },
    /// A custom format.
    Format {
        /// What was done.
        action: FormatAction,
        /// Its id, as soon as it is known.
        id: Option<i64>,
    },
}

impl Record for ChangeRow {
    const FORMAT: u16 = 1;
    const KIND: &'static str = "change";
}

/// That a change is being carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpenChange {}

impl Record for OpenChange {
    const FORMAT: u16 = 1;
    const KIND: &'static str = "change_open";
}

impl ChangeRow {
    pub(crate) fn is_executing(&self) -> bool {
        self.shown.status == ChangeStatus::Executing
    }

    /// Whether a change of this kind and state can be put back at all: an applied change of a profile that is no restore itself.
    pub(crate) fn is_restorable(&self) -> bool {
        self.shown.status == ChangeStatus::Applied
            && self.shown.operation == Operation::Update
            && self.shown.parent_id.is_none()
            && matches!(self.object, Object::Profile { .. })
    }

    /// Whether this restore stands in the way of another one: it succeeded, or may have.
    pub(crate) fn blocks_another(&self) -> bool {
        self.shown.status != ChangeStatus::Failed
    }
}
