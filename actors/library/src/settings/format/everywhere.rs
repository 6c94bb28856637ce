//! Whether a new format entered every profile, at score 0.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle};

use super::Exact;
use crate::ArrActor;
use crate::actor::Hands;
use crate::settings::collection::{Collection, aside, n_bytes, parse_all};
use crate::settings::profile::quoted;
use crate::settings::{ConfirmFormatInProfiles, NotConfirmed};

impl Handle<ConfirmFormatInProfiles> for ArrActor {
    fn handle(&mut self, order: ConfirmFormatInProfiles, call: CallInfo) -> Answer<Self, Result<(), NotConfirmed>> {
        self.answer_read(|hands| async move { confirm(&hands, order.id, call.deadline).await })
    }
}

/// Reads the profiles and looks for the format in each.
pub(super) async fn confirm(hands: &Hands, id: i64, deadline: Deadline) -> Result<(), NotConfirmed> {
    let texts = Collection::Profiles.read(hands, deadline).await?;
    aside(n_bytes(&texts), move || look(&texts, id)).await?
}

/// Looks for the format in each profile.
pub(super) fn look(texts: &[String], id: i64) -> Result<(), NotConfirmed> {
    for profile in parse_all(Collection::Profiles, texts)? {
        let items = profile.member("formatItems").and_then(Exact::elements).unwrap_or_default();
        let mut scores = items
            .iter()
            .filter(|item| item.member("format").and_then(Exact::as_integer) == Some(id))
            .map(|item| item.member("score").and_then(Exact::as_integer));
        let what = match (scores.next(), scores.next()) {
            (Some(Some(0)), None) => continue,
            (Some(Some(score)), None) => format!("at score {score:+}"),
            (Some(None), None) => "without a score".to_owned(),
            (Some(_), Some(_)) => "more than once".to_owned(),
            (None, _) => "not at all".to_owned(),
        };
        let name = quoted(profile.member("name").and_then(Exact::as_text).unwrap_or_default());
        let words = format!("The quality profile {name} lists custom format {id} {what}, instead of once at score 0.");
        return Err(NotConfirmed { words });
    }
    Ok(())
}
