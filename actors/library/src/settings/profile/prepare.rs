//! Working out a change of a profile.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle};

use super::plan::{check_languages, check_request, needs_languages, rebuild, resolve};
use super::{Ground, diff_bytes, lines};
use crate::ArrActor;
use crate::actor::Hands;
use crate::answer::{ArrFailure, Code};
use crate::settings::collection::aside;
use crate::settings::{Binding, PrepareProfileChange, PreparedProfile, ProfileChanges, hash};

/// The lines of differences take no more room in an answer.
const MAX_DIFF_BYTES: usize = 20 * 1024;

impl Handle<PrepareProfileChange> for ArrActor {
    fn handle(
        &mut self,
        order: PrepareProfileChange,
        call: CallInfo,
    ) -> Answer<Self, Result<PreparedProfile, ArrFailure>> {
        if let Err(refusal) = check_request(&order.changes, self.label().service) {
            return Answer::now(Err(refusal));
        }
        self.answer_read(|hands| async move { prepare(&hands, order, call.deadline).await })
    }
}

/// Works the change out against what is stored.
pub(super) async fn prepare(
    hands: &Hands,
    order: PrepareProfileChange,
    deadline: Deadline,
) -> Result<PreparedProfile, ArrFailure> {
    let PrepareProfileChange { profile_id, changes } = order;
    check_request(&changes, hands.service)?;
    let mut ground = Ground::read(hands, profile_id, deadline).await?;
    if needs_languages(&changes, hands.service, &ground.formats) {
        ground.read_languages(hands, deadline).await?;
    }
    let hands = hands.clone();
    aside(ground.text.len(), move || work_out(&hands, &ground, &changes)).await?
}

fn work_out(hands: &Hands, ground: &Ground, changes: &ProfileChanges) -> Result<PreparedProfile, ArrFailure> {
    let service = hands.service;
    let profile = ground.profile(service)?;
    let plan = resolve(changes, &profile, &ground.formats, ground.languages.as_ref())?;
    let desired = rebuild(&ground.value, &plan)
        .map_err(|why| super::refused(format!("This quality profile cannot be changed from here: {why}.")))?;
    let after = ground.check(&desired, service)?;
    check_languages(&after, &ground.formats)?;
    let diff = lines(&ground.value, &desired, &ground.formats.names());
    if diff.is_empty() {
        let words = format!(
            "Quality profile {} has every setting that was asked for already; there is nothing to change.",
            profile.id
        );
        return Err(ArrFailure::refused(Code::AlreadyMatches, words));
    }
    if diff_bytes(&diff) > MAX_DIFF_BYTES {
        let words =
            format!("The differences take more than {} KiB. Split the change into several.", MAX_DIFF_BYTES >> 10);
        return Err(super::refused(words));
    }
    let desired = hash::of_profile(&desired).map_err(|odd| super::refused(odd.to_string()))?;
    Ok(PreparedProfile {
        instance: hands.instance.clone(),
        profile_name: profile.name,
        plan,
        diff,
        binding: Binding {
            connection: hands.connection,
            profile: ground.digest,
            formats: ground.formats.digest,
            languages: ground.languages.as_ref().map(|languages| languages.digest),
            desired,
        },
    })
}
