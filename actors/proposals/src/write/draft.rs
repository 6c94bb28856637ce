//! A change as it is written down before it is sent.

use playhouse_library::InstanceLabel;
use playhouse_library::settings::{Digest, FieldChange, JsonText, ReadyProfile};

use crate::clean::clean;
use crate::desk::Desk;
use crate::records::{ChangeRow, Object, Text};
use crate::who::Who;
use crate::{ChangeId, ChangeRecord, ChangeSource, ChangeStatus, Operation, ProposalId, ResourceType};

/// How many differences an entry of the history shows.
const MAX_FIELDS: usize = 512;

/// A change that is about to be made.
pub(crate) struct Draft {
    pub(crate) who: Who,
    pub(crate) source: ChangeSource,
    pub(crate) instance: InstanceLabel,
    pub(crate) operation: Operation,
    pub(crate) object: Object,
    pub(crate) resource_id: String,
    pub(crate) resource_name: String,
    pub(crate) connection: Digest,
    pub(crate) before: JsonText,
    pub(crate) before_digest: Digest,
    pub(crate) after: JsonText,
    pub(crate) after_digest: Digest,
    pub(crate) fields: Vec<FieldChange>,
    /// The approved proposal, which gets a link to the entry and ends with it.
    pub(crate) proposal: Option<ProposalId>,
    /// Of a restore, what it takes back.
    pub(crate) parent: Option<ChangeId>,
}

/// The long texts of a change, as they were written.
pub(super) struct Texts {
    pub(super) fields: Text,
    pub(super) before: Text,
    pub(super) after: Text,
}

impl Texts {
    /// Removes the texts of a change that was not begun. What cannot be removed does no harm but for its length.
    pub(super) async fn forget(self, desk: &Desk, id: ChangeId) {
        for text in [self.fields, self.before, self.after] {
            if let Err(error) = text.remove(&*desk.services.store, desk.house, id).await {
                tracing::warn!(house = %desk.house, change = %id, %error, "texts of a change that was not begun stay behind");
            }
        }
    }
}

impl Draft {
    /// Of a profile that is ready to be written, in the name of `who`; of no proposal, and taking nothing back.
    pub(crate) fn of_profile(
        profile_id: i64,
        ready: &ReadyProfile,
        who: Who,
        source: ChangeSource,
        operation: Operation,
    ) -> Self {
        Self {
            who,
            source,
            instance: ready.instance.clone(),
            operation,
            object: Object::Profile { id: profile_id, dependencies: ready.dependencies },
            resource_id: profile_id.to_string(),
            resource_name: ready.profile_name.clone(),
            connection: ready.connection,
            before: ready.before.clone(),
            before_digest: ready.before_digest,
            after: ready.desired.clone(),
            after_digest: ready.desired_digest,
            fields: ready.fields.clone(),
            proposal: None,
            parent: None,
        }
    }

    fn resource_type(&self) -> ResourceType {
        match self.object {
            Object::Profile { .. } => ResourceType::QualityProfile,
            Object::Format { .. } => ResourceType::CustomFormat,
        }
    }

    /// The operation in a sentence. It claims no outcome: none is known yet.
    fn summary(&self) -> String {
        let what = match self.resource_type() {
            ResourceType::QualityProfile => "quality profile",
            ResourceType::CustomFormat => "custom format",
        };
        let verb = match self.operation {
            Operation::Update => "Change",
            Operation::Create => "Make",
            Operation::Revert => "Put back",
        };
        format!("{verb} {what} \"{}\" in {}", self.resource_name, self.instance.title())
    }

    /// The entry of the history, under way since `now`.
    pub(super) fn row(&self, id: ChangeId, texts: &Texts, now: jiff::Timestamp) -> ChangeRow {
        ChangeRow {
            shown: ChangeRecord {
                id,
                parent_id: self.parent,
                actor_user_id: self.who.account,
                actor_name: self.who.name.clone(),
                source: self.source,
                service_type: self.instance.service,
                instance_id: self.instance.id,
                instance_name: clean(&self.instance.name),
                resource_type: self.resource_type(),
                resource_id: clean(&self.resource_id),
                resource_name: clean(&self.resource_name),
                operation: self.operation,
                status: ChangeStatus::Executing,
                summary: clean(&self.summary()),
                changes: Vec::new(),
                error_text: None,
                created_at: now,
                completed_at: None,
                current_status: None,
                current_error: None,
                can_revert: false,
            },
            credential: self.who.credential,
            proposal: self.proposal,
            connection: self.connection,
            object: self.object.clone(),
            before_digest: self.before_digest,
            after_digest: self.after_digest,
            was_confirmed: false,
            restored_by: None,
            fields: texts.fields,
            before: texts.before,
            after: texts.after,
        }
    }
}

/// The differences as they are kept: without secrets, each text bounded.
pub(super) fn kept_fields(fields: &[FieldChange]) -> Vec<FieldChange> {
    let kept = |field: &FieldChange| FieldChange {
        key: clean(&field.key),
        label: clean(&field.label),
        before: clean(&field.before),
        after: clean(&field.after),
        current: None,
        current_state: None,
    };
    fields.iter().take(MAX_FIELDS).map(kept).collect()
}
