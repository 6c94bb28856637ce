//! The people of a house, and what their role lets them do.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use playhouse_store::{Path, Record};
use serde::{Deserialize, Serialize};

use crate::ids::AccountId;

/// What a person of a house may do beside what a key's scopes allow. A call needs both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Runs the house: also what a key of no account acts as, since only the operator or an admin can make one.
    #[default]
    Admin,
    /// Uses it.
    User,
}

impl Role {
    /// The role's name, as lists and the command line spell it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::Admin => "admin",
            Role::User => "user",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// There is no role of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no role `{0}`; the roles are admin and user")]
pub struct UnknownRole(pub String);

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Role::Admin, Role::User]
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or_else(|| UnknownRole(text.to_owned()))
    }
}

/// One person of a house.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// What the house calls this person.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// When it was made.
    pub created_at: Timestamp,
}

impl Record for Account {
    const FORMAT: u16 = 1;
    const KIND: &'static str = "account";
}

/// Where a house keeps its accounts; [`account_path`] names one of them.
pub const ACCOUNTS: Path = Path::literal("account");

/// Where the account `id` lies in its house.
pub fn account_path(id: AccountId) -> Path {
    ACCOUNTS.join(id).expect("an id is hexadecimal digits and hyphens, which is a segment")
}
