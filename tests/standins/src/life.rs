//! A television's life between its sockets: pair, poll, serve, wait, dial again, for ever.

use std::{ops::ControlFlow, sync::Arc, time::Duration};

use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, sleep_until},
};
use url::Url;

use crate::{
    app::Pacing,
    dial::{DialError, dial},
    event::TvEvent,
    misbehaviour::{Act, NotConnected},
    pairing::{StoredPairing, ask_for_code},
    session::{End, Session},
    shared::Shared,
};

/// An act asked for by the handle.
pub(crate) struct Order {
    pub(crate) act: Act,
    pub(crate) done: oneshot::Sender<Result<(), NotConnected>>,
}

impl Order {
    pub(crate) fn confirm(self, outcome: Result<(), NotConnected>) {
        // Whoever asked may have stopped waiting.
        let _ = self.done.send(outcome);
    }
}

pub(crate) struct Life {
    pub(crate) shared: Arc<Shared>,
    pub(crate) relay: Url,
    pub(crate) http: reqwest::Client,
    pub(crate) pacing: Pacing,
    pub(crate) orders: mpsc::Receiver<Order>,
}

/// What to do before the next attempt.
enum Next {
    Wait(Duration),
    GoOn,
    /// Stay away until switched on again.
    StayAway,
}

impl Life {
    /// Runs until the handle is gone.
    pub(crate) async fn live(mut self) {
        let mut n_failures = 0;
        loop {
            let next = match self.shared.read(|state| state.pairing.clone()) {
                None => self.pair(&mut n_failures).await,
                Some(pairing) => self.connect(&pairing, &mut n_failures).await,
            };
            let rest = match next {
                Next::Wait(wait) => self.rest(Some(Instant::now() + wait)).await,
                Next::StayAway => self.rest(None).await,
                Next::GoOn => ControlFlow::Continue(()),
            };
            if rest.is_break() {
                return;
            }
        }
    }

    async fn pair(&self, n_failures: &mut u32) -> Next {
        match ask_for_code(&self.http, &self.relay).await {
            Ok(pairing) => {
                *n_failures = 0;
                let code = pairing.code.clone().unwrap_or_default();
                self.shared.change(|state| state.pairing = Some(pairing));
                self.shared.note(TvEvent::CodeShown { code });
                Next::GoOn
            }
            Err(event) => {
                self.shared.note(event);
                let wait = self.pacing.pairing.after(*n_failures);
                *n_failures += 1;
                Next::Wait(wait)
            }
        }
    }

    async fn connect(&mut self, pairing: &StoredPairing, n_failures: &mut u32) -> Next {
        match dial(&self.relay, &pairing.token).await {
            Ok(socket) => {
                *n_failures = 0;
                self.shared.change(|state| {
                    if let Some(pairing) = &mut state.pairing {
                        pairing.code = None;
                    }
                });
                self.shared.note(TvEvent::Online);
                let session = Session::new(socket, Arc::clone(&self.shared));
                match session.serve(&mut self.orders).await {
                    End::Lost => self.wait_to_redial(n_failures),
                    End::Away => Next::StayAway,
                    End::Again => Next::GoOn,
                    End::LeftOpen(old) => {
                        tokio::spawn(old.read_on());
                        Next::GoOn
                    }
                }
            }
            Err(error) => {
                self.shared.note(match error {
                    DialError::Refused { status, body } => TvEvent::DialRefused { status, body },
                    DialError::Failed { cause } => TvEvent::DialFailed { cause },
                });
                // A code on the screen: somebody may be typing it right now.
                if pairing.code.is_some() { Next::Wait(self.pacing.poll) } else { self.wait_to_redial(n_failures) }
            }
        }
    }

    fn wait_to_redial(&self, n_failures: &mut u32) -> Next {
        let wait = self.pacing.redial.after(*n_failures);
        *n_failures += 1;
        Next::Wait(wait)
    }

    /// Rests until the time, or for ever, and obeys what needs no socket. Breaks when the handle is gone.
    async fn rest(&mut self, mut until: Option<Instant>) -> ControlFlow<()> {
        loop {
            let woken = async {
                match until {
                    Some(until) => sleep_until(until).await,
                    None => std::future::pending().await,
                }
            };
            let order = tokio::select! {
                () = woken => return ControlFlow::Continue(()),
                order = self.orders.recv() => order,
            };
            let Some(order) = order else { return ControlFlow::Break(()) };
            match order.act {
                Act::SwitchOn => {
                    order.confirm(Ok(()));
                    return ControlFlow::Continue(());
                }
                Act::Reset => {
                    self.shared.change(|state| state.pairing = None);
                    order.confirm(Ok(()));
                    return ControlFlow::Continue(());
                }
                Act::SwitchOff | Act::Vanish => {
                    until = None;
                    order.confirm(Ok(()));
                }
                _ => order.confirm(Err(NotConnected)),
            }
        }
    }
}
