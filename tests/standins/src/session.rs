//! One open socket: frames one at a time, in the order they arrive.

use std::{sync::Arc, time::Duration};

use futures_util::{FutureExt, SinkExt, StreamExt};
use tokio::{
    io::AsyncWriteExt,
    sync::{mpsc, watch},
    time::{Instant, sleep_until, timeout},
};
use tokio_tungstenite::tungstenite::{
    self, Message, Utf8Bytes,
    error::ProtocolError,
    protocol::{CloseFrame, frame::coding::CloseCode},
};

use crate::{
    dial::Socket,
    event::TvEvent,
    frame::{self, Command, RecentIds},
    life::Order,
    misbehaviour::{Act, Manner},
    shared::Shared,
    violation::{Violation, is_close_code_allowed},
};

/// How a session ended, and with it what the TV does next.
pub(crate) enum End {
    /// Dropped or closed by the relay: dial again after a while.
    Lost,
    /// Closed by the TV, which stays away.
    Away,
    /// Closed by the TV, which goes on at once: it has forgotten its token and wants a new code.
    Again,
    /// Still open; a second socket is to be dialled beside it.
    LeftOpen(Box<Session>),
}

pub(crate) struct Session {
    socket: Socket,
    shared: Arc<Shared>,
    manner: watch::Receiver<Manner>,
    ids: RecentIds,
    /// The operation in work. Nothing is read meanwhile: the app works on its reader thread.
    busy: Option<(Instant, Command)>,
    /// The answer that waits for the next frame ([`Manner::OneLate`]).
    held: Option<Message>,
}

/// How long a closing handshake may take before the socket is simply dropped.
const CLOSING: Duration = Duration::from_secs(1);

impl Session {
    pub(crate) fn new(socket: Socket, shared: Arc<Shared>) -> Self {
        let manner = shared.manner.subscribe();
        Self { socket, shared, manner, ids: RecentIds::default(), busy: None, held: None }
    }

    /// Serves until the socket ends. When the handle is gone the socket is dropped.
    pub(crate) async fn serve(mut self, orders: &mut mpsc::Receiver<Order>) -> End {
        loop {
            let work_done = self.busy.as_ref().map(|(until, _)| *until);
            let reads = work_done.is_none() && *self.manner.borrow_and_update() != Manner::HalfOpen;
            tokio::select! {
                order = orders.recv() => {
                    let Some(order) = order else { return self.lost("the stand-in was dropped") };
                    match self.obey(&order.act).await {
                        None => order.confirm(Ok(())),
                        Some(end) => {
                            // Confirmed after the state is settled, so that whoever asked may look at once.
                            let end = self.end_with(end);
                            order.confirm(Ok(()));
                            return end;
                        }
                    }
                }
                () = sleep_until(work_done.unwrap_or_else(Instant::now)), if work_done.is_some() => {
                    if let Some((_, command)) = self.busy.take()
                        && let Err(error) = self.finish(&command).await
                    {
                        return self.lost(error);
                    }
                }
                frame = self.socket.next(), if reads => {
                    if self.take(frame).await.is_some() {
                        return End::Lost;
                    }
                }
                _ = self.manner.changed() => {}
            }
        }
    }

    fn lost(&self, cause: impl Into<Box<dyn std::error::Error>>) -> End {
        self.shared.note(TvEvent::Dropped { cause: cause.into().to_string() });
        End::Lost
    }

    /// Takes what came off the socket. `Some` when that was its end.
    async fn take(&mut self, frame: Option<tungstenite::Result<Message>>) -> Option<()> {
        match frame {
            Some(Ok(Message::Text(text))) => self.accept(&text),
            Some(Ok(Message::Binary(bytes))) => {
                self.violated(Violation::BinaryFrame { n_bytes: bytes.len() });
                self.accept(&String::from_utf8_lossy(&bytes));
            }
            // The library answers with a pong by itself, as OkHttp does.
            Some(Ok(Message::Ping(_))) => self.shared.note(TvEvent::Pinged),
            Some(Ok(Message::Pong(_) | Message::Frame(_))) => {}
            Some(Ok(Message::Close(close))) => {
                let event = self.echo_close(close).await;
                self.shared.note(event);
                return Some(());
            }
            Some(Err(error)) => {
                match &error {
                    tungstenite::Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => {}
                    tungstenite::Error::Protocol(breach) => self.violated(Violation::Protocol(breach.to_string())),
                    tungstenite::Error::Utf8(breach) => self.violated(Violation::Protocol(breach.clone())),
                    _ => {}
                }
                self.lost(error);
                return Some(());
            }
            None => {
                self.lost("the connection ended");
                return Some(());
            }
        }
        None
    }

    fn accept(&mut self, text: &str) {
        let mut violations = Vec::new();
        let command = frame::read(text, &mut violations);
        if let Some(command) = command {
            if !self.ids.add(&command.id) {
                violations.push(Violation::RepeatedId { id: command.id.clone() });
            }
            self.shared.note(TvEvent::Asked(command.clone()));
            let time = self.shared.read(|state| state.op_times.of(&command.op));
            self.busy = Some((Instant::now() + time, command));
        }
        for violation in violations {
            self.violated(violation);
        }
    }

    fn violated(&self, violation: Violation) {
        self.shared.note(TvEvent::Violated(violation));
    }

    async fn finish(&mut self, command: &Command) -> tungstenite::Result<()> {
        let answer = self.shared.perform(command);
        let manner = *self.manner.borrow();
        let messages = manner.messages(&command.id, &answer, &mut self.held);
        let spoke = !messages.is_empty();
        for message in messages {
            self.socket.send(message).await?;
        }
        if spoke {
            let (id, op) = (command.id.clone(), command.op.clone());
            self.shared.note(TvEvent::Answered { id, op, ok: answer.ok, message: answer.message });
        }
        Ok(())
    }

    /// Answers the relay's close as the app does through OkHttp: the same code again, unless OkHttp throws at it.
    async fn echo_close(&mut self, close: Option<CloseFrame>) -> TvEvent {
        let refused = |cause: &str| TvEvent::Dropped { cause: cause.to_owned() };
        let Some(CloseFrame { code, reason }) = close else {
            self.violated(Violation::CloseWithoutCode);
            return refused("closed without a code");
        };
        let code = u16::from(code);
        // What the library itself refuses it hands on as 1002 with this reason.
        let swallowed = code == u16::from(CloseCode::Protocol) && reason == "Protocol violation";
        if swallowed || !is_close_code_allowed(code) {
            self.violated(Violation::ForbiddenCloseCode { code: Some(code).filter(|_| !swallowed) });
            return refused("closed with a reserved code");
        }
        // The library has the echo ready; OkHttp too lets go of the connection as soon as it is written.
        let _ = timeout(CLOSING, self.socket.flush()).await;
        TvEvent::ClosedByRelay { code, reason: reason.to_string() }
    }

    /// Does one act. `Some` when the session is over by it.
    async fn obey(&mut self, act: &Act) -> Option<Leave> {
        match act {
            Act::SendText(text) => self.send(Message::text(text.as_str())).await,
            Act::SendBinary(bytes) => self.send(Message::binary(bytes.clone())).await,
            Act::Oversized { n_bytes } => self.send(Message::text("x".repeat(*n_bytes))).await,
            Act::Flood { n_frames } => self.flood(*n_frames).await,
            Act::CutMidFrame => {
                // A masked text frame of 1,024 bytes, of which 512 arrive.
                let mut half = vec![0x81, 0x80 | 126, 0x04, 0x00, 0, 0, 0, 0];
                half.resize(half.len() + 512, b'{');
                let _ = self.socket.get_mut().write_all(&half).await;
                Some(Leave::Cut)
            }
            Act::Cut => Some(Leave::Cut),
            Act::Vanish => Some(Leave::Vanish),
            Act::OpenSecondSocket => Some(Leave::Open),
            Act::SwitchOff => {
                self.close("service unbound").await;
                Some(Leave::SwitchedOff)
            }
            Act::Reset => {
                self.close("repairing").await;
                Some(Leave::Reset)
            }
            Act::SwitchOn => None,
        }
    }

    /// Errors are left to the next read, which says more about the end of the socket.
    async fn send(&mut self, message: Message) -> Option<Leave> {
        let _ = self.socket.send(message).await;
        None
    }

    async fn flood(&mut self, n_frames: usize) -> Option<Leave> {
        for n in 0..n_frames {
            if self.socket.send(Message::text(format!(r#"{{"id":"flood-{n}","ok":true}}"#))).await.is_err() {
                break;
            }
            // A close must be read before the relay's reset wipes it from the receive buffer.
            if let Some(frame) = self.socket.next().now_or_never()
                && self.take(frame).await.is_some()
            {
                return Some(Leave::Ended);
            }
        }
        None
    }

    async fn close(&mut self, reason: &'static str) {
        let frame = CloseFrame { code: CloseCode::Normal, reason: Utf8Bytes::from_static(reason) };
        let _ = self.socket.close(Some(frame)).await;
        let until_closed = async {
            while let Some(Ok(message)) = self.socket.next().await {
                if message.is_close() {
                    break;
                }
            }
        };
        let _ = timeout(CLOSING, until_closed).await;
        self.shared.note(TvEvent::ClosedByTv { reason: reason.to_owned() });
    }

    fn end_with(self, leave: Leave) -> End {
        match leave {
            Leave::Ended => End::Lost,
            Leave::Cut => self.lost("cut on demand"),
            Leave::Vanish => {
                self.lost("vanished on demand");
                End::Away
            }
            Leave::SwitchedOff => End::Away,
            Leave::Reset => {
                self.shared.change(|state| state.pairing = None);
                End::Again
            }
            Leave::Open => End::LeftOpen(Box::new(self)),
        }
    }

    /// The fate of a socket that was left open beside a newer one: it answers nothing and waits for its end.
    pub(crate) async fn read_on(mut self) {
        let (code, reason) = loop {
            match self.socket.next().await {
                Some(Ok(Message::Close(close))) => match self.echo_close(close).await {
                    TvEvent::ClosedByRelay { code, reason } => break (Some(code), reason),
                    _ => break (None, String::new()),
                },
                Some(Ok(_)) => {}
                Some(Err(_)) | None => break (None, String::new()),
            }
        };
        self.shared.note(TvEvent::OldSocketEnded { code, reason });
    }
}

/// How an act leaves the socket.
#[derive(Clone, Copy)]
enum Leave {
    /// It had ended before; the event is noted.
    Ended,
    Cut,
    Vanish,
    SwitchedOff,
    Reset,
    Open,
}
