//! Recordings and descriptions that are not part of this repository.

use std::io::Write;
use std::path::PathBuf;

/// A folder of `$PLAYHOUSE_SHARED`, or of `shared` beside the repository. `None`, said loudly, when it is not there.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let folder = std::env::var_os("PLAYHOUSE_SHARED").map_or_else(beside, PathBuf::from).join(name);
    if !folder.is_dir() {
        // Not by `eprintln!`: the test harness swallows that when the test passes.
        let _ =
            writeln!(std::io::stderr(), "NOT TESTED with {}: it is not there (see PLAYHOUSE_SHARED)", folder.display());
        return None;
    }
    Some(folder)
}
