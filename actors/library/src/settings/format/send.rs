//! Sending a format, once.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle};

use super::NAME;
use crate::ArrActor;
use crate::actor::Hands;
use crate::answer::{Code, Unfinished};
use crate::settings::collection::{Collection, aside};
use crate::settings::connection::check_connection;
use crate::settings::exact::Exact;
use crate::settings::profile::quoted;
use crate::settings::{FormatAction, JsonText, SendFormat};

impl Handle<SendFormat> for ArrActor {
    fn handle(&mut self, order: SendFormat, call: CallInfo) -> Answer<Self, Result<Option<i64>, Unfinished>> {
        self.answer_change(call, |hands, deadline| async move { send(&hands, order, deadline).await })
    }
}

/// Sends the one POST or PUT, in the lane for writes that the order's lease holds.
pub(super) async fn send(hands: &Hands, order: SendFormat, deadline: Deadline) -> Result<Option<i64>, Unfinished> {
    let SendFormat { lease, connection, action, name, body } = order;
    check_connection(hands, connection)?;
    let id = match action {
        FormatAction::Create => None,
        FormatAction::Update { id } => Some(id),
        FormatAction::Unchanged { .. } => {
            return Err(Unfinished::not_started(Code::AlreadyMatches, "Nothing was sent: there is nothing to change."));
        }
    };
    check_body(&body, id, &name).await?;
    let what = match id {
        None => format!("The creation of custom format {}", quoted(&name)),
        Some(id) => format!("The change of custom format {} [{id}]", quoted(&name)),
    };
    let sent = hands
        .write_under(lease, deadline, || async {
            let collection = Collection::Formats.path();
            let sent = match id {
                None => hands.client.post_settings(collection, body.as_str(), deadline).await,
                Some(id) => hands.client.put_settings(&format!("{collection}/{id}"), body.as_str(), deadline).await,
            };
            sent.map_err(|error| Unfinished::of_write(&what, error))
        })
        .await;
    match sent {
        Ok(answer) => Ok(aside(answer.len(), move || id_in(&answer, &name)).await.ok().flatten()),
        Err(unfinished) => {
            tracing::warn!(instance = %hands.instance.id, ?id, %unfinished, "a change of a custom format did not end well");
            Err(unfinished)
        }
    }
}

/// That the object is the one that is meant: a service takes id and name from it, whatever the address says.
async fn check_body(body: &JsonText, id: Option<i64>, name: &str) -> Result<(), Unfinished> {
    let (text, name) = (body.clone(), name.to_owned());
    let fits = move || {
        let Ok(body) = Exact::parse(text.as_str()) else { return false };
        let is_of_id = match (body.member("id"), id) {
            (None, None) => true,
            (Some(found), Some(id)) => found.as_integer() == Some(id),
            _ => false,
        };
        is_of_id && body.member(NAME).and_then(Exact::as_text) == Some(name.as_str())
    };
    match aside(body.n_bytes(), fits).await? {
        true => Ok(()),
        false => {
            let words = "Nothing was sent: the object to be sent is not the custom format that is meant.";
            Err(Unfinished::not_started(Code::ChangeRefused, words))
        }
    }
}

/// The id in the answer to the write, where that can be read and names the right format. Some builds answer nothing.
fn id_in(answer: &[u8], name: &str) -> Option<i64> {
    let answer = Exact::parse(std::str::from_utf8(answer).ok()?).ok()?;
    let is_it = answer.member(NAME).and_then(Exact::as_text) == Some(name);
    answer.member("id").and_then(Exact::as_integer).filter(|id| is_it && *id > 0)
}
