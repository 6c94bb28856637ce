//! The part of a cell that its lock guards: what the actor is doing, the way to it, and its failures.

use std::sync::Arc;

use actix::Addr;
use tokio::time::Instant;

use crate::backoff::{Jitter, Plan, Record};
use crate::error::Cause;
use crate::guarded::Guarded;
use crate::health::ActorState;
use crate::{Behaviour, CallError, RestartLimit};

pub(crate) struct Slot<B: Behaviour> {
    phase: Phase,
    since: Instant,
    pub(crate) link: Option<Arc<Link<B>>>,
    pub(crate) n_generations: u64,
    pub(crate) n_restarts: u32,
    /// Only actors that ever failed pay for it.
    record: Option<Box<Record>>,
    /// Set when the cell has left its map, and callers that still hold it must look again.
    pub(crate) forgotten: bool,
}

/// The way to one generation of the actor, on one arbiter. The actor ends when its last link is dropped.
pub(crate) struct Link<B: Behaviour> {
    pub(crate) generation: u64,
    pub(crate) addr: Addr<Guarded<B>>,
    pub(crate) arbiter: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Starting,
    Running,
    BackingOff { until: Instant },
    Parked { until: Instant },
    PutAway,
}

impl<B: Behaviour> Slot<B> {
    pub(crate) fn empty() -> Self {
        Self {
            phase: Phase::PutAway,
            since: Instant::now(),
            link: None,
            n_generations: 0,
            n_restarts: 0,
            record: None,
            forgotten: false,
        }
    }

    pub(crate) fn phase(&self) -> Phase {
        self.phase
    }

    pub(crate) fn since(&self) -> Instant {
        self.since
    }

    pub(crate) fn enter(&mut self, phase: Phase, now: Instant) {
        self.phase = phase;
        self.since = now;
    }

    /// Takes a failure down, and decides what follows.
    pub(crate) fn fail(&mut self, cause: &Cause, limit: RestartLimit, jitter: &Jitter) -> Plan {
        let now = Instant::now();
        let record = self.record.get_or_insert_with(|| Box::new(Record::new(cause.clone())));
        let plan = record.failed(now, cause.clone(), limit, jitter);
        let phase = match plan {
            Plan::RestartAt(until) => Phase::BackingOff { until },
            Plan::ParkUntil(until) => Phase::Parked { until },
        };
        self.enter(phase, now);
        plan
    }

    /// What calls get while the actor rests.
    pub(crate) fn refusal(&self, now: Instant) -> Option<CallError> {
        match (self.phase, &self.record) {
            (Phase::Parked { until }, Some(record)) if until > now => {
                let retry_after = until - now;
                Some(CallError::Parked { cause: Box::new(record.last_cause.clone()), retry_after })
            }
            _ => None,
        }
    }

    pub(crate) fn last_cause(&self) -> Option<Cause> {
        self.record.as_ref().map(|record| record.last_cause.clone())
    }

    pub(crate) fn next_try(&self) -> Option<Instant> {
        match self.phase {
            Phase::BackingOff { until } | Phase::Parked { until } => Some(until),
            Phase::Starting | Phase::Running | Phase::PutAway => None,
        }
    }
}

impl Phase {
    pub(crate) fn state(self) -> ActorState {
        match self {
            Phase::Starting => ActorState::Starting,
            Phase::Running => ActorState::Running,
            Phase::BackingOff { .. } => ActorState::BackingOff,
            Phase::Parked { .. } => ActorState::Parked,
            Phase::PutAway => ActorState::PutAway,
        }
    }
}
