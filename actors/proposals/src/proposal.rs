//! A change of a profile that waits for an admin, as it is shown.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use playhouse_library::{InstanceId, Service};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ChangeId;

/// A proposal's number in its house: 1, 2, 3 …
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ProposalId(pub u64);

impl fmt::Display for ProposalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for ProposalId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// Where a proposal is. `Pending` and `Executing` go on; the others are final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProposalStatus {
    /// It waits for an admin.
    Pending,
    /// It was approved and is being carried out.
    Executing,
    /// It was carried out and read back.
    Applied,
    /// An admin said no.
    Rejected,
    /// A newer one for the same profile took its place.
    Superseded,
    /// Nobody decided in seven days.
    Expired,
    /// It was approved and not carried out, or not surely.
    Failed,
}

/// Whether a pending proposal could be carried out at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProposalState {
    /// Everything it was worked out against is unchanged.
    Applicable,
    /// Something has changed: approving it would be refused.
    Stale,
    /// The service cannot be read now.
    Unavailable,
}

/// A proposal as admins and its proposer see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Proposal {
    /// Its number in the house.
    pub id: ProposalId,
    /// Where it is.
    pub status: ProposalStatus,
    /// The service of the library.
    pub service: Service,
    /// The library.
    #[schemars(with = "String")]
    pub instance_id: InstanceId,
    /// What the house called the library then.
    pub instance_name: String,
    /// The profile.
    pub profile_id: i64,
    /// What the profile was called then.
    pub profile_name: String,
    /// Who proposed it.
    pub proposed_by_name: String,
    /// By which assistant: `MCP: <label of the key>`. What a key is called is its holder's own word and nothing that was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_client: Option<String>,
    /// The differences in lines.
    pub diff: Vec<String>,
    /// When it was proposed.
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// From when on it cannot be approved.
    #[schemars(with = "String")]
    pub expires_at: Timestamp,
    /// Who decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by_name: Option<String>,
    /// When it was decided, replaced or expired.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub decided_at: Option<Timestamp>,
    /// What the admin who said no wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reject_note: Option<String>,
    /// What became of it, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_text: Option<String>,
    /// Its entry in the configuration history, where something was or may have been written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setting_change_id: Option<ChangeId>,
    /// Whether it could be carried out now; only where a single pending one is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_status: Option<ProposalState>,
}
