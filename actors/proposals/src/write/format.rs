//! The guarded write of a custom format.

use playhouse_library::answer::Unfinished;
use playhouse_library::settings::{
    ConfirmFormat, ConfirmFormatInProfiles, ConfirmedFormat, FormatAction, PreparedFormat, SendFormat,
};

use super::record::{Begun, Ending};
use super::{Draft, Written, to_confirm, to_send};
use crate::clean::clean;
use crate::desk::Desk;
use crate::gate::Gate;
use crate::records::Object;

/// How a write of a format that was read back ended.
pub(crate) struct WrittenFormat {
    pub(crate) written: Written,
    /// Its id, where it was read back.
    pub(crate) id: Option<i64>,
    /// Whether the service took the write and stored no difference.
    pub(crate) stored_no_difference: bool,
}

/// Writes it down, sends it once, reads it back, looks whether a new one is in every profile, and writes down how it ended. Never dropped half way.
pub(crate) async fn carry_out(desk: &Desk, prepared: PreparedFormat, draft: Draft, gate: &Gate) -> WrittenFormat {
    let mut confirmed = None;
    let written = send(desk, prepared, draft, gate, &mut confirmed).await;
    let (id, stored_no_difference) = confirmed.unzip();
    WrittenFormat { written, id, stored_no_difference: stored_no_difference.unwrap_or_default() }
}

async fn send(
    desk: &Desk,
    prepared: PreparedFormat,
    draft: Draft,
    gate: &Gate,
    found: &mut Option<(i64, bool)>,
) -> Written {
    let instance = draft.instance.id;
    let what = format!("custom format \"{}\" of {}", prepared.name, prepared.instance.title());
    let begun = match Begun::record(desk, &draft, gate, None).await {
        Ok(begun) => begun,
        Err(not_begun) => return Written::NotBegun(not_begun),
    };
    drop(draft);
    let PreparedFormat { connection, action, name, before, desired, .. } = prepared;
    let order = SendFormat { connection, action, name: name.clone(), body: desired.clone() };
    let sent = desk.ask(instance, order, to_send()).await.unwrap_or_else(|error| Err(Unfinished::from(error)));
    let answered_id = match sent {
        Err(Unfinished::NotStarted { code, words }) => {
            let words = clean(&words);
            let row = Box::new(begun.failed(desk, &words).await);
            return Written::Failed { row, code, words };
        }
        Err(Unfinished::Unknown { cause, .. } | Unfinished::Partial { cause, .. }) => {
            let completed = format!("{what} was sent and may have been taken");
            return begun.unsure(desk, false, completed, "learning what became of it", &cause).await;
        }
        Ok(answered_id) => answered_id,
    };
    let order = ConfirmFormat { action, name, before, desired, answered_id };
    let confirmed = match desk.ask(instance, order, to_confirm()).await {
        Ok(Ok(confirmed)) => Ok(confirmed),
        Ok(Err(not_confirmed)) => Err(not_confirmed.words),
        Err(error) => Err(error.to_string()),
    };
    let ConfirmedFormat { id, after, after_digest, fields } = match confirmed {
        Ok(confirmed) => confirmed,
        Err(cause) => {
            let completed = format!("{what} was taken by the service");
            return begun.unsure(desk, true, completed, "reading it back", &cause).await;
        }
    };
    if action == FormatAction::Create {
        let looked = match desk.ask(instance, ConfirmFormatInProfiles { id }, to_confirm()).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(not_confirmed)) => Err(not_confirmed.words),
            Err(error) => Err(error.to_string()),
        };
        if let Err(cause) = looked {
            let completed = format!("{what} was created with the id {id}");
            return begun.unsure(desk, true, completed, "verifying it in every profile", &cause).await;
        }
    }
    let stored_no_difference = fields.is_empty();
    *found = Some((id, stored_no_difference));
    let object = Object::Format { action, id: Some(id) };
    let ending = Ending::Applied { read_back: Some((after, after_digest)), fields, object };
    begun.applied(desk, ending, format!("{what} was written and read back with the id {id}")).await
}
