//! What the bus remembers of one actor, whether it is in memory or not.
//!
//! The lock of a cell is held for a few instructions and never across a wait, a log line or code of a behaviour. Calls are counted
//! under it together with the look at the address, so an actor without counted calls can be put away without losing any.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use actix::Supervisor;
use parking_lot::{Mutex, MutexGuard};
use tokio::time::Instant;

use crate::admission::{Gate, Passes};
use crate::backoff::Plan;
use crate::error::{BusyScope, Cause, Failure};
use crate::guarded::{Fault, Guarded};
use crate::health::{ActorHealth, ActorState};
use crate::served::Served;
use crate::shared::Shared;
use crate::slot::{Link, Phase, Slot};
use crate::ticket::{Counts, Ticket};
use crate::watch::{PanicNote, Watch, Watchful};
use crate::{ActorKey, Behaviour, CallError};

/// Hints for busy callers stay between these, however fast or slow the actor is.
const SOONEST_RETRY: Duration = Duration::from_millis(100);
const LATEST_RETRY: Duration = Duration::from_secs(5);

pub(crate) struct Cell<B: Behaviour> {
    pub(crate) key: ActorKey,
    pub(crate) shared: Arc<Shared>,
    pub(crate) counts: Counts,
    house: Arc<Gate>,
    /// Weak, as the cells are held there.
    home: Weak<Served<B>>,
    watch: Watch,
    /// The generation in charge, 0 for none: a copy of what the slot says, for a look without the lock.
    current: AtomicU64,
    slot: Mutex<Slot<B>>,
}

/// Why a call was not admitted.
pub(crate) enum Refusal {
    /// The cell has left its map meanwhile; look again.
    Forgotten,
    No(CallError),
}

impl<B: Behaviour> Cell<B> {
    pub(crate) fn new(key: ActorKey, shared: Arc<Shared>, home: Weak<Served<B>>) -> Self {
        Self {
            key,
            house: shared.surroundings.houses.gate(key.house),
            shared,
            counts: Counts::default(),
            home,
            watch: Watch::default(),
            current: AtomicU64::new(0),
            slot: Mutex::new(Slot::empty()),
        }
    }

    /// Whether this generation of the actor is still the one in charge.
    pub(crate) fn is_current(&self, generation: u64) -> bool {
        self.current.load(Ordering::Acquire) == generation
    }
}

/// For callers.
impl<B: Behaviour> Cell<B> {
    /// Counts a call and gives the way to the actor, which is started if need be.
    pub(crate) fn admit(self: &Arc<Self>, now: Instant) -> Result<(Ticket<B>, Arc<Link<B>>), Refusal> {
        let passes = Passes::through(&self.house, &self.shared.surroundings.instance)
            .map_err(|scope| Refusal::No(self.busy(scope)))?;
        let mut slot = self.slot.lock();
        if slot.forgotten {
            return Err(Refusal::Forgotten);
        }
        if self.counts.admitted() >= self.shared.settings.admission {
            drop(slot);
            return Err(Refusal::No(self.busy(BusyScope::Actor)));
        }
        let link = self.link_in(&mut slot, now).map_err(Refusal::No)?;
        Ok((Ticket::issue(self, passes, now), link))
    }

    /// The way to the actor for a call that was counted before and came back from `generation`.
    pub(crate) fn link_again(self: &Arc<Self>, generation: u64) -> Result<Arc<Link<B>>, CallError> {
        self.replace_if_lost(generation);
        self.link_in(&mut self.slot.lock(), Instant::now())
    }

    fn link_in(self: &Arc<Self>, slot: &mut Slot<B>, now: Instant) -> Result<Arc<Link<B>>, CallError> {
        if let Some(link) = &slot.link {
            return Ok(Arc::clone(link));
        }
        if let Some(error) = slot.refusal(now) {
            self.shared.totals.refused_parked.add_one();
            return Err(error);
        }
        if !self.may_start() {
            return Err(CallError::Closing);
        }
        // Without a thread there is nothing wrong with this actor; the sweeper makes one in a moment.
        let worker = self.shared.surroundings.seats.pick(self.key).ok_or_else(|| self.busy(BusyScope::Instance))?;
        match slot.phase() {
            // Lost while it was backing off, or because of what it did: the new one waits first.
            Phase::BackingOff { .. } => {}
            Phase::Parked { .. } => self.restart(slot, now),
            Phase::Starting | Phase::Running | Phase::PutAway => slot.enter(Phase::Starting, now),
        }
        slot.n_generations += 1;
        let generation = slot.n_generations;
        self.counts.nothing_stored.store(false, Ordering::Relaxed);
        self.current.store(generation, Ordering::Release);
        let cell = Arc::clone(self);
        let addr = Supervisor::start_in_arbiter(worker.handle(), move |_| Guarded::new(cell, generation));
        let link = Arc::new(Link { generation, addr, arbiter: worker.number });
        slot.link = Some(Arc::clone(&link));
        Ok(link)
    }

    fn may_start(&self) -> bool {
        self.home.upgrade().is_some_and(|home| home.is_open())
    }

    fn busy(&self, scope: BusyScope) -> CallError {
        self.shared.totals.refused_busy(scope).add_one();
        // A place comes free with an answer, and half of the answers take no longer than this.
        let usual = self.counts.latency.quantiles().map_or(Duration::ZERO, |latency| latency.p50);
        CallError::Busy { retry_after: usual.clamp(SOONEST_RETRY, LATEST_RETRY), scope }
    }

    pub(crate) fn used(&self, now: Instant) {
        self.counts.last_used_ms.store(self.shared.surroundings.clock.milliseconds(now), Ordering::Relaxed);
    }

    /// Takes the cell from its map, unless somebody calls again just now.
    pub(crate) fn forget(&self) {
        if let Some(home) = self.home.upgrade() {
            home.forget_if_unused(self.key);
        }
    }
}

/// For the actor itself.
impl<B: Behaviour> Cell<B> {
    /// What the actor is started with; `None` once the bus is closed.
    pub(crate) fn services(&self) -> Option<B::Services> {
        self.home.upgrade().and_then(|home| home.services())
    }

    /// When the start may begin, if it must wait.
    pub(crate) fn wait_before_start(&self) -> Option<Instant> {
        self.slot.lock().next_try()
    }

    /// The wait is over and the state is being read.
    pub(crate) fn starting(&self, generation: u64) {
        let mut slot = self.slot.lock();
        if self.is_current(generation) && matches!(slot.phase(), Phase::BackingOff { .. }) {
            self.restart(&mut slot, Instant::now());
        }
    }

    fn restart(&self, slot: &mut Slot<B>, now: Instant) {
        slot.enter(Phase::Starting, now);
        slot.n_restarts = slot.n_restarts.saturating_add(1);
        self.shared.totals.restarts.add_one();
    }

    /// The state was read. False if another generation is in charge by now.
    pub(crate) fn running(&self, generation: u64) -> bool {
        let mut slot = self.slot.lock();
        let in_charge = self.is_current(generation);
        if in_charge {
            let now = Instant::now();
            slot.enter(Phase::Running, now);
            self.used(now);
        }
        in_charge
    }

    /// Nothing is stored under this key. The cell is forgotten as soon as the last caller has heard of it.
    pub(crate) fn nothing_stored(&self, generation: u64) {
        self.counts.nothing_stored.store(true, Ordering::Relaxed);
        self.put_away(generation);
    }

    /// The actor failed and can be restarted in place. `None` if another generation is in charge by now.
    pub(crate) fn failed(&self, generation: u64, cause: &Cause) -> Option<Plan> {
        let mut slot = self.slot.lock();
        if !self.is_current(generation) {
            return None;
        }
        let plan = self.fail(&mut slot, cause);
        match plan {
            Plan::RestartAt(_) => drop(slot),
            Plan::ParkUntil(_) => self.unlink(slot),
        }
        self.announce(cause, plan);
        Some(plan)
    }

    /// What a call gets that waited in the mailbox of an actor which was parked.
    pub(crate) fn refusal(&self) -> Option<CallError> {
        self.slot.lock().refusal(Instant::now())
    }

    /// Tells the actor that a future of one of its calls panicked.
    #[expect(
        clippy::disallowed_methods,
        reason = "a failure must reach its actor however full the mailbox is; there is at most one for each admitted call"
    )]
    pub(crate) fn report(&self, generation: u64, fault: Fault) {
        let link = self.slot.lock().link.clone();
        if let Some(link) = link.filter(|link| link.generation == generation) {
            link.addr.do_send(fault);
        }
    }

    pub(crate) fn cause(&self, what: Failure, note: PanicNote) -> Cause {
        Cause { what, text: note.text, place: note.place, at: self.shared.surroundings.clock.now() }
    }

    pub(crate) fn cause_without_place(&self, what: Failure, text: &str) -> Cause {
        self.cause(what, PanicNote { text: text.to_owned(), place: None })
    }
}

/// For those who look from outside: the drop guard, the sweeper, the health page.
impl<B: Behaviour> Cell<B> {
    /// The actor is gone without having failed: the next call gets a new one, after the back-off.
    pub(crate) fn lost(&self, generation: u64, text: &str) {
        let mut slot = self.slot.lock();
        if !self.is_current(generation) || !self.may_start() {
            return;
        }
        let cause = self.cause_without_place(Failure::Lost, text);
        let plan = self.fail(&mut slot, &cause);
        self.unlink(slot);
        self.announce(&cause, plan);
    }

    fn replace_if_lost(&self, generation: u64) {
        let link = self.slot.lock().link.clone();
        if link.is_some_and(|link| link.generation == generation && !link.addr.connected()) {
            self.lost(generation, "the actor's mailbox was closed from outside");
        }
    }

    /// Looks for a lost actor, then for one that has nothing to do.
    pub(crate) fn sweep(&self, now: Instant) {
        self.replace_if_lost(self.current.load(Ordering::Acquire));
        let now_ms = self.shared.surroundings.clock.milliseconds(now);
        let unused_ms = now_ms.saturating_sub(self.counts.last_used_ms.load(Ordering::Relaxed));
        let mut slot = self.slot.lock();
        let is_idle = slot.phase() == Phase::Running && self.counts.admitted() == 0;
        if is_idle && u128::from(unused_ms) >= self.shared.settings.idle_after.as_millis() {
            slot.enter(Phase::PutAway, now);
            self.unlink(slot);
        }
    }

    /// Takes the actor off an arbiter that answers nobody. It starts elsewhere with the next call; if its own code holds
    /// the thread, that counts as a failure.
    pub(crate) fn leave_arbiter(&self, arbiter: u64) {
        let mut slot = self.slot.lock();
        if slot.link.as_ref().is_none_or(|link| link.arbiter != arbiter) {
            return;
        }
        if self.watch.is_on_thread() {
            let text = "held its thread for so long that its neighbours had to be moved to another";
            let cause = self.cause_without_place(Failure::Blocked, text);
            let plan = self.fail(&mut slot, &cause);
            self.unlink(slot);
            self.announce(&cause, plan);
        } else {
            if matches!(slot.phase(), Phase::Starting | Phase::Running) {
                slot.enter(Phase::PutAway, Instant::now());
            }
            self.unlink(slot);
        }
    }

    /// Ends the actor once it has done what it has begun. The next call, or the next one queued, starts it again.
    pub(crate) fn put_away_now(&self) {
        self.put_away(self.current.load(Ordering::Acquire));
    }

    /// Whether nobody needs the cell: nothing was stored, or it was put away (or its rest was over) for `forget_after`.
    pub(crate) fn is_unused(&self, now: Instant, forget_after: Duration) -> bool {
        self.is_slot_unused(&self.slot.lock(), now, forget_after)
    }

    /// Marks an unused cell as forgotten. The caller takes it from its map; whoever else still holds it looks there again.
    pub(crate) fn forget_if_unused(&self, now: Instant, forget_after: Duration) -> bool {
        let mut slot = self.slot.lock();
        slot.forgotten = self.is_slot_unused(&slot, now, forget_after);
        slot.forgotten
    }

    fn is_slot_unused(&self, slot: &Slot<B>, now: Instant, forget_after: Duration) -> bool {
        if slot.link.is_some() || self.counts.admitted() > 0 {
            return false;
        }
        let unused_since = slot.next_try().unwrap_or(slot.since());
        let is_long_unused = now.saturating_duration_since(unused_since) >= forget_after;
        is_long_unused || self.counts.nothing_stored.load(Ordering::Relaxed)
    }

    /// The state, and the calls queued and in flight.
    pub(crate) fn state(&self) -> (ActorState, u32) {
        (self.slot.lock().phase().state(), self.counts.admitted())
    }

    pub(crate) fn health(&self) -> ActorHealth {
        let clock = &self.shared.surroundings.clock;
        let counts = &self.counts;
        let slot = self.slot.lock();
        let in_flight = counts.in_flight.load(Ordering::Acquire);
        ActorHealth {
            key: self.key,
            state: slot.phase().state(),
            since: clock.time_of(slot.since()),
            next_try: slot.next_try().map(|instant| clock.time_of(instant)),
            restarts: slot.n_restarts,
            last_cause: slot.last_cause(),
            // A call may end between the two looks.
            queued: counts.admitted().saturating_sub(in_flight),
            in_flight,
            handled: counts.handled.load(Ordering::Relaxed),
            failed: counts.failed.load(Ordering::Relaxed),
            unknown: counts.unknown.load(Ordering::Relaxed),
            abandoned: counts.abandoned.load(Ordering::Relaxed),
            latency: counts.latency.quantiles(),
        }
    }

    fn fail(&self, slot: &mut Slot<B>, cause: &Cause) -> Plan {
        slot.fail(cause, self.shared.settings.restarts, &self.shared.surroundings.jitter)
    }

    /// Logs and counts a failure, once, after the lock.
    fn announce(&self, cause: &Cause, plan: Plan) {
        self.shared.totals.failure(cause.what).increment(1);
        let (follows, at) = match plan {
            Plan::RestartAt(at) => ("restart", at),
            Plan::ParkUntil(at) => ("rest", at),
        };
        let wait_ms = u64::try_from(at.saturating_duration_since(Instant::now()).as_millis()).unwrap_or(u64::MAX);
        tracing::error!(
            actor = %self.key,
            failure = cause.what.as_str(),
            text = cause.text,
            place = cause.place,
            follows,
            wait_ms,
            "an actor failed"
        );
    }

    fn put_away(&self, generation: u64) {
        let mut slot = self.slot.lock();
        if self.is_current(generation) {
            slot.enter(Phase::PutAway, Instant::now());
            self.unlink(slot);
        }
    }

    /// Leaves nobody in charge. The link is dropped after the lock, as its drop wakes the actor to end.
    fn unlink(&self, mut slot: MutexGuard<'_, Slot<B>>) {
        self.current.store(0, Ordering::Release);
        let link = slot.link.take();
        drop(slot);
        drop(link);
    }
}

impl<B: Behaviour> Watchful for Arc<Cell<B>> {
    fn watch(&self) -> &Watch {
        &self.watch
    }
}

#[cfg(test)]
impl<B: Behaviour> Cell<B> {
    pub(crate) fn addr(&self) -> Option<actix::Addr<Guarded<B>>> {
        self.slot.lock().link.as_ref().map(|link| link.addr.clone())
    }

    /// Puts a generation in charge whose mailbox is closed, as if an actor had vanished without its drop guard.
    pub(crate) fn lose_addr_silently(&self) {
        let (sender, receiver) = actix::dev::channel::channel(1);
        drop(receiver);
        let mut slot = self.slot.lock();
        slot.n_generations += 1;
        let generation = slot.n_generations;
        self.current.store(generation, Ordering::Release);
        let arbiter = slot.link.as_ref().map_or(0, |link| link.arbiter);
        slot.link = Some(Arc::new(Link { generation, addr: actix::Addr::new(sender), arbiter }));
    }
}
