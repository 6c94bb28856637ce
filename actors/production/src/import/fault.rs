//! What can be wrong with a file, and what is only worth saying.

use serde::{Deserialize, Serialize};

use super::limits::{MAX_FILE_BYTES, MAX_ROW_FAULTS};
use crate::messages::OfficeRefusal;

/// Something an import did, or left undone, that a person should look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The line of the file, counted from 1; 1 where it is about the whole file.
    pub line: u32,
    /// What it is, as a sentence.
    pub message: String,
}

impl Warning {
    /// A warning about one line.
    pub fn at(line: u32, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }

    /// A warning about the file as a whole.
    pub fn general(message: impl Into<String>) -> Self {
        Self { line: 1, message: message.into() }
    }
}

/// One cell or row that keeps a table from being imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowFault {
    /// Which row of data, counted from 1; the header is none.
    #[serde(skip)]
    pub row: u32,
    /// The line of the file, counted from 1.
    pub line: u32,
    /// The column, by the name the documentation gives it; none where it is about the row.
    pub column: Option<String>,
    /// What is wrong, as it follows `Row 4: `.
    pub message: String,
}

/// Why a file was not imported. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum ImportFault {
    /// More bytes than [`MAX_FILE_BYTES`]; status 413.
    #[error("The file is larger than {} MB.", MAX_FILE_BYTES / (1024 * 1024))]
    TooLarge,
    /// What the file is about is not there; status 404.
    #[error("{what}")]
    NotFound {
        /// The sentence.
        what: String,
    },
    /// What is there does not allow it; status 409.
    #[error("{message}")]
    State {
        /// The sentence.
        message: String,
    },
    /// The file cannot be read, or an option does not fit it; status 422.
    #[error("{}{message}", .line.map(|line| format!("Line {line}: ")).unwrap_or_default())]
    Unreadable {
        /// The line, counted from 1, where there is one.
        line: Option<u32>,
        /// What is wrong.
        message: String,
    },
    /// Rows of a table are wrong; status 422 with `rows`. Never empty; at most [`MAX_ROW_FAULTS`] of them.
    #[error("{}", rows_sentence(.rows))]
    Rows {
        /// Which, and why.
        rows: Vec<RowFault>,
    },
}

impl ImportFault {
    /// A fault of the file as a whole, or of an option.
    pub fn general(message: impl Into<String>) -> Self {
        Self::Unreadable { line: None, message: message.into() }
    }

    /// A fault in one line.
    pub fn at(line: u32, message: impl Into<String>) -> Self {
        Self::Unreadable { line: Some(line), message: message.into() }
    }

    /// A refusal of these rows, the first ones of them if there are very many; `Ok` when there are none.
    ///
    /// # Errors
    /// [`ImportFault::Rows`].
    pub fn unless_sound(mut rows: Vec<RowFault>) -> Result<(), Self> {
        rows.truncate(MAX_ROW_FAULTS);
        if rows.is_empty() { Ok(()) } else { Err(Self::Rows { rows }) }
    }

    /// The HTTP status that says it.
    #[must_use]
    pub fn status(&self) -> u16 {
        match self {
            ImportFault::TooLarge => 413,
            ImportFault::NotFound { .. } => 404,
            ImportFault::State { .. } => 409,
            ImportFault::Unreadable { .. } | ImportFault::Rows { .. } => 422,
        }
    }
}

impl From<ImportFault> for OfficeRefusal {
    fn from(fault: ImportFault) -> Self {
        let refusal = OfficeRefusal::new(fault.status(), fault.to_string());
        match &fault {
            ImportFault::Rows { rows } => refusal.with("rows", serde_json::json!(rows)),
            ImportFault::Unreadable { line: Some(line), message } => {
                refusal.with("rows", serde_json::json!([{ "line": line, "column": null, "message": message }]))
            }
            _ => refusal,
        }
    }
}

/// The first fault in full, and how many there are besides.
fn rows_sentence(rows: &[RowFault]) -> String {
    let Some(first) = rows.first() else { return "The table cannot be read.".to_owned() };
    let more = match rows.len() - 1 {
        0 => String::new(),
        n => format!(" ({n} more)"),
    };
    format!("Row {}: {}.{more}", first.row, first.message)
}
