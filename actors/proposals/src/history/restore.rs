//! Putting a profile back to what it was before a change, once.

use std::future::Future;
use std::rc::Rc;

use playhouse_bus::Deadline;
use playhouse_library::settings::JsonText;
use playhouse_store::Version;

use crate::clean::clean;
use crate::desk::Desk;
use crate::failures::Unready;
use crate::gate::Gate;
use crate::records::{ChangeRow, Object, TextError};
use crate::target::lock;
use crate::who::Who;
use crate::works::InstanceTurn;
use crate::write::profile::{Blocked, Ready, Recipe, carry_out};
use crate::write::{Draft, NotBegun, Written};
use crate::{ChangeError, ChangeId, ChangeRecord, ChangeSource, ChangeStatus, Operation, ResourceType, RestoreChange};

type Reply = Result<ChangeRecord, ChangeError>;

/// Makes the write ready; what is handed over carries it out, whoever waits for it. No tool is asked whether it is switched off: a human does this.
pub(crate) async fn restore(
    desk: Rc<Desk>,
    order: RestoreChange,
    deadline: Deadline,
) -> Result<impl Future<Output = Reply>, Reply> {
    let gate = Gate::Decision { decider: order.decider.clone(), tool: None };
    match prepare(&desk, &order, &gate, deadline).await {
        Ok(Prepared { turn, profile_id, ready, draft, parent }) => Ok(async move {
            let written = Box::pin(carry_out(&desk, profile_id, *ready, *draft, &gate, Some(parent))).await;
            drop::<InstanceTurn>(turn);
            answer(&desk, written).await
        }),
        Err(error) => Err(Err(error)),
    }
}

struct Prepared {
    turn: InstanceTurn,
    profile_id: i64,
    ready: Box<Ready>,
    draft: Box<Draft>,
    parent: (ChangeRow, Version),
}

async fn prepare(desk: &Desk, order: &RestoreChange, gate: &Gate, deadline: Deadline) -> Result<Prepared, ChangeError> {
    gate.check(desk)?;
    let instance = desk.restorable(order.id).await?.0.shown.instance_id;
    let turn = lock(desk, instance, deadline).await.ok_or_else(|| ChangeError::Unavailable {
        words: "Nothing was restored: another change of the settings of this library was still under way. Try again in a minute.".to_owned(),
    })?;
    gate.check(desk)?;
    // Read again: somebody may have put it back while this waited.
    let (row, version) = desk.restorable(order.id).await?;
    let Object::Profile { id: profile_id, dependencies } = row.object else { return Err(wrong_kind(&row)) };
    let before = row.before.read(&*desk.services.store, desk.house, row.shown.id).await?;
    let recipe = Recipe::Restore {
        profile_id,
        connection: row.connection,
        applied: row.after_digest,
        dependencies,
        before: JsonText::new(before).map_err(|_| TextError::Broken)?,
        before_digest: row.before_digest,
    };
    let ready = recipe.make_ready(desk, instance, gate, deadline).await.map_err(blocked)?;
    let who = Who::decides(desk, &order.decider).await?;
    let source = ChangeSource::AdminRevert;
    let draft = Draft {
        parent: Some(row.shown.id),
        ..Draft::of_profile(profile_id, &ready.profile, who, source, Operation::Revert)
    };
    Ok(Prepared { turn, profile_id, ready: Box::new(ready), draft: Box::new(draft), parent: (row, version) })
}

impl Desk {
    /// A change that can be put back, as far as its record says.
    async fn restorable(&self, id: ChangeId) -> Result<(ChangeRow, Version), ChangeError> {
        let kept = self.change(id).await?;
        let row = ChangeRow::clone(&kept.record);
        if !row.is_restorable() {
            return Err(wrong_kind(&row));
        }
        if self.is_taken_back(&row).await? {
            let words = format!(
                "Change {id} was put back already, or may have been: see change {} in the history.",
                row.restored_by.unwrap_or(id)
            );
            return Err(ChangeError::NotRestorable { words });
        }
        Ok((row, kept.version))
    }
}

fn wrong_kind(row: &ChangeRow) -> ChangeError {
    let id = row.shown.id;
    let words = match (row.shown.resource_type, row.shown.status) {
        (ResourceType::CustomFormat, _) => {
            format!("Change {id} is of a custom format; only changes of quality profiles can be put back.")
        }
        (_, ChangeStatus::Applied) => format!("Change {id} put something back itself and cannot be taken back."),
        (_, ChangeStatus::Executing) => format!("Change {id} is still being carried out."),
        (_, ChangeStatus::Failed) => format!("Change {id} changed nothing, so there is nothing to put back."),
        (_, ChangeStatus::OutcomeUnknown) => {
            format!(
                "Whether change {id} was applied is unknown, so it cannot be put back. Compare it with what the library has now."
            )
        }
    };
    ChangeError::NotRestorable { words }
}

fn blocked(blocked: Blocked) -> ChangeError {
    match blocked {
        Blocked::Lost(lost) => lost.into(),
        Blocked::Unnamed => ChangeError::Unavailable {
            words: "Nothing was restored: the library has no name to be recorded under. Give it one.".to_owned(),
        },
        Blocked::Unready(Unready::Stale { connection: true, words }) => {
            ChangeError::Unavailable { words: clean(&format!("Nothing was restored: {words}")) }
        }
        Blocked::Unready(Unready::Stale { connection: false, words }) => {
            ChangeError::Moved { words: clean(&format!("Nothing was restored: {words} Look at the change again.")) }
        }
        Blocked::Unready(Unready::Unread(failure)) => {
            ChangeError::Unavailable { words: clean(&format!("Nothing was restored: {failure}")) }
        }
    }
}

async fn answer(desk: &Desk, written: Written) -> Reply {
    match written {
        Written::Applied(row) => Ok(desk.with_differences(*row).await),
        Written::NotBegun(NotBegun::Lost(lost)) => Err(lost.into()),
        Written::NotBegun(NotBegun::Taken) => Err(ChangeError::NotRestorable {
            words: "Somebody else put this back in the same moment. Nothing was sent a second time.".to_owned(),
        }),
        Written::NotBegun(NotBegun::Store(words)) => Err(ChangeError::Store {
            words: clean(&format!("Nothing was sent: what is about to be done could not be recorded ({words}).")),
        }),
        Written::Failed { row, words, .. } => {
            let words = format!(
                "Nothing was changed: {words} See change {} in the history; it can be tried again.",
                row.shown.id
            );
            Err(ChangeError::Failed { words: clean(&words) })
        }
        Written::Unsure(unsure) => {
            let words = format!("{}. See change {} in the history.", unsure.words(), unsure.change);
            Err(ChangeError::Failed { words: clean(&words) })
        }
    }
}
