//! The commands in flight to one TV: written in order, answered in any, each with a time limit.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use playhouse_bus::Deadline;
use tokio::sync::oneshot;

use super::context::TvContext;
use super::turns::{Place, Turns};
use crate::error::TvError;
use crate::links::{Link, LinkId, SendRefusal};
use crate::wire::{BridgeCode, BridgeError, Command, IncomingFrame, encode};

/// What is kept back of a caller's deadline to carry the answer home. Without it the caller would learn only that time is up.
const WAY_HOME: Duration = Duration::from_millis(250);

/// The way to one TV, shared by its actor and the answers that the actor is working on. All of them run on the actor's thread.
pub(super) struct Lane {
    pub(super) context: TvContext,
    turns: Turns,
    waiting: RefCell<HashMap<String, Waiting>>,
}

struct Waiting {
    link: LinkId,
    reply: oneshot::Sender<IncomingFrame>,
}

/// A command that was written and not answered yet. Dropping it forgets the command; a late answer is then ignored.
struct InFlight<'lane> {
    lane: &'lane Lane,
    id: String,
    link: Link,
    reply: oneshot::Receiver<IncomingFrame>,
}

impl Lane {
    pub(super) fn new(context: TvContext) -> Rc<Self> {
        Rc::new(Self { context, turns: Turns::default(), waiting: RefCell::default() })
    }

    /// Takes a place in the line. To be done while the message is handled: that is what keeps commands in order.
    pub(super) fn line_up(&self) -> Place {
        self.turns.line_up()
    }

    /// Sends one command when its turn has come and waits for the reply.
    pub(super) async fn ask(&self, place: Place, command: &Command, deadline: Deadline) -> Result<IncomingFrame, TvError> {
        let in_flight = {
            let _turn = self.turn(place, deadline).await?;
            self.write(command)?
        };
        in_flight.reply(command, deadline).await
    }

    /// Waits for the turn, for commands that take several frames.
    pub(super) async fn turn(&self, place: Place, deadline: Deadline) -> Result<super::turns::Turn, TvError> {
        let not_sent = || TvError::NotSent { tv: self.context.name() };
        match tokio::time::timeout(deadline.remaining().saturating_sub(WAY_HOME), place.reached()).await {
            Ok(turn) => turn.ok_or_else(not_sent),
            Err(_) => Err(not_sent()),
        }
    }

    /// Sends one command within a turn that the caller holds, and waits for the reply.
    pub(super) async fn ask_within_turn(&self, command: &Command, deadline: Deadline) -> Result<IncomingFrame, TvError> {
        self.write(command)?.reply(command, deadline).await
    }

    fn write(&self, command: &Command) -> Result<InFlight<'_>, TvError> {
        let link = self.context.link()?;
        let op = command.op();
        if link.lacks(op) {
            let error = BridgeError::UnsupportedOp(op);
            return Err(TvError::Refused { tv: self.context.name(), op, error });
        }
        let id = link.next_command_id();
        // Registered before it is written, so that no answer can come too early.
        let (give, reply) = oneshot::channel();
        self.waiting.borrow_mut().insert(id.clone(), Waiting { link: link.id(), reply: give });
        let in_flight = InFlight { lane: self, id, link, reply };
        match in_flight.link.send(encode(&in_flight.id, command)) {
            Ok(()) => Ok(in_flight),
            Err(SendRefusal::Full) => Err(TvError::NotSent { tv: self.context.name() }),
            Err(SendRefusal::Closed) => Err(self.context.offline()),
        }
    }

    /// Hands a reply to whoever waits for it. Late, duplicate and unknown ids are ignored, as are frames of an older socket.
    pub(super) fn take_reply(&self, link: LinkId, frame: IncomingFrame) {
        let mut waiting = self.waiting.borrow_mut();
        if waiting.get(&frame.id).is_none_or(|waiting| waiting.link != link) {
            tracing::debug!(id = %frame.id, "ignored a late or unknown reply");
            return;
        }
        if let Some(waiting) = waiting.remove(&frame.id) {
            // Nobody waiting any more is as good as a late reply.
            let _ = waiting.reply.send(frame);
        }
    }

    /// Fails at once whatever was written to another socket than `present`: no answer to it will come.
    pub(super) fn fail_all_but(&self, present: Option<LinkId>) {
        // Dropping the sender is how the waiting caller learns of it.
        self.waiting.borrow_mut().retain(|_, waiting| Some(waiting.link) == present);
    }

    /// Commands that wait for their answer.
    pub(super) fn n_in_flight(&self) -> usize {
        self.waiting.borrow().len()
    }
}

impl InFlight<'_> {
    async fn reply(mut self, command: &Command, deadline: Deadline) -> Result<IncomingFrame, TvError> {
        let (op, only_reads) = (command.op(), command.only_reads());
        let tv = || self.lane.context.name();
        let limit = op.time_limit().min(deadline.remaining().saturating_sub(WAY_HOME));
        let reply = match tokio::time::timeout(limit, &mut self.reply).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(_)) => return Err(TvError::LinkLost { tv: tv(), op, only_reads }),
            Err(_) => return Err(TvError::NoAnswer { tv: tv(), op, only_reads, waited_seconds: limit.as_secs() }),
        };
        if reply.ok {
            return Ok(reply);
        }
        let error = BridgeError::of(command, &reply);
        if let BridgeError::UnsupportedOp(op) = error {
            self.link.note_lacking(op);
        }
        Err(TvError::Refused { tv: tv(), op, error })
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        // Not borrowed here unless a panic is being unwound, and then the whole lane is about to go.
        if let Ok(mut waiting) = self.lane.waiting.try_borrow_mut() {
            waiting.remove(&self.id);
        }
    }
}

/// Whether the screen could not be read at that moment, which also happens while it is switching.
pub(super) fn is_worth_another_look(error: &TvError) -> bool {
    matches!(error, TvError::Refused { error: BridgeError::Code(BridgeCode::AccessibilityNotGranted), .. })
}
