//! Quality profiles and custom formats: read as they are stored, changed narrowly, compared exactly.
//!
//! An arr has no compare-and-swap and a PUT replaces the whole object. So a change is worked out against what is stored
//! ([`PrepareProfileChange`], [`PrepareFormat`]), worked out once more right before it is sent, while the instance's lane for writes is held already
//! ([`HoldWrites`]), and refused when anything differs, sent once ([`PutProfile`], [`SendFormat`]), and read back ([`ConfirmProfile`], [`ConfirmFormat`]). Each step is a message to the instance's
//! [`ArrActor`](crate::ArrActor); who asks for them in which order, and writes down what was done, is the proposals wing.
//!
//! What an edit by somebody else between the last reading and the PUT holds is lost: no check can be nearer to the write than that, and the
//! service offers none.
//!
//! Of a write it is told what is known. A status of 300 to 499 proves that it was refused. A status of 500 or more, an answer that breaks off or
//! is longer than 4 MiB, and every way of losing the connection leave its outcome unknown, but for one: where the connection never came
//! about, nothing can have been sent, and that is told as not started.
//!
//! Profiles and formats hold no credentials. Nothing of the way they are shown here may be used for indexers, download clients, notifications or
//! import lists.

mod collection;
mod connection;
mod digest;
mod endings;
mod exact;
mod format;
mod hash;
mod json_text;
mod lease;
mod messages;
mod profile;

pub use digest::Digest;
pub use json_text::{JsonText, NotJson};
pub use lease::{HoldWrites, ReleaseWrites, WriteLease};
pub use messages::*;

pub(crate) use connection::digest_of;
pub(crate) use format::{ConditionSummary, FormatList, FormatSummary, ReadFormat, ReadFormats};
pub(crate) use profile::{ProfileList, ProfileSummary, ReadProfile, ReadProfiles, StoredObject, quoted};

/// Another's name, of a length that a list has room for.
fn shortened(name: &str) -> String {
    const MAX_CHARACTERS: usize = 256;
    match name.char_indices().nth(MAX_CHARACTERS) {
        Some((cut, _)) => format!("{}…", &name[..cut]),
        None => name.to_owned(),
    }
}
