//! What may be written by key holders: assets, notes, decisions and submissions.

use serde::{Deserialize, Serialize};

use super::{Idempotency, OfficeRefusal, Writer, Written};
use crate::actor::ProductionActor;
use crate::model::{DeliveryId, Via};

/// `POST /assets`. Repeating it is 409, as the code is taken then; an idempotency key replays the first reply instead.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CreateAsset {
    /// Who writes.
    pub writer: Writer,
    /// The body.
    pub asset: NewAsset,
    /// The `Idempotency-Key`, if there was one.
    pub idempotency: Option<Idempotency>,
}

/// The body of `POST /assets`. Words are checked by the office.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAsset {
    /// What it is called: 1 to 200 characters.
    pub name: String,
    /// What it is.
    pub kind: String,
    /// Slug of the department that makes it.
    pub department: String,
    /// Its own short name; made from the name when absent.
    #[serde(default)]
    pub code: Option<String>,
    /// How far it is; `planned` when absent.
    #[serde(default)]
    pub status: Option<String>,
    /// What it looks like and must do: at most 4000 characters.
    #[serde(default)]
    pub description: Option<String>,
    /// Numbers of the scenes it stands in.
    #[serde(default)]
    pub scenes: Option<Vec<String>>,
    /// The episode the scene numbers belong to, where several episodes have such numbers.
    #[serde(default)]
    pub episode_id: Option<i64>,
    /// The engagement that makes it.
    #[serde(default)]
    pub engagement_id: Option<i64>,
}

/// `POST /assets/{node_id}/notes`. Repeating it adds another note.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AddNote {
    /// Who writes.
    pub writer: Writer,
    /// The scene, character or asset.
    pub node_id: i64,
    /// The body.
    pub note: NewNote,
    /// The `Idempotency-Key`, if there was one.
    pub idempotency: Option<Idempotency>,
}

/// The body of `POST /assets/{node_id}/notes`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewNote {
    /// 1 to 4000 characters, not only spaces.
    pub body: String,
    /// Who may read it; `production` when absent.
    #[serde(default)]
    pub visibility: Option<String>,
}

/// `POST /approvals/{id}/decide`. Deciding the same way twice answers the first outcome; the other way is 409.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Decide {
    /// Who decides.
    pub writer: Writer,
    /// Which approval.
    pub approval_id: i64,
    /// The body.
    pub decision: NewDecision,
    /// The `Idempotency-Key`, if there was one.
    pub idempotency: Option<Idempotency>,
}

/// The body of `POST /approvals/{id}/decide`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewDecision {
    /// `approved`, `changes_requested` or `rejected`.
    pub decision: String,
    /// Why; needed unless approved.
    #[serde(default)]
    pub note: Option<String>,
}

/// Asks whether a submission to this turnover would be taken, before any byte of it is read. Changes nothing.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BeginSubmission {
    /// Who submits.
    pub writer: Writer,
    /// Which turnover.
    pub turnover_id: i64,
    /// The `Idempotency-Key`, if there was one. Where a reply is kept under it, the turnover's state does not count: what comes is answered with
    /// that reply, or refused for being another request.
    pub idempotency_key: Option<String>,
}

/// That a submission would be taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmissionWelcome {
    /// The turnover.
    pub delivery_id: DeliveryId,
    /// What papers call it.
    pub code: String,
}

/// Records a submission whose files are on the disk already, under their hashes. The same file set as the newest submission that is still
/// received answers that one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CommitSubmission {
    /// Who submits. The door has just checked the key again.
    pub writer: Writer,
    /// Which turnover.
    pub turnover_id: i64,
    /// What it is called; turnover and version when absent.
    pub title: Option<String>,
    /// What was written with it.
    pub note: Option<String>,
    /// Through which door it came.
    pub via: Via,
    /// The files, in the order they were sent.
    pub files: Vec<ReceivedFile>,
    /// The `Idempotency-Key`, if there was one.
    pub idempotency: Option<Idempotency>,
}

/// A file that came in and lies on the disk under its hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceivedFile {
    /// The name it came with, checked.
    pub filename: String,
    /// What it says it is, or what its ending says.
    pub content_type: String,
    /// Its length in bytes.
    pub size_bytes: u64,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
}

playhouse_bus::messages! { ProductionActor:
    CreateAsset => Result<Written, OfficeRefusal>,
    AddNote => Result<Written, OfficeRefusal>,
    Decide => Result<Written, OfficeRefusal>,
    BeginSubmission => Result<SubmissionWelcome, OfficeRefusal>,
    CommitSubmission => Result<Written, OfficeRefusal>,
}
