//! Into a store.

use std::io::SeekFrom;

use futures::{StreamExt, stream};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncBufRead, AsyncSeek, AsyncSeekExt};

use super::{
    ImportError, Progress, Scope, Stage,
    checked::{CheckedHouse, LINES_A_SHOWING, check},
    line::Line,
    reader::LineReader,
};
use crate::{HouseId, Key, KnownKind, LogEntry, RestoreEntry, RestoreError, Store, StoreError, WhenOccupied};

/// What to import and how.
#[derive(Debug, Clone)]
pub struct ImportSettings {
    /// All houses of the file, or one of them.
    pub scope: Scope,
    /// What to do with houses that have data already. Houses that are not in the file are never touched.
    pub when_occupied: WhenOccupied,
    /// The records this program knows; a file with a newer format of one of them is refused.
    pub known_kinds: Vec<KnownKind>,
}

/// Brings an export into `store`, which may be serving.
///
/// The whole file is read and checked first; a damaged, cut or newer one is refused with nothing changed, and so is one
/// with houses that have data already unless they are to be replaced. Then house after house is replaced, each all or
/// nothing and at once for its readers. If one fails, those before it stay imported, and the import can be repeated.
pub async fn import<F>(
    store: &dyn Store,
    file: &mut F,
    settings: &ImportSettings,
    progress: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Progress, ImportError>
where
    F: AsyncBufRead + AsyncSeek + Unpin + Send,
{
    let total_bytes = file.seek(SeekFrom::End(0)).await?;
    file.rewind().await?;
    let mut houses = check(file, total_bytes, &settings.known_kinds, progress).await?;
    if let Scope::House(wanted) = settings.scope {
        houses.retain(|checked| checked.house == wanted);
        if houses.is_empty() {
            return Err(ImportError::NoSuchHouse { house: wanted });
        }
    }
    if settings.when_occupied == WhenOccupied::Refuse {
        refuse_occupied(store, &houses).await?;
    }
    file.rewind().await?;
    let mut second = SecondReading {
        lines: LineReader::new(file),
        done: Progress::of(Stage::Importing, Some(total_bytes)),
        progress,
        in_hand: false,
    };
    for (n_done, checked) in houses.iter().enumerate() {
        let restored = second.restore(store, checked, settings.when_occupied).await;
        restored.map_err(|error| ImportError::House { house: checked.house, error, n_done })?;
    }
    second.show();
    Ok(second.done)
}

async fn refuse_occupied(store: &dyn Store, houses: &[CheckedHouse]) -> Result<(), ImportError> {
    let mut occupied = Vec::new();
    for checked in houses {
        if has_anything(store, checked.house).await? {
            occupied.push(checked.house);
        }
    }
    if occupied.is_empty() { Ok(()) } else { Err(ImportError::Occupied { houses: occupied }) }
}

async fn has_anything(store: &dyn Store, house: HouseId) -> Result<bool, StoreError> {
    let records = store.scan(&Key::all_of(house), None, 1).await?;
    Ok(!records.entries.is_empty() || !store.logs(house, None, 1).await?.is_empty())
}

/// Reads the file again, house by house.
struct SecondReading<'a> {
    lines: LineReader<'a>,
    done: Progress,
    progress: &'a mut (dyn FnMut(&Progress) + Send),
    /// Whether the line at hand has been read but belongs to the next house.
    in_hand: bool,
}

impl SecondReading<'_> {
    async fn restore(
        &mut self,
        store: &dyn Store,
        checked: &CheckedHouse,
        when_occupied: WhenOccupied,
    ) -> Result<(), RestoreError> {
        self.find(checked.house).await?;
        self.done.n_houses += 1;
        let entries = stream::try_unfold((self, Sha256::new()), |(reading, mut hash)| async move {
            let Some(entry) = reading.entry(&mut hash).await? else {
                // Before the stream ends, and with it the restore: what is not what was checked must not come in.
                let same = <[u8; 32]>::from(hash.finalize()) == checked.sha256;
                return if same { Ok(None) } else { Err(changed()) };
            };
            Ok(Some((entry, (reading, hash))))
        });
        store.restore(checked.house, entries.boxed(), when_occupied).await
    }

    /// Goes to the line that begins `house`.
    async fn find(&mut self, house: HouseId) -> Result<(), RestoreError> {
        loop {
            self.advance().await?;
            if matches!(self.lines.line(), Ok(Line::House(found)) if found == house) {
                return Ok(());
            }
        }
    }

    /// The next entry of the house at hand; `None` at the line after it.
    async fn entry(&mut self, hash: &mut Sha256) -> Result<Option<RestoreEntry>, RestoreError> {
        self.advance().await?;
        let (path, value, log_place) = match self.lines.line().map_err(source)? {
            Line::Record(line) => (line.path, line.value, None),
            Line::Log(line) => (line.path, line.value, Some((line.seq, line.idem))),
            Line::Header(_) | Line::House(_) | Line::End(_) => {
                self.in_hand = true;
                return Ok(None);
            }
        };
        let bytes = value.bytes().map_err(RestoreError::Source)?;
        self.lines.add_to(hash);
        Ok(Some(match log_place {
            None => {
                self.done.n_records += 1;
                RestoreEntry::Record { path, value: bytes }
            }
            Some((seq, idem)) => {
                self.done.n_log_entries += 1;
                RestoreEntry::Log { log: path, entry: LogEntry { seq, idem, record: bytes } }
            }
        }))
    }

    async fn advance(&mut self) -> Result<(), RestoreError> {
        if std::mem::take(&mut self.in_hand) {
            return Ok(());
        }
        if !self.lines.advance().await.map_err(source)? {
            return Err(changed());
        }
        self.done.n_bytes = self.lines.n_bytes;
        if self.lines.n_lines.is_multiple_of(LINES_A_SHOWING) {
            self.show();
        }
        Ok(())
    }

    fn show(&mut self) {
        (self.progress)(&self.done);
    }
}

#[expect(clippy::needless_pass_by_value, reason = "shaped for map_err")]
fn source(error: ImportError) -> RestoreError {
    RestoreError::Source(error.to_string())
}

fn changed() -> RestoreError {
    RestoreError::Source("the file was changed while it was being imported".to_owned())
}
