//! Commands that were written to one socket and not answered yet.
//!
//! They belong to the socket, not to the TV's actor: when the socket ends all of them fail at once, because no answer will come;
//! while it lives they are answered, even if the actor was rebuilt meanwhile after another call's panic.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::{Link, SendRefusal};
use crate::wire::{Command, IncomingFrame, encode};

/// By frame id. `None` once the socket has ended.
pub(super) struct Waiting(Mutex<Option<HashMap<String, oneshot::Sender<IncomingFrame>>>>);

impl Waiting {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Some(HashMap::new())))
    }

    /// Fails all that waits, and whatever would come. Dropping a sender is how the waiting caller learns of it.
    pub(super) fn end(&self) {
        *self.replies() = None;
    }

    fn replies(&self) -> MutexGuard<'_, Option<HashMap<String, oneshot::Sender<IncomingFrame>>>> {
        // Nothing that holds the lock can leave the table half-changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A command on its way. Dropping it gives up on the answer; a late one is then ignored.
pub struct InFlight {
    link: Link,
    id: String,
    reply: oneshot::Receiver<IncomingFrame>,
}

impl Link {
    /// Writes a command. It does not wait: the frame is queued, or refused.
    ///
    /// # Errors
    /// [`SendRefusal`]; the command was not sent and will not be.
    pub fn send_command(&self, command: &Command) -> Result<InFlight, SendRefusal> {
        let id = self.next_command_id();
        let (give, reply) = oneshot::channel();
        // Registered before it is written, so that no answer can come too early.
        self.shared.waiting.replies().as_mut().ok_or(SendRefusal::Closed)?.insert(id.clone(), give);
        let in_flight = InFlight { link: self.clone(), id, reply };
        self.send(encode(&in_flight.id, command))?;
        Ok(in_flight)
    }

    /// Hands a reply to whoever waits for it. Late, duplicate and unknown ids are ignored.
    ///
    /// Replies take no way through the mailbox of the TV's actor: its callers may hold every place of it while they wait for them.
    pub fn take_reply(&self, frame: IncomingFrame) {
        let waiting = self.shared.waiting.replies().as_mut().and_then(|replies| replies.remove(&frame.id));
        match waiting {
            // Nobody waiting any more is as good as a late reply.
            Some(waiting) => drop(waiting.send(frame)),
            None => tracing::debug!(id = %frame.id, "ignored a late or unknown reply"),
        }
    }

    /// Commands that wait for their answer.
    pub fn n_in_flight(&self) -> usize {
        self.shared.waiting.replies().as_ref().map_or(0, HashMap::len)
    }
}

impl InFlight {
    /// The id that the reply will carry.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Waits for the reply. `None` when the socket ended first.
    pub async fn reply(&mut self) -> Option<IncomingFrame> {
        (&mut self.reply).await.ok()
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        if let Some(replies) = self.link.shared.waiting.replies().as_mut() {
            replies.remove(&self.id);
        }
    }
}
