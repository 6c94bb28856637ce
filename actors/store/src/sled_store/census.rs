//! Counts what is stored, so that a row the database has lost is missed.
//!
//! When bytes of its file go bad, sled may take them for a write that was cut by a crash and drop what lies there, or
//! everything after it, without a word. Check sums on rows do not show a row that is gone. So each round writes, in the
//! same batch, how many rows there are and the sum of their check sums; the scan at the next start must come to the
//! same.

use bytes::{Buf, BufMut, Bytes};

use crate::{StoreError, rows};

/// What is stored, in three numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Census {
    /// Rounds written since the database was made; compared with the [witness](super::witness).
    pub(crate) n_rounds: u64,
    /// Rows that are there, marks not counted.
    n_rows: u64,
    /// Sum of the rows' check sums, wrapping. It changes when one row is replaced by an older or other one.
    sum: u64,
}

impl Census {
    /// The stored census; `None` when there is none.
    pub(crate) fn read(tree: &sled::Tree) -> Result<Option<Census>, StoreError> {
        let key = rows::census_key();
        let row = tree.get(&key).map_err(|error| StoreError::Unavailable { cause: error.to_string() })?;
        row.map(|row| Self::parse(&key, rows::verify(&key, &row)?)).transpose()
    }

    fn parse(key: &[u8], mut payload: &[u8]) -> Result<Census, StoreError> {
        let mut number = || payload.try_get_u64().map_err(|_| rows::damaged(key));
        Ok(Census { n_rounds: number()?, n_rows: number()?, sum: number()? })
    }

    /// The row to store in the batch of the changes it counts.
    pub(crate) fn row(&self) -> (Vec<u8>, Bytes) {
        let mut payload = Vec::with_capacity(24);
        payload.put_u64(self.n_rounds);
        payload.put_u64(self.n_rows);
        payload.put_u64(self.sum);
        let key = rows::census_key();
        let row = rows::seal(&key, &payload);
        (key, row)
    }

    /// Counts a row that comes in.
    pub(crate) fn count_in(&mut self, row: &[u8]) {
        self.n_rows = self.n_rows.wrapping_add(1);
        self.sum = self.sum.wrapping_add(rows::sum_of(row));
    }

    /// Counts a row that goes out.
    pub(crate) fn count_out(&mut self, row: &[u8]) {
        self.n_rows = self.n_rows.wrapping_sub(1);
        self.sum = self.sum.wrapping_sub(rows::sum_of(row));
    }

    /// Whether the same rows are there, whenever they were written.
    pub(crate) fn has_same_rows(&self, other: &Census) -> bool {
        (self.n_rows, self.sum) == (other.n_rows, other.sum)
    }
}
