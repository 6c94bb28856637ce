//! `get_disk_space`

use futures_util::future::join_all;
use playhouse_house::Scope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Libraries, ask};
use crate::answer::{ArrFailure, Code, Envelope, Library, Size};
use crate::instance::InstanceSummary;
use crate::service::Service;
use crate::upkeep::{Disks, ReadDisks, Volume};

/// `get_disk_space`
pub(super) struct GetDiskSpace;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Only this library, by its id from list_arr_instances. Left out: every library of the house.
    instance_id: Option<String>,
}

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// One section for each library that could be read. Libraries on one machine often report the same disks.
    sections: Vec<Section>,
}

#[derive(Serialize, JsonSchema)]
struct Section {
    /// The library's service.
    service: Service,
    /// The library's id.
    instance_id: String,
    /// What the house calls the library.
    name: String,
    /// Its disks.
    volumes: Vec<Volume>,
}

impl From<Envelope> for Output {
    fn from(envelope: Envelope) -> Self {
        Self { envelope, ..Self::default() }
    }
}

impl Tool for GetDiskSpace {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "get_disk_space",
            title: "Disk space",
            description: "Shows free and total space of the disks that the house's media libraries use, a section for each library. A library \
                          that cannot be read says so in its section; the others still answer.",
            scope: Scope::MediaAdmin,
            effect: Effect::Reads,
            admin_only: true,
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let libraries = Libraries::of(&call).await?;
        let asked = arguments.instance_id.as_deref().map(str::trim).filter(|asked| !asked.is_empty());
        let Some(asked) = asked else {
            return Ok(all(&call, libraries.all()).await);
        };
        let instance = match libraries.of_any_service(asked) {
            Ok(instance) => instance,
            Err(refusal) => return Ok(refusal.into_answer()),
        };
        match ask(&call, instance, ReadDisks {}).await {
            Ok(disks) => Ok(answer(vec![(instance, Ok(disks))])),
            Err(failure) => {
                let library = Library::unreadable(instance, failure.to_string());
                failure.into_answer(vec![library])
            }
        }
    }
}

async fn all(call: &ToolCall, instances: &[InstanceSummary]) -> Answer<Output> {
    if instances.is_empty() {
        let envelope = Envelope::refused(Code::NotConfigured, Vec::new());
        return Answer::new(envelope.into(), "No library is configured in this house, so there is no disk to look at.");
    }
    let read = instances.iter().map(|instance| async move { (instance, ask(call, instance, ReadDisks {}).await) });
    answer(join_all(read).await)
}

fn answer(read: Vec<(&InstanceSummary, Result<Disks, ArrFailure>)>) -> Answer<Output> {
    let mut output = Output::default();
    let mut prose = Vec::new();
    for (instance, disks) in read {
        match disks {
            Err(failure) => {
                prose.push(format!("{}: could not be read: {failure}", instance.title()));
                output.envelope.libraries.push(Library::unreadable(instance, failure.to_string()));
            }
            Ok(disks) => {
                prose.push(section_prose(instance, &disks));
                output.envelope.libraries.push(Library::read(instance));
                output.sections.push(Section {
                    service: instance.service,
                    instance_id: instance.id.to_string(),
                    name: instance.name.clone(),
                    volumes: disks.volumes,
                });
            }
        }
    }
    Answer::new(output, prose.join("\n"))
}

fn section_prose(instance: &InstanceSummary, disks: &Disks) -> String {
    let mut lines = vec![format!("{}:", instance.title())];
    if disks.volumes.is_empty() {
        lines.push("- reports no disks".to_owned());
    }
    for volume in &disks.volumes {
        let label = volume.label.as_ref().map(|label| format!(" ({label})")).unwrap_or_default();
        let percent = volume.free_percent.map(|percent| format!(" ({percent:.1} %)")).unwrap_or_default();
        let (free, total) = (Size(volume.free_bytes), Size(volume.total_bytes));
        lines.push(format!("- {}{label}: {free} free of {total}{percent}", volume.path));
    }
    if disks.n_skipped > 0 {
        lines.push(format!("- {} more entries could not be read", disks.n_skipped));
    }
    lines.join("\n")
}
