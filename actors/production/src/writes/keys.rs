//! That a key of an engagement was made or revoked, in the activity list.

use super::desk::{Desk, subject};
use crate::messages::{KeyChange, NoteKey, OfficeRefusal};
use crate::model::{SubjectType, Verb};
use crate::office::Office;

/// Notes what the house did. Whoever may make keys is none of the office's business.
pub(crate) fn note_key(desk: &mut Desk<'_>, order: &NoteKey) -> Result<(), OfficeRefusal> {
    let (verb, summary) = entry(desk.office, order)?;
    // A key has no number; its id, which is safe to show, stands in the summary.
    desk.record(verb, subject(SubjectType::Key, 0, &order.label), summary);
    Ok(())
}

/// Verb and summary of the entry that an order comes to: the same for the same order, so that it is written once.
pub(crate) fn entry(office: &Office, order: &NoteKey) -> Result<(Verb, String), OfficeRefusal> {
    let engagement = office.engagements().get(&order.engagement);
    let code = &engagement.ok_or_else(|| OfficeRefusal::not_found("Engagement"))?.code;
    let NoteKey { credential, scopes, .. } = order;
    Ok(match order.change {
        KeyChange::Created => (Verb::KeyCreated, format!("key {credential} for {code}: {scopes}")),
        KeyChange::Revoked => (Verb::KeyRevoked, format!("key {credential} for {code} was revoked")),
    })
}
