//! One file on its way in: hashed while it is written, in constant memory.
//!
//! The door's thread only hands chunks on. A thread of its own hashes and writes them, fed through a short queue: when the disk is slower
//! than the network, the queue fills, the door stops reading, and the sender's own socket slows it down.

use std::io::{self, Write};

use bytes::Bytes;
use rustix::fs::{Advice, fadvise};
use sha2::{Digest, Sha256};
use tempfile::{NamedTempFile, TempPath};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::hash::ContentHash;
use super::name::FileName;
use super::store::{MediaError, MediaStore};

/// Bytes that travel to the writer at once. Network chunks are some kilobytes; a hand-over for each would cost more than the hashing.
const BATCH_BYTES: usize = 512 * 1024;
/// Batches on their way. With the one being collected and the one being written this bounds what an upload takes of memory.
const MAX_BATCHES: usize = 4;
/// After so many bytes the system is told to begin writing them to the disk, so that the sync at the end finds little left to do, and
/// after so many it is looked again whether the disk has room.
const WINDOW_BYTES: u64 = 32 * 1024 * 1024;
/// Small chunks are written together.
const WRITE_BUFFER_BYTES: usize = 256 * 1024;

enum Order {
    Write(Vec<Bytes>),
    /// All is there. A queue that ends without it means that the sender has gone.
    Finish,
}

/// A file that is coming in. Dropped before [`Intake::finish`], it leaves nothing behind.
pub struct Intake {
    name: FileName,
    max_bytes: u64,
    n_bytes: u64,
    batch: Vec<Bytes>,
    batch_bytes: usize,
    orders: mpsc::Sender<Order>,
    writer: JoinHandle<Result<Written, MediaError>>,
}

/// A file that came in whole and is on the disk, though not in its place yet. Dropped, it leaves nothing behind.
#[derive(Debug)]
pub struct Received {
    /// The name it was given.
    pub name: FileName,
    /// The hash of its bytes.
    pub hash: ContentHash,
    /// How many they are.
    pub n_bytes: u64,
    pub(super) file: TempPath,
}

struct Written {
    hash: ContentHash,
    file: TempPath,
}

impl MediaStore {
    /// Begins to take a file in. Runs on a tokio runtime.
    pub fn receive(&self, name: FileName) -> Intake {
        let (orders, queue) = mpsc::channel(MAX_BATCHES);
        let store = self.clone();
        let writer = tokio::task::spawn_blocking(move || write(&store, queue));
        Intake {
            name,
            max_bytes: self.limits().max_file_bytes,
            n_bytes: 0,
            batch: Vec::new(),
            batch_bytes: 0,
            orders,
            writer,
        }
    }
}

impl Intake {
    /// Takes the next bytes; waits while the disk is behind.
    ///
    /// # Errors
    /// [`MediaError::TooLarge`], [`MediaError::Full`], [`MediaError::Failed`]. The file is given up then.
    pub async fn write(&mut self, chunk: Bytes) -> Result<(), MediaError> {
        self.n_bytes += chunk.len() as u64;
        if self.n_bytes > self.max_bytes {
            return Err(MediaError::TooLarge { name: self.name.to_string(), max_bytes: self.max_bytes });
        }
        self.batch_bytes += chunk.len();
        self.batch.push(chunk);
        if self.batch_bytes >= BATCH_BYTES { self.hand_over().await } else { Ok(()) }
    }

    /// Ends the file: it is whole, hashed and synced when this answers.
    ///
    /// # Errors
    /// [`MediaError::Empty`], [`MediaError::Full`], [`MediaError::Failed`].
    pub async fn finish(mut self) -> Result<Received, MediaError> {
        if self.n_bytes == 0 {
            return Err(MediaError::Empty { name: self.name.to_string() });
        }
        self.hand_over().await?;
        self.order(Order::Finish).await?;
        let Written { hash, file } = joined((&mut self.writer).await)?;
        Ok(Received { name: self.name, hash, n_bytes: self.n_bytes, file })
    }

    async fn hand_over(&mut self) -> Result<(), MediaError> {
        self.batch_bytes = 0;
        let batch = std::mem::take(&mut self.batch);
        self.order(Order::Write(batch)).await
    }

    async fn order(&mut self, order: Order) -> Result<(), MediaError> {
        if self.orders.send(order).await.is_ok() {
            return Ok(());
        }
        // The writer has ended before its time; it says why.
        match joined((&mut self.writer).await) {
            Ok(_) => Err(MediaError::Failed(io::Error::other("the writer ended before the file did"))),
            Err(error) => Err(error),
        }
    }
}

fn joined(ended: Result<Result<Written, MediaError>, tokio::task::JoinError>) -> Result<Written, MediaError> {
    ended.unwrap_or_else(|error| Err(MediaError::Failed(io::Error::other(error))))
}

/// The writer's thread, from the first chunk to the sync. Whatever way it ends but the last, the temporary file goes with it.
fn write(store: &MediaStore, mut queue: mpsc::Receiver<Order>) -> Result<Written, MediaError> {
    let file = tempfile::Builder::new().prefix("upload-").tempfile_in(store.incoming())?;
    let mut writer = io::BufWriter::with_capacity(WRITE_BUFFER_BYTES, file);
    let mut hasher = Sha256::new();
    let (mut n_bytes, mut window_start) = (0_u64, 0_u64);
    loop {
        match queue.blocking_recv() {
            Some(Order::Write(batch)) => {
                for chunk in batch {
                    hasher.update(&chunk);
                    writer.write_all(&chunk)?;
                    n_bytes += chunk.len() as u64;
                }
            }
            Some(Order::Finish) => break,
            None => return Err(MediaError::Failed(io::ErrorKind::UnexpectedEof.into())),
        }
        if n_bytes - window_start >= WINDOW_BYTES {
            store.check_space(0)?;
            begin_to_sync(writer.get_ref(), window_start, n_bytes - window_start);
            window_start = n_bytes;
        }
    }
    let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    Ok(Written { hash: ContentHash::from_bytes(hasher.finalize().into()), file: file.into_temp_path() })
}

/// Asks the system to write a part of the file to the disk and to keep none of it in its cache: nobody reads it soon, and others' pages
/// would have to go for it. Advice only; the sync at the end is what counts.
fn begin_to_sync(file: &NamedTempFile, start: u64, n_bytes: u64) {
    let _ = fadvise(file.as_file(), start, std::num::NonZeroU64::new(n_bytes), Advice::DontNeed);
}
