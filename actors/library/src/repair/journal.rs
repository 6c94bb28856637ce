//! What was done to downloads, written down before it is done.
//!
//! A removal cannot be taken back, and the service forgets what it removed. So each is recorded in the house's own partition first; where that
//! fails, nothing is sent.

use jiff::Timestamp;
use playhouse_bus::HouseId;
use playhouse_store::{IdemKey, KnownKind, LogId, Path, Record, SharedStore, encode};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Remedy;
use crate::answer::{Code, Unfinished};
use crate::instance::InstanceId;

/// The log of one instance.
#[derive(Clone)]
pub(crate) struct Journal {
    store: SharedStore,
    log: LogId,
}

/// What is about to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Intent {
    /// When.
    pub(super) at: Timestamp,
    /// To which row.
    pub(super) queue_id: i64,
    /// The release it is for.
    pub(super) release: String,
    /// What was asked for.
    pub(super) requested: Remedy,
    /// What is done.
    pub(super) effective: Remedy,
}

impl Record for Intent {
    const FORMAT: u16 = 1;
    const KIND: &'static str = "arr_intent";
}

/// What the journals hold, for the store to check at its start.
pub(crate) fn known_kind() -> KnownKind {
    KnownKind::of::<Intent>()
}

impl Journal {
    /// The log of `instance` in `house`.
    pub(crate) fn new(store: SharedStore, house: HouseId, instance: InstanceId) -> Self {
        let path = Path::literal("arr_journal").join(instance).expect("an instance's id is a segment of a path");
        Self { store, log: LogId::new(house, path) }
    }

    /// Writes `intent` down.
    ///
    /// # Errors
    /// [`Unfinished::NotStarted`] when it is not durable.
    pub(super) async fn record(&self, intent: &Intent) -> Result<(), Unfinished> {
        let not_recorded = |why: String| {
            tracing::error!(log = ?self.log, why, "a removal could not be recorded and was not begun");
            let words = "Nothing was sent: the record of what is about to be done could not be written. Try again, and tell the operator if it \
                         happens again.";
            Unfinished::not_started(Code::Busy, words)
        };
        let record = encode(intent).map_err(|error| not_recorded(error.to_string()))?;
        let appended = self.store.append(self.log.clone(), record, IdemKey::from(Uuid::now_v7()), None).await;
        appended.map(drop).map_err(|error| not_recorded(error.to_string()))
    }
}
