//! Answers of the real services that somebody recorded, served beside our own titles when they are at hand.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::at_hand;

/// A folder of recorded answers, with `tmdb/*.json` and `justwatch/*.json` in it.
///
/// They are not part of this repository: the data in them belongs to TMDB and JustWatch, and may be used in tests only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recordings {
    folder: PathBuf,
}

impl Recordings {
    /// The recordings in this folder. What is not there is not served.
    #[must_use]
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Every readable file of one service, by name.
    pub(crate) fn of(&self, service: &str) -> Vec<(String, Value)> {
        let Ok(files) = fs::read_dir(self.folder.join(service)) else { return Vec::new() };
        let mut read: Vec<(String, Value)> = files.filter_map(|file| read_json(&file.ok()?.path())).collect();
        // The order of a folder is nobody's promise.
        read.sort_by(|(one, _), (other, _)| one.cmp(other));
        read
    }
}

fn read_json(path: &Path) -> Option<(String, Value)> {
    let name = path.file_name()?.to_str()?.to_owned();
    let value = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    name.ends_with(".json").then_some((name, value))
}

/// The recordings under `$PLAYHOUSE_SHARED/tv-fixtures`, or in a folder `shared` beside the repository.
pub(crate) fn find_recordings() -> Option<Recordings> {
    at_hand::find("tv-fixtures").map(Recordings::in_folder)
}
