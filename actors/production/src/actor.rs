//! One production's office.
//!
//! It answers reads from its working set and is the only writer of its house's `office` records. Every change is committed first, then
//! applied to the working set, then answered.

use std::sync::Arc;

use jiff::Timestamp;
use playhouse_bus::{ActorKey, ActorKind, Behaviour, HouseId, StartError};
use playhouse_house::KeyRing;
use playhouse_store::{Clock, SharedStore};

use crate::office::Office;

/// What every production's actor is started with.
#[derive(Clone)]
pub struct ProductionServices {
    /// Where productions are kept.
    pub store: SharedStore,
    /// The credentials in memory: told when an engagement ends.
    pub key_ring: KeyRing,
    /// The time of day.
    pub clock: Clock,
}

/// The office of one house's production.
pub struct ProductionActor {
    services: ProductionServices,
    office: Arc<Office>,
}

impl ProductionActor {
    /// The address of `house`'s office.
    pub const fn key(house: HouseId) -> ActorKey {
        ActorKey::only(house, ActorKind::Production)
    }

    /// The working set as it is now. Later changes do not show in it.
    pub fn snapshot(&self) -> Arc<Office> {
        Arc::clone(&self.office)
    }

    /// The time of day.
    pub fn now(&self) -> Timestamp {
        (self.services.clock)()
    }
}

impl Behaviour for ProductionActor {
    const KIND: ActorKind = ActorKind::Production;
    type Services = ProductionServices;

    async fn start(_: ActorKey, services: ProductionServices) -> Result<Self, StartError> {
        Ok(Self { services, office: Arc::default() })
    }
}

macro_rules! not_yet {
    ($($message:ty => $reply:ty = $answer:expr;)*) => {
        $(
            impl playhouse_bus::Handle<$message> for ProductionActor {
                fn handle(&mut self, _: $message, _: playhouse_bus::CallInfo) -> playhouse_bus::Answer<Self, $reply> {
                    playhouse_bus::Answer::now($answer)
                }
            }
        )*
    };
}

use crate::messages as m;
not_yet! {
    m::Read => Result<m::Document, m::OfficeRefusal> = Err(m::OfficeRefusal::unavailable());
    m::FindMedia => Result<m::MediaFile, m::OfficeRefusal> = Err(m::OfficeRefusal::unavailable());
    m::ListKept => Result<Vec<String>, m::OfficeRefusal> = Err(m::OfficeRefusal::unavailable());
    m::Observe => m::OfficeState = m::OfficeState { has_production: false, revision: 0, n_scenes: 0, n_characters: 0, n_assets: 0, n_activity: 0, n_cached_answers: 0 };
    m::CreateAsset => Result<m::Written, m::OfficeRefusal> = Err(m::OfficeRefusal::unavailable());
    m::AddNote => Result<m::Written, m::OfficeRefusal> = Err(m::OfficeRefusal::unavailable());
    m::Decide => Result<m::Written, m::OfficeRefusal> = Err(m::OfficeRefusal::unavailable());
    m::BeginSubmission => Result<m::SubmissionWelcome, m::OfficeRefusal> = Err(m::OfficeRefusal::unavailable());
    m::CommitSubmission => Result<m::Written, m::OfficeRefusal> = Err(m::OfficeRefusal::unavailable());
    m::ApplyImport => Result<m::Applied, m::OfficeRefusal> = Err(m::OfficeRefusal::unavailable());
    m::StartJob => Result<crate::model::JobId, m::OfficeRefusal> = Err(m::OfficeRefusal::unavailable());
    m::ReportJob => Result<(), m::OfficeRefusal> = Err(m::OfficeRefusal::unavailable());
    m::EndJob => Result<(), m::OfficeRefusal> = Err(m::OfficeRefusal::unavailable());
    m::SetUp => Result<u32, m::OfficeRefusal> = Err(m::OfficeRefusal::unavailable());
}
