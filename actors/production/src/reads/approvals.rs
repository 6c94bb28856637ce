//! What waits for a decision, and what was decided.

use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;

use super::View;
use super::shapes::{Day, Moment};
use crate::clamp::SeenApproval;
use crate::model::{Actor, Approval, ApprovalId, ApprovalStatus, ApprovalStep, Subject, SubjectType};

#[derive(Serialize, JsonSchema)]
pub(super) struct ApprovalRow<'a> {
    id: ApprovalId,
    subject: &'a Subject,
    status: ApprovalStatus,
    asked_by: &'a Actor,
    #[schemars(with = "Moment")]
    asked_at: Timestamp,
    #[schemars(with = "Option<Day>")]
    due_on: Option<Date>,
    decided_by: Option<&'a Actor>,
    #[schemars(with = "Option<Moment>")]
    decided_at: Option<Timestamp>,
    note: Option<&'a str>,
}

/// The answer to a decision.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Decided<'a> {
    #[serde(flatten)]
    row: ApprovalRow<'a>,
    history: &'a [ApprovalStep],
}

/// `GET /approvals`: pending ones first, then the newest.
pub(super) fn list<'a>(view: &View<'a>, status: Option<ApprovalStatus>) -> Vec<ApprovalRow<'a>> {
    let wanted = |approval: &&Approval| status.is_none_or(|status| approval.status == status);
    let approvals = view.office.approvals.iter().filter(wanted);
    let mut approvals: Vec<_> = approvals.filter_map(|approval| view.sight.approval(approval)).collect();
    approvals.sort_by_key(|SeenApproval { approval, .. }| {
        let is_settled = approval.status != ApprovalStatus::Pending;
        (is_settled, std::cmp::Reverse((approval.asked_at, approval.id)))
    });
    approvals.into_iter().map(ApprovalRow::of).collect()
}

/// The approvals of one thing that the reader sees, newest first.
pub(super) fn of_subject<'a>(view: &View<'a>, subject_type: SubjectType, id: u32) -> Vec<ApprovalRow<'a>> {
    let approvals = view.office.by.approvals_of.of(&(subject_type, id)).rev();
    let approvals = approvals.filter_map(|id| view.office.approvals.get(&id));
    approvals.filter_map(|approval| view.sight.approval(approval)).map(ApprovalRow::of).collect()
}

/// What `POST /approvals/{id}/decide` answers about `approval`.
pub(crate) fn decided(approval: &Approval) -> Decided<'_> {
    let row = SeenApproval { approval, asked_by: &approval.asked_by, decided_by: approval.decided_by.as_ref() };
    Decided { row: ApprovalRow::of(row), history: &approval.history }
}

impl<'a> ApprovalRow<'a> {
    /// For sorting.
    pub(super) fn id(&self) -> ApprovalId {
        self.id
    }

    fn of(SeenApproval { approval, asked_by, decided_by }: SeenApproval<'a>) -> Self {
        Self {
            id: approval.id,
            subject: &approval.subject,
            status: approval.status,
            asked_by,
            asked_at: approval.asked_at,
            due_on: approval.due_on,
            decided_by,
            decided_at: approval.decided_at,
            note: approval.note.as_deref(),
        }
    }
}
