//! What a TV's actor and its answers know of their TV.

use std::cell::Cell;

use jiff::Timestamp;
use playhouse_bus::HouseId;
use playhouse_house::{Clock, TvId};
use playhouse_store::SharedStore;

use crate::directory::TvDirectory;
use crate::error::TvError;
use crate::links::{Link, Links};
use crate::name::DeviceName;

/// What every TV's actor is started with.
#[derive(Clone)]
pub struct TvServices {
    /// Where TVs are kept.
    pub store: SharedStore,
    /// The sockets of this node.
    pub links: Links,
    /// The TVs' names.
    pub directory: TvDirectory,
    /// The time of day.
    pub clock: Clock,
}

pub(super) struct TvContext {
    pub(super) house: HouseId,
    pub(super) tv: TvId,
    pub(super) services: TvServices,
    /// Its name when the actor started, should the directory have forgotten it since.
    pub(super) name_at_start: DeviceName,
    /// The last moment it was known to be connected, while it is not.
    pub(super) last_seen: Cell<Option<Timestamp>>,
}

impl TvContext {
    /// What the TV is called now.
    pub(super) fn name(&self) -> DeviceName {
        let tv = self.services.directory.get(self.house, self.tv);
        tv.map_or_else(|| self.name_at_start.clone(), |tv| tv.name)
    }

    /// The TV's present socket.
    pub(super) fn link(&self) -> Result<Link, TvError> {
        self.services.links.current(self.tv).ok_or_else(|| self.offline())
    }

    pub(super) fn offline(&self) -> TvError {
        TvError::Offline { tv: self.name(), last_seen: self.last_seen.get(), now: (self.services.clock)() }
    }
}
