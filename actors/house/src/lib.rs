//! Who may do what: houses, their people, access keys and TV tokens, scopes, what is switched off, and the principal that a checked credential stands for.
//!
//! The way of a credential:
//!
//! 1. [`KeyText`] reads the text a caller presents (`ph_…` or `pht_…`) and checks its shape without any look-up.
//! 2. [`KeyRing::check`] finds the credential by its id, compares the secret's hash in constant time and answers a [`Principal`].
//! 3. Doors hand the principal on; actors and tools ask it for scopes and reach. No request body ever names a house.
//!
//! [`Sealer`] keeps what must come back as it was, such as the API key of a house's Radarr.
//!
//! [`HouseActor`] is the only writer of a house's keys. It changes the [`KeyRing`] before it answers, so a revocation bites on the very
//! next call at every door.

mod account;
mod credential;
mod engagement;
mod house;
mod ids;
mod key_ring;
mod key_text;
mod last_used;
mod load;
mod people;
mod principal;
mod refusal;
mod scope;
mod sealing;
mod switches;
mod switching;

pub use account::{ACCOUNTS, Account, Role, UnknownRole, account_path};
pub use credential::{CREDENTIALS, Credential, CredentialKind, KeySummary, Minted, credential_path, mint};
pub use engagement::{ENGAGEMENTS, EngagementStanding, engagement_path};
pub use house::{
    CreateKey, CreatedKey, GetHouse, HouseActor, HouseError, HouseRecord, HouseServices, HouseSummary, ListKeys,
    RenameHouse, RevokeKey, house_path, open_house,
};
pub use ids::{AccountId, CredentialId, EngagementId, TvId};
pub use key_ring::{CredentialUse, KeyRing, UsedVia};
pub use key_text::{KeyPrefix, KeyText, MalformedKey, PlainKey};
pub use last_used::{LastUsed, write_last_used};
pub use load::{LoadReport, load, load_house};
pub use people::{CreateAccount, ListAccounts, RemoveAccount, SetRole};
pub use playhouse_store::{Clock, system_clock};
pub use principal::{Caller, Principal, TvGrant};
pub use refusal::KeyRefusal;
pub use scope::{Scope, Scopes, UnknownScope};
pub use sealing::{SealError, Sealed, Sealer};
pub use switches::{DisabledTools, ToolSwitches};
pub use switching::SwitchTool;
