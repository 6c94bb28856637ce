//! A film production's office: what its people and vendors may read, and what they may change.
//!
//! [`model`] says what a production consists of. [`ProductionActor`] keeps it: the working set in memory ([`Office`]), every change in
//! the store before it is acknowledged. [`messages`] are what doors and tools send it, and what it answers: REST's own bodies, encoded
//! once. [`media`] keeps the files that come in, and [`tools`] are what assistants may call.

mod actor;
mod clamp;
pub mod import;
pub mod kestrel;
pub mod media;
pub mod messages;
pub mod model;
mod office;
mod reads;
#[cfg(test)]
mod testing;
pub mod tools;
mod writes;

pub use actor::{ProductionActor, ProductionServices};
pub use messages::{Document, OfficeRefusal, Question, Read, Reader, Writer, Written};
pub use office::{Changes, Index, Indexes, KNOWN_KINDS, Office, Reach, Table};
pub use reads::shapes;
pub use tools::add_tools;
