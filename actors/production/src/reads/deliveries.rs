//! What is owed by when.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;

use super::shapes::Day;
use super::{View, by_due};
use crate::model::{Delivery, DeliveryId, DeliveryKind, DeliveryStatus, EngagementId, EpisodeId};

#[derive(Serialize, JsonSchema)]
pub(super) struct DeliveryRow<'a> {
    id: DeliveryId,
    code: &'a str,
    title: &'a str,
    kind: DeliveryKind,
    status: DeliveryStatus,
    overdue: bool,
    episode_id: Option<EpisodeId>,
    engagement: Option<EngagementRef<'a>>,
    #[schemars(with = "Option<Day>")]
    due_on: Option<Date>,
    shot_count: usize,
    submission_count: usize,
}

/// An engagement as other answers name it.
#[derive(Serialize, JsonSchema)]
pub(super) struct EngagementRef<'a> {
    #[schemars(with = "u32")]
    id: EngagementId,
    title: &'a str,
    vendor: Option<&'a str>,
}

/// `GET /deliveries`: by due date, those without one last.
pub(super) fn list<'a>(view: &View<'a>) -> Vec<DeliveryRow<'a>> {
    let mut deliveries: Vec<_> = view.office.deliveries.iter().collect();
    deliveries.sort_by_key(|delivery| (by_due(delivery.due_on), delivery.id));
    let row = |delivery: &'a Delivery| DeliveryRow {
        id: delivery.id,
        code: &delivery.code,
        title: &delivery.title,
        kind: delivery.kind,
        status: delivery.status,
        overdue: view.is_overdue(delivery),
        episode_id: delivery.episode_id,
        engagement: engagement(view, delivery.engagement_id),
        due_on: delivery.due_on,
        shot_count: view.office.shots_of(delivery.id).count(),
        submission_count: view.office.by.submissions_of_delivery.count(&delivery.id),
    };
    deliveries.into_iter().map(row).collect()
}

/// The engagement with this id as other answers name it.
pub(super) fn engagement<'a>(view: &View<'a>, id: Option<EngagementId>) -> Option<EngagementRef<'a>> {
    let engagement = view.office.engagements.get(&id?)?;
    let vendor = view.office.vendors.get(&engagement.vendor).map(|vendor| vendor.name.as_str());
    Some(EngagementRef { id: engagement.id, title: &engagement.title, vendor })
}
