//! From a file that has come in to its place under its hash, and back if the office does not take it.
//!
//! Equal bytes are kept once, so two submissions may bring the same file at the same moment. Then one of them puts it in its place, and
//! it may be taken away again only when neither was committed: the claims count that.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::hash::ContentHash;
use super::intake::Received;
use super::store::{MediaError, MediaStore};

/// Those who are putting the same bytes in their place just now.
#[derive(Debug, Default)]
struct Claim {
    n_claims: usize,
    /// Whether the bytes were put there by one of them, and not long ago.
    is_new: bool,
    /// Whether one of them was committed, so that a record names the bytes.
    is_kept: bool,
}

/// Who is about to do what to files in their places. Held over every rename, so that each sees what the other did.
#[derive(Debug, Default)]
pub(super) struct Places {
    claims: HashMap<ContentHash, Claim>,
    /// Sweeps under way.
    n_sweeps: usize,
    /// What was put in its place, or kept there, since the first of those sweeps began: their lists may not name it yet.
    since: HashSet<ContentHash>,
}

impl Places {
    pub(super) fn begin_sweep(&mut self) {
        self.n_sweeps += 1;
    }

    pub(super) fn end_sweep(&mut self) {
        self.n_sweeps -= 1;
        if self.n_sweeps == 0 {
            self.since = HashSet::new();
        }
    }

    /// Whether somebody is bringing these bytes, or did since the sweeps under way began.
    pub(super) fn are_wanted(&self, hash: ContentHash) -> bool {
        self.claims.contains_key(&hash) || self.since.contains(&hash)
    }

    fn note(&mut self, hash: ContentHash) {
        if self.n_sweeps > 0 {
            self.since.insert(hash);
        }
    }
}

/// Files in their places that no record names yet. Dropped, those that were not there before are taken away again, until the office is asked
/// to record them: from then on only [`take_away`](Placement::take_away) does that, for when it is certain that nothing was recorded.
#[must_use = "dropping it takes the files away again"]
pub struct Placement {
    store: MediaStore,
    hashes: Vec<ContentHash>,
    /// Whether a record may name the files.
    may_be_recorded: bool,
}

impl MediaStore {
    /// Puts files in their places and makes that durable. Blocks: run it off the doors' threads.
    ///
    /// # Errors
    /// [`MediaError::Full`], [`MediaError::Failed`]; then no file is in a place where none was before.
    pub fn place(&self, files: Vec<Received>) -> Result<Placement, MediaError> {
        let mut placement =
            Placement { store: self.clone(), hashes: Vec::with_capacity(files.len()), may_be_recorded: false };
        for Received { hash, file, .. } in files {
            let place = self.place_of(hash);
            // Held over the rename: whoever has the same bytes waits, and then finds them.
            let mut places = self.places().lock();
            if !place.exists() {
                make_folder(parent(&place)?)?;
                file.persist(&place).map_err(|error| error.error)?;
                places.claims.entry(hash).or_default().is_new = true;
            }
            places.claims.entry(hash).or_default().n_claims += 1;
            places.note(hash);
            drop(places);
            placement.hashes.push(hash);
            sync_folder(parent(&place)?)?;
        }
        Ok(placement)
    }
}

impl Placement {
    /// The office is about to be asked to record the files: dropped from now on, they stay.
    pub fn offer(&mut self) {
        self.may_be_recorded = true;
    }

    /// Leaves the files where they are: a record names them now, or may.
    pub fn keep(mut self) {
        self.release(true);
    }

    /// Takes the files away that were not there before: it is certain that nothing was recorded. Blocks for as long as the disk takes.
    pub fn take_away(mut self) {
        self.release(false);
    }

    fn release(&mut self, keep: bool) {
        let mut taken_out = Vec::new();
        let mut places = self.store.places().lock();
        for hash in self.hashes.drain(..) {
            if keep {
                places.note(hash);
            }
            let Some(claim) = places.claims.get_mut(&hash) else { continue };
            claim.is_kept |= keep;
            claim.n_claims -= 1;
            if claim.n_claims > 0 {
                continue;
            }
            let unwanted = claim.is_new && !claim.is_kept;
            places.claims.remove(&hash);
            if unwanted {
                taken_out.push((hash, self.store.take_out(hash)));
            }
        }
        drop(places);
        for (hash, out) in taken_out {
            if let Err(error) = out.and_then(remove) {
                tracing::warn!(%hash, %error, "could not remove the file of a submission that was not taken");
            }
        }
    }
}

impl Drop for Placement {
    fn drop(&mut self) {
        self.release(self.may_be_recorded);
    }
}

/// Removes a file that was taken out of its place; answers whether there was one.
pub(super) fn remove(taken_out: Option<PathBuf>) -> io::Result<bool> {
    let Some(path) = taken_out else { return Ok(false) };
    match std::fs::remove_file(path) {
        // Somebody else took the same bytes out a moment ago, and his are ours.
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(true),
    }
}

fn parent(place: &Path) -> io::Result<&Path> {
    place.parent().ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

/// A new folder is durable only once the one above it is synced.
fn make_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    if folder.is_dir() {
        return Ok(());
    }
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    sync_folder(parent(folder)?)
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
