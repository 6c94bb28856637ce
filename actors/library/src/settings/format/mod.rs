//! Custom formats: made or changed from a payload in the service's own shape or in that of the TRaSH guides, and found again.
//!
//! A service drops the members it does not know (`trash_id`), adds members to every condition, and gives lists an order of its own. So "is it
//! there?" is a question of containment, never of equality.

mod compare;
mod confirm;
mod everywhere;
mod fields;
mod live;
mod payload;
mod plan;
mod prepare;
mod read;
mod send;
mod summary;

pub(crate) use read::{FormatList, ReadFormat, ReadFormats};
pub(crate) use summary::{ConditionSummary, FormatSummary};

use super::exact::{Budget, Containment, Exact, Members, is_same};

/// The members of a format that mean something to every service, and that a write is judged by.
const NAME: &str = "name";
const SPECIFICATIONS: &str = "specifications";
const RENAMING: &str = "includeCustomFormatWhenRenaming";

/// Whether the stored object has everything of what was sent that the service keeps.
fn has_what_was_sent(live: &Members, sent: &Members) -> bool {
    let budget = Budget::new();
    [NAME, SPECIFICATIONS, RENAMING].into_iter().all(|member| match (live.get(member), sent.get(member)) {
        // The service takes `null` for what it has without being told.
        (_, None | Some(Exact::Null)) => true,
        (None, Some(_)) => false,
        (Some(live), Some(sent)) => match member {
            SPECIFICATIONS => Containment::Readback.specifications_hold(live, sent, &budget),
            _ => Containment::Readback.holds(live, sent, &budget),
        },
    })
}
