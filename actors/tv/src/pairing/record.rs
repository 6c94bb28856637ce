//! What is kept of a TV that waits to be claimed.

use jiff::Timestamp;
use playhouse_bus::HouseId;
use playhouse_house::{Credential, CredentialId, TvId};
use playhouse_store::{Key, KnownKind, Path, Record};
use serde::{Deserialize, Serialize};

use crate::code::PairingCode;

/// Where the instance keeps pairings.
const PAIRINGS: Path = Path::literal("pairing");

/// A TV that waits to be claimed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PairingRecord {
    /// The code on its screen.
    pub(super) code: PairingCode,
    /// The id it will have, unless it is an old TV that is paired again.
    pub(super) tv: TvId,
    /// The token its app has: its hash only.
    pub(super) bridge: Credential,
    /// When it was begun.
    pub(super) begun_at: Timestamp,
    /// The house that a claim was about to put it into. Whether it did is what that house's credentials say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) claiming: Option<HouseId>,
}

impl Record for PairingRecord {
    const FORMAT: u16 = 1;
    const KIND: &'static str = "pairing";
}

/// The records of this file, for the store to check at its start.
pub(crate) const KNOWN_KINDS: [KnownKind; 1] = [KnownKind::of::<PairingRecord>()];

/// The key of everything that waits.
pub(super) fn pairings_key() -> Key {
    Key::new(HouseId::INSTANCE, PAIRINGS)
}

/// Where the pairing of the bridge token `id` lies.
pub(super) fn pairing_path(id: CredentialId) -> Path {
    PAIRINGS.join(id).expect("an id is ten letters and digits, which is a segment")
}
