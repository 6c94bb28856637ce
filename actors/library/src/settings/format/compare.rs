//! How a format now compares with a recorded change of it.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle};

use super::live::LiveFormat;
use super::{Exact, Members, NAME, fields, has_what_was_sent, is_same};
use crate::ArrActor;
use crate::actor::Hands;
use crate::settings::collection::{Collection, aside, n_bytes};
use crate::settings::{CompareFormat, Comparison, LiveState};

impl Handle<CompareFormat> for ArrActor {
    fn handle(&mut self, order: CompareFormat, call: CallInfo) -> Answer<Self, Comparison> {
        match self.hands() {
            Err(failure) => Answer::now(Comparison::unavailable(failure.to_string(), order.fields)),
            Ok(hands) => Answer::later(async move { hands.quick(compare(&hands, order, call.deadline)).await }),
        }
    }
}

/// Reads the formats and compares.
pub(super) async fn compare(hands: &Hands, order: CompareFormat, deadline: Deadline) -> Comparison {
    if order.connection != hands.connection {
        return Comparison::moved(order.fields);
    }
    let fields = order.fields.clone();
    let compared = async {
        let texts = Collection::Formats.read(hands, deadline).await?;
        aside(n_bytes(&texts), move || look(&texts, order)).await
    };
    compared.await.unwrap_or_else(|failure| Comparison::unavailable(failure.to_string(), fields))
}

/// Compares with what was read.
pub(super) fn look(texts: &[String], order: CompareFormat) -> Comparison {
    let CompareFormat { id, name, after, was_confirmed, fields, .. } = order;
    let Ok(Exact::Object(after)) = Exact::parse(after.as_str()) else {
        return Comparison::unavailable("The recorded object cannot be read any more.", fields);
    };
    // What was recorded passed the screen for secrets; the object itself has its name to the byte.
    let name = after.get(NAME).and_then(Exact::as_text).map_or(name, str::to_owned);
    let mut all = texts.iter().filter_map(|text| LiveFormat::read(text));
    let live = all.find(|format| match id {
        Some(id) => format.id == id,
        None => format.name == name,
    });
    let note = match &live {
        None => Some("The custom format is not there any more.".to_owned()),
        Some(live) if live.name != name => Some("The custom format has another name now.".to_owned()),
        Some(_) => None,
    };
    let live = live.map(|live| live.members);
    let matches = live.as_ref().is_some_and(|live| match was_confirmed {
        true => says_the_same(live, &after),
        // It was never read back, so that nobody knows what the service made of it.
        false => has_what_was_sent(live, &after),
    });
    let state = if matches { LiveState::MatchesApplied } else { LiveState::Different };
    Comparison { state, note, fields: fields::with_current(fields, live.as_ref(), &after) }
}

fn says_the_same(live: &Members, after: &Members) -> bool {
    live.len() == after.len()
        && live.iter().zip(after).all(|((name, live), (also, after))| name == also && is_same(live, after))
}
