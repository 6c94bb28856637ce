//! The first reading of a file: is it whole and sound, and what is in it.

use sha2::{Digest, Sha256};
use tokio::io::AsyncBufRead;

use super::{
    ImportError, Place, Progress, Stage,
    export::hex,
    line::{EXPORT_FORMAT, End, Line, Value},
    reader::LineReader,
};
use crate::{HouseId, KnownKind, round::check_name};

/// How many lines lie between two showings of the progress.
pub(super) const LINES_A_SHOWING: u64 = 256;

/// One house of a file.
pub(super) struct CheckedHouse {
    pub(super) house: HouseId,
    /// SHA-256 of its lines, by which the second reading knows that they are still the same.
    pub(super) sha256: [u8; 32],
}

/// Reads to the end and answers the houses in order. Memory grows with the number of houses, by 48 bytes each.
pub(super) async fn check(
    file: &mut (dyn AsyncBufRead + Unpin + Send),
    total_bytes: u64,
    known_kinds: &[KnownKind],
    progress: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Vec<CheckedHouse>, ImportError> {
    let mut check = Check {
        lines: LineReader::new(file),
        whole: Sha256::new(),
        done: Progress::of(Stage::Checking, Some(total_bytes)),
        known_kinds,
        houses: Vec::new(),
        open: None,
    };
    check.header().await?;
    loop {
        if !check.lines.advance().await? {
            return Err(ImportError::Cut { lines: check.lines.n_lines });
        }
        if let Some(end) = check.take_line()? {
            check.end(&end).await?;
            progress(&check.done);
            return Ok(check.houses);
        }
        if check.lines.n_lines.is_multiple_of(LINES_A_SHOWING) {
            progress(&check.done);
        }
    }
}

struct Check<'a> {
    lines: LineReader<'a>,
    /// Of all lines but the last.
    whole: Sha256,
    done: Progress,
    known_kinds: &'a [KnownKind],
    houses: Vec<CheckedHouse>,
    open: Option<OpenHouse>,
}

/// The house whose lines are being read.
struct OpenHouse {
    house: HouseId,
    sha256: Sha256,
    last: Option<Place>,
}

impl Check<'_> {
    async fn header(&mut self) -> Result<(), ImportError> {
        let not_ours = |cause: &str| ImportError::NotAnExport { cause: cause.to_owned() };
        match self.lines.advance().await {
            Ok(true) => {}
            Ok(false) => return Err(not_ours("it is empty")),
            Err(ImportError::Read(error)) => return Err(error.into()),
            Err(_) => return Err(not_ours("its first line is not a header")),
        }
        let Ok(Line::Header(header)) = self.lines.line() else {
            return Err(not_ours("its first line is not a header"));
        };
        if header.playhouse_export > EXPORT_FORMAT {
            return Err(ImportError::NewerFormat { found: header.playhouse_export, newest: EXPORT_FORMAT });
        }
        self.lines.add_to(&mut self.whole);
        Ok(())
    }

    /// Checks the line at hand; answers the end if it is that.
    fn take_line(&mut self) -> Result<Option<End>, ImportError> {
        self.done.n_bytes = self.lines.n_bytes;
        let place = match self.lines.line()? {
            Line::End(end) => return Ok(Some(end)),
            Line::Header(_) => return Err(self.lines.damaged("a second header")),
            Line::House(house) => {
                self.begin(house)?;
                self.lines.add_to(&mut self.whole);
                return Ok(None);
            }
            Line::Record(line) => {
                self.check_value(&line.value)?;
                self.done.n_records += 1;
                Place::Record(line.path)
            }
            Line::Log(line) => {
                self.check_value(&line.value)?;
                self.done.n_log_entries += 1;
                Place::Log(line.path, line.seq.0)
            }
        };
        self.lines.add_to(&mut self.whole);
        self.put(place)?;
        Ok(None)
    }

    fn begin(&mut self, house: HouseId) -> Result<(), ImportError> {
        self.close_house();
        // Exports list houses in order, which makes a house that comes twice easy to see.
        if self.houses.last().is_some_and(|last| last.house >= house) {
            return Err(self.lines.damaged("the houses are not in order"));
        }
        self.done.n_houses += 1;
        self.open = Some(OpenHouse { house, sha256: Sha256::new(), last: None });
        Ok(())
    }

    fn put(&mut self, place: Place) -> Result<(), ImportError> {
        let Some(open) = &mut self.open else { return Err(self.lines.damaged("it comes before any house")) };
        if let Err(cause) = follows(open.last.as_ref(), &place) {
            return Err(self.lines.damaged(cause));
        }
        self.lines.add_to(&mut open.sha256);
        open.last = Some(place);
        Ok(())
    }

    fn check_value(&self, value: &Value<'_>) -> Result<(), ImportError> {
        if let (Some(kind), Some(format)) = (&value.kind, value.format)
            && let Some(known) = self.known_kinds.iter().find(|known| known.kind == kind)
            && format > known.newest_format
        {
            let (line, kind) = (self.lines.n_lines, kind.clone().into_owned());
            return Err(ImportError::NewerRecord { line, kind, found: format, newest: known.newest_format });
        }
        value.bytes().map(drop).map_err(|cause| self.lines.damaged(cause))
    }

    async fn end(&mut self, end: &End) -> Result<(), ImportError> {
        self.close_house();
        let n_lines = self.lines.n_lines - 1;
        let found = End { n_lines, sha256: hex(&self.whole.clone().finalize()) };
        if found != *end {
            return Err(self.lines.damaged("its count or check sum is not that of the lines before it"));
        }
        if self.lines.advance().await? {
            return Err(self.lines.damaged("it comes after the closing line"));
        }
        Ok(())
    }

    fn close_house(&mut self) {
        if let Some(open) = self.open.take() {
            self.houses.push(CheckedHouse { house: open.house, sha256: open.sha256.finalize().into() });
        }
    }
}

/// Records come in the order of their paths, then the entries of each log from 1 without holes.
fn follows(last: Option<&Place>, place: &Place) -> Result<(), String> {
    let (Place::Record(path) | Place::Log(path, _)) = place;
    check_name(path).map_err(|error| error.to_string())?;
    match (last, place) {
        (Some(Place::Log(last_log, last_seq)), Place::Log(log, seq)) if last_log == log => {
            let due = last_seq.saturating_add(1);
            if *seq == due { Ok(()) } else { Err(format!("entry {seq} of log `{log}` comes where {due} was due")) }
        }
        (_, Place::Log(log, seq)) if *seq != 1 => Err(format!("log `{log}` begins with entry {seq}")),
        (Some(last), place) if last >= place => Err(format!("`{path}` comes twice or out of order")),
        _ => Ok(()),
    }
}
