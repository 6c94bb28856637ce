//! The lane for writes, held from before the last look until what was written is read back.
//!
//! Without it, a write that was looked at, decided and written down might still wait for minutes behind another one, and what changes meanwhile would
//! be seen by nobody.

use playhouse_bus::{Answer, CallInfo, Handle, Message};
use serde::{Deserialize, Serialize};

use crate::ArrActor;
use crate::answer::Unfinished;

/// Waits until no write to the instance is under way, and keeps every other one waiting from then on.
///
/// It ends with [`ReleaseWrites`], or by itself after five minutes, and outlives the actor. Not begun when its turn does not come while the caller
/// waits. Each repetition waits for a turn of its own, behind the ones before.
#[derive(Debug, Serialize, Deserialize)]
pub struct HoldWrites {}

/// Lets others write to the instance again. Repeating it, and releasing what is over already, is harmless.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReleaseWrites {
    /// What [`HoldWrites`] answered.
    pub lease: WriteLease,
}

/// The right to write to an instance next, under which [`PutProfile`](super::PutProfile) and [`SendFormat`](super::SendFormat) send without waiting.
/// A number that no other one in this process has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WriteLease(pub u64);

impl Message for HoldWrites {
    type Actor = ArrActor;
    type Reply = Result<WriteLease, Unfinished>;
}

impl Handle<HoldWrites> for ArrActor {
    fn handle(&mut self, _: HoldWrites, call: CallInfo) -> Answer<Self, Result<WriteLease, Unfinished>> {
        self.answer_lease(call)
    }
}

impl Message for ReleaseWrites {
    type Actor = ArrActor;
    type Reply = ();
}

impl Handle<ReleaseWrites> for ArrActor {
    fn handle(&mut self, order: ReleaseWrites, _: CallInfo) -> Answer<Self, ()> {
        self.release_writes(order.lease);
        Answer::now(())
    }
}
