//! What every library tool answers with: how it ended, which libraries it read, and what an empty answer does and does not rule out.

mod absence;
mod code;
mod envelope;
mod failure;
mod scope;
mod size;
mod unfinished;

pub use absence::Absence;
pub use code::Code;
pub use envelope::{Envelope, Library, LibraryState, Outcome, Verification, VerificationKind};
pub use failure::ArrFailure;
pub use scope::Scope;
pub use size::Size;
pub use unfinished::Unfinished;
