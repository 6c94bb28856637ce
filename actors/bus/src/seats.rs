//! The arbiters that carry actors, and which actor sits where.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use actix::{Arbiter, ArbiterHandle};
use parking_lot::Mutex;

use crate::health::{ArbiterHealth, ArbiterState};
use crate::{ActorId, ActorKey, HouseId, Placement};

/// So many threads may be blocked for good before the bus stops making new ones: then blocking is not an accident.
const MOST_BLOCKED: usize = 32;

/// A blocked arbiter that came free lives for so many more sweeps, so that what it carries can end.
const SWEEPS_TO_RETIRE: u32 = 60;

pub(crate) struct Seats {
    seats: Box<[Mutex<Seat>]>,
    /// Given up, but not yet free to be stopped.
    retired: Mutex<Vec<Seat>>,
    n_made: AtomicU64,
    owned: bool,
}

struct Seat {
    worker: Arc<Worker>,
    /// Sweeps since the last answer; for a retired one, since it came free.
    n_sweeps: u32,
}

/// One arbiter.
pub(crate) struct Worker {
    pub(crate) number: u64,
    handle: ArbiterHandle,
    pings: AtomicU64,
    pongs: AtomicU64,
    given_up: AtomicBool,
}

impl Worker {
    pub(crate) fn handle(&self) -> &ArbiterHandle {
        &self.handle
    }

    fn is_usable(&self) -> bool {
        self.handle.alive() && !self.given_up.load(Ordering::Relaxed)
    }

    fn has_answered(&self) -> bool {
        self.pings.load(Ordering::Relaxed) == self.pongs.load(Ordering::Acquire)
    }

    fn ping(self: &Arc<Self>) {
        let number = self.pings.fetch_add(1, Ordering::Relaxed) + 1;
        let worker = Arc::clone(self);
        self.handle.spawn_fn(move || worker.pongs.store(number, Ordering::Release));
    }
}

impl Seats {
    /// # Panics
    /// Outside an actix system: there is no arbiter to be current, and none can be made.
    pub(crate) fn new(placement: Placement) -> Self {
        let (n_seats, owned) = match placement {
            Placement::Current => (1, false),
            Placement::Arbiters(0) => (std::thread::available_parallelism().map_or(2, usize::from), true),
            Placement::Arbiters(n) => (n, true),
        };
        let handle = || if owned { Arbiter::new().handle() } else { Arbiter::current() };
        let seats = (0..n_seats).map(|i| Mutex::new(Seat::new(i as u64, handle()))).collect();
        Self { seats, retired: Mutex::new(Vec::new()), n_made: AtomicU64::new(n_seats as u64), owned }
    }

    /// Where an actor lives: always at the same seat, unless the thread there ended or answers nobody. `None` if all did, until
    /// the next sweep.
    ///
    /// Kinds of which a house has one sit together, since they mostly call each other and a call within a thread wakes nobody. The others
    /// are spread by their whole key.
    pub(crate) fn pick(&self, key: ActorKey) -> Option<Arc<Worker>> {
        let mut hasher = DefaultHasher::new();
        key.house.hash(&mut hasher);
        // The instance's own are the same few actors for all houses: together they would share one thread for no reason.
        if key.id != ActorId::ONLY || key.house == HouseId::INSTANCE {
            (key.kind, key.id).hash(&mut hasher);
        }
        let n_seats = self.seats.len();
        let first = (hasher.finish() % n_seats as u64) as usize;
        (first..first + n_seats)
            .map(|seat| Arc::clone(&self.seats[seat % n_seats].lock().worker))
            .find(|worker| worker.is_usable())
    }

    /// Asks every arbiter for a sign of life, replaces those that gave none for `most_missed` sweeps, and returns the numbers
    /// of those that still live but must be left.
    pub(crate) fn sweep(&self, most_missed: u32) -> Vec<u64> {
        let mut left = Vec::new();
        for seat in &self.seats {
            let worker = Arc::clone(&seat.lock().worker);
            if !worker.handle.alive() {
                self.replace(seat, &worker);
            } else if worker.has_answered() {
                worker.given_up.store(false, Ordering::Relaxed);
                seat.lock().n_sweeps = 0;
                worker.ping();
            } else {
                let n_sweeps = {
                    let mut seat = seat.lock();
                    seat.n_sweeps += 1;
                    seat.n_sweeps
                };
                if n_sweeps >= most_missed && self.give_up(seat, &worker) {
                    left.push(worker.number);
                }
            }
        }
        self.stop_what_came_free();
        left
    }

    fn give_up(&self, seat: &Mutex<Seat>, worker: &Arc<Worker>) -> bool {
        let first_time = !worker.given_up.swap(true, Ordering::Relaxed);
        if first_time {
            tracing::error!(arbiter = worker.number, "an actor blocks its thread; the others are moved to a fresh one");
        }
        if self.owned && self.retired.lock().len() < MOST_BLOCKED && self.replace(seat, worker) {
            self.retired.lock().push(Seat { worker: Arc::clone(worker), n_sweeps: 0 });
        }
        first_time
    }

    fn replace(&self, seat: &Mutex<Seat>, worker: &Arc<Worker>) -> bool {
        if !self.owned {
            return false;
        }
        match Arbiter::try_new() {
            Ok(arbiter) => {
                let number = self.n_made.fetch_add(1, Ordering::Relaxed);
                *seat.lock() = Seat::new(number, arbiter.handle());
                tracing::warn!(old_arbiter = worker.number, arbiter = number, "an arbiter was replaced");
                true
            }
            Err(error) => {
                tracing::error!(%error, arbiter = worker.number, "no thread could be made to replace an arbiter");
                false
            }
        }
    }

    fn stop_what_came_free(&self) {
        self.retired.lock().retain_mut(|seat| {
            if !seat.worker.handle.alive() {
                return false;
            }
            if !seat.worker.has_answered() {
                return true;
            }
            seat.n_sweeps += 1;
            let stays = seat.n_sweeps < SWEEPS_TO_RETIRE;
            if !stays {
                seat.worker.handle.stop();
            }
            stays
        });
    }

    /// Stops all arbiters that were made for the bus.
    pub(crate) fn stop(&self) {
        if !self.owned {
            return;
        }
        for seat in &self.seats {
            seat.lock().worker.handle.stop();
        }
        for seat in self.retired.lock().iter() {
            seat.worker.handle.stop();
        }
    }

    pub(crate) fn health(&self) -> Vec<ArbiterHealth> {
        let mut arbiters: Vec<_> = self.seats.iter().map(|seat| seat.lock().health()).collect();
        arbiters.extend(self.retired.lock().iter().map(Seat::health));
        arbiters
    }
}

impl Seat {
    fn new(number: u64, handle: ArbiterHandle) -> Self {
        let worker = Worker {
            number,
            handle,
            pings: AtomicU64::new(0),
            pongs: AtomicU64::new(0),
            given_up: AtomicBool::new(false),
        };
        Self { worker: Arc::new(worker), n_sweeps: 0 }
    }

    fn health(&self) -> ArbiterHealth {
        let state = if self.worker.given_up.load(Ordering::Relaxed) {
            ArbiterState::Blocked
        } else if self.n_sweeps > 0 {
            ArbiterState::Slow
        } else {
            ArbiterState::Running
        };
        ArbiterHealth { number: self.worker.number, state }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use uuid::Uuid;

    use super::*;
    use crate::ActorKind;

    #[actix::test]
    async fn the_single_actors_of_a_house_sit_together_and_houses_are_spread() {
        let seats = Seats::new(Placement::Arbiters(4));
        let seat = |key| seats.pick(key).map(|worker| worker.number);
        let houses = (1..=40).map(|number| HouseId::from_uuid(Uuid::from_u128(number)));
        let mut taken = BTreeSet::new();
        for house in houses {
            let router = seat(ActorKey::only(house, ActorKind::Mcp));
            assert_eq!(router, seat(ActorKey::only(house, ActorKind::TvDevices)));
            taken.insert(router);
        }
        assert_eq!(taken.len(), 4);
    }
}
