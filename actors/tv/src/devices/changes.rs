//! The changes themselves: read, decide, commit in one go, then show it to whoever looks things up in memory.

use playhouse_bus::HouseId;
use playhouse_house::{CREDENTIALS, Credential, CredentialKind, Minted, Scopes, TvId, credential_path, mint};
use playhouse_store::{CommitError, Expect, Key, Op, RecordError, StoreError, Version, put, read, scan_all};

use super::actor::{CreatedDeviceToken, DevicesServices};
use super::{
    AddDevice, AddedDevice, CreateDeviceToken, DeviceSummary, DevicesError, MAX_TOKENS_A_TV, MAX_TVS_A_HOUSE,
    RemoveDevice, RenameDevice, RepairDevice, RevokeDeviceTokens,
};
use crate::directory::PairedTv;
use crate::links::CloseReason;
use crate::name::DeviceName;
use crate::record::{TvRecord, seen_key, tv_key};

impl From<StoreError> for DevicesError {
    fn from(error: StoreError) -> Self {
        DevicesError::Store { words: error.to_string() }
    }
}

impl From<CommitError> for DevicesError {
    fn from(error: CommitError) -> Self {
        DevicesError::Store { words: error.to_string() }
    }
}

impl From<RecordError> for DevicesError {
    fn from(error: RecordError) -> Self {
        DevicesError::Store { words: error.to_string() }
    }
}

pub(super) fn summary(services: &DevicesServices, tv: &PairedTv) -> DeviceSummary {
    let online = services.links.is_online(tv.id);
    DeviceSummary { id: tv.id, name: tv.name.clone(), paired_at: tv.paired_at, online }
}

pub(super) async fn add(
    house: HouseId,
    services: &DevicesServices,
    order: AddDevice,
) -> Result<AddedDevice, DevicesError> {
    let AddDevice { tv: id, name, bridge } = order;
    let tvs = services.directory.of(house);
    if tvs.iter().any(|tv| tv.id == id) {
        return Err(DevicesError::AlreadyPaired);
    }
    if tvs.len() >= MAX_TVS_A_HOUSE {
        return Err(DevicesError::TooManyTvs);
    }
    let name = match name {
        None => free_name(services, house)?,
        Some(name) => check_free(services, house, name, id)?,
    };
    let tv = PairedTv { name, id, paired_at: (services.clock)() };
    let assistant = mint_assistant(services, &tv);
    let record = TvRecord { name: tv.name.clone(), bridge: bridge.id, paired_at: tv.paired_at };
    let ops = vec![
        put(tv_key(house, id).path, &record, Expect::Absent)?,
        put(credential_path(bridge.id), &bridge, Expect::Absent)?,
        put(credential_path(assistant.credential.id), &assistant.credential, Expect::Absent)?,
    ];
    services.store.commit(house, ops, None).await?;
    // The TV before its keys: whoever is let in finds it.
    services.directory.put(house, tv.clone());
    services.key_ring.put(house, &bridge);
    services.key_ring.put(house, &assistant.credential);
    Ok(AddedDevice { device: summary(services, &tv), token: assistant.plain })
}

pub(super) async fn repair(
    house: HouseId,
    services: &DevicesServices,
    order: RepairDevice,
) -> Result<AddedDevice, DevicesError> {
    let tv = services.directory.find(house, order.name.as_str()).ok_or(DevicesError::NoSuchTv)?;
    let bridge = Credential { kind: CredentialKind::TvBridge { tv: tv.id }, ..order.bridge };
    let (mut record, version) = record_of(house, services, tv.id).await?;
    if record.bridge == bridge.id {
        return Err(DevicesError::AlreadyPaired);
    }
    let tokens = tokens_of(house, services, tv.id).await?;
    check_room_for_a_token(&tokens)?;
    let old_bridge = tokens.into_iter().find(|(credential, _)| credential.id == record.bridge);
    record.bridge = bridge.id;
    let assistant = mint_assistant(services, &tv);
    let mut ops = vec![
        put(tv_key(house, tv.id).path, &record, Expect::Version(version))?,
        put(credential_path(bridge.id), &bridge, Expect::Absent)?,
        put(credential_path(assistant.credential.id), &assistant.credential, Expect::Absent)?,
    ];
    ops.extend(old_bridge.iter().map(|(old, version)| Op::delete(credential_path(old.id), Expect::Version(*version))));
    services.store.commit(house, ops, None).await?;
    if let Some((old, _)) = old_bridge {
        strike_off(house, services, old);
    }
    services.key_ring.put(house, &bridge);
    services.key_ring.put(house, &assistant.credential);
    services.links.close(tv.id, CloseReason::Removed);
    Ok(AddedDevice { device: summary(services, &tv), token: assistant.plain })
}

pub(super) async fn rename(
    house: HouseId,
    services: &DevicesServices,
    order: RenameDevice,
) -> Result<DeviceSummary, DevicesError> {
    let tv = services.directory.get(house, order.tv).ok_or(DevicesError::NoSuchTv)?;
    let name = check_free(services, house, order.name, order.tv)?;
    let (mut record, version) = record_of(house, services, order.tv).await?;
    record.name = name.clone();
    let put = put(tv_key(house, order.tv).path, &record, Expect::Version(version))?;
    services.store.commit(house, vec![put], None).await?;
    let tv = PairedTv { name, ..tv };
    services.directory.put(house, tv.clone());
    Ok(summary(services, &tv))
}

pub(super) async fn remove(
    house: HouseId,
    services: &DevicesServices,
    order: RemoveDevice,
) -> Result<DeviceSummary, DevicesError> {
    let tv = services.directory.get(house, order.tv).ok_or(DevicesError::NoSuchTv)?;
    let (_, version) = record_of(house, services, tv.id).await?;
    let tokens = tokens_of(house, services, tv.id).await?;
    let mut ops = vec![
        Op::delete(tv_key(house, tv.id).path, Expect::Version(version)),
        Op::delete(seen_key(house, tv.id).path, Expect::Any),
    ];
    ops.extend(tokens.iter().map(|(token, _)| Op::delete(credential_path(token.id), Expect::Any)));
    services.store.commit(house, ops, None).await?;
    for (token, _) in tokens {
        strike_off(house, services, token);
    }
    services.directory.remove(house, tv.id);
    services.links.close(tv.id, CloseReason::Removed);
    Ok(summary(services, &tv))
}

pub(super) async fn create_token(
    house: HouseId,
    services: &DevicesServices,
    order: CreateDeviceToken,
) -> Result<CreatedDeviceToken, DevicesError> {
    let tv = services.directory.get(house, order.tv).ok_or(DevicesError::NoSuchTv)?;
    check_room_for_a_token(&tokens_of(house, services, tv.id).await?)?;
    let kind = CredentialKind::TvAssistant { tv: tv.id };
    let label = order.label.chars().filter(|character| !character.is_control()).take(80).collect();
    let Minted { credential, plain } = mint(kind, label, Scopes::NONE, (services.clock)(), &mut rand::rng());
    let put = put(credential_path(credential.id), &credential, Expect::Absent)?;
    services.store.commit(house, vec![put], None).await?;
    services.key_ring.put(house, &credential);
    Ok(CreatedDeviceToken { token: plain, summary: credential.summary() })
}

pub(super) async fn revoke_tokens(
    house: HouseId,
    services: &DevicesServices,
    order: RevokeDeviceTokens,
) -> Result<usize, DevicesError> {
    let tv = services.directory.get(house, order.tv).ok_or(DevicesError::NoSuchTv)?;
    let now = (services.clock)();
    let mut revoked = Vec::new();
    let mut ops = Vec::new();
    for (mut token, version) in tokens_of(house, services, tv.id).await? {
        if matches!(token.kind, CredentialKind::TvAssistant { .. }) && token.revoked_at.is_none() {
            token.revoked_at = Some(now);
            ops.push(put(credential_path(token.id), &token, Expect::Version(version))?);
            revoked.push(token);
        }
    }
    if !ops.is_empty() {
        services.store.commit(house, ops, None).await?;
    }
    for token in &revoked {
        services.key_ring.put(house, token);
    }
    Ok(revoked.len())
}

/// A credential that is deleted from the store stays on the ring as revoked, which takes it out of use at once; the next start
/// does not know it at all.
fn strike_off(house: HouseId, services: &DevicesServices, mut credential: Credential) {
    credential.revoked_at.get_or_insert((services.clock)());
    services.key_ring.put(house, &credential);
}

fn mint_assistant(services: &DevicesServices, tv: &PairedTv) -> Minted {
    let kind = CredentialKind::TvAssistant { tv: tv.id };
    // The operating system's generator, not one passed in: a secret must never come from a seed.
    mint(kind, format!("assistant of {}", tv.name), Scopes::NONE, (services.clock)(), &mut rand::rng())
}

fn check_free(
    services: &DevicesServices,
    house: HouseId,
    name: DeviceName,
    for_tv: TvId,
) -> Result<DeviceName, DevicesError> {
    match services.directory.find(house, name.as_str()) {
        Some(other) if other.id != for_tv => {
            Err(DevicesError::NameTaken { name, suggestion: free_name(services, house)? })
        }
        _ => Ok(name),
    }
}

fn free_name(services: &DevicesServices, house: HouseId) -> Result<DeviceName, DevicesError> {
    let is_free = |name: &DeviceName| services.directory.find(house, name.as_str()).is_none();
    DeviceName::defaults().take(MAX_TVS_A_HOUSE + 1).find(is_free).ok_or(DevicesError::TooManyTvs)
}

async fn record_of(house: HouseId, services: &DevicesServices, tv: TvId) -> Result<(TvRecord, Version), DevicesError> {
    read::<TvRecord>(&*services.store, &tv_key(house, tv)).await?.ok_or(DevicesError::NoSuchTv)
}

async fn tokens_of(
    house: HouseId,
    services: &DevicesServices,
    tv: TvId,
) -> Result<Vec<(Credential, Version)>, DevicesError> {
    let is_of_tv = |credential: &Credential| match credential.kind {
        CredentialKind::TvAssistant { tv: own } | CredentialKind::TvBridge { tv: own } => own == tv,
        CredentialKind::Key { .. } => false,
    };
    let all = scan_all::<Credential>(&*services.store, &Key::new(house, CREDENTIALS)).await?;
    let own = all.into_iter().filter(|(_, credential, _)| is_of_tv(credential));
    Ok(own.map(|(_, credential, version)| (credential, version)).collect())
}

fn check_room_for_a_token(tokens: &[(Credential, Version)]) -> Result<(), DevicesError> {
    let n_living = tokens.iter().filter(|(token, _)| token.revoked_at.is_none()).count();
    // Revoked ones are kept for the lists, but not without end.
    if n_living >= MAX_TOKENS_A_TV || tokens.len() >= 4 * MAX_TOKENS_A_TV {
        Err(DevicesError::TooManyTokens)
    } else {
        Ok(())
    }
}
