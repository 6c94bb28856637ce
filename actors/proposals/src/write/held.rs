//! The lane for writes of one library, held from before the last look until what was written is read back.

use std::time::Duration;

use playhouse_bus::{ActorKey, Bus, CallError, Deadline};
use playhouse_library::answer::{ArrFailure, Code, Unfinished};
use playhouse_library::settings::{HoldWrites, ReleaseWrites, WriteLease};
use playhouse_library::{ArrActor, InstanceId};
use tokio::runtime::Handle;

use crate::desk::{Desk, to_read};

/// Of the caller's time, what is kept back for the look that comes behind the wait for the lane, and for saying that the lane did not come free.
const KEPT_BACK: Duration = Duration::from_secs(2);

/// How long giving the lane back may take. It is only a message; where even that does not get through, the library's actor gives the lane
/// back by itself after some minutes.
const RELEASE_WITHIN: Duration = Duration::from_secs(10);

/// The lane for writes of one library. Nobody else writes there while this is held, so that nothing is waited for between the last look and the
/// sending. Dropping it gives the lane back, however that comes about.
pub(crate) struct Held {
    bus: Bus,
    key: ActorKey,
    lease: WriteLease,
    is_held: bool,
}

impl Held {
    /// Waits for the lane.
    ///
    /// # Errors
    /// [`ArrFailure::NotServed`] when it did not come free while there was time for another look until `deadline`; what else keeps the library's
    /// actor from answering otherwise.
    pub(crate) async fn take(desk: &Desk, instance: InstanceId, deadline: Deadline) -> Result<Self, ArrFailure> {
        let (bus, key) = (desk.services.bus.clone(), ArrActor::key(desk.house, instance));
        let deadline = to_read(Deadline::after(deadline.remaining().saturating_sub(KEPT_BACK)));
        // In a task of its own: a lease that is on its way while the caller goes would be known to nobody, and hold up the library for minutes.
        // So it is waited for in any case, and given back when nobody takes it.
        let asking = tokio::spawn(async move {
            let asked = bus.call(key, HoldWrites {}, deadline).await;
            let lease = asked.map_err(|error: CallError| ArrFailure::from(error))?.map_err(not_held)?;
            Ok(Self { bus, key, lease, is_held: true })
        });
        asking.await.unwrap_or_else(|_| Err(ArrFailure::NotServed { words: "The server is closing.".to_owned() }))
    }

    /// Under which a write is sent.
    pub(crate) const fn lease(&self) -> WriteLease {
        self.lease
    }

    /// Gives the lane back before anything else goes on.
    pub(crate) async fn release(mut self) {
        let order = ReleaseWrites { lease: self.lease };
        // Where it does not get through, dropping it tries once more.
        self.is_held = self.bus.call(self.key, order, Deadline::after(RELEASE_WITHIN)).await.is_err();
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Without a runtime the process is ending, and the lane with it.
        let Some(runtime) = self.is_held.then(|| Handle::try_current().ok()).flatten() else { return };
        let (bus, key, order) = (self.bus.clone(), self.key, ReleaseWrites { lease: self.lease });
        runtime.spawn(async move {
            if let Err(error) = bus.call(key, order, Deadline::after(RELEASE_WITHIN)).await {
                tracing::warn!(actor = %key, %error, "the lane for writes was not given back; it comes free by itself");
            }
        });
    }
}

/// Nothing was sent, as nothing was to be sent yet.
fn not_held(unfinished: Unfinished) -> ArrFailure {
    match unfinished {
        Unfinished::NotStarted { code: Code::Busy, words } => ArrFailure::NotServed { words },
        other => ArrFailure::refused(other.code(), other.to_string()),
    }
}
