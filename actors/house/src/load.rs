//! Fills the key ring and the tool switches from the store before the doors open.

use playhouse_bus::HouseId;
use playhouse_store::{Key, Store, StoreError, read, scan_all};

use crate::account::{ACCOUNTS, Account};
use crate::credential::{CREDENTIALS, Credential};
use crate::engagement::{ENGAGEMENTS, EngagementStanding};
use crate::house::{HouseRecord, house_path};
use crate::ids::CredentialId;
use crate::key_ring::KeyRing;
use crate::last_used::{KEY_USE, LastUsed};
use crate::switches::ToolSwitches;

/// How many houses are asked for at a time.
const PAGE: u32 = 500;

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LoadReport {
    /// Houses, the operator's own not counted.
    pub n_houses: usize,
    /// Keys and tokens, revoked ones included.
    pub n_credentials: usize,
}

/// Puts every stored credential on the ring and sets every house's switches.
///
/// # Errors
/// What the store says; what is in memory is then incomplete and the process must not serve.
pub async fn load(store: &dyn Store, key_ring: &KeyRing, switches: &ToolSwitches) -> Result<LoadReport, StoreError> {
    let mut report = LoadReport::default();
    let mut after = None;
    loop {
        let houses = store.partitions(after, PAGE).await?;
        for house in &houses {
            report.n_credentials += load_house(store, key_ring, switches, *house).await?.len();
            report.n_houses += usize::from(*house != HouseId::INSTANCE);
        }
        match houses.last() {
            Some(last) => after = Some(*last),
            None => return Ok(report),
        }
    }
}

/// Puts the stored credentials of one house, its people and its engagements on the ring and sets its switches; answers which credentials
/// it has.
///
/// # Errors
/// What the store says.
pub async fn load_house(
    store: &dyn Store,
    key_ring: &KeyRing,
    switches: &ToolSwitches,
    house: HouseId,
) -> Result<Vec<CredentialId>, StoreError> {
    for (_, account, _) in scan_all::<Account>(store, &Key::new(house, ACCOUNTS)).await? {
        key_ring.set_role(house, account.id, account.role);
    }
    for (_, standing, _) in scan_all::<EngagementStanding>(store, &Key::new(house, ENGAGEMENTS)).await? {
        key_ring.set_engagement(house, standing);
    }
    let record = read::<HouseRecord>(store, &Key::new(house, house_path())).await?;
    switches.take_over(house, record.map(|(record, _)| record.disabled_tools).unwrap_or_default());
    let credentials = scan_all::<Credential>(store, &Key::new(house, CREDENTIALS)).await?;
    for (_, credential, _) in &credentials {
        key_ring.put(house, credential);
    }
    for (_, used, _) in scan_all::<LastUsed>(store, &Key::new(house, KEY_USE)).await? {
        key_ring.set_last_used(used.id, used.at);
    }
    Ok(credentials.iter().map(|(_, credential, _)| credential.id).collect())
}
