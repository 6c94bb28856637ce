//! A call that its actor has begun: whatever becomes of it, its caller hears and its place is given back.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use tokio::time::timeout;

use crate::answer::LocalFuture;
use crate::cell::Cell;
use crate::error::{Cause, Failure};
use crate::exchange::Exchange;
use crate::guarded::Reporter;
use crate::ticket::{End, Ticket};
use crate::watch::{PanicNote, Watched};
use crate::{CallError, Message};

pub(crate) struct Running<M: Message> {
    exchange: Arc<Exchange<M>>,
    /// Gone once the end is booked.
    ticket: Option<Ticket<M::Actor>>,
}

/// An actor's future under its watch.
pub(crate) type ActorWork<M, T> = Watched<T, Arc<Cell<<M as Message>::Actor>>>;

/// How work ended that is not cut off when its caller goes.
pub(crate) enum Ended<T> {
    Done(T),
    Panicked(PanicNote),
    /// The grace after the caller's going is over.
    GivenUp,
}

impl<M: Message> Running<M> {
    pub(crate) fn new(exchange: Arc<Exchange<M>>, mut ticket: Ticket<M::Actor>) -> Self {
        ticket.begin();
        Self { exchange, ticket: Some(ticket) }
    }

    // In each of these the place is given back first: a caller that has its answer finds its place free.

    pub(crate) fn reply(mut self, reply: M::Reply) {
        self.book(End::Replied);
        self.exchange.answer(Ok(reply));
    }

    pub(crate) fn fail(mut self, cause: Cause) {
        self.book(End::Failed);
        self.exchange.answer(Err(CallError::Panicked { cause: Box::new(cause) }));
    }

    /// The caller has gone long ago; only the books need to know.
    pub(crate) fn give_up(mut self) {
        self.book(End::Unknown);
        self.exchange.answer(Err(CallError::Deadline { started: true }));
    }

    fn book(&mut self, end: End) {
        if let Some(ticket) = self.ticket.take() {
            ticket.end(end);
        }
    }

    /// [`Answer::later`](crate::Answer::later): until done, or until nobody waits.
    pub(crate) async fn run_later(self, work: ActorWork<M, M::Reply>, reporter: Reporter<M::Actor>) {
        if let Some((running, reply)) = self.run_while_waited_for(work, reporter).await {
            running.0.reply(reply);
        }
    }

    /// [`Answer::prepared`](crate::Answer::prepared): the first part until done or until nobody waits, the second to its end.
    pub(crate) async fn run_prepared(
        self,
        work: ActorWork<M, Result<LocalFuture<M::Reply>, M::Reply>>,
        reporter: Reporter<M::Actor>,
    ) {
        match self.run_while_waited_for(work, reporter).await {
            None => {}
            Some(((running, _), Err(reply))) => running.reply(reply),
            Some(((running, reporter), Ok(rest))) => {
                let work = Watched::new(Arc::clone(&reporter.cell), rest);
                running.run_to_the_end(work, reporter).await;
            }
        }
    }

    /// What the work came to; `None` when it was abandoned or panicked, and then the books are closed.
    async fn run_while_waited_for<T>(
        mut self,
        mut work: ActorWork<M, T>,
        reporter: Reporter<M::Actor>,
    ) -> Option<((Self, Reporter<M::Actor>), T)> {
        let outcome = poll_fn(|context| {
            if let Poll::Ready(outcome) = Pin::new(&mut work).poll(context) {
                return Poll::Ready(Some(outcome));
            }
            self.exchange.poll_caller_gone(context).map(|()| None)
        })
        .await;
        // Before the place is given back: an abandoned future must not hold on to anything then.
        drop(work);
        match outcome {
            Some(Ok(value)) => return Some(((self, reporter), value)),
            Some(Err(note)) => self.panicked(note, reporter),
            None => self.book(End::Abandoned),
        }
        None
    }

    /// [`Answer::to_the_end`](crate::Answer::to_the_end): until done, and for a grace even when nobody waits.
    pub(crate) async fn run_to_the_end(self, work: ActorWork<M, M::Reply>, reporter: Reporter<M::Actor>) {
        match self.run_until_ended(work).await {
            (running, Ended::Done(reply)) => running.reply(reply),
            (running, Ended::Panicked(note)) => running.panicked(note, reporter),
            (running, Ended::GivenUp) => {
                tracing::warn!(actor = %reporter.cell.key, "a call did not end in its grace; its outcome is unknown");
                running.give_up();
            }
        }
    }

    pub(crate) async fn run_until_ended<T>(self, mut work: ActorWork<M, T>) -> (Self, Ended<T>) {
        let Some(grace) = self.ticket.as_ref().map(|ticket| ticket.cell.shared.settings.finish_grace) else {
            return (self, Ended::GivenUp);
        };
        let with_caller = poll_fn(|context| {
            if let Poll::Ready(outcome) = Pin::new(&mut work).poll(context) {
                return Poll::Ready(Some(outcome));
            }
            self.exchange.poll_caller_gone(context).map(|()| None)
        })
        .await;
        let outcome = match with_caller {
            Some(outcome) => Some(outcome),
            None => timeout(grace, &mut work).await.ok(),
        };
        drop(work);
        let ended = match outcome {
            Some(Ok(value)) => Ended::Done(value),
            Some(Err(note)) => Ended::Panicked(note),
            None => Ended::GivenUp,
        };
        (self, ended)
    }

    fn panicked(self, note: PanicNote, reporter: Reporter<M::Actor>) {
        let cause = reporter.cell.cause(Failure::Panic, note);
        // The actor first: when the caller has its answer, the failure is on its way to the health page.
        reporter.report(cause.clone());
        self.fail(cause);
    }
}

impl<M: Message> Drop for Running<M> {
    /// The work was dropped before its end: its thread stops.
    fn drop(&mut self) {
        let Some(ticket) = self.ticket.take() else { return };
        let cause = ticket.cell.cause_without_place(Failure::Lost, "the thread of this call ended before the call did");
        ticket.end(End::Failed);
        self.exchange.answer(Err(CallError::Panicked { cause: Box::new(cause) }));
    }
}
