//! An event as it is kept.

use playhouse_store::Record;
use serde::{Deserialize, Serialize};

use crate::AdminEvent;

/// How many events a house keeps: a listener that was away longer reads the proposals instead.
pub(crate) const MAX_EVENTS: u64 = 1_000;

/// An event as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct EventRow(pub(crate) AdminEvent);

impl Record for EventRow {
    const FORMAT: u16 = 1;
    const KIND: &'static str = "admin_event";
}
