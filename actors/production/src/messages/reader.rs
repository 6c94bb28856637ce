//! Who asks and who writes, as the office needs to know it.

use playhouse_house::{CredentialId, Principal, Scope, Scopes};
use serde::{Deserialize, Serialize};

use super::OfficeRefusal;
use crate::model::EngagementId;

/// Who asks: what they may do, and how far they see. Doors make it from the principal of a checked key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Reader {
    /// The engagement the key is bound to; `None` for production-wide keys.
    pub engagement: Option<EngagementId>,
    /// What the key may do.
    pub scopes: Scopes,
}

impl Reader {
    /// The reader behind a production-wide key with these scopes.
    pub const fn wide(scopes: Scopes) -> Self {
        Self { engagement: None, scopes }
    }

    /// The reader behind a key that is bound to `engagement`.
    pub const fn bound(engagement: EngagementId, scopes: Scopes) -> Self {
        Self { engagement: Some(engagement), scopes }
    }

    /// Refuses a key without `scope`.
    ///
    /// # Errors
    /// 403 naming the scope.
    pub fn require(&self, scope: Scope) -> Result<(), OfficeRefusal> {
        if self.scopes.contains(scope) { Ok(()) } else { Err(OfficeRefusal::scope(scope)) }
    }

    /// Refuses a key that is bound to an engagement, for endpoints that speak of the whole production.
    ///
    /// # Errors
    /// 403 in the words of the door.
    pub fn require_wide(&self) -> Result<(), OfficeRefusal> {
        if self.engagement.is_none() { Ok(()) } else { Err(OfficeRefusal::door()) }
    }
}

impl From<&Principal> for Reader {
    /// A TV's token has none of the office's scopes, so it passes no door of the office whatever it is taken for here.
    fn from(principal: &Principal) -> Self {
        Self { engagement: principal.engagement(), scopes: principal.scopes }
    }
}

/// Who writes. The label of a key is looked up where the change is written, so that no door has to know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Writer {
    /// The holder of an access key.
    Key {
        /// Which.
        credential: CredentialId,
        /// What it may do, and how far it sees.
        reader: Reader,
    },
    /// A signed-in person, or the operator at the command line: may do everything.
    Person {
        /// Their name.
        name: String,
    },
    /// This service itself.
    System,
}

impl Writer {
    /// The writer behind a checked key.
    pub fn of(principal: &Principal) -> Self {
        Writer::Key { credential: principal.credential, reader: Reader::from(principal) }
    }

    /// What the writer sees and may do; `None` for those who may do everything.
    pub fn reader(&self) -> Option<&Reader> {
        match self {
            Writer::Key { reader, .. } => Some(reader),
            Writer::Person { .. } | Writer::System => None,
        }
    }

    /// The key that writes, if one does.
    pub fn credential(&self) -> Option<CredentialId> {
        match self {
            Writer::Key { credential, .. } => Some(*credential),
            Writer::Person { .. } | Writer::System => None,
        }
    }

    /// The engagement the writer is bound to.
    pub fn engagement(&self) -> Option<EngagementId> {
        self.reader().and_then(|reader| reader.engagement)
    }

    /// Refuses a key without `scope`.
    ///
    /// # Errors
    /// 403 naming the scope.
    pub fn require(&self, scope: Scope) -> Result<(), OfficeRefusal> {
        self.reader().map_or(Ok(()), |reader| reader.require(scope))
    }

    /// Refuses a key that is bound to an engagement.
    ///
    /// # Errors
    /// 403 in the words of the door.
    pub fn require_wide(&self) -> Result<(), OfficeRefusal> {
        self.reader().map_or(Ok(()), Reader::require_wide)
    }
}
