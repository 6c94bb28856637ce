//! What a house's admins are told of, as it happens.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use dashmap::DashMap;
use jiff::Timestamp;
use playhouse_bus::HouseId;
use playhouse_library::{InstanceId, Service};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;

use crate::ProposalId;

/// An event's number in its house: 1, 2, 3 … without holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EventId(pub u64);

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for EventId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// One thing that admins are told of. Kept in the same commit as what it tells of, so neither is there without the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdminEvent {
    /// Its number in the house: what a stream is taken up again after.
    pub id: EventId,
    /// When.
    pub at: Timestamp,
    /// What.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What admins are told of. The names are the wire's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventKind {
    /// A change of a profile waits for a decision.
    ProfileChangePending {
        /// Which.
        proposal_id: ProposalId,
        /// The service of the library.
        service: Service,
        /// The library.
        instance_id: InstanceId,
        /// The profile.
        profile_id: i64,
        /// What it is called.
        profile_name: String,
        /// How many wait now.
        pending_count: usize,
    },
    /// One was decided, replaced or expired.
    ProfileChangeDecided {
        /// Which.
        proposal_id: ProposalId,
        /// How many wait now.
        pending_count: usize,
    },
}

impl EventKind {
    /// Its name on the wire: `profile_change_pending`.
    pub const fn name(&self) -> &'static str {
        match self {
            EventKind::ProfileChangePending { .. } => "profile_change_pending",
            EventKind::ProfileChangeDecided { .. } => "profile_change_decided",
        }
    }
}

/// Where listeners hear of new events at once. It keeps nothing: who missed some reads them with
/// [`ListEvents`](crate::ListEvents).
#[derive(Clone, Default)]
pub struct EventHub(Arc<DashMap<HouseId, broadcast::Sender<Arc<AdminEvent>>>>);

/// Events a slow listener may be behind before it has to read them from the store.
const MAX_BEHIND: usize = 64;

impl EventHub {
    /// Hears what happens in `house` from now on.
    pub fn listen(&self, house: HouseId) -> broadcast::Receiver<Arc<AdminEvent>> {
        self.0.entry(house).or_insert_with(|| broadcast::channel(MAX_BEHIND).0).subscribe()
    }

    /// Tells the listeners of `house`. Called after the commit.
    pub(crate) fn tell(&self, house: HouseId, event: AdminEvent) {
        let Some(sender) = self.0.get(&house).map(|sender| sender.clone()) else { return };
        if sender.send(Arc::new(event)).is_err() {
            self.0.remove_if(&house, |_, sender| sender.receiver_count() == 0);
        }
    }
}
