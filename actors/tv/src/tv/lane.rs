//! The way of commands to one TV: written in order, answered in any, each with a time limit.

use std::rc::Rc;
use std::time::Duration;

use playhouse_bus::Deadline;

use super::context::TvContext;
use super::turns::{Place, Turn, Turns};
use crate::error::TvError;
use crate::links::{InFlight, Link, SendRefusal};
use crate::wire::{BridgeCode, BridgeError, Command, IncomingFrame};

/// What is kept back of a caller's deadline to carry the answer home. Without it the caller would learn only that time is up.
const WAY_HOME: Duration = Duration::from_millis(250);

/// Shared by a TV's actor and the answers that it is working on. All of them run on the actor's thread.
pub(super) struct Lane {
    pub(super) context: TvContext,
    turns: Turns,
}

impl Lane {
    pub(super) fn new(context: TvContext) -> Rc<Self> {
        Rc::new(Self { context, turns: Turns::default() })
    }

    /// Takes a place in the line. To be done while the message is handled: that is what keeps commands in order.
    pub(super) fn line_up(&self) -> Place {
        self.turns.line_up()
    }

    /// Sends one command when its turn has come, lets the next in line write, and waits for the reply.
    pub(super) async fn ask(
        &self,
        place: Place,
        command: &Command,
        deadline: Deadline,
    ) -> Result<IncomingFrame, TvError> {
        let (link, in_flight) = {
            let _turn = self.turn(place, deadline).await?;
            self.write(command)?
        };
        self.reply(&link, in_flight, command, deadline).await
    }

    /// Waits for the turn, for commands that take several frames.
    pub(super) async fn turn(&self, place: Place, deadline: Deadline) -> Result<Turn, TvError> {
        let not_sent = || TvError::NotSent { tv: self.context.name() };
        match tokio::time::timeout(deadline.remaining().saturating_sub(WAY_HOME), place.reached()).await {
            Ok(turn) => turn.ok_or_else(not_sent),
            Err(_) => Err(not_sent()),
        }
    }

    /// Sends one command within a turn that the caller holds, and waits for the reply.
    pub(super) async fn ask_within_turn(
        &self,
        command: &Command,
        deadline: Deadline,
    ) -> Result<IncomingFrame, TvError> {
        let (link, in_flight) = self.write(command)?;
        self.reply(&link, in_flight, command, deadline).await
    }

    fn write(&self, command: &Command) -> Result<(Link, InFlight), TvError> {
        let link = self.context.link()?;
        let op = command.op();
        if link.lacks(op) {
            return Err(TvError::Refused { tv: self.context.name(), op, error: BridgeError::UnsupportedOp(op) });
        }
        match link.send_command(command) {
            Ok(in_flight) => Ok((link, in_flight)),
            Err(SendRefusal::Full) => Err(TvError::NotSent { tv: self.context.name() }),
            Err(SendRefusal::Closed) => Err(self.context.offline()),
        }
    }

    async fn reply(
        &self,
        link: &Link,
        mut in_flight: InFlight,
        command: &Command,
        deadline: Deadline,
    ) -> Result<IncomingFrame, TvError> {
        let (op, only_reads) = (command.op(), command.only_reads());
        let limit = op.time_limit().min(deadline.remaining().saturating_sub(WAY_HOME));
        let tv = || self.context.name();
        let reply = match tokio::time::timeout(limit, in_flight.reply()).await {
            Ok(Some(reply)) => reply,
            Ok(None) => return Err(TvError::LinkLost { tv: tv(), op, only_reads }),
            Err(_) => return Err(TvError::NoAnswer { tv: tv(), op, only_reads, waited_seconds: limit.as_secs() }),
        };
        if reply.ok {
            return Ok(reply);
        }
        let error = BridgeError::of(command, &reply);
        if error == BridgeError::UnsupportedOp(op) {
            link.note_lacking(op);
        }
        Err(TvError::Refused { tv: tv(), op, error })
    }
}

/// Whether the screen could not be read at that moment, which also happens while it is switching.
pub(super) fn is_worth_another_look(error: &TvError) -> bool {
    matches!(error, TvError::Refused { error: BridgeError::Code(BridgeCode::AccessibilityNotGranted), .. })
}
