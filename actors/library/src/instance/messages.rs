//! What can be asked of a house's instances, and what comes back.

use std::fmt;

use jiff::Timestamp;
use playhouse_house::AccountId;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::connection::{Connected, ConnectionFault};
use super::{InstanceId, InstanceSummary};
use crate::client::{BaseUrlFault, KeyFault};
use crate::service::Service;

/// Most instances in one house.
pub const MAX_INSTANCES_A_HOUSE: usize = 64;

/// Longest name of an instance, in characters.
pub(super) const MAX_NAME_CHARS: usize = 80;

/// Longest address of an instance, in bytes.
pub(super) const MAX_URL_BYTES: usize = 2_000;

/// Longest API key, in bytes. The services' own have 32.
pub(super) const MAX_KEY_BYTES: usize = 256;

/// Most accounts that one instance can be granted to.
pub const MAX_GRANTS: usize = 1_000;

/// An API key on its way to the actor. `Debug` prints only its name.
#[derive(Clone)]
pub struct KeyText(SecretString);

impl KeyText {
    /// The key, unless it is blank: a form that was not filled in means the key that is kept.
    pub fn unless_blank(self) -> Option<Self> {
        (!self.0.expose_secret().trim().is_empty()).then_some(self)
    }

    pub(super) fn reveal(&self) -> &str {
        self.0.expose_secret()
    }
}

impl From<String> for KeyText {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl fmt::Debug for KeyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyText")
    }
}

impl Serialize for KeyText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.reveal())
    }
}

impl<'de> Deserialize<'de> for KeyText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

/// Adds an instance once its connection was tested. Repeating it adds another.
#[derive(Debug, Serialize, Deserialize)]
pub struct AddInstance {
    /// Its service, for good.
    pub service: Service,
    /// What the house calls it.
    pub name: String,
    /// Where it is.
    pub base_url: String,
    /// Its API key.
    pub api_key: KeyText,
    /// Its place among those of its service.
    pub sort_order: i32,
    /// Whether calls that name none go to it; then no other of its service has the flag. Dropped for a service that has none.
    pub is_default: bool,
}

/// Changes an instance. What is absent stays. A new address or key is tested before it is kept; what does not touch the connection needs no
/// instance that answers. An address at another scheme, host or port comes with its key. Repeating it changes nothing further.
#[derive(Debug, Serialize, Deserialize)]
pub struct EditInstance {
    /// Which.
    pub id: InstanceId,
    /// Its service as the caller knows it; another one is refused.
    pub service: Option<Service>,
    /// Its new name.
    pub name: Option<String>,
    /// Its new address.
    pub base_url: Option<String>,
    /// Its new API key.
    pub api_key: Option<KeyText>,
    /// Its new place.
    pub sort_order: Option<i32>,
    /// Whether calls that name none go to it.
    pub is_default: Option<bool>,
}

/// Removes an instance with its key and its grants. It is unknown from the next call on.
#[derive(Debug, Serialize, Deserialize)]
pub struct RemoveInstance {
    /// Which.
    pub id: InstanceId,
}

/// Has calls that name no instance of its service go to this one. Repeating it changes nothing further.
#[derive(Debug, Serialize, Deserialize)]
pub struct SetDefaultInstance {
    /// Which.
    pub id: InstanceId,
}

/// Grants an instance to an account, or takes the grant back. Repeating it changes nothing further.
#[derive(Debug, Serialize, Deserialize)]
pub struct GrantInstance {
    /// Which.
    pub id: InstanceId,
    /// To whom.
    pub account: AccountId,
    /// Whether it is granted from now on.
    pub granted: bool,
}

/// Tests a connection. Nothing is kept.
#[derive(Debug, Serialize, Deserialize)]
pub enum TestConnection {
    /// One that is not kept yet.
    New {
        /// The service it should be.
        service: Service,
        /// Where it is.
        base_url: String,
        /// Its API key.
        api_key: KeyText,
    },
    /// One that is kept, perhaps with another address or key.
    Kept {
        /// Which.
        id: InstanceId,
        /// An address to try in place of the one kept; with its key where scheme, host or port differ.
        base_url: Option<String>,
        /// A key to try in place of the one kept.
        api_key: Option<KeyText>,
    },
}

/// Asks for the house's instances, by service, place, name and id.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListInstances {}

/// Asks for the house's instances as those see them who manage them.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListInstanceDetails {}

/// An instance as those see it who manage it: with its address, and never with its key.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstanceDetails {
    /// What everybody sees.
    #[serde(flatten)]
    pub summary: InstanceSummary,
    /// Where it is.
    pub base_url: String,
    /// Whether it has the default flag. An instance without it is the default too where none of its service has it and it is the first.
    pub is_flagged_default: bool,
    /// The accounts that were granted it.
    pub granted_to: Vec<AccountId>,
    /// When it was added.
    pub added_at: Timestamp,
}

impl fmt::Debug for InstanceDetails {
    /// Without the address.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InstanceDetails").field("summary", &self.summary).finish_non_exhaustive()
    }
}

/// An instance that was added or changed, and what its test found. No test was due where neither address nor key was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptInstance {
    /// It.
    pub details: InstanceDetails,
    /// What answered.
    pub connected: Option<Connected>,
}

/// Why a house's instances were not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstancesError {
    /// There is no such instance in this house.
    #[error("this house has no such instance; list its instances to see their ids")]
    NoSuchInstance,
    /// There is no such account in this house.
    #[error("this house has no such account; list its accounts to see their ids")]
    NoSuchAccount,
    /// The house has as many as it may.
    #[error("this house has {MAX_INSTANCES_A_HOUSE} instances, the most it may have; remove one first")]
    TooMany,
    /// The instance is granted to as many accounts as it may.
    #[error("this instance is granted to {MAX_GRANTS} accounts, the most there may be; take one back first")]
    TooManyGrants,
    /// The name is empty, too long, or holds control characters.
    #[error("the name must have 1 to {MAX_NAME_CHARS} characters, none of them a control character")]
    Name,
    /// The address is none.
    #[error(transparent)]
    Url(#[from] UrlFault),
    /// The API key is none.
    #[error("{words}")]
    Key {
        /// What is wrong with it.
        words: String,
    },
    /// An instance keeps its service for good.
    #[error("an instance keeps its service: this one is {kept}; add another instance for {asked}")]
    ServiceIsFixed {
        /// Its service.
        kept: Service,
        /// The one asked for.
        asked: Service,
    },
    /// The service has no default flag.
    #[error(
        "{service} has no default flag: its first instance by sort_order is the default; give this one the lowest sort_order"
    )]
    NoDefaultFlag {
        /// Which service.
        service: Service,
    },
    /// What is kept cannot be opened, and no other key was given.
    #[error("the API key of this instance cannot be opened any more; enter it again")]
    Unopened,
    /// The address is at another scheme, host or port than the one kept, and no key was given for it. Nothing was sent there.
    #[error("another address needs the API key again; give both together")]
    KeyNeeded,
    /// Address or key were changed by somebody else while the connection was tested.
    #[error(
        "address or API key of this instance were changed while the connection was tested, so nothing was changed; look at it and try again"
    )]
    ChangedMeanwhile,
    /// The test failed, so nothing was kept.
    #[error("connection test failed: {0}")]
    NotConnected(#[from] ConnectionFault),
    /// The caller stopped waiting before the test ended.
    #[error("the connection test took too long, so nothing was changed; try again")]
    TooLate,
    /// The store did not take the change, or did not say whether it did.
    #[error("{words}")]
    Store {
        /// What the store says.
        words: String,
    },
}

/// What is wrong with an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UrlFault {
    /// It is too long.
    #[error("the address must have at most {MAX_URL_BYTES} bytes")]
    TooLong,
    /// It has not the form of one.
    #[error(transparent)]
    Form(#[from] BaseUrlFault),
}

impl From<KeyFault> for InstancesError {
    fn from(fault: KeyFault) -> Self {
        InstancesError::Key { words: fault.to_string() }
    }
}
