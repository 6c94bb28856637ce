//! Reads every row once before anyone is served.

use std::collections::{BTreeSet, HashMap};

use super::{OpenError, SledSettings, census::Census, opening::open_error};
use crate::{
    Envelope, HouseId,
    rows::{self, Generation, HouseRow, Table},
};

/// How many leftover rows one batch removes.
const SWEEP_ROWS: usize = 256;

/// Verifies all check sums and that no row is missing, refuses records of a newer format than this program knows, and
/// removes what an interrupted restore left over. `stored` is what the database says of itself; the answer is what is
/// there afterwards.
pub(crate) fn scan(tree: &sled::Tree, stored: Census, settings: &SledSettings) -> Result<Census, OpenError> {
    let dir = &settings.dir;
    let mut scan = Scan { settings, found: Census::default(), live: HashMap::new(), leftovers: BTreeSet::new() };
    for row in tree.iter() {
        let (key, row) = row.map_err(|error| open_error(error, dir))?;
        scan.look(&key, &row)?;
    }
    if !scan.found.has_same_rows(&stored) {
        return Err(scan.damaged(format!("rows are missing: {stored:?} was written and {:?} is there", scan.found)));
    }
    let mut census = stored;
    for leftover in scan.leftovers {
        sweep(tree, &leftover, &mut census).map_err(|error| open_error(error, dir))?;
    }
    Ok(census)
}

struct Scan<'a> {
    settings: &'a SledSettings,
    found: Census,
    /// The live generation of each house that has a row; the houses' table sorts before those of the generations.
    live: HashMap<HouseId, u32>,
    leftovers: BTreeSet<Leftover>,
}

/// All rows with this prefix belong to a generation that is not live.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Leftover {
    prefix: Vec<u8>,
}

impl Scan<'_> {
    fn look(&mut self, key: &[u8], row: &[u8]) -> Result<(), OpenError> {
        let payload = rows::verify(key, row).map_err(|error| self.damaged(error.to_string()))?;
        if rows::is_mark(key) {
            return Ok(());
        }
        self.found.count_in(row);
        if let Some((house, row)) = HouseRow::of_row(key, payload).map_err(|error| self.damaged(error.to_string()))? {
            self.live.insert(house, row.generation);
            return Ok(());
        }
        let Some((table, generation)) = Generation::of_key(key) else { return Ok(()) };
        // A house's first row of its own and its first records are written at once, so what has no such row is
        // generation 0 or left over.
        if self.live.get(&generation.house).copied().unwrap_or(0) != generation.number {
            self.leftovers.insert(Leftover { prefix: generation.prefix(table) });
            return Ok(());
        }
        let value = match table {
            Table::Records => rows::parse_record(key, payload.to_vec().into()).map(|record| record.value),
            Table::LogEntries => rows::parse_log_entry(key, payload.to_vec().into()).map(|entry| entry.record),
            Table::Marker | Table::Houses | Table::LogEnds | Table::IdemKeys | Table::Claims => return Ok(()),
        };
        self.check_kind(&value.map_err(|error| self.damaged(error.to_string()))?)
    }

    /// Values that are no records are their owner's business.
    fn check_kind(&self, value: &[u8]) -> Result<(), OpenError> {
        let Ok(envelope) = Envelope::open(value) else { return Ok(()) };
        let known = self.settings.known_kinds.iter().find(|known| known.kind == envelope.kind);
        match known {
            Some(known) if envelope.format > known.newest_format => Err(OpenError::NewerRecord {
                dir: self.settings.dir.clone(),
                kind: envelope.kind.to_owned(),
                found: envelope.format,
                newest: known.newest_format,
            }),
            Some(_) | None => Ok(()),
        }
    }

    fn damaged(&self, cause: String) -> OpenError {
        OpenError::Damaged { dir: self.settings.dir.clone(), cause }
    }
}

fn sweep(tree: &sled::Tree, leftover: &Leftover, census: &mut Census) -> sled::Result<()> {
    loop {
        let mut batch = sled::Batch::default();
        let mut n_rows = 0;
        for row in tree.scan_prefix(&leftover.prefix).take(SWEEP_ROWS) {
            let (key, row) = row?;
            census.count_out(&row);
            batch.remove(key);
            n_rows += 1;
        }
        if n_rows == 0 {
            return Ok(());
        }
        let (key, row) = census.row();
        batch.insert(key, row.as_ref());
        tree.apply_batch(batch)?;
    }
}
