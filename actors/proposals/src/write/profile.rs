//! The guarded write of a quality profile.

use playhouse_bus::{CallError, Deadline};
use playhouse_library::InstanceId;
use playhouse_library::answer::ArrFailure;
use playhouse_library::settings::{
    Binding, ConfirmProfile, Digest, JsonText, NotReady, ProfilePlan, PutProfile, ReadyProfile, RebuildProfile,
    RebuildRestore, WriteLease,
};
use playhouse_store::Version;

use super::record::{Begun, Ending};
use super::{Draft, Held, Written, confirm, send};
use crate::desk::{Desk, to_read};
use crate::failures::Unready;
use crate::gate::{Gate, Lost};
use crate::records::ChangeRow;

/// From what a profile's write is worked out, each time anew.
#[derive(Debug, Clone)]
pub(crate) enum Recipe {
    /// A change that was shown to somebody.
    Change { profile_id: i64, plan: ProfilePlan, diff: Vec<String>, binding: Binding },
    /// The state from before a recorded change.
    Restore {
        profile_id: i64,
        connection: Digest,
        applied: Digest,
        dependencies: Digest,
        before: JsonText,
        before_digest: Digest,
    },
}

/// Why a write was not made ready. Nothing was sent.
pub(crate) enum Blocked {
    Lost(Lost),
    Unready(Unready),
    /// The library has no name to be recorded under.
    Unnamed,
}

/// A write that can be sent at once.
pub(crate) struct Ready {
    /// What would be sent.
    pub(crate) profile: ReadyProfile,
    /// The library's lane for writes.
    held: Held,
}

impl From<Lost> for Blocked {
    fn from(lost: Lost) -> Self {
        Blocked::Lost(lost)
    }
}

impl Recipe {
    /// Reads what is stored now and works out what would be sent.
    pub(crate) async fn rebuild(
        &self,
        desk: &Desk,
        instance: InstanceId,
        deadline: Deadline,
    ) -> Result<ReadyProfile, Unready> {
        let deadline = to_read(deadline);
        let rebuilt = match self.clone() {
            Recipe::Change { profile_id, plan, diff, binding } => {
                desk.ask(instance, RebuildProfile { profile_id, plan, diff, binding }, deadline).await
            }
            Recipe::Restore { profile_id, connection, applied, dependencies, before, before_digest } => {
                let order = RebuildRestore { profile_id, connection, applied, dependencies, before, before_digest };
                desk.ask(instance, order, deadline).await
            }
        };
        rebuilt.unwrap_or_else(|error: CallError| Err(NotReady::Unread(ArrFailure::from(error)))).map_err(Unready::from)
    }

    /// Works it out twice, and waits for the library's lane in between: what moved until then is noticed before anything is written, and from the
    /// second time on nothing is waited for.
    pub(crate) async fn make_ready(
        &self,
        desk: &Desk,
        instance: InstanceId,
        gate: &Gate,
        deadline: Deadline,
    ) -> Result<Ready, Blocked> {
        gate.check(desk)?;
        let first = self.rebuild(desk, instance, deadline).await.map_err(Blocked::Unready)?;
        gate.check(desk)?;
        let held = Held::take(desk, instance, deadline).await;
        let held = held.map_err(|failure| Blocked::Unready(NotReady::Unread(failure).into()))?;
        match self.look_again(&first, desk, instance, gate, deadline).await {
            Ok(profile) => Ok(Ready { profile, held }),
            Err(blocked) => {
                held.release().await;
                Err(blocked)
            }
        }
    }

    /// The second time: all that was worked out must be as it was at first.
    async fn look_again(
        &self,
        first: &ReadyProfile,
        desk: &Desk,
        instance: InstanceId,
        gate: &Gate,
        deadline: Deadline,
    ) -> Result<ReadyProfile, Blocked> {
        gate.check(desk)?;
        let second = self.rebuild(desk, instance, deadline).await.map_err(Blocked::Unready)?;
        gate.check(desk)?;
        let bound =
            |ready: &ReadyProfile| (ready.connection, ready.before_digest, ready.desired_digest, ready.dependencies);
        if bound(first) != bound(&second) {
            let connection = first.connection != second.connection;
            let words = "The profile, or something it depends on, changed while this was being prepared.".to_owned();
            return Err(Blocked::Unready(Unready::Stale { connection, words }));
        }
        if second.instance.name.trim().is_empty() {
            return Err(Blocked::Unnamed);
        }
        Ok(second)
    }
}

/// Writes it down, sends it once, reads it back, writes down how it ended and gives the library's lane back. Never dropped half way.
pub(crate) async fn carry_out(
    desk: &Desk,
    profile_id: i64,
    Ready { profile, held }: Ready,
    draft: Draft,
    gate: &Gate,
    parent: Option<(ChangeRow, Version)>,
) -> Written {
    let written = write(desk, profile_id, profile, held.lease(), draft, gate, parent).await;
    held.release().await;
    written
}

async fn write(
    desk: &Desk,
    profile_id: i64,
    ready: ReadyProfile,
    lease: WriteLease,
    draft: Draft,
    gate: &Gate,
    parent: Option<(ChangeRow, Version)>,
) -> Written {
    let instance = draft.instance.id;
    let what = format!("profile \"{}\" of {}", ready.profile_name, ready.instance.title());
    let begun = match Begun::record(desk, &draft, gate, parent).await {
        Ok(begun) => begun,
        Err(not_begun) => return Written::NotBegun(not_begun),
    };
    drop(draft);
    let ReadyProfile { connection, desired, desired_digest, .. } = ready;
    let order = PutProfile { lease, connection, profile_id, body: desired.clone() };
    let begun = match begun.taken(desk, &what, send(desk, instance, order).await).await {
        Ok((begun, ())) => begun,
        Err(ended) => return ended,
    };
    match confirm(desk, instance, ConfirmProfile { profile_id, desired: desired_digest }).await {
        Err(cause) => {
            begun.unsure(desk, true, format!("{what} was taken by the service"), "reading it back", &cause).await
        }
        Ok(read_back) => {
            // Its digest is the one that was asked for; only order and layout may differ.
            let read_back = (read_back != desired).then_some((read_back, desired_digest));
            let object = begun.row.object.clone();
            let ending = Ending::Applied { read_back, fields: Vec::new(), object };
            begun.applied(desk, ending, format!("{what} was written and read back")).await
        }
    }
}
