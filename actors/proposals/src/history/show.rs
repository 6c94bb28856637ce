//! One change with its details, and how the library compares now.

use std::rc::Rc;

use playhouse_bus::Deadline;
use playhouse_library::settings::{CompareFormat, CompareProfile, Comparison, FieldChange, JsonText, LiveState};

use crate::clean::clean;
use crate::desk::{Desk, to_read};
use crate::records::{ChangeRow, Object, change_path};
use crate::state::{Kept, kept};
use crate::{ChangeError, ChangeId, ChangeRecord};

impl Desk {
    /// An entry of the history, with its version.
    pub(crate) async fn change(&self, id: ChangeId) -> Result<Kept<ChangeRow>, ChangeError> {
        let found = kept::<ChangeRow>(self.house, &*self.services.store, change_path(id)).await?;
        found.ok_or(ChangeError::NotFound)
    }

    /// The differences of a change.
    async fn fields(&self, row: &ChangeRow) -> Result<Vec<FieldChange>, ChangeError> {
        let text = row.fields.read(&*self.services.store, self.house, row.shown.id).await?;
        serde_json::from_str(&text).map_err(|_| crate::records::TextError::Broken.into())
    }

    /// An entry as whoever made the change is answered: with its differences.
    pub(crate) async fn with_differences(&self, row: ChangeRow) -> ChangeRecord {
        let changes = self.fields(&row).await.unwrap_or_else(|error| {
            // The change is made and recorded; that its details cannot be read at this moment is no reason to say otherwise.
            tracing::warn!(house = %self.house, change = %row.shown.id, %error, "the differences of a change could not be read");
            Vec::new()
        });
        ChangeRecord { changes, ..row.shown }
    }

    /// Whether a change was put back, or may have been.
    pub(crate) async fn is_taken_back(&self, row: &ChangeRow) -> Result<bool, ChangeError> {
        match row.restored_by {
            None => Ok(false),
            Some(id) => Ok(self.change(id).await?.record.blocks_another()),
        }
    }
}

/// One change with its details. Its library is read for the comparison.
pub(crate) async fn show(desk: Rc<Desk>, id: ChangeId, deadline: Deadline) -> Result<ChangeRecord, ChangeError> {
    let row = desk.change(id).await?.record;
    let fields = desk.fields(&row).await?;
    let Comparison { state, note, fields } = compare(&desk, &row, fields, deadline).await?;
    let mut shown = row.shown.clone();
    shown.changes = fields.into_iter().map(cleaned).collect();
    shown.current_status = Some(state);
    shown.current_error = note.map(|note| clean(&note));
    shown.can_revert = state == LiveState::MatchesApplied && row.is_restorable() && !desk.is_taken_back(&row).await?;
    Ok(shown)
}

async fn compare(
    desk: &Desk,
    row: &ChangeRow,
    fields: Vec<FieldChange>,
    deadline: Deadline,
) -> Result<Comparison, ChangeError> {
    let instance = row.shown.instance_id;
    let asked = match &row.object {
        Object::Profile { id, dependencies } => {
            let order = CompareProfile {
                profile_id: *id,
                connection: row.connection,
                applied: row.after_digest,
                dependencies: *dependencies,
                fields: fields.clone(),
            };
            desk.ask(instance, order, to_read(deadline)).await
        }
        Object::Format { id, .. } => {
            let after = row.after.read(&*desk.services.store, desk.house, row.shown.id).await?;
            let order = CompareFormat {
                id: *id,
                name: row.shown.resource_name.clone(),
                connection: row.connection,
                after: JsonText::new(after).map_err(|_| crate::records::TextError::Broken)?,
                was_confirmed: row.was_confirmed,
                fields: fields.clone(),
            };
            desk.ask(instance, order, to_read(deadline)).await
        }
    };
    Ok(asked.unwrap_or_else(|error| Comparison {
        state: LiveState::Unavailable,
        note: Some(match error {
            playhouse_bus::CallError::NotFound => "This house has that library no more.".to_owned(),
            other => other.to_string(),
        }),
        fields,
    }))
}

fn cleaned(field: FieldChange) -> FieldChange {
    FieldChange { current: field.current.as_deref().map(clean), ..field }
}
