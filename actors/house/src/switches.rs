//! Which tools a house has switched off, in memory, so that no call waits for the disk.

use std::collections::BTreeSet;
use std::sync::Arc;

use dashmap::DashMap;
use playhouse_bus::HouseId;

/// The tools that each house has switched off. Cheap to clone; all clones are one.
///
/// Filled from the store before the doors open, and changed by the house's actor after a commit and before its answer: a switch
/// bites on the very next call.
#[derive(Clone, Default)]
pub struct ToolSwitches {
    off: Arc<DashMap<HouseId, Arc<BTreeSet<String>>>>,
}

impl ToolSwitches {
    /// Nothing is switched off.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces what `house` has switched off.
    pub fn set(&self, house: HouseId, tools: BTreeSet<String>) {
        if tools.is_empty() {
            self.off.remove(&house);
        } else {
            self.off.insert(house, Arc::new(tools));
        }
    }

    /// What `house` has switched off, by listed name; `None` is the common case of nothing.
    pub fn off(&self, house: HouseId) -> Option<Arc<BTreeSet<String>>> {
        self.off.get(&house).map(|tools| Arc::clone(&tools))
    }
}
