//! The frames that wait for one socket: bounded, in order, without memory while there are none.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_util::Stream;
use playhouse_house::TvId;

use super::{CloseReason, Link, LinkSettings, Links};

/// What a session is to put on its socket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outgoing {
    /// A text frame.
    Frame(String),
    /// A close frame; nothing comes after it.
    Close(CloseReason),
}

/// Why a frame was not queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SendRefusal {
    /// The socket has ended or is closing.
    #[error("the TV's connection has ended")]
    Closed,
    /// Too much waits already.
    #[error("too much is waiting for the TV already")]
    Full,
}

pub(super) struct Outbox {
    settings: LinkSettings,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    frames: VecDeque<String>,
    n_bytes: usize,
    closing: Option<CloseReason>,
    ended: bool,
    session: Option<Waker>,
}

impl Outbox {
    pub(super) fn new(settings: LinkSettings) -> Self {
        Self { settings, state: Mutex::default() }
    }

    pub(super) fn push(&self, frame: String) -> Result<(), SendRefusal> {
        let mut state = self.state();
        if state.ended || state.closing.is_some() {
            return Err(SendRefusal::Closed);
        }
        let fits = state.frames.len() < self.settings.max_queued_frames
            && state.n_bytes + frame.len() <= self.settings.max_queued_bytes;
        if !fits {
            return Err(SendRefusal::Full);
        }
        state.n_bytes += frame.len();
        state.frames.push_back(frame);
        wake(state);
        Ok(())
    }

    pub(super) fn close(&self, reason: CloseReason) {
        let mut state = self.state();
        state.frames.clear();
        state.n_bytes = 0;
        // The first reason is the true one.
        state.closing.get_or_insert(reason);
        wake(state);
    }

    pub(super) fn close_when_empty(&self, reason: CloseReason) {
        let mut state = self.state();
        state.closing.get_or_insert(reason);
        wake(state);
    }

    fn end(&self) {
        let mut state = self.state();
        state.ended = true;
        state.frames = VecDeque::new();
        state.n_bytes = 0;
        state.session = None;
    }

    fn poll(&self, context: &Context<'_>) -> Poll<Option<Outgoing>> {
        let mut state = self.state();
        if let Some(frame) = state.frames.pop_front() {
            state.n_bytes -= frame.len();
            if state.frames.is_empty() {
                // An idle TV costs no queue.
                state.frames = VecDeque::new();
            }
            return Poll::Ready(Some(Outgoing::Frame(frame)));
        }
        if state.ended {
            return Poll::Ready(None);
        }
        if let Some(reason) = state.closing {
            state.ended = true;
            return Poll::Ready(Some(Outgoing::Close(reason)));
        }
        state.session = Some(context.waker().clone());
        Poll::Pending
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No code that holds the lock can leave the queue half-changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Wakes the session after the lock is free, so that it does not run into it.
fn wake(mut state: MutexGuard<'_, State>) {
    let session = state.session.take();
    drop(state);
    if let Some(session) = session {
        session.wake();
    }
}

/// What a session reads from and puts on its socket. Dropping it ends the link.
pub struct LinkFrames {
    links: Links,
    tv: TvId,
    link: Link,
}

impl LinkFrames {
    pub(super) fn new(links: Links, tv: TvId, link: Link) -> Self {
        Self { links, tv, link }
    }

    /// The link that the frames are for.
    pub fn link(&self) -> &Link {
        &self.link
    }
}

impl Stream for LinkFrames {
    type Item = Outgoing;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        self.link.shared.outbox.poll(context)
    }
}

impl Drop for LinkFrames {
    fn drop(&mut self) {
        self.link.shared.outbox.end();
        self.link.shared.waiting.end();
        self.links.forget(self.tv, self.link.id());
    }
}
