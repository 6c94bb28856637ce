//! How an import gets into the office: planned against a snapshot, beside other work, then applied all at once.
//!
//! Planning needs the whole working set and may take long; applying has the actor to itself and is short. So an importer takes the snapshot
//! that [`ProductionActor::snapshot`](crate::actor::ProductionActor::snapshot) hands out, builds a [`Changes`] upon it, and
//! sends the plan as [`ApplyImport`]. If anything was written meanwhile, the answer is [`Applied::Stale`]: plan again.

use playhouse_bus::Message;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Idempotency, OfficeRefusal, Writer, Written};
use crate::actor::ProductionActor;
use crate::model::{DraftId, ImportKind, JobId, Subject, Verb};
use crate::office::Changes;

/// Writes a plan: all of it or nothing. A plan without changes writes nothing and answers 200.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ApplyImport {
    /// Who imports. The office checks `write`, and `read:money` for orders.
    pub writer: Writer,
    /// What to write.
    pub plan: ImportPlan,
    /// The job that shows the import's progress, if one was begun; otherwise one is made that is done at once.
    pub job: Option<JobId>,
    /// The `Idempotency-Key`, if there was one.
    pub idempotency: Option<Idempotency>,
}

impl Message for ApplyImport {
    type Actor = ProductionActor;
    type Reply = Result<Applied, OfficeRefusal>;
}

/// What became of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Applied {
    /// It is written. The document is the report.
    Written(Written),
    /// Something was written since the plan was made; nothing of the plan was.
    Stale,
}

/// What an import would change, and what it says about it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ImportPlan {
    /// What is imported.
    pub kind: ImportKind,
    /// The records, made against one snapshot. The office adds the approvals that new states ask for, the job and the activity entry.
    pub changes: Changes,
    /// The one entry of the activity list. Its summary has the counts.
    pub activity: ImportActivity,
    /// The answer.
    pub report: ImportReport,
}

/// The one activity entry of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportActivity {
    /// What.
    pub verb: Verb,
    /// To what.
    pub subject: Subject,
    /// For people: counts, no amounts of money.
    pub summary: String,
}

/// What an import did, or would do. The body of the answer, with `job_id` and `dry_run` before it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ImportReport {
    /// The draft that was made, or the one that the same file made earlier; for scripts only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub draft_id: Option<DraftId>,
    /// New records.
    pub added: u32,
    /// Changed records.
    pub updated: u32,
    /// Scenes that became OMITTED.
    pub omitted: u32,
    /// Records that the file has as they are.
    pub unchanged: u32,
    /// What was odd, in the order of the file.
    pub warnings: Vec<ImportWarning>,
    /// One object for each change, in the order of the file; for scripts in the shape of `/script-changes`.
    pub changes: Vec<Value>,
}

/// Something odd that did not stop the import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ImportWarning {
    /// The line of the file, from 1.
    pub line: u32,
    /// What is odd.
    pub message: String,
}

/// The answer to an import: REST's body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ImportAnswer {
    /// The job; none for a dry run or when nothing was to be written.
    pub job_id: Option<JobId>,
    /// Whether nothing was to be written.
    pub dry_run: bool,
    /// What was done.
    #[serde(flatten)]
    pub report: ImportReport,
}

/// Begins a job that `GET /jobs` shows as running. Repeating it begins another.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StartJob {
    /// What is done: `import.script`.
    pub kind: String,
}

impl Message for StartJob {
    type Actor = ProductionActor;
    type Reply = Result<JobId, OfficeRefusal>;
}

/// Says how far a job is. Kept in memory only: a job that was running when the service stopped is failed at the next start.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReportJob {
    /// Which.
    pub id: JobId,
    /// From 0 to 1.
    pub progress: f64,
}

impl Message for ReportJob {
    type Actor = ProductionActor;
    type Reply = Result<(), OfficeRefusal>;
}

/// Ends a job that came to nothing, or (with a result) one that did something. Ending it again changes nothing.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EndJob {
    /// Which.
    pub id: JobId,
    /// What came of it, or why nothing did.
    pub outcome: Result<Value, String>,
}

impl Message for EndJob {
    type Actor = ProductionActor;
    type Reply = Result<(), OfficeRefusal>;
}
