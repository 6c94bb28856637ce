//! How a profile now compares with a recorded change of it.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle};

use super::Ground;
use super::fields::with_current;
use super::restore::depends_on;
use crate::ArrActor;
use crate::actor::Hands;
use crate::answer::{ArrFailure, Code};
use crate::settings::{CompareProfile, Comparison, FieldState, LiveState};

impl Handle<CompareProfile> for ArrActor {
    fn handle(&mut self, order: CompareProfile, call: CallInfo) -> Answer<Self, Comparison> {
        match self.hands() {
            Err(failure) => Answer::now(Comparison::unavailable(failure.to_string(), order.fields)),
            Ok(hands) => Answer::later(async move { hands.quick(compare(&hands, order, call.deadline)).await }),
        }
    }
}

/// Reads the profile and what it depends on, and compares.
pub(super) async fn compare(hands: &Hands, order: CompareProfile, deadline: Deadline) -> Comparison {
    if order.connection != hands.connection {
        return Comparison::moved(order.fields);
    }
    match Ground::read(hands, order.profile_id, deadline).await {
        Ok(ground) => compare_with(hands, ground, order, deadline).await,
        Err(ArrFailure::Refused { code: Code::ObjectMissing, .. }) => Comparison {
            state: LiveState::Different,
            note: Some("The quality profile is not there any more.".to_owned()),
            fields: with_current(order.fields, None),
        },
        Err(failure) => Comparison::unavailable(failure.to_string(), order.fields),
    }
}

async fn compare_with(hands: &Hands, mut ground: Ground, order: CompareProfile, deadline: Deadline) -> Comparison {
    let is_profile_same = ground.digest == order.applied;
    let is_same = match is_profile_same {
        false => false,
        true => match depends_on(&mut ground, hands, order.dependencies, deadline).await {
            Ok(is_same) => is_same,
            Err(failure) => return Comparison::unavailable(failure.to_string(), order.fields),
        },
    };
    let fields = with_current(order.fields, Some(&ground.value));
    if is_same {
        return Comparison { state: LiveState::MatchesApplied, note: None, fields };
    }
    let are_fields_same = fields.iter().all(|field| field.current_state == Some(FieldState::MatchesApplied));
    let note = match (is_profile_same, are_fields_same) {
        (true, _) => Some("The profile is as the change left it, but custom formats or languages were changed since."),
        (false, true) => {
            Some("The settings of the change are as it left them, but others of the profile were changed since.")
        }
        (false, false) => None,
    };
    Comparison { state: LiveState::Different, note: note.map(str::to_owned), fields }
}
