//! A submission as `multipart/form-data`, read while it streams in.

use std::cell::Cell;
use std::rc::Rc;

use actix_multipart::{Field, Multipart, MultipartError};
use actix_web::HttpRequest;
use actix_web::error::PayloadError;
use actix_web::web::{Bytes, Payload};
use futures_util::{Stream, StreamExt, TryStreamExt};
use playhouse_production::media::{ContentHash, FileHead, SourceFault, SubmissionHead, SubmissionSource};

use crate::http::BodyError;

/// The largest text part in bytes: 4000 characters of note, or the hashes of 200 files, with room to spare.
const MAX_TEXT_BYTES: usize = 128 * 1024;
/// The name of the parts that are files.
const FILES: &str = "files";

/// A form that is coming in.
pub(super) struct SubmissionForm {
    parts: Multipart,
    /// The file that is being read, or that ended the head and is next.
    file: Option<Field>,
    /// Set once more came than may; the parser reports its own limits with the same error.
    is_too_large: Rc<Cell<bool>>,
    max_bytes: u64,
}

impl SubmissionForm {
    /// The form in `payload`, of at most `max_bytes` in all.
    pub(super) fn new(request: &HttpRequest, payload: Payload, max_bytes: u64) -> Self {
        let is_too_large = Rc::new(Cell::new(false));
        let counted = bounded(payload, max_bytes, Rc::clone(&is_too_large));
        Self { parts: Multipart::new(request.headers(), counted), file: None, is_too_large, max_bytes }
    }

    async fn next_part(&mut self) -> Result<Option<Field>, SourceFault> {
        self.parts.try_next().await.map_err(|error| self.fault(&error))
    }

    async fn text(&self, mut part: Field, name: &str) -> Result<String, SourceFault> {
        match part.bytes(MAX_TEXT_BYTES).await {
            Err(_) => Err(SourceFault::Invalid(format!("{name} is too long."))),
            Ok(Err(error)) => Err(self.fault(&error)),
            Ok(Ok(bytes)) => String::from_utf8(bytes.into())
                .map_err(|_| SourceFault::Invalid(format!("{name} must be text in UTF-8."))),
        }
    }

    fn fault(&self, error: &MultipartError) -> SourceFault {
        match error {
            _ if self.is_too_large.get() => {
                let cap = usize::try_from(self.max_bytes).unwrap_or(usize::MAX);
                SourceFault::TooLarge(BodyError::TooLarge { cap }.to_string())
            }
            MultipartError::Payload(PayloadError::Overflow) => {
                SourceFault::Invalid("The form cannot be read: a part's headers are too long.".to_owned())
            }
            MultipartError::Payload(_) | MultipartError::Incomplete => SourceFault::Broken,
            other => SourceFault::Invalid(format!("The form cannot be read: {other}.")),
        }
    }
}

impl SubmissionSource for SubmissionForm {
    async fn head(&mut self) -> Result<SubmissionHead, SourceFault> {
        let mut head = SubmissionHead::default();
        while let Some(part) = self.next_part().await? {
            let name = part.name().unwrap_or_default().to_owned();
            match name.as_str() {
                FILES => {
                    self.file = Some(part);
                    break;
                }
                "title" => head.title = Some(self.text(part, "title").await?).filter(|title| !title.is_empty()),
                "note" => head.note = Some(self.text(part, "note").await?).filter(|note| !note.is_empty()),
                "sha256" => head.sha256 = hashes(&self.text(part, "sha256").await?)?,
                other => return Err(SourceFault::Invalid(unknown_part(other))),
            }
        }
        Ok(head)
    }

    async fn next_file(&mut self) -> Result<Option<FileHead>, SourceFault> {
        if self.file.is_none() {
            self.file = self.next_part().await?;
        }
        let Some(part) = &self.file else { return Ok(None) };
        match part.name().unwrap_or_default() {
            FILES => {}
            "title" | "note" | "sha256" => {
                return Err(SourceFault::Invalid(
                    "title, note and sha256 come before the files: a stream cannot be rewound.".to_owned(),
                ));
            }
            other => return Err(SourceFault::Invalid(unknown_part(other))),
        }
        let name = part.content_disposition().and_then(|disposition| disposition.get_filename());
        let name =
            name.ok_or_else(|| SourceFault::Invalid("A part named files needs a filename.".to_owned()))?.to_owned();
        Ok(Some(FileHead { name, content_type: part.content_type().map(|declared| declared.essence_str().to_owned()) }))
    }

    async fn next_chunk(&mut self) -> Result<Option<Bytes>, SourceFault> {
        let Some(part) = &mut self.file else { return Ok(None) };
        match part.next().await {
            Some(Ok(chunk)) => Ok(Some(chunk)),
            Some(Err(error)) => Err(self.fault(&error)),
            None => {
                self.file = None;
                Ok(None)
            }
        }
    }
}

fn unknown_part(name: &str) -> String {
    format!("Unknown part '{}'. The parts are title, note, sha256 and files.", super::parameters::shown(name))
}

fn hashes(text: &str) -> Result<std::collections::BTreeMap<String, ContentHash>, SourceFault> {
    serde_json::from_str(text).map_err(|_| {
        SourceFault::Invalid("sha256 must be a JSON object from file names to 64 hexadecimal digits.".to_owned())
    })
}

/// The payload, cut once it is larger than `max_bytes`.
fn bounded(
    payload: Payload,
    max_bytes: u64,
    is_too_large: Rc<Cell<bool>>,
) -> impl Stream<Item = Result<Bytes, PayloadError>> {
    let mut n_bytes = 0_u64;
    payload.map(move |chunk| {
        let chunk = chunk?;
        n_bytes += chunk.len() as u64;
        is_too_large.set(n_bytes > max_bytes);
        if is_too_large.get() { Err(PayloadError::Overflow) } else { Ok(chunk) }
    })
}
