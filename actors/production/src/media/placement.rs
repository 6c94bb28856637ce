//! From a file that has come in to its place under its hash, and back if the office does not take it.
//!
//! Equal bytes are kept once, so two submissions may bring the same file at the same moment. Then one of them puts it in its place, and
//! it may be taken away again only when neither was committed: the claims count that.

use std::fs::File;
use std::io;
use std::path::Path;

use super::hash::ContentHash;
use super::intake::Received;
use super::store::{MediaError, MediaStore};

/// Those who are putting the same bytes in their place just now.
#[derive(Debug, Default)]
pub(super) struct Claim {
    n_claims: usize,
    /// Whether the bytes were put there by one of them, and not long ago.
    is_new: bool,
    /// Whether one of them was committed, so that a record names the bytes.
    is_kept: bool,
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
            let mut claims = self.claims().lock();
            if !place.exists() {
                make_folder(parent(&place)?)?;
                file.persist(&place).map_err(|error| error.error)?;
                claims.entry(hash).or_default().is_new = true;
            }
            claims.entry(hash).or_default().n_claims += 1;
            drop(claims);
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
        let mut claims = self.store.claims().lock();
        for hash in self.hashes.drain(..) {
            let Some(claim) = claims.get_mut(&hash) else { continue };
            claim.is_kept |= keep;
            claim.n_claims -= 1;
            if claim.n_claims > 0 {
                continue;
            }
            let unwanted = claim.is_new && !claim.is_kept;
            claims.remove(&hash);
            if unwanted && let Err(error) = std::fs::remove_file(self.store.place_of(hash)) {
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
