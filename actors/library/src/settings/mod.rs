//! Quality profiles and custom formats: read as they are stored, changed narrowly, compared exactly.
//!
//! An arr has no compare-and-swap and a PUT replaces the whole object. So a change is worked out against what is stored
//! ([`PrepareProfileChange`], [`PrepareFormat`]), worked out once more right before it is sent and refused when anything differs, sent once
//! ([`PutProfile`], [`SendFormat`]), and read back ([`ConfirmProfile`], [`ConfirmFormat`]). Each step is a message to the instance's
//! [`ArrActor`](crate::ArrActor); who asks for them in which order, and writes down what was done, is the proposals wing.
//!
//! Profiles and formats hold no credentials. Nothing of the way they are shown here may be used for indexers, download clients, notifications or
//! import lists.

mod digest;
mod frame;
mod json_text;
mod messages;

pub use digest::Digest;
pub use json_text::{JsonText, NotJson};
pub use messages::*;
