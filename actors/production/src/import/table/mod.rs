//! Tables: CSV as spreadsheets write it.
//!
//! The csv crate reads the records; here is what a table for a production may look like: comma or semicolon, a byte order mark or none, the
//! columns in any order and case, an empty cell that leaves a value alone and `-` that clears it.

mod cells;
mod money;

use std::collections::HashSet;

pub use self::cells::{SceneCell, SceneRef};
pub(super) use self::cells::{date, time};
pub use self::money::{currency_digits, parse_amount};
use super::limits::{MAX_CELL_CHARS, MAX_COLUMNS, MAX_ROWS};
use super::text::{decode, tidied, with_plain_line_ends};
use super::{ImportFault, RowFault, Warning};

/// A column that a table may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name in lower case, words joined with `_`.
    pub name: &'static str,
    /// Whether the table is refused without it.
    pub needed: bool,
}

impl Column {
    /// A column that has to be there.
    #[must_use]
    pub const fn needed(name: &'static str) -> Self {
        Self { name, needed: true }
    }

    /// A column that may be missing: all its cells are then empty.
    #[must_use]
    pub const fn optional(name: &'static str) -> Self {
        Self { name, needed: false }
    }
}

/// What a cell says about a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell<'a> {
    /// Nothing: the value stays as it is, and a new record gets its default.
    Keep,
    /// `-`: there is no value any more.
    Clear,
    /// This.
    Value(&'a str),
}

/// A table whose columns are known and whose cells are not looked into yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The rows that are not empty, in order.
    pub rows: Vec<Row>,
    /// Columns that nobody knows.
    pub warnings: Vec<Warning>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its place among the rows of data, counted from 1; empty ones count.
    pub number: u32,
    /// The line it starts on, counted from 1.
    pub line: u32,
    /// Its cells under the names of the columns that were asked for.
    cells: Vec<(&'static str, String)>,
}

impl Row {
    /// What the cell in that column says.
    #[must_use]
    pub fn cell(&self, column: &str) -> Cell<'_> {
        match self.cells.iter().find(|(name, _)| *name == column).map(|(_, text)| text.as_str()) {
            None | Some("") => Cell::Keep,
            Some("-") => Cell::Clear,
            Some(text) => Cell::Value(text),
        }
    }

    /// The cell's text, where it has one.
    #[must_use]
    pub fn value(&self, column: &str) -> Option<&str> {
        match self.cell(column) {
            Cell::Value(text) => Some(text),
            Cell::Keep | Cell::Clear => None,
        }
    }

    /// A fault in one of its cells.
    pub fn fault(&self, column: &str, message: impl Into<String>) -> RowFault {
        RowFault { row: self.number, line: self.line, column: Some(column.to_owned()), message: message.into() }
    }
}

/// Reads a table that has these columns, and warns about others.
///
/// # Errors
/// [`ImportFault::TooLarge`]; [`ImportFault::Unreadable`] when there is no header, a needed column is missing, one stands twice or there are too
/// many rows; [`ImportFault::Rows`] for rows with more cells than the header and for cells that are too long.
pub fn read_table(bytes: &[u8], columns: &[Column]) -> Result<Table, ImportFault> {
    let text = with_plain_line_ends(decode(bytes)?);
    let Some(header_line) = text.lines().find(|line| !line.trim().is_empty()) else {
        return Err(ImportFault::general("The table is empty; its first line names the columns."));
    };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter_of(header_line))
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut lines = Lines { text: &text, at: 0, line: 1 };
    let mut record = csv::StringRecord::new();
    let mut header: Option<Vec<Option<&'static str>>> = None;
    let (mut table, mut faults, mut number) = (Table { rows: Vec::new(), warnings: Vec::new() }, Vec::new(), 0_u32);
    loop {
        let start = usize::try_from(reader.position().byte()).unwrap_or(usize::MAX);
        let more = reader
            .read_record(&mut record)
            .map_err(|error| ImportFault::general(format!("The table cannot be read: {error}.")))?;
        if !more {
            break;
        }
        let line = lines.of_record_from(start);
        let Some(header) = &header else {
            if record.iter().all(|cell| cell.trim().is_empty()) {
                continue;
            }
            header = Some(read_header(&record, line, columns, &mut table.warnings)?);
            continue;
        };
        number += 1;
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if table.rows.len() == MAX_ROWS {
            return Err(ImportFault::at(line, format!("more than {MAX_ROWS} rows; send the table in parts.")));
        }
        table.rows.push(read_row(&record, header, number, line, &mut faults));
    }
    ImportFault::unless_sound(faults)?;
    if header.is_none() {
        return Err(ImportFault::general("The table is empty; its first line names the columns."));
    }
    Ok(table)
}

/// Comma or semicolon, whichever the header has more of outside quotes.
fn delimiter_of(header: &str) -> u8 {
    let (mut quoted, mut n_commas, mut n_semicolons) = (false, 0_usize, 0_usize);
    for c in header.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => n_commas += 1,
            ';' if !quoted => n_semicolons += 1,
            _ => {}
        }
    }
    if n_semicolons > n_commas { b';' } else { b',' }
}

/// The column that each place of the header stands for; none for those that nobody knows.
fn read_header(
    record: &csv::StringRecord,
    line: u32,
    columns: &[Column],
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Option<&'static str>>, ImportFault> {
    if record.len() > MAX_COLUMNS {
        return Err(ImportFault::at(line, format!("more than {MAX_COLUMNS} columns.")));
    }
    let mut seen = HashSet::new();
    let mut header = Vec::with_capacity(record.len());
    for cell in record {
        let written = tidied(cell);
        let name = written.to_lowercase().replace([' ', '-'], "_");
        let known = columns.iter().find(|column| column.name == name).map(|column| column.name);
        match known {
            Some(known) if !seen.insert(known) => {
                return Err(ImportFault::at(line, format!("the column `{known}` stands there twice.")));
            }
            None if !name.is_empty() => {
                let shown: String = written.chars().take(60).collect();
                warnings.push(Warning::at(line, format!("the column `{shown}` is not known and was left out.")));
            }
            _ => {}
        }
        header.push(known);
    }
    match columns.iter().find(|column| column.needed && !seen.contains(column.name)) {
        Some(missing) => {
            let all = columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", ");
            Err(ImportFault::at(line, format!("the column `{}` is missing. The columns are: {all}.", missing.name)))
        }
        None => Ok(header),
    }
}

fn read_row(
    record: &csv::StringRecord,
    header: &[Option<&'static str>],
    number: u32,
    line: u32,
    faults: &mut Vec<RowFault>,
) -> Row {
    let mut row = Row { number, line, cells: Vec::with_capacity(header.len()) };
    for (place, cell) in record.iter().enumerate() {
        match header.get(place) {
            Some(Some(column)) => {
                let text = clean(cell);
                if text.chars().count() > MAX_CELL_CHARS {
                    faults.push(row.fault(column, format!("{column} is longer than {MAX_CELL_CHARS} characters")));
                }
                row.cells.push((column, text));
            }
            Some(None) => {}
            None if cell.trim().is_empty() => {}
            None => {
                let message =
                    "it has more cells than the header has columns; a text with a comma needs quotes".to_owned();
                faults.push(RowFault { row: number, line, column: None, message });
                break;
            }
        }
    }
    row
}

/// Without outer blanks and control characters; line ends within a cell stay.
fn clean(cell: &str) -> String {
    cell.trim().chars().filter(|c| *c == '\n' || !c.is_control()).collect()
}

/// Counts lines along with the reader. The reader's own count starts before the blank lines that it skips.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

impl Lines<'_> {
    fn of_record_from(&mut self, start: usize) -> u32 {
        let bytes = self.text.as_bytes();
        let mut place = start.clamp(self.at, bytes.len());
        while bytes.get(place) == Some(&b'\n') {
            place += 1;
        }
        let n_breaks = bytes[self.at..place].iter().filter(|byte| **byte == b'\n').count();
        self.at = place;
        self.line = self.line.saturating_add(u32::try_from(n_breaks).unwrap_or(u32::MAX));
        self.line
    }
}

#[cfg(test)]
mod tests;
