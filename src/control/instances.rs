//! The orders about the arr instances of a house.

use playhouse_bus::{HouseId, Message};
use playhouse_library::instance::{
    AddInstance, Connected, EditInstance, GrantInstance, InstanceDetails, InstancesError, KeptInstance, KeyText,
    ListInstanceDetails, RemoveInstance, SetDefaultInstance, TestConnection,
};
use playhouse_library::{InstanceId, InstancesActor, Service};
use serde::{Deserialize, Serialize};

use super::accounts;
use super::orders::{OrderReply, call, find_house, said};
use super::pick::{Named, pick};
use crate::instance::Instance;

/// What the operator may ask for about arr instances. They are named by id or, where it is unambiguous, by name.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "what")]
pub enum InstanceOrder {
    /// Adds one once its connection was tested. Repeating it adds another.
    Add {
        /// Which house.
        house: String,
        /// Its service.
        service: Service,
        /// What the house calls it.
        name: String,
        /// Where it is.
        url: String,
        /// Its API key.
        api_key: KeyText,
        /// Its place among those of its service.
        sort_order: i32,
        /// Whether calls that name none go to it.
        is_default: bool,
    },
    /// Lists a house's instances.
    List {
        /// Which house.
        house: String,
    },
    /// Changes one; what is absent stays.
    Edit {
        /// Which house.
        house: String,
        /// Which.
        instance: String,
        /// Its new name.
        name: Option<String>,
        /// Its new address.
        url: Option<String>,
        /// Its new API key.
        api_key: Option<KeyText>,
        /// Its new place.
        sort_order: Option<i32>,
    },
    /// Tests the connection of one that is kept.
    Test {
        /// Which house.
        house: String,
        /// Which.
        instance: String,
    },
    /// Removes one.
    Remove {
        /// Which house.
        house: String,
        /// Which.
        instance: String,
    },
    /// Makes one the default of its service.
    SetDefault {
        /// Which house.
        house: String,
        /// Which.
        instance: String,
    },
    /// Grants one to an account, or takes the grant back.
    Grant {
        /// Which house.
        house: String,
        /// Which.
        instance: String,
        /// To whom.
        account: String,
        /// Whether it is granted from now on.
        granted: bool,
    },
}

/// The answer to an order about arr instances.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstanceReply {
    /// One that was added or changed.
    Kept(KeptInstance),
    /// One.
    One(InstanceDetails),
    /// Those of a house.
    All(Vec<InstanceDetails>),
    /// What a test found.
    Connected(Connected),
    /// One that is gone.
    Removed(InstanceDetails),
}

/// Carries out one order about arr instances.
pub(super) async fn perform(instance: &Instance, order: InstanceOrder) -> Result<OrderReply, String> {
    let reply = match order {
        InstanceOrder::Add { house, service, name, url, api_key, sort_order, is_default } => {
            let house = find_house(instance, &house).await?;
            let order = AddInstance { service, name, base_url: url, api_key, sort_order, is_default };
            InstanceReply::Kept(ask(instance, house, order).await?)
        }
        InstanceOrder::List { house } => {
            let house = find_house(instance, &house).await?;
            InstanceReply::All(ask(instance, house, ListInstanceDetails {}).await?)
        }
        InstanceOrder::Edit { house, instance: named, name, url, api_key, sort_order } => {
            let (house, id) = find(instance, &house, &named).await?;
            let order = EditInstance { id, service: None, name, base_url: url, api_key, sort_order, is_default: None };
            InstanceReply::Kept(ask(instance, house, order).await?)
        }
        InstanceOrder::Test { house, instance: named } => {
            let (house, id) = find(instance, &house, &named).await?;
            let order = TestConnection::Kept { id, base_url: None, api_key: None };
            InstanceReply::Connected(ask(instance, house, order).await?)
        }
        InstanceOrder::Remove { house, instance: named } => {
            let (house, id) = find(instance, &house, &named).await?;
            InstanceReply::Removed(ask(instance, house, RemoveInstance { id }).await?)
        }
        InstanceOrder::SetDefault { house, instance: named } => {
            let (house, id) = find(instance, &house, &named).await?;
            InstanceReply::One(ask(instance, house, SetDefaultInstance { id }).await?)
        }
        InstanceOrder::Grant { house, instance: named, account, granted } => {
            let (house, id) = find(instance, &house, &named).await?;
            let account = accounts::find(instance, house, &account).await?.id;
            InstanceReply::One(ask(instance, house, GrantInstance { id, account, granted }).await?)
        }
    };
    Ok(OrderReply::Instance(reply))
}

async fn ask<M, T>(instance: &Instance, house: HouseId, message: M) -> Result<T, String>
where
    M: Message<Actor = InstancesActor, Reply = Result<T, InstancesError>>,
{
    call(instance, InstancesActor::key(house), message).await?.map_err(said)
}

/// Finds a house, and in it an instance by its id, else by its name.
async fn find(instance: &Instance, house: &str, id_or_name: &str) -> Result<(HouseId, InstanceId), String> {
    let house = find_house(instance, house).await?;
    let all = ask(instance, house, ListInstanceDetails {}).await?;
    let named = Named { none: "this house has no instance", many: "instances", list: "playhouse instance list" };
    let found =
        pick(&named, &all, id_or_name, |details| details.summary.id.to_string(), |details| &details.summary.name)?;
    Ok((house, found.summary.id))
}
