//! What the bus remembers of one actor, whether it is in memory or not.
//!
//! The lock of a cell is held for a few instructions and never across a wait or code of a behaviour. Calls are counted under
//! it together with the look at the address, so an actor without counted calls can be put away without losing any.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use actix::{Addr, Supervisor};
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::admission::{Gate, Passes};
use crate::backoff::{Plan, Record};
use crate::error::{BusyScope, Cause, Failure};
use crate::guarded::{Fault, Guarded};
use crate::health::{ActorHealth, ActorState};
use crate::latency::Histogram;
use crate::served::Served;
use crate::shared::Shared;
use crate::watch::{PanicNote, Watch, Watchful};
use crate::{ActorKey, Behaviour, CallError};

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

struct Slot<B: Behaviour> {
    phase: Phase,
    since: Instant,
    link: Option<Arc<Link<B>>>,
    n_generations: u64,
    restarts: u32,
    /// Only actors that ever failed pay for it.
    record: Option<Box<Record>>,
    /// Set when the cell has left its map, and callers that still hold it must look again.
    forgotten: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Starting,
    Running,
    BackingOff { until: Instant },
    Parked { until: Instant },
    PutAway,
}

impl Phase {
    fn state(self) -> ActorState {
        match self {
            Phase::Starting => ActorState::Starting,
            Phase::Running => ActorState::Running,
            Phase::BackingOff { .. } => ActorState::BackingOff,
            Phase::Parked { .. } => ActorState::Parked,
            Phase::PutAway => ActorState::PutAway,
        }
    }
}

/// The way to one incarnation on one arbiter. The actor ends when its last link is dropped.
pub(crate) struct Link<B: Behaviour> {
    pub(crate) generation: u64,
    pub(crate) addr: Addr<Guarded<B>>,
    arbiter: u64,
}

/// One actor's counters.
#[derive(Default)]
pub(crate) struct Counts {
    /// Queued and in flight. Goes up only under the slot's lock.
    admitted: AtomicU32,
    in_flight: AtomicU32,
    handled: AtomicU64,
    failed: AtomicU64,
    unknown: AtomicU64,
    abandoned: AtomicU64,
    last_used_ms: AtomicU64,
    latency: Histogram,
    nothing_stored: AtomicBool,
}

/// Why a call was not admitted.
pub(crate) enum Refusal {
    /// The cell has left its map meanwhile; look again.
    Forgotten,
    No(CallError),
}

impl<B: Behaviour> Cell<B> {
    pub(crate) fn new(key: ActorKey, shared: Arc<Shared>, home: Weak<Served<B>>) -> Self {
        let slot = Slot {
            phase: Phase::PutAway,
            since: Instant::now(),
            link: None,
            n_generations: 0,
            restarts: 0,
            record: None,
            forgotten: false,
        };
        Self {
            key,
            house: shared.surroundings.houses.gate(key.house),
            shared,
            counts: Counts::default(),
            home,
            watch: Watch::default(),
            current: AtomicU64::new(0),
            slot: Mutex::new(slot),
        }
    }

    pub(crate) fn home(&self) -> Option<Arc<Served<B>>> {
        self.home.upgrade()
    }

    /// Whether this generation of the actor is still the one in charge.
    pub(crate) fn is_current(&self, generation: u64) -> bool {
        self.current.load(Ordering::Acquire) == generation
    }

    /// Counts a call and gives the way to the actor, which is started if need be.
    pub(crate) fn admit(self: &Arc<Self>) -> Result<(Ticket<B>, Arc<Link<B>>), Refusal> {
        let passes = Passes::through(&self.house, &self.shared.surroundings.instance)
            .map_err(|scope| Refusal::No(self.busy(scope)))?;
        let now = Instant::now();
        let mut slot = self.slot.lock();
        if slot.forgotten {
            return Err(Refusal::Forgotten);
        }
        if self.counts.admitted.load(Ordering::Acquire) >= self.shared.settings.admission {
            drop(slot);
            return Err(Refusal::No(self.busy(BusyScope::Actor)));
        }
        let link = self.link_in(&mut slot, now).map_err(Refusal::No)?;
        self.counts.admitted.fetch_add(1, Ordering::AcqRel);
        drop(slot);
        let ticket =
            Ticket { cell: Arc::clone(self), admitted_at: now, begun: false, end: End::Abandoned, _passes: passes };
        Ok((ticket, link))
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
        if let Some(error) = parked_error(slot, now) {
            self.shared.totals.refused_parked.add_one();
            return Err(error);
        }
        if !self.home().is_some_and(|home| home.is_open()) {
            return Err(CallError::Closing);
        }
        let worker = self.shared.surroundings.seats.pick(self.key);
        slot.n_generations += 1;
        let generation = slot.n_generations;
        match slot.phase {
            // Lost while it was backing off, or because of what it did: the new one waits first.
            Phase::BackingOff { .. } => {}
            Phase::Parked { .. } => self.enter_starting(slot, now),
            Phase::Starting | Phase::Running | Phase::PutAway => slot.enter(Phase::Starting, now),
        }
        self.counts.nothing_stored.store(false, Ordering::Relaxed);
        self.current.store(generation, Ordering::Release);
        let cell = Arc::clone(self);
        let addr = Supervisor::start_in_arbiter(worker.handle(), move |_| Guarded::new(cell, generation));
        let link = Arc::new(Link { generation, addr, arbiter: worker.number });
        slot.link = Some(Arc::clone(&link));
        Ok(link)
    }

    fn busy(&self, scope: BusyScope) -> CallError {
        self.shared.totals.refused_busy(scope).add_one();
        // A place comes free with every answer; when many wait, half of the usual answer's time is soon enough.
        let usual = self.counts.latency.quantiles().map_or(Duration::ZERO, |latency| latency.p50);
        CallError::Busy { retry_after: usual.clamp(SOONEST_RETRY, LATEST_RETRY), scope }
    }

    fn enter_starting(&self, slot: &mut Slot<B>, now: Instant) {
        slot.enter(Phase::Starting, now);
        slot.restarts = slot.restarts.saturating_add(1);
        self.shared.totals.restarts.add_one();
    }

    // What the actor itself reports.

    /// When the start may begin, if it must wait.
    pub(crate) fn wait_before_start(&self) -> Option<Instant> {
        match self.slot.lock().phase {
            Phase::BackingOff { until } => Some(until),
            Phase::Starting | Phase::Running | Phase::Parked { .. } | Phase::PutAway => None,
        }
    }

    /// The wait is over and the state is being read.
    pub(crate) fn starting(&self, generation: u64) {
        let mut slot = self.slot.lock();
        if self.is_current(generation) && matches!(slot.phase, Phase::BackingOff { .. }) {
            self.enter_starting(&mut slot, Instant::now());
        }
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
        self.let_go(generation, Phase::PutAway);
    }

    /// The actor failed and can be restarted in place. `None` if another generation is in charge by now.
    pub(crate) fn failed(&self, generation: u64, cause: Cause) -> Option<Plan> {
        let mut slot = self.slot.lock();
        if !self.is_current(generation) {
            return None;
        }
        let plan = self.record(&mut slot, &cause);
        let link = match plan {
            Plan::RestartAt(_) => None,
            Plan::ParkUntil(_) => self.unlink(&mut slot),
        };
        drop(slot);
        drop(link);
        self.announce(&cause, plan);
        Some(plan)
    }

    /// What a call gets that waited in the mailbox of an actor which was parked.
    pub(crate) fn parked(&self) -> Option<CallError> {
        parked_error(&self.slot.lock(), Instant::now())
    }

    /// Tells the actor that a future of one of its calls panicked.
    #[expect(
        clippy::disallowed_methods,
        reason = "a failure must reach its actor however full the mailbox is; each is one admitted call's"
    )]
    pub(crate) fn report(&self, generation: u64, fault: Fault) {
        let link = self.slot.lock().link.clone();
        if let Some(link) = link.filter(|link| link.generation == generation) {
            link.addr.do_send(fault);
        }
    }

    // What is seen from outside.

    /// The actor is gone without having said so: the next call gets a new one, after the back-off.
    pub(crate) fn lost(&self, generation: u64, text: &str) {
        let mut slot = self.slot.lock();
        if !self.is_current(generation) || !self.home().is_some_and(|home| home.is_open()) {
            return;
        }
        let cause = self.cause_now(Failure::Lost, text);
        let plan = self.record(&mut slot, &cause);
        let link = self.unlink(&mut slot);
        drop(slot);
        drop(link);
        self.announce(&cause, plan);
    }

    /// Finds out whether this generation's mailbox is closed although it is in charge.
    pub(crate) fn replace_if_lost(&self, generation: u64) {
        let link = self.slot.lock().link.clone();
        if link.is_some_and(|link| link.generation == generation && !link.addr.connected()) {
            self.lost(generation, "the actor's mailbox was closed from outside");
        }
    }

    /// Looks for a lost actor, then for one that has nothing to do.
    pub(crate) fn sweep(&self, now: Instant) {
        self.replace_if_lost(self.current.load(Ordering::Acquire));
        let now_ms = self.shared.surroundings.clock.milliseconds(now);
        let idle_ms = u64::try_from(self.shared.settings.idle_after.as_millis()).unwrap_or(u64::MAX);
        let mut slot = self.slot.lock();
        let idle = now_ms.saturating_sub(self.counts.last_used_ms.load(Ordering::Relaxed)) >= idle_ms;
        if idle && slot.phase == Phase::Running && self.counts.admitted.load(Ordering::Acquire) == 0 {
            slot.enter(Phase::PutAway, now);
            let link = self.unlink(&mut slot);
            drop(slot);
            drop(link);
        }
    }

    /// Takes the actor off an arbiter that answers nobody. It starts elsewhere with the next call; if its own code holds
    /// the thread, that counts as a failure.
    pub(crate) fn leave_arbiter(&self, arbiter: u64) {
        let mut slot = self.slot.lock();
        if slot.link.as_ref().is_none_or(|link| link.arbiter != arbiter) {
            return;
        }
        let mut failure = None;
        if self.watch.is_on_thread() {
            let text = "held its thread for so long that its neighbours had to be moved to another";
            let cause = self.cause_now(Failure::Blocked, text);
            failure = Some((self.record(&mut slot, &cause), cause));
        } else if matches!(slot.phase, Phase::Starting | Phase::Running) {
            slot.enter(Phase::PutAway, Instant::now());
        }
        let link = self.unlink(&mut slot);
        drop(slot);
        drop(link);
        if let Some((plan, cause)) = failure {
            self.announce(&cause, plan);
        }
    }

    /// Ends the actor once it has done what is queued; for the bus's own end.
    pub(crate) fn close(&self) {
        let generation = self.current.load(Ordering::Acquire);
        self.let_go(generation, Phase::PutAway);
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
        if slot.link.is_some() || self.counts.admitted.load(Ordering::Acquire) > 0 {
            return false;
        }
        let unused_since = match slot.phase {
            Phase::BackingOff { until } | Phase::Parked { until } => until,
            Phase::Starting | Phase::Running | Phase::PutAway => slot.since,
        };
        let long_unused = now.saturating_duration_since(unused_since) >= forget_after;
        long_unused || self.counts.nothing_stored.load(Ordering::Relaxed)
    }

    /// The state, and the calls queued and in flight.
    pub(crate) fn state(&self) -> (ActorState, u32) {
        (self.slot.lock().phase.state(), self.counts.admitted.load(Ordering::Acquire))
    }

    pub(crate) fn health(&self) -> ActorHealth {
        let clock = &self.shared.surroundings.clock;
        let slot = self.slot.lock();
        let next_try = match slot.phase {
            Phase::BackingOff { until } | Phase::Parked { until } => Some(clock.time_of(until)),
            Phase::Starting | Phase::Running | Phase::PutAway => None,
        };
        let admitted = self.counts.admitted.load(Ordering::Acquire);
        let in_flight = self.counts.in_flight.load(Ordering::Acquire).min(admitted);
        ActorHealth {
            key: self.key,
            state: slot.phase.state(),
            since: clock.time_of(slot.since),
            next_try,
            restarts: slot.restarts,
            last_cause: slot.record.as_ref().map(|record| record.last_cause.clone()),
            queued: admitted - in_flight,
            in_flight,
            handled: self.counts.handled.load(Ordering::Relaxed),
            failed: self.counts.failed.load(Ordering::Relaxed),
            unknown: self.counts.unknown.load(Ordering::Relaxed),
            abandoned: self.counts.abandoned.load(Ordering::Relaxed),
            latency: self.counts.latency.quantiles(),
        }
    }

    pub(crate) fn cause(&self, what: Failure, note: PanicNote) -> Cause {
        Cause { what, text: note.text, place: note.place, at: self.shared.surroundings.clock.now() }
    }

    pub(crate) fn cause_now(&self, what: Failure, text: &str) -> Cause {
        self.cause(what, PanicNote { text: text.to_owned(), place: None })
    }

    /// Writes a failure down, and decides what follows.
    fn record(&self, slot: &mut Slot<B>, cause: &Cause) -> Plan {
        let now = Instant::now();
        let record = slot.record.get_or_insert_with(|| Box::new(Record::new(cause.clone())));
        let plan = record.failed(now, cause.clone(), self.shared.settings.restarts, &self.shared.surroundings.jitter);
        let phase = match plan {
            Plan::RestartAt(until) => Phase::BackingOff { until },
            Plan::ParkUntil(until) => Phase::Parked { until },
        };
        slot.enter(phase, now);
        plan
    }

    /// Logs and counts a failure, once, after the lock.
    fn announce(&self, cause: &Cause, plan: Plan) {
        self.shared.totals.failure(cause.what).increment(1);
        let (follows, at) = match plan {
            Plan::RestartAt(at) => ("restart", at),
            Plan::ParkUntil(at) => ("rest", at),
        };
        let wait_ms = millis(at.saturating_duration_since(Instant::now()));
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

    fn let_go(&self, generation: u64, phase: Phase) {
        let mut slot = self.slot.lock();
        if !self.is_current(generation) {
            return;
        }
        slot.enter(phase, Instant::now());
        let link = self.unlink(&mut slot);
        drop(slot);
        drop(link);
    }

    /// The caller drops the link after the lock: its drop wakes the actor.
    #[must_use]
    fn unlink(&self, slot: &mut Slot<B>) -> Option<Arc<Link<B>>> {
        self.current.store(0, Ordering::Release);
        slot.link.take()
    }

    fn used(&self, now: Instant) {
        self.counts.last_used_ms.store(self.shared.surroundings.clock.milliseconds(now), Ordering::Relaxed);
    }
}

impl<B: Behaviour> Watchful for Arc<Cell<B>> {
    fn watch(&self) -> &Watch {
        &self.watch
    }
}

impl<B: Behaviour> Slot<B> {
    fn enter(&mut self, phase: Phase, now: Instant) {
        self.phase = phase;
        self.since = now;
    }
}

/// Hints for busy callers stay between these, however fast or slow the actor is.
const SOONEST_RETRY: Duration = Duration::from_millis(100);
const LATEST_RETRY: Duration = Duration::from_secs(5);

fn parked_error<B: Behaviour>(slot: &Slot<B>, now: Instant) -> Option<CallError> {
    match (slot.phase, &slot.record) {
        (Phase::Parked { until }, Some(record)) if until > now => {
            Some(CallError::Parked { cause: Box::new(record.last_cause.clone()), retry_after: until - now })
        }
        _ => None,
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// A call's place at its actor, its house and the instance. Its drop gives all three back and books how the call ended.
pub(crate) struct Ticket<B: Behaviour> {
    pub(crate) cell: Arc<Cell<B>>,
    admitted_at: Instant,
    begun: bool,
    end: End,
    _passes: Passes,
}

/// How a call ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Replied,
    Failed,
    /// Given up after its grace.
    Unknown,
    /// Nobody waited for the reply any more, or it was refused after it was queued.
    Abandoned,
}

impl<B: Behaviour> Ticket<B> {
    pub(crate) fn begin(&mut self) {
        self.begun = true;
        self.cell.counts.in_flight.fetch_add(1, Ordering::AcqRel);
    }

    pub(crate) fn end(mut self, end: End) {
        self.end = end;
    }
}

impl<B: Behaviour> Drop for Ticket<B> {
    fn drop(&mut self) {
        let now = Instant::now();
        let Cell { counts, shared, .. } = &*self.cell;
        match self.end {
            End::Replied => {
                let waited = now - self.admitted_at;
                counts.handled.fetch_add(1, Ordering::Relaxed);
                counts.latency.record(waited);
                shared.totals.handled.add_one();
                shared.totals.seconds.record(waited);
            }
            End::Failed | End::Unknown => {
                counts.failed.fetch_add(1, Ordering::Relaxed);
                shared.totals.failed.add_one();
                if self.end == End::Unknown {
                    counts.unknown.fetch_add(1, Ordering::Relaxed);
                }
            }
            End::Abandoned => {
                counts.abandoned.fetch_add(1, Ordering::Relaxed);
                shared.totals.abandoned.add_one();
            }
        }
        self.cell.used(now);
        if self.begun {
            counts.in_flight.fetch_sub(1, Ordering::AcqRel);
        }
        let was_last = counts.admitted.fetch_sub(1, Ordering::AcqRel) == 1;
        if was_last && counts.nothing_stored.load(Ordering::Relaxed) {
            if let Some(home) = self.cell.home() {
                home.forget_if_unused(self.cell.key);
            }
        }
    }
}

#[cfg(test)]
impl<B: Behaviour> Cell<B> {
    pub(crate) fn addr(&self) -> Option<Addr<Guarded<B>>> {
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
        slot.link = Some(Arc::new(Link { generation, addr: Addr::new(sender), arbiter }));
    }
}
