//! Where a caller and an actor meet: the message lies here until the actor takes it, the reply until the caller does.
//!
//! Whoever comes first decides, under one short lock: a message that the caller took back is never handled, and one that the
//! actor took is never sent twice. So "was it started?" always has a true answer, and a message survives the actor it was
//! queued at.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use actix::Message as ActixMessage;
use parking_lot::Mutex;

use crate::guarded::Guarded;
use crate::ticket::Ticket;
use crate::{Behaviour, CallError, Deadline, Message};

/// A message with the proof that it was admitted.
pub(crate) struct Letter<M: Message> {
    pub(crate) message: M,
    pub(crate) ticket: Ticket<M::Actor>,
}

pub(crate) struct Exchange<M: Message> {
    pub(crate) deadline: Deadline,
    table: Mutex<Table<M>>,
}

struct Table<M: Message> {
    stage: Stage<M>,
    /// Woken when there is something for the caller.
    caller: Option<Waker>,
    /// Woken when the caller has gone.
    worker: Option<Waker>,
}

enum Stage<M: Message> {
    /// In the actor's mailbox.
    Queued(Letter<M>),
    /// The mailbox is gone, or belongs to an actor that was replaced.
    HandedBack(Letter<M>),
    /// The actor has it.
    Begun,
    Answered(Result<M::Reply, CallError>),
    /// The caller has its answer, or has gone.
    Left,
}

/// What a caller finds.
pub(crate) enum Found<M: Message> {
    Answer(Result<M::Reply, CallError>),
    /// Not begun, and never will be there: to be sent again.
    Letter(Letter<M>),
}

impl<M: Message> Exchange<M> {
    pub(crate) fn new(letter: Letter<M>, deadline: Deadline) -> Arc<Self> {
        let table = Table { stage: Stage::Queued(letter), caller: None, worker: None };
        Arc::new(Self { deadline, table: Mutex::new(table) })
    }

    /// For the caller: waits for an answer, or for the letter's coming back.
    pub(crate) fn poll_found(&self, context: &mut Context<'_>) -> Poll<Found<M>> {
        let mut table = self.table.lock();
        // Looked at before it is moved: a queued letter may be large, and this runs at every poll.
        if matches!(table.stage, Stage::Answered(_) | Stage::HandedBack(_)) {
            match std::mem::replace(&mut table.stage, Stage::Left) {
                Stage::Answered(answer) => return Poll::Ready(Found::Answer(answer)),
                Stage::HandedBack(letter) => return Poll::Ready(Found::Letter(letter)),
                Stage::Queued(_) | Stage::Begun | Stage::Left => {}
            }
        }
        if !table.caller.as_ref().is_some_and(|waker| waker.will_wake(context.waker())) {
            table.caller = Some(context.waker().clone());
        }
        Poll::Pending
    }

    /// For the caller: takes the message back, if it was not begun.
    pub(crate) fn recall(&self) -> Option<Letter<M>> {
        let mut table = self.table.lock();
        match std::mem::replace(&mut table.stage, Stage::Left) {
            Stage::Queued(letter) | Stage::HandedBack(letter) => Some(letter),
            other => {
                table.stage = other;
                None
            }
        }
    }

    /// For the caller: says that nobody waits any more.
    pub(crate) fn leave(&self) {
        let (left, worker) = {
            let mut table = self.table.lock();
            (std::mem::replace(&mut table.stage, Stage::Left), table.worker.take())
        };
        // Outside the lock: dropping a letter gives its ticket back, and waking may run anything.
        drop(left);
        if let Some(worker) = worker {
            worker.wake();
        }
    }

    /// For the actor: takes the message, unless it was taken back.
    pub(crate) fn begin(&self) -> Option<Letter<M>> {
        let mut table = self.table.lock();
        match std::mem::replace(&mut table.stage, Stage::Begun) {
            Stage::Queued(letter) => Some(letter),
            other => {
                table.stage = other;
                None
            }
        }
    }

    /// For the actor: gives the reply, if anybody waits for it.
    pub(crate) fn answer(&self, answer: Result<M::Reply, CallError>) {
        self.put(Stage::Answered(answer), |stage| matches!(stage, Stage::Begun));
    }

    /// For the actor: ready once the caller has gone.
    pub(crate) fn poll_caller_gone(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut table = self.table.lock();
        if matches!(table.stage, Stage::Left) {
            return Poll::Ready(());
        }
        if !table.worker.as_ref().is_some_and(|waker| waker.will_wake(context.waker())) {
            table.worker = Some(context.waker().clone());
        }
        Poll::Pending
    }

    fn put(&self, next: Stage<M>, when: impl FnOnce(&Stage<M>) -> bool) {
        let (replaced, caller) = {
            let mut table = self.table.lock();
            if when(&table.stage) {
                (std::mem::replace(&mut table.stage, next), table.caller.take())
            } else {
                (next, None)
            }
        };
        // Outside the lock, as in `leave`.
        drop(replaced);
        if let Some(caller) = caller {
            caller.wake();
        }
    }
}

/// An exchange as the actor's mailbox sees it: of any message of the behaviour `B`.
pub(crate) trait Parcel<B: Behaviour>: Send + Sync {
    /// Takes the message and has the actor handle it.
    fn open(self: Arc<Self>, actor: &mut Guarded<B>, context: &mut actix::Context<Guarded<B>>);
    /// Answers without handling it.
    fn refuse(&self, error: CallError);
    /// Lets the caller send it again.
    fn hand_back(&self);
}

impl<M: Message> Parcel<M::Actor> for Exchange<M> {
    fn open(self: Arc<Self>, actor: &mut Guarded<M::Actor>, context: &mut actix::Context<Guarded<M::Actor>>) {
        if self.deadline.has_passed() {
            self.refuse(CallError::Deadline { started: false });
        } else if let Some(letter) = self.begin() {
            actor.handle_letter(self, letter, context);
        }
    }

    fn refuse(&self, error: CallError) {
        if let Some(letter) = self.begin() {
            drop(letter);
            self.answer(Err(error));
        }
    }

    fn hand_back(&self) {
        let caller = {
            let mut table = self.table.lock();
            match std::mem::replace(&mut table.stage, Stage::Left) {
                Stage::Queued(letter) => {
                    table.stage = Stage::HandedBack(letter);
                    table.caller.take()
                }
                other => {
                    table.stage = other;
                    None
                }
            }
        };
        if let Some(caller) = caller {
            caller.wake();
        }
    }
}

/// The one message an actor's mailbox holds. Dropped unopened, wherever that happens, it hands the letter back.
pub(crate) struct Delivery<B: Behaviour>(Option<Arc<dyn Parcel<B>>>);

impl<B: Behaviour> Delivery<B> {
    pub(crate) fn of(parcel: Arc<dyn Parcel<B>>) -> Self {
        Self(Some(parcel))
    }

    pub(crate) fn open(mut self, actor: &mut Guarded<B>, context: &mut actix::Context<Guarded<B>>) {
        if let Some(parcel) = self.0.take() {
            parcel.open(actor, context);
        }
    }

    pub(crate) fn refuse(mut self, error: CallError) {
        if let Some(parcel) = self.0.take() {
            parcel.refuse(error);
        }
    }
}

impl<B: Behaviour> ActixMessage for Delivery<B> {
    type Result = ();
}

impl<B: Behaviour> Drop for Delivery<B> {
    fn drop(&mut self) {
        if let Some(parcel) = self.0.take() {
            parcel.hand_back();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;
    use crate::testing::{Count, Counter, bus_with_a_counter, exchange};

    fn found(exchange: &Exchange<Count>) -> Poll<Found<Count>> {
        exchange.poll_found(&mut Context::from_waker(Waker::noop()))
    }

    #[actix::test]
    async fn a_message_is_begun_or_taken_back_and_never_both() {
        const N_RACES: usize = 2_000;
        let bus = bus_with_a_counter().await;
        let (start, end) = (Barrier::new(2), Barrier::new(2));
        let on_the_table = Mutex::new(exchange(&bus));

        let (mut n_begun, mut n_recalled) = (0, 0);
        std::thread::scope(|scope| {
            let begun = scope.spawn(|| {
                let mut n_begun = 0;
                for _ in 0..N_RACES {
                    start.wait();
                    let exchange = Arc::clone(&on_the_table.lock());
                    n_begun += usize::from(exchange.begin().is_some());
                    end.wait();
                }
                n_begun
            });
            for _ in 0..N_RACES {
                let mine = exchange(&bus);
                *on_the_table.lock() = Arc::clone(&mine);
                start.wait();
                n_recalled += usize::from(mine.recall().is_some());
                end.wait();
            }
            n_begun = begun.join().unwrap();
        });

        assert_eq!(n_begun + n_recalled, N_RACES);
        drop(on_the_table);
        assert_eq!(bus.health().admitted, 0);
    }

    #[actix::test]
    async fn a_delivery_dropped_unopened_comes_back_to_its_caller() {
        let bus = bus_with_a_counter().await;
        let exchange = exchange(&bus);

        drop(Delivery::of(Arc::clone(&exchange) as Arc<dyn Parcel<Counter>>));

        assert!(matches!(found(&exchange), Poll::Ready(Found::Letter(_))));
    }

    #[actix::test]
    async fn an_answer_to_nobody_is_dropped() {
        let bus = bus_with_a_counter().await;
        let exchange = exchange(&bus);
        drop(exchange.begin());
        exchange.leave();

        exchange.answer(Ok(1));

        assert!(exchange.poll_caller_gone(&mut Context::from_waker(Waker::noop())).is_ready());
        assert!(found(&exchange).is_pending());
    }
}
