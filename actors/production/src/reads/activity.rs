//! What happened lately.

use std::sync::Arc;

use playhouse_house::Scope;

use super::id;
use crate::messages::{Document, OfficeRefusal, Reader};
use crate::model::{ActivityEntry, ActivityId};

/// Entries in one answer: at most, and unless asked otherwise.
const MOST_ENTRIES: i64 = 200;
const ENTRIES: i64 = 50;

/// Which part of the list is asked for, and by whom.
#[derive(Clone, Copy)]
pub(crate) struct ActivityPage {
    pub(crate) limit: usize,
    pub(crate) before: Option<ActivityId>,
    with_money: bool,
}

impl ActivityPage {
    /// Reads the parameters of `GET /activity`.
    ///
    /// # Errors
    /// 422 for a limit outside 1 to 200.
    pub(crate) fn of(reader: &Reader, limit: Option<i64>, before: Option<i64>) -> Result<Self, OfficeRefusal> {
        // Before what never was there is nothing: the first entry is number 1.
        let before = before.map(|before| id(before.clamp(1, u32::MAX.into())).unwrap_or(ActivityId(1)));
        Ok(Self { limit: self::limit(limit)?, before, with_money: reader.scopes.contains(Scope::ReadMoney) })
    }

    /// Whether the reader is shown an entry. Entries about orders go with the scope for money.
    pub(crate) fn shows(&self, entry: &ActivityEntry) -> bool {
        self.with_money || !entry.is_money()
    }
}

pub(super) fn limit(limit: Option<i64>) -> Result<usize, OfficeRefusal> {
    let limit = limit.unwrap_or(ENTRIES);
    let fits = (1..=MOST_ENTRIES).contains(&limit).then(|| usize::try_from(limit).ok()).flatten();
    fits.ok_or_else(|| OfficeRefusal::invalid(format!("limit must be between 1 and {MOST_ENTRIES}.")))
}

/// `GET /activity`: newest first.
pub(crate) fn document(entries: &[Arc<ActivityEntry>]) -> Result<Document, OfficeRefusal> {
    let entries: Vec<&ActivityEntry> = entries.iter().map(|entry| &**entry).collect();
    Document::of(&entries)
}
