//! The actix actor round every behaviour: it keeps panics in, restarts what failed, and runs what handlers return.
//!
//! actix's `Supervisor` keeps the address and the queue over `ctx.stop()`; everything else that supervision means is here and in the
//! cell. While an actor starts, backs off or has work that must be alone, `ctx.wait` keeps the queue closed.

use std::sync::Arc;

use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, Supervised, WrapFuture};
use tokio::time::{Instant, sleep_until, timeout};

use crate::answer::{Answer, LocalFuture, Work};
use crate::backoff::Plan;
use crate::cell::Cell;
use crate::error::{Cause, Failure};
use crate::exchange::{Delivery, Exchange, Letter};
use crate::running::{Ended, Running};
use crate::watch::{PanicNote, Watched, Watchful};
use crate::{Behaviour, CallError, CallInfo, Handle, Message, StartError};

pub(crate) struct Guarded<B: Behaviour> {
    cell: Arc<Cell<B>>,
    /// Which of the cell's actors this is; another one may have taken over.
    generation: u64,
    /// How often this one was started: what an earlier incarnation left running cannot fail a later one.
    incarnation: u32,
    life: Life<B>,
}

enum Life<B> {
    Starting,
    Running(B),
    /// Nothing more is handled here; what is still queued gets this answer.
    Over(Verdict),
}

#[derive(Clone, Copy)]
enum Verdict {
    /// Somebody else is in charge: letters go back to their callers, who send them there.
    Replaced,
    Parked,
    NotFound,
    Closing,
}

/// A future of a call panicked outside the actor's own task.
#[derive(actix::Message)]
#[rtype(result = "()")]
pub(crate) struct Fault {
    incarnation: u32,
    cause: Cause,
}

/// Whom a running call tells when it panics.
pub(crate) struct Reporter<B: Behaviour> {
    pub(crate) cell: Arc<Cell<B>>,
    generation: u64,
    incarnation: u32,
}

impl<B: Behaviour> Reporter<B> {
    pub(crate) fn report(self, cause: Cause) {
        let fault = Fault { incarnation: self.incarnation, cause };
        self.cell.report(self.generation, fault);
    }
}

type Started<B> = Result<Result<B, StartError>, PanicNote>;

impl<B: Behaviour> Guarded<B> {
    pub(crate) fn new(cell: Arc<Cell<B>>, generation: u64) -> Self {
        Self { cell, generation, incarnation: 0, life: Life::Starting }
    }

    /// Reads the state, after the back-off if one is due.
    async fn start(
        cell: Arc<Cell<B>>,
        generation: u64,
        not_before: Option<Instant>,
        services: B::Services,
    ) -> Started<B> {
        if let Some(instant) = not_before {
            sleep_until(instant).await;
        }
        cell.starting(generation);
        let key = cell.key;
        let within = cell.shared.settings.start_within;
        let reading: LocalFuture<_> = Box::pin(async move { B::start(key, services).await });
        match timeout(within, Watched::new(cell, reading)).await {
            Ok(started) => started,
            Err(_) => {
                let reason = format!("its state could not be read within {} s", within.as_secs_f64());
                Ok(Err(StartError::Unavailable { reason }))
            }
        }
    }

    fn started_with(&mut self, outcome: Started<B>, context: &mut Context<Self>) {
        match outcome {
            Ok(Ok(behaviour)) => {
                self.life = Life::Running(behaviour);
                if !self.cell.running(self.generation) {
                    self.end(Verdict::Replaced);
                }
            }
            Ok(Err(StartError::NotFound)) => {
                self.cell.nothing_stored(self.generation);
                self.end(Verdict::NotFound);
            }
            Ok(Err(error @ StartError::Unavailable { .. })) => {
                let cause = self.cell.cause_without_place(Failure::StartFailed, &error.to_string());
                self.fail(&cause, context);
            }
            Err(note) => {
                let cause = self.cell.cause(Failure::StartPanic, note);
                self.fail(&cause, context);
            }
        }
    }

    /// Drops the behaviour, and lets the cell decide whether it is read again.
    fn fail(&mut self, cause: &Cause, context: &mut Context<Self>) {
        match self.cell.failed(self.generation, cause) {
            Some(Plan::RestartAt(_)) => {
                self.replace_life(Life::Starting);
                context.stop();
            }
            Some(Plan::ParkUntil(_)) => self.end(Verdict::Parked),
            None => self.end(Verdict::Replaced),
        }
    }

    fn end(&mut self, verdict: Verdict) {
        self.replace_life(Life::Over(verdict));
    }

    fn replace_life(&mut self, life: Life<B>) {
        let old = std::mem::replace(&mut self.life, life);
        if let Err(note) = self.cell.watch().run(|| drop(old)) {
            tracing::error!(actor = %self.cell.key, text = note.text, place = note.place, "an actor panicked while it was dropped");
        }
    }

    pub(crate) fn handle_letter<M: Message<Actor = B>>(
        &mut self,
        exchange: Arc<Exchange<M>>,
        letter: Letter<M>,
        context: &mut Context<Self>,
    ) where
        B: Handle<M>,
    {
        let call = CallInfo { deadline: exchange.deadline, key: self.cell.key };
        let Letter { message, ticket } = letter;
        let running = Running::new(exchange, ticket);
        let Life::Running(behaviour) = &mut self.life else { return };
        match self.cell.watch().run(|| behaviour.handle(message, call)) {
            Ok(answer) => self.run(answer, running, context),
            Err(note) => {
                let cause = self.cell.cause(Failure::Panic, note);
                running.fail(cause.clone());
                self.fail(&cause, context);
            }
        }
    }

    fn run<M: Message<Actor = B>>(
        &mut self,
        answer: Answer<B, M::Reply>,
        running: Running<M>,
        context: &mut Context<Self>,
    ) where
        B: Handle<M>,
    {
        match answer.0 {
            Work::Now(reply) => running.reply(reply),
            Work::Later(future) => {
                let work = Watched::new(Arc::clone(&self.cell), future);
                actix_rt::spawn(running.run_later(work, self.reporter()));
            }
            Work::ToTheEnd(future) => {
                let work = Watched::new(Arc::clone(&self.cell), future);
                actix_rt::spawn(running.run_to_the_end(work, self.reporter()));
            }
            Work::Prepared(future) => {
                let work = Watched::new(Arc::clone(&self.cell), future);
                actix_rt::spawn(running.run_prepared(work, self.reporter()));
            }
            Work::Alone(future) => {
                let work = Watched::new(Arc::clone(&self.cell), future);
                let alone = running.run_until_ended(work);
                context.wait(alone.into_actor(self).map(|(running, ended), actor, context| match ended {
                    Ended::Done(finish) => actor.finish(finish, running, context),
                    Ended::Panicked(note) => {
                        let cause = actor.cell.cause(Failure::Panic, note);
                        running.fail(cause.clone());
                        actor.fail(&cause, context);
                    }
                    Ended::GivenUp => {
                        running.give_up();
                        // The behaviour no longer knows what the store holds.
                        let text = "work that had the actor to itself did not end in time";
                        let cause = actor.cell.cause_without_place(Failure::Unfinished, text);
                        actor.fail(&cause, context);
                    }
                }));
            }
        }
    }

    fn finish<M: Message<Actor = B>>(
        &mut self,
        finish: impl FnOnce(&mut B) -> M::Reply,
        running: Running<M>,
        context: &mut Context<Self>,
    ) where
        B: Handle<M>,
    {
        let Life::Running(behaviour) = &mut self.life else { return };
        match self.cell.watch().run(|| finish(behaviour)) {
            Ok(reply) => running.reply(reply),
            Err(note) => {
                let cause = self.cell.cause(Failure::Panic, note);
                running.fail(cause.clone());
                self.fail(&cause, context);
            }
        }
    }

    fn reporter(&self) -> Reporter<B> {
        Reporter { cell: Arc::clone(&self.cell), generation: self.generation, incarnation: self.incarnation }
    }
}

impl<B: Behaviour> Actor for Guarded<B> {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.incarnation += 1;
        if !self.cell.is_current(self.generation) {
            self.end(Verdict::Replaced);
            return;
        }
        let Some(services) = self.cell.services() else {
            self.end(Verdict::Closing);
            return;
        };
        let not_before = self.cell.wait_before_start();
        let start = Self::start(Arc::clone(&self.cell), self.generation, not_before, services);
        context.wait(start.into_actor(self).map(|outcome, actor, context| actor.started_with(outcome, context)));
    }
}

impl<B: Behaviour> Supervised for Guarded<B> {}

/// A behaviour is never pinned: its futures own what they need.
impl<B: Behaviour> Unpin for Guarded<B> {}

impl<B: Behaviour> Handler<Delivery<B>> for Guarded<B> {
    type Result = ();

    fn handle(&mut self, delivery: Delivery<B>, context: &mut Self::Context) {
        match &self.life {
            Life::Running(_) if self.cell.is_current(self.generation) => delivery.open(self, context),
            Life::Running(_) | Life::Starting | Life::Over(Verdict::Replaced) => drop(delivery),
            Life::Over(Verdict::Parked) => match self.cell.refusal() {
                Some(error) => delivery.refuse(error),
                None => drop(delivery),
            },
            Life::Over(Verdict::NotFound) => delivery.refuse(CallError::NotFound),
            Life::Over(Verdict::Closing) => delivery.refuse(CallError::Closing),
        }
    }
}

impl<B: Behaviour> Handler<Fault> for Guarded<B> {
    type Result = ();

    fn handle(&mut self, fault: Fault, context: &mut Self::Context) {
        if fault.incarnation == self.incarnation && matches!(self.life, Life::Running(_)) {
            self.fail(&fault.cause, context);
        }
    }
}

impl<B: Behaviour> Drop for Guarded<B> {
    /// The guard for what nobody foresaw: whoever drops an actor in charge, the next call gets another one.
    fn drop(&mut self) {
        self.end(Verdict::Replaced);
        let text = if std::thread::panicking() {
            "the actor ended in a panic outside its guard"
        } else {
            "the actor ended with its thread"
        };
        self.cell.lost(self.generation, text);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::exchange::Parcel;
    use crate::testing::{Counter, KEY, bus_with_a_counter, count, exchange};

    /// Panics where no guard is: stands for whatever bug the bus itself may have.
    #[derive(actix::Message)]
    #[rtype(result = "()")]
    struct PanicOutside;

    impl<B: Behaviour> Handler<PanicOutside> for Guarded<B> {
        type Result = ();

        fn handle(&mut self, _: PanicOutside, _: &mut Self::Context) {
            panic!("outside the guard");
        }
    }

    #[actix::test]
    async fn an_actor_lost_outside_its_guard_is_replaced_by_the_next_call() {
        let bus = bus_with_a_counter().await;

        let lost = bus.cell::<Counter>(KEY).addr().unwrap().send(PanicOutside).await;

        assert!(lost.is_err());
        assert_eq!(count(&bus).await, Ok(1));
        let health = bus.health().actor(KEY).unwrap().clone();
        assert_eq!((health.state, health.restarts), (crate::ActorState::Running, 1));
        let cause = health.last_cause.unwrap();
        assert_eq!(cause.what, Failure::Lost);
        assert_eq!(cause.text, "the actor ended in a panic outside its guard");
    }

    #[actix::test]
    async fn calls_queued_at_a_lost_actor_are_handled_by_the_next() {
        let bus = bus_with_a_counter().await;
        let lost = bus.cell::<Counter>(KEY).addr().unwrap().send(PanicOutside);

        let (_, first, second) = futures_util::join!(lost, count(&bus), count(&bus));

        assert_eq!((first, second), (Ok(1), Ok(2)));
    }

    #[actix::test]
    async fn an_actor_that_was_replaced_handles_nothing_any_more() {
        let bus = bus_with_a_counter().await;
        let cell = bus.cell::<Counter>(KEY);
        let replaced = cell.addr().unwrap();
        cell.leave_arbiter(0);
        assert_eq!(count(&bus).await, Ok(1));

        let exchange = exchange(&bus);
        replaced.send(Delivery::of(Arc::clone(&exchange) as Arc<dyn Parcel<Counter>>)).await.unwrap();

        assert!(exchange.recall().is_some(), "two actors of one key were in charge");
    }

    #[actix::test]
    async fn an_actor_that_never_reported_its_end_is_found_by_the_sweeper() {
        let bus = bus_with_a_counter().await;
        bus.cell::<Counter>(KEY).lose_addr_silently();

        tokio::time::advance(Duration::from_secs(2)).await;
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }

        assert_eq!(bus.health().actor(KEY).unwrap().last_cause.as_ref().unwrap().what, Failure::Lost);
        assert_eq!(count(&bus).await, Ok(1));
    }

    #[actix::test]
    async fn an_actor_that_never_reported_its_end_is_found_by_the_next_call_too() {
        let bus = bus_with_a_counter().await;
        bus.cell::<Counter>(KEY).lose_addr_silently();

        assert_eq!(count(&bus).await, Ok(1));

        assert_eq!(bus.health().actor(KEY).unwrap().last_cause.as_ref().unwrap().what, Failure::Lost);
    }
}
