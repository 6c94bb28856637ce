//! Working a prepared change out once more, right before it is sent.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle};

use super::plan::{check_languages, rebuild};
use super::{Ground, differences, lines};
use crate::ArrActor;
use crate::actor::Hands;
use crate::answer::{ArrFailure, Code};
use crate::service::Service;
use crate::settings::collection::aside;
use crate::settings::{JsonText, NotReady, ReadyProfile, RebuildProfile, hash};

impl Handle<RebuildProfile> for ArrActor {
    fn handle(&mut self, order: RebuildProfile, call: CallInfo) -> Answer<Self, Result<ReadyProfile, NotReady>> {
        self.answer_read(|hands| async move { make_ready(&hands, order, call.deadline).await })
    }
}

/// Reads everything anew and compares it with what the change was prepared against.
pub(super) async fn make_ready(
    hands: &Hands,
    order: RebuildProfile,
    deadline: Deadline,
) -> Result<ReadyProfile, NotReady> {
    if order.binding.connection != hands.connection {
        return Err(NotReady::moved());
    }
    let mut ground = read_profile(hands, order.profile_id, deadline).await?;
    // Radarr's rule joins the language of a profile with its formats, so that there the languages count in every change.
    if order.binding.languages.is_some() || hands.service == Service::Radarr {
        ground.read_languages(hands, deadline).await?;
    }
    let hands = hands.clone();
    aside(ground.text.len(), move || work_out(&hands, &ground, &order)).await?
}

/// Reads the profile and the formats; that the profile is gone is one more way of being stale.
pub(super) async fn read_profile(hands: &Hands, profile_id: i64, deadline: Deadline) -> Result<Ground, NotReady> {
    Ground::read(hands, profile_id, deadline).await.map_err(|failure| match failure {
        ArrFailure::Refused { code: Code::ObjectMissing, words } => NotReady::stale(words),
        other => other.into(),
    })
}

fn work_out(hands: &Hands, ground: &Ground, order: &RebuildProfile) -> Result<ReadyProfile, NotReady> {
    let RebuildProfile { plan, diff, binding, .. } = order;
    if ground.digest != binding.profile {
        return Err(NotReady::stale("The quality profile was changed since."));
    }
    if ground.formats.digest != binding.formats {
        return Err(NotReady::stale("The custom formats of the instance were changed since."));
    }
    let languages = ground.languages.as_ref().map(|languages| languages.digest);
    if binding.languages.is_some() && binding.languages != languages {
        return Err(NotReady::stale("The languages that the instance knows were changed since."));
    }
    let profile = ground.profile(hands.service)?;
    let desired = rebuild(&ground.value, plan)
        .map_err(|why| NotReady::stale(format!("The change does not fit the profile any more: {why}.")))?;
    let after = ground.check(&desired, hands.service)?;
    check_languages(&after, &ground.formats)?;
    let desired_digest = hash::of_profile(&desired)
        .map_err(|odd| NotReady::stale(format!("The change does not fit the profile any more: {odd}.")))?;
    let names = ground.formats.names();
    if desired_digest != binding.desired || lines(&ground.value, &desired, &names) != *diff {
        return Err(NotReady::stale("The change would not have the same effect any more."));
    }
    Ok(ReadyProfile {
        instance: hands.instance.clone(),
        profile_name: profile.name,
        connection: hands.connection,
        before: ground.stored(),
        before_digest: ground.digest,
        fields: differences(&ground.value, &desired, &names),
        desired: JsonText::of_checked(desired.canonical()),
        desired_digest,
        dependencies: ground.dependencies(),
    })
}
