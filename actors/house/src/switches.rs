//! Which tools a house has switched off, in memory, so that no call waits for the disk.

use std::collections::BTreeSet;
use std::sync::Arc;

use dashmap::DashMap;
use playhouse_bus::HouseId;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a house has switched off. Stored as a list of names; anything else is read as [`SwitchedOff::AllButReads`], so that a setting that
/// cannot be read lets nothing happen that it may have forbidden.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SwitchedOff {
    /// These tools, by listed name.
    Tools(BTreeSet<String>),
    /// Every tool that changes anything: the setting could not be read.
    AllButReads,
}

impl SwitchedOff {
    /// Whether a tool may not be called. `only_reads` says that it changes nothing.
    pub fn covers(&self, tool: &str, only_reads: bool) -> bool {
        match self {
            SwitchedOff::Tools(tools) => tools.contains(tool),
            SwitchedOff::AllButReads => !only_reads,
        }
    }

    /// Whether nothing is switched off.
    pub fn is_empty(&self) -> bool {
        matches!(self, SwitchedOff::Tools(tools) if tools.is_empty())
    }
}

impl Default for SwitchedOff {
    fn default() -> Self {
        SwitchedOff::Tools(BTreeSet::new())
    }
}

impl Serialize for SwitchedOff {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            SwitchedOff::Tools(tools) => tools.serialize(serializer),
            // Read back as what it is: renaming a house must not make a lost setting look like an empty one.
            SwitchedOff::AllButReads => serializer.serialize_unit(),
        }
    }
}

impl<'de> Deserialize<'de> for SwitchedOff {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Stored {
            Tools(BTreeSet<String>),
            Other(serde::de::IgnoredAny),
        }
        Ok(match Stored::deserialize(deserializer)? {
            Stored::Tools(tools) => SwitchedOff::Tools(tools),
            Stored::Other(_) => SwitchedOff::AllButReads,
        })
    }
}

/// What each house has switched off. Cheap to clone; all clones are one.
///
/// Filled from the store before the doors open, and changed by the house's actor after a commit and before its answer: a switch
/// bites on the very next call.
#[derive(Clone, Default)]
pub struct ToolSwitches {
    off: Arc<DashMap<HouseId, Arc<SwitchedOff>>>,
}

impl ToolSwitches {
    /// Nothing is switched off.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces what `house` has switched off.
    pub fn set(&self, house: HouseId, off: SwitchedOff) {
        if off.is_empty() {
            self.off.remove(&house);
        } else {
            self.off.insert(house, Arc::new(off));
        }
    }

    /// What `house` has switched off; `None` is the common case of nothing.
    pub fn off(&self, house: HouseId) -> Option<Arc<SwitchedOff>> {
        self.off.get(&house).map(|off| Arc::clone(&off))
    }

    /// Whether a tool of `house` may not be called now: who waited asks again before it writes. `only_reads` says that the tool changes
    /// nothing.
    pub fn is_off(&self, house: HouseId, tool: &str, only_reads: bool) -> bool {
        self.off.get(&house).is_some_and(|off| off.covers(tool, only_reads))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_cannot_be_read_switches_everything_off_but_reads() {
        for stored in ["null", "7", "{\"ring\":true}", "[1]", "\"ring\""] {
            let off: SwitchedOff = serde_json::from_str(stored).unwrap();
            assert_eq!(off, SwitchedOff::AllButReads, "{stored}");
            assert!(off.covers("ring", false) && !off.covers("look", true));
            let kept = serde_json::to_string(&off).unwrap();
            assert_eq!(serde_json::from_str::<SwitchedOff>(&kept).unwrap(), off);
        }
    }

    #[test]
    fn a_list_of_names_switches_off_these_tools_and_no_other() {
        let off: SwitchedOff = serde_json::from_str("[\"ring\"]").unwrap();
        assert!(off.covers("ring", true) && off.covers("ring", false) && !off.covers("chime", false));
        assert_eq!(serde_json::to_string(&off).unwrap(), "[\"ring\"]");
        assert!(serde_json::from_str::<SwitchedOff>("[]").unwrap().is_empty());
    }
}
