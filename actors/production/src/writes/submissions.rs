//! `POST /turnovers/{id}/submissions`, once the files are on the disk.

use std::collections::BTreeSet;

use playhouse_house::Scope;

use super::desk::{Desk, open_production, subject};
use super::naming::Naming;
use crate::clamp::Sight;
use crate::messages::{CommitSubmission, Document, OfficeRefusal, ReceivedFile, SubmissionWelcome, Writer, Written};
use crate::model::{
    ApprovalStatus, Delivery, DeliveryId, DeliveryKind, DeliveryStatus, Link, Media, MediaKind, SubjectType,
    Submission, SubmissionStatus, Verb,
};
use crate::office::Office;
use crate::reads::{SubmissionReply, id};

const MOST_TITLE_CHARS: usize = 200;
const MOST_NOTE_CHARS: usize = 4_000;

/// Says whether a submission would be taken, before any byte of it is read. One that is repeated under its idempotency key is, whatever became of
/// the turnover: its reply is kept.
pub(crate) fn welcome(
    office: &Office,
    writer: &Writer,
    turnover_id: i64,
    is_repeated: bool,
) -> Result<SubmissionWelcome, OfficeRefusal> {
    writer.require(Scope::SubmitTurnover)?;
    let turnover = turnover(office, sight_of(office, writer)?, turnover_id)?;
    if !is_repeated {
        check_open(office, turnover)?;
    }
    Ok(SubmissionWelcome { delivery_id: turnover.id, code: turnover.code.clone() })
}

/// Records a submission: its files, an approval to ask for, the turnover's new state. Earlier submissions that nobody judged are superseded.
pub(crate) fn submit(desk: &mut Desk<'_>, order: CommitSubmission) -> Result<Written, OfficeRefusal> {
    desk.writer.require(Scope::SubmitTurnover)?;
    let title = order.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    if title.is_some_and(|title| title.chars().count() > MOST_TITLE_CHARS) {
        return Err(OfficeRefusal::invalid(format!("title must be at most {MOST_TITLE_CHARS} characters.")));
    }
    let note = order.note.as_deref().map(str::trim).filter(|note| !note.is_empty());
    if note.is_some_and(|note| note.chars().count() > MOST_NOTE_CHARS) {
        return Err(OfficeRefusal::invalid(format!("note must be at most {MOST_NOTE_CHARS} characters.")));
    }
    if order.files.is_empty() {
        return Err(OfficeRefusal::invalid("A submission needs at least one file."));
    }
    let office = desk.office;
    let sight = sight_of(office, desk.writer)?;
    let turnover = turnover(office, sight, order.turnover_id)?;
    check_open(office, turnover)?;
    let newest = office.submissions_of(turnover.id).next_back();
    if let Some(newest) = newest.filter(|newest| is_same(office, newest, &order.files)) {
        let files = newest.files.iter().filter_map(|id| office.media.get(id));
        let document = Document::of(&SubmissionReply::of(newest, sight.submitter(newest), files))?;
        return Ok(Written { document, status: 200, location: None, replayed: false });
    }
    let version = newest.map_or(1, |newest| newest.version + 1);
    supersede_earlier(desk, turnover);
    let at = desk.changes.at();
    let id = desk.changes.next_id();
    let link = |id: crate::model::SubmissionId| Link { subject_type: SubjectType::Submission, id: id.0 };
    let media: Vec<_> = order
        .files
        .into_iter()
        .map(|file| Media {
            id: desk.changes.next_id(),
            filename: file.filename,
            content_type: file.content_type,
            size_bytes: file.size_bytes,
            sha256: file.sha256,
            kind: MediaKind::Submission,
            created_at: at,
            linked: vec![link(id)],
            shared_with: Vec::new(),
            purged: false,
        })
        .collect();
    let about = subject(SubjectType::Submission, id.0, format!("{} v{version:03}", turnover.title));
    let submission = Submission {
        id,
        delivery_id: turnover.id,
        version,
        title: title.map_or_else(|| about.title.clone(), str::to_owned),
        note: note.map(str::to_owned),
        status: SubmissionStatus::Received,
        submitted_at: at,
        submitted_by: desk.by.clone(),
        via: order.via,
        files: media.iter().map(|media| media.id).collect(),
        approval_id: desk.ask(about).id,
        warnings: warnings(office, turnover, version, &media),
    };
    desk.changes.put(Delivery { status: DeliveryStatus::Submitted, ..turnover.clone() });
    let size = in_words(media.iter().map(|media| media.size_bytes).sum());
    let files = if media.len() == 1 { "1 file".to_owned() } else { format!("{} files", media.len()) };
    let summary = format!("v{version:03} received: {files}, {size}");
    desk.record(Verb::SubmissionReceived, subject(SubjectType::Delivery, turnover.id.0, &turnover.title), summary);
    let document = Document::of(&SubmissionReply::of(&submission, &submission.submitted_by, media.iter()))?;
    for media in media {
        desk.changes.put(media);
    }
    desk.changes.put(submission);
    Ok(Written { document, status: 201, location: None, replayed: false })
}

/// How far who submits sees.
fn sight_of<'a>(office: &'a Office, writer: &Writer) -> Result<Sight<'a>, OfficeRefusal> {
    writer.reader().map_or_else(|| Ok(Sight::wide(office)), |reader| Sight::of(office, reader))
}

/// The turnover, if who submits reaches it.
fn turnover<'a>(office: &'a Office, sight: Sight<'a>, number: i64) -> Result<&'a Delivery, OfficeRefusal> {
    let delivery = id(number).and_then(|id: DeliveryId| office.deliveries.get(&id));
    let turnover = delivery.filter(|delivery| delivery.kind == DeliveryKind::Turnover);
    let turnover = turnover.and_then(|turnover| sight.delivery(turnover));
    turnover.ok_or_else(|| OfficeRefusal::not_found("Turnover"))
}

/// Refuses what a turnover's state does not allow; comes after reach.
fn check_open(office: &Office, turnover: &Delivery) -> Result<(), OfficeRefusal> {
    open_production(office)?;
    match turnover.status {
        DeliveryStatus::Open | DeliveryStatus::Submitted | DeliveryStatus::ChangesRequested => Ok(()),
        DeliveryStatus::Planned => Err(OfficeRefusal::conflict("This turnover is not open yet.")),
        DeliveryStatus::Accepted => {
            Err(OfficeRefusal::conflict("This turnover was accepted; ask production to reopen it."))
        }
        DeliveryStatus::Cancelled => Err(OfficeRefusal::conflict("This turnover was cancelled.")),
    }
}

/// Whether a submission is still received and has exactly these files, by name and hash: then it was sent twice. One that lost a file to a
/// purge is not the same as one that has it.
fn is_same(office: &Office, submission: &Submission, files: &[ReceivedFile]) -> bool {
    let known = submission.files.iter().filter_map(|id| office.media.get(id)).filter(|media| !media.purged);
    let known: BTreeSet<_> = known.map(|media| (media.filename.as_str(), media.sha256.as_str())).collect();
    let sent: BTreeSet<_> = files.iter().map(|file| (file.filename.as_str(), file.sha256.as_str())).collect();
    submission.status == SubmissionStatus::Received && known == sent
}

/// Submissions that nobody judged yet are overtaken, and so is every approval that is still asked for about an earlier one: only the newest
/// can be decided.
fn supersede_earlier(desk: &mut Desk<'_>, turnover: &Delivery) {
    let office = desk.office;
    for earlier in office.submissions_of(turnover.id) {
        if let Some(pending) = desk.pending_about(&subject(SubjectType::Submission, earlier.id.0, "")) {
            desk.close(&pending, ApprovalStatus::Superseded);
        }
        if earlier.status != SubmissionStatus::Received {
            continue;
        }
        desk.changes.put(Submission { status: SubmissionStatus::Superseded, ..earlier.clone() });
        let about = subject(SubjectType::Delivery, turnover.id.0, &turnover.title);
        let summary = format!("v{:03} superseded by a later submission", earlier.version);
        desk.record(Verb::SubmissionSuperseded, about, summary);
    }
}

fn warnings(office: &Office, turnover: &Delivery, version: u32, media: &[Media]) -> Vec<String> {
    let shots: Vec<_> = office.shots_of(turnover.id).map(|shot| shot.code.as_str()).collect();
    let engagement = turnover.engagement_id.and_then(|id| office.engagements.get(&id));
    let vendor = engagement.and_then(|engagement| office.vendors.get(&engagement.vendor));
    let vendor = vendor.map(|vendor| vendor.code.as_str());
    let naming = Naming { spec: turnover.spec.as_ref(), shots: &shots, vendor, version };
    let names: Vec<_> = media.iter().map(|media| media.filename.as_str()).collect();
    naming.warnings(&names)
}

/// A size for people: `512 bytes`, `41 kB`, `41 MB`.
fn in_words(n_bytes: u64) -> String {
    match n_bytes {
        0..1_000 => format!("{n_bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", n_bytes / 1_000),
        1_000_000..1_000_000_000 => format!("{} MB", n_bytes / 1_000_000),
        _ => format!("{} GB", n_bytes / 1_000_000_000),
    }
}
