//! `get_service_config`

use playhouse_house::Scope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::one_library::{about_skipped, read_one};
use crate::answer::{Envelope, Library};
use crate::reads::{Config, ConfigEntry, ConfigSection, ReadConfig};
use crate::service::Service;

/// `get_service_config`
pub(super) struct GetServiceConfig;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Whose settings.
    service: Service,
    /// Which library, by its id from list_arr_instances. Left out: the default of the service.
    instance_id: Option<String>,
    /// Which section of them.
    section: ConfigSection,
}

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// The records of the section, without anything secret.
    entries: Vec<ConfigEntry>,
    /// How many more there are.
    n_more: usize,
}

impl From<Envelope> for Output {
    fn from(envelope: Envelope) -> Self {
        Self { envelope, ..Self::default() }
    }
}

impl Tool for GetServiceConfig {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "get_service_config",
            title: "A section of a library's settings",
            description: "Summarises one section of the settings of Radarr, Sonarr, Lidarr or Chaptarr: indexers (minimum seeders, priority), delay \
                          profiles, release profiles (how many terms), download clients (category), remote path mappings. Never contains \
                          credentials or addresses.",
            scope: Scope::MediaAdmin,
            effect: Effect::Reads,
            admin_only: true,
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let Arguments { service, instance_id, section } = arguments;
        match read_one(&call, service, instance_id.as_deref(), ReadConfig { section }).await? {
            Err(answer) => Ok(answer),
            Ok((chosen, config)) => {
                let prose = prose(&chosen.instance.title(), section, &config);
                let envelope = Envelope::answered(vec![Library::read(&chosen.instance)]);
                Ok(Answer::new(Output { envelope, entries: config.entries, n_more: config.n_more }, prose))
            }
        }
    }
}

fn prose(library: &str, section: ConfigSection, config: &Config) -> String {
    const CLOSING: &str = "Credentials and URLs are never included.";
    if !config.exists {
        return format!("{library}: this build has no {section} (status 404). {CLOSING}");
    }
    if config.entries.is_empty() {
        let skipped = about_skipped(config.n_skipped);
        // A list of which nothing could be read is not an empty one.
        let absence = if config.n_skipped == 0 { ". The list was read, so this is a genuine absence" } else { "" };
        return format!("{library}: no {section}{absence}. {CLOSING}{skipped}");
    }
    let mut lines = vec![format!("{library}, {section}:")];
    lines.extend(config.entries.iter().map(|entry| match entry.detail.as_str() {
        "" => format!("- {}", entry.name),
        detail => format!("- {}: {detail}", entry.name),
    }));
    if config.n_more > 0 {
        lines.push(format!("…and {} more", config.n_more));
    }
    lines.push(CLOSING.to_owned());
    lines.join("\n") + &about_skipped(config.n_skipped)
}
