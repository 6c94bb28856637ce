//! Who did what, approvals, orders and jobs.

use jiff::Timestamp;
use jiff::civil::Date;
use playhouse_house::CredentialId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ids::{ActivityId, ApprovalId, EngagementId, JobId, OrderId, VendorId};
use super::kinds::{ActorKind, ImportKind, SubjectType, Verb};
use super::states::{ApprovalStatus, JobStatus, OrderStatus};
use crate::reads::shapes::Moment;

/// Who did something, as others see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Actor {
    /// What sort of one.
    pub kind: ActorKind,
    /// The key's label or the person's name.
    pub label: String,
}

/// What something is about: the type, the number and the title at that time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Subject {
    /// What sort of thing.
    #[serde(rename = "type")]
    pub subject_type: SubjectType,
    /// Its number; 0 for what has none, such as the schedule.
    pub id: u32,
    /// What it was called.
    pub title: String,
}

/// An approval that was asked for, on a submission, an asset, a purchase order or a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// Its id.
    pub id: ApprovalId,
    /// What is to be approved.
    pub subject: Subject,
    /// What became of it.
    pub status: ApprovalStatus,
    /// Who asked.
    pub asked_by: Actor,
    /// The key that asked; it cannot decide where four eyes are wanted.
    pub asked_with: Option<CredentialId>,
    /// The engagement that key is bound to. Only it is shown the key's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_by_engagement: Option<EngagementId>,
    /// Whether somebody asked for it, rather than a state of the thing: changes of the thing leave it alone then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// When an answer is owed.
    pub due_on: Option<Date>,
    /// Who decided.
    pub decided_by: Option<Actor>,
    /// When.
    pub decided_at: Option<Timestamp>,
    /// What was written with the decision.
    pub note: Option<String>,
    /// What happened to it, oldest first.
    pub history: Vec<ApprovalStep>,
}

/// One step in the life of an approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApprovalStep {
    /// When.
    #[schemars(with = "Moment")]
    pub at: Timestamp,
    /// What it became.
    pub status: ApprovalStatus,
    /// By whom.
    pub by: Actor,
    /// What was written with it.
    pub note: Option<String>,
}

/// The production's signed promise to pay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurchaseOrder {
    /// Its id.
    pub id: OrderId,
    /// What papers call it: `PO-1001`.
    pub number: String,
    /// Who is to be paid.
    pub vendor: VendorId,
    /// The engagement it pays for.
    pub engagement_id: Option<EngagementId>,
    /// Slug of the department that ordered.
    pub department: Option<String>,
    /// What for.
    pub description: Option<String>,
    /// How far it is.
    pub status: OrderStatus,
    /// ISO 4217 code.
    pub currency: String,
    /// The promise, in the currency's smallest unit.
    pub total_minor: i64,
    /// How much was invoiced.
    pub invoiced_minor: i64,
    /// How much was paid.
    pub paid_minor: i64,
    /// The day it was issued.
    pub issued_on: Option<Date>,
    /// Its account; never shown to a vendor.
    pub budget_code: Option<String>,
    /// Who signed; never shown to a vendor.
    pub approved_by: Option<String>,
    /// The production's own words; never shown to a vendor.
    pub internal_note: Option<String>,
    /// What it consists of.
    pub lines: Vec<OrderLine>,
}

/// One line of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderLine {
    /// What for.
    pub description: String,
    /// How much, in the order's currency.
    pub total_minor: i64,
}

/// One thing that happened. Written in the same commit as the change, and never edited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ActivityEntry {
    /// Its id; a later entry has a larger one.
    pub id: ActivityId,
    /// When.
    #[schemars(with = "Moment")]
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// What.
    pub verb: Verb,
    /// To what.
    pub subject: Subject,
    /// For people. No secret, no amount of money, no note's text.
    pub summary: String,
}

impl ActivityEntry {
    /// Whether the entry is about money: shown only to keys with `read:money`.
    pub fn is_money(&self) -> bool {
        self.verb.is_money() || self.subject.subject_type == SubjectType::PurchaseOrder
    }
}

/// A piece of background work of this service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// What is done: `import.script`.
    pub kind: String,
    /// How far it is.
    pub status: JobStatus,
    /// From 0 to 1.
    pub progress: f64,
    /// When it was begun.
    #[schemars(with = "Moment")]
    pub created_at: Timestamp,
    /// When it ended.
    #[schemars(with = "Option<Moment>")]
    pub finished_at: Option<Timestamp>,
    /// What came of it, such as `{"draft_id": 5}`.
    pub result: Option<serde_json::Value>,
    /// Why nothing came of it.
    pub error: Option<String>,
}

impl Job {
    /// What an import of this kind is called among jobs: `import.script`.
    pub fn import(kind: ImportKind) -> String {
        format!("import.{kind}")
    }

    /// Whether it is about money: what it failed on is shown only to keys with `read:money`.
    pub fn is_money(&self) -> bool {
        self.kind == Self::import(ImportKind::PurchaseOrders)
    }
}
