//! How every actor is: what the console, `/v1/health/actors` and the tests read.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{ActorKey, ActorKind, Cause};

/// All kinds, all actors the bus remembers, and the threads they live on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HealthReport {
    /// When the report was made.
    pub at: Timestamp,
    /// Calls queued and in flight, over all actors.
    pub admitted: u32,
    /// One entry for each kind that is served, in the order of [`ActorKind::ALL`].
    pub kinds: Vec<KindHealth>,
    /// One entry for each actor, sorted by kind, house and id.
    pub actors: Vec<ActorHealth>,
    /// One entry for each thread that carries actors, and for each that was given up.
    pub arbiters: Vec<ArbiterHealth>,
}

impl HealthReport {
    /// The entry of one actor, if the bus remembers it.
    pub fn actor(&self, key: ActorKey) -> Option<&ActorHealth> {
        self.actors.iter().find(|actor| actor.key == key)
    }

    /// The entry of one kind, if it is served.
    pub fn kind(&self, kind: ActorKind) -> Option<&KindHealth> {
        self.kinds.iter().find(|health| health.kind == kind)
    }
}

/// What an actor is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActorState {
    /// Reads its state; calls wait.
    Starting,
    /// Handles calls.
    Running,
    /// Failed and waits a moment before it starts again; calls wait.
    BackingOff,
    /// Failed too often and rests; calls are refused until the time of the next try.
    Parked,
    /// Not in memory; the next call starts it.
    PutAway,
}

impl ActorState {
    /// Every state, in the order of the enum.
    pub const ALL: [ActorState; 5] =
        [ActorState::Starting, ActorState::Running, ActorState::BackingOff, ActorState::Parked, ActorState::PutAway];

    /// The name in JSON and in metric labels.
    pub const fn as_str(self) -> &'static str {
        match self {
            ActorState::Starting => "starting",
            ActorState::Running => "running",
            ActorState::BackingOff => "backing_off",
            ActorState::Parked => "parked",
            ActorState::PutAway => "put_away",
        }
    }
}

/// One actor. Counts begin when the bus first heard of it, and go on through restarts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActorHealth {
    /// Its address.
    #[serde(flatten)]
    pub key: ActorKey,
    /// What it is doing.
    pub state: ActorState,
    /// Since when.
    pub since: Timestamp,
    /// When it is tried again, if it is backing off or parked.
    pub next_try: Option<Timestamp>,
    /// How often it was started again after a failure.
    pub restarts: u32,
    /// Its last failure, however long ago.
    pub last_cause: Option<Cause>,
    /// Calls waiting to be handled.
    pub queued: u32,
    /// Calls being handled.
    pub in_flight: u32,
    /// Calls that were replied to.
    pub handled: u64,
    /// Calls that failed: panicked, or with unknown outcome.
    pub failed: u64,
    /// Calls whose outcome is unknown, as they did not end within their grace; part of `failed`.
    pub unknown: u64,
    /// Calls given up by their caller before there was a reply.
    pub abandoned: u64,
    /// How long callers waited for a reply, lately.
    pub latency: Option<Latency>,
}

/// Quantiles of the time from admission to reply, in seconds in JSON. Rounded up by at most 41 %.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Half of the callers waited no longer.
    #[serde(with = "seconds")]
    pub p50: Duration,
    /// Nine in ten.
    #[serde(with = "seconds")]
    pub p90: Duration,
    /// Ninety-nine in a hundred.
    #[serde(with = "seconds")]
    pub p99: Duration,
}

/// All actors of one kind together, those forgotten included.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KindHealth {
    /// The kind.
    pub kind: ActorKind,
    /// Actors in state starting.
    pub starting: u32,
    /// Actors in state running.
    pub running: u32,
    /// Actors in state backing off.
    pub backing_off: u32,
    /// Actors in state parked.
    pub parked: u32,
    /// Actors in state put away and still remembered.
    pub put_away: u32,
    /// Calls queued and in flight.
    pub admitted: u32,
    /// Calls replied to.
    pub handled: u64,
    /// Calls failed.
    pub failed: u64,
    /// Calls refused before they were queued: busy or parked.
    pub refused: u64,
    /// Calls given up by their caller before there was a reply.
    pub abandoned: u64,
    /// Starts after a failure.
    pub restarts: u64,
}

/// One thread that carries actors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArbiterHealth {
    /// Counts up from 0 over the life of the bus.
    pub number: u64,
    /// What it is doing.
    pub state: ArbiterState,
}

/// What a thread that carries actors is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArbiterState {
    /// Answers.
    Running,
    /// Has not answered for a while; its actors are moved away if that goes on.
    Slow,
    /// Given up: some actor blocks it, and the others were moved away. It ends when it comes free.
    Blocked,
}

mod seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(duration.as_secs_f64())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        let seconds = f64::deserialize(deserializer)?;
        Duration::try_from_secs_f64(seconds).map_err(serde::de::Error::custom)
    }
}
