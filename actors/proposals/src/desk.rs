//! What the work of one house's queue is done with. It runs beside the actor's mailbox, so that a library that hangs holds up no list.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use playhouse_bus::{CallError, Deadline, HouseId, Message};
use playhouse_library::{ArrActor, InstanceId};

use crate::ProposalServices;
use crate::state::State;
use crate::works::{UnderWay, Work, Works};

/// How long one look at a library may take; no longer than the caller waits, though.
pub(crate) const READ_WITHIN: Duration = Duration::from_secs(120);

/// What a piece of work has at hand.
pub(crate) struct Desk {
    pub(crate) house: HouseId,
    pub(crate) services: ProposalServices,
    pub(crate) works: Arc<Works>,
    pub(crate) state: RefCell<State>,
}

impl Desk {
    pub(crate) fn now(&self) -> Timestamp {
        (self.services.clock)()
    }

    /// Asks the actor of one of the house's libraries.
    pub(crate) async fn ask<M: Message<Actor = ArrActor>>(
        &self,
        instance: InstanceId,
        message: M,
        deadline: Deadline,
    ) -> Result<M::Reply, CallError> {
        self.services.bus.call(ArrActor::key(self.house, instance), message, deadline).await
    }

    pub(crate) fn begin(&self, work: Work) -> UnderWay {
        UnderWay::begin(&self.works, work, &self.services.expiries, self.house)
    }
}

/// The deadline of one look at a library.
pub(crate) fn to_read(deadline: Deadline) -> Deadline {
    deadline.earlier(Deadline::after(READ_WITHIN))
}
