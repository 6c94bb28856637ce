//! What a capability works with: the client of the instance, the time, and a place in its lanes.

use std::future::Future;
use std::sync::Arc;

use jiff::Timestamp;
use playhouse_bus::Deadline;
use serde::{Deserialize, Serialize};

use super::lanes::Lanes;
use crate::answer::{Code, Unfinished};
use crate::client::ArrClient;
use crate::instance::InstanceId;
use crate::reads::TitleBridge;
use crate::repair::Journal;
use crate::service::Service;
use crate::settings::Digest;

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

    /// Runs a write when no other write to this instance is under way. `begin` is called when its turn has come, and whatever it returns is
    /// waited for to its end.
    ///
    /// # Errors
    /// [`Unfinished::NotStarted`] when the turn did not come by `deadline`: nothing was sent then. Otherwise what `begin` says.
    pub async fn write<T, F>(&self, deadline: Deadline, begin: impl FnOnce() -> F) -> Result<T, Unfinished>
    where
        F: Future<Output = Result<T, Unfinished>>,
    {
        let written = self.lanes.write(deadline, begin).await;
        written.unwrap_or_else(|| {
            let words = format!(
                "Nothing was sent: another change to {} was still under way. Try again in a minute.",
                self.instance.title()
            );
            Err(Unfinished::not_started(Code::Busy, words))
        })
    }
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
