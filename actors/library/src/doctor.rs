//! The Import Doctor: from what a service says of a stuck download to the cause and the call that heals it.
//!
//! The causes are data (`table`); the order in which they are looked for is one list of steps (`reading`). Both are pure: nothing is
//! asked for here. What a service says in words is a hint, since part of the words come in the language of its interface; where no words
//! are known, its state fields decide, so that a German or a French instance gets a right answer too, only a less exact one.
//!
//! Verdicts carry the evidence: which field said what, which words in it were recognised, and by which row of the table.

mod cause;
mod next;
mod prevention;
mod provenance;
mod reading;
mod symptoms;
mod table;
mod verdict;

#[cfg(test)]
mod tests;

pub use cause::{CauseCode, Severity, Verb};
pub use next::{NextCall, NextCalls, Patient, next_calls};
pub use prevention::{Prevention, preventions};
pub use provenance::{GrabSource, spare_the_owner, wants_provenance};
pub use reading::{diagnose, from_rejections, wants_rejections};
pub use symptoms::{LibraryFile, MessageGroup, Symptoms};
pub use verdict::{Evidence, Verdict};
