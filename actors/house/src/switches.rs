//! Which tools a house has switched off: as it is kept, and in memory, so that no call waits for the disk.

use std::collections::BTreeSet;
use std::sync::Arc;

use dashmap::{DashMap, DashSet};
use playhouse_bus::HouseId;
use serde::{Deserialize, Deserializer, Serialize};

/// The tools that a house has switched off, as they stand in its record.
///
/// What cannot be read as a list of names is kept as it is and means: nobody knows, so everything that changes something is off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum DisabledTools {
    /// These, by listed name.
    Known(BTreeSet<String>),
    /// Something that is no list of names.
    Unreadable(serde_json::Value),
}

impl DisabledTools {
    /// Whether a record can leave them out.
    pub(crate) fn are_none(&self) -> bool {
        matches!(self, DisabledTools::Known(tools) if tools.is_empty())
    }

    /// The names; none where they cannot be read.
    pub fn names(self) -> BTreeSet<String> {
        match self {
            DisabledTools::Known(tools) => tools,
            DisabledTools::Unreadable(_) => BTreeSet::new(),
        }
    }
}

impl Default for DisabledTools {
    fn default() -> Self {
        DisabledTools::Known(BTreeSet::new())
    }
}

impl<'de> Deserialize<'de> for DisabledTools {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let kept = serde_json::Value::deserialize(deserializer)?;
        Ok(match BTreeSet::deserialize(&kept) {
            Ok(tools) => DisabledTools::Known(tools),
            Err(_) => DisabledTools::Unreadable(kept),
        })
    }
}

/// The tools that each house has switched off. Cheap to clone; all clones are one.
///
/// Filled from the store before the doors open, and changed by the house's actor after a commit and before its answer: a switch
/// bites on the very next call.
#[derive(Clone, Default)]
pub struct ToolSwitches {
    off: Arc<DashMap<HouseId, Arc<BTreeSet<String>>>>,
    /// The houses whose switches cannot be read.
    unreadable: Arc<DashSet<HouseId>>,
}

impl ToolSwitches {
    /// Nothing is switched off.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces what `house` has switched off.
    pub fn set(&self, house: HouseId, tools: BTreeSet<String>) {
        self.unreadable.remove(&house);
        if tools.is_empty() {
            self.off.remove(&house);
        } else {
            self.off.insert(house, Arc::new(tools));
        }
    }

    /// Takes over what stands in the record of `house`. What cannot be read switches everything off that changes something.
    pub fn take_over(&self, house: HouseId, tools: DisabledTools) {
        match tools {
            DisabledTools::Known(tools) => self.set(house, tools),
            DisabledTools::Unreadable(_) => {
                tracing::error!(%house, "a house's switched-off tools cannot be read, so all its tools that change something are off");
                self.off.remove(&house);
                self.unreadable.insert(house);
            }
        }
    }

    /// Whether nobody of `house` may call `tool`, given by its listed name; `only_reads` tells whether it changes nothing.
    pub fn forbid(&self, house: HouseId, tool: &str, only_reads: bool) -> bool {
        self.off.get(&house).is_some_and(|tools| tools.contains(tool)) || (!only_reads && self.are_unreadable(house))
    }

    /// Whether what `house` has switched off cannot be read; then all tools are off that change something.
    pub fn are_unreadable(&self, house: HouseId) -> bool {
        self.unreadable.contains(&house)
    }

    /// What `house` has switched off, by listed name; `None` is the common case of nothing.
    pub fn off(&self, house: HouseId) -> Option<Arc<BTreeSet<String>>> {
        self.off.get(&house).map(|tools| Arc::clone(&tools))
    }
}
