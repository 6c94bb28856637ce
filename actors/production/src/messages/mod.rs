//! The messages of the office and what they answer. Doors make them from requests; [`ProductionActor`](crate::ProductionActor)
//! handles them.

mod document;
mod import_plan;
mod orders;
mod question;
mod reader;
mod refusal;
mod set_up;

pub use document::{Document, Idempotency, Written};
pub use import_plan::{
    Applied, ApplyImport, EndJob, ImportActivity, ImportAnswer, ImportPlan, ImportReport, ImportWarning, ReportJob,
    StartJob,
};
pub use orders::{
    AddNote, BeginSubmission, CommitSubmission, CreateAsset, Decide, NewAsset, NewDecision, NewNote, ReceivedFile,
    SubmissionWelcome,
};
pub use question::{FindMedia, MediaFile, Observe, OfficeState, Question, Read};
pub use reader::{Reader, Writer};
pub use refusal::{FieldError, OfficeRefusal, whole_number};
pub use set_up::{
    KeyChange, NoteKey, PutDepartment, PutEngagement, PutEpisode, PutProduction, PutVendor, SetUp, SetUpStep,
};
