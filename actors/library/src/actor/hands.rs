//! What a capability works with: the client of the instance, the time, and a place in its lanes.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use playhouse_bus::Deadline;
use serde::{Deserialize, Serialize};

use super::lanes::Lanes;
use crate::answer::{ArrFailure, Code, Unfinished};
use crate::client::ArrClient;
use crate::instance::InstanceId;
use crate::reads::TitleBridge;
use crate::repair::Journal;
use crate::service::Service;
use crate::settings::{Digest, WriteLease};

/// An instance's name, as its own actor knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstanceLabel {
    /// Its id.
    pub id: InstanceId,
    /// Its service.
    pub service: Service,
    /// What the house calls it.
    pub name: String,
}

impl InstanceLabel {
    /// How answers name it: `Radarr instance "4K"`.
    pub fn title(&self) -> String {
        crate::instance::title(self.service, &self.name)
    }
}

/// All that a capability needs to work at one instance. Cheap to clone, and moved into the future that does the work.
#[derive(Clone)]
pub struct Hands {
    /// The way to the instance.
    pub client: ArrClient,
    /// Over which connection it calls, as a digest.
    pub(crate) connection: Digest,
    /// Its service.
    pub service: Service,
    /// What the house calls it.
    pub instance: InstanceLabel,
    /// When the call was begun.
    pub now: Timestamp,
    /// Who knows a series' number at TVDB, if anybody does.
    pub bridge: Option<Arc<dyn TitleBridge>>,
    pub(super) lanes: Arc<Lanes>,
    /// Where what is done to downloads is written down before it is done.
    pub(crate) journal: Journal,
}

impl Hands {
    /// Runs a quick read when there is room for one more. Not to be used inside itself: it would wait for its own place.
    pub async fn quick<T>(&self, read: impl Future<Output = T>) -> T {
        self.lanes.quick(read).await
    }

    /// Runs a slow search, one at a time, beside whatever else goes on.
    pub async fn slow<T>(&self, search: impl Future<Output = T>) -> T {
        self.lanes.slow(search).await
    }

    /// As [`Hands::quick`], for a read whose caller must hear of it by `deadline`: what a change looks up before it writes.
    ///
    /// # Errors
    /// [`ArrFailure::NotServed`] when there was no room by `deadline`: the read was not begun then. Otherwise what `read` says.
    pub async fn quick_by<T, E>(&self, deadline: Deadline, read: impl Future<Output = Result<T, E>>) -> Result<T, E>
    where
        E: From<ArrFailure>,
    {
        self.lanes.quick_by(deadline, read).await.unwrap_or_else(|| Err(self.no_turn("other reads").into()))
    }

    /// As [`Hands::slow`], for a search whose caller must hear of it by `deadline`.
    ///
    /// # Errors
    /// As [`Hands::quick_by`].
    pub async fn slow_by<T, E>(&self, deadline: Deadline, search: impl Future<Output = Result<T, E>>) -> Result<T, E>
    where
        E: From<ArrFailure>,
    {
        self.lanes.slow_by(deadline, search).await.unwrap_or_else(|| Err(self.no_turn("another search").into()))
    }

    fn no_turn(&self, others: &str) -> ArrFailure {
        let library = self.instance.title();
        let words = format!(
            "{others} of {library} took all the time of this call, so it was not asked. Try again in a minute."
        );
        ArrFailure::NotServed { words }
    }

    /// Runs a write when no other write to this instance is under way. `begin` is called when its turn has come, and whatever it returns is
    /// waited for to its end.
    ///
    /// # Errors
    /// [`Unfinished::NotStarted`] when the turn did not come while there was time for a write until `deadline`: nothing was
    /// sent then. Otherwise what `begin` says.
    pub async fn write<T, F>(&self, deadline: Deadline, begin: impl FnOnce() -> F) -> Result<T, Unfinished>
    where
        F: Future<Output = Result<T, Unfinished>>,
    {
        let written = self.lanes.write(kept_back(deadline, LEAST_FOR_A_WRITE), begin).await;
        written.unwrap_or_else(|| {
            let words = format!(
                "Nothing was sent: another change to {} was still under way. Try again in a minute.",
                self.instance.title()
            );
            Err(Unfinished::not_started(Code::Busy, words))
        })
    }

    /// Takes the lane for writes and holds it over several calls, for who looks once more before it writes.
    ///
    /// # Errors
    /// [`Unfinished::NotStarted`] when its turn did not come by `deadline`.
    pub(super) async fn hold_writes(&self, deadline: Deadline) -> Result<WriteLease, Unfinished> {
        self.lanes.hold(deadline).await.ok_or_else(|| {
            let words =
                format!("Another change to {} was still under way. Try again in a minute.", self.instance.title());
            Unfinished::not_started(Code::Busy, words)
        })
    }

    /// As [`Hands::write`], in the lane that `lease` holds and without waiting.
    ///
    /// # Errors
    /// [`Unfinished::NotStarted`] when the lease is not, or no longer, the one that holds the lane, or when too little time is left: nothing
    /// was sent then. Otherwise what `begin` says.
    pub(crate) async fn write_under<T, F>(
        &self,
        lease: WriteLease,
        deadline: Deadline,
        begin: impl FnOnce() -> F,
    ) -> Result<T, Unfinished>
    where
        F: Future<Output = Result<T, Unfinished>>,
    {
        let unsent = |why: &str| {
            let title = self.instance.title();
            let words = format!("Nothing was sent: {why} for a change to {title}. Try again in a minute.");
            Unfinished::not_started(Code::Busy, words)
        };
        if !has_time_to_write(deadline) {
            return Err(unsent("too little time was left"));
        }
        let written = self.lanes.write_under(lease, begin).await;
        written.unwrap_or_else(|| Err(unsent("the turn was lost that was taken")))
    }
}

/// A write that is begun with less time than this would most likely end as unknown: it is better not begun.
const LEAST_FOR_A_WRITE: Duration = Duration::from_secs(1);

/// Whether a write that is begun now may well be answered by `deadline`.
pub(crate) fn has_time_to_write(deadline: Deadline) -> bool {
    deadline.remaining() >= LEAST_FOR_A_WRITE
}

/// The deadline for what comes first, when `kept` of the time is needed for what comes behind it.
pub(crate) fn kept_back(deadline: Deadline, kept: Duration) -> Deadline {
    Deadline::after(deadline.remaining().saturating_sub(kept))
}

#[cfg(test)]
impl Hands {
    /// Hands at an instance that no actor stands for.
    pub(crate) fn without_an_actor(
        client: ArrClient,
        instance: InstanceLabel,
        now: Timestamp,
        journal: Journal,
    ) -> Self {
        Self {
            service: client.service(),
            client,
            connection: Digest([7; 32]),
            instance,
            now,
            bridge: None,
            lanes: super::LaneBook::default()
                .of(playhouse_bus::ActorKey::only(playhouse_bus::HouseId::INSTANCE, playhouse_bus::ActorKind::Arr)),
            journal,
        }
    }
}
