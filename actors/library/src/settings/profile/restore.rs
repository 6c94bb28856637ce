//! Making ready to put a profile back.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle};

use super::rebuild::read_profile;
use super::{Ground, differences};
use crate::ArrActor;
use crate::actor::Hands;
use crate::answer::{ArrFailure, Code};
use crate::service::Service;
use crate::settings::collection::aside;
use crate::settings::exact::Exact;
use crate::settings::{Digest, NotReady, ReadyProfile, RebuildRestore, hash};

impl Handle<RebuildRestore> for ArrActor {
    fn handle(&mut self, order: RebuildRestore, call: CallInfo) -> Answer<Self, Result<ReadyProfile, NotReady>> {
        self.answer_read(|hands| async move { make_ready(&hands, order, call.deadline).await })
    }
}

/// Reads everything anew and compares it with what the change left behind.
pub(super) async fn make_ready(
    hands: &Hands,
    order: RebuildRestore,
    deadline: Deadline,
) -> Result<ReadyProfile, NotReady> {
    if order.connection != hands.connection {
        return Err(NotReady::moved());
    }
    let mut ground = read_profile(hands, order.profile_id, deadline).await?;
    if ground.digest != order.applied {
        return Err(NotReady::stale("The quality profile is not as the change left it."));
    }
    if !depends_on(&mut ground, hands, order.dependencies, deadline).await? {
        return Err(NotReady::stale("The custom formats or languages of the instance were changed since."));
    }
    let hands = hands.clone();
    aside(ground.text.len(), move || work_out(&hands, &ground, order)).await?
}

/// Whether all that the profile depends on has this digest. What is recorded does not say whether the languages are in it, so they are
/// read only where it does not fit without them.
pub(super) async fn depends_on(
    ground: &mut Ground,
    hands: &Hands,
    dependencies: Digest,
    deadline: Deadline,
) -> Result<bool, ArrFailure> {
    if ground.dependencies_without_languages() == dependencies {
        return Ok(true);
    }
    match hands.service {
        Service::Radarr | Service::Sonarr => {
            ground.read_languages(hands, deadline).await?;
            Ok(ground.dependencies() == dependencies)
        }
        Service::Lidarr | Service::Chaptarr => Ok(false),
    }
}

fn work_out(hands: &Hands, ground: &Ground, order: RebuildRestore) -> Result<ReadyProfile, NotReady> {
    let unusable = || {
        let words =
            "The stored state from before the change does not fit its own record, so nothing is restored from it.";
        NotReady::Unread(ArrFailure::unproven(Code::ChangeRefused, words))
    };
    let before = Exact::parse(order.before.as_str()).map_err(|_| unusable())?;
    let is_of_this_profile = before.member("id").and_then(Exact::as_integer) == Some(order.profile_id);
    if !is_of_this_profile || hash::of_profile(&before).ok() != Some(order.before_digest) {
        return Err(unusable());
    }
    Ok(ReadyProfile {
        instance: hands.instance.clone(),
        profile_name: ground.name(),
        connection: hands.connection,
        before: ground.stored(),
        before_digest: ground.digest,
        fields: differences(&ground.value, &before, &ground.formats.names()),
        desired: order.before,
        desired_digest: order.before_digest,
        dependencies: order.dependencies,
    })
}
