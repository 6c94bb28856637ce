//! `preview_profile_change`

use playhouse_house::Scope;
use playhouse_library::answer::Envelope;
use playhouse_library::settings::ProfileChanges;
use playhouse_library::{InstanceLabel, Service};
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{PREVIEW, WITHIN, ask, bullets, caller, library};
use crate::{Armed, PreviewProfileChange, Previewed, Proposal};

/// `preview_profile_change`
pub(super) struct PreviewProfileChangeTool;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    /// The service whose library is meant.
    service: Service,
    /// Which library, by its id from list_arr_instances. Left out: the service's default.
    instance_id: Option<String>,
    /// The quality profile, by its id from get_quality_profiles.
    #[schemars(range(min = 1))]
    profile_id: i64,
    /// What is to be otherwise; what is left out stays.
    #[schemars(extend("minProperties" = 1))]
    changes: ProfileChanges,
}

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// The proposal that waits for an admin.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal: Option<Proposal>,
    /// Whether it was waiting already, equal to the last detail. Then nobody was told again.
    #[serde(skip_serializing_if = "Option::is_none")]
    was_waiting_already: Option<bool>,
}

impl From<Envelope> for Output {
    fn from(envelope: Envelope) -> Self {
        Self { envelope, ..Self::default() }
    }
}

impl Tool for PreviewProfileChangeTool {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: PREVIEW,
            title: "Propose a change of a quality profile",
            description: "Works out a change of one quality profile (upgrades, cutoffs, least scores, scores of custom formats, Radarr's language), shows the \
                          differences, and has it wait as a proposal for an admin of the house. Nothing is written until an admin approves it, and \
                          there is no way to approve it from here. A newer proposal for the same profile replaces the older one.",
            scope: Scope::MediaAdmin,
            effect: Effect::Acts,
            admin_only: true,
            time_limit: Some(WITHIN),
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let Arguments { service, instance_id, profile_id, changes } = arguments;
        let order = PreviewProfileChange { caller: caller(&call), service, instance_id, profile_id, changes };
        let previewed = match ask(&call, order).await {
            Ok(previewed) => previewed,
            Err(answer) => return Ok(answer),
        };
        Ok(match previewed {
            Previewed::Parked { proposal, was_there } => {
                let prose = parked(&proposal, was_there);
                let instance = InstanceLabel {
                    id: proposal.instance_id,
                    service: proposal.service,
                    name: proposal.instance_name.clone(),
                };
                let envelope = Envelope::done(vec![library(&instance)]);
                let output = Output { envelope, proposal: Some(proposal), was_waiting_already: Some(was_there) };
                Answer::new(output, prose)
            }
            Previewed::Armed(armed) => {
                let output = Output::from(Envelope::answered(vec![library(&armed.instance)]));
                Answer::new(output, self::armed(&armed))
            }
        })
    }
}

/// What a caller from outside is told.
fn parked(proposal: &Proposal, was_there: bool) -> String {
    let Proposal { id, service, instance_name, profile_id, profile_name, diff, expires_at, .. } = proposal;
    let head = match was_there {
        false => format!(
            "Proposal {id} waits for an admin until {expires_at}, and the admins were told. Any older one that waited for this profile was replaced."
        ),
        true => format!("The same change waits already as proposal {id}, until {expires_at}. Nobody was told again."),
    };
    format!(
        "{head}\nTarget: quality profile \"{profile_name}\" (id {profile_id}) of {service} instance \"{instance_name}\".{}\nNothing was written. It is \
         applied only if an admin of the house approves it there; it cannot be applied from here. Approving compares it with the library once \
         more and refuses where something has changed. Read the profile again later to see what became of it.",
        bullets(diff)
    )
}

/// What the app's own chat is told.
fn armed(armed: &Armed) -> String {
    let Armed { reference, expires_at, instance, profile_id, profile_name, diff } = armed;
    format!(
        "Change reference: {reference}\nExpires: {expires_at}\nTarget: quality profile \"{profile_name}\" (id {profile_id}) of {}{}\nNothing was written. \
         Apply it now only if the admin asked for this change in this very message. Do not have the admin copy the reference.",
        instance.title(),
        bullets(diff)
    )
}
