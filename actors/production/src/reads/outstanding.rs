//! What is missing, in plain sentences, so that a model need not guess. Worked out from what the reader sees.

use super::View;
use super::bundles::DeliveryHere;
use super::scenes::shoot_dates;
use crate::model::{Asset, Delivery, DeliveryKind, DeliveryStatus, Scene};

/// What is outstanding about these scenes, assets and deliveries: assets first, then deliveries, then what has no date.
pub(super) fn of(
    view: &View<'_>,
    scenes: &[&Scene],
    assets: &[&Asset],
    deliveries: &[DeliveryHere<'_>],
) -> Vec<String> {
    let assets = assets.iter().filter(|asset| asset.status.is_outstanding());
    let mut sentences: Vec<_> =
        assets.map(|asset| format!("{} is {}, not approved", asset.code, asset.status)).collect();
    sentences.extend(deliveries.iter().filter_map(|here| owed(view, here.delivery)));
    let undated = scenes.iter().filter(|scene| !scene.omitted && shoot_dates(view, scene.node_id).is_empty());
    sentences.extend(undated.map(|scene| format!("scene {} has no shoot date", scene.number)));
    sentences
}

fn owed(view: &View<'_>, delivery: &Delivery) -> Option<String> {
    let what = match delivery.kind {
        DeliveryKind::Turnover => "turnover",
        DeliveryKind::Cut
        | DeliveryKind::Master
        | DeliveryKind::Dailies
        | DeliveryKind::Legal
        | DeliveryKind::Marketing => "delivery",
    };
    let code = &delivery.code;
    let last = view.office.submissions_of(delivery.id).next_back().map(|submission| submission.version);
    let due = match delivery.due_on {
        Some(due) if view.is_overdue(delivery) => format!(", overdue since {due}"),
        Some(due) => format!(", due {due}"),
        None => String::new(),
    };
    match (delivery.status, last) {
        (DeliveryStatus::Planned, _) => Some(format!("{what} {code} is not open yet{due}")),
        (DeliveryStatus::Open, None) => Some(format!("{what} {code} has no submission{due}")),
        (DeliveryStatus::Open, Some(version)) => Some(format!("{what} {code} is open again after v{version:03}{due}")),
        (DeliveryStatus::Submitted, Some(version)) => Some(format!("{what} {code} v{version:03} waits for a decision")),
        (DeliveryStatus::Submitted, None) => Some(format!("{what} {code} waits for a decision")),
        (DeliveryStatus::ChangesRequested, Some(version)) => {
            Some(format!("{what} {code} needs changes to v{version:03}{due}"))
        }
        (DeliveryStatus::ChangesRequested, None) => Some(format!("{what} {code} needs changes{due}")),
        (DeliveryStatus::Accepted | DeliveryStatus::Cancelled, _) => None,
    }
}
