//! The smallest actor there is, for tests that look inside.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::cell::Refusal;
use crate::exchange::{Exchange, Letter};
use crate::{
    ActorKey, ActorKind, Answer, Behaviour, Bus, BusSettings, CallError, CallInfo, Deadline, Handle, HouseId, Message,
    Placement, StartError,
};

pub(crate) const KEY: ActorKey = ActorKey::only(HouseId::INSTANCE, ActorKind::House);

pub(crate) struct Counter(u32);

/// Counts, and replies with how often it has counted since it started.
#[derive(Serialize, Deserialize)]
pub(crate) struct Count;

impl Message for Count {
    type Actor = Counter;
    type Reply = u32;
}

impl Behaviour for Counter {
    const KIND: ActorKind = ActorKind::House;
    type Services = ();

    async fn start(_: ActorKey, (): ()) -> Result<Self, StartError> {
        Ok(Self(0))
    }
}

impl Handle<Count> for Counter {
    fn handle(&mut self, _: Count, _: CallInfo) -> Answer<Self, u32> {
        self.0 += 1;
        Answer::now(self.0)
    }
}

/// A bus on this thread, with time stopped and a counter that has counted twice.
pub(crate) async fn bus_with_a_counter() -> Bus {
    tokio::time::pause();
    let bus = Bus::new(BusSettings::new(Placement::Current));
    bus.serve::<Counter>(());
    assert_eq!(count(&bus).await, Ok(1));
    assert_eq!(count(&bus).await, Ok(2));
    bus
}

pub(crate) async fn count(bus: &Bus) -> Result<u32, CallError> {
    bus.call(KEY, Count, Deadline::after(Duration::from_secs(5))).await
}

/// A message on the table, admitted and not yet delivered.
pub(crate) fn exchange(bus: &Bus) -> Arc<Exchange<Count>> {
    let (ticket, _) = bus.cell::<Counter>(KEY).admit(Instant::now()).unwrap_or_else(|refusal| match refusal {
        Refusal::Forgotten => panic!("forgotten"),
        Refusal::No(error) => panic!("{error}"),
    });
    Exchange::new(Letter { message: Count, ticket }, Deadline::after(Duration::from_secs(5)))
}
