//! The library tools, one file each: arguments, choice of the library, a message to its actor, the answer.

mod libraries;

pub(crate) use libraries::{Libraries, ask, ask_to_write};
