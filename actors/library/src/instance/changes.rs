//! The changes themselves: check, test the connection, then, one change at a time, decide, commit, have the instance's actor start anew and
//! show it.

use std::collections::HashSet;

use playhouse_bus::Deadline;
use playhouse_house::{ACCOUNTS, Account, AccountId, account_path};
use playhouse_store::{CommitError, Expect, Key, Op, RecordError, StoreError, Version, put, read, scan_all};
use secrecy::ExposeSecret;
use tokio::sync::MutexGuard;

use super::actor::{Desk, InstancesActor, Kept};
use super::connection::{self, Connected};
use super::messages::{MAX_KEY_BYTES, MAX_NAME_CHARS, MAX_URL_BYTES, UrlFault};
use super::{
    AddInstance, EditInstance, GrantInstance, InstanceDetails, InstanceId, InstanceRecord, InstancesError,
    KeptInstance, KeyText, MAX_GRANTS, MAX_INSTANCES_A_HOUSE, RemoveInstance, SetDefaultInstance, TestConnection,
    instance_path,
};
use crate::ArrActor;
use crate::client::{ArrClient, ArrKey, BaseUrl};
use crate::service::Service;

impl From<StoreError> for InstancesError {
    fn from(error: StoreError) -> Self {
        InstancesError::Store { words: error.to_string() }
    }
}

impl From<CommitError> for InstancesError {
    fn from(error: CommitError) -> Self {
        InstancesError::Store { words: error.to_string() }
    }
}

impl From<RecordError> for InstancesError {
    fn from(error: RecordError) -> Self {
        InstancesError::Store { words: error.to_string() }
    }
}

pub(super) async fn test(desk: &Desk, test: TestConnection, deadline: Deadline) -> Result<Connected, InstancesError> {
    let (service, base_url, api_key) = match test {
        TestConnection::New { service, base_url, api_key } => (service, address(&base_url)?, key(&api_key)?),
        TestConnection::Kept { id, base_url, api_key } => {
            let (record, _) = kept(desk, id)?;
            let base_url = base_url.as_deref().map(address).transpose()?.unwrap_or(record.base_url.clone());
            let api_key = given_or_kept_key(desk, &record, api_key, &base_url)?;
            (id.service(), base_url, api_key)
        }
    };
    test_connection(desk, service, base_url, api_key, deadline).await
}

pub(super) async fn add(desk: &Desk, order: AddInstance, deadline: Deadline) -> Result<KeptInstance, InstancesError> {
    let AddInstance { service, name, base_url, api_key, sort_order, is_default } = order;
    let (name, base_url, api_key) = (checked_name(&name)?, address(&base_url)?, key(&api_key)?);
    check_room(desk)?;
    let connected = test_connection(desk, service, base_url.clone(), api_key.clone(), deadline).await?;
    let _turn = desk.turn().await?;
    // Others may have been added while this one was tested.
    check_room(desk)?;
    let id = free_id(desk, service);
    let is_flagged_default = is_default && service.has_default_flag();
    let record = InstanceRecord {
        id,
        name,
        base_url,
        api_key: desk.services.sealer.seal(desk.house, &instance_path(id), api_key.secret()),
        sort_order,
        is_flagged_default,
        granted_to: Vec::new(),
        added_at: (desk.services.clock)(),
    };
    let mut ops = vec![put(instance_path(id), &record, Expect::Absent)?];
    ops.extend(if is_flagged_default { unflag_others(desk, id)? } else { Vec::new() });
    commit(desk, ops, &[]).await?;
    Ok(KeptInstance { details: shown(desk, id).await?, connected: Some(connected) })
}

pub(super) async fn edit(desk: &Desk, order: EditInstance, deadline: Deadline) -> Result<KeptInstance, InstancesError> {
    let EditInstance { id, service, name, base_url, api_key, sort_order, is_default } = order;
    let (before, _) = kept(desk, id)?;
    if let Some(asked) = service.filter(|asked| *asked != id.service()) {
        return Err(InstancesError::ServiceIsFixed { kept: id.service(), asked });
    }
    let name = name.as_deref().map(checked_name).transpose()?;
    let base_url = base_url.as_deref().map(address).transpose()?;
    let api_key = api_key.and_then(KeyText::unless_blank);
    let mut connected = None;
    let mut sealed_key = None;
    if base_url.is_some() || api_key.is_some() {
        let new_key = api_key.is_some();
        let tried_url = base_url.clone().unwrap_or_else(|| before.base_url.clone());
        let api_key = given_or_kept_key(desk, &before, api_key, &tried_url)?;
        connected = Some(test_connection(desk, id.service(), tried_url, api_key.clone(), deadline).await?);
        sealed_key = new_key.then(|| desk.services.sealer.seal(desk.house, &instance_path(id), api_key.secret()));
    }
    let _turn = desk.turn().await?;
    // Read again: it may have been changed or removed while the connection was tested.
    let (mut record, version) = kept(desk, id)?;
    // What was tested is the address with the key of then; with another's half of it, it would be a connection that nobody tested.
    let is_as_tested = record.base_url == before.base_url && record.api_key == before.api_key;
    if connected.is_some() && !is_as_tested {
        return Err(InstancesError::ChangedMeanwhile);
    }
    record.name = name.unwrap_or(record.name);
    record.base_url = base_url.unwrap_or(record.base_url);
    record.api_key = sealed_key.unwrap_or(record.api_key);
    record.sort_order = sort_order.unwrap_or(record.sort_order);
    record.is_flagged_default = is_default.unwrap_or(record.is_flagged_default) && id.service().has_default_flag();
    let mut ops = vec![put(instance_path(id), &record, Expect::Version(version))?];
    ops.extend(if record.is_flagged_default { unflag_others(desk, id)? } else { Vec::new() });
    commit(desk, ops, &[id]).await?;
    Ok(KeptInstance { details: shown(desk, id).await?, connected })
}

pub(super) async fn remove(desk: &Desk, order: RemoveInstance, _: Deadline) -> Result<InstanceDetails, InstancesError> {
    let _turn = desk.turn().await?;
    let (_, version) = kept(desk, order.id)?;
    let removed = shown(desk, order.id).await?;
    commit(desk, vec![Op::delete(instance_path(order.id), Expect::Version(version))], &[order.id]).await?;
    Ok(removed)
}

pub(super) async fn set_default(
    desk: &Desk,
    order: SetDefaultInstance,
    _: Deadline,
) -> Result<InstanceDetails, InstancesError> {
    let _turn = desk.turn().await?;
    let (mut record, version) = kept(desk, order.id)?;
    let service = order.id.service();
    if !service.has_default_flag() {
        return Err(InstancesError::NoDefaultFlag { service });
    }
    if !record.is_flagged_default {
        record.is_flagged_default = true;
        let mut ops = vec![put(instance_path(order.id), &record, Expect::Version(version))?];
        ops.extend(unflag_others(desk, order.id)?);
        commit(desk, ops, &[]).await?;
    }
    shown(desk, order.id).await
}

pub(super) async fn grant(desk: &Desk, order: GrantInstance, _: Deadline) -> Result<InstanceDetails, InstancesError> {
    let GrantInstance { id, account, granted } = order;
    let _turn = desk.turn().await?;
    let (mut record, version) = kept(desk, id)?;
    if granted {
        let found = read::<Account>(&*desk.services.store, &Key::new(desk.house, account_path(account))).await?;
        found.ok_or(InstancesError::NoSuchAccount)?;
    }
    let before = record.granted_to.clone();
    let accounts = accounts(desk).await?;
    record.granted_to.retain(|kept| *kept != account && accounts.contains(kept));
    if granted {
        record.granted_to.push(account);
    }
    if record.granted_to.len() > MAX_GRANTS {
        return Err(InstancesError::TooManyGrants);
    }
    record.granted_to.sort_unstable();
    if record.granted_to != before {
        commit(desk, vec![put(instance_path(id), &record, Expect::Version(version))?], &[]).await?;
    }
    shown(desk, id).await
}

pub(super) async fn details(desk: &Desk) -> Result<Vec<InstanceDetails>, InstancesError> {
    let accounts = accounts(desk).await?;
    desk.check_current()?;
    let kept = desk.kept.borrow();
    let details = kept.summaries.iter().filter_map(|summary| {
        let (record, _) = kept.records.iter().find(|(record, _)| record.id == summary.id)?;
        Some(InstanceDetails {
            summary: summary.clone(),
            base_url: record.base_url.as_str().to_owned(),
            is_flagged_default: record.is_flagged_default,
            // An account that was removed takes its grants with it: ids are never given twice.
            granted_to: record.granted_to.iter().copied().filter(|account| accounts.contains(account)).collect(),
            added_at: record.added_at,
        })
    });
    Ok(details.collect())
}

async fn shown(desk: &Desk, id: InstanceId) -> Result<InstanceDetails, InstancesError> {
    let all = details(desk).await?;
    all.into_iter().find(|details| details.summary.id == id).ok_or(InstancesError::NoSuchInstance)
}

/// Commits, has the actors of `changed` instances start anew, and takes over what the store then holds. In this order: an instance is never
/// called by what it was before, also where the list cannot be read again, and whoever is told of the change finds it everywhere.
async fn commit(desk: &Desk, ops: Vec<Op>, changed: &[InstanceId]) -> Result<(), InstancesError> {
    let bus = &desk.services.bus;
    let committed = desk.services.store.commit(desk.house, ops, None).await;
    for id in changed {
        bus.put_away_actor(ArrActor::key(desk.house, *id));
    }
    // Also after a commit whose outcome is unknown the list must show what is stored.
    match Kept::read(desk.house, &desk.services.store).await {
        Ok(kept) => *desk.kept.borrow_mut() = kept,
        Err(unread) => {
            desk.is_outdated.set(true);
            bus.put_away_actor(InstancesActor::key(desk.house));
            committed?;
            let words = format!(
                "the change was stored, and then the house's instances could not be read again ({unread}); list them before anything is repeated"
            );
            return Err(InstancesError::Store { words });
        }
    }
    committed?;
    Ok(())
}

impl Desk {
    /// Waits for the turn of a change.
    async fn turn(&self) -> Result<MutexGuard<'_, ()>, InstancesError> {
        let turn = self.turn.lock().await;
        self.check_current()?;
        Ok(turn)
    }

    /// That nothing is decided or shown by a list that may not be what is stored.
    fn check_current(&self) -> Result<(), InstancesError> {
        if !self.is_outdated.get() {
            return Ok(());
        }
        let words = "the house's instances are being read again after a change, so nothing was done; try again";
        Err(InstancesError::Store { words: words.to_owned() })
    }
}

/// Takes the flag from the others of the same service.
fn unflag_others(desk: &Desk, id: InstanceId) -> Result<Vec<Op>, InstancesError> {
    let kept = desk.kept.borrow();
    let flagged = kept
        .records
        .iter()
        .filter(|(record, _)| record.is_flagged_default && record.id != id && record.id.service() == id.service());
    let unflag = |(record, version): &(InstanceRecord, Version)| {
        let record = InstanceRecord { is_flagged_default: false, ..record.clone() };
        Ok(put(instance_path(record.id), &record, Expect::Version(*version))?)
    };
    flagged.map(unflag).collect()
}

async fn test_connection(
    desk: &Desk,
    service: Service,
    base_url: BaseUrl,
    api_key: ArrKey,
    deadline: Deadline,
) -> Result<Connected, InstancesError> {
    // A client of its own: the circuit of the instance's actor may be open, and a test is to see for itself.
    let client = ArrClient::new(service, &base_url, &api_key, &desk.services.http);
    let connected = connection::test(&client, deadline).await?;
    if deadline.has_passed() {
        return Err(InstancesError::TooLate);
    }
    Ok(connected)
}

fn kept(desk: &Desk, id: InstanceId) -> Result<(InstanceRecord, Version), InstancesError> {
    let kept = desk.kept.borrow();
    kept.records.iter().find(|(record, _)| record.id == id).cloned().ok_or(InstancesError::NoSuchInstance)
}

async fn accounts(desk: &Desk) -> Result<HashSet<AccountId>, InstancesError> {
    let accounts = scan_all::<Account>(&*desk.services.store, &Key::new(desk.house, ACCOUNTS)).await?;
    Ok(accounts.into_iter().map(|(_, account, _)| account.id).collect())
}

fn check_room(desk: &Desk) -> Result<(), InstancesError> {
    match desk.kept.borrow().records.len() < MAX_INSTANCES_A_HOUSE {
        true => Ok(()),
        false => Err(InstancesError::TooMany),
    }
}

/// An id that no instance of the house has.
fn free_id(desk: &Desk, service: Service) -> InstanceId {
    let kept = desk.kept.borrow();
    loop {
        let id = InstanceId::draw(service, &mut rand::rng());
        if kept.records.iter().all(|(record, _)| record.id != id) {
            return id;
        }
    }
}

fn checked_name(name: &str) -> Result<String, InstancesError> {
    let name = name.trim();
    let is_fine = (1..=MAX_NAME_CHARS).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    is_fine.then(|| name.to_owned()).ok_or(InstancesError::Name)
}

fn address(text: &str) -> Result<BaseUrl, InstancesError> {
    if text.len() > MAX_URL_BYTES {
        return Err(UrlFault::TooLong.into());
    }
    Ok(BaseUrl::parse(text).map_err(UrlFault::from)?)
}

fn key(text: &KeyText) -> Result<ArrKey, InstancesError> {
    if text.reveal().len() > MAX_KEY_BYTES {
        return Err(InstancesError::Key { words: format!("the API key must have at most {MAX_KEY_BYTES} bytes") });
    }
    Ok(ArrKey::parse(text.reveal())?)
}

/// The key for a connection to `base_url`. The one that is kept goes to the scheme, host and port that it was given for and nowhere else:
/// whoever can name another address must not learn it there.
fn given_or_kept_key(
    desk: &Desk,
    record: &InstanceRecord,
    given: Option<KeyText>,
    base_url: &BaseUrl,
) -> Result<ArrKey, InstancesError> {
    if let Some(given) = given.and_then(KeyText::unless_blank) {
        return key(&given);
    }
    if !base_url.is_of_the_origin_of(&record.base_url) {
        return Err(InstancesError::KeyNeeded);
    }
    let opened = desk.services.sealer.open(desk.house, &instance_path(record.id), &record.api_key);
    let opened = opened.map_err(|_| InstancesError::Unopened)?;
    Ok(ArrKey::parse(opened.expose_secret())?)
}
