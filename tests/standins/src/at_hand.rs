//! What is not part of this repository, and may lie beside it.

use std::{env, path::PathBuf};

/// The folder or file of this name in the folder that `PLAYHOUSE_SHARED` names, or in a folder `shared` beside the repository.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let told = env::var_os("PLAYHOUSE_SHARED").map(PathBuf::from);
    // Tests run in the folder of their package: the repository's own, or a crate's two levels below it.
    let beside = ["../shared", "../../../shared"].map(PathBuf::from);
    told.into_iter().chain(beside).map(|shared| shared.join(name)).find(|path| path.exists())
}
