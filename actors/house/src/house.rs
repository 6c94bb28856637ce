//! One house: its name and its access keys.
//!
//! The actor is the only writer of its house's access keys. It keeps nothing in memory but its address: keys are made and revoked
//! seldom, and reading them anew each time means that a restart has nothing to lose. Every change is committed first, then put on the
//! [`KeyRing`], then answered: a revocation bites on the very next call.

use jiff::Timestamp;
use playhouse_bus::{ActorId, ActorKey, ActorKind, Answer, Behaviour, CallInfo, Handle, HouseId, Message, StartError};
use playhouse_store::{
    Clock, CommitError, Expect, Key, Path, Record, SharedStore, StoreError, Version, put, read, scan_all,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::account::{Account, account_path};
use crate::credential::{CREDENTIALS, Credential, CredentialKind, KeySummary, Minted, credential_path, mint};
use crate::engagement::{EngagementStanding, engagement_path};
use crate::ids::{AccountId, CredentialId, EngagementId};
use crate::key_ring::KeyRing;
use crate::key_text::PlainKey;
use crate::principal::TvGrant;
use crate::scope::{Scope, Scopes};
use crate::switches::{DisabledTools, ToolSwitches};

/// Where a house keeps what it is.
pub(crate) const HOUSE: Path = Path::literal("house");

/// How many keys and tokens a house may have, revoked ones included.
const MAX_CREDENTIALS: usize = 2_000;

/// How many people a house may have.
pub(crate) const MAX_ACCOUNTS: usize = 500;

/// Longest label of a key and longest name of a house, in characters.
const MAX_NAME_CHARS: usize = 80;

/// What is kept of a house itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HouseRecord {
    /// What its people and the operator call it.
    pub name: String,
    /// When it was opened.
    pub created_at: Timestamp,
    /// The tools nobody of this house may call, by listed name.
    #[serde(default, skip_serializing_if = "DisabledTools::are_none")]
    pub disabled_tools: DisabledTools,
}

impl Record for HouseRecord {
    // 2: tools switched off. A program that knows 1 only would run them.
    const FORMAT: u16 = 2;
    const KIND: &'static str = "house";
}

/// Where the record of a house lies in its own partition.
pub const fn house_path() -> Path {
    HOUSE
}

/// Makes an access key for this house. Repeating it makes another key.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateKey {
    /// What people call it; 1 to 80 characters.
    pub label: String,
    /// What it may do; at least one scope.
    pub scopes: Scopes,
    /// Which TVs it reaches.
    pub tvs: TvGrant,
    /// The person it belongs to; a key of nobody acts as an admin.
    pub account: Option<AccountId>,
    /// The engagement it is bound to. Such a key has production scopes only, and not `write`.
    pub engagement: Option<EngagementId>,
    /// When it ends; never, if absent.
    pub expires_at: Option<Timestamp>,
}

/// A new key; its text is shown this once.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreatedKey {
    /// The text to hand over.
    pub plain: PlainKey,
    /// What lists will show of it.
    pub summary: KeySummary,
}

/// Revokes a key or a TV token of this house. Revoking again answers the first revocation.
#[derive(Debug, Serialize, Deserialize)]
pub struct RevokeKey {
    /// Which one.
    pub id: CredentialId,
}

/// Lists the keys and tokens of this house, revoked ones included, by id.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListKeys {}

/// Gives the house another name. Repeating it changes nothing further.
#[derive(Debug, Serialize, Deserialize)]
pub struct RenameHouse {
    /// The new name; 1 to 80 characters.
    pub name: String,
}

/// Asks what the house is.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetHouse {}

/// What a house is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HouseSummary {
    /// Its id.
    pub id: HouseId,
    /// Its name.
    pub name: String,
    /// When it was opened.
    pub created_at: Timestamp,
}

/// Why a house did not do as told. Nothing was changed, except where it says that this is unknown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum HouseError {
    /// The label or name is empty, too long, or holds control characters.
    #[error("a {what} has 1 to {MAX_NAME_CHARS} characters and no control characters")]
    BadName {
        /// "label" or "name".
        what: String,
    },
    /// A key without any scope could do nothing.
    #[error("name at least one scope for the key")]
    NoScopes,
    /// The operator's scope is not a house's to give, and an operator's key gets no other.
    #[error("the scope 'operator' goes with the operator's own keys and with no other scope")]
    OperatorScope,
    /// The key would be dead on arrival.
    #[error("the key would have expired already; give a time in the future")]
    AlreadyExpired,
    /// An empty list of TVs.
    #[error("name at least one TV, or grant them all")]
    NoTvs,
    /// The house has as many credentials as it may.
    #[error(
        "this house has {MAX_CREDENTIALS} keys and tokens, the most it may have; remove the house's old TVs or use another house"
    )]
    TooMany,
    /// An engagement sees and submits its own part of a production and changes nothing else.
    #[error("a key bound to an engagement may have the scopes read, read:money and submit:turnover only")]
    EngagementScopes,
    /// There is no such engagement in this house.
    #[error("Engagement not found.")]
    NoSuchEngagement,
    /// There is no such person in this house.
    #[error("Account not found.")]
    NoSuchAccount,
    /// The house has as many accounts as it may.
    #[error("this house has {MAX_ACCOUNTS} accounts, the most it may have; remove one first")]
    TooManyAccounts,
    /// No tool is called that.
    #[error("`{0}` is no tool's name: 1 to 64 letters, digits, _ and -")]
    NoToolName(String),
    /// There is no such key in this house.
    #[error("Key not found.")]
    NoSuchKey,
    /// The store did not take the change, or did not say whether it did.
    #[error("{0}")]
    Store(String),
}

impl From<StoreError> for HouseError {
    fn from(error: StoreError) -> Self {
        HouseError::Store(error.to_string())
    }
}

impl From<CommitError> for HouseError {
    fn from(error: CommitError) -> Self {
        HouseError::Store(error.to_string())
    }
}

impl From<playhouse_store::RecordError> for HouseError {
    fn from(error: playhouse_store::RecordError) -> Self {
        HouseError::Store(error.to_string())
    }
}

/// What every house's actor is started with.
#[derive(Clone)]
pub struct HouseServices {
    /// Where houses are kept.
    pub store: SharedStore,
    /// The credentials in memory.
    pub key_ring: KeyRing,
    /// What houses have switched off, in memory.
    pub switches: ToolSwitches,
    /// The time of day.
    pub clock: Clock,
}

/// One house. [`HouseId::INSTANCE`] is the operator's own: it has keys and no name.
pub struct HouseActor {
    pub(crate) house: HouseId,
    pub(crate) services: HouseServices,
}

impl HouseActor {
    /// The address of `house`.
    pub const fn key(house: HouseId) -> ActorKey {
        ActorKey { house, kind: ActorKind::House, id: ActorId::ONLY }
    }
}

impl Behaviour for HouseActor {
    const KIND: ActorKind = ActorKind::House;
    type Services = HouseServices;

    async fn start(key: ActorKey, services: HouseServices) -> Result<Self, StartError> {
        if key.house != HouseId::INSTANCE {
            let house = read::<HouseRecord>(&*services.store, &Key::new(key.house, HOUSE)).await;
            house.map_err(|error| StartError::unavailable(&error))?.ok_or(StartError::NotFound)?;
        }
        Ok(Self { house: key.house, services })
    }
}

impl Message for CreateKey {
    type Actor = HouseActor;
    type Reply = Result<CreatedKey, HouseError>;
}

impl Handle<CreateKey> for HouseActor {
    fn handle(&mut self, order: CreateKey, _: CallInfo) -> Answer<Self, Result<CreatedKey, HouseError>> {
        let (house, services) = (self.house, self.services.clone());
        Answer::alone(async move { create_key(house, &services, order).await }, |_, reply| reply)
    }
}

async fn create_key(house: HouseId, services: &HouseServices, order: CreateKey) -> Result<CreatedKey, HouseError> {
    check_name("label", &order.label)?;
    if order.scopes.is_empty() {
        return Err(HouseError::NoScopes);
    }
    let wants_operator = order.scopes.contains(Scope::Operator);
    if wants_operator != (house == HouseId::INSTANCE)
        || (wants_operator && order.scopes != Scopes::of(&[Scope::Operator]))
    {
        return Err(HouseError::OperatorScope);
    }
    if matches!(&order.tvs, TvGrant::Only(tvs) if tvs.is_empty()) {
        return Err(HouseError::NoTvs);
    }
    check_holder(house, services, &order).await?;
    let now = (services.clock)();
    if order.expires_at.is_some_and(|end| end <= now) {
        return Err(HouseError::AlreadyExpired);
    }
    if stored(house, services).await?.len() >= MAX_CREDENTIALS {
        return Err(HouseError::TooMany);
    }
    // The operating system's generator, not one passed in: a secret must never come from a seed.
    let kind = CredentialKind::Key { tvs: order.tvs, account: order.account, engagement: order.engagement };
    let minted = mint(kind, order.label, order.scopes, now, &mut rand::rng());
    let Minted { mut credential, plain } = minted;
    credential.expires_at = order.expires_at;
    let kept = put(credential_path(credential.id), &credential, Expect::Absent)?;
    services.store.commit(house, vec![kept], None).await?;
    services.key_ring.put(house, &credential);
    Ok(CreatedKey { plain, summary: credential.summary() })
}

/// Whether the person and the engagement a key is to belong to are there, and may have such a key.
async fn check_holder(house: HouseId, services: &HouseServices, order: &CreateKey) -> Result<(), HouseError> {
    const OF_ENGAGEMENTS: [Scope; 3] = [Scope::Read, Scope::ReadMoney, Scope::SubmitTurnover];
    if let Some(account) = order.account {
        let key = Key::new(house, account_path(account));
        read::<Account>(&*services.store, &key).await?.ok_or(HouseError::NoSuchAccount)?;
    }
    if let Some(engagement) = order.engagement {
        if !order.scopes.iter().all(|scope| OF_ENGAGEMENTS.contains(&scope)) {
            return Err(HouseError::EngagementScopes);
        }
        let key = Key::new(house, engagement_path(engagement));
        read::<EngagementStanding>(&*services.store, &key).await?.ok_or(HouseError::NoSuchEngagement)?;
    }
    Ok(())
}

impl Message for RevokeKey {
    type Actor = HouseActor;
    type Reply = Result<KeySummary, HouseError>;
}

impl Handle<RevokeKey> for HouseActor {
    fn handle(&mut self, order: RevokeKey, _: CallInfo) -> Answer<Self, Result<KeySummary, HouseError>> {
        let (house, services) = (self.house, self.services.clone());
        Answer::alone(async move { revoke_key(house, &services, order.id).await }, |_, reply| reply)
    }
}

async fn revoke_key(house: HouseId, services: &HouseServices, id: CredentialId) -> Result<KeySummary, HouseError> {
    let path = credential_path(id);
    loop {
        let found = read::<Credential>(&*services.store, &Key::new(house, path.clone())).await?;
        let (mut credential, version) = found.ok_or(HouseError::NoSuchKey)?;
        if credential.revoked_at.is_none() {
            credential.revoked_at = Some((services.clock)());
            let kept = put(path.clone(), &credential, Expect::Version(version))?;
            match services.store.commit(house, vec![kept], None).await {
                Ok(_) => {}
                // Somebody else wrote the credential in between, as when its TV is paired again: read it anew.
                Err(CommitError::Conflict { .. }) => continue,
                Err(error) => return Err(error.into()),
            }
        }
        services.key_ring.put(house, &credential);
        return Ok(shown(services, &credential));
    }
}

impl Message for ListKeys {
    type Actor = HouseActor;
    type Reply = Result<Vec<KeySummary>, HouseError>;
}

impl Handle<ListKeys> for HouseActor {
    fn handle(&mut self, _: ListKeys, _: CallInfo) -> Answer<Self, Result<Vec<KeySummary>, HouseError>> {
        let (house, services) = (self.house, self.services.clone());
        Answer::later(async move {
            Ok(stored(house, &services).await?.iter().map(|credential| shown(&services, credential)).collect())
        })
    }
}

impl Message for RenameHouse {
    type Actor = HouseActor;
    type Reply = Result<HouseSummary, HouseError>;
}

impl Handle<RenameHouse> for HouseActor {
    fn handle(&mut self, order: RenameHouse, _: CallInfo) -> Answer<Self, Result<HouseSummary, HouseError>> {
        let (house, services) = (self.house, self.services.clone());
        let rename = async move {
            check_name("name", &order.name)?;
            let (mut record, version) = house_record(house, &services).await?;
            record.name = order.name;
            let kept = put(HOUSE, &record, Expect::Version(version))?;
            services.store.commit(house, vec![kept], None).await?;
            Ok(HouseSummary { id: house, name: record.name, created_at: record.created_at })
        };
        Answer::alone(rename, |_, reply| reply)
    }
}

impl Message for GetHouse {
    type Actor = HouseActor;
    type Reply = Result<HouseSummary, HouseError>;
}

impl Handle<GetHouse> for HouseActor {
    fn handle(&mut self, _: GetHouse, _: CallInfo) -> Answer<Self, Result<HouseSummary, HouseError>> {
        let (house, services) = (self.house, self.services.clone());
        Answer::later(async move {
            let (record, _) = house_record(house, &services).await?;
            Ok(HouseSummary { id: house, name: record.name, created_at: record.created_at })
        })
    }
}

/// Opens a new house. Each call opens another one, also under the same name: houses are told apart by their ids.
///
/// # Errors
/// [`HouseError::BadName`], or what the store says.
pub async fn open_house(store: &SharedStore, name: &str, clock: &Clock) -> Result<HouseSummary, HouseError> {
    check_name("name", name)?;
    let id = HouseId::from_uuid(Uuid::now_v7());
    let record = HouseRecord { name: name.to_owned(), created_at: clock(), disabled_tools: DisabledTools::default() };
    store.commit(id, vec![put(HOUSE, &record, Expect::Absent)?], None).await?;
    Ok(HouseSummary { id, name: record.name, created_at: record.created_at })
}

pub(crate) async fn house_record(
    house: HouseId,
    services: &HouseServices,
) -> Result<(HouseRecord, Version), HouseError> {
    let found = read::<HouseRecord>(&*services.store, &Key::new(house, HOUSE)).await?;
    found.ok_or_else(|| HouseError::Store("the instance itself has no name".to_owned()))
}

async fn stored(house: HouseId, services: &HouseServices) -> Result<Vec<Credential>, HouseError> {
    let all = scan_all::<Credential>(&*services.store, &Key::new(house, CREDENTIALS)).await?;
    Ok(all.into_iter().map(|(_, credential, _)| credential).collect())
}

fn shown(services: &HouseServices, credential: &Credential) -> KeySummary {
    KeySummary { last_used_at: services.key_ring.last_used(credential.id), ..credential.summary() }
}

pub(crate) fn check_name(what: &str, name: &str) -> Result<(), HouseError> {
    let n_chars = name.trim().chars().count();
    if (1..=MAX_NAME_CHARS).contains(&n_chars) && !name.chars().any(char::is_control) {
        Ok(())
    } else {
        Err(HouseError::BadName { what: what.to_owned() })
    }
}
