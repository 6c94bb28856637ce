//! Working a change of a profile out: it then waits for an admin, or can be applied in the same turn of the app's own chat.

use std::future::Future;
use std::rc::Rc;

use playhouse_bus::{CallError, Deadline};
use playhouse_library::answer::{ArrFailure, Code};
use playhouse_library::settings::{PrepareProfileChange, PreparedProfile};

use super::park::park;
use crate::armed::{Bound, Change};
use crate::desk::{Desk, to_read};
use crate::gate::Gate;
use crate::target::Target;
use crate::tools::PREVIEW;
use crate::who::Who;
use crate::{Armed, ChatTurn, Origin, PreviewProfileChange, Previewed, SettingsFailure};

/// The answer to a preview.
type Reply = Result<Previewed, SettingsFailure>;

/// Works it out; what is handed over keeps it, and is not dropped half way.
pub(crate) async fn preview(
    desk: Rc<Desk>,
    order: PreviewProfileChange,
    deadline: Deadline,
) -> Result<impl Future<Output = Reply>, Reply> {
    match prepare(&desk, order, deadline).await {
        Ok(Prepared::ToPark { target, who, profile_id, prepared }) => Ok(async move {
            let parked = park(&desk, &who, profile_id, *prepared).await;
            drop(target);
            parked
        }),
        Ok(Prepared::Armed(armed)) => Err(Ok(Previewed::Armed(armed))),
        Err(failure) => Err(Err(failure)),
    }
}

enum Prepared {
    ToPark { target: Target, who: Who, profile_id: i64, prepared: Box<PreparedProfile> },
    Armed(Armed),
}

async fn prepare(desk: &Desk, order: PreviewProfileChange, deadline: Deadline) -> Result<Prepared, SettingsFailure> {
    let PreviewProfileChange { caller, service, instance_id, profile_id, changes } = order;
    let gate = Gate::of_tool(&caller, PREVIEW);
    gate.check(desk)?;
    let turn = match &caller.origin {
        Origin::ExternalMcp => None,
        Origin::Chat(turn) if turn.asks_for_it() => Some(turn.clone()),
        Origin::Chat(_) | Origin::Internal => return Err(in_app_only()),
    };
    let target = Target::choose(desk, service, instance_id.as_deref(), deadline).await?;
    gate.check(desk)?;
    let instance = target.instance.id;
    let prepared = desk.ask(instance, PrepareProfileChange { profile_id, changes }, to_read(deadline)).await;
    let prepared = prepared.unwrap_or_else(|error: CallError| Err(ArrFailure::from(error)))?;
    gate.check(desk)?;
    let Some(turn) = turn else {
        let who = Who::calls(desk, &caller).await.map_err(|error| SettingsFailure::not_recorded(&error))?;
        return Ok(Prepared::ToPark { target, who, profile_id, prepared: Box::new(prepared) });
    };
    let PreparedProfile { instance, profile_name, plan, diff, binding } = prepared;
    let change = Change { instance: instance.clone(), profile_id, plan, diff: diff.clone(), binding };
    let armed = desk.services.armed.arm(Bound::of(&caller.principal, &turn), change, desk.now());
    let (reference, expires_at) = armed.map_err(|_| {
        SettingsFailure::not_started(
            Code::Busy,
            "The preview could not be kept: this server has no randomness now. Try again.",
        )
    })?;
    Ok(Prepared::Armed(Armed { reference, expires_at, instance, profile_id, profile_name, diff }))
}

impl ChatTurn {
    /// Whether the person said something in this turn. Without that nobody has asked for a change.
    pub(crate) fn asks_for_it(&self) -> bool {
        !self.id.is_empty() && !self.said.trim().is_empty()
    }
}

/// That only a turn of the app's own chat can do this.
pub(crate) fn in_app_only() -> SettingsFailure {
    let words = "This works only in the app's own chat, in a turn in which an admin asks for it. Nothing was written.";
    SettingsFailure::refused(Code::InAppOnly, words)
}
