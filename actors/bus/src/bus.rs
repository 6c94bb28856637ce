//! The bus itself: register behaviours, call actors, read their health, close.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use actix::{Arbiter, ArbiterHandle};

use crate::admission::{Gate, Houses};
use crate::backoff::Jitter;
use crate::clock::Clock;
use crate::health::HealthReport;
use crate::seats::Seats;
use crate::served::{AnyServed, Served};
use crate::shared::{Shared, Surroundings, Totals, describe_meters};
use crate::{
    ActorKey, ActorKind, Behaviour, BusSettings, CallError, Deadline, HouseId, Message, Placement, sweeper, watch,
};

/// The one way to reach an actor. Cheap to clone; all clones are the same bus.
///
/// A bus lives until [`Bus::close`]: services commonly hold a clone of it, so dropping the last visible one ends nothing.
#[derive(Clone)]
pub struct Bus {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) settings: BusSettings,
    pub(crate) surroundings: Arc<Surroundings>,
    served: [OnceLock<Arc<dyn AnyServed>>; ActorKind::ALL.len()],
    /// The sweeper's own arbiter, where there is one.
    sweeper: Option<ArbiterHandle>,
    closing: AtomicBool,
    closed: AtomicBool,
}

impl Bus {
    /// A bus without behaviours. It catches panics from now on: the process's panic hook is wrapped once.
    ///
    /// # Panics
    /// Outside an actix system, as arbiters belong to one.
    pub fn new(settings: BusSettings) -> Bus {
        watch::install_panic_hook();
        describe_meters();
        let sweeper = match settings.placement {
            Placement::Arbiters(_) => Some(Arbiter::new().handle()),
            Placement::Current => None,
        };
        let surroundings = Surroundings {
            clock: Clock::starting_at(settings.now),
            jitter: Jitter::seeded(settings.seed),
            seats: Seats::new(settings.placement),
            houses: Houses::with_limit(settings.house_admission),
            instance: Arc::new(Gate::with_limit(settings.instance_admission)),
        };
        let sweep_every = settings.sweep_every;
        let inner = Arc::new(Inner {
            settings,
            surroundings: Arc::new(surroundings),
            served: [const { OnceLock::new() }; ActorKind::ALL.len()],
            sweeper,
            closing: AtomicBool::new(false),
            closed: AtomicBool::new(false),
        });
        let sweeping = sweeper::run(Arc::downgrade(&inner), sweep_every);
        inner.sweeper.clone().unwrap_or_else(Arbiter::current).spawn(sweeping);
        Bus { inner }
    }

    /// From now on actors of `B::KIND` behave as `B`, and are handed these services when they start.
    ///
    /// Install the metrics recorder before: the kind's meters are looked up here, once.
    ///
    /// # Panics
    /// When the kind is served already: two behaviours for one kind are a mistake in the program.
    pub fn serve<B: Behaviour>(&self, services: B::Services) {
        let shared = Shared {
            kind: B::KIND,
            settings: *self.inner.settings.kind(B::KIND),
            surroundings: Arc::clone(&self.inner.surroundings),
            totals: Totals::of(B::KIND),
        };
        let served = Served::<B>::new(Arc::new(shared), services, self.inner.settings.sweep_every);
        let first = self.inner.served[B::KIND.index()].set(served).is_ok();
        assert!(first, "actors of kind `{}` are served already", B::KIND);
    }

    /// Has the actor `key` handle `message`, and waits for its reply until `deadline`.
    ///
    /// The actor is started if it is not in memory. Dropping the returned future is the same as letting the deadline pass: the
    /// message is not begun any more, and [`Answer::later`](crate::Answer::later) work stops.
    ///
    /// # Errors
    /// [`CallError`] says whether anything was begun.
    pub async fn call<M: Message>(&self, key: ActorKey, message: M, deadline: Deadline) -> Result<M::Reply, CallError> {
        if self.inner.closing.load(Ordering::Acquire) {
            return Err(CallError::Closing);
        }
        self.inner.served_as::<M::Actor>(key)?.call(key, message, deadline).await
    }

    /// Has every actor of `house` end. What it has begun is finished, what is queued is handled by the next, and that one reads
    /// its state anew; one that was parked or backing off is tried at once. For when the stored state was replaced under them,
    /// as by an import.
    pub fn put_away(&self, house: HouseId) {
        for served in self.inner.all_served() {
            served.put_away(house);
        }
    }

    /// Has one actor end, as [`Bus::put_away`] does a house's: for when the record that it was started from was changed. It cannot fail, and
    /// the next call finds the actor started from what is stored.
    pub fn put_away_actor(&self, key: ActorKey) {
        if let Some(served) = self.inner.served[key.kind.index()].get() {
            served.put_away_actor(key);
        }
    }

    /// How every actor is, just now. Costs a look at each, so it is for people and monitors, not for calls.
    pub fn health(&self) -> HealthReport {
        let surroundings = &self.inner.surroundings;
        let mut report = HealthReport {
            at: surroundings.clock.now(),
            admitted: surroundings.instance.inside(),
            kinds: Vec::new(),
            actors: Vec::new(),
            arbiters: surroundings.seats.health(),
        };
        for served in self.inner.all_served() {
            served.add_health(&mut report);
        }
        report
    }

    /// Takes no more calls, waits up to `grace` for those under way, and ends every actor and the bus's own threads.
    pub async fn close(&self, grace: Duration) {
        self.inner.closing.store(true, Ordering::Release);
        if tokio::time::timeout(grace, self.inner.surroundings.instance.empty()).await.is_err() {
            let n_calls = self.inner.surroundings.instance.inside();
            tracing::warn!(n_calls, "calls were still under way when the bus closed; their outcome is unknown");
        }
        self.inner.end();
    }
}

impl Inner {
    fn served_as<B: Behaviour>(&self, key: ActorKey) -> Result<&Served<B>, CallError> {
        let not_served = CallError::NotServed { kind: key.kind };
        if key.kind != B::KIND {
            return Err(not_served);
        }
        let served = self.served[key.kind.index()].get().and_then(|served| served.as_any().downcast_ref());
        served.ok_or(not_served)
    }

    pub(crate) fn all_served(&self) -> impl Iterator<Item = &Arc<dyn AnyServed>> {
        self.served.iter().filter_map(OnceLock::get)
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    fn end(&self) {
        if self.closed.swap(true, Ordering::AcqRel) {
            return;
        }
        for served in self.all_served() {
            served.close();
        }
        self.surroundings.seats.stop();
        if let Some(sweeper) = &self.sweeper {
            sweeper.stop();
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
impl Bus {
    /// The cell of one actor, for tests that break it from inside.
    pub(crate) fn cell<B: Behaviour>(&self, key: ActorKey) -> Arc<crate::cell::Cell<B>> {
        self.inner.served_as::<B>(key).unwrap().cell(key)
    }
}
