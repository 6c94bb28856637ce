//! The actor: its address, its start, and which message leads to which change.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use playhouse_bus::{ActorKey, ActorKind, Answer, Behaviour, Bus, CallInfo, Handle, HouseId, Message, StartError};
use playhouse_house::{HouseRecord, Sealer, house_path};
use playhouse_store::{Clock, Key, SharedStore, Version, read, scan_all};
use tokio::sync::Mutex;

use super::changes;
use super::connection::Connected;
use super::record::{INSTANCES, InstanceRecord, InstanceSummary, summaries};
use super::{
    AddInstance, EditInstance, GrantInstance, InstanceDetails, InstancesError, KeptInstance, ListInstanceDetails,
    ListInstances, RemoveInstance, SetDefaultInstance, TestConnection,
};
use crate::client::ArrHttp;

/// What every house's list of instances is started with.
#[derive(Clone)]
pub struct InstancesServices {
    /// Where instances are kept.
    pub store: SharedStore,
    /// Seals and opens their API keys.
    pub sealer: Sealer,
    /// The connections over which they are tested.
    pub http: ArrHttp,
    /// The time of day.
    pub clock: Clock,
    /// The way to the instances' own actors, which start anew after a change.
    pub bus: Bus,
}

/// The arr instances of one house.
pub struct InstancesActor {
    desk: Rc<Desk>,
}

/// What the actor's changes work with. A change tests a connection first, which may take ten seconds, so changes run beside the lists and
/// take turns among themselves.
pub(super) struct Desk {
    pub(super) house: HouseId,
    pub(super) services: InstancesServices,
    /// What the store holds, as of the last commit.
    pub(super) kept: RefCell<Kept>,
    /// Whether the store may hold something else: it was written to and could not be read again. The actor is put away then; this is for
    /// what it has begun.
    pub(super) is_outdated: Cell<bool>,
    /// Held by the one change that reads, commits and shows what it committed.
    pub(super) turn: Mutex<()>,
}

/// All records with their versions, and the list that every tool call asks for.
pub(super) struct Kept {
    pub(super) records: Vec<(InstanceRecord, Version)>,
    pub(super) summaries: Vec<InstanceSummary>,
}

impl Kept {
    pub(super) async fn read(house: HouseId, store: &SharedStore) -> Result<Self, playhouse_store::StoreError> {
        let records = scan_all::<InstanceRecord>(&**store, &Key::new(house, INSTANCES)).await?;
        let records: Vec<_> = records.into_iter().map(|(_, record, version)| (record, version)).collect();
        let bare: Vec<InstanceRecord> = records.iter().map(|(record, _)| record.clone()).collect();
        Ok(Self { summaries: summaries(&bare), records })
    }
}

impl InstancesActor {
    /// The address of `house`'s list of instances.
    pub const fn key(house: HouseId) -> ActorKey {
        ActorKey::only(house, ActorKind::ArrInstances)
    }
}

impl Behaviour for InstancesActor {
    const KIND: ActorKind = ActorKind::ArrInstances;
    type Services = InstancesServices;

    async fn start(key: ActorKey, services: InstancesServices) -> Result<Self, StartError> {
        let house = read::<HouseRecord>(&*services.store, &Key::new(key.house, house_path())).await;
        house.map_err(|error| StartError::unavailable(&error))?.ok_or(StartError::NotFound)?;
        let kept = Kept::read(key.house, &services.store).await.map_err(|error| StartError::unavailable(&error))?;
        let (kept, is_outdated) = (RefCell::new(kept), Cell::new(false));
        let desk = Desk { house: key.house, services, kept, is_outdated, turn: Mutex::new(()) };
        Ok(Self { desk: Rc::new(desk) })
    }
}

/// Ties a message to the change that it asks for. A change that has begun is finished, whoever waits for it.
macro_rules! changes {
    ($($message:ident => $change:path => $reply:ty),* $(,)?) => {
        $(
            impl Message for $message {
                type Actor = InstancesActor;
                type Reply = Result<$reply, InstancesError>;
            }

            impl Handle<$message> for InstancesActor {
                fn handle(&mut self, order: $message, call: CallInfo) -> Answer<Self, Result<$reply, InstancesError>> {
                    let desk = Rc::clone(&self.desk);
                    Answer::to_the_end(async move { $change(&desk, order, call.deadline).await })
                }
            }
        )*
    };
}

changes! {
    AddInstance => changes::add => KeptInstance,
    EditInstance => changes::edit => KeptInstance,
    RemoveInstance => changes::remove => InstanceDetails,
    SetDefaultInstance => changes::set_default => InstanceDetails,
    GrantInstance => changes::grant => InstanceDetails,
}

impl Message for TestConnection {
    type Actor = InstancesActor;
    type Reply = Result<Connected, InstancesError>;
}

impl Handle<TestConnection> for InstancesActor {
    fn handle(&mut self, test: TestConnection, call: CallInfo) -> Answer<Self, Result<Connected, InstancesError>> {
        let desk = Rc::clone(&self.desk);
        Answer::later(async move { changes::test(&desk, test, call.deadline).await })
    }
}

impl Message for ListInstances {
    type Actor = InstancesActor;
    type Reply = Vec<InstanceSummary>;
}

impl Handle<ListInstances> for InstancesActor {
    fn handle(&mut self, _: ListInstances, _: CallInfo) -> Answer<Self, Vec<InstanceSummary>> {
        Answer::now(self.desk.kept.borrow().summaries.clone())
    }
}

impl Message for ListInstanceDetails {
    type Actor = InstancesActor;
    type Reply = Result<Vec<InstanceDetails>, InstancesError>;
}

impl Handle<ListInstanceDetails> for InstancesActor {
    fn handle(
        &mut self,
        _: ListInstanceDetails,
        _: CallInfo,
    ) -> Answer<Self, Result<Vec<InstanceDetails>, InstancesError>> {
        let desk = Rc::clone(&self.desk);
        Answer::later(async move { changes::details(&desk).await })
    }
}
