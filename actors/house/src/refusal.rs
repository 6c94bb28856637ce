//! Why a credential did not open a door.

use serde::{Deserialize, Serialize};

use crate::scope::Scope;

/// A key refusal in the words, and with the status, that every door gives it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum KeyRefusal {
    /// No `Authorization: Bearer` at all, or another scheme.
    #[error("Missing access key.")]
    Missing,
    /// Malformed, unknown, of the wrong family, or the secret is wrong: one answer for all, so that nothing can be told from it.
    #[error("Invalid access key.")]
    Invalid,
    /// The secret is right, but the key was revoked.
    #[error("This access key was revoked.")]
    Revoked,
    /// The secret is right, but the key's time is over.
    #[error("This access key has expired.")]
    Expired,
    /// The key is good, but not for this.
    #[error("This key does not have the '{0}' scope.")]
    Scope(#[serde(with = "scope_name")] Scope),
    /// The key is bound to an engagement that is not active at present.
    #[error("This key's engagement is not active.")]
    EngagementNotActive,
    /// The key is bound to an engagement, and this is for the whole production only.
    #[error("This key is bound to an engagement and cannot use this endpoint.")]
    EngagementDoor,
}

impl KeyRefusal {
    /// The HTTP status that every door answers with.
    pub const fn status(&self) -> u16 {
        match self {
            KeyRefusal::Missing | KeyRefusal::Invalid | KeyRefusal::Revoked | KeyRefusal::Expired => 401,
            KeyRefusal::Scope(_) | KeyRefusal::EngagementNotActive | KeyRefusal::EngagementDoor => 403,
        }
    }
}

mod scope_name {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::scope::Scope;

    pub(super) fn serialize<S: Serializer>(scope: &Scope, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(scope.as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Scope, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(Error::custom)
    }
}
