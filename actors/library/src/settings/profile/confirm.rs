//! Whether the profile that was sent is the one that is stored.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle};

use super::ground::find;
use crate::ArrActor;
use crate::actor::Hands;
use crate::settings::collection::{Collection, aside, n_bytes};
use crate::settings::{ConfirmProfile, JsonText, NotConfirmed, hash};

impl Handle<ConfirmProfile> for ArrActor {
    fn handle(&mut self, order: ConfirmProfile, call: CallInfo) -> Answer<Self, Result<JsonText, NotConfirmed>> {
        self.answer_read(|hands| async move { confirm(&hands, order, call.deadline).await })
    }
}

/// Reads the profiles and compares.
pub(super) async fn confirm(
    hands: &Hands,
    order: ConfirmProfile,
    deadline: Deadline,
) -> Result<JsonText, NotConfirmed> {
    let profiles = Collection::Profiles.read(hands, deadline).await?;
    aside(n_bytes(&profiles), move || compare(&profiles, &order)).await?
}

fn compare(profiles: &[String], order: &ConfirmProfile) -> Result<JsonText, NotConfirmed> {
    let (text, value) = find(profiles, order.profile_id)?;
    match hash::of_profile(&value) {
        Ok(digest) if digest == order.desired => Ok(JsonText::of_checked(text)),
        _ => Err(NotConfirmed {
            words: format!("Quality profile {} was read back, and is not what was sent.", order.profile_id),
        }),
    }
}
