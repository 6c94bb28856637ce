//! The actor: its address, its start, and which message leads to which change.

use playhouse_bus::{ActorKey, ActorKind, Answer, Behaviour, CallInfo, Handle, HouseId, Message, StartError};
use playhouse_house::{HouseRecord, KeyRing, KeySummary, PlainKey, house_path};
use playhouse_store::{Clock, Key, SharedStore, read};
use serde::{Deserialize, Serialize};

use super::changes;
use super::{
    AddDevice, AddedDevice, CreateDeviceToken, DeviceSummary, DevicesError, ListDevices, RemoveDevice, RenameDevice,
    RepairDevice, RevokeDeviceTokens,
};
use crate::directory::TvDirectory;
use crate::links::Links;

/// What every house's list of TVs is started with.
#[derive(Clone)]
pub struct DevicesServices {
    /// Where TVs are kept.
    pub store: SharedStore,
    /// The credentials in memory.
    pub key_ring: KeyRing,
    /// The TVs' names in memory.
    pub directory: TvDirectory,
    /// The sockets of this node.
    pub links: Links,
    /// The time of day.
    pub clock: Clock,
}

/// The TVs of one house.
pub struct DevicesActor {
    house: HouseId,
    services: DevicesServices,
}

/// A new assistant's token, shown this once.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreatedDeviceToken {
    /// The text to hand over.
    pub token: PlainKey,
    /// What lists will show of it.
    pub summary: KeySummary,
}

impl DevicesActor {
    /// The address of `house`'s list of TVs.
    pub const fn key(house: HouseId) -> ActorKey {
        ActorKey::only(house, ActorKind::TvDevices)
    }
}

impl Behaviour for DevicesActor {
    const KIND: ActorKind = ActorKind::TvDevices;
    type Services = DevicesServices;

    async fn start(key: ActorKey, services: DevicesServices) -> Result<Self, StartError> {
        let house = read::<HouseRecord>(&*services.store, &Key::new(key.house, house_path())).await;
        house.map_err(|error| StartError::unavailable(&error))?.ok_or(StartError::NotFound)?;
        Ok(Self { house: key.house, services })
    }
}

/// Ties a message to the change that it asks for. Changes have the actor to themselves, so that two of them never read the same state.
macro_rules! changes {
    ($($message:ident => $change:path => $reply:ty),* $(,)?) => {
        $(
            impl Message for $message {
                type Actor = DevicesActor;
                type Reply = Result<$reply, DevicesError>;
            }

            impl Handle<$message> for DevicesActor {
                fn handle(&mut self, order: $message, _: CallInfo) -> Answer<Self, Result<$reply, DevicesError>> {
                    let (house, services) = (self.house, self.services.clone());
                    Answer::alone(async move { $change(house, &services, order).await }, |_, reply| reply)
                }
            }
        )*
    };
}

changes! {
    AddDevice => changes::add => AddedDevice,
    RepairDevice => changes::repair => AddedDevice,
    RenameDevice => changes::rename => DeviceSummary,
    RemoveDevice => changes::remove => DeviceSummary,
    CreateDeviceToken => changes::create_token => CreatedDeviceToken,
    RevokeDeviceTokens => changes::revoke_tokens => usize,
}

impl Message for ListDevices {
    type Actor = DevicesActor;
    type Reply = Result<Vec<DeviceSummary>, DevicesError>;
}

impl Handle<ListDevices> for DevicesActor {
    fn handle(&mut self, _: ListDevices, _: CallInfo) -> Answer<Self, Result<Vec<DeviceSummary>, DevicesError>> {
        let tvs = self.services.directory.of(self.house);
        Answer::now(Ok(tvs.iter().map(|tv| changes::summary(&self.services, tv)).collect()))
    }
}
