//! What an operator, or a test, may choose about the bus.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use jiff::Timestamp;

use crate::{ActorKind, KindSettings};

/// On which threads actors live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// On so many arbiters of their own, spread by key; 0 means one for each core.
    Arbiters(usize),
    /// On the arbiter that calls [`Bus::new`](crate::Bus::new): for tests that stop tokio's clock, which is one thread's.
    Current,
}

/// The settings of a bus. Start from [`BusSettings::new`] and change what must differ.
#[derive(Debug, Clone)]
pub struct BusSettings {
    /// Where actors live.
    pub placement: Placement,
    /// Calls one house may have queued and in flight together, over all its actors.
    pub house_admission: u32,
    /// Calls the whole instance may have queued and in flight together.
    pub instance_admission: u32,
    /// How often the sweeper looks for idle, lost and blocked actors.
    pub sweep_every: Duration,
    /// How long an arbiter may answer nobody before its actors are moved away. Counted in sweeps, so that a machine that
    /// was asleep does not wake to find all its threads "blocked".
    pub blocked_after: Duration,
    /// How long an actor that was put away stays on the health page before it is forgotten.
    pub forget_after: Duration,
    /// The time of day at which the bus starts; health counts on from it.
    pub now: Timestamp,
    /// Where the randomness of back-off starts.
    pub seed: u64,
    /// What each kind is allowed, in the order of [`ActorKind::ALL`]; see [`BusSettings::with_kind`].
    pub kinds: [KindSettings; ActorKind::ALL.len()],
}

impl BusSettings {
    /// The settings for production, with actors placed so.
    pub fn new(placement: Placement) -> Self {
        Self {
            placement,
            house_admission: 1_024,
            instance_admission: 16_384,
            sweep_every: Duration::from_secs(1),
            blocked_after: Duration::from_secs(5),
            forget_after: Duration::from_secs(3_600),
            now: Timestamp::now(),
            seed: RandomState::new().hash_one(0),
            kinds: ActorKind::ALL.map(ActorKind::settings),
        }
    }

    /// Changes what one kind is allowed.
    #[must_use]
    pub fn with_kind(mut self, kind: ActorKind, settings: KindSettings) -> Self {
        self.kinds[kind.index()] = settings;
        self
    }

    /// What one kind is allowed.
    pub fn kind(&self, kind: ActorKind) -> &KindSettings {
        &self.kinds[kind.index()]
    }
}
