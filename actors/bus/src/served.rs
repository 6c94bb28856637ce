//! All actors of one kind.

use std::any::Any;
use std::pin::pin;
use std::sync::{Arc, Weak};
use std::time::Duration;

use dashmap::DashMap;
use parking_lot::Mutex;
use tokio::time::{Instant, sleep_until};

use crate::cell::{Cell, Refusal};
use crate::exchange::{Delivery, Exchange, Found, Letter};
use crate::health::{ActorState, HealthReport, KindHealth};
use crate::shared::Shared;
use crate::slot::Link;
use crate::{ActorId, ActorKey, Behaviour, CallError, Deadline, Handle, HouseId, Message};

pub(crate) struct Served<B: Behaviour> {
    shared: Arc<Shared>,
    cells: DashMap<(HouseId, ActorId), Arc<Cell<B>>>,
    /// Taken away when the bus closes: nothing starts any more, and services that hold the bus let it go.
    services: Mutex<Option<B::Services>>,
    /// How often a caller whose message is queued looks whether its actor was replaced.
    look_every: Duration,
    me: Weak<Self>,
}

impl<B: Behaviour> Served<B> {
    pub(crate) fn new(shared: Arc<Shared>, services: B::Services, look_every: Duration) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            shared,
            cells: DashMap::new(),
            services: Mutex::new(Some(services)),
            look_every,
            me: Weak::clone(me),
        })
    }

    pub(crate) fn services(&self) -> Option<B::Services> {
        self.services.lock().clone()
    }

    /// Whether actors may still be started.
    pub(crate) fn is_open(&self) -> bool {
        self.services.lock().is_some()
    }

    pub(crate) async fn call<M: Message<Actor = B>>(
        &self,
        key: ActorKey,
        message: M,
        deadline: Deadline,
    ) -> Result<M::Reply, CallError>
    where
        B: Handle<M>,
    {
        let now = Instant::now();
        if deadline.instant() <= now {
            return Err(CallError::Deadline { started: false });
        }
        let (ticket, mut link) = loop {
            match self.cell(key).admit(now) {
                Ok(admitted) => break admitted,
                Err(Refusal::Forgotten) => {}
                Err(Refusal::No(error)) => return Err(error),
            }
        };
        let mut letter = Letter { message, ticket };
        loop {
            let generation = link.generation;
            match self.send(letter, link, deadline).await {
                Found::Answer(answer) => return answer,
                Found::Letter(returned) => letter = returned,
            }
            link = letter.ticket.cell.link_again(generation)?;
        }
    }

    /// Queues the letter and waits for what becomes of it.
    #[expect(
        clippy::disallowed_methods,
        reason = "admission has counted the letter; the mailbox's own bound counts addresses, not calls"
    )]
    async fn send<M: Message<Actor = B>>(&self, letter: Letter<M>, link: Arc<Link<B>>, deadline: Deadline) -> Found<M>
    where
        B: Handle<M>,
    {
        let cell = Arc::clone(&letter.ticket.cell);
        let generation = link.generation;
        let caller = Caller(Exchange::new(letter, deadline));
        let parcel: Arc<Exchange<M>> = Arc::clone(&caller.0);
        link.addr.do_send(Delivery::of(parcel));
        // A link keeps its actor alive, and an actor that was replaced meanwhile should end.
        drop(link);

        let mut next_look = pin!(sleep_until(self.next_look(deadline)));
        loop {
            tokio::select! {
                biased;
                found = std::future::poll_fn(|context| caller.0.poll_found(context)) => return found,
                () = &mut next_look => {}
            }
            if deadline.has_passed() {
                let started = caller.0.recall().is_none();
                return Found::Answer(Err(CallError::Deadline { started }));
            }
            // The actor may have been moved away from a blocked thread, while the letter lies there.
            if !cell.is_current(generation)
                && let Some(letter) = caller.0.recall()
            {
                return Found::Letter(letter);
            }
            next_look.as_mut().reset(self.next_look(deadline));
        }
    }

    fn next_look(&self, deadline: Deadline) -> Instant {
        deadline.instant().min(Instant::now() + self.look_every)
    }

    pub(crate) fn cell(&self, key: ActorKey) -> Arc<Cell<B>> {
        let place = (key.house, key.id);
        if let Some(cell) = self.cells.get(&place) {
            return Arc::clone(&cell);
        }
        let make = || Arc::new(Cell::new(key, Arc::clone(&self.shared), Weak::clone(&self.me)));
        Arc::clone(&self.cells.entry(place).or_insert_with(make))
    }

    /// Forgets an actor of which nothing is stored, unless somebody asks for it again just now.
    pub(crate) fn forget_if_unused(&self, key: ActorKey) {
        let now = Instant::now();
        self.cells.remove_if(&(key.house, key.id), |_, cell| cell.forget_if_unused(now, Duration::MAX));
    }
}

/// A caller's end of an exchange: leaving it, in whichever way, tells the actor that nobody waits.
struct Caller<M: Message>(Arc<Exchange<M>>);

impl<M: Message> Drop for Caller<M> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// A kind without its type: what the sweeper and the health page see.
pub(crate) trait AnyServed: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    /// Replaces lost actors, puts idle ones away, forgets those put away for `forget_after`, and sets the gauges.
    fn sweep(&self, now: Instant, forget_after: Duration);
    fn leave_arbiter(&self, arbiter: u64);
    fn put_away(&self, house: HouseId);
    fn put_away_actor(&self, key: ActorKey);
    fn add_health(&self, report: &mut HealthReport);
    fn close(&self);
}

impl<B: Behaviour> AnyServed for Served<B> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn sweep(&self, now: Instant, forget_after: Duration) {
        let mut unused = Vec::new();
        for cell in &self.cells {
            cell.sweep(now);
            if cell.is_unused(now, forget_after) {
                unused.push(*cell.key());
            }
        }
        // Not while looking at all: a caller that starts an actor would wait for the whole sweep.
        for place in unused {
            self.cells.remove_if(&place, |_, cell| cell.forget_if_unused(now, forget_after));
        }
        let mut counts = [0u32; ActorState::ALL.len()];
        let mut admitted = 0;
        for cell in &self.cells {
            let (state, n_calls) = cell.state();
            counts[state as usize] += 1;
            admitted += n_calls;
        }
        for state in ActorState::ALL {
            self.shared.totals.state(state).set(counts[state as usize]);
        }
        self.shared.totals.admitted.set(admitted);
    }

    fn leave_arbiter(&self, arbiter: u64) {
        for cell in &self.cells {
            cell.leave_arbiter(arbiter);
        }
    }

    fn put_away(&self, house: HouseId) {
        for cell in self.cells.iter().filter(|cell| cell.key().0 == house) {
            cell.put_away_now();
        }
    }

    fn put_away_actor(&self, key: ActorKey) {
        // Cloned out: putting away must not hold the map's lock.
        let cell = self.cells.get(&(key.house, key.id)).map(|cell| Arc::clone(&cell));
        if let Some(cell) = cell {
            cell.put_away_now();
        }
    }

    fn add_health(&self, report: &mut HealthReport) {
        let totals = &self.shared.totals;
        let mut kind = KindHealth {
            kind: self.shared.kind,
            starting: 0,
            running: 0,
            backing_off: 0,
            parked: 0,
            put_away: 0,
            admitted: 0,
            handled: totals.handled.total(),
            failed: totals.failed.total(),
            refused: totals.refused(),
            abandoned: totals.abandoned.total(),
            restarts: totals.restarts.total(),
        };
        let first = report.actors.len();
        report.actors.extend(self.cells.iter().map(|cell| cell.health()));
        for actor in &report.actors[first..] {
            kind.admitted += actor.queued + actor.in_flight;
            *match actor.state {
                ActorState::Starting => &mut kind.starting,
                ActorState::Running => &mut kind.running,
                ActorState::BackingOff => &mut kind.backing_off,
                ActorState::Parked => &mut kind.parked,
                ActorState::PutAway => &mut kind.put_away,
            } += 1;
        }
        report.actors[first..].sort_by_key(|actor| actor.key);
        report.kinds.push(kind);
    }

    fn close(&self) {
        let services = self.services.lock().take();
        drop(services);
        for cell in &self.cells {
            cell.put_away_now();
        }
    }
}
