//! Where a submission's parts come from: a form that streams in, or texts that came with a call.

use std::collections::BTreeMap;
use std::vec;

use bytes::Bytes;

use super::hash::ContentHash;

/// What stands before the files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubmissionHead {
    /// What it is called; the office names it after its version where this is absent.
    pub title: Option<String>,
    /// A word to whoever looks at it.
    pub note: Option<String>,
    /// The hashes that the files should have, by file name.
    pub sha256: BTreeMap<String, ContentHash>,
}

/// What is said of a file before its bytes come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileHead {
    /// The name as it was given, unchecked.
    pub name: String,
    /// The media type its sender declared.
    pub content_type: Option<String>,
}

/// Why no further part came.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceFault {
    /// The connection broke, or the sender gave up.
    #[error("The request body did not arrive whole.")]
    Broken,
    /// The whole is larger than it may be.
    #[error("{0}")]
    TooLarge(String),
    /// Something in it is not as it has to be. The sentence goes out with 422.
    #[error("{0}")]
    Invalid(String),
}

/// A submission on its way in. The order is that of a stream, which cannot be rewound: the head, then file by file.
#[expect(async_fn_in_trait, reason = "a form lives on the thread of its connection, so its futures are not Send")]
pub trait SubmissionSource {
    /// What stands before the first file. Asked once, first.
    async fn head(&mut self) -> Result<SubmissionHead, SourceFault>;

    /// The next file; `None` behind the last. Asked when the chunks of the one before are read.
    async fn next_file(&mut self) -> Result<Option<FileHead>, SourceFault>;

    /// The next bytes of the file; `None` at its end.
    async fn next_chunk(&mut self) -> Result<Option<Bytes>, SourceFault>;
}

/// A submission that is in memory already.
#[derive(Debug)]
pub struct InMemory {
    head: SubmissionHead,
    files: vec::IntoIter<(FileHead, Bytes)>,
    bytes: Option<Bytes>,
}

impl InMemory {
    /// A submission of these files.
    pub fn new(head: SubmissionHead, files: Vec<(FileHead, Bytes)>) -> Self {
        Self { head, files: files.into_iter(), bytes: None }
    }
}

impl SubmissionSource for InMemory {
    async fn head(&mut self) -> Result<SubmissionHead, SourceFault> {
        Ok(std::mem::take(&mut self.head))
    }

    async fn next_file(&mut self) -> Result<Option<FileHead>, SourceFault> {
        let Some((head, bytes)) = self.files.next() else { return Ok(None) };
        self.bytes = Some(bytes);
        Ok(Some(head))
    }

    async fn next_chunk(&mut self) -> Result<Option<Bytes>, SourceFault> {
        Ok(self.bytes.take())
    }
}
