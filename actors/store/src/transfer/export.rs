//! Out of a store.

use std::fmt::Write as _;

use jiff::Timestamp;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncWrite, AsyncWriteExt};

use super::{
    ExportError, Progress, Scope, Stage,
    line::{End, Header, Line, LogLine, RecordLine, Value},
};
use crate::{HouseId, Key, LogId, Seq, Store};

/// How many records or log entries are read at a time.
const PAGE_ENTRIES: u32 = 256;

/// How many houses or logs are listed at a time.
const LIST_ENTRIES: u32 = 1_000;

/// Writes everything in `scope` to `out` as JSON lines; `written_at` is the time now, for the file's first line.
///
/// May run while others write. What that means for the file: each page of up to 256 records was read at one moment, so
/// it holds no commit by half; pages were read one after the other, so of a commit made meanwhile over records of two
/// pages one part may be in the file and the other not. What nobody writes meanwhile is in the file as it is. Who needs
/// one moment for all of it exports while nobody writes. Memory use does not grow with the store.
pub async fn export(
    store: &dyn Store,
    scope: Scope,
    written_at: Timestamp,
    out: &mut (dyn AsyncWrite + Unpin + Send),
    progress: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Progress, ExportError> {
    let mut export = Export {
        store,
        lines: LineWriter { out, buffer: Vec::new(), hash: Sha256::new(), n_lines: 0 },
        done: Progress::of(Stage::Exporting, None),
        progress,
    };
    export.lines.write(&Line::Header(Header::new(scope, written_at))).await?;
    match scope {
        Scope::All => export.all_houses().await?,
        Scope::House(house) => export.house(house).await?,
    }
    if let Scope::House(house) = scope
        && export.done.n_records + export.done.n_log_entries == 0
    {
        return Err(ExportError::NoSuchHouse { house });
    }
    export.finish().await
}

struct Export<'a> {
    store: &'a dyn Store,
    lines: LineWriter<'a>,
    done: Progress,
    progress: &'a mut (dyn FnMut(&Progress) + Send),
}

impl Export<'_> {
    async fn all_houses(&mut self) -> Result<(), ExportError> {
        let mut after = None;
        loop {
            let houses = self.store.partitions(after, LIST_ENTRIES).await?;
            let Some(last) = houses.last() else { return Ok(()) };
            after = Some(*last);
            for house in houses {
                self.house(house).await?;
            }
        }
    }

    async fn house(&mut self, house: HouseId) -> Result<(), ExportError> {
        self.done.n_houses += 1;
        self.lines.write(&Line::House(house)).await?;
        self.records(house).await?;
        let mut after = None;
        loop {
            let logs = self.store.logs(house, after.as_ref(), LIST_ENTRIES).await?;
            let Some(last) = logs.last() else { return Ok(()) };
            after = Some(last.path.clone());
            for log in &logs {
                self.log(log).await?;
            }
        }
    }

    async fn records(&mut self, house: HouseId) -> Result<(), ExportError> {
        let mut after: Option<Key> = None;
        loop {
            let page = self.store.scan(&Key::all_of(house), after.as_ref(), PAGE_ENTRIES).await?;
            for (key, found) in &page.entries {
                let line = RecordLine { path: key.path.clone(), value: Value::of(&found.value) };
                self.lines.write(&Line::Record(line)).await?;
            }
            self.done.n_records += page.entries.len() as u64;
            self.show();
            if !page.more {
                return Ok(());
            }
            after = page.entries.into_iter().next_back().map(|(key, _)| key);
        }
    }

    async fn log(&mut self, log: &LogId) -> Result<(), ExportError> {
        let mut from = Seq::FIRST;
        loop {
            let entries = self.store.read_log(log, from, PAGE_ENTRIES).await?;
            let Some(last) = entries.last() else { return Ok(()) };
            from = last.seq.next();
            for entry in &entries {
                let line = LogLine {
                    path: log.path.clone(),
                    seq: entry.seq,
                    idem: entry.idem.clone(),
                    value: Value::of(&entry.record),
                };
                self.lines.write(&Line::Log(line)).await?;
            }
            self.done.n_log_entries += entries.len() as u64;
            self.show();
        }
    }

    async fn finish(mut self) -> Result<Progress, ExportError> {
        let end = End { n_lines: self.lines.n_lines, sha256: hex(&self.lines.hash.clone().finalize()) };
        self.lines.write(&Line::End(end)).await?;
        self.lines.out.flush().await?;
        self.show();
        Ok(self.done)
    }

    fn show(&mut self) {
        (self.progress)(&self.done);
    }
}

struct LineWriter<'a> {
    out: &'a mut (dyn AsyncWrite + Unpin + Send),
    buffer: Vec<u8>,
    hash: Sha256,
    n_lines: u64,
}

impl LineWriter<'_> {
    async fn write(&mut self, line: &Line<'_>) -> Result<(), ExportError> {
        self.buffer.clear();
        serde_json::to_writer(&mut self.buffer, line).map_err(std::io::Error::from)?;
        self.buffer.push(b'\n');
        self.hash.update(&self.buffer);
        self.n_lines += 1;
        self.out.write_all(&self.buffer).await?;
        Ok(())
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a string cannot fail.
        let _written = write!(text, "{byte:02x}");
        text
    })
}
