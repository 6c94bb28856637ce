//! Files that are left behind: half-written ones of an earlier process, and whole ones that no record names.
//!
//! The second kind comes from a crash between the move and the record, and from a commit in doubt that turns out not to have happened. Which
//! files are named is read from the store while submissions go on coming in; a [`Sweep`] is begun before that, and from then on nothing
//! is removed that somebody brings.

use std::collections::HashSet;
use std::fs::DirEntry;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use playhouse_store::SharedStore;

use super::hash::ContentHash;
use super::placement::remove;
use super::store::MediaStore;
use crate::office::named_files;

/// How old a file is before a sweep takes it: nobody sends one file for a day.
const LEFT_BEHIND_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// A search for files that no record names. While it lasts, what is brought is noted.
pub struct Sweep {
    store: MediaStore,
}

impl MediaStore {
    /// Removes what an earlier process left half-written more than a day before `now`; answers how many files that were. A file that cannot
    /// be removed is told of in the log, and the others go all the same. Blocks.
    ///
    /// # Errors
    /// What the system says of the folder. Nothing depends on the sweep: log it and go on.
    pub fn sweep(&self, now: SystemTime) -> io::Result<usize> {
        count(&self.incoming(), |file| match is_left_behind(file, now)? {
            true => std::fs::remove_file(file.path()).map(|()| true),
            false => Ok(false),
        })
    }

    /// Begins a sweep. Read which files are named after this, not before.
    pub fn begin_sweep(&self) -> Sweep {
        self.places().lock().begin_sweep();
        Sweep { store: self.clone() }
    }

    /// Removes the files that no record of any house names and that have lain there for more than a day before `now`; answers how many. Where no
    /// record names any file, none is removed: the records may be what is missing, as in an empty store into which a backup is yet to be imported.
    ///
    /// # Errors
    /// In words for the log. Nothing depends on the sweep.
    pub async fn sweep_unnamed(&self, records: &SharedStore, now: SystemTime) -> Result<usize, String> {
        let sweep = self.begin_sweep();
        let named = named_files(&**records).await.map_err(|error| error.to_string())?;
        if named.is_empty() {
            return Ok(0);
        }
        let swept = tokio::task::spawn_blocking(move || sweep.remove_unnamed(&named, now)).await;
        swept.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
    }

    /// Removes the bytes with this hash at once, unless a record of any house names them or somebody is bringing them; answers whether there
    /// were any.
    ///
    /// # Errors
    /// In words for the operator.
    pub async fn remove_unless_named(&self, records: &SharedStore, hash: ContentHash) -> Result<bool, String> {
        let sweep = self.begin_sweep();
        let named = named_files(&**records).await.map_err(|error| error.to_string())?;
        if named.contains(&hash) {
            return Ok(false);
        }
        let removed = tokio::task::spawn_blocking(move || sweep.remove(hash)).await;
        removed.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
    }
}

impl Sweep {
    /// Removes the files that `named` does not name and that have lain there for more than a day before `now`; answers how many. One that
    /// cannot be removed is told of in the log, and the others go all the same. Blocks.
    ///
    /// # Errors
    /// What the system says of the folder.
    pub fn remove_unnamed(&self, named: &HashSet<ContentHash>, now: SystemTime) -> io::Result<usize> {
        let mut n_removed = 0;
        let remove = |file: &DirEntry| {
            let hash = file.file_name().to_str().and_then(|name| name.parse().ok());
            // What is not called after a hash is nothing of ours.
            let Some(hash) = hash.filter(|hash| !named.contains(hash)) else { return Ok(false) };
            if is_left_behind(file, now)? { self.remove(hash) } else { Ok(false) }
        };
        for folder in std::fs::read_dir(self.store.folder())? {
            let Ok(folder) = folder else { continue };
            if folder.path() != self.store.incoming() && folder.path().is_dir() {
                n_removed += count(&folder.path(), remove).unwrap_or_else(|error| {
                    tracing::warn!(%error, "a folder of files could not be read");
                    0
                });
            }
        }
        Ok(n_removed)
    }

    /// Removes one file, unless somebody is bringing it or did since the sweep began; answers whether there was one.
    fn remove(&self, hash: ContentHash) -> io::Result<bool> {
        let places = self.store.places().lock();
        if places.are_wanted(hash) {
            return Ok(false);
        }
        let taken_out = self.store.take_out(hash)?;
        drop(places);
        remove(taken_out)
    }
}

impl Drop for Sweep {
    fn drop(&mut self) {
        self.store.places().lock().end_sweep();
    }
}

/// Does something to each file of a folder; answers to how many it was done. A file that fails is told of and passed over.
fn count(folder: &Path, each: impl Fn(&DirEntry) -> io::Result<bool>) -> io::Result<usize> {
    let mut n_done = 0;
    for file in std::fs::read_dir(folder)? {
        match file.and_then(|file| each(&file)) {
            Ok(is_done) => n_done += usize::from(is_done),
            Err(error) => tracing::warn!(%error, "a file that was left behind could not be removed"),
        }
    }
    Ok(n_done)
}

fn is_left_behind(file: &DirEntry, now: SystemTime) -> io::Result<bool> {
    Ok(now.duration_since(file.metadata()?.modified()?).unwrap_or_default() > LEFT_BEHIND_AFTER)
}
