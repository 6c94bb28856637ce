//! `POST /approvals/{id}/decide`: a decision and its effects, in one commit.

use playhouse_house::Scope;

use super::desk::Desk;
use crate::messages::{Document, NewDecision, OfficeRefusal, Written};
use crate::model::{
    Approval, ApprovalId, ApprovalStatus, ApprovalStep, Asset, AssetStatus, Delivery, DeliveryStatus, Draft, DraftId,
    NodeId, OrderId, OrderStatus, PurchaseOrder, SubjectType, Submission, SubmissionId, SubmissionStatus, Verb,
};
use crate::office::Office;
use crate::reads::{decided, id};

const MOST_NOTE_CHARS: usize = 4_000;

/// Settles an approval. The same decision again answers the stored one; another is refused.
pub(crate) fn decide(desk: &mut Desk<'_>, number: i64, new: &NewDecision) -> Result<Written, OfficeRefusal> {
    desk.require_wide(Scope::Write)?;
    let status = match new.decision.as_str() {
        "approved" => ApprovalStatus::Approved,
        "changes_requested" => ApprovalStatus::ChangesRequested,
        "rejected" => ApprovalStatus::Rejected,
        other => {
            let shown: String = other.chars().take(60).collect();
            let known = "approved, changes_requested, rejected";
            return Err(OfficeRefusal::invalid(format!("Unknown decision '{shown}'. One of: {known}.")));
        }
    };
    let note = new.note.as_deref().map(str::trim).filter(|note| !note.is_empty());
    if note.is_none() && status != ApprovalStatus::Approved {
        return Err(OfficeRefusal::invalid("note is needed unless the decision is 'approved'."));
    }
    if note.is_some_and(|note| note.chars().count() > MOST_NOTE_CHARS) {
        return Err(OfficeRefusal::invalid(format!("note must be at most {MOST_NOTE_CHARS} characters.")));
    }
    let office = desk.office;
    let approval = id(number).and_then(|id: ApprovalId| office.approvals.get(&id));
    let approval = approval.ok_or_else(|| OfficeRefusal::not_found("Approval"))?;
    if approval.status != ApprovalStatus::Pending {
        return settled(desk, approval, status);
    }
    if let Some(later) = submission_of(office, approval).and_then(|submission| office.later_than(submission)) {
        let (id, version) = (approval.id, later.version);
        return Err(OfficeRefusal::conflict(format!("Approval {id} is overtaken: v{version:03} came in later.")));
    }
    let production = desk.open_production()?;
    if production.four_eyes && approval.asked_with.is_some() && approval.asked_with == desk.writer.credential() {
        return Err(OfficeRefusal::new(403, "The key that asked for this approval cannot decide it."));
    }
    let at = desk.changes.at();
    let note = note.map(str::to_owned);
    let mut approval = approval.clone();
    approval.status = status;
    approval.decided_by = Some(desk.by.clone());
    approval.decided_at = Some(at);
    approval.note.clone_from(&note);
    approval.history.push(ApprovalStep { at, status, by: desk.by.clone(), note });
    take_effect(desk, &approval, status);
    desk.changes.put(approval.clone());
    let summary = format!("{}: {}", approval.subject.title, in_words(status));
    desk.record(Verb::ApprovalDecided, approval.subject.clone(), summary);
    answer(&approval)
}

/// What comes of a decision on an approval that is not pending any more.
fn settled(desk: &Desk<'_>, approval: &Approval, status: ApprovalStatus) -> Result<Written, OfficeRefusal> {
    let id = approval.id;
    match approval.status {
        same if same == status => answer(approval),
        ApprovalStatus::Superseded | ApprovalStatus::Withdrawn => {
            let word = in_words(approval.status);
            Err(OfficeRefusal::conflict(match newer(desk.office, approval) {
                Some(newer) => format!("Approval {id} was {word}; the newer one is approval {newer}."),
                None => format!("Approval {id} was {word}."),
            }))
        }
        other => {
            let word = in_words(other);
            let on = approval.decided_at.map(|at| format!(" on {}", desk.date_of(at))).unwrap_or_default();
            Err(OfficeRefusal::conflict(format!("Approval {id} was already {word}{on}.")))
        }
    }
}

fn answer(approval: &Approval) -> Result<Written, OfficeRefusal> {
    let document = Document::of(&decided(approval))?;
    Ok(Written { document, status: 200, location: None, replayed: false })
}

fn in_words(status: ApprovalStatus) -> &'static str {
    match status {
        ApprovalStatus::Pending => "asked for",
        ApprovalStatus::Approved => "approved",
        ApprovalStatus::ChangesRequested => "sent back for changes",
        ApprovalStatus::Rejected => "rejected",
        ApprovalStatus::Superseded => "superseded",
        ApprovalStatus::Withdrawn => "withdrawn",
    }
}

/// The newest later approval of the same thing, or of a later submission to the same turnover.
fn newer(office: &Office, approval: &Approval) -> Option<ApprovalId> {
    let same = office.by.approvals_of.of(&(approval.subject.subject_type, approval.subject.id));
    let siblings = submission_of(office, approval).into_iter().flat_map(|it| office.submissions_of(it.delivery_id));
    let of_siblings = siblings.flat_map(|it| office.by.approvals_of.of(&(SubjectType::Submission, it.id.0)));
    same.chain(of_siblings).filter(|id| *id > approval.id).max()
}

/// The submission that an approval is about, if it is about one.
fn submission_of<'a>(office: &'a Office, approval: &Approval) -> Option<&'a Submission> {
    let about = &approval.subject;
    (about.subject_type == SubjectType::Submission).then(|| office.submissions.get(&SubmissionId(about.id)))?
}

/// Puts the thing that was decided about into the state that follows.
fn take_effect(desk: &mut Desk<'_>, approval: &Approval, status: ApprovalStatus) {
    let approved = status == ApprovalStatus::Approved;
    let office = desk.office;
    let number = approval.subject.id;
    match approval.subject.subject_type {
        SubjectType::Submission => {
            let Some(submission) = office.submissions.get(&SubmissionId(number)) else { return };
            let status = match status {
                ApprovalStatus::Approved => SubmissionStatus::Accepted,
                ApprovalStatus::Rejected => SubmissionStatus::Rejected,
                _ => SubmissionStatus::ChangesRequested,
            };
            desk.changes.put(Submission { status, ..submission.clone() });
            let Some(delivery) = office.deliveries.get(&submission.delivery_id) else { return };
            // A delivery that was cancelled meanwhile stays so. Otherwise it goes with its newest submission, also from a state that work alone
            // does not lead out of: who decides anew about what was accepted takes the acceptance back.
            if delivery.status != DeliveryStatus::Cancelled {
                let (status, accepted_submission_id) = match approved {
                    true => (DeliveryStatus::Accepted, Some(submission.id)),
                    false => (DeliveryStatus::ChangesRequested, None),
                };
                desk.changes.put(Delivery { status, accepted_submission_id, ..delivery.clone() });
            }
        }
        SubjectType::Asset => {
            let asset = office.assets.get(&NodeId(number)).filter(|asset| asset.status == AssetStatus::InReview);
            let Some(asset) = asset else { return };
            let status = if approved { AssetStatus::Approved } else { AssetStatus::InProgress };
            let updated_at = desk.changes.at();
            desk.changes.put(Asset { status, updated_at, ..asset.clone() });
        }
        SubjectType::PurchaseOrder => {
            let order = office.orders.get(&OrderId(number));
            let Some(order) = order.filter(|order| order.status == OrderStatus::PendingApproval) else { return };
            let status = if approved { OrderStatus::Approved } else { OrderStatus::Void };
            let approved_by = if approved { Some(desk.by.label.clone()) } else { order.approved_by.clone() };
            desk.changes.put(PurchaseOrder { status, approved_by, ..order.clone() });
        }
        SubjectType::Draft => {
            let Some(draft) = office.drafts.get(&DraftId(number)) else { return };
            desk.changes.put(Draft { approved, ..draft.clone() });
        }
        SubjectType::Production
        | SubjectType::Scene
        | SubjectType::Character
        | SubjectType::Schedule
        | SubjectType::Delivery
        | SubjectType::Approval
        | SubjectType::Engagement
        | SubjectType::Person
        | SubjectType::Key
        | SubjectType::Media => {}
    }
}
