//! The folder of files, and the limits under which something is put into it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::hash::ContentHash;
use super::placement::Places;

/// Where files lie while they come in. On the same disk as where they end up, so that moving them there is one rename.
const INCOMING: &str = "incoming";

/// How many bytes are free on the disk that holds a folder.
pub type FreeSpace = Arc<dyn Fn(&Path) -> io::Result<u64> + Send + Sync>;

/// What the system says is free for a process like this one.
pub fn free_space_of_disk() -> FreeSpace {
    Arc::new(|folder| {
        let disk = rustix::fs::statvfs(folder)?;
        Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
    })
}

/// What may come in. The defaults are those of the specification of submissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaLimits {
    /// The largest file, in bytes.
    pub max_file_bytes: u64,
    /// The most files of one submission.
    pub max_files: usize,
    /// What stays free on the disk, in bytes, whatever comes in.
    pub min_free_bytes: u64,
    /// How long a sender may be silent.
    pub idle: Duration,
    /// Submissions that come in at once. Each takes some memory and, while it is written, a thread.
    pub max_uploads: usize,
}

impl Default for MediaLimits {
    fn default() -> Self {
        const GB: u64 = 1024 * 1024 * 1024;
        Self {
            max_file_bytes: 20 * GB,
            max_files: 200,
            min_free_bytes: 5 * GB,
            idle: Duration::from_secs(60),
            max_uploads: 32,
        }
    }
}

/// Where files are kept, and what may come in.
#[derive(Clone)]
pub struct MediaSettings {
    /// The folder, made if it is missing.
    pub folder: PathBuf,
    /// What may come in.
    pub limits: MediaLimits,
    /// How much is free where the folder is.
    pub free_space: FreeSpace,
}

/// Why something was not taken in.
#[derive(Debug, thiserror::Error)]
pub enum MediaError {
    /// One file is larger than files may be.
    #[error("{name} is larger than {}.", Size(*.max_bytes))]
    TooLarge {
        /// Its name.
        name: String,
        /// The largest a file may be.
        max_bytes: u64,
    },
    /// A file without a byte in it.
    #[error("{name} is empty.")]
    Empty {
        /// Its name.
        name: String,
    },
    /// The disk is full, or would be below its floor.
    #[error("Storage is full.")]
    Full,
    /// As many come in as may at once.
    #[error("Try again shortly.")]
    Busy,
    /// The disk fails. The words are for the log; the sender is told to try again.
    #[error("the media folder failed")]
    Failed(#[source] io::Error),
}

impl From<io::Error> for MediaError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => MediaError::Full,
            _ => MediaError::Failed(error),
        }
    }
}

/// Whole gigabytes and megabytes are said as such.
struct Size(u64);

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const MB: u64 = 1024 * 1024;
        match self.0 {
            bytes if bytes % (1024 * MB) == 0 => write!(f, "{} GB", bytes / (1024 * MB)),
            bytes if bytes % MB == 0 => write!(f, "{} MB", bytes / MB),
            bytes => write!(f, "{bytes} bytes"),
        }
    }
}

/// All files, by the hash of their bytes. Cheap to clone; all clones are one store.
#[derive(Clone)]
pub struct MediaStore {
    shared: Arc<Shared>,
}

struct Shared {
    settings: MediaSettings,
    uploads: Arc<Semaphore>,
    places: Mutex<Places>,
}

impl MediaStore {
    /// A store in its folder. Nothing is made or read yet; see [`MediaStore::prepare`].
    pub fn new(settings: MediaSettings) -> Self {
        let uploads = Arc::new(Semaphore::new(settings.limits.max_uploads));
        Self { shared: Arc::new(Shared { settings, uploads, places: Mutex::default() }) }
    }

    /// Makes the folders that are missing. Blocks; call it before the doors open.
    ///
    /// # Errors
    /// What the system says of the folder.
    pub fn prepare(&self) -> io::Result<()> {
        use std::os::unix::fs::DirBuilderExt;
        // For the owner only: the files are the productions'.
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(self.incoming())
    }

    /// Lets one submission begin that announces `n_bytes` (0 where nothing is announced). The permit is its place among those that come
    /// in at once.
    ///
    /// # Errors
    /// [`MediaError::Busy`], [`MediaError::Full`], [`MediaError::Failed`].
    pub fn admit(&self, n_bytes: u64) -> Result<OwnedSemaphorePermit, MediaError> {
        let permit = Arc::clone(&self.shared.uploads).try_acquire_owned().map_err(|_| MediaError::Busy)?;
        self.check_space(n_bytes)?;
        Ok(permit)
    }

    /// Whether `n_bytes` more leave the disk its floor.
    pub(super) fn check_space(&self, n_bytes: u64) -> Result<(), MediaError> {
        let MediaSettings { folder, limits, free_space } = &self.shared.settings;
        let left = free_space(folder)?.saturating_sub(n_bytes);
        if left < limits.min_free_bytes { Err(MediaError::Full) } else { Ok(()) }
    }

    /// What may come in.
    pub fn limits(&self) -> &MediaLimits {
        &self.shared.settings.limits
    }

    /// Opens a file for reading. Blocks for as long as the disk takes.
    ///
    /// # Errors
    /// What the system says; `NotFound` where there is no such file.
    pub fn read(&self, hash: ContentHash) -> io::Result<File> {
        File::open(self.place_of(hash))
    }

    /// Whether there is a file with this hash. Blocks for as long as the disk takes.
    ///
    /// # Errors
    /// What the system says: then it is not known.
    pub fn has(&self, hash: ContentHash) -> io::Result<bool> {
        self.place_of(hash).try_exists()
    }

    pub(super) fn incoming(&self) -> PathBuf {
        self.shared.settings.folder.join(INCOMING)
    }

    /// Where the bytes with this hash lie, or would.
    pub(super) fn place_of(&self, hash: ContentHash) -> PathBuf {
        self.shared.settings.folder.join(hash.folder()).join(hash.to_string())
    }

    /// Takes the bytes with this hash out of their place, from where nobody finds them; `None` where there are none. One rename: the removal,
    /// which takes a while for a large file, is done without holding anybody up.
    pub(super) fn take_out(&self, hash: ContentHash) -> io::Result<Option<PathBuf>> {
        let out = self.incoming().join(format!("out-{hash}"));
        match std::fs::rename(self.place_of(hash), &out) {
            Ok(()) => Ok(Some(out)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The folder with everything in it.
    pub(super) fn folder(&self) -> &Path {
        &self.shared.settings.folder
    }

    pub(super) fn places(&self) -> &Mutex<Places> {
        &self.shared.places
    }
}
