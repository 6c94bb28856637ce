//! One credential as it is kept: everything but the secret.

use jiff::Timestamp;
use playhouse_bus::HouseId;
use playhouse_store::{Path, Record};
use rand::Rng;
use serde::{Deserialize, Serialize};

use crate::account::Role;
use crate::ids::{AccountId, CredentialId, EngagementId, TvId};
use crate::key_text::{KeyPrefix, PlainKey};
use crate::principal::{Caller, Principal, TvGrant};
use crate::scope::{Scope, Scopes};

/// A stored credential. It holds the SHA-256 of the secret, never the secret: 256 random bits need no slow hash, which would only
/// slow every call.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credential {
    /// The public part.
    pub id: CredentialId,
    /// Whose it is and what it reaches.
    pub kind: CredentialKind,
    /// What people call it.
    pub label: String,
    /// What it may do.
    pub scopes: Scopes,
    /// SHA-256 of the secret.
    pub secret_hash: [u8; 32],
    /// When it was made.
    pub created_at: Timestamp,
    /// When it stops opening doors; never, if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When it was revoked, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
}

impl std::fmt::Debug for Credential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credential").field("id", &self.id).field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// Whose a credential is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "of")]
pub enum CredentialKind {
    /// An access key of the house, or the operator's in the instance's own partition.
    Key {
        /// The TVs it reaches.
        tvs: TvGrant,
        /// The person it belongs to; one that belongs to nobody acts as an admin.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        account: Option<AccountId>,
        /// The engagement it is bound to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        engagement: Option<EngagementId>,
    },
    /// The assistant's token for one TV.
    TvAssistant {
        /// That TV.
        tv: TvId,
    },
    /// The token with which the TV's bridge app dials in.
    TvBridge {
        /// That TV.
        tv: TvId,
    },
}

impl Record for Credential {
    // 2: keys of an account and keys bound to an engagement. A program that knows 1 only would let them do too much.
    const FORMAT: u16 = 2;
    const KIND: &'static str = "credential";
}

/// Where a house keeps its credentials; [`credential_path`] names one of them.
pub const CREDENTIALS: Path = Path::literal("credential");

/// Where the credential `id` lies in its house.
pub fn credential_path(id: CredentialId) -> Path {
    CREDENTIALS.join(id).expect("an id is ten letters and digits, which is a segment")
}

impl CredentialKind {
    /// An access key that belongs to no account and is bound to no engagement.
    pub const fn key(tvs: TvGrant) -> Self {
        CredentialKind::Key { tvs, account: None, engagement: None }
    }

    /// The letters that keys of this kind start with.
    pub const fn prefix(&self) -> KeyPrefix {
        match self {
            CredentialKind::Key { .. } => KeyPrefix::Access,
            CredentialKind::TvAssistant { .. } | CredentialKind::TvBridge { .. } => KeyPrefix::Tv,
        }
    }
}

impl Credential {
    /// The principal a holder of this credential is in `house`.
    pub fn principal(&self, house: HouseId) -> Principal {
        let caller = match &self.kind {
            CredentialKind::Key { tvs, account, engagement } => {
                Caller::Key { tvs: tvs.clone(), account: *account, engagement: *engagement }
            }
            CredentialKind::TvAssistant { tv } | CredentialKind::TvBridge { tv } => Caller::Tv(*tv),
        };
        // Who belongs to an account gets its role from the key ring at each check.
        Principal { house, credential: self.id, caller, scopes: self.scopes, role: Role::Admin }
    }

    /// What lists show of it: never the hash.
    pub fn summary(&self) -> KeySummary {
        KeySummary {
            id: self.id,
            kind: self.kind.clone(),
            label: self.label.clone(),
            scopes: self.scopes,
            created_at: self.created_at,
            expires_at: self.expires_at,
            revoked_at: self.revoked_at,
            last_used_at: None,
        }
    }
}

/// A credential as lists show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeySummary {
    /// The public part.
    pub id: CredentialId,
    /// Whose it is and what it reaches.
    pub kind: CredentialKind,
    /// What people call it.
    pub label: String,
    /// What it may do.
    pub scopes: Scopes,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it stops opening doors; never, if absent.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked, if it was.
    pub revoked_at: Option<Timestamp>,
    /// When it last opened a door.
    pub last_used_at: Option<Timestamp>,
}

/// A new credential and, this once, its text.
#[derive(Debug)]
pub struct Minted {
    /// What is to be stored.
    pub credential: Credential,
    /// What is to be handed over.
    pub plain: PlainKey,
}

/// Makes a credential. Nothing is stored: the caller commits it, then tells the key ring, then hands out the text.
///
/// TV tokens always have exactly the scope `tv`; `scopes` counts for access keys only.
pub fn mint(kind: CredentialKind, label: String, scopes: Scopes, now: Timestamp, rng: &mut impl Rng) -> Minted {
    let id = CredentialId::draw(rng);
    let prefix = kind.prefix();
    let scopes = match prefix {
        KeyPrefix::Access => scopes,
        KeyPrefix::Tv => Scopes::of(&[Scope::Tv]),
    };
    let (plain, secret_hash) = PlainKey::draw(prefix, id, rng);
    let credential =
        Credential { id, kind, label, scopes, secret_hash, created_at: now, expires_at: None, revoked_at: None };
    Minted { credential, plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_prints_neither_label_nor_hash() {
        let minted = mint(
            CredentialKind::key(TvGrant::All),
            "Ada's laptop".to_owned(),
            Scopes::of(&[Scope::Tv]),
            Timestamp::UNIX_EPOCH,
            &mut rand::rng(),
        );
        let printed = format!("{minted:?}");
        assert!(!printed.contains("laptop") && !printed.contains("hash"), "{printed}");
    }

    #[test]
    fn a_tv_token_never_has_more_than_the_tv_scope() {
        let tv = TvId::from_uuid(uuid::Uuid::nil());
        let every = Scopes::of(&Scope::ALL);
        for kind in [CredentialKind::TvAssistant { tv }, CredentialKind::TvBridge { tv }] {
            let minted = mint(kind, String::new(), every, Timestamp::UNIX_EPOCH, &mut rand::rng());
            assert_eq!(minted.credential.scopes, Scopes::of(&[Scope::Tv]));
        }
    }
}
