//! How a whole house is replaced in bounded memory and yet at once.
//!
//! The new rows are written beside the live ones as the house's next generation, in ordinary rounds. Nobody sees them
//! until one row, the house's own, names that generation. What is left over of the other generation is swept away
//! afterwards, or at the next start if the process died in between.

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

use futures::StreamExt;

use crate::{
    CommitError, HouseId, RestoreEntries, RestoreEntry, RestoreError, Seq, Version, WhenOccupied, reading,
    round::{Round, Touched, check_name, check_value},
    row_store::Backend,
    rows::{self, Generation, HouseRow, Table},
};

/// How many rows one request of a restore writes or sweeps, and how many bytes: small enough to leave room for others
/// in a round.
const CHUNK_ROWS: usize = 256;
const CHUNK_BYTES: usize = 512 * 1024;

/// The houses being restored by this process. One at a time for each house, since a restore owns the next generation.
#[derive(Default)]
pub(crate) struct UnderWay(Mutex<HashSet<HouseId>>);

/// Takes the house off the list again, also when the restore's future is dropped.
struct OnTheList<'a>(&'a UnderWay, HouseId);

impl UnderWay {
    fn enter(&self, house: HouseId) -> Result<OnTheList<'_>, RestoreError> {
        let mut houses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !houses.insert(house) {
            return Err(RestoreError::UnderWay { house });
        }
        Ok(OnTheList(self, house))
    }
}

impl Drop for OnTheList<'_> {
    fn drop(&mut self) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.1);
    }
}

/// The generation being filled and the version its records get.
#[derive(Debug, Clone, Copy)]
struct Staging {
    generation: Generation,
    version: Version,
}

/// See [`Store::restore`](crate::Store::restore).
pub(crate) async fn restore<B: Backend>(
    backend: &B,
    under_way: &UnderWay,
    house: HouseId,
    entries: RestoreEntries<'_>,
    when_occupied: WhenOccupied,
) -> Result<(), RestoreError> {
    let _on_the_list = under_way.enter(house)?;
    refuse_occupied(backend, house, when_occupied).await?;
    let staging = backend.write(0, move |round| begin(round, house)).await?;
    // Left by a restore that was given up when its process died or its caller went away.
    sweep(backend, staging.generation).await?;
    if let Err(error) = fill(backend, staging, entries).await {
        sweep_later_if_need_be(backend, staging.generation).await;
        return Err(error);
    }
    let old = match backend.write(0, move |round| Ok(finish(round, staging, when_occupied))).await? {
        Ok(old) => old,
        Err(error) => {
            sweep_later_if_need_be(backend, staging.generation).await;
            return Err(error);
        }
    };
    sweep_later_if_need_be(backend, old).await;
    Ok(())
}

async fn refuse_occupied<B: Backend>(
    backend: &B,
    house: HouseId,
    when_occupied: WhenOccupied,
) -> Result<(), RestoreError> {
    let occupied = backend.read(move |rows| reading::has_anything(rows, Generation::live(rows, house)?));
    if when_occupied == WhenOccupied::Refuse && occupied.await.map_err(CommitError::from)? {
        return Err(RestoreError::Occupied { house });
    }
    Ok(())
}

/// Reserves a version that no other write of the house will get, so that a version read before the restore never fits
/// after it.
fn begin(round: &mut Round<'_>, house: HouseId) -> Result<Staging, CommitError> {
    let mut row = round.house(house)?;
    row.last_version += 1;
    round.put(HouseRow::key(house), &row.payload());
    Ok(Staging {
        generation: Generation { house, number: row.generation.wrapping_add(1) },
        version: Version(row.last_version),
    })
}

async fn fill<B: Backend>(backend: &B, staging: Staging, mut entries: RestoreEntries<'_>) -> Result<(), RestoreError> {
    let mut chunk = Vec::new();
    let mut n_bytes = 0;
    while let Some(entry) = entries.next().await {
        let entry = entry?;
        n_bytes += match &entry {
            RestoreEntry::Record { value, .. } => value.len(),
            RestoreEntry::Log { entry, .. } => entry.record.len(),
        };
        chunk.push(entry);
        if chunk.len() == CHUNK_ROWS || n_bytes >= CHUNK_BYTES {
            put_aside(backend, staging, std::mem::take(&mut chunk), n_bytes).await?;
            n_bytes = 0;
        }
    }
    put_aside(backend, staging, chunk, n_bytes).await
}

async fn put_aside<B: Backend>(
    backend: &B,
    staging: Staging,
    chunk: Vec<RestoreEntry>,
    n_bytes: usize,
) -> Result<(), RestoreError> {
    backend
        .write(n_bytes, move |round| {
            for entry in &chunk {
                if let Err(error) = put_one_aside(round, staging, entry) {
                    return Ok(Err(error));
                }
            }
            Ok(Ok(()))
        })
        .await?
}

fn put_one_aside(round: &mut Round<'_>, staging: Staging, entry: &RestoreEntry) -> Result<(), RestoreError> {
    match entry {
        RestoreEntry::Record { path, value } => {
            check_name(path).map_err(CommitError::from)?;
            check_value(path, value).map_err(CommitError::from)?;
            round.put(staging.generation.record(path), &rows::record_payload(staging.version, value));
        }
        RestoreEntry::Log { log, entry } => {
            check_name(log).map_err(CommitError::from)?;
            check_value(log, &entry.record).map_err(CommitError::from)?;
            let expected = next_in_log(round, staging.generation, log)?;
            if entry.seq != expected {
                return Err(RestoreError::LogOutOfOrder { log: log.clone(), expected, found: entry.seq });
            }
            round.put_log_entry(staging.generation, log, entry.seq, &entry.idem, &entry.record);
        }
    }
    Ok(())
}

fn next_in_log(round: &Round<'_>, generation: Generation, log: &crate::Path) -> Result<Seq, CommitError> {
    let key = generation.log_end(log);
    match round.payload(&key)? {
        Some(payload) => Ok(rows::parse_number(&key, payload)?.next()),
        None => Ok(Seq::FIRST),
    }
}

/// Makes the filled generation the live one; answers the old one.
fn finish(round: &mut Round<'_>, staging: Staging, when_occupied: WhenOccupied) -> Result<Generation, RestoreError> {
    let house = staging.generation.house;
    let mut row = round.house(house).map_err(CommitError::from)?;
    let old = Generation { house, number: row.generation };
    // Asked again, since someone may have written meanwhile, even a moment ago in this round.
    let occupied = reading::has_anything(round.rows_before(), old).map_err(CommitError::from)?
        || round.puts_beneath(&old.prefix(Table::Records))
        || round.puts_beneath(&old.prefix(Table::LogEnds));
    if when_occupied == WhenOccupied::Refuse && occupied {
        return Err(RestoreError::Occupied { house });
    }
    row.generation = staging.generation.number;
    round.put(HouseRow::key(house), &row.payload());
    round.touch(Touched::House(house));
    Ok(old)
}

/// Removes all rows of a generation that is not live.
async fn sweep<B: Backend>(backend: &B, generation: Generation) -> Result<(), CommitError> {
    for table in Table::OF_A_GENERATION {
        let prefix = generation.prefix(table);
        loop {
            let prefix = prefix.clone();
            let n_removed = backend
                .write(0, move |round| {
                    let keys = reading::keys_beneath(round.rows_before(), &prefix, CHUNK_ROWS)?;
                    let n_keys = keys.len();
                    keys.into_iter().for_each(|key| round.remove(key));
                    Ok(n_keys)
                })
                .await?;
            if n_removed < CHUNK_ROWS {
                break;
            }
        }
    }
    Ok(())
}

/// Invisible rows cost space only: what cannot be swept now is swept by the next restore of the house or the next
/// start.
async fn sweep_later_if_need_be<B: Backend>(backend: &B, generation: Generation) {
    if let Err(error) = sweep(backend, generation).await {
        tracing::warn!(house = %generation.house, %error, "rows of a replaced house are left for the next start");
    }
}
