//! `apply_profile_change`

use playhouse_house::Scope;
use playhouse_library::InstanceLabel;
use playhouse_library::answer::Envelope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{APPLY, WITHIN, ask, caller, library};
use crate::{ApplyProfileChange, ChangeRecord};

/// `apply_profile_change`: of the app's own chat. From outside it is refused in words, and admins approve proposals instead; houses switch both off with it.
pub(super) struct ApplyProfileChangeTool;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    /// What the preview of this very turn answered as the change reference.
    #[schemars(length(min = 58, max = 58))]
    change_reference: String,
}

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// The entry in the configuration history.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<ChangeRecord>,
}

impl From<Envelope> for Output {
    fn from(envelope: Envelope) -> Self {
        Self { envelope, ..Self::default() }
    }
}

impl Tool for ApplyProfileChangeTool {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: APPLY,
            title: "Apply a change of a quality profile",
            description: "Carries out the change of a quality profile that was previewed in this very turn of the app's own chat. Also what an admin's approval of \
                          a proposal does: switching this off switches approvals off.",
            scope: Scope::MediaAdmin,
            effect: Effect::Destroys,
            admin_only: true,
            time_limit: Some(WITHIN),
            in_app_only: true,
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let order = ApplyProfileChange { caller: caller(&call), reference: arguments.change_reference };
        let change: ChangeRecord = match ask(&call, order).await {
            Ok(change) => change,
            Err(answer) => return Ok(answer),
        };
        let instance =
            InstanceLabel { id: change.instance_id, service: change.service_type, name: change.instance_name.clone() };
        let prose = format!(
            "{}: the quality profile \"{}\" was changed and read back (change {}). This is about releases that are chosen from now on, not about files \
             that are there or how they are played.",
            instance.title(),
            change.resource_name,
            change.id
        );
        Ok(Answer::new(Output { envelope: Envelope::done(vec![library(&instance)]), change: Some(change) }, prose))
    }
}
