//! A small file beside the database that knows how far it had come.
//!
//! The census inside the database cannot tell when the whole end of the database is lost, since its own last row goes
//! with it. After each durable round its number is therefore written to this file as well. That write is not synced:
//! after a power cut the file may be behind the database, which says nothing, but it is never ahead of it, unless the
//! database has lost something.

use std::{
    fs::File,
    io::{self, ErrorKind, Read, Seek, Write},
    path::Path as FilePath,
};

const FILE_NAME: &str = "witness";
const NUMBER_BYTES: usize = 8;
const SUM_BYTES: usize = 4;

/// The open file.
pub(crate) struct Witness(File);

impl Witness {
    /// The number in the file of `dir`; `None` when there is no file or when it is unreadable itself, which a power cut
    /// may cause.
    pub(crate) fn read(dir: &FilePath) -> io::Result<Option<u64>> {
        let mut bytes = Vec::new();
        match File::open(dir.join(FILE_NAME)) {
            Ok(file) => file.take(64).read_to_end(&mut bytes)?,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let number = parse(&bytes);
        if number.is_none() {
            tracing::warn!(dir = %dir.display(), "the store's witness file is unreadable; this start cannot tell whether its last writes are there");
        }
        Ok(number)
    }

    /// Opens or makes the file and puts it on the disk with the number `n_rounds`.
    pub(crate) fn open(dir: &FilePath, n_rounds: u64) -> io::Result<Witness> {
        let file = File::options().write(true).create(true).truncate(false).open(dir.join(FILE_NAME))?;
        let witness = Witness(file);
        witness.note(n_rounds)?;
        witness.0.sync_all()?;
        Ok(witness)
    }

    /// Writes that round `n_rounds` is durable. The few bytes lie in one sector of the disk, so they are the old or the
    /// new ones.
    pub(crate) fn note(&self, n_rounds: u64) -> io::Result<()> {
        let number = n_rounds.to_be_bytes();
        let mut bytes = number.to_vec();
        bytes.extend_from_slice(&crc32fast::hash(&number).to_be_bytes());
        let mut file = &self.0;
        file.rewind()?;
        file.write_all(&bytes)
    }
}

fn parse(bytes: &[u8]) -> Option<u64> {
    let (number, sum) = bytes.split_first_chunk::<NUMBER_BYTES>()?;
    let sum = <[u8; SUM_BYTES]>::try_from(sum).ok()?;
    (crc32fast::hash(number) == u32::from_be_bytes(sum)).then(|| u64::from_be_bytes(*number))
}
