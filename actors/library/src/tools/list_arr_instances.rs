//! `list_arr_instances`

use playhouse_house::Scope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Libraries;
use crate::answer::{Envelope, Library};
use crate::instance::InstanceSummary;
use crate::service::Service;

/// `list_arr_instances`
pub(super) struct ListArrInstances;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Only the libraries of this service. Left out: of all four.
    service: Option<Service>,
}

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// The libraries: by service, and within one in the order of the house.
    instances: Vec<Instance>,
}

#[derive(Serialize, JsonSchema)]
struct Instance {
    /// Its service.
    service: Service,
    /// Its id, for `instance_id` of the other tools.
    instance_id: String,
    /// What the house calls it.
    name: String,
    /// Whether calls without `instance_id` go to it.
    is_default: bool,
}

impl Tool for ListArrInstances {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "list_arr_instances",
            title: "List media libraries",
            description: "Lists the media libraries of this house: each Radarr (films), Sonarr (series), Lidarr (music) and Chaptarr (books) with \
                          its name, its instance_id and whether it is the default of its service. Every other library tool takes such an \
                          instance_id and goes to the default without one. Asks no service.",
            scope: Scope::MediaAdmin,
            effect: Effect::Reads,
            admin_only: true,
            closed_world: true,
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let libraries = Libraries::of(&call).await?;
        let wanted = |service: &Service| arguments.service.is_none_or(|only| only == *service);
        let shown: Vec<&InstanceSummary> =
            libraries.all().iter().filter(|instance| wanted(&instance.service)).collect();
        let sections = Service::ALL.into_iter().filter(wanted).filter_map(|service| section(service, &shown));
        let prose = match (sections.collect::<Vec<_>>(), arguments.service) {
            (sections, _) if !sections.is_empty() => sections.join("\n"),
            (_, Some(service)) => format!("No instances of {service} are configured in this house."),
            (_, None) => {
                "No instances are configured in this house: neither Radarr nor Sonarr, Lidarr or Chaptarr.".to_owned()
            }
        };
        let output = Output {
            envelope: Envelope::answered(shown.iter().map(|instance| Library::read(instance)).collect()),
            instances: shown.into_iter().map(Instance::from).collect(),
        };
        Ok(Answer::new(output, prose))
    }
}

fn section(service: Service, shown: &[&InstanceSummary]) -> Option<String> {
    let lines: Vec<String> = shown
        .iter()
        .filter(|instance| instance.service == service)
        .map(|instance| {
            let default = if instance.is_default { ", default" } else { "" };
            format!("- \"{}\" (instance_id {}{default})", instance.name, instance.id)
        })
        .collect();
    (!lines.is_empty()).then(|| format!("{service}:\n{}", lines.join("\n")))
}

impl From<&InstanceSummary> for Instance {
    fn from(summary: &InstanceSummary) -> Self {
        Self {
            service: summary.service,
            instance_id: summary.id.to_string(),
            name: summary.name.clone(),
            is_default: summary.is_default,
        }
    }
}
