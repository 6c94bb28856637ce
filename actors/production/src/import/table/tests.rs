//! Tables, as spreadsheets write them.

use proptest::prelude::*;

use super::*;

const COLUMNS: [Column; 3] = [Column::needed("code"), Column::needed("name"), Column::optional("due_on")];

fn read(text: &str) -> Table {
    read_table(text.as_bytes(), &COLUMNS).unwrap_or_else(|fault| panic!("{fault}: {text}"))
}

fn said(text: &str) -> String {
    read_table(text.as_bytes(), &COLUMNS).unwrap_err().to_string()
}

/// Number, line and the three cells of each row.
fn rows(text: &str) -> Vec<(u32, u32, [String; 3])> {
    let shown = |cell: Cell<'_>| match cell {
        Cell::Keep => "keep".to_owned(),
        Cell::Clear => "clear".to_owned(),
        Cell::Value(value) => format!("={value}"),
    };
    read(text)
        .rows
        .iter()
        .map(|row| (row.number, row.line, ["code", "name", "due_on"].map(|name| shown(row.cell(name)))))
        .collect()
}

fn cells(code: &str, name: &str, due_on: &str) -> [String; 3] {
    [code, name, due_on].map(str::to_owned)
}

#[test]
fn comma_and_semicolon_mark_and_none_any_order_and_case_are_one_table() {
    let expected = vec![(1, 2, cells("=a", "=A, b; c", "=2026-10-05")), (2, 3, cells("=b", "keep", "clear"))];
    for text in [
        "code,name,due_on\na,\"A, b; c\",2026-10-05\nb,,-\n",
        "\u{FEFF}code,name,due_on\r\na,\"A, b; c\",2026-10-05\r\nb,,-",
        "Due on;CODE; Name \n2026-10-05;a;\"A, b; c\"\n-;b;\n",
        "due-on;Code;name\r\n2026-10-05;a;\"A, b; c\"\r\n-;b\r\n",
    ] {
        assert_eq!(rows(text), expected, "{text}");
    }
}

#[test]
fn rows_keep_their_lines_over_blank_ones_and_broken_cells() {
    let text = "\n\ncode,name\n\na,\"one\ntwo\"\n\n,,\nb,B\n";
    assert_eq!(rows(text), [(1, 5, cells("=a", "=one\ntwo", "keep")), (3, 9, cells("=b", "=B", "keep"))]);
}

#[test]
fn an_unknown_column_is_a_warning() {
    let table = read("code,name,Shoe size\na,A,44\n");
    assert_eq!(table.warnings, [Warning::at(1, "the column `Shoe size` is not known and was left out.")]);
    assert_eq!(table.rows.len(), 1);
}

#[test]
fn a_header_that_does_not_fit_is_refused() {
    assert_eq!(said(""), "The table is empty; its first line names the columns.");
    assert_eq!(said(" \n\r\n"), "The table is empty; its first line names the columns.");
    assert_eq!(said("code,due_on\n"), "Line 1: the column `name` is missing. The columns are: code, name, due_on.");
    assert_eq!(said("code,name,Code\n"), "Line 1: the column `code` stands there twice.");
    assert_eq!(said(&format!("code,name{}\n", ",x".repeat(MAX_COLUMNS))), "Line 1: more than 64 columns.");
}

#[test]
fn a_row_with_too_many_cells_or_too_long_a_cell_is_named() {
    assert_eq!(
        said("code,name\na,b,c\n"),
        "Row 1: it has more cells than the header has columns; a text with a comma needs quotes."
    );
    let text = format!("code,name\na,{}\nb,c,d\n", "x".repeat(MAX_CELL_CHARS + 1));
    assert_eq!(said(&text), "Row 1: name is longer than 4000 characters. (1 more)");
    assert_eq!(rows("code,name\na,b,,\n").len(), 1);
}

#[test]
fn twenty_thousand_rows_are_read_and_one_more_is_not() {
    let text = format!("code,name\n{}", "a,b\n".repeat(MAX_ROWS));
    assert_eq!(read(&text).rows.len(), MAX_ROWS);
    assert_eq!(said(&format!("{text}a,b\n")), "Line 20002: more than 20000 rows; send the table in parts.");
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..1_000)) {
        let _ = read_table(&bytes, &COLUMNS);
    }

    #[test]
    fn every_row_is_on_a_line_of_the_file(text in "code,name\n[a-c,;\"\r\n -]{0,200}") {
        if let Ok(table) = read_table(text.as_bytes(), &COLUMNS) {
            let n_lines = u32::try_from(with_plain_line_ends(&text).split('\n').count()).unwrap();
            for pair in table.rows.windows(2) {
                prop_assert!(pair[0].line < pair[1].line && pair[0].number < pair[1].number);
            }
            prop_assert!(table.rows.iter().all(|row| row.line > 1 && row.line <= n_lines));
        }
    }
}
