//! Exports and imports, by the process that has the store open.

use std::collections::HashSet;
use std::fmt::Display;

use playhouse_bus::HouseId;
use playhouse_house::load_house;
use playhouse_store::{ImportSettings, Scope, WhenOccupied, export, import};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncSeekExt, AsyncWrite, AsyncWriteExt, BufReader};

use super::orders::find_house;
use crate::instance::{Instance, known_kinds};

/// What is moved, and which way.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transfer {
    /// Out of the store.
    Export {
        /// One house, by id or name; everything, if absent.
        house: Option<String>,
    },
    /// Into the store.
    Import {
        /// Whether houses that have data already are replaced.
        replace: bool,
    },
}

/// What was moved.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TransferReply {
    /// Houses, the operator's own counted as one.
    pub n_houses: u64,
    /// Records.
    pub n_records: u64,
    /// Log entries.
    pub n_log_entries: u64,
}

/// Moves it. An import reads `input` to its end first and changes nothing before all of it was found sound.
pub(super) async fn transfer(
    instance: &Instance,
    order: Transfer,
    input: &mut (impl AsyncBufRead + Unpin + Send),
    output: &mut (impl AsyncWrite + Unpin + Send),
) -> Result<TransferReply, String> {
    let done = match order {
        Transfer::Export { house } => {
            let scope = match house {
                None => Scope::All,
                Some(house) => Scope::House(find_house(instance, &house).await?),
            };
            let done = export(&*instance.store, scope, (instance.clock)(), output, &mut |_| {}).await.map_err(said)?;
            output.flush().await.map_err(said)?;
            done
        }
        Transfer::Import { replace } => {
            let when_occupied = if replace { WhenOccupied::Replace } else { WhenOccupied::Refuse };
            let settings = ImportSettings { scope: Scope::All, when_occupied, known_kinds: known_kinds() };
            let mut file = spooled(instance, input).await.map_err(said)?;
            let done = import(&*instance.store, &mut file, &settings, &mut |_| {}).await;
            // Also where it failed half way: the houses before the one that failed stay imported.
            let taken_over = take_over(instance, &mut file).await;
            let done = done.map_err(said)?;
            taken_over?;
            done
        }
    };
    Ok(TransferReply { n_houses: done.n_houses, n_records: done.n_records, n_log_entries: done.n_log_entries })
}

fn said(error: impl Display) -> String {
    error.to_string()
}

/// Keeps what comes in on disk, since it is read twice. The file has no name and is gone with the process.
async fn spooled(
    instance: &Instance,
    input: &mut (impl AsyncBufRead + Unpin + Send),
) -> std::io::Result<BufReader<tokio::fs::File>> {
    let file = tempfile::tempfile_in(&instance.config.data.folder)?;
    let mut file = tokio::fs::File::from_std(file);
    tokio::io::copy_buf(input, &mut file).await?;
    file.flush().await?;
    Ok(BufReader::new(file))
}

/// Brings keys, names and actors in line with the houses that were replaced.
async fn take_over(instance: &Instance, file: &mut BufReader<tokio::fs::File>) -> Result<(), String> {
    let houses = houses_of(file).await.map_err(said)?;
    let mut ids = HashSet::new();
    instance.key_ring.forget_holders(&houses);
    for house in &houses {
        ids.extend(load_house(&*instance.store, &instance.key_ring, &instance.switches, *house).await.map_err(said)?);
        instance.tvs.load_house(&*instance.store, *house).await.map_err(said)?;
        instance.expiries.load_house(&*instance.store, *house).await.map_err(said)?;
    }
    instance.key_ring.keep_only(&houses, &ids);
    for house in houses {
        instance.bus.put_away(house);
    }
    Ok(())
}

/// The houses that a file is about: those of its lines `{"house": …}`.
async fn houses_of(file: &mut BufReader<tokio::fs::File>) -> std::io::Result<HashSet<HouseId>> {
    #[derive(Deserialize)]
    struct HouseLine {
        house: HouseId,
    }
    file.rewind().await?;
    let mut houses = HashSet::new();
    let mut line = Vec::new();
    loop {
        line.clear();
        if file.read_until(b'\n', &mut line).await? == 0 {
            return Ok(houses);
        }
        if line.starts_with(br#"{"house""#)
            && let Ok(HouseLine { house }) = serde_json::from_slice(&line)
        {
            houses.insert(house);
        }
    }
}
