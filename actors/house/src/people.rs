//! The accounts of a house: what its actor does with them.

use jiff::Timestamp;
use playhouse_bus::{Answer, CallInfo, Handle, HouseId, Message};
use playhouse_store::{CommitError, Expect, Key, Op, put, read, scan_all};
use serde::{Deserialize, Serialize};

use crate::account::{ACCOUNTS, Account, Role, account_path};
use crate::house::{HouseActor, HouseError, HouseServices, MAX_ACCOUNTS, check_name};
use crate::ids::AccountId;

/// Makes an account. Repeating it makes another, also under the same name: accounts are told apart by their ids.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateAccount {
    /// What the house calls this person; 1 to 80 characters.
    pub name: String,
    /// What they may do.
    pub role: Role,
}

/// Lists the accounts of this house, the oldest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListAccounts {}

/// Gives a person another role, from their very next call on. Repeating it changes nothing further.
#[derive(Debug, Serialize, Deserialize)]
pub struct SetRole {
    /// Whose.
    pub account: AccountId,
    /// The new role.
    pub role: Role,
}

/// Removes an account; its keys open nothing from the next call on. Repeating it is [`HouseError::NoSuchAccount`].
#[derive(Debug, Serialize, Deserialize)]
pub struct RemoveAccount {
    /// Which.
    pub account: AccountId,
}

impl Message for CreateAccount {
    type Actor = HouseActor;
    type Reply = Result<Account, HouseError>;
}

impl Handle<CreateAccount> for HouseActor {
    fn handle(&mut self, order: CreateAccount, _: CallInfo) -> Answer<Self, Result<Account, HouseError>> {
        let (house, services) = (self.house, self.services.clone());
        Answer::alone(async move { create(house, &services, order).await }, |_, reply| reply)
    }
}

async fn create(house: HouseId, services: &HouseServices, order: CreateAccount) -> Result<Account, HouseError> {
    check_name("name", &order.name)?;
    if all(house, services).await?.len() >= MAX_ACCOUNTS {
        return Err(HouseError::TooManyAccounts);
    }
    let created_at: Timestamp = (services.clock)();
    let account = Account { id: AccountId::new(), name: order.name, role: order.role, created_at };
    services.store.commit(house, vec![put(account_path(account.id), &account, Expect::Absent)?], None).await?;
    services.key_ring.set_role(house, account.id, account.role);
    Ok(account)
}

impl Message for ListAccounts {
    type Actor = HouseActor;
    type Reply = Result<Vec<Account>, HouseError>;
}

impl Handle<ListAccounts> for HouseActor {
    fn handle(&mut self, _: ListAccounts, _: CallInfo) -> Answer<Self, Result<Vec<Account>, HouseError>> {
        let (house, services) = (self.house, self.services.clone());
        Answer::later(async move { all(house, &services).await })
    }
}

impl Message for SetRole {
    type Actor = HouseActor;
    type Reply = Result<Account, HouseError>;
}

impl Handle<SetRole> for HouseActor {
    fn handle(&mut self, order: SetRole, _: CallInfo) -> Answer<Self, Result<Account, HouseError>> {
        let (house, services) = (self.house, self.services.clone());
        Answer::alone(async move { set_role(house, &services, order).await }, |_, reply| reply)
    }
}

async fn set_role(house: HouseId, services: &HouseServices, order: SetRole) -> Result<Account, HouseError> {
    let path = account_path(order.account);
    let found = read::<Account>(&*services.store, &Key::new(house, path.clone())).await?;
    let (account, version) = found.ok_or(HouseError::NoSuchAccount)?;
    let account = Account { role: order.role, ..account };
    services.store.commit(house, vec![put(path, &account, Expect::Version(version))?], None).await?;
    services.key_ring.set_role(house, account.id, account.role);
    Ok(account)
}

impl Message for RemoveAccount {
    type Actor = HouseActor;
    type Reply = Result<Account, HouseError>;
}

impl Handle<RemoveAccount> for HouseActor {
    fn handle(&mut self, order: RemoveAccount, _: CallInfo) -> Answer<Self, Result<Account, HouseError>> {
        let (house, services) = (self.house, self.services.clone());
        Answer::alone(async move { remove(house, &services, order.account).await }, |_, reply| reply)
    }
}

async fn remove(house: HouseId, services: &HouseServices, id: AccountId) -> Result<Account, HouseError> {
    let path = account_path(id);
    let found = read::<Account>(&*services.store, &Key::new(house, path.clone())).await?;
    let (account, version) = found.ok_or(HouseError::NoSuchAccount)?;
    match services.store.commit(house, vec![Op::delete(path, Expect::Version(version))], None).await {
        Ok(_) => services.key_ring.remove_account(house, id),
        Err(CommitError::Conflict { .. }) => return Err(HouseError::NoSuchAccount),
        Err(error) => return Err(error.into()),
    }
    Ok(account)
}

async fn all(house: HouseId, services: &HouseServices) -> Result<Vec<Account>, HouseError> {
    let accounts = scan_all::<Account>(&*services.store, &Key::new(house, ACCOUNTS)).await?;
    Ok(accounts.into_iter().map(|(_, account, _)| account).collect())
}
