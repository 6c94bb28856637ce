//! Reading and writing records by their type.

use crate::{Expect, Key, Op, Path, Record, RecordError, Store, StoreError, Version, decode, encode};

/// The operation that stores `record`, for [`Store::commit`].
pub fn put<R: Record>(path: Path, record: &R, expect: Expect) -> Result<Op, RecordError> {
    Ok(Op::put(path, encode(record)?, expect))
}

/// Reads one record with its version; `None` when it is absent.
pub async fn read<R: Record>(store: &dyn Store, key: &Key) -> Result<Option<(R, Version)>, StoreError> {
    let Some(found) = store.get(key).await? else { return Ok(None) };
    let record = decode(&found.value).map_err(|error| StoreError::Record { key: key.clone(), error })?;
    Ok(Some((record, found.version)))
}

/// Reads all records beneath `prefix`, ordered by path, page by page. All of them must be of the one kind.
///
/// For what is known to be few (the TVs of a house, its keys). Records written meanwhile may or may not be among them.
pub async fn scan_all<R: Record>(store: &dyn Store, prefix: &Key) -> Result<Vec<(Key, R, Version)>, StoreError> {
    let mut records = Vec::new();
    let mut after: Option<Key> = None;
    loop {
        let page = store.scan(prefix, after.as_ref(), crate::MAX_PAGE_ENTRIES).await?;
        after = page.entries.last().map(|(key, _)| key.clone());
        for (key, found) in page.entries {
            match decode(&found.value) {
                Ok(record) => records.push((key, record, found.version)),
                Err(error) => return Err(StoreError::Record { key, error }),
            }
        }
        if !page.more {
            return Ok(records);
        }
    }
}
