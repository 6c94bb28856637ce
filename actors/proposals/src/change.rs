//! An entry of the configuration history, as it is shown.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use playhouse_house::AccountId;
use playhouse_library::settings::{FieldChange, LiveState};
use playhouse_library::{InstanceId, Service};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A change's number in its house: 1, 2, 3 …
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ChangeId(pub u64);

impl fmt::Display for ChangeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for ChangeId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// By which way a change came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeSource {
    /// The app's own chat.
    AiChat,
    /// Somebody's own assistant, over MCP.
    ExternalMcp,
    /// The server itself.
    System,
    /// An admin who put something back.
    AdminRevert,
}

/// What was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResourceType {
    /// A quality profile.
    QualityProfile,
    /// A custom format.
    CustomFormat,
}

/// What was done to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// A stored one was changed.
    Update,
    /// A new one was made (formats).
    Create,
    /// A stored one was put back (profiles).
    Revert,
}

/// What is known of a change. Only `Executing` goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeStatus {
    /// It is about to be sent, or was sent and is not read back yet.
    Executing,
    /// It was read back.
    Applied,
    /// The service refused it, so nothing was changed.
    Failed,
    /// It may have been applied: compare with the live values.
    OutcomeUnknown,
}

/// One change as admins see it. Snapshots, digests and what it was bound to never leave the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeRecord {
    /// Its number in the house.
    pub id: ChangeId,
    /// Of a restore, the change that it took back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<ChangeId>,
    /// The account it was made for; absent where the key belongs to nobody in particular.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub actor_user_id: Option<AccountId>,
    /// Their name then.
    pub actor_name: String,
    /// By which way it came.
    pub source: ChangeSource,
    /// The service of the library.
    pub service_type: Service,
    /// The library.
    #[schemars(with = "String")]
    pub instance_id: InstanceId,
    /// What the house called the library then.
    pub instance_name: String,
    /// What was changed.
    pub resource_type: ResourceType,
    /// Its id in the library, or `name:<n>` while a new format has none.
    pub resource_id: String,
    /// What it was called then.
    pub resource_name: String,
    /// What was done to it.
    pub operation: Operation,
    /// What is known of it.
    pub status: ChangeStatus,
    /// The operation in a sentence. It was written before the outcome was known and claims none.
    pub summary: String,
    /// The differences; empty in lists.
    pub changes: Vec<FieldChange>,
    /// Why it failed, or why its outcome is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_text: Option<String>,
    /// When it was about to be sent.
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// When its outcome was known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub completed_at: Option<Timestamp>,
    /// How the library compares now; only where a single change is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_status: Option<LiveState>,
    /// What a reader must know of the comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_error: Option<String>,
    /// Whether it can be put back now. False in lists.
    pub can_revert: bool,
}
