//! The orders, and how each is carried out.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::time::Duration;

use jiff::Timestamp;
use playhouse_bus::{Deadline, HouseId, Message};
use playhouse_house::{
    Account, CreateKey, CreatedKey, CredentialId, EngagementId, HouseActor, HouseRecord, HouseSummary, KeySummary,
    ListKeys, RenameHouse, RevokeKey, Scopes, SwitchTool, TvGrant, house_path, open_house,
};
use playhouse_production::messages::KeyChange;
use playhouse_proposals::{ChangeRecord, Proposal};
use playhouse_store::{Key, read};
use playhouse_tools::Descriptor;
use playhouse_tv::{
    CreateDeviceToken, CreatedDeviceToken, DeviceSummary, DevicesActor, ListDevices, RemoveDevice, RenameDevice,
    RevokeDeviceTokens,
};
use serde::{Deserialize, Serialize};

use super::accounts::{self, AccountOrder};
use super::history::{self, HistoryOrder};
use super::instances::{self, InstanceOrder, InstanceReply};
use super::pick::{Named, pick};
use super::production::note_key;
use super::proposals::{self, ProposalOrder};
use crate::instance::Instance;
use crate::waitlist::{ListWaitlist, WaitlistActor, WaitlistEntry};

/// How long one order may wait for its actor.
const ORDER_DEADLINE: Duration = Duration::from_secs(30);
/// How many houses are read at a time.
const PAGE: u32 = 500;
/// How many waitlist entries are read at a time.
const WAITLIST_PAGE: u32 = 50;

/// Whose keys an order is about.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyOwner {
    /// The operator: keys with the scope `operator`.
    Operator,
    /// A house, by its id or its name.
    House(String),
}

/// What the operator may ask for over the socket. Houses are named by id or, where it is unambiguous, by name.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "order")]
pub enum Order {
    /// Opens a house. Repeating it opens another one.
    CreateHouse {
        /// Its name.
        name: String,
    },
    /// Lists all houses.
    ListHouses {},
    /// Renames a house.
    RenameHouse {
        /// Which.
        house: String,
        /// The new name.
        name: String,
    },
    /// Makes a key.
    CreateKey {
        /// Whose.
        owner: KeyOwner,
        /// What people call it.
        label: String,
        /// What it may do.
        scopes: Scopes,
        /// The names of the TVs it reaches; all, if empty.
        tvs: Vec<String>,
        /// The person it belongs to, by id or name.
        #[serde(default)]
        account: Option<String>,
        /// The engagement it is bound to.
        #[serde(default)]
        engagement: Option<EngagementId>,
        /// When it ends.
        expires_at: Option<Timestamp>,
    },
    /// Lists keys and tokens.
    ListKeys {
        /// Whose.
        owner: KeyOwner,
    },
    /// Revokes a key or token.
    RevokeKey {
        /// Whose.
        owner: KeyOwner,
        /// Which.
        id: CredentialId,
    },
    /// Lists a house's TVs.
    ListTvs {
        /// Which house.
        house: String,
    },
    /// Renames a TV.
    RenameTv {
        /// Which house.
        house: String,
        /// The TV's name.
        name: String,
        /// The new name.
        new_name: String,
    },
    /// Removes a TV and revokes its tokens.
    RemoveTv {
        /// Which house.
        house: String,
        /// The TV's name.
        name: String,
    },
    /// Makes one more assistant's token for a TV. Repeating it makes another.
    CreateTvToken {
        /// Which house.
        house: String,
        /// The TV's name.
        name: String,
        /// What people call the token.
        label: String,
    },
    /// Revokes all assistants' tokens of a TV. Its bridge stays connected. Repeating it changes nothing further.
    RevokeTvTokens {
        /// Which house.
        house: String,
        /// The TV's name.
        name: String,
    },
    /// Lists the waitlist.
    ListWaitlist {},
    /// Makes, lists and changes the accounts of a house.
    Account(AccountOrder),
    /// Adds, tests, lists and changes the media libraries of a house.
    Instance(InstanceOrder),
    /// Shows and decides the proposed changes of a house's profiles.
    Proposal(ProposalOrder),
    /// Shows what was changed in the settings of a house's libraries, and puts a profile back.
    History(HistoryOrder),
    /// Lists all tools and which of them a house has switched off.
    ListTools {
        /// Which house.
        house: String,
    },
    /// Switches a tool of a house off or on. Repeating it changes nothing further.
    SwitchTool {
        /// Which house.
        house: String,
        /// The tool's listed name.
        tool: String,
        /// Whether it may be called.
        enabled: bool,
    },
}

/// A tool as a house has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ToolState {
    /// The listed name.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// Whether it may be called in the house.
    pub enabled: bool,
    /// Whether it is for admins of the house only.
    pub admin_only: bool,
    /// The scope that a key needs for it.
    pub scope: String,
}

/// A TV as lists show it.
pub type TvSummary = DeviceSummary;

/// The answer to an order. It prints nothing in `Debug`: people's addresses and new keys are among what it may hold.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderReply {
    /// One house.
    House(HouseSummary),
    /// Houses, by age.
    Houses(Vec<HouseSummary>),
    /// A new key, with its text.
    NewKey(CreatedKey),
    /// One key.
    Key(KeySummary),
    /// Keys, by id.
    Keys(Vec<KeySummary>),
    /// One TV.
    Tv(TvSummary),
    /// TVs, by name.
    Tvs(Vec<TvSummary>),
    /// A new assistant's token for a TV.
    TvToken(CreatedDeviceToken),
    /// So many tokens were revoked.
    Revoked(usize),
    /// The waitlist, oldest first.
    Waitlist(Vec<WaitlistEntry>),
    /// One account.
    Account(Account),
    /// Accounts, the oldest first.
    Accounts(Vec<Account>),
    /// What became of an order about media libraries.
    Instance(InstanceReply),
    /// One proposed change of a profile.
    Proposal(Box<Proposal>),
    /// Proposed changes of profiles, the newest first.
    Proposals(Vec<Proposal>),
    /// One change of settings.
    Change(Box<ChangeRecord>),
    /// Changes of settings without their details, the newest first.
    Changes(Vec<ChangeRecord>),
    /// All tools, by name.
    Tools(Vec<ToolState>),
    /// The tools a house has switched off.
    SwitchedOff(BTreeSet<String>),
}

/// Carries out one order.
///
/// # Errors
/// A sentence for the operator. Nothing was changed, unless it says that this is unknown.
pub async fn perform(instance: &Instance, order: Order) -> Result<OrderReply, String> {
    match order {
        Order::CreateHouse { name } => {
            let house = open_house(&instance.store, &name, &instance.clock).await.map_err(said)?;
            Ok(OrderReply::House(house))
        }
        Order::ListHouses {} => Ok(OrderReply::Houses(houses(instance).await?)),
        Order::RenameHouse { house, name } => {
            let house = find_house(instance, &house).await?;
            let renamed = call(instance, HouseActor::key(house), RenameHouse { name }).await?.map_err(said)?;
            Ok(OrderReply::House(renamed))
        }
        Order::CreateKey { owner, label, scopes, tvs, account, engagement, expires_at } => {
            let house = find_owner(instance, &owner).await?;
            let tvs = grant(instance, house, &tvs).await?;
            let account = match account {
                Some(account) => Some(accounts::find(instance, house, &account).await?.id),
                None => None,
            };
            let order = CreateKey { label, scopes, tvs, account, engagement, expires_at };
            let created = call(instance, HouseActor::key(house), order).await?.map_err(said)?;
            note_key(instance, house, &created.summary, KeyChange::Created).await;
            Ok(OrderReply::NewKey(created))
        }
        Order::ListKeys { owner } => {
            let house = find_owner(instance, &owner).await?;
            Ok(OrderReply::Keys(call(instance, HouseActor::key(house), ListKeys {}).await?.map_err(said)?))
        }
        Order::RevokeKey { owner, id } => {
            let house = find_owner(instance, &owner).await?;
            let revoked = call(instance, HouseActor::key(house), RevokeKey { id }).await?.map_err(said)?;
            note_key(instance, house, &revoked, KeyChange::Revoked).await;
            Ok(OrderReply::Key(revoked))
        }
        Order::ListTvs { house } => {
            let house = find_house(instance, &house).await?;
            Ok(OrderReply::Tvs(devices(instance, house).await?))
        }
        Order::RenameTv { house, name, new_name } => {
            let house = find_house(instance, &house).await?;
            let tv = find_tv(instance, house, &name).await?.id;
            let order = RenameDevice { tv, name: new_name.parse().map_err(said)? };
            Ok(OrderReply::Tv(call(instance, DevicesActor::key(house), order).await?.map_err(said)?))
        }
        Order::RemoveTv { house, name } => {
            let house = find_house(instance, &house).await?;
            let tv = find_tv(instance, house, &name).await?.id;
            Ok(OrderReply::Tv(call(instance, DevicesActor::key(house), RemoveDevice { tv }).await?.map_err(said)?))
        }
        Order::CreateTvToken { house, name, label } => {
            let house = find_house(instance, &house).await?;
            let tv = find_tv(instance, house, &name).await?.id;
            let order = CreateDeviceToken { tv, label };
            Ok(OrderReply::TvToken(call(instance, DevicesActor::key(house), order).await?.map_err(said)?))
        }
        Order::RevokeTvTokens { house, name } => {
            let house = find_house(instance, &house).await?;
            let tv = find_tv(instance, house, &name).await?.id;
            let order = RevokeDeviceTokens { tv };
            Ok(OrderReply::Revoked(call(instance, DevicesActor::key(house), order).await?.map_err(said)?))
        }
        Order::ListWaitlist {} => Ok(OrderReply::Waitlist(waitlist(instance).await?)),
        Order::Instance(order) => instances::perform(instance, order).await,
        Order::Account(order) => accounts::perform(instance, order).await,
        Order::Proposal(order) => proposals::perform(instance, order).await,
        Order::History(order) => history::perform(instance, order).await,
        Order::ListTools { house } => {
            let house = find_house(instance, &house).await?;
            Ok(OrderReply::Tools(tools(instance, house)))
        }
        Order::SwitchTool { house, tool, enabled } => {
            let house = find_house(instance, &house).await?;
            // Named by what lists show, so that a switch never misses its tool.
            let tool = instance.registry.listed_name(&tool).ok_or_else(|| format!("there is no tool `{tool}`"))?;
            let order = SwitchTool { tool: tool.to_owned(), enabled };
            Ok(OrderReply::SwitchedOff(call(instance, HouseActor::key(house), order).await?.map_err(said)?))
        }
    }
}

pub(super) async fn call<M: Message>(
    instance: &Instance,
    key: playhouse_bus::ActorKey,
    message: M,
) -> Result<M::Reply, String> {
    call_within(ORDER_DEADLINE, instance, key, message).await
}

/// As [`call`], for what may take longer than most.
pub(super) async fn call_within<M: Message>(
    time: Duration,
    instance: &Instance,
    key: playhouse_bus::ActorKey,
    message: M,
) -> Result<M::Reply, String> {
    instance.bus.call(key, message, Deadline::after(time)).await.map_err(said)
}

pub(super) fn said(error: impl Display) -> String {
    error.to_string()
}

fn tools(instance: &Instance, house: HouseId) -> Vec<ToolState> {
    let state = |tool: &Descriptor| ToolState {
        name: tool.name.to_owned(),
        title: tool.title.to_owned(),
        enabled: !instance.switches.forbid(house, tool.name, tool.effect.read_only()),
        admin_only: tool.admin_only,
        scope: tool.scope.to_string(),
    };
    instance.registry.descriptors().map(state).collect()
}

/// All houses, the oldest first: their ids sort by time.
async fn houses(instance: &Instance) -> Result<Vec<HouseSummary>, String> {
    let mut houses = Vec::new();
    let mut after = None;
    loop {
        let page = instance.store.partitions(after, PAGE).await.map_err(said)?;
        let Some(last) = page.last() else { return Ok(houses) };
        after = Some(*last);
        for id in page {
            let record = read::<HouseRecord>(&*instance.store, &Key::new(id, house_path())).await.map_err(said)?;
            houses.extend(record.map(|(record, _)| HouseSummary {
                id,
                name: record.name,
                created_at: record.created_at,
            }));
        }
    }
}

async fn find_owner(instance: &Instance, owner: &KeyOwner) -> Result<HouseId, String> {
    match owner {
        KeyOwner::Operator => Ok(HouseId::INSTANCE),
        KeyOwner::House(house) => find_house(instance, house).await,
    }
}

/// Finds a house by its id, else by its name.
pub(super) async fn find_house(instance: &Instance, id_or_name: &str) -> Result<HouseId, String> {
    let all = houses(instance).await?;
    let named = Named { none: "there is no house", many: "houses", list: "playhouse house list" };
    pick(&named, &all, id_or_name, |house| house.id.to_string(), |house| &house.name).map(|house| house.id)
}

async fn devices(instance: &Instance, house: HouseId) -> Result<Vec<DeviceSummary>, String> {
    call(instance, DevicesActor::key(house), ListDevices {}).await?.map_err(said)
}

async fn find_tv(instance: &Instance, house: HouseId, name: &str) -> Result<DeviceSummary, String> {
    let devices = devices(instance, house).await?;
    devices
        .into_iter()
        .find(|device| device.name.as_str() == name)
        .ok_or_else(|| format!("this house has no TV `{name}`; `playhouse tv list` shows them"))
}

async fn grant(instance: &Instance, house: HouseId, names: &[String]) -> Result<TvGrant, String> {
    if names.is_empty() {
        return Ok(TvGrant::All);
    }
    let mut granted = Vec::with_capacity(names.len());
    for name in names {
        granted.push(find_tv(instance, house, name).await?.id);
    }
    Ok(TvGrant::Only(granted))
}

async fn waitlist(instance: &Instance) -> Result<Vec<WaitlistEntry>, String> {
    let mut entries: Vec<WaitlistEntry> = Vec::new();
    let mut after = None;
    loop {
        let page =
            call(instance, WaitlistActor::KEY, ListWaitlist { after, limit: WAITLIST_PAGE }).await?.map_err(said)?;
        entries.extend(page.entries);
        after = page.next;
        if after.is_none() {
            entries.sort_by_key(|entry| entry.joined_at);
            return Ok(entries);
        }
    }
}
