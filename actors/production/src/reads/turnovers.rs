//! Turnovers: what vendors work on, and what they sent back.

use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;

use super::deliveries::{EngagementRef, engagement};
use super::shapes::{Day, Moment};
use super::{View, by_due};
use crate::model::{
    Actor, ApprovalId, Delivery, DeliveryId, DeliveryKind, DeliverySpec, DeliveryStatus, EpisodeId, Media, MediaId,
    NodeId, Shot, Submission, SubmissionId, SubmissionStatus, Via,
};

#[derive(Serialize, JsonSchema)]
pub(super) struct TurnoverRow<'a> {
    id: DeliveryId,
    code: &'a str,
    title: &'a str,
    engagement: Option<EngagementRef<'a>>,
    episode_id: Option<EpisodeId>,
    status: DeliveryStatus,
    outstanding: bool,
    overdue: bool,
    #[schemars(with = "Option<Day>")]
    due_on: Option<Date>,
    spec: Option<&'a DeliverySpec>,
    shots: Vec<ShotRow<'a>>,
    package: Vec<FileRow<'a>>,
    submissions: Vec<SubmissionRow>,
}

#[derive(Serialize, JsonSchema)]
struct ShotRow<'a> {
    code: &'a str,
    scene_node_id: Option<NodeId>,
    frame_in: u32,
    frame_out: u32,
    handles: u32,
}

#[derive(Serialize, JsonSchema)]
struct FileRow<'a> {
    media_id: MediaId,
    filename: &'a str,
    size_bytes: u64,
    sha256: &'a str,
}

#[derive(Serialize, JsonSchema)]
struct SubmissionRow {
    id: SubmissionId,
    version: u32,
    status: SubmissionStatus,
    #[schemars(with = "Moment")]
    submitted_at: Timestamp,
    file_count: usize,
}

/// `GET /turnovers`: outstanding ones first, then by due date.
pub(super) fn list<'a>(view: &View<'a>) -> Vec<TurnoverRow<'a>> {
    let turnovers = view.office.deliveries.iter().filter(|delivery| delivery.kind == DeliveryKind::Turnover);
    let mut turnovers: Vec<_> = turnovers.filter_map(|delivery| view.sight.delivery(delivery)).collect();
    turnovers.sort_by_key(|turnover| (!turnover.status.is_outstanding(), by_due(turnover.due_on), turnover.id));
    turnovers.into_iter().map(|turnover| row(view, turnover)).collect()
}

fn row<'a>(view: &View<'a>, turnover: &'a Delivery) -> TurnoverRow<'a> {
    let office = view.office;
    let shot = |shot: &'a Shot| ShotRow {
        code: &shot.code,
        scene_node_id: shot.scene,
        frame_in: shot.frame_in,
        frame_out: shot.frame_out,
        handles: shot.handles,
    };
    let file = |media: &'a Media| FileRow {
        media_id: media.id,
        filename: &media.filename,
        size_bytes: media.size_bytes,
        sha256: &media.sha256,
    };
    let submission = |it: &Submission| SubmissionRow {
        id: it.id,
        version: it.version,
        status: it.status,
        submitted_at: it.submitted_at,
        file_count: it.files.len(),
    };
    let package = turnover.package.iter().filter_map(|id| office.media.get(id)).filter(|media| !media.purged);
    TurnoverRow {
        id: turnover.id,
        code: &turnover.code,
        title: &turnover.title,
        engagement: engagement(view, turnover.engagement_id),
        episode_id: turnover.episode_id,
        status: turnover.status,
        outstanding: turnover.status.is_outstanding(),
        overdue: view.is_overdue(turnover),
        due_on: turnover.due_on,
        spec: turnover.spec.as_ref(),
        shots: office.shots_of(turnover.id).map(shot).collect(),
        package: package.map(file).collect(),
        submissions: office.submissions_of(turnover.id).map(submission).collect(),
    }
}

/// The answer to a submission.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SubmissionReply<'a> {
    id: SubmissionId,
    delivery_id: DeliveryId,
    version: u32,
    title: &'a str,
    note: Option<&'a str>,
    status: SubmissionStatus,
    #[schemars(with = "Moment")]
    submitted_at: Timestamp,
    submitted_by: &'a Actor,
    via: Via,
    approval_id: ApprovalId,
    files: Vec<SubmittedFile<'a>>,
    warnings: &'a [String],
}

#[derive(Serialize, JsonSchema)]
struct SubmittedFile<'a> {
    media_id: MediaId,
    filename: &'a str,
    size_bytes: u64,
    sha256: &'a str,
    content_type: &'a str,
}

impl<'a> SubmissionReply<'a> {
    /// The answer about `submission`, which `submitted_by` sent and whose files are `files`.
    pub(crate) fn of(
        submission: &'a Submission,
        submitted_by: &'a Actor,
        files: impl Iterator<Item = &'a Media>,
    ) -> Self {
        let file = |media: &'a Media| SubmittedFile {
            media_id: media.id,
            filename: &media.filename,
            size_bytes: media.size_bytes,
            sha256: &media.sha256,
            content_type: &media.content_type,
        };
        Self {
            id: submission.id,
            delivery_id: submission.delivery_id,
            version: submission.version,
            title: &submission.title,
            note: submission.note.as_deref(),
            status: submission.status,
            submitted_at: submission.submitted_at,
            submitted_by,
            via: submission.via,
            approval_id: submission.approval_id,
            files: files.map(file).collect(),
            warnings: &submission.warnings,
        }
    }
}
