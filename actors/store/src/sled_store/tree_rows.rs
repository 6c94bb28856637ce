//! Rows in a sled tree.

use bytes::Bytes;

use crate::{
    StoreError,
    rows::{Rows, Visit},
};

pub(crate) struct TreeRows<'a>(pub(crate) &'a sled::Tree);

impl Rows for TreeRows<'_> {
    fn row(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        match self.0.get(key) {
            Ok(row) => Ok(row.map(|row| Bytes::copy_from_slice(&row))),
            Err(error) => Err(unavailable(&error)),
        }
    }

    fn rows_from(&self, start: &[u8], visit: Visit<'_>) -> Result<(), StoreError> {
        for row in self.0.range(start..) {
            let (key, row) = row.map_err(|error| unavailable(&error))?;
            if visit(&key, &row).is_break() {
                break;
            }
        }
        Ok(())
    }
}

fn unavailable(error: &sled::Error) -> StoreError {
    StoreError::Unavailable { cause: format!("the database cannot be read: {error}") }
}
