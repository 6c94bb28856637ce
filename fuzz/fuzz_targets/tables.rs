//! Any file that is sent as a table: it is read or refused in words, and rows stand on lines that rise.
#![no_main]

use libfuzzer_sys::fuzz_target;
use playhouse_production::import::table::{Column, SceneCell, parse_amount, read_table};

const COLUMNS: [Column; 3] = [Column::needed("code"), Column::optional("scenes"), Column::optional("total")];

fuzz_target!(|bytes: &[u8]| {
    let Ok(table) = read_table(bytes, &COLUMNS) else { return };
    assert!(table.rows.windows(2).all(|pair| pair[0].line < pair[1].line));
    for row in &table.rows {
        let _ = row.value("scenes").map(SceneCell::list);
        if let Some(Ok(minor)) = row.value("total").map(|total| parse_amount(total, "GBP")) {
            assert!(minor >= 0);
        }
    }
});
