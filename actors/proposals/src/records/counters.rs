//! The next numbers of a house.

use playhouse_store::Record;
use serde::{Deserialize, Serialize};

/// The next numbers of a house's proposals, changes and events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counters {
    pub(crate) next_proposal: u64,
    pub(crate) next_change: u64,
    pub(crate) next_event: u64,
}

impl Default for Counters {
    fn default() -> Self {
        Self { next_proposal: 1, next_change: 1, next_event: 1 }
    }
}

impl Record for Counters {
    const FORMAT: u16 = 1;
    const KIND: &'static str = "proposal_counters";
}
