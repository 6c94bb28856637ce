//! What a library holds of one book or album, beside what happened to it: the receipts by which a wrong file is judged.
//!
//! The history is read in two halves, grabs and imports. When one half cannot be read, or cannot be read whole, the answer says so and never
//! passes the other half off as everything.

mod read;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::history::HistoryEvent;
use crate::words::schema_of_words;

pub use read::{ReadReceipts, ReceiptItem};

/// Most files and events that one answer lists.
pub(crate) const MAX_LISTED: usize = 100;

/// One file of a book or album.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct ReceiptFile {
    /// Its name, without folders.
    pub name: String,
    /// Its size in bytes.
    pub size_bytes: i64,
    /// Name of its quality.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub quality: Option<String>,
    /// When it was imported, in UTC.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Option<String>")]
    pub imported_utc: Option<Timestamp>,
}

/// Which halves of a history could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HistoryState {
    /// Both.
    Complete,
    /// Only what was grabbed.
    GrabsOnly,
    /// Only what was imported.
    ImportsOnly,
    /// Neither.
    Unreadable,
}

schema_of_words!(HistoryState: "complete", "grabs_only", "imports_only", "unreadable");

/// Files and history of one book or album.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipts {
    /// Author and book, or artist and album.
    pub title: String,
    /// What the library holds.
    pub files: Vec<ReceiptFile>,
    /// How many files more there are.
    pub n_more_files: usize,
    /// What happened, newest first.
    pub events: Vec<HistoryEvent>,
    /// How many events more were read.
    pub n_more_events: usize,
    /// Which halves of the history could be read.
    pub history_state: HistoryState,
    /// Why a half could not be read.
    pub faults: Vec<String>,
    /// Records of files of a shape that this version does not know.
    pub n_skipped: usize,
}

impl Receipts {
    /// The files in words. Sizes are decimal megabytes.
    pub(crate) fn files_prose(&self, one: &str) -> String {
        if self.files.is_empty() && self.n_skipped > 0 {
            return format!(
                "Files: none that could be read. Some records could not be, so this does not say that the library holds no file for this {one}."
            );
        }
        if self.files.is_empty() {
            return format!(
                "Files: none. The list was read, so this is a genuine absence: the library holds no file for this {one}."
            );
        }
        let mut lines = vec![format!("Files ({}):", self.files.len() + self.n_more_files)];
        lines.extend(self.files.iter().map(|file| {
            let quality = file.quality.as_deref().map(|quality| format!(" [{quality}]")).unwrap_or_default();
            let imported = file.imported_utc.map_or_else(|| "undated".to_owned(), super::instants::minute);
            format!("- {}{quality}, {}, imported {imported}", file.name, megabytes(file.size_bytes))
        }));
        if self.n_more_files > 0 {
            lines.push(format!("…and {} more", self.n_more_files));
        }
        lines.join("\n")
    }

    /// The history in words, under a heading that claims no more than was read.
    pub(crate) fn history_prose(&self, one: &str) -> String {
        let faults = self.faults.join("; ");
        let heading = match self.history_state {
            HistoryState::Complete => "History (grabs and imports):".to_owned(),
            HistoryState::GrabsOnly => format!(
                "History (grabs only; the import history is UNREADABLE, which is blindness and not absence: {faults}):"
            ),
            HistoryState::ImportsOnly => format!(
                "History (imports only; the grab history is UNREADABLE, which is blindness and not absence: {faults}):"
            ),
            HistoryState::Unreadable => {
                return format!("History: UNREADABLE. Nothing is known of what happened to this {one}: {faults}.");
            }
        };
        if self.events.is_empty() {
            return format!(
                "{heading}\nNo events. The newest pages of this {one}'s own history were searched; older events are not ruled out."
            );
        }
        let mut lines = vec![heading];
        lines.extend(self.events.iter().map(HistoryEvent::line));
        if self.n_more_events > 0 {
            lines.push(format!("…and {} more", self.n_more_events));
        }
        lines.join("\n")
    }
}

/// In decimal megabytes with one decimal.
fn megabytes(bytes: i64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    let megabytes = bytes.max(0) as f64 / 1e6;
    format!("{megabytes:.1} MB")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receipts(history_state: HistoryState, events: Vec<HistoryEvent>) -> Receipts {
        Receipts {
            title: "Author — Book".into(),
            files: Vec::new(),
            n_more_files: 0,
            events,
            n_more_events: 0,
            history_state,
            faults: vec!["the import history has 99 events, of which 30 were read".into()],
            n_skipped: 0,
        }
    }

    fn grab() -> HistoryEvent {
        HistoryEvent {
            date: None,
            event: "grabbed".into(),
            kind: None,
            media_title: String::new(),
            release_title: "Author.Book.EPUB".into(),
            quality: None,
            download_id: Some("ABC".into()),
            reason: None,
        }
    }

    #[test]
    fn case_149_a_history_of_which_one_half_is_unreadable_never_claims_both() {
        let words = receipts(HistoryState::GrabsOnly, vec![grab()]).history_prose("book");
        assert!(words.starts_with("History (grabs only; the import history is UNREADABLE"), "{words}");
        assert!(words.contains("blindness") && words.contains("99 events"), "{words}");
        assert!(!words.contains("grabs and imports"), "{words}");
        assert!(words.ends_with("- undated grabbed: Author.Book.EPUB (download ABC)"), "{words}");
        let empty = receipts(HistoryState::ImportsOnly, Vec::new()).history_prose("book");
        assert!(empty.contains("grab history is UNREADABLE") && empty.contains("not ruled out"), "{empty}");
    }

    #[test]
    fn case_150_a_history_of_which_both_halves_fail_is_unreadable() {
        let words = receipts(HistoryState::Unreadable, Vec::new()).history_prose("album");
        assert!(words.starts_with("History: UNREADABLE."), "{words}");
        assert!(!words.contains("No events"), "{words}");
    }

    #[test]
    fn no_files_are_no_absence_where_records_could_not_be_read() {
        let receipts = Receipts { n_skipped: 1, ..receipts(HistoryState::Complete, Vec::new()) };
        let words = receipts.files_prose("book");
        assert!(!words.contains("genuine absence") && words.contains("does not say"), "{words}");
    }

    #[test]
    fn case_151_no_files_are_a_genuine_absence() {
        assert!(receipts(HistoryState::Complete, Vec::new()).files_prose("book").contains("genuine absence"));
    }

    #[test]
    fn a_file_is_told_with_size_and_date() {
        let file = ReceiptFile {
            name: "Book.epub".into(),
            size_bytes: 1_250_000,
            quality: Some("EPUB".into()),
            imported_utc: Some("2026-11-01T10:20:30Z".parse().unwrap()),
        };
        let receipts = Receipts { files: vec![file], ..receipts(HistoryState::Complete, Vec::new()) };
        assert_eq!(
            receipts.files_prose("book"),
            "Files (1):\n- Book.epub [EPUB], 1.2 MB, imported 2026-11-01 10:20 UTC"
        );
    }
}
