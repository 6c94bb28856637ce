//! What a checked credential means for one call.

use playhouse_bus::HouseId;
use serde::{Deserialize, Serialize};

use crate::account::Role;
use crate::ids::{AccountId, CredentialId, EngagementId, TvId};
use crate::refusal::KeyRefusal;
use crate::scope::{Scope, Scopes};

/// Who calls, for which house, and how far that reaches. Doors make it from a credential; nothing in a request body can change it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Principal {
    /// The house everything of this call belongs to.
    pub house: HouseId,
    /// The credential that was presented.
    pub credential: CredentialId,
    /// What kind of caller holds it.
    pub caller: Caller,
    /// What it may do.
    pub scopes: Scopes,
    /// The role of the person it stands for, as it is at this call.
    pub role: Role,
}

/// What kind of caller a principal is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Caller {
    /// Holder of an access key, with the TVs it was granted.
    Key {
        /// Which of the house's TVs the key reaches.
        tvs: TvGrant,
        /// The person it belongs to, where it belongs to one.
        account: Option<AccountId>,
        /// The engagement it is bound to: the production office shows it that engagement's part and nothing else.
        engagement: Option<EngagementId>,
    },
    /// Holder of a TV token: that one TV and nothing else.
    Tv(TvId),
}

/// Which TVs of its house an access key reaches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum TvGrant {
    /// All, also those paired later.
    #[default]
    All,
    /// These only.
    Only(Vec<TvId>),
}

impl Principal {
    /// Whether this caller reaches `tv` of its own house.
    pub fn reaches(&self, tv: TvId) -> bool {
        match &self.caller {
            Caller::Tv(own) => *own == tv,
            Caller::Key { tvs: TvGrant::All, .. } => true,
            Caller::Key { tvs: TvGrant::Only(granted), .. } => granted.contains(&tv),
        }
    }

    /// The engagement this caller is bound to, if it is bound to one.
    pub const fn engagement(&self) -> Option<EngagementId> {
        match &self.caller {
            Caller::Key { engagement, .. } => *engagement,
            Caller::Tv(_) => None,
        }
    }

    /// The person this caller stands for, where its key belongs to one.
    pub const fn account(&self) -> Option<AccountId> {
        match &self.caller {
            Caller::Key { account, .. } => *account,
            Caller::Tv(_) => None,
        }
    }

    /// Refuses a caller without `scope`.
    ///
    /// # Errors
    /// [`KeyRefusal::Scope`] naming the scope that is missing.
    pub fn require(&self, scope: Scope) -> Result<(), KeyRefusal> {
        if self.scopes.contains(scope) { Ok(()) } else { Err(KeyRefusal::Scope(scope)) }
    }
}
