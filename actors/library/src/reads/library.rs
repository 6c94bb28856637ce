//! What a library holds.
//!
//! Pure rules: which records a filter keeps, and what is said of each. Whole libraries are read while they come, and no more of them is kept
//! than the rows that are shown.

mod read;
mod row;
#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use read::{ReadLibrary, Shelf};
pub use row::{LibraryRow, RowState};

use row::Standing;

/// Most rows that an answer shows.
pub(crate) const MAX_ROWS: usize = 50;

crate::words::words! {
    /// Which records are kept.
    #[derive(Default)]
    pub enum LibraryFilter {
        /// All of them.
        #[default]
        All = "all",
        /// Monitored ones that lack a file that could be there.
        Missing = "missing",
        /// Ones that are not looked for.
        Unmonitored = "unmonitored",
    }
}

/// What a library holds, as far as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct LibraryRows {
    /// Records that were read, whatever the filter.
    pub total: usize,
    /// Records that filter and query keep.
    pub matching: usize,
    /// The first of them, in the service's own order.
    pub items: Vec<LibraryRow>,
    /// Records that could not be read; they are counted nowhere else.
    pub n_skipped: usize,
}

/// Keeps rows while records come.
#[derive(Debug)]
pub(crate) struct Keeper {
    filter: LibraryFilter,
    /// In lower case; empty keeps all.
    query: String,
    rows: LibraryRows,
}

impl Keeper {
    pub(crate) fn new(filter: LibraryFilter, query: &str) -> Self {
        Self { filter, query: query.trim().to_lowercase(), rows: LibraryRows::default() }
    }

    /// Takes one record. Its row is made only when it is shown.
    pub(crate) fn take(&mut self, title: &str, standing: Standing, row: impl FnOnce() -> LibraryRow) {
        self.rows.total += 1;
        if !standing.is_kept_by(self.filter) || !self.matches(title) {
            return;
        }
        self.rows.matching += 1;
        if self.rows.items.len() < MAX_ROWS {
            self.rows.items.push(row());
        }
    }

    /// Counts a record that is none: without an id it is not one of this library's.
    pub(crate) fn skip(&mut self) {
        self.rows.n_skipped += 1;
    }

    pub(crate) fn finish(mut self, n_skipped: usize) -> LibraryRows {
        self.rows.n_skipped += n_skipped;
        self.rows
    }

    fn matches(&self, title: &str) -> bool {
        self.query.is_empty() || title.to_lowercase().contains(&self.query)
    }
}
