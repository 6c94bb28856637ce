//! Quality profiles: what may be changed in one, what the change makes of it, and whether it was kept.

mod catalogue;
mod compare;
mod confirm;
mod fields;
mod ground;
mod plan;
mod prepare;
mod put;
mod read;
mod rebuild;
mod restore;
mod stored;
mod summary;

pub(crate) use catalogue::quoted;
pub(super) use catalogue::{MAX_NAME_BYTES, refused};
pub(crate) use read::{ProfileList, ReadProfile, ReadProfiles, StoredObject};
pub(crate) use summary::ProfileSummary;

use catalogue::Languages;
use fields::{diff_bytes, differences, lines};
use ground::Ground;
use stored::Profile;
