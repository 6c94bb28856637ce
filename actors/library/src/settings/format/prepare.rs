//! Working out what making or changing a format would do.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle};

use super::payload::Payload;
use super::plan::plan;
use crate::ArrActor;
use crate::actor::Hands;
use crate::answer::ArrFailure;
use crate::settings::collection::{Collection, aside, n_bytes};
use crate::settings::profile::refused;
use crate::settings::{JsonText, PrepareFormat, PreparedFormat, hash};

impl Handle<PrepareFormat> for ArrActor {
    fn handle(&mut self, order: PrepareFormat, call: CallInfo) -> Answer<Self, Result<PreparedFormat, ArrFailure>> {
        self.answer_read(|hands| async move { prepare(&hands, order, call.deadline).await })
    }
}

/// Works it out. A payload that cannot be sent is refused before anything is read.
pub(super) async fn prepare(
    hands: &Hands,
    order: PrepareFormat,
    deadline: Deadline,
) -> Result<PreparedFormat, ArrFailure> {
    let text = order.payload;
    let payload = aside(text.n_bytes(), move || Payload::read(text.as_str())).await?;
    let payload = payload.map_err(|why| refused(format!("`custom_format` cannot be sent: {why}.")))?;
    let texts = Collection::Formats.read(hands, deadline).await?;
    let hands = hands.clone();
    aside(n_bytes(&texts), move || {
        let planned = plan(&payload, &texts)?;
        Ok(PreparedFormat {
            instance: hands.instance.clone(),
            connection: hands.connection,
            action: planned.action,
            name: payload.name,
            before: planned.before,
            before_digest: hash::of_value(&planned.before_value),
            desired_digest: hash::of_value(&planned.desired),
            desired: JsonText::of_checked(planned.desired.canonical()),
            fields: planned.fields,
        })
    })
    .await?
}
