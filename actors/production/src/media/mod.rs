//! The files of submissions, kept by the hash of their bytes.
//!
//! ```text
//! <data>/media/incoming/upload-…        while a file comes in: hashed as it is written
//! <data>/media/<two digits>/<sha256>    once the office has taken it
//! ```
//!
//! Names never reach the disk, equal bytes are kept once, and a file that does not come in whole, or that the office does not take,
//! leaves nothing behind. What a crash leaves in `incoming` is swept at a later start. What it leaves between the move and the commit is
//! named by no record, so nobody sees it, and the same submission sent again finds its bytes there; after a day it is swept too.

mod content_type;
mod hash;
mod intake;
mod name;
mod placement;
mod source;
mod store;
mod submission;
mod sweep;
#[cfg(test)]
mod tests;

pub use content_type::content_type;
pub use hash::{ContentHash, NotAHash};
pub use intake::{Intake, Received};
pub use name::{FileName, FileNames, MAX_NAME_BYTES, NameFault};
pub use placement::Placement;
pub use source::{FileHead, InMemory, SourceFault, SubmissionHead, SubmissionSource};
pub use store::{FreeSpace, MediaError, MediaLimits, MediaSettings, MediaStore, free_space_of_disk};
pub use submission::{SubmissionDesk, SubmissionOrder};
pub use sweep::Sweep;
