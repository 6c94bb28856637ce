//! What all actors of one kind share: their settings, their counters, and the bus around them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use metrics::{
    Counter, Gauge, Histogram, Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};

use crate::admission::{Gate, Houses};
use crate::backoff::Jitter;
use crate::clock::Clock;
use crate::error::{BusyScope, Failure};
use crate::health::ActorState;
use crate::seats::Seats;
use crate::{ActorKind, KindSettings};

pub(crate) struct Shared {
    pub(crate) kind: ActorKind,
    pub(crate) settings: KindSettings,
    pub(crate) surroundings: Arc<Surroundings>,
    pub(crate) totals: Totals,
}

/// What all kinds share.
pub(crate) struct Surroundings {
    pub(crate) clock: Clock,
    pub(crate) jitter: Jitter,
    pub(crate) seats: Seats,
    pub(crate) houses: Houses,
    pub(crate) instance: Arc<Gate>,
}

/// A count for the health page that is a Prometheus counter at once.
pub(crate) struct Count {
    total: AtomicU64,
    meter: Counter,
}

impl Count {
    fn metered(meter: Counter) -> Self {
        Self { total: AtomicU64::new(0), meter }
    }

    pub(crate) fn add_one(&self) {
        self.total.fetch_add(1, Ordering::Relaxed);
        self.meter.increment(1);
    }

    pub(crate) fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }
}

/// One kind's counters. The meters are looked up once, here, and never on a call's way; so the recorder is installed
/// before the kind is served.
pub(crate) struct Totals {
    pub(crate) handled: Count,
    pub(crate) failed: Count,
    pub(crate) abandoned: Count,
    pub(crate) restarts: Count,
    pub(crate) refused_parked: Count,
    refused_busy: [Count; 3],
    failures: [Counter; 6],
    pub(crate) seconds: Histogram,
    pub(crate) admitted: Gauge,
    states: [Gauge; ActorState::ALL.len()],
}

impl Totals {
    pub(crate) fn of(kind: ActorKind) -> Self {
        let kind = kind.as_str();
        let calls =
            |outcome| Count::metered(counter!("playhouse_actor_calls_total", "kind" => kind, "outcome" => outcome));
        let refused = |why| Count::metered(counter!("playhouse_actor_refused_total", "kind" => kind, "why" => why));
        Self {
            handled: calls("handled"),
            failed: calls("failed"),
            abandoned: calls("abandoned"),
            restarts: Count::metered(counter!("playhouse_actor_restarts_total", "kind" => kind)),
            refused_parked: refused("parked"),
            refused_busy: [BusyScope::Actor, BusyScope::House, BusyScope::Instance]
                .map(|scope| refused(scope.as_str())),
            failures: Failure::ALL
                .map(|why| counter!("playhouse_actor_failures_total", "kind" => kind, "why" => why.as_str())),
            seconds: histogram!("playhouse_actor_call_seconds", "kind" => kind),
            admitted: gauge!("playhouse_actor_calls_admitted", "kind" => kind),
            states: ActorState::ALL.map(|state| gauge!("playhouse_actors", "kind" => kind, "state" => state.as_str())),
        }
    }

    pub(crate) fn refused_busy(&self, scope: BusyScope) -> &Count {
        &self.refused_busy[scope as usize]
    }

    pub(crate) fn refused(&self) -> u64 {
        self.refused_busy.iter().chain([&self.refused_parked]).map(Count::total).sum()
    }

    pub(crate) fn failure(&self, what: Failure) -> &Counter {
        &self.failures[what as usize]
    }

    pub(crate) fn state(&self, state: ActorState) -> &Gauge {
        &self.states[state as usize]
    }
}

/// Tells the recorder what each meter means.
pub(crate) fn describe_meters() {
    describe_counter!(
        "playhouse_actor_calls_total",
        "Calls that ended, by outcome: handled, failed, abandoned by the caller"
    );
    describe_counter!(
        "playhouse_actor_refused_total",
        "Calls refused: parked, or busy at the actor, house or instance"
    );
    describe_counter!("playhouse_actor_restarts_total", "Starts of an actor after a failure");
    describe_counter!("playhouse_actor_failures_total", "Failures of actors, by what failed");
    describe_histogram!("playhouse_actor_call_seconds", Unit::Seconds, "Time from admission to reply");
    describe_gauge!("playhouse_actor_calls_admitted", "Calls queued and in flight, as of the last sweep");
    describe_gauge!("playhouse_actors", "Actors by state, as of the last sweep");
}
