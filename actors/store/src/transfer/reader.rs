//! Lines of an export, one at a time and never longer than a line may be.

use sha2::{Digest, Sha256};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

use super::{
    ImportError,
    line::{Line, MAX_LINE_BYTES},
};

/// Reads lines and counts them.
pub(super) struct LineReader<'a> {
    file: &'a mut (dyn AsyncBufRead + Unpin + Send),
    buffer: Vec<u8>,
    /// Lines read so far; the number of the line at hand.
    pub(super) n_lines: u64,
    pub(super) n_bytes: u64,
}

impl<'a> LineReader<'a> {
    pub(super) fn new(file: &'a mut (dyn AsyncBufRead + Unpin + Send)) -> Self {
        Self { file, buffer: Vec::new(), n_lines: 0, n_bytes: 0 }
    }

    /// Goes to the next line; false when there is none. A last line without its line break counts as cut off.
    pub(super) async fn advance(&mut self) -> Result<bool, ImportError> {
        self.buffer.clear();
        let mut limited = (&mut *self.file).take(MAX_LINE_BYTES as u64);
        let n_bytes = limited.read_until(b'\n', &mut self.buffer).await?;
        if n_bytes == 0 {
            return Ok(false);
        }
        if self.buffer.last() != Some(&b'\n') {
            if n_bytes == MAX_LINE_BYTES {
                return Err(self.damaged_at(self.n_lines + 1, format!("it is longer than {MAX_LINE_BYTES} bytes")));
            }
            return Err(ImportError::Cut { lines: self.n_lines });
        }
        self.n_lines += 1;
        self.n_bytes += n_bytes as u64;
        Ok(true)
    }

    /// The line at hand.
    pub(super) fn line(&self) -> Result<Line<'_>, ImportError> {
        serde_json::from_slice(&self.buffer).map_err(|error| self.damaged(error.to_string()))
    }

    /// Adds the line at hand, with its line break, to a check sum.
    pub(super) fn add_to(&self, hash: &mut Sha256) {
        hash.update(&self.buffer);
    }

    pub(super) fn damaged(&self, cause: impl Into<String>) -> ImportError {
        self.damaged_at(self.n_lines, cause.into())
    }

    fn damaged_at(&self, line: u64, cause: String) -> ImportError {
        ImportError::Damaged { line, cause }
    }
}
