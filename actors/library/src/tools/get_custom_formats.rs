//! `get_custom_formats`

use playhouse_house::Scope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::one_library::read_one;
use super::stored::{as_stored, quoted, unreadable};
use crate::answer::{Envelope, Library};
use crate::service::Service;
use crate::settings::{ConditionSummary, FormatList, FormatSummary, ReadFormat, ReadFormats};

/// The summary's text is not longer.
const MAX_TEXT_BYTES: usize = 8 * 1024;

/// `get_custom_formats`
pub(super) struct GetCustomFormats;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Whose custom formats.
    service: Service,
    /// Which library, by its id from list_arr_instances. Left out: the default of the service.
    instance_id: Option<String>,
    /// One custom format, whole and as it is stored, by its id. Left out, or 0: a summary of all.
    format_id: Option<i64>,
}

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// The custom formats, in the service's order; none where one was asked for.
    custom_formats: Vec<FormatSummary>,
    /// How many there are; of very many the first 1,000 are listed.
    n_custom_formats: usize,
    /// The ids of custom formats that could not be summarised; each can be read by itself.
    unreadable_ids: Vec<i64>,
    /// How many there are of which not even the id could be read.
    n_without_id: usize,
    /// The one custom format that was asked for, as it is stored; absent where it has a number that a double cannot hold. The text has it to the byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    custom_format: Option<Box<RawValue>>,
}

impl From<Envelope> for Output {
    fn from(envelope: Envelope) -> Self {
        Self { envelope, ..Self::default() }
    }
}

impl Tool for GetCustomFormats {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "get_custom_formats",
            title: "Custom formats of a library",
            description: "Summarises the custom formats of Radarr, Sonarr, Lidarr or Chaptarr: what each looks at in a release. With format_id it \
                          answers that format whole, as it is stored. The scores that formats have are in get_quality_profiles. Changes nothing.",
            scope: Scope::MediaAdmin,
            effect: Effect::Reads,
            admin_only: true,
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let Arguments { service, instance_id, format_id } = arguments;
        match format_id.filter(|id| *id != 0) {
            Some(format_id) => one(&call, service, instance_id.as_deref(), format_id).await,
            None => all(&call, service, instance_id.as_deref()).await,
        }
    }
}

async fn one(
    call: &ToolCall,
    service: Service,
    instance_id: Option<&str>,
    format_id: i64,
) -> Result<Answer<Output>, Failure> {
    match read_one(call, service, instance_id, ReadFormat { format_id }).await? {
        Err(answer) => Ok(answer),
        Ok((chosen, stored)) => {
            let head = format!("{}: custom format {format_id}, {}", chosen.instance.title(), quoted(&stored.name));
            let (prose, raw) = as_stored(&head, &stored);
            let envelope = Envelope::answered(vec![Library::read(&chosen.instance)]);
            Ok(Answer::new(Output { envelope, custom_format: raw, ..Output::default() }, prose))
        }
    }
}

async fn all(call: &ToolCall, service: Service, instance_id: Option<&str>) -> Result<Answer<Output>, Failure> {
    match read_one(call, service, instance_id, ReadFormats {}).await? {
        Err(answer) => Ok(answer),
        Ok((chosen, list)) => {
            let prose = summary(&chosen.instance.title(), &list);
            let FormatList { formats, n_formats, unreadable_ids, n_without_id } = list;
            let output = Output {
                envelope: Envelope::answered(vec![Library::read(&chosen.instance)]),
                custom_formats: formats,
                n_custom_formats: n_formats,
                unreadable_ids,
                n_without_id,
                custom_format: None,
            };
            Ok(Answer::new(output, prose))
        }
    }
}

/// At most 8 KiB, cut between two lines; the note behind the cut says how many formats there are in all.
fn summary(title: &str, list: &FormatList) -> String {
    const CLOSING: &str = "Scores are not here: each quality profile has its own (get_quality_profiles).";
    if list.n_formats == 0 {
        return format!(
            "{title}: no custom formats are defined. The list was read, so this is a genuine absence.\n{CLOSING}"
        );
    }
    let n_formats = list.n_formats;
    let formats = if n_formats == 1 { "format" } else { "formats" };
    let mut text = format!("{title}: {n_formats} custom {formats}.");
    let note = |n_shown: usize| {
        format!("\n…cut here after {n_shown} of {n_formats} custom {formats}; read one by its format_id.")
    };
    let room = MAX_TEXT_BYTES.saturating_sub(CLOSING.len() + 1 + note(n_formats).len());
    let lines = list.formats.iter().map(line);
    let lines = lines.chain(unreadable("custom format", "format_id", &list.unreadable_ids, list.n_without_id));
    let mut n_shown = 0;
    let mut is_cut = list.formats.len() + list.unreadable_ids.len() + list.n_without_id < n_formats;
    for line in lines {
        if text.len() + 1 + line.len() > room {
            is_cut = true;
            break;
        }
        text += "\n";
        text += &line;
        n_shown += 1;
    }
    if is_cut {
        text += &note(n_shown);
    }
    format!("{text}\n{CLOSING}")
}

fn line(format: &FormatSummary) -> String {
    let renaming = if format.used_in_renaming { ", used in renaming" } else { "" };
    let conditions = if format.n_specifications == 1 { "specification" } else { "specifications" };
    let head = format!("- {} {}: {} {conditions}", format.id, quoted(&format.name), format.n_specifications);
    if format.specifications.is_empty() {
        return format!("{head}{renaming}");
    }
    let shown: Vec<String> = format.specifications.iter().map(condition).collect();
    let more = match format.n_specifications - shown.len() {
        0 => String::new(),
        n_more => format!(", +{n_more} more"),
    };
    format!("{head}{renaming}: {}{more}", shown.join(", "))
}

fn condition(condition: &ConditionSummary) -> String {
    let negate = if condition.negate { ", negate" } else { "" };
    let required = if condition.required { ", required" } else { "" };
    format!("{} ({}{negate}{required})", quoted(&condition.name), condition.implementation)
}
