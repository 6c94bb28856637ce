//! Applying a change in the turn of the app's own chat in which it was previewed.

use std::future::Future;
use std::rc::Rc;

use playhouse_bus::Deadline;
use playhouse_library::answer::Code;

use crate::armed::{Bound, Change};
use crate::clean::clean;
use crate::desk::Desk;
use crate::failures::Unready;
use crate::gate::{Gate, Lost};
use crate::queue::preview::in_app_only;
use crate::target::lock;
use crate::tools::APPLY;
use crate::who::{Who, source_of};
use crate::works::InstanceTurn;
use crate::write::profile::{Blocked, Ready, Recipe, carry_out};
use crate::write::{Draft, NotBegun, Written};
use crate::{ApplyProfileChange, ChangeRecord, Operation, Origin, SettingsFailure};

type Reply = Result<ChangeRecord, SettingsFailure>;

/// What every failure says once the reference is taken.
const SPENT: &str = "The reference is spent; preview the change again.";

/// Takes the reference and makes the write ready; what is handed over carries it out, whoever waits for it.
pub(crate) async fn apply(
    desk: Rc<Desk>,
    order: ApplyProfileChange,
    deadline: Deadline,
) -> Result<impl Future<Output = Reply>, Reply> {
    let gate = Gate::of_tool(&order.caller, APPLY);
    match prepare(&desk, &order, &gate, deadline).await {
        Ok((turn, profile_id, ready, draft)) => Ok(async move {
            let written = Box::pin(carry_out(&desk, profile_id, *ready, *draft, &gate, None)).await;
            drop::<InstanceTurn>(turn);
            answer(&desk, written).await
        }),
        Err(failure) => Err(Err(failure)),
    }
}

type Prepared = (InstanceTurn, i64, Box<Ready>, Box<Draft>);

async fn prepare(
    desk: &Desk,
    order: &ApplyProfileChange,
    gate: &Gate,
    deadline: Deadline,
) -> Result<Prepared, SettingsFailure> {
    gate.check(desk)?;
    let ApplyProfileChange { caller, reference } = order;
    let chat = match &caller.origin {
        Origin::Chat(turn) if turn.asks_for_it() => turn,
        Origin::Chat(_) | Origin::ExternalMcp | Origin::Internal => return Err(in_app_only()),
    };
    let who = Who::calls(desk, caller).await.map_err(|error| SettingsFailure::not_recorded(&error))?;
    let claimed = desk.services.armed.claim(reference, &Bound::of(&caller.principal, chat), desk.now());
    let Some(Change { instance, profile_id, plan, diff, binding }) = claimed else {
        let words = "No change that was previewed in this turn is behind this reference. Nothing was written; preview the change again.";
        return Err(SettingsFailure::refused(Code::NoPendingReference, words));
    };
    // From here on the reference is gone, whatever happens.
    let turn = lock(desk, instance.id, deadline).await.ok_or_else(|| {
        let words = format!(
            "Nothing was written: another change of the settings of {} was still under way. {SPENT}",
            instance.title()
        );
        SettingsFailure::not_started(Code::Busy, words)
    })?;
    let recipe = Recipe::Change { profile_id, plan, diff, binding };
    let ready = recipe.make_ready(desk, instance.id, gate, deadline).await.map_err(spent)?;
    let source = source_of(&caller.origin);
    let draft = Draft::of_profile(profile_id, &ready.profile, who, source, Operation::Update);
    Ok((turn, profile_id, Box::new(ready), Box::new(draft)))
}

fn spent(blocked: Blocked) -> SettingsFailure {
    match blocked {
        Blocked::Unnamed => {
            let words = format!("Nothing was written: the library has no name to be recorded under. {SPENT}");
            SettingsFailure::refused(Code::IdentityLostSpent, words)
        }
        Blocked::Lost(lost) => lost_and_spent(&lost),
        Blocked::Unready(Unready::Stale { connection, words }) => {
            let code = if connection { Code::InstanceChangedSpent } else { Code::StaleSpent };
            SettingsFailure::refused(code, format!("Nothing was written: {words} {SPENT}"))
        }
        Blocked::Unready(Unready::Unread(failure)) => {
            SettingsFailure::not_started(failure.code(), format!("Nothing was written: {failure} {SPENT}"))
        }
    }
}

fn lost_and_spent(lost: &Lost) -> SettingsFailure {
    match lost {
        Lost::SwitchedOff(_) => {
            SettingsFailure::refused(Code::DisabledSpent, format!("{lost} Nothing was written. {SPENT}"))
        }
        // Words of every door, whatever they are about. Who is no admin any more has lost the right as much as who lost the key.
        Lost::Key(_) | Lost::Role(_) => SettingsFailure::AuthorisationLost { words: lost.to_string() },
    }
}

async fn answer(desk: &Desk, written: Written) -> Reply {
    match written {
        Written::Applied(row) => Ok(desk.with_differences(*row).await),
        Written::NotBegun(NotBegun::Lost(lost)) => Err(lost_and_spent(&lost)),
        Written::NotBegun(not_begun) => Err(match SettingsFailure::from(not_begun) {
            SettingsFailure::NotStarted { code, words } => {
                SettingsFailure::NotStarted { code, words: clean(&format!("{words} {SPENT}")) }
            }
            other => other,
        }),
        Written::Failed { code, words, .. } => {
            Err(SettingsFailure::Definite { code, words: clean(&format!("{words} {SPENT}")) })
        }
        Written::Unsure(unsure) => Err(unsure.into()),
    }
}
