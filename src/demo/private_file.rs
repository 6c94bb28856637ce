//! Files that hold keys in the clear, which only a demo may have.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde::Serialize;

/// Writes a file of JSON, whole or not at all, for its owner only.
pub(super) fn write(path: &Path, content: &impl Serialize) -> std::io::Result<()> {
    let partial = path.with_extension("partial");
    let mut file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&partial)?;
    file.write_all(&serde_json::to_vec_pretty(content)?)?;
    file.sync_all()?;
    std::fs::rename(&partial, path)
}
