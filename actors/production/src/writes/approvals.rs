//! Approvals that states ask for: there is a pending one exactly while an asset is in review or an order waits for its signature.

use jiff::civil::Date;

use super::desk::{Desk, subject};
use crate::model::{
    Approval, ApprovalStatus, ApprovalStep, Asset, AssetStatus, Entity, EntityKey, OrderStatus, PurchaseOrder, Subject,
    SubjectType,
};

impl Desk<'_> {
    /// Asks for the approvals that the changed states want, and withdraws those they no longer want. The last thing before a commit.
    pub(crate) fn settle_approvals(&mut self) {
        let wanted: Vec<(Subject, bool)> = self.changes.entities().filter_map(|(_, entity)| wish_of(entity?)).collect();
        for (about, is_wanted) in wanted {
            match (self.pending_about(&about), is_wanted) {
                (None, true) => _ = self.ask(about, None),
                (Some(pending), false) => self.close(&pending, ApprovalStatus::Withdrawn),
                (Some(_), true) | (None, false) => {}
            }
        }
    }

    /// Asks for an approval and answers it.
    pub(super) fn ask(&mut self, about: Subject, due_on: Option<Date>) -> Approval {
        let step =
            ApprovalStep { at: self.changes.at(), status: ApprovalStatus::Pending, by: self.by.clone(), note: None };
        let approval = Approval {
            id: self.changes.next_id(),
            subject: about,
            status: ApprovalStatus::Pending,
            asked_by: self.by.clone(),
            asked_with: self.writer.credential(),
            asked_at: self.changes.at(),
            due_on,
            decided_by: None,
            decided_at: None,
            note: None,
            history: vec![step],
        };
        self.asked.insert((approval.subject.subject_type, approval.subject.id), approval.id);
        self.changes.put(approval.clone());
        approval
    }

    /// Ends a pending approval without a decision.
    pub(super) fn close(&mut self, pending: &Approval, status: ApprovalStatus) {
        let mut closed = pending.clone();
        closed.status = status;
        closed.history.push(ApprovalStep { at: self.changes.at(), status, by: self.by.clone(), note: None });
        self.changes.put(closed);
    }

    /// The pending approval about something, as it will be after the changes so far.
    pub(super) fn pending_about(&self, about: &Subject) -> Option<Approval> {
        let about = (about.subject_type, about.id);
        let mut ids = self.office.by.approvals_of.of(&about).chain(self.asked.get(&about).copied());
        let now = |id| match self.changes.get(&EntityKey::Approval(id)) {
            Some(Entity::Approval(changed)) => Some(changed),
            _ => self.office.approvals.get(&id),
        };
        ids.find_map(|id| now(id).filter(|approval| approval.status == ApprovalStatus::Pending)).cloned()
    }
}

/// What an approval of an asset is about.
pub(super) fn about_asset(asset: &Asset) -> Subject {
    subject(SubjectType::Asset, asset.node_id.0, &asset.name)
}

/// What an approval of an order is about. Its title is the number alone: what is bought, and for how much, is for keys with the scope for money.
pub(super) fn about_order(order: &PurchaseOrder) -> Subject {
    subject(SubjectType::PurchaseOrder, order.id.0, &order.number)
}

/// What a changed record would have approved, and whether its state wants that.
fn wish_of(entity: &Entity) -> Option<(Subject, bool)> {
    match entity {
        Entity::Asset(asset) => Some((about_asset(asset), asset.status == AssetStatus::InReview)),
        Entity::PurchaseOrder(order) => Some((about_order(order), order.status == OrderStatus::PendingApproval)),
        _ => None,
    }
}
