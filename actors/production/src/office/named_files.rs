//! Which files records name, so that the others can be swept.

use std::collections::HashSet;

use playhouse_store::{HouseId, Key, MAX_PAGE_ENTRIES, Path, Store, StoreError, decode};

use super::layout::{OFFICE, STAGED};
use crate::media::ContentHash;
use crate::model::Media;

/// Houses that are asked for at a time.
const PAGE: u32 = 500;

/// The hashes of the files that some record of some house names, and that were not purged. Read from the store in pages, not from the
/// offices: most of them are not in memory and need not be for this.
///
/// # Errors
/// What the store says. The list is no list then: nothing may be removed for not being on it.
pub(crate) async fn named_files(store: &dyn Store) -> Result<HashSet<ContentHash>, StoreError> {
    let media = OFFICE.join("media")?;
    let (mut named, mut after) = (HashSet::new(), None);
    loop {
        let houses = store.partitions(after, PAGE).await?;
        let Some(last) = houses.last() else { return Ok(named) };
        after = Some(*last);
        for house in houses {
            // First what a large change is about to put in its place: read the other way round, a record that moves meanwhile would be missed.
            add_named(store, house, &STAGED, &mut named).await?;
            add_named(store, house, &media, &mut named).await?;
        }
    }
}

/// Adds the files that records of media beneath `folder` name.
async fn add_named(
    store: &dyn Store,
    house: HouseId,
    folder: &Path,
    named: &mut HashSet<ContentHash>,
) -> Result<(), StoreError> {
    let folder = Key::new(house, folder.clone());
    let mut after: Option<Key> = None;
    loop {
        let page = store.scan(&folder, after.as_ref(), MAX_PAGE_ENTRIES).await?;
        after = page.entries.last().map(|(key, _)| key.clone());
        for (key, found) in page.entries {
            let path = key.path.as_str();
            if !path.starts_with("office/media/") && !path.contains("/put/office/media/") {
                continue;
            }
            let media: Media = decode(&found.value).map_err(|error| StoreError::Record { key, error })?;
            if let (false, Ok(hash)) = (media.purged, media.sha256.parse()) {
                named.insert(hash);
            }
        }
        if !page.more {
            return Ok(());
        }
    }
}
