//! What waits for a decision, and what was decided.

use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;

use super::View;
use super::shapes::{Day, Moment};
use crate::model::{Actor, Approval, ApprovalId, ApprovalStatus, ApprovalStep, Subject, SubjectType};

#[derive(Serialize, JsonSchema)]
pub(super) struct ApprovalRow {
    id: ApprovalId,
    subject: Subject,
    status: ApprovalStatus,
    asked_by: Actor,
    #[schemars(with = "Moment")]
    asked_at: Timestamp,
    #[schemars(with = "Option<Day>")]
    due_on: Option<Date>,
    decided_by: Option<Actor>,
    #[schemars(with = "Option<Moment>")]
    decided_at: Option<Timestamp>,
    note: Option<String>,
}

/// The answer to a decision.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Decided {
    #[serde(flatten)]
    row: ApprovalRow,
    history: Vec<ApprovalStep>,
}

/// `GET /approvals`: pending ones first, then the newest.
pub(super) fn list(view: &View<'_>, status: Option<ApprovalStatus>) -> Vec<ApprovalRow> {
    let approvals = view.office.approvals.iter().filter_map(|approval| view.sight.approval(approval));
    let wanted = |approval: &Approval| status.is_none_or(|status| approval.status == status);
    let mut approvals: Vec<_> = approvals.filter(wanted).collect();
    approvals.sort_by_key(|approval| {
        let is_settled = approval.status != ApprovalStatus::Pending;
        (is_settled, std::cmp::Reverse((approval.asked_at, approval.id)))
    });
    approvals.into_iter().map(ApprovalRow::of).collect()
}

/// The approvals of one thing that the reader sees, newest first.
pub(super) fn of_subject(view: &View<'_>, subject_type: SubjectType, id: u32) -> Vec<ApprovalRow> {
    let approvals = view.office.by.approvals_of.of(&(subject_type, id)).rev();
    let approvals = approvals.filter_map(|id| view.office.approvals.get(&id));
    approvals.filter_map(|approval| view.sight.approval(approval)).map(ApprovalRow::of).collect()
}

/// What `POST /approvals/{id}/decide` answers about `approval`.
pub(crate) fn decided(approval: Approval) -> Decided {
    let history = approval.history.clone();
    Decided { row: ApprovalRow::of(approval), history }
}

impl ApprovalRow {
    /// For sorting.
    pub(super) fn id(&self) -> ApprovalId {
        self.id
    }

    fn of(approval: Approval) -> Self {
        Self {
            id: approval.id,
            subject: approval.subject,
            status: approval.status,
            asked_by: approval.asked_by,
            asked_at: approval.asked_at,
            due_on: approval.due_on,
            decided_by: approval.decided_by,
            decided_at: approval.decided_at,
            note: approval.note,
        }
    }
}
