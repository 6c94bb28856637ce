//! The guarded write of a custom format.

use playhouse_library::settings::{
    ConfirmFormat, ConfirmFormatInProfiles, ConfirmedFormat, FormatAction, PreparedFormat, SendFormat, WriteLease,
};

use super::record::{Begun, Ending};
use super::{Draft, Held, Written, confirm, send};
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

/// Writes it down, sends it once, reads it back, looks whether a new one is in every profile, writes down how it ended and gives the library's lane
/// back. Never dropped half way.
pub(crate) async fn carry_out(
    desk: &Desk,
    prepared: PreparedFormat,
    held: Held,
    draft: Draft,
    gate: &Gate,
) -> WrittenFormat {
    let mut confirmed = None;
    let written = write(desk, prepared, held.lease(), draft, gate, &mut confirmed).await;
    held.release().await;
    let (id, stored_no_difference) = confirmed.unzip();
    WrittenFormat { written, id, stored_no_difference: stored_no_difference.unwrap_or_default() }
}

async fn write(
    desk: &Desk,
    prepared: PreparedFormat,
    lease: WriteLease,
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
    let order = SendFormat { lease, connection, action, name: name.clone(), body: desired.clone() };
    let (begun, answered_id) = match begun.taken(desk, &what, send(desk, instance, order).await).await {
        Ok(taken) => taken,
        Err(ended) => return ended,
    };
    let order = ConfirmFormat { action, name, before, desired, answered_id };
    let ConfirmedFormat { id, after, after_digest, fields } = match confirm(desk, instance, order).await {
        Ok(confirmed) => confirmed,
        Err(cause) => {
            let completed = format!("{what} was taken by the service");
            return begun.unsure(desk, true, completed, "reading it back", &cause).await;
        }
    };
    if action == FormatAction::Create
        && let Err(cause) = confirm(desk, instance, ConfirmFormatInProfiles { id }).await
    {
        let completed = format!("{what} was created with the id {id}");
        return begun.unsure(desk, true, completed, "verifying it in every profile", &cause).await;
    }
    let stored_no_difference = fields.is_empty();
    *found = Some((id, stored_no_difference));
    let object = Object::Format { action, id: Some(id) };
    let ending = Ending::Applied { read_back: Some((after, after_digest)), fields, object };
    begun.applied(desk, ending, format!("{what} was written and read back with the id {id}")).await
}
