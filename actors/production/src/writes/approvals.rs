//! Approvals that states ask for: there is a pending one exactly while an asset is in review or an order waits for its signature.

use jiff::civil::Date;

use super::desk::{Desk, subject};
use crate::model::{
    Approval, ApprovalStatus, ApprovalStep, Asset, AssetStatus, Entity, EntityKey, NodeId, OrderId, OrderStatus,
    PurchaseOrder, Subject, SubjectType,
};

impl Desk<'_> {
    /// Asks for the approvals that the changed states want, and withdraws those that a state asked for which is left. The last thing before a
    /// commit. What somebody asked for by hand stays until it is decided or taken back by hand.
    pub(crate) fn settle_approvals(&mut self) {
        let wish = |(_, entity): (&EntityKey, Option<&Entity>)| wish_of(entity?);
        let wishes: Vec<(Subject, bool)> = self.changes.entities().filter_map(wish).collect();
        for (about, is_wanted) in wishes {
            match (self.pending_about(&about), is_wanted) {
                (None, true) => _ = self.ask(about),
                (Some(pending), false) if !pending.by_hand && self.was_wanted(&about) => {
                    self.close(&pending, ApprovalStatus::Withdrawn);
                }
                (Some(_), _) | (None, false) => {}
            }
        }
    }

    /// Whether the thing is known in a state that wants an approval.
    fn was_wanted(&self, about: &Subject) -> bool {
        match about.subject_type {
            SubjectType::Asset => self.office.assets.get(&NodeId(about.id)).is_some_and(asset_wants),
            SubjectType::PurchaseOrder => self.office.orders.get(&OrderId(about.id)).is_some_and(order_wants),
            _ => false,
        }
    }

    /// Asks for an approval that a state or a submission wants, and answers it.
    pub(super) fn ask(&mut self, about: Subject) -> Approval {
        self.put_pending(about, None, false)
    }

    /// Asks for an approval because somebody wants it, and answers it.
    pub(super) fn ask_by_hand(&mut self, about: Subject, due_on: Option<Date>) -> Approval {
        self.put_pending(about, due_on, true)
    }

    fn put_pending(&mut self, about: Subject, due_on: Option<Date>, by_hand: bool) -> Approval {
        let step =
            ApprovalStep { at: self.changes.at(), status: ApprovalStatus::Pending, by: self.by.clone(), note: None };
        let approval = Approval {
            id: self.changes.next_id(),
            subject: about,
            status: ApprovalStatus::Pending,
            asked_by: self.by.clone(),
            asked_with: self.writer.credential(),
            asked_by_engagement: self.writer.engagement(),
            by_hand,
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
        Entity::Asset(asset) => Some((about_asset(asset), asset_wants(asset))),
        Entity::PurchaseOrder(order) => Some((about_order(order), order_wants(order))),
        _ => None,
    }
}

fn asset_wants(asset: &Asset) -> bool {
    asset.status == AssetStatus::InReview
}

fn order_wants(order: &PurchaseOrder) -> bool {
    order.status == OrderStatus::PendingApproval
}
