//! What is owed by when, the shots it consists of, what was sent back, and the files.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::activity::Actor;
use super::ids::{ApprovalId, DeliveryId, EngagementId, EpisodeId, MediaId, NodeId, SubmissionId};
use super::kinds::{DeliveryKind, MediaKind, SubjectType, Via};
use super::states::{DeliveryStatus, SubmissionStatus};

/// A hand-over owed by a date. One of kind `turnover` is what a vendor works on and sends back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// Its id.
    pub id: DeliveryId,
    /// What papers call it: `TO-101-01`.
    pub code: String,
    /// What it is.
    pub title: String,
    /// What is handed over.
    pub kind: DeliveryKind,
    /// How far it is.
    pub status: DeliveryStatus,
    /// The episode, if it is of one.
    pub episode_id: Option<EpisodeId>,
    /// The engagement that works on it.
    pub engagement_id: Option<EngagementId>,
    /// The day it is owed.
    pub due_on: Option<Date>,
    /// How what comes back is to be made and named.
    pub spec: Option<DeliverySpec>,
    /// The files handed out with it.
    pub package: Vec<MediaId>,
    /// The submission that settled it.
    pub accepted_submission_id: Option<SubmissionId>,
}

/// How what comes back is to be made and named. Names that differ are warned about and accepted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DeliverySpec {
    /// File name without its ending: `{code}_comp_{vendor}_v{version:3}`.
    pub naming: Option<String>,
    /// Ending of the files: `mov`.
    pub container: Option<String>,
    /// Frames a second.
    pub fps: Option<String>,
    /// Anything else.
    pub note: Option<String>,
}

/// One shot of a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shot {
    /// The delivery.
    pub delivery_id: DeliveryId,
    /// Its place in the delivery, from 0.
    pub position: u32,
    /// Its name: `KST_101_003_0010`.
    pub code: String,
    /// The scene it stands in.
    pub scene: Option<NodeId>,
    /// First frame.
    pub frame_in: u32,
    /// Last frame.
    pub frame_out: u32,
    /// Frames more at either end.
    pub handles: u32,
    /// Anything else.
    pub note: Option<String>,
}

/// What a vendor sent back, once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// Its id.
    pub id: SubmissionId,
    /// The turnover it answers.
    pub delivery_id: DeliveryId,
    /// 1, 2, 3 … within its turnover.
    pub version: u32,
    /// What it is called.
    pub title: String,
    /// What was written with it.
    pub note: Option<String>,
    /// What became of it.
    pub status: SubmissionStatus,
    /// When it came.
    pub submitted_at: Timestamp,
    /// Who sent it.
    pub submitted_by: Actor,
    /// Through which door.
    pub via: Via,
    /// Its files, in the order they were sent.
    pub files: Vec<MediaId>,
    /// The approval that was asked for with it.
    pub approval_id: ApprovalId,
    /// What was odd about it; it was accepted all the same.
    pub warnings: Vec<String>,
}

/// One file under the name it came with. Equal bytes lie on the disk once, under their hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Media {
    /// Its id.
    pub id: MediaId,
    /// The name it came with; the disk never sees it.
    pub filename: String,
    /// What it says it is. Not trusted: it is sent out as an attachment.
    pub content_type: String,
    /// Its length in bytes.
    pub size_bytes: u64,
    /// SHA-256 of the bytes, in hex.
    pub sha256: String,
    /// What it is for.
    pub kind: MediaKind,
    /// When it came.
    pub created_at: Timestamp,
    /// What it belongs to: a submission, a delivery, a scene, a character, an asset or a draft.
    pub linked: Vec<Link>,
    /// Engagements it was shared with, beyond those whose package or submission it is in.
    pub shared_with: Vec<EngagementId>,
    /// Whether staff removed its bytes.
    pub purged: bool,
}

/// What a file belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Link {
    /// What sort of thing.
    #[serde(rename = "type")]
    pub subject_type: SubjectType,
    /// Its number.
    pub id: u32,
}
