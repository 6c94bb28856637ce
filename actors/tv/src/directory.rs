//! The names of every house's TVs in memory, so that no call looks at the disk to find the TV it means.
//!
//! The store is the truth. The directory is filled from it before the doors open, and changed by the house's
//! [`DevicesActor`](crate::DevicesActor) after it committed a change and before it answers.

use std::sync::Arc;

use dashmap::DashMap;
use jiff::Timestamp;
use playhouse_bus::HouseId;
use playhouse_house::{Caller, Principal, TvGrant, TvId};
use playhouse_store::{Key, Store, StoreError, scan_all};

use crate::name::DeviceName;
use crate::record::{TVS, TvRecord, tv_of_path};

/// A TV as the directory knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairedTv {
    /// Its name within the house.
    pub name: DeviceName,
    /// Its id, which stays when it is renamed or paired again.
    pub id: TvId,
    /// When it was first paired.
    pub paired_at: Timestamp,
}

/// The TVs of a house, sorted by name.
pub type HouseTvs = Arc<[PairedTv]>;

/// Names of the TVs of all houses. Cheap to clone; all clones are one directory.
#[derive(Clone, Default)]
pub struct TvDirectory {
    houses: Arc<DashMap<HouseId, HouseTvs>>,
}

/// How many houses are asked for at a time while loading.
const PAGE: u32 = 500;

impl TvDirectory {
    /// An empty directory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Fills the directory from the store; answers how many TVs there are.
    ///
    /// # Errors
    /// What the store says; the directory is then incomplete and the process must not serve.
    pub async fn load(&self, store: &dyn Store) -> Result<usize, StoreError> {
        let mut n_tvs = 0;
        let mut after = None;
        loop {
            let houses = store.partitions(after, PAGE).await?;
            for house in &houses {
                n_tvs += self.load_house(store, *house).await?;
            }
            match houses.last() {
                Some(last) => after = Some(*last),
                None => return Ok(n_tvs),
            }
        }
    }

    /// Reads one house anew, as after an import; answers how many TVs it has.
    ///
    /// # Errors
    /// What the store says; the house's names are then as they were.
    pub async fn load_house(&self, store: &dyn Store, house: HouseId) -> Result<usize, StoreError> {
        let records = scan_all::<TvRecord>(store, &Key::new(house, TVS)).await?;
        let tvs = records.into_iter().filter_map(|(key, record, _)| {
            Some(PairedTv { name: record.name, id: tv_of_path(&key.path)?, paired_at: record.paired_at })
        });
        let n_tvs = self.set(house, tvs.collect());
        Ok(n_tvs)
    }

    /// The TVs of a house.
    pub fn of(&self, house: HouseId) -> HouseTvs {
        self.houses.get(&house).map(|tvs| Arc::clone(&tvs)).unwrap_or_default()
    }

    /// The TVs of its house that `principal` reaches, sorted by name.
    pub fn reached_by(&self, principal: &Principal) -> HouseTvs {
        let tvs = self.of(principal.house);
        match &principal.caller {
            Caller::Key { tvs: TvGrant::All, .. } => tvs,
            _ => tvs.iter().filter(|tv| principal.reaches(tv.id)).cloned().collect(),
        }
    }

    /// The TV of that name.
    pub fn find(&self, house: HouseId, name: &str) -> Option<PairedTv> {
        let tvs = self.of(house);
        let at = tvs.binary_search_by(|tv| tv.name.as_str().cmp(name)).ok()?;
        Some(tvs[at].clone())
    }

    /// The TV with that id.
    pub fn get(&self, house: HouseId, id: TvId) -> Option<PairedTv> {
        self.of(house).iter().find(|tv| tv.id == id).cloned()
    }

    /// Enters `tv`, or replaces what is known of it.
    pub(crate) fn put(&self, house: HouseId, tv: PairedTv) {
        let mut tvs: Vec<PairedTv> = self.of(house).iter().filter(|other| other.id != tv.id).cloned().collect();
        tvs.push(tv);
        self.set(house, tvs);
    }

    /// Forgets a TV.
    pub(crate) fn remove(&self, house: HouseId, id: TvId) {
        let tvs = self.of(house);
        self.set(house, tvs.iter().filter(|tv| tv.id != id).cloned().collect());
    }

    fn set(&self, house: HouseId, mut tvs: Vec<PairedTv>) -> usize {
        tvs.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        let n_tvs = tvs.len();
        if tvs.is_empty() {
            self.houses.remove(&house);
        } else {
            self.houses.insert(house, tvs.into());
        }
        n_tvs
    }
}
