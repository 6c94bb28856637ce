//! One claim: note what is about to happen, put the TV into its house, take it off the list.

use std::cell::RefCell;
use std::rc::Rc;

use playhouse_bus::{CallError, Deadline, HouseId};
use playhouse_house::{Credential, CredentialId, HouseRecord, credential_path, house_path, open_house};
use playhouse_store::{CommitError, Expect, Key, Op, RecordError, StoreError, put, read};

use super::actor::PairingServices;
use super::desk::Desk;
use super::record::{PairingRecord, pairing_path};
use super::{ClaimError, ClaimInto, ClaimTv, ClaimedTv};
use crate::devices::{AddDevice, AddedDevice, DevicesActor, DevicesError, RepairDevice};

/// What a house is called that was opened for one TV.
const NEW_HOUSE_NAME: &str = "Home";

/// A claim at work. When it ends, however it ends, its code is free to be claimed again, unless it was claimed.
pub(super) struct AtWork {
    desk: Rc<RefCell<Desk>>,
    id: CredentialId,
}

impl AtWork {
    pub(super) fn new(desk: Rc<RefCell<Desk>>, id: CredentialId) -> Self {
        Self { desk, id }
    }

    fn succeeded(&self) {
        self.desk.borrow_mut().claimed(self.id);
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        // Not borrowed here unless a panic is being unwound, and then the desk is about to be read anew.
        if let Ok(mut desk) = self.desk.try_borrow_mut() {
            desk.end_claim(self.id);
        }
    }
}

pub(super) async fn claim(
    services: PairingServices,
    at_work: AtWork,
    mut record: PairingRecord,
    order: ClaimTv,
    deadline: Deadline,
) -> Result<ClaimedTv, ClaimError> {
    // An earlier claim may have been cut off after the house had the TV.
    if is_in_its_house(&services, &record).await? {
        take_off_the_list(&services, &at_work).await;
        return Err(ClaimError::AlreadyClaimed);
    }
    let (house, house_name) = house_of(&services, order.into).await?;
    record.claiming = Some(house);
    keep(&services, &at_work, &record).await?;

    let added = put_into_house(&services, house, &record, &order, deadline).await;
    match added {
        Ok(Ok(AddedDevice { device, token })) => {
            take_off_the_list(&services, &at_work).await;
            Ok(ClaimedTv { house, house_name, tv: device.id, name: device.name, token })
        }
        // The house said no, so nothing happened there.
        Ok(Err(refusal)) => {
            record.claiming = None;
            keep(&services, &at_work, &record).await?;
            Err(refusal.into())
        }
        Err(error) => {
            if is_in_its_house(&services, &record).await? {
                take_off_the_list(&services, &at_work).await;
                let words =
                    "the TV is in the house, but its token was lost on the way; make a new one for it".to_owned();
                return Err(ClaimError::Store { words });
            }
            Err(ClaimError::Store { words: error.to_string() })
        }
    }
}

async fn put_into_house(
    services: &PairingServices,
    house: HouseId,
    record: &PairingRecord,
    order: &ClaimTv,
    deadline: Deadline,
) -> Result<Result<AddedDevice, DevicesError>, CallError> {
    let (name, bridge) = (order.name.clone(), record.bridge.clone());
    let devices = DevicesActor::key(house);
    match order.into {
        ClaimInto::House(_) | ClaimInto::NewHouse => {
            services.bus.call(devices, AddDevice { tv: record.tv, name, bridge }, deadline).await
        }
        ClaimInto::Again(_) => match name {
            Some(name) => services.bus.call(devices, RepairDevice { name, bridge }, deadline).await,
            None => Ok(Err(DevicesError::NoSuchTv)),
        },
    }
}

/// The house that the TV goes into, opened if need be, and its name.
async fn house_of(services: &PairingServices, into: ClaimInto) -> Result<(HouseId, String), ClaimError> {
    match into {
        ClaimInto::House(house) | ClaimInto::Again(house) => {
            let record = read::<HouseRecord>(&*services.store, &Key::new(house, house_path())).await?;
            let (record, _) = record.ok_or_else(|| ClaimError::Store { words: CallError::NotFound.to_string() })?;
            Ok((house, record.name))
        }
        ClaimInto::NewHouse => {
            let opened = open_house(&services.store, NEW_HOUSE_NAME, &services.clock).await;
            opened.map(|house| (house.id, house.name)).map_err(|error| ClaimError::Store { words: error.to_string() })
        }
    }
}

/// Whether the house that the last claim was about to use has the TV's bridge token.
pub(super) async fn is_in_its_house(services: &PairingServices, record: &PairingRecord) -> Result<bool, StoreError> {
    let Some(house) = record.claiming else { return Ok(false) };
    let key = Key::new(house, credential_path(record.bridge.id));
    Ok(read::<Credential>(&*services.store, &key).await?.is_some())
}

async fn keep(services: &PairingServices, at_work: &AtWork, record: &PairingRecord) -> Result<(), ClaimError> {
    let put = put(pairing_path(record.bridge.id), record, Expect::Any)?;
    services.store.commit(HouseId::INSTANCE, vec![put], None).await?;
    at_work.desk.borrow_mut().note_claiming(record);
    Ok(())
}

async fn take_off_the_list(services: &PairingServices, at_work: &AtWork) {
    at_work.succeeded();
    delete(services, at_work.id).await;
}

/// Deletes the record of a TV that is in its house. Should this fail, the next start or claim finds out that it is.
pub(super) async fn delete(services: &PairingServices, id: CredentialId) {
    let delete = Op::delete(pairing_path(id), Expect::Any);
    if let Err(error) = services.store.commit(HouseId::INSTANCE, vec![delete], None).await {
        tracing::warn!(token = %id, %error, "could not take a claimed tv off the list of pairings");
    }
}

impl From<DevicesError> for ClaimError {
    fn from(error: DevicesError) -> Self {
        match error {
            DevicesError::NameTaken { name, suggestion } => ClaimError::NameTaken { name, suggestion },
            DevicesError::NoSuchTv => ClaimError::NoSuchTv,
            DevicesError::AlreadyPaired => ClaimError::AlreadyClaimed,
            DevicesError::TooManyTvs | DevicesError::TooManyTokens => ClaimError::Full { words: error.to_string() },
            DevicesError::Store { words } => ClaimError::Store { words },
        }
    }
}

impl From<StoreError> for ClaimError {
    fn from(error: StoreError) -> Self {
        ClaimError::Store { words: error.to_string() }
    }
}

impl From<CommitError> for ClaimError {
    fn from(error: CommitError) -> Self {
        ClaimError::Store { words: error.to_string() }
    }
}

impl From<RecordError> for ClaimError {
    fn from(error: RecordError) -> Self {
        ClaimError::Store { words: error.to_string() }
    }
}
