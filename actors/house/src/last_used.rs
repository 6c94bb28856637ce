//! When keys were last used, written down without slowing a call.
//!
//! A use is noted in memory at once ([`KeyRing::check`]). The process calls [`write_last_used`] once a minute and at its end, so a crash
//! forgets a minute of uses at the most, and nothing that anybody relies on.

use std::collections::BTreeMap;

use jiff::Timestamp;
use playhouse_bus::HouseId;
use playhouse_store::{Expect, MAX_COMMIT_OPS, Path, Record, SharedStore, put};
use serde::{Deserialize, Serialize};

use crate::ids::CredentialId;
use crate::key_ring::{KeyRing, UsedVia};

/// Where a house keeps when its keys were used. Apart from the credentials, so that noting a use never conflicts with a revocation.
pub(crate) const KEY_USE: Path = Path::literal("key-use");

/// When and where one credential was last used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastUsed {
    /// Which credential.
    pub id: CredentialId,
    /// When, to the second.
    pub at: Timestamp,
    /// At which door.
    pub via: UsedVia,
}

impl Record for LastUsed {
    const FORMAT: u16 = 1;
    const KIND: &'static str = "key-use";
}

/// Writes down the uses noted since the last time. What could not be written is noted again for the next time.
pub async fn write_last_used(store: &SharedStore, key_ring: &KeyRing) {
    let mut by_house: BTreeMap<HouseId, Vec<LastUsed>> = BTreeMap::new();
    for (house, id, at, via) in key_ring.take_touched() {
        by_house.entry(house).or_default().push(LastUsed { id, at, via });
    }
    for (house, uses) in by_house {
        for some in uses.chunks(MAX_COMMIT_OPS) {
            if let Err(error) = write(store, house, some).await {
                tracing::warn!(%house, n_keys = some.len(), %error, "could not write when keys were last used; will try again");
                some.iter().for_each(|used| key_ring.touch_again(used.id));
            }
        }
    }
}

async fn write(store: &SharedStore, house: HouseId, uses: &[LastUsed]) -> Result<(), Box<dyn std::error::Error>> {
    let mut ops = Vec::with_capacity(uses.len());
    for used in uses {
        ops.push(put(KEY_USE.join(used.id)?, used, Expect::Any)?);
    }
    store.commit(house, ops, None).await?;
    Ok(())
}
