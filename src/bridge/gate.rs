//! A stream that can be told to wait.

use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use futures_util::Stream;

/// Shut, it holds back the stream of its [`Gated`]. Clones are one gate.
#[derive(Clone)]
pub(super) struct Gate(Rc<State>);

struct State {
    is_open: Cell<bool>,
    waiting: Cell<Option<Waker>>,
}

impl Gate {
    /// An open gate.
    pub(super) fn new() -> Self {
        Gate(Rc::new(State { is_open: Cell::new(true), waiting: Cell::new(None) }))
    }

    /// Lets the stream go on.
    pub(super) fn open(&self) {
        self.0.is_open.set(true);
        if let Some(waiting) = self.0.waiting.take() {
            waiting.wake();
        }
    }

    /// Holds the stream back from its next item on.
    pub(super) fn shut(&self) {
        self.0.is_open.set(false);
    }
}

/// A stream behind a gate.
pub(super) struct Gated<S> {
    stream: S,
    gate: Gate,
}

impl<S> Gated<S> {
    pub(super) fn new(stream: S, gate: Gate) -> Self {
        Gated { stream, gate }
    }
}

impl<S: Stream + Unpin> Stream for Gated<S> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<S::Item>> {
        if self.gate.0.is_open.get() {
            return Pin::new(&mut self.stream).poll_next(context);
        }
        self.gate.0.waiting.set(Some(context.waker().clone()));
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt, StreamExt, stream};

    use super::*;

    #[test]
    fn nothing_passes_a_shut_gate_and_nothing_is_lost_at_it() {
        let gate = Gate::new();
        let mut stream = Gated::new(stream::iter(1..=3), gate.clone());
        assert_eq!(stream.next().now_or_never(), Some(Some(1)));
        gate.shut();
        assert_eq!(stream.next().now_or_never(), None);
        gate.open();
        assert_eq!(stream.next().now_or_never(), Some(Some(2)));
    }

    #[tokio::test]
    async fn opening_wakes_who_waits() {
        let local = tokio::task::LocalSet::new();
        let gate = Gate::new();
        gate.shut();
        let mut stream = Gated::new(stream::iter([1]), gate.clone());
        let waiting = local.spawn_local(async move { stream.next().await });
        local
            .run_until(async move {
                tokio::task::yield_now().await;
                gate.open();
                assert_eq!(waiting.await.unwrap(), Some(1));
            })
            .await;
    }
}
