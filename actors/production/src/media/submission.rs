//! A submission from its first byte to its record, whichever door it comes through.
//!
//! The office is asked before a byte is read whether it would take the submission, and told at the end, when all files are whole, hashed,
//! synced and in their places, and the key that sent them still opens doors. Whatever goes wrong before that leaves nothing behind.

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use playhouse_bus::{Bus, CallError, Deadline};
use playhouse_house::{KeyRing, Principal};
use playhouse_store::Clock;
use unicode_normalization::UnicodeNormalization;

use super::content_type::content_type;
use super::intake::Received;
use super::name::{FileName, FileNames, NameFault};
use super::placement::Placement;
use super::source::{SourceFault, SubmissionHead, SubmissionSource};
use super::store::{MediaError, MediaStore};
use crate::actor::ProductionActor;
use crate::messages::{BeginSubmission, CommitSubmission, Idempotency, ReceivedFile, Writer};
use crate::model::Via;
use crate::{OfficeRefusal, Written};

/// How long the office may take to say whether it takes a submission, and to record one.
const OFFICE_DEADLINE: Duration = Duration::from_secs(25);
/// Characters of a title.
const MAX_TITLE: usize = 200;
/// Characters of a note.
const MAX_NOTE: usize = 4_000;
/// So many bytes are told of in the log.
const LOG_EVERY_BYTES: u64 = 1024 * 1024 * 1024;

/// Takes submissions in. Cheap to clone.
#[derive(Clone)]
pub struct SubmissionDesk {
    /// Where the files go.
    pub media: MediaStore,
    /// Asked again before a submission is recorded.
    pub key_ring: KeyRing,
    /// The time of day.
    pub clock: Clock,
}

/// What a door knows of a submission before it comes in.
#[derive(Debug, Clone)]
pub struct SubmissionOrder {
    /// Which turnover, as the caller wrote it.
    pub turnover_id: i64,
    /// Through which door it comes.
    pub via: Via,
    /// How many bytes it announces; 0 where it announces nothing.
    pub announced_bytes: u64,
    /// The key of an earlier try, if it has one. The office compares what came with what came then.
    pub idempotency_key: Option<String>,
}

impl SubmissionDesk {
    /// Takes a submission in. Sending the same files again is answered with the submission that they made, so whoever lost the answer
    /// sends all of it again.
    ///
    /// # Errors
    /// 404 and 409 as the office sees the turnover; 507 and 503 for the disk; 408, 413 and 422 for what comes in; 401 and 403 when the
    /// key died meanwhile. Nothing is left of it then.
    pub async fn take(
        &self,
        bus: &Bus,
        principal: &Principal,
        order: SubmissionOrder,
        source: &mut impl SubmissionSource,
    ) -> Result<Written, OfficeRefusal> {
        let writer = Writer::of(principal);
        let question = BeginSubmission {
            writer: writer.clone(),
            turnover_id: order.turnover_id,
            idempotency_key: order.idempotency_key.clone(),
        };
        let office = ProductionActor::key(principal.house);
        let welcome = bus.call(office, question, Deadline::after(OFFICE_DEADLINE)).await??;
        let _permit = self.media.admit(order.announced_bytes)?;
        let _counted = UnderWay::begin();

        let started = (self.clock)();
        let mut inbox = Inbox::new(&self.media);
        let head = composed(self.in_time(source.head()).await?)?;
        check_text("title", head.title.as_deref(), MAX_TITLE)?;
        check_text("note", head.note.as_deref(), MAX_NOTE)?;
        while let Some(file) = self.in_time(source.next_file()).await? {
            let mut file = inbox.begin(&file.name, file.content_type.as_deref())?;
            while let Some(chunk) = self.in_time(source.next_chunk()).await? {
                file.write(chunk).await?;
            }
            inbox.end(file, &head).await?;
        }
        inbox.check_complete(&head)?;
        // The upload may have taken hours, and the key may have been revoked since it began.
        self.key_ring
            .standing(principal.credential, (self.clock)())
            .map_err(|refusal| OfficeRefusal::new(refusal.status(), refusal.to_string()))?;

        let (received, files) = (std::mem::take(&mut inbox.received), std::mem::take(&mut inbox.files));
        let n_bytes = inbox.n_bytes;
        let turnover = welcome.delivery_id;
        tracing::info!(%turnover, n_files = files.len(), n_bytes, %started, "a submission came in whole");
        let idempotency = order
            .idempotency_key
            .map(|key| Idempotency { key, request_sha256: fingerprint(turnover.0, &head, &files) });
        let commit = CommitSubmission {
            writer,
            turnover_id: order.turnover_id,
            title: head.title,
            note: head.note,
            via: order.via,
            files,
            idempotency,
        };
        self.record(bus, principal, received, commit).await
    }

    /// Moves the files to their places and has the office record them. It runs as a task of its own: a caller that hangs up now must not
    /// take files away that the office is about to name.
    async fn record(
        &self,
        bus: &Bus,
        principal: &Principal,
        received: Vec<Received>,
        commit: CommitSubmission,
    ) -> Result<Written, OfficeRefusal> {
        let (media, bus) = (self.media.clone(), bus.clone());
        let office = ProductionActor::key(principal.house);
        let recording = tokio::spawn(async move {
            let placed = tokio::task::spawn_blocking(move || media.place(received)).await;
            let mut placement = placed.map_err(|error| MediaError::Failed(std::io::Error::other(error)))??;
            placement.offer();
            let committed = bus.call(office, commit, Deadline::after(OFFICE_DEADLINE)).await;
            settle(placement, committed).await
        });
        recording.await.map_err(|error| {
            tracing::error!(%error, "recording a submission failed");
            OfficeRefusal::unavailable()
        })?
    }

    /// Waits for the sender no longer than a sender may be silent.
    async fn in_time<T>(&self, part: impl Future<Output = Result<T, SourceFault>>) -> Result<T, OfficeRefusal> {
        within(self.media.limits().idle, part).await
    }
}

async fn within<T>(idle: Duration, part: impl Future<Output = Result<T, SourceFault>>) -> Result<T, OfficeRefusal> {
    match tokio::time::timeout(idle, part).await {
        Ok(part) => Ok(part?),
        Err(_) => Err(OfficeRefusal::new(408, format!("No bytes arrived for {} s.", idle.as_secs()))),
    }
}

/// Leaves the files where they are if a record names them or may name them, and takes them away if none does.
async fn settle(
    placement: Placement,
    committed: Result<Result<Written, OfficeRefusal>, CallError>,
) -> Result<Written, OfficeRefusal> {
    let may_be_recorded = match &committed {
        Ok(Ok(_)) | Err(CallError::Panicked { .. } | CallError::Deadline { started: true }) => true,
        Ok(Err(refusal)) => refusal.in_doubt,
        Err(
            CallError::Busy { .. }
            | CallError::Parked { .. }
            | CallError::Deadline { started: false }
            | CallError::NotFound
            | CallError::NotServed { .. }
            | CallError::Closing,
        ) => false,
    };
    if may_be_recorded {
        placement.keep();
    } else {
        // Removing a large file takes the disk a while.
        let _ = tokio::task::spawn_blocking(move || placement.take_away()).await;
    }
    committed?
}

/// The files of one submission that have come in so far.
struct Inbox<'m> {
    media: &'m MediaStore,
    names: FileNames,
    received: Vec<Received>,
    files: Vec<ReceivedFile>,
    n_bytes: u64,
}

/// A file that is coming in.
struct OpenFile {
    intake: super::intake::Intake,
    content_type: String,
    n_bytes: u64,
    n_logged: u64,
}

impl OpenFile {
    async fn write(&mut self, chunk: Bytes) -> Result<(), OfficeRefusal> {
        let n_bytes = chunk.len() as u64;
        metrics::counter!("playhouse_submission_bytes_total").increment(n_bytes);
        self.n_bytes += n_bytes;
        if self.n_bytes - self.n_logged >= LOG_EVERY_BYTES {
            self.n_logged = self.n_bytes;
            tracing::info!(n_bytes = self.n_bytes, "a file is coming in");
        }
        Ok(self.intake.write(chunk).await?)
    }
}

impl<'m> Inbox<'m> {
    fn new(media: &'m MediaStore) -> Self {
        Self { media, names: FileNames::default(), received: Vec::new(), files: Vec::new(), n_bytes: 0 }
    }

    fn begin(&mut self, name: &str, declared: Option<&str>) -> Result<OpenFile, OfficeRefusal> {
        let name = FileName::parse(name)?;
        self.names.add(&name)?;
        let max_files = self.media.limits().max_files;
        if self.names.len() > max_files {
            return Err(OfficeRefusal::invalid(format!("A submission has at most {max_files} files.")));
        }
        let content_type = content_type(declared, &name);
        Ok(OpenFile { intake: self.media.receive(name), content_type, n_bytes: 0, n_logged: 0 })
    }

    async fn end(&mut self, file: OpenFile, head: &SubmissionHead) -> Result<(), OfficeRefusal> {
        let received = file.intake.finish().await?;
        let name = received.name.to_string();
        if head.sha256.get(&name).is_some_and(|declared| *declared != received.hash) {
            // Still the inbox's to remove.
            self.received.push(received);
            return Err(OfficeRefusal::invalid(format!("sha256 of {name} does not match.")));
        }
        self.n_bytes += received.n_bytes;
        self.files.push(ReceivedFile {
            filename: name,
            content_type: file.content_type,
            size_bytes: received.n_bytes,
            sha256: received.hash.to_string(),
        });
        self.received.push(received);
        Ok(())
    }

    /// That there is a file at all, and one for each hash that was declared: a file that did not get sent would go unnoticed.
    fn check_complete(&self, head: &SubmissionHead) -> Result<(), OfficeRefusal> {
        if self.files.is_empty() {
            return Err(OfficeRefusal::invalid("A submission needs at least one file."));
        }
        match head.sha256.keys().find(|name| !self.names.contains(name)) {
            Some(missing) => Err(OfficeRefusal::invalid(format!("sha256 names {missing}, which was not sent."))),
            None => Ok(()),
        }
    }
}

impl Drop for Inbox<'_> {
    /// Files that came in and are not taken are removed. A large one takes the disk a while, so not on the door's thread.
    fn drop(&mut self) {
        let received = std::mem::take(&mut self.received);
        if received.is_empty() {
            return;
        }
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => _ = runtime.spawn_blocking(move || drop(received)),
            Err(_) => drop(received),
        }
    }
}

/// The same head with the names of its hashes in the form that file names are given: composed (NFC). Some systems send them decomposed.
fn composed(head: SubmissionHead) -> Result<SubmissionHead, OfficeRefusal> {
    let mut sha256 = BTreeMap::new();
    for (name, hash) in head.sha256 {
        let name: String = name.nfc().collect();
        if sha256.insert(name.clone(), hash).is_some_and(|other| other != hash) {
            return Err(OfficeRefusal::invalid(format!("sha256 names {name} twice.")));
        }
    }
    Ok(SubmissionHead { sha256, ..head })
}

fn check_text(field: &str, text: Option<&str>, max: usize) -> Result<(), OfficeRefusal> {
    match text {
        Some(text) if text.chars().count() > max => {
            Err(OfficeRefusal::invalid(format!("{field} must be at most {max} characters.")))
        }
        _ => Ok(()),
    }
}

/// What makes two submissions the same to an idempotency key: the turnover, the words and the files.
fn fingerprint(turnover: u32, head: &SubmissionHead, files: &[ReceivedFile]) -> String {
    use sha2::{Digest, Sha256};
    let mut hasher = Sha256::new();
    let mut add = |text: &str| {
        hasher.update((text.len() as u64).to_be_bytes());
        hasher.update(text);
    };
    add(&turnover.to_string());
    add(head.title.as_deref().unwrap_or_default());
    add(head.note.as_deref().unwrap_or_default());
    for file in files {
        add(&file.filename);
        add(&file.sha256);
    }
    super::hash::ContentHash::from_bytes(hasher.finalize().into()).to_string()
}

/// Counts a submission that is coming in, for as long as it is held.
struct UnderWay;

impl UnderWay {
    fn begin() -> Self {
        metrics::gauge!("playhouse_submissions_under_way").increment(1.0);
        Self
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        metrics::gauge!("playhouse_submissions_under_way").decrement(1.0);
    }
}

impl From<MediaError> for OfficeRefusal {
    fn from(error: MediaError) -> Self {
        let words = error.to_string();
        match error {
            MediaError::TooLarge { .. } => OfficeRefusal::new(413, words),
            MediaError::Empty { .. } => OfficeRefusal::invalid(words),
            MediaError::Full => OfficeRefusal::new(507, words),
            MediaError::Busy => OfficeRefusal::unavailable(),
            MediaError::Failed(source) => {
                tracing::error!(error = %source, "the media folder failed");
                OfficeRefusal::unavailable()
            }
        }
    }
}

impl From<NameFault> for OfficeRefusal {
    fn from(fault: NameFault) -> Self {
        OfficeRefusal::invalid(fault.to_string())
    }
}

impl From<SourceFault> for OfficeRefusal {
    fn from(fault: SourceFault) -> Self {
        let words = fault.to_string();
        match fault {
            SourceFault::Broken => OfficeRefusal::new(400, words),
            SourceFault::TooLarge(_) => OfficeRefusal::new(413, words),
            SourceFault::Invalid(_) => OfficeRefusal::invalid(words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_sender_that_falls_silent_is_told_so_after_a_minute() {
        let idle = crate::media::MediaLimits::default().idle;
        let refusal = within(idle, std::future::pending::<Result<(), SourceFault>>()).await.unwrap_err();
        assert_eq!((refusal.status, refusal.detail.as_str()), (408, "No bytes arrived for 60 s."));
    }
}
