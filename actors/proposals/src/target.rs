//! Which library a change is about, and the right to change it.

use playhouse_bus::{CallError, Deadline};
use playhouse_library::answer::{ArrFailure, Code};
use playhouse_library::instance::{Chosen, InstanceSummary, ListInstances, choose};
use playhouse_library::{InstanceId, InstancesActor, Service};

use crate::SettingsFailure;
use crate::desk::{Desk, to_read};
use crate::works::InstanceTurn;

/// How often the default library may move while a call waits for it.
const MAX_MOVES: usize = 3;

/// A library, and the right to change its settings as long as this is held.
pub(crate) struct Target {
    pub(crate) instance: InstanceSummary,
    /// Whether the caller named it. If not, it must be the default still when something is written.
    pub(crate) was_named: bool,
    _turn: InstanceTurn,
}

impl Target {
    /// Chooses the library and waits for the right to change it. A default that moved meanwhile is waited for anew.
    pub(crate) async fn choose(
        desk: &Desk,
        service: Service,
        asked: Option<&str>,
        deadline: Deadline,
    ) -> Result<Self, SettingsFailure> {
        let mut chosen = chosen(desk, service, asked, deadline).await?;
        for _ in 0..MAX_MOVES {
            let Chosen { instance, was_named } = chosen;
            let turn = lock(desk, instance.id, deadline).await.ok_or_else(|| busy(&instance))?;
            if was_named {
                return Ok(Self { instance, was_named, _turn: turn });
            }
            let now = self::chosen(desk, service, asked, deadline).await?;
            if now.instance.id == instance.id {
                return Ok(Self { instance: now.instance, was_named, _turn: turn });
            }
            chosen = now;
        }
        let words = format!(
            "Nothing was written: the default {service} library kept changing while this call waited. Pass instance_id; list_arr_instances \
             shows the ids."
        );
        Err(SettingsFailure::refused(Code::DefaultMoved, words))
    }

    /// Whether a call that named no library would come to another one by now.
    pub(crate) async fn has_moved(&self, desk: &Desk, deadline: Deadline) -> Result<bool, SettingsFailure> {
        if self.was_named {
            return Ok(false);
        }
        let now = chosen(desk, self.instance.service, None, deadline).await?;
        Ok(now.instance.id != self.instance.id)
    }
}

/// Waits for the right to change an instance's settings.
pub(crate) async fn lock(desk: &Desk, instance: InstanceId, deadline: Deadline) -> Option<InstanceTurn> {
    desk.works.lock(instance, deadline).await
}

/// That the turn did not come in time.
fn busy(instance: &InstanceSummary) -> SettingsFailure {
    let words = format!(
        "Nothing was written: another change of the settings of {} was still under way. Try again in a minute.",
        instance.title()
    );
    SettingsFailure::not_started(Code::Busy, words)
}

async fn chosen(
    desk: &Desk,
    service: Service,
    asked: Option<&str>,
    deadline: Deadline,
) -> Result<Chosen, SettingsFailure> {
    let key = InstancesActor::key(desk.house);
    let listed = desk.services.bus.call(key, ListInstances {}, to_read(deadline)).await;
    let instances = listed.map_err(|error: CallError| ArrFailure::NotServed { words: error.to_string() })?;
    Ok(choose(&instances, service, asked, None)?)
}
