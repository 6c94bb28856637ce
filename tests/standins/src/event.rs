//! What happened to a television, in order: for the demo to print and tests to wait for.

use crate::{frame::Command, violation::Violation};

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TvEvent {
    /// `POST /pair/init` was answered with something else than a code and a token. The app shows status and body as they are.
    PairingRefused {
        /// The HTTP status.
        status: u16,
        /// The raw body, as the TV's error screen shows it.
        body: String,
    },
    /// `POST /pair/init` got no answer.
    PairingFailed {
        /// Why, in the HTTP client's words.
        cause: String,
    },
    /// A code is on the screen.
    CodeShown {
        /// The digits, as the relay wrote them.
        code: String,
    },
    /// `GET /bridge` was answered with something else than 101.
    DialRefused {
        /// The HTTP status.
        status: u16,
        /// The raw body.
        body: String,
    },
    /// `GET /bridge` got no HTTP answer.
    DialFailed {
        /// Why.
        cause: String,
    },
    /// The socket is open; the code left the screen.
    Online,
    /// The relay pinged. The app answers with a pong and does nothing else.
    Pinged,
    /// An operation arrived.
    Asked(Command),
    /// An operation was answered.
    Answered {
        /// The command's id.
        id: String,
        /// Its operation.
        op: String,
        /// Whether it worked.
        ok: bool,
        /// The error code or text; empty when it worked.
        message: String,
    },
    /// The relay closed the socket, and the app echoed the code.
    ClosedByRelay {
        /// The close code.
        code: u16,
        /// The reason.
        reason: String,
    },
    /// The app closed the socket with code 1000.
    ClosedByTv {
        /// `service unbound` or `repairing`.
        reason: String,
    },
    /// The socket ended without a close, or with one that OkHttp cannot echo.
    Dropped {
        /// Why.
        cause: String,
    },
    /// A socket that was left open beside a newer one has ended.
    OldSocketEnded {
        /// The relay's close code; `None` when the connection was cut.
        code: Option<u16>,
        /// The relay's reason.
        reason: String,
    },
    /// The relay broke the contract.
    Violated(Violation),
}
