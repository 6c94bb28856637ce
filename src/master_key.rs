//! The master key: from the configuration, from its file, or made at the first start.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use playhouse_house::Sealer;
use rand::Rng;
use zeroize::Zeroizing;

use crate::config::{Config, Secrets};

/// The file in the data folder where none is named.
const FILE_NAME: &str = "master.key";
/// More than any key file holds: a file named by mistake is not read whole.
const MAX_FILE_BYTES: u64 = 1_024;

/// Why there is no master key. Nothing sealed could be opened, so the service does not start.
#[derive(Debug, thiserror::Error)]
pub enum MasterKeyError {
    /// The file cannot be read or made.
    #[error("cannot use the master key file {}: {source}; see `secrets.master_key_file`", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// The file holds something else.
    #[error("the master key file {} does not hold 64 hexadecimal digits; `openssl rand -hex 32` prints a new key", .path.display())]
    NoKey {
        /// Which.
        path: PathBuf,
    },
    /// Others than its owner can read it.
    #[error("the master key file {} can be read by others than its owner; `chmod 600` it", .path.display())]
    Readable {
        /// Which.
        path: PathBuf,
    },
}

/// The sealer under the configured master key.
///
/// # Errors
/// [`MasterKeyError`] in words for the operator.
pub fn sealer(config: &Config) -> Result<Sealer, MasterKeyError> {
    let Secrets { master_key, master_key_file } = &config.secrets;
    if let Some(key) = master_key.reveal().and_then(parse) {
        return Ok(Sealer::from_master_key(*key));
    }
    if master_key_file.as_os_str().is_empty() {
        let path = config.data.folder.join(FILE_NAME);
        match read(&path) {
            // Only here is one made: a file that somebody named and that is not there is a mistake, not a first start.
            Err(MasterKeyError::File { source, .. }) if source.kind() == ErrorKind::NotFound => make(&path),
            read => read,
        }
    } else {
        read(master_key_file)
    }
    .map(|key| Sealer::from_master_key(*key))
}

/// The key that `text` spells, if it spells one.
pub(crate) fn parse(text: &str) -> Option<Zeroizing<[u8; 32]>> {
    let digits: &[u8; 64] = text.trim().as_bytes().try_into().ok()?;
    let mut key = Zeroizing::new([0; 32]);
    for (byte, pair) in key.iter_mut().zip(digits.chunks_exact(2)) {
        let [high, low] = pair else { return None };
        let digit = |digit: &u8| char::from(*digit).to_digit(16);
        *byte = u8::try_from(digit(high)? * 16 + digit(low)?).ok()?;
    }
    Some(key)
}

fn read(path: &Path) -> Result<Zeroizing<[u8; 32]>, MasterKeyError> {
    let failed = |source| MasterKeyError::File { path: path.to_owned(), source };
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.mode() & 0o077 != 0 {
        return Err(MasterKeyError::Readable { path: path.to_owned() });
    }
    let mut text = Zeroizing::new(String::new());
    file.take(MAX_FILE_BYTES).read_to_string(&mut text).map_err(failed)?;
    parse(&text).ok_or_else(|| MasterKeyError::NoKey { path: path.to_owned() })
}

fn make(path: &Path) -> Result<Zeroizing<[u8; 32]>, MasterKeyError> {
    let failed = |source| MasterKeyError::File { path: path.to_owned(), source };
    let mut key = Zeroizing::new([0; 32]);
    rand::rng().fill_bytes(&mut *key);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(failed)?;
    let digits: Zeroizing<String> = Zeroizing::new(key.iter().map(|byte| format!("{byte:02x}")).collect());
    writeln!(file, "{}", *digits).map_err(failed)?;
    // Secrets sealed under a key that a power cut took along could never be opened again.
    file.sync_all().map_err(failed)?;
    if let Some(folder) = path.parent() {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
    }
    tracing::info!("made a master key; keep a copy of it apart from the data folder");
    Ok(key)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use playhouse_bus::HouseId;
    use playhouse_store::Path as RecordPath;

    use super::*;
    use crate::config::Secret;

    const PATH: RecordPath = RecordPath::literal("secret");

    fn config(folder: &Path) -> Config {
        let mut config = Config::default();
        config.data.folder = folder.to_owned();
        config
    }

    #[test]
    fn the_key_made_at_the_first_start_opens_what_it_sealed_after_the_second() {
        let folder = tempfile::tempdir().unwrap();
        let sealed = sealer(&config(folder.path())).unwrap().seal(HouseId::INSTANCE, &PATH, &"k3y".into());
        assert!(sealer(&config(folder.path())).unwrap().open(HouseId::INSTANCE, &PATH, &sealed).is_ok());
        let mode = std::fs::metadata(folder.path().join(FILE_NAME)).unwrap().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_key_in_the_configuration_wins_over_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut config = config(folder.path());
        config.secrets.master_key = Secret::new(&"0f".repeat(32));
        let sealed = sealer(&config).unwrap().seal(HouseId::INSTANCE, &PATH, &"k3y".into());
        assert!(Sealer::from_master_key([15; 32]).open(HouseId::INSTANCE, &PATH, &sealed).is_ok());
        assert!(!folder.path().join(FILE_NAME).exists());
    }

    #[test]
    fn a_named_file_that_is_missing_open_to_others_or_no_key_keeps_the_service_from_starting() {
        let folder = tempfile::tempdir().unwrap();
        let mut config = config(folder.path());
        let path = folder.path().join("named.key");
        config.secrets.master_key_file.clone_from(&path);
        assert!(matches!(sealer(&config), Err(MasterKeyError::File { .. })));
        std::fs::write(&path, "ab".repeat(32)).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        assert!(matches!(sealer(&config), Err(MasterKeyError::Readable { .. })));
        std::fs::write(&path, "not a key").unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
        assert!(matches!(sealer(&config), Err(MasterKeyError::NoKey { .. })));
    }
}
