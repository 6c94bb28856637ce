//! One Radarr, Sonarr, Lidarr or Chaptarr of a house.
//!
//! The actor owns the client, with its key and circuit, and the order of what is sent: writes to one instance go one after the other,
//! quick reads a few at a time, slow searches in a lane of their own. It keeps nothing that the instance does not know better. What it can
//! do lies in the capabilities' own folders, each a message with `impl Handle<…> for ArrActor` beside it.
//!
//! When its record changes, [`InstancesActor`](crate::InstancesActor) has it put away, and the next call starts it from the new record.

mod hands;
mod lanes;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use playhouse_bus::{ActorKey, ActorKind, Answer, Behaviour, CallInfo, Deadline, Handle, HouseId, Message, StartError};
use playhouse_house::Sealer;
use playhouse_store::{Clock, Key, SharedStore, read};
use playhouse_upstream::CircuitState;
use serde::{Deserialize, Serialize};

pub use hands::{Hands, InstanceLabel};
pub(crate) use hands::{has_time_to_write, kept_back};
pub use lanes::LaneBook;

use crate::answer::{ArrFailure, Unfinished};
use crate::client::{ArrClient, ArrHttp, ArrKey};
use crate::instance::{InstanceId, InstanceRecord, instance_path};
use crate::reads::TitleBridge;
use crate::repair::Journal;
use crate::settings::{Digest, WriteLease, digest_of};

/// Asks how an instance is. It is not called for it.
#[derive(Debug, Serialize, Deserialize)]
pub struct ObserveArr {}

/// How an instance is, as far as it is known without asking it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrStatus {
    /// Which it is.
    pub instance: InstanceLabel,
    /// Whether it is called at present; `None` where its credentials cannot be opened.
    pub circuit: Option<CircuitState>,
    /// Quick reads under way.
    pub n_reads: usize,
    /// Slow searches under way.
    pub n_searches: usize,
    /// Writes under way, with one that is about to be sent and holds the lane already.
    pub n_writes: usize,
}

/// What the actor of every instance is started with.
#[derive(Clone)]
pub struct ArrServices {
    /// Where instances are kept.
    pub store: SharedStore,
    /// Opens their API keys.
    pub sealer: Sealer,
    /// The connections that all of them share, and the rule of which addresses may be called.
    pub http: ArrHttp,
    /// The time of day.
    pub clock: Clock,
    /// The lanes of all instances.
    pub lanes: LaneBook,
    /// Who knows a series' number at TVDB, if anybody does.
    pub bridge: Option<Arc<dyn TitleBridge>>,
}

/// One arr instance.
pub struct ArrActor {
    label: InstanceLabel,
    /// `None` when its key could not be opened.
    client: Option<ArrClient>,
    /// Over which connection the client calls, as a digest.
    connection: Option<Digest>,
    clock: Clock,
    lanes: Arc<lanes::Lanes>,
    journal: Journal,
    bridge: Option<Arc<dyn TitleBridge>>,
}

impl ArrActor {
    /// The address of an instance's actor.
    pub const fn key(house: HouseId, instance: InstanceId) -> ActorKey {
        ActorKey::new(house, ActorKind::Arr, instance.actor_id())
    }

    /// Which instance it is.
    pub(crate) const fn label(&self) -> &InstanceLabel {
        &self.label
    }

    /// Over which connection it is called; `None` when its key could not be opened.
    pub(crate) const fn connection(&self) -> Option<Digest> {
        self.connection
    }

    /// What a capability works with.
    ///
    /// # Errors
    /// [`ArrFailure::Unopened`].
    pub fn hands(&self) -> Result<Hands, ArrFailure> {
        let unopened = ArrFailure::Unopened { instance: self.label.id };
        let (client, connection) = self.client.clone().zip(self.connection).ok_or(unopened)?;
        Ok(Hands {
            client,
            connection,
            service: self.label.service,
            instance: self.label.clone(),
            now: (self.clock)(),
            lanes: Arc::clone(&self.lanes),
            journal: self.journal.clone(),
            bridge: self.bridge.clone(),
        })
    }

    /// Answers by a quick read.
    pub(crate) fn answer_read<T, E, F>(&self, read: impl FnOnce(Hands) -> F) -> Answer<Self, Result<T, E>>
    where
        T: 'static,
        E: From<ArrFailure> + 'static,
        F: Future<Output = Result<T, E>> + 'static,
    {
        match self.hands() {
            Err(failure) => Answer::now(Err(failure.into())),
            Ok(hands) => {
                let read = read(hands.clone());
                Answer::later(async move { hands.quick(read).await })
            }
        }
    }

    /// Answers by a slow search.
    pub(crate) fn answer_search<T, F>(&self, search: impl FnOnce(Hands) -> F) -> Answer<Self, Result<T, ArrFailure>>
    where
        T: 'static,
        F: Future<Output = Result<T, ArrFailure>> + 'static,
    {
        match self.hands() {
            Err(failure) => Answer::now(Err(failure)),
            Ok(hands) => {
                let search = search(hands.clone());
                Answer::later(async move { hands.slow(search).await })
            }
        }
    }

    /// Answers by a change, which is finished even when the caller has gone. `change` is told by when all of it must be over to reach its caller:
    /// a little before `call`'s own deadline. It waits for nothing without that bound, neither in [`Hands::quick_by`] and [`Hands::slow_by`] for
    /// what it looks up nor in [`Hands::write`] for what may not be mixed with another change; what has no turn by then is not begun.
    pub(crate) fn answer_change<T, F>(
        &self,
        call: CallInfo,
        change: impl FnOnce(Hands, Deadline) -> F,
    ) -> Answer<Self, Result<T, Unfinished>>
    where
        T: 'static,
        F: Future<Output = Result<T, Unfinished>> + 'static,
    {
        match self.hands() {
            Err(failure) => Answer::now(Err(failure.into())),
            Ok(hands) => Answer::to_the_end(change(hands, kept_back(call.deadline, KEPT_BACK))),
        }
    }

    /// Answers with the lane for writes once nobody else is in it. Dropped when the caller has gone: nothing was taken then.
    pub(crate) fn answer_lease(&self, call: CallInfo) -> Answer<Self, Result<WriteLease, Unfinished>> {
        match self.hands() {
            Err(failure) => Answer::now(Err(failure.into())),
            Ok(hands) => {
                let deadline = kept_back(call.deadline, KEPT_BACK);
                Answer::later(async move { hands.hold_writes(deadline).await })
            }
        }
    }

    /// Gives the lane for writes back, if `lease` still holds it.
    pub(crate) fn release_writes(&self, lease: WriteLease) {
        self.lanes.release(lease);
    }
}

/// Of the caller's time, what is kept back so that the end of a change still reaches its caller: what was not begun is then told as that, and
/// an answer that does not come as a write whose outcome is unknown.
const KEPT_BACK: Duration = Duration::from_millis(500);

impl Behaviour for ArrActor {
    const KIND: ActorKind = ActorKind::Arr;
    type Services = ArrServices;

    async fn start(key: ActorKey, services: ArrServices) -> Result<Self, StartError> {
        let ArrServices { store, sealer, http, clock, lanes, bridge } = services;
        let id = InstanceId::from_actor_id(key.id).ok_or(StartError::NotFound)?;
        let path = instance_path(id);
        let found = read::<InstanceRecord>(&*store, &Key::new(key.house, path.clone())).await;
        let (record, _) = found.map_err(|error| StartError::unavailable(&error))?.ok_or(StartError::NotFound)?;
        let label = InstanceLabel { id, service: id.service(), name: record.name };
        let opened = match open(&sealer, key.house, &path, &record.api_key) {
            Ok(api_key) => Some(api_key),
            Err(fault) => {
                tracing::error!(house = %key.house, instance = %id, fault, "an instance's API key cannot be used");
                None
            }
        };
        let client = opened.as_ref().map(|key| ArrClient::new(label.service, &record.base_url, key, &http));
        let connection = opened.as_ref().map(|key| digest_of(id, &record.base_url, key));
        let journal = Journal::new(store, key.house, id);
        Ok(Self { label, client, connection, clock, lanes: lanes.of(key), journal, bridge })
    }
}

/// The API key in the clear; an error says in words for the log why it does not open.
fn open(
    sealer: &Sealer,
    house: HouseId,
    path: &playhouse_store::Path,
    sealed: &playhouse_house::Sealed,
) -> Result<ArrKey, String> {
    use secrecy::ExposeSecret;
    let opened = sealer.open(house, path, sealed).map_err(|error| error.to_string())?;
    ArrKey::parse(opened.expose_secret()).map_err(|error| error.to_string())
}

impl Message for ObserveArr {
    type Actor = ArrActor;
    type Reply = ArrStatus;
}

impl Handle<ObserveArr> for ArrActor {
    fn handle(&mut self, _: ObserveArr, _: CallInfo) -> Answer<Self, ArrStatus> {
        let (n_reads, n_searches, n_writes) = self.lanes.under_way();
        Answer::now(ArrStatus {
            instance: self.label.clone(),
            circuit: self.client.as_ref().map(ArrClient::circuit),
            n_reads,
            n_searches,
            n_writes,
        })
    }
}
