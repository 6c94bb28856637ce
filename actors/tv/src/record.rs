//! What is kept of a TV.

use jiff::Timestamp;
use playhouse_bus::HouseId;
use playhouse_house::{CredentialId, TvId};
use playhouse_store::{Key, KnownKind, Path, Record};
use serde::{Deserialize, Serialize};

use crate::name::DeviceName;

/// Where a house keeps its TVs.
pub(crate) const TVS: Path = Path::literal("tv");
/// Where a house keeps when its TVs were last there. Apart from [`TVS`], because it is written by another actor and far more often.
const SEEN: Path = Path::literal("tv_seen");

/// A paired TV.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TvRecord {
    /// Its name within the house.
    pub name: DeviceName,
    /// The token its bridge app dials in with. Another one after the TV was paired again.
    pub bridge: CredentialId,
    /// When it was first paired.
    pub paired_at: Timestamp,
}

impl Record for TvRecord {
    const FORMAT: u16 = 1;
    const KIND: &'static str = "tv";
}

/// When a TV was last there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SeenRecord {
    /// The last moment it was known to be connected.
    pub(crate) at: Timestamp,
}

impl Record for SeenRecord {
    const FORMAT: u16 = 1;
    const KIND: &'static str = "tv_seen";
}

/// The records of this file, for the store to check at its start.
pub(crate) const KNOWN_KINDS: [KnownKind; 2] = [KnownKind::of::<TvRecord>(), KnownKind::of::<SeenRecord>()];

/// The key of a TV's record.
pub(crate) fn tv_key(house: HouseId, tv: TvId) -> Key {
    Key::new(house, beneath(&TVS, tv))
}

/// The key of the record of when a TV was last there.
pub(crate) fn seen_key(house: HouseId, tv: TvId) -> Key {
    Key::new(house, beneath(&SEEN, tv))
}

/// The TV whose record lies at `path`.
pub(crate) fn tv_of_path(path: &Path) -> Option<TvId> {
    path.last()?.parse().ok()
}

fn beneath(folder: &Path, tv: TvId) -> Path {
    folder.join(tv).expect("a UUID is a segment of 36 characters")
}
