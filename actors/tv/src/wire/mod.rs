//! The wire protocol of the TV bridge app: one JSON text frame a command, one a reply.
//!
//! [`Command`] is what a TV can be asked, [`encode`] writes it as a frame, [`parse_frame`] reads what comes back and
//! [`payload`] gives the reply's inner JSON its types. Nothing here waits, sends or remembers.

mod command;
mod error;
mod frame;
mod lenient;
pub mod payload;
mod probe;

pub use command::{
    Command, Direction, Fraction, FractionFault, LanguageTag, LanguageTagFault, Level, LevelFault, LineFault,
    OnScreenLine, TypedText, TypedTextFault,
};
pub use error::{BridgeCode, BridgeError};
pub use frame::{FrameFault, IncomingFrame, MAX_FRAME_BYTES, encode, parse_frame};
pub use op::Op;
pub use probe::{is_probe_answer, probe_frame};

mod op;
