//! The orders about the people of a house.

use playhouse_bus::HouseId;
use playhouse_house::{Account, CreateAccount, HouseActor, ListAccounts, RemoveAccount, Role, SetRole};
use serde::{Deserialize, Serialize};

use super::orders::{OrderReply, call, find_house, said};
use super::pick::{Named, pick};
use crate::instance::Instance;

/// What the operator may ask for about accounts. They are named by id or, where it is unambiguous, by name.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "what")]
pub enum AccountOrder {
    /// Makes an account. Repeating it makes another.
    Create {
        /// Which house.
        house: String,
        /// What the house calls this person.
        name: String,
        /// What they may do.
        role: Role,
    },
    /// Lists a house's accounts.
    List {
        /// Which house.
        house: String,
    },
    /// Gives a person another role.
    SetRole {
        /// Which house.
        house: String,
        /// Whose.
        account: String,
        /// The new role.
        role: Role,
    },
    /// Removes an account; its keys open nothing from then on.
    Remove {
        /// Which house.
        house: String,
        /// Which.
        account: String,
    },
}

/// Carries out one order about accounts.
pub(super) async fn perform(instance: &Instance, order: AccountOrder) -> Result<OrderReply, String> {
    match order {
        AccountOrder::Create { house, name, role } => {
            let house = find_house(instance, &house).await?;
            let created = call(instance, HouseActor::key(house), CreateAccount { name, role }).await?;
            Ok(OrderReply::Account(created.map_err(said)?))
        }
        AccountOrder::List { house } => {
            let house = find_house(instance, &house).await?;
            Ok(OrderReply::Accounts(all(instance, house).await?))
        }
        AccountOrder::SetRole { house, account, role } => {
            let house = find_house(instance, &house).await?;
            let account = find(instance, house, &account).await?.id;
            let changed = call(instance, HouseActor::key(house), SetRole { account, role }).await?;
            Ok(OrderReply::Account(changed.map_err(said)?))
        }
        AccountOrder::Remove { house, account } => {
            let house = find_house(instance, &house).await?;
            let account = find(instance, house, &account).await?.id;
            let removed = call(instance, HouseActor::key(house), RemoveAccount { account }).await?;
            Ok(OrderReply::Account(removed.map_err(said)?))
        }
    }
}

/// Finds an account of `house` by its id, else by its name.
pub(super) async fn find(instance: &Instance, house: HouseId, id_or_name: &str) -> Result<Account, String> {
    let accounts = all(instance, house).await?;
    let named = Named { none: "this house has no account", many: "accounts", list: "playhouse account list" };
    pick(&named, &accounts, id_or_name, |account| account.id.to_string(), |account| &account.name).cloned()
}

async fn all(instance: &Instance, house: HouseId) -> Result<Vec<Account>, String> {
    call(instance, HouseActor::key(house), ListAccounts {}).await?.map_err(said)
}
