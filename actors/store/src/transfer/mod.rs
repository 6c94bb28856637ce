//! Moving data out of a store and into one, as JSON lines, while it serves.
//!
//! ```text
//! {"header":{"playhouse_export":1,"written_at":"2026-11-30T12:00:00Z","scope":"all"}}
//! {"house":"0193…"}
//! {"record":{"path":"tv/0193…","value":{"kind":"tv","format":1,"body":{"name":"living-room"}}}}
//! {"record":{"path":"other","value":{"base64":"AAEC"}}}
//! {"log":{"path":"audit","seq":1,"idem":"0193…","value":{"kind":"audit","format":1,"body":{}}}}
//! {"end":{"n_lines":5,"sha256":"…"}}
//! ```
//! Each house comes once: its records in the order of their paths, then its logs. A value that is one of our records is
//! written as its kind, format and body, which restore the same bytes; any other value as base64. The last line counts
//! the lines before it and has the SHA-256 of their bytes, so that a cut or damaged file is known as such before
//! anything is imported. Claims and versions stay behind: they mean something only in the store that gave them out.

mod checked;
mod export;
mod import;
mod line;
mod reader;

use std::io;

use crate::{HouseId, Path, RestoreError, StoreError};

pub use export::export;
pub use import::{ImportSettings, import};

/// What to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Every house, and what belongs to the instance.
    All,
    /// One house.
    House(HouseId),
}

/// How far it has come. Shown every few hundred lines and at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// Houses begun.
    pub n_houses: u64,
    /// Records done.
    pub n_records: u64,
    /// Log entries done.
    pub n_log_entries: u64,
    /// Bytes of the file done.
    pub n_bytes: u64,
    /// Bytes of the whole file; unknown while exporting.
    pub total_bytes: Option<u64>,
}

/// The part of the work that is going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Reading the store and writing the file.
    Exporting,
    /// Reading the whole file to see that it is sound. Nothing is changed yet.
    Checking,
    /// Reading the file again and changing the store.
    Importing,
}

impl Progress {
    fn of(stage: Stage, total_bytes: Option<u64>) -> Self {
        Self { stage, n_houses: 0, n_records: 0, n_log_entries: 0, n_bytes: 0, total_bytes }
    }
}

/// Why an export stopped. What was written so far has no last line and cannot be imported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The file could not be written.
    #[error("could not write the export: {0}")]
    Write(#[from] io::Error),
    /// The store could not be read.
    #[error("could not read the store: {0}")]
    Store(#[from] StoreError),
    /// The house to export has nothing.
    #[error("house {house} has no data; see `playhouse house list` for the houses there are")]
    NoSuchHouse {
        /// The house asked for.
        house: HouseId,
    },
}

/// Why an import stopped. Nothing was changed, except with [`ImportError::House`].
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file could not be read.
    #[error("could not read the export: {0}")]
    Read(#[from] io::Error),
    /// The file is something else.
    #[error("this is no playhouse export: {cause}")]
    NotAnExport {
        /// What is missing.
        cause: String,
    },
    /// A newer program wrote the file.
    #[error("the export has format {found}, and this program reads formats up to {newest}; use the newer playhouse")]
    NewerFormat {
        /// The file's format.
        found: u32,
        /// The newest format this program reads.
        newest: u32,
    },
    /// A newer program wrote one of the records.
    #[error(
        "line {line}: a `{kind}` record has format {found}, and this program knows that kind up to format {newest}; \
         use the newer playhouse"
    )]
    NewerRecord {
        /// Where.
        line: u64,
        /// The record's kind.
        kind: String,
        /// Its format.
        found: u16,
        /// The newest format this program knows.
        newest: u16,
    },
    /// The file was changed or does not follow the format.
    #[error("line {line} of the export is damaged: {cause}; nothing was imported, use another copy")]
    Damaged {
        /// Where.
        line: u64,
        /// What is wrong.
        cause: String,
    },
    /// The file's last line is missing.
    #[error(
        "the export ends after line {lines} without its closing line: it was cut; nothing was imported, use another copy"
    )]
    Cut {
        /// How many whole lines there are.
        lines: u64,
    },
    /// The house to import is not in the file.
    #[error("house {house} is not in the export")]
    NoSuchHouse {
        /// The house asked for.
        house: HouseId,
    },
    /// Houses of the file have data in the store already.
    #[error("{} in the store already, first {}; nothing was imported. Ask to replace if that is what you want", houses_have(.houses), first(.houses))]
    Occupied {
        /// Which ones.
        houses: Vec<HouseId>,
    },
    /// The store could not be read.
    #[error("could not read the store: {0}")]
    Store(#[from] StoreError),
    /// A house could not be imported and is as it was. The houses before it are imported.
    #[error(
        "house {house} was not imported: {error}; {n_done} houses before it were. The import may be repeated with replacing"
    )]
    House {
        /// The house that failed.
        house: HouseId,
        /// Why.
        error: RestoreError,
        /// How many houses of the file had been imported.
        n_done: usize,
    },
}

fn houses_have(houses: &[HouseId]) -> String {
    match houses.len() {
        1 => "1 house has data".to_owned(),
        n_houses => format!("{n_houses} houses have data"),
    }
}

fn first(houses: &[HouseId]) -> String {
    houses.first().map(HouseId::to_string).unwrap_or_default()
}

/// Where in a house's part of the file a line stands; lines go up in this order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Record(Path),
    Log(Path, u64),
}
