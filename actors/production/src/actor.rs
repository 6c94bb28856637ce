//! One production's office.
//!
//! It answers reads from its working set and is the only writer of its house's `office` records. Every change is committed first, then
//! applied to the working set, then answered. Answers are kept encoded until something changes or the day ends.

mod answers;
mod importing;
mod reading;
#[cfg(test)]
mod tests;
mod writing;

use std::sync::Arc;

use jiff::Timestamp;
use playhouse_bus::{ActorKey, ActorKind, Behaviour, HouseId, StartError};
use playhouse_house::{HouseRecord, KeyRing, house_path};
use playhouse_store::{Clock, CommitError, Key, SharedStore, read};

use self::answers::Answers;
use crate::office::{Activity, Ledger, Office, Opened, Replies, open, standing};

/// What every production's actor is started with.
#[derive(Clone)]
pub struct ProductionServices {
    /// Where productions are kept.
    pub store: SharedStore,
    /// The credentials in memory: told how the engagements stand.
    pub key_ring: KeyRing,
    /// The time of day.
    pub clock: Clock,
}

/// The office of one house's production.
pub struct ProductionActor {
    house: HouseId,
    services: ProductionServices,
    office: Arc<Office>,
    activity: Activity,
    replies: Arc<Replies>,
    ledger: Ledger,
    answers: Answers,
    /// Whether a commit ended in doubt and the office could not be read anew since: what is in memory may not be what is in the store.
    in_doubt: bool,
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

    /// Takes over what was read from the store.
    fn take_over(&mut self, opened: Opened) {
        self.office = Arc::new(opened.office);
        self.activity = opened.activity;
        self.replies = Arc::new(opened.replies);
        self.ledger = opened.ledger;
        self.answers.clear();
        self.in_doubt = false;
    }
}

impl Behaviour for ProductionActor {
    const KIND: ActorKind = ActorKind::Production;
    type Services = ProductionServices;

    async fn start(key: ActorKey, services: ProductionServices) -> Result<Self, StartError> {
        let house = read::<HouseRecord>(&*services.store, &Key::new(key.house, house_path())).await;
        house.map_err(|error| StartError::unavailable(&error))?.ok_or(StartError::NotFound)?;
        let opened = opened(&services, key.house).await.map_err(|error| StartError::unavailable(&error))?;
        let Opened { ledger, office, activity, replies } = opened;
        let answers = Answers::default();
        let (office, replies) = (Arc::new(office), Arc::new(replies));
        Ok(Self { house: key.house, services, office, activity, replies, ledger, answers, in_doubt: false })
    }
}

/// Reads an office, ends the jobs that a stop of the service cut off, and tells the key ring how the engagements stand in the store: after a
/// commit that ended in doubt it may have been told otherwise, or nothing.
async fn opened(services: &ProductionServices, house: HouseId) -> Result<Opened, CommitError> {
    let mut opened = open(services.store.clone(), house).await?;
    writing::end_cut_jobs(&mut opened, (services.clock)()).await?;
    for engagement in opened.office.engagements().iter() {
        services.key_ring.set_engagement(house, standing(engagement));
    }
    Ok(opened)
}
