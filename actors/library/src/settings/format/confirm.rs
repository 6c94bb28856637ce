//! Whether the format that was sent is stored.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle};

use super::live::LiveFormat;
use super::{Exact, fields, has_what_was_sent};
use crate::ArrActor;
use crate::actor::Hands;
use crate::settings::collection::{Collection, aside, n_bytes};
use crate::settings::profile::quoted;
use crate::settings::{ConfirmFormat, ConfirmedFormat, FormatAction, JsonText, NotConfirmed, hash};

impl Handle<ConfirmFormat> for ArrActor {
    fn handle(&mut self, order: ConfirmFormat, call: CallInfo) -> Answer<Self, Result<ConfirmedFormat, NotConfirmed>> {
        self.answer_read(|hands| async move { confirm(&hands, order, call.deadline).await })
    }
}

/// Reads the formats and looks for it.
pub(super) async fn confirm(
    hands: &Hands,
    order: ConfirmFormat,
    deadline: Deadline,
) -> Result<ConfirmedFormat, NotConfirmed> {
    let texts = Collection::Formats.read(hands, deadline).await?;
    aside(n_bytes(&texts), move || look(&texts, &order)).await?
}

/// Looks for it in what was read back.
pub(super) fn look(texts: &[String], order: &ConfirmFormat) -> Result<ConfirmedFormat, NotConfirmed> {
    let name = quoted(&order.name);
    let not = |words: String| Err(NotConfirmed { words });
    let mut of_name = texts.iter().filter_map(|text| LiveFormat::read(text)).filter(|format| format.name == order.name);
    let live = match (of_name.next(), of_name.next()) {
        (Some(live), None) => live,
        (None, _) => return not(format!("The custom format {name} was not found when the list was read back.")),
        (Some(_), Some(_)) => return not(format!("Two custom formats are called {name} now.")),
    };
    let expected_id = match order.action {
        FormatAction::Create => order.answered_id,
        FormatAction::Update { id } | FormatAction::Unchanged { id } => Some(id),
    };
    if let Some(expected) = expected_id.filter(|expected| *expected != live.id) {
        return not(format!("The custom format {name} was read back with the id {} instead of {expected}.", live.id));
    }
    let Ok(Exact::Object(sent)) = Exact::parse(order.desired.as_str()) else {
        return not("What was sent cannot be read any more.".to_owned());
    };
    if !has_what_was_sent(&live.members, &sent) {
        return not(format!("The custom format {name} was read back, and does not have everything that was sent."));
    }
    let fields = match Exact::parse(order.before.as_str()) {
        Ok(Exact::Object(before)) => fields::differences(&before, &live.members),
        _ => fields::of_creation(&live.members),
    };
    Ok(ConfirmedFormat {
        id: live.id,
        after_digest: hash::of_value(&Exact::Object(live.members)),
        after: JsonText::of_checked(live.text),
        fields,
    })
}
