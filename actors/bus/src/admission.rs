//! Back-pressure: how many calls may wait, counted before they are queued.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use dashmap::DashMap;
use tokio::sync::Notify;

use crate::error::BusyScope;
use crate::ids::HouseId;

/// A count with a limit.
#[derive(Debug)]
pub(crate) struct Gate {
    limit: u32,
    inside: AtomicU32,
    emptied: Notify,
}

impl Gate {
    pub(crate) fn with_limit(limit: u32) -> Self {
        Self { limit, inside: AtomicU32::new(0), emptied: Notify::new() }
    }

    /// Calls inside now.
    pub(crate) fn inside(&self) -> u32 {
        self.inside.load(Ordering::Acquire)
    }

    /// Waits until nobody is inside. Newcomers are kept out by the caller.
    pub(crate) async fn empty(&self) {
        loop {
            // Made before the look, so that an emptying in between is not missed.
            let emptied = self.emptied.notified();
            if self.inside() == 0 {
                return;
            }
            emptied.await;
        }
    }

    fn enter(&self) -> bool {
        // A plain addition that is taken back when it was too much would turn others away meanwhile.
        let one_more = |inside| (inside < self.limit).then_some(inside + 1);
        self.inside.fetch_update(Ordering::AcqRel, Ordering::Relaxed, one_more).is_ok()
    }

    fn leave(&self) {
        if self.inside.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.emptied.notify_waiters();
        }
    }
}

/// Proof that a call was counted by a gate. Dropping it gives the place back, so that no path can forget to.
#[derive(Debug)]
pub(crate) struct Pass(Arc<Gate>);

impl Pass {
    pub(crate) fn through(gate: &Arc<Gate>) -> Option<Self> {
        gate.enter().then(|| Self(Arc::clone(gate)))
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// The gates of all houses.
#[derive(Debug)]
pub(crate) struct Houses {
    limit: u32,
    gates: DashMap<HouseId, Arc<Gate>>,
}

impl Houses {
    pub(crate) fn with_limit(limit: u32) -> Self {
        Self { limit, gates: DashMap::new() }
    }

    /// The gate of `house`. The instance's own actors work for all houses, so what bounds them is their own limit and the instance's.
    pub(crate) fn gate(&self, house: HouseId) -> Arc<Gate> {
        let limit = if house == HouseId::INSTANCE { u32::MAX } else { self.limit };
        Arc::clone(&self.gates.entry(house).or_insert_with(|| Arc::new(Gate::with_limit(limit))))
    }

    /// Drops the gates of houses without a remembered actor.
    pub(crate) fn forget_unused(&self) {
        self.gates.retain(|_, gate| Arc::strong_count(gate) > 1);
    }
}

/// A call's passes through the gates of its house and of the instance.
#[derive(Debug)]
pub(crate) struct Passes {
    _house: Pass,
    _instance: Pass,
}

impl Passes {
    pub(crate) fn through(house: &Arc<Gate>, instance: &Arc<Gate>) -> Result<Self, BusyScope> {
        let house = Pass::through(house).ok_or(BusyScope::House)?;
        let instance = Pass::through(instance).ok_or(BusyScope::Instance)?;
        Ok(Self { _house: house, _instance: instance })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn what_works_for_all_houses_is_not_bounded_as_one_house() {
        let houses = Houses::with_limit(1);
        let (own, other) = (houses.gate(HouseId::INSTANCE), houses.gate(HouseId::from_uuid(uuid::Uuid::max())));
        let passes: Vec<_> = (0..10).map(|_| Pass::through(&own)).collect();
        assert!(passes.iter().all(Option::is_some));
        let _first = Pass::through(&other).expect("a free place");
        assert!(Pass::through(&other).is_none());
    }

    #[test]
    fn a_full_instance_gives_the_house_its_place_back() {
        let house = Arc::new(Gate::with_limit(2));
        let instance = Arc::new(Gate::with_limit(0));

        assert_eq!(Passes::through(&house, &instance).err(), Some(BusyScope::Instance));
        assert_eq!(house.inside(), 0);
    }

    #[test]
    fn threads_together_never_pass_the_limit_and_leave_nothing_behind() {
        const N_THREADS: usize = 8;
        const LIMIT: u32 = 3;
        let gate = Arc::new(Gate::with_limit(LIMIT));
        let (most, n_passed) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let together = Barrier::new(N_THREADS);

        std::thread::scope(|scope| {
            for _ in 0..N_THREADS {
                scope.spawn(|| {
                    together.wait();
                    for _ in 0..20_000 {
                        if let Some(_pass) = Pass::through(&gate) {
                            n_passed.fetch_add(1, Ordering::Relaxed);
                            most.fetch_max(gate.inside() as usize, Ordering::Relaxed);
                        }
                    }
                });
            }
        });

        assert_eq!(gate.inside(), 0);
        assert!(most.into_inner() <= LIMIT as usize);
        assert!(n_passed.into_inner() > 0);
    }

    #[tokio::test]
    async fn emptying_wakes_who_waits_for_it() {
        let gate = Arc::new(Gate::with_limit(1));
        let pass = Pass::through(&gate).unwrap();

        let ((), ()) = tokio::join!(gate.empty(), async { drop(pass) });

        assert_eq!(gate.inside(), 0);
    }

    #[test]
    fn a_house_without_actors_is_forgotten() {
        let houses = Houses::with_limit(1);
        let kept = houses.gate(HouseId::INSTANCE);
        drop(houses.gate(HouseId::new_v7(1, [1; 10])));

        houses.forget_unused();

        assert_eq!(houses.gates.len(), 1);
        assert!(Arc::ptr_eq(&kept, &houses.gate(HouseId::INSTANCE)));
    }
}
