//! What making or changing a format would do.

use std::collections::BTreeSet;

use super::live::{self, LiveFormat};
use super::payload::Payload;
use super::{Budget, Containment, Exact, Members, SPECIFICATIONS, fields, is_same};
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
    let missing = missing_members(&live.members, &payload.members);
    let action = match missing.is_empty() {
        true => FormatAction::Unchanged { id: live.id },
        false => FormatAction::Update { id: live.id },
    };
    FormatPlan {
        action,
        fields: fields::differences_in(&missing, &live.members, &desired),
        before: JsonText::of_checked(live.text),
        before_value: Exact::Object(live.members),
        desired: Exact::Object(desired),
    }
}

/// The members of the payload that the stored object does not have like this; where there is none, sending it would change nothing. The guides'
/// own members are dropped by every service, and so is what is `null`.
fn missing_members(live: &Members, payload: &Members) -> BTreeSet<String> {
    let budget = Budget::new();
    let is_there = |(name, planned): &(&String, &Exact)| match live.get(*name) {
        None => name.starts_with("trash_") || **planned == Exact::Null,
        Some(live) if **planned == Exact::Null && live.is_falsy() => true,
        // Whatever the comparison below would cost.
        Some(live) if is_same(live, planned) => true,
        Some(live) if *name == SPECIFICATIONS => Containment::Unchanged.specifications_hold(live, planned, &budget),
        Some(live) => Containment::Unchanged.holds(live, planned, &budget),
    };
    payload.iter().filter(|member| !is_there(member)).map(|(name, _)| name.clone()).collect()
}
