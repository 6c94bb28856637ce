//! `upsert_custom_format`

use std::borrow::Cow;

use playhouse_house::Scope;
use playhouse_library::Service;
use playhouse_library::answer::{Code, Envelope};
use playhouse_library::settings::{FormatAction, JsonText};
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{UPSERT, WITHIN, ask, caller, library};
use crate::{ChangeRecord, UpsertCustomFormat, Upserted};

/// `upsert_custom_format`
pub(super) struct UpsertCustomFormatTool;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    /// The service whose library is changed.
    service: Service,
    /// Which library, by its id from list_arr_instances. Left out: the service's default.
    instance_id: Option<String>,
    /// The format, in the service's own shape (get_custom_formats shows it) or in that of the TRaSH guides. It is found by its exact name, capitals and
    /// blanks included; an id in it is ignored.
    custom_format: Payload,
}

/// A custom format as the caller has it. What is unknown here is passed on.
#[derive(Deserialize)]
#[serde(transparent)]
struct Payload(Map<String, Value>);

impl JsonSchema for Payload {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "CustomFormat".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "required": ["name", "specifications"],
            "properties": {
                "name": {"type": "string", "minLength": 1, "maxLength": 256},
                "specifications": {"type": "array", "maxItems": 256, "items": {"type": "object"}},
            },
        })
    }
}

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// What was done: `created`, `updated`, or `unchanged` where the stored format has everything already.
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<&'static str>,
    /// The format's id in the library.
    #[serde(skip_serializing_if = "Option::is_none")]
    format_id: Option<i64>,
    /// Its exact name.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The entry in the configuration history; absent where nothing was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<ChangeRecord>,
    /// Whether the service took the write and stored no difference, because it leaves out what it does not know.
    #[serde(skip_serializing_if = "Option::is_none")]
    stored_no_difference: Option<bool>,
}

impl From<Envelope> for Output {
    fn from(envelope: Envelope) -> Self {
        Self { envelope, ..Self::default() }
    }
}

impl Tool for UpsertCustomFormatTool {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: UPSERT,
            title: "Make or change a custom format",
            description: "Makes or changes one custom format of a library, at once; ask the user first. Give the whole format: its `specifications` replace the \
                          stored ones, other members that are left out stay. A new format enters every quality profile at score 0, and scores are \
                          not set here: preview_profile_change does that. The change is read back and kept in the configuration history.",
            scope: Scope::MediaAdmin,
            effect: Effect::Destroys,
            admin_only: true,
            time_limit: Some(WITHIN),
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let Arguments { service, instance_id, custom_format } = arguments;
        let text = serde_json::to_string(&custom_format.0).map_err(|error| Failure::world(error.to_string()))?;
        let custom_format = JsonText::new(text).map_err(|error| Failure::world(error.to_string()))?;
        let order = UpsertCustomFormat { caller: caller(&call), service, instance_id, custom_format };
        let upserted: Upserted = match ask(&call, order).await {
            Ok(upserted) => upserted,
            Err(answer) => return Ok(answer),
        };
        let prose = prose(&upserted);
        let Upserted { instance, action, format_id, name, change, stored_no_difference } = upserted;
        let libraries = vec![library(&instance)];
        let envelope = match action {
            FormatAction::Unchanged { .. } => Envelope::refused(Code::AlreadyMatches, libraries),
            FormatAction::Create | FormatAction::Update { .. } => Envelope::done(libraries),
        };
        let output = Output {
            envelope,
            action: Some(word(action)),
            format_id: Some(format_id),
            name: Some(name),
            stored_no_difference: change.is_some().then_some(stored_no_difference),
            change,
        };
        Ok(Answer::new(output, prose))
    }
}

const fn word(action: FormatAction) -> &'static str {
    match action {
        FormatAction::Unchanged { .. } => "unchanged",
        FormatAction::Create => "created",
        FormatAction::Update { .. } => "updated",
    }
}

fn prose(upserted: &Upserted) -> String {
    let Upserted { instance, action, format_id, name, change, stored_no_difference } = upserted;
    let (library, number) = (instance.title(), change.as_ref().map(|change| change.id.0).unwrap_or_default());
    let words = match action {
        FormatAction::Unchanged { .. } => {
            return format!(
                "{library}: the custom format \"{name}\" (id {format_id}) matches already. Nothing was written, and the history has no entry."
            );
        }
        FormatAction::Create => format!(
            "{library}: the custom format \"{name}\" was created with the id {format_id} and read back (change {number}). It entered every quality \
             profile at score 0; no score was set."
        ),
        FormatAction::Update { .. } => format!(
            "{library}: the custom format \"{name}\" (id {format_id}) was updated and read back (change {number}). Its scores in the quality profiles \
             are as they were, and the matches of files that are stored already are not computed anew."
        ),
    };
    match stored_no_difference {
        false => words,
        true => format!("{words} The service stored no difference: it leaves out what it does not know."),
    }
}
