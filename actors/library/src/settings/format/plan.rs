//! What making or changing a format would do.

use super::live::{self, LiveFormat};
use super::payload::Payload;
use super::{Budget, Containment, Exact, Members, SPECIFICATIONS, fields};
use crate::answer::ArrFailure;
use crate::settings::{FieldChange, FormatAction, JsonText};

/// What would be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FormatPlan {
    pub(super) action: FormatAction,
    /// As the service wrote it, or `null`.
    pub(super) before: JsonText,
    pub(super) before_value: Exact,
    pub(super) desired: Exact,
    pub(super) fields: Vec<FieldChange>,
}

/// Works it out against all formats of the instance.
pub(super) fn plan(payload: &Payload, texts: &[String]) -> Result<FormatPlan, ArrFailure> {
    Ok(match live::of_name(live::all(texts)?, &payload.name)? {
        None => FormatPlan {
            action: FormatAction::Create,
            before: JsonText::null(),
            before_value: Exact::Null,
            fields: fields::of_creation(&payload.members),
            desired: Exact::Object(payload.members.clone()),
        },
        Some(live) => change(payload, live),
    })
}

fn change(payload: &Payload, live: LiveFormat) -> FormatPlan {
    // What the service added, or a later version knows, stays: the PUT replaces the whole object.
    let mut desired = live.members.clone();
    desired.extend(payload.members.clone());
    if let Some(id) = live.members.get("id") {
        desired.insert("id".to_owned(), id.clone());
    }
    let action = match has_all(&live.members, &payload.members) {
        true => FormatAction::Unchanged { id: live.id },
        false => FormatAction::Update { id: live.id },
    };
    FormatPlan {
        action,
        fields: fields::differences(&live.members, &desired),
        before: JsonText::of_checked(live.text),
        before_value: Exact::Object(live.members),
        desired: Exact::Object(desired),
    }
}

/// Whether sending the payload would change nothing: the stored object has every member of it, but for the guides' own, which services drop.
fn has_all(live: &Members, payload: &Members) -> bool {
    let budget = Budget::new();
    payload.iter().all(|(name, planned)| match live.get(name) {
        None => name.starts_with("trash_") || *planned == Exact::Null,
        Some(live) if name == SPECIFICATIONS => Containment::Unchanged.specifications_hold(live, planned, &budget),
        Some(live) => Containment::Unchanged.holds(live, planned, &budget),
    })
}
