//! The TVs of one house: which there are, what they are called, and whose tokens open them.
//!
//! The actor is the only writer of its house's TV records and TV tokens. Like the house's own actor it keeps nothing in memory: every
//! change is committed first, all of it in one commit, then shown to the [`TvDirectory`](crate::TvDirectory) and the key ring, then
//! answered. A removal therefore bites on the very next call.

mod actor;
mod changes;

#[cfg(test)]
mod tests;

use jiff::Timestamp;
use playhouse_house::{Credential, PlainKey, TvId};
use serde::{Deserialize, Serialize};

pub use actor::{CreatedDeviceToken, DevicesActor, DevicesServices};

use crate::name::DeviceName;

/// Most TVs in one house.
pub const MAX_TVS_A_HOUSE: usize = 500;

/// Most assistants' tokens of one TV. All are taken along in one commit when the TV is removed.
pub const MAX_TOKENS_A_TV: usize = 50;

/// Adds a TV. Repeating it with the same TV is [`DevicesError::AlreadyPaired`].
#[derive(Debug, Serialize, Deserialize)]
pub struct AddDevice {
    /// The new TV's id, which the caller drew.
    pub tv: TvId,
    /// Its name; the first free default when absent.
    pub name: Option<DeviceName>,
    /// The token its bridge app has already.
    pub bridge: Credential,
}

/// Gives a TV of this house another bridge token, because the app on it was reset. Its id, its name and its assistants' tokens stay; the old
/// bridge token is revoked.
#[derive(Debug, Serialize, Deserialize)]
pub struct RepairDevice {
    /// Which TV.
    pub name: DeviceName,
    /// The token its bridge app has now.
    pub bridge: Credential,
}

/// A TV that was added or paired again, with a new token for an assistant, shown this once.
#[derive(Debug, Serialize, Deserialize)]
pub struct AddedDevice {
    /// The TV.
    pub device: DeviceSummary,
    /// The assistant's token.
    pub token: PlainKey,
}

/// Gives a TV another name. Repeating it changes nothing further.
#[derive(Debug, Serialize, Deserialize)]
pub struct RenameDevice {
    /// Which TV.
    pub tv: TvId,
    /// Its new name.
    pub name: DeviceName,
}

/// Removes a TV: its socket is closed and all its tokens are dead. To have it back it must be paired anew, at the TV.
#[derive(Debug, Serialize, Deserialize)]
pub struct RemoveDevice {
    /// Which TV.
    pub tv: TvId,
}

/// Makes one more assistant's token for a TV. Repeating it makes another.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateDeviceToken {
    /// Which TV.
    pub tv: TvId,
    /// What people call the token.
    pub label: String,
}

/// Revokes all assistants' tokens of a TV; answers how many. The bridge's own stays, so nobody has to walk to the TV.
#[derive(Debug, Serialize, Deserialize)]
pub struct RevokeDeviceTokens {
    /// Which TV.
    pub tv: TvId,
}

/// Asks for the house's TVs, sorted by name.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListDevices {}

/// A TV as lists show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceSummary {
    /// Its id.
    pub id: TvId,
    /// Its name.
    pub name: DeviceName,
    /// When it was first paired.
    pub paired_at: Timestamp,
    /// Whether it is connected.
    pub online: bool,
}

/// Why the house's TVs were not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum DevicesError {
    /// Another TV of the house has the name.
    #[error("this house has a TV called `{name}` already; `{suggestion}` is free")]
    NameTaken {
        /// The name.
        name: DeviceName,
        /// A name that is free.
        suggestion: DeviceName,
    },
    /// There is no such TV in this house.
    #[error("this house has no such TV; list its TVs to see their names")]
    NoSuchTv,
    /// The TV is in the house already.
    #[error("this TV is in the house already")]
    AlreadyPaired,
    /// The house has as many TVs as it may.
    #[error("this house has {MAX_TVS_A_HOUSE} TVs, the most it may have; remove one first")]
    TooManyTvs,
    /// The TV has as many assistants' tokens as it may.
    #[error("this TV has {MAX_TOKENS_A_TV} assistants' tokens, the most it may have; revoke the old ones first")]
    TooManyTokens,
    /// The store did not take the change, or did not say whether it did.
    #[error("{words}")]
    Store {
        /// What the store says.
        words: String,
    },
}
