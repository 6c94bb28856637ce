//! What is written down before anything is sent, and what afterwards.

use std::time::Duration;

use playhouse_library::answer::Unfinished;
use playhouse_library::settings::{Digest, FieldChange, JsonText};
use playhouse_store::{CommitError, StoreError, Version};

use super::draft::{Texts, kept_fields};
use super::{Draft, NotBegun, Unsure, Written};
use crate::clean::clean;
use crate::desk::Desk;
use crate::gate::Gate;
use crate::ledger::{Batch, Told};
use crate::records::{ChangeRow, Object, ProposalRecord, Text, TextName};
use crate::works::{UnderWay, Work};
use crate::{ChangeId, ChangeStatus, ProposalStatus};

/// How often the end of a change is written again where the store had too much to do, and how long is waited in between.
const MAX_ATTEMPTS: u32 = 5;
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(200);

/// A change that stands in the history as being carried out.
pub(crate) struct Begun {
    pub(crate) row: ChangeRow,
    under_way: UnderWay,
}

/// How a change ended.
pub(crate) enum Ending {
    /// It was read back.
    Applied {
        /// The object as it was read back and its digest, where that was not known before.
        read_back: Option<(JsonText, Digest)>,
        /// The differences that were really stored; empty where there are none, and then those that were planned are kept.
        fields: Vec<FieldChange>,
        /// What it is in the end.
        object: Object,
    },
    /// Nothing was changed.
    Failed(String),
    /// It may have been.
    Unknown(String),
}

impl Begun {
    /// Writes down that `draft` is about to be sent, if `gate` still lets it.
    ///
    /// `parent` is the change that it takes back, with the version that was read: of two who take back the same one, one is refused here.
    pub(crate) async fn record(
        desk: &Desk,
        draft: &Draft,
        gate: &Gate,
        parent: Option<(ChangeRow, Version)>,
    ) -> Result<Self, NotBegun> {
        let (id, under_way) = {
            // Under one turn, so that nobody takes the texts of this number for forgotten.
            let turn = desk.turn().await.map_err(|error| NotBegun::Store(error.to_string()))?;
            let id = turn.reserve_change();
            (id, desk.begin(Work::Change(id)))
        };
        let texts = write_texts(desk, id, draft).await?;
        match enter(desk, id, draft, &texts, gate, parent).await {
            Ok(row) => Ok(Self { row, under_way }),
            // Whether the entry is there is not known, and it may name the texts.
            Err(not_begun @ NotBegun::Store(_)) => Err(not_begun),
            Err(not_begun) => {
                texts.forget(desk, id).await;
                under_way.recorded();
                Err(not_begun)
            }
        }
    }

    /// Writes down how it ended: the entry, the proposal behind it and what admins are told, at once.
    ///
    /// # Errors
    /// That it could not be written down, in words. The entry then stays as it is until it is looked after, and counts as unknown.
    pub(crate) async fn end(self, desk: &Desk, ending: Ending) -> Result<ChangeRow, String> {
        let row = self.ended(desk, ending).await.map_err(|error| error.to_string())?;
        let mut attempt = 1;
        loop {
            match write_end(desk, &row).await {
                Ok(()) => break,
                // Nothing of it happened in both cases: what was in memory is old, or there was no room.
                Err(EndError::Commit(CommitError::Conflict { .. } | CommitError::Overloaded))
                    if attempt < MAX_ATTEMPTS =>
                {
                    attempt += 1;
                    tokio::time::sleep(BETWEEN_ATTEMPTS).await;
                }
                Err(error) => {
                    tracing::error!(house = %desk.house, change = %row.shown.id, %error, "the end of a change could not be recorded");
                    return Err(error.to_string());
                }
            }
        }
        self.under_way.recorded();
        Ok(row)
    }

    /// The entry with its end.
    async fn ended(&self, desk: &Desk, ending: Ending) -> Result<ChangeRow, CommitError> {
        let mut row = self.row.clone();
        row.shown.completed_at = Some(desk.now());
        match ending {
            Ending::Failed(words) => {
                row.shown.status = ChangeStatus::Failed;
                row.shown.error_text = Some(clean(&words));
            }
            Ending::Unknown(words) => {
                row.shown.status = ChangeStatus::OutcomeUnknown;
                row.shown.error_text = Some(clean(&words));
            }
            Ending::Applied { read_back, fields, object } => {
                row.shown.status = ChangeStatus::Applied;
                row.was_confirmed = true;
                let (house, id, store) = (desk.house, row.shown.id, &*desk.services.store);
                if let Some((after, digest)) = read_back {
                    row.after = Text::write(store, house, id, TextName::AfterReadBack, after.into()).await?;
                    row.after_digest = digest;
                }
                if !fields.is_empty() {
                    let fields = encoded(&fields)?;
                    row.fields = Text::write(store, house, id, TextName::FieldsReadBack, fields).await?;
                }
                if let Object::Format { id: Some(id), .. } = &object {
                    row.shown.resource_id = id.to_string();
                }
                row.object = object;
            }
        }
        Ok(row)
    }
}

impl Begun {
    /// Writes down that nothing was changed. Answers the entry as it should stand, also where it could not be written.
    async fn failed(self, desk: &Desk, words: &str) -> ChangeRow {
        let row = self.row.clone();
        self.end(desk, Ending::Failed(words.to_owned())).await.unwrap_or(row)
    }

    /// Goes on where the service took the write of `what`; everything else is written down as the end of it.
    pub(super) async fn taken<T>(
        self,
        desk: &Desk,
        what: &str,
        sent: Result<T, Unfinished>,
    ) -> Result<(Self, T), Written> {
        match sent {
            Ok(answered) => Ok((self, answered)),
            Err(Unfinished::NotStarted { code, words }) => {
                let words = clean(&words);
                let row = Box::new(self.failed(desk, &words).await);
                Err(Written::Failed { row, code, words })
            }
            Err(Unfinished::Unknown { cause, .. } | Unfinished::Partial { cause, .. }) => {
                let completed = format!("{what} was sent and may have been taken");
                Err(self.unsure(desk, false, completed, "learning what became of it", &cause).await)
            }
        }
    }

    /// Writes down that it may have been changed.
    pub(super) async fn unsure(
        self,
        desk: &Desk,
        was_accepted: bool,
        completed: String,
        pending: &str,
        cause: &str,
    ) -> Written {
        let change = self.row.shown.id;
        let cause = clean(cause.trim_end_matches('.'));
        let unsure = Unsure { change, was_accepted, completed: clean(&completed), pending: pending.to_owned(), cause };
        // Where even this cannot be written, the entry is settled as unknown later: the same is said.
        let _ = self.end(desk, Ending::Unknown(unsure.words())).await;
        Written::Unsure(unsure)
    }

    /// Writes down that it was read back; `completed` says so where the record of it is lost.
    pub(super) async fn applied(self, desk: &Desk, ending: Ending, completed: String) -> Written {
        let change = self.row.shown.id;
        match self.end(desk, ending).await {
            Ok(row) => Written::Applied(Box::new(row)),
            Err(cause) => {
                let (completed, cause) = (clean(&completed), clean(&cause));
                let pending = "recording that".to_owned();
                Written::Unsure(Unsure { change, was_accepted: true, completed, pending, cause })
            }
        }
    }
}

/// Makes the entry, which names the texts, if `gate` still lets it.
async fn enter(
    desk: &Desk,
    id: ChangeId,
    draft: &Draft,
    texts: &Texts,
    gate: &Gate,
    parent: Option<(ChangeRow, Version)>,
) -> Result<ChangeRow, NotBegun> {
    let turn = desk.turn().await.map_err(|error| NotBegun::Store(error.to_string()))?;
    // The last thing before it counts: from here on it is sent.
    gate.check(desk).map_err(NotBegun::Lost)?;
    let row = draft.row(id, texts, desk.now());
    let proposals = match draft.proposal {
        None => Vec::new(),
        Some(proposal) => {
            let kept = turn.state().open.get(&proposal).map(|kept| ProposalRecord::clone(&kept.record));
            let mut executing = kept.filter(ProposalRecord::is_executing).ok_or(NotBegun::Taken)?;
            executing.shown.setting_change_id = Some(id);
            vec![executing]
        }
    };
    let linked = parent.map(|(parent, version)| (ChangeRow { restored_by: Some(id), ..parent }, version));
    let batch = Batch { proposals, changes: vec![row.clone()], linked, told: Vec::new() };
    match turn.commit(batch).await {
        Ok(()) => Ok(row),
        Err(CommitError::Conflict { .. }) => Err(NotBegun::Taken),
        Err(error) => Err(error.into()),
    }
}

async fn write_texts(desk: &Desk, id: ChangeId, draft: &Draft) -> Result<Texts, CommitError> {
    let (house, store) = (desk.house, &*desk.services.store);
    let before = String::from(draft.before.clone());
    let after = String::from(draft.after.clone());
    Ok(Texts {
        fields: Text::write(store, house, id, TextName::Fields, encoded(&draft.fields)?).await?,
        before: Text::write(store, house, id, TextName::Before, before).await?,
        after: Text::write(store, house, id, TextName::After, after).await?,
    })
}

fn encoded(fields: &[FieldChange]) -> Result<String, CommitError> {
    let unwritable = |error: serde_json::Error| CommitError::Unavailable { cause: error.to_string() };
    serde_json::to_string(&kept_fields(fields)).map_err(unwritable)
}

/// Why the end of a change was not written.
#[derive(Debug, thiserror::Error)]
enum EndError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// An end is final, whoever wrote it.
    #[error("another process took it for left behind and has settled it")]
    Settled,
}

async fn write_end(desk: &Desk, row: &ChangeRow) -> Result<(), EndError> {
    let turn = desk.turn().await?;
    if !turn.state().open_changes.contains_key(&row.shown.id) {
        return Err(EndError::Settled);
    }
    let mut batch = Batch { changes: vec![row.clone()], ..Batch::default() };
    let proposal = row.proposal.and_then(|id| turn.state().open.get(&id).map(|kept| kept.record.clone()));
    if let Some(proposal) = proposal {
        batch.proposals.push(proposal_ended(&proposal, row, desk.now()));
        batch.told.push(Told::Decided(proposal.shown.id));
    }
    Ok(turn.commit(batch).await?)
}

/// A proposal as the end of its change leaves it.
pub(crate) fn proposal_ended(proposal: &ProposalRecord, row: &ChangeRow, now: jiff::Timestamp) -> ProposalRecord {
    let id = row.shown.id;
    let (status, words) = match row.shown.status {
        ChangeStatus::Applied => {
            (ProposalStatus::Applied, format!("Applied and read back; see change {id} in the history."))
        }
        ChangeStatus::Failed => {
            let why = row.shown.error_text.as_deref().unwrap_or("the service refused it");
            (
                ProposalStatus::Failed,
                format!("Not applied, and nothing was changed: {why} See change {id} in the history."),
            )
        }
        ChangeStatus::OutcomeUnknown | ChangeStatus::Executing => {
            let words = format!(
                "Whether it was applied is unknown: see change {id} in the history, which compares it with what the library has now."
            );
            (ProposalStatus::Failed, words)
        }
    };
    let mut ended = proposal.ended(status, now, Some(clean(&words)));
    ended.shown.setting_change_id = Some(id);
    ended
}
