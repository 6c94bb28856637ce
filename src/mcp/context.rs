//! What a client may take along without calling a tool: resources and prompts.

use playhouse_tools::{Outcome, RESOURCE_MEDIA_TYPE};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::calls::{not_answered, run_tool};
use super::era::Era;
use super::methods::Context;
use super::pretty::indented;
use super::reply::{Reply, RpcError};
use super::result::{close_result, list_result};

/// `resources/list`.
pub(super) fn list_resources(context: &Context<'_>, era: Era) -> Reply {
    let listed = context.registry.resources().list(context.principal.scopes).to_string();
    Reply::raw_result(list_result(era, "resources", listed.as_bytes()))
}

/// `prompts/list`.
pub(super) fn list_prompts(context: &Context<'_>, era: Era) -> Reply {
    let listed = context.registry.prompts().list(context.principal.scopes).to_string();
    Reply::raw_result(list_result(era, "prompts", listed.as_bytes()))
}

/// `resources/read`: calls the resource's tool, and answers what it answers under the address that was asked for.
pub(super) async fn read_resource(context: &Context<'_>, era: Era, params: Option<&RawValue>) -> Reply {
    #[derive(Deserialize)]
    struct ReadParams {
        uri: String,
    }
    let Some(ReadParams { uri }) = params.and_then(|params| serde_json::from_str(params.get()).ok()) else {
        return Reply::error(200, RpcError::invalid_params("`uri` is a string and required"));
    };
    let Some(resource) = context.registry.resources().find(&uri) else {
        let code = match era {
            Era::Legacy => -32002,
            Era::Modern => -32602,
        };
        let error = RpcError::new(code, "Resource not found").with_data(json!({ "uri": uri }));
        return context.not_found(era, error);
    };
    match run_tool(context, era, resource.tool.to_owned(), Map::new()).await {
        Ok(Outcome::Document { json, .. } | Outcome::Answered { structured: json, .. }) => {
            Reply::raw_result(contents(era, &uri, &indented(&json)))
        }
        Ok(Outcome::Refused(refusal)) => Reply::refused(refusal),
        Ok(Outcome::RefusedByOffice(refusal)) => Reply::refused_plainly(&refusal),
        Ok(Outcome::Failed { words } | Outcome::Malformed { words }) => Reply::error(200, RpcError::new(-32603, words)),
        Ok(Outcome::NoSuchTool { .. }) => Reply::error(200, RpcError::new(-32603, "The resource cannot be read now.")),
        Err(error) if context.registry.is_office(resource.tool) => not_answered(error),
        Err(error) => Reply::error(503, RpcError::new(-32603, format!("Not answered: {error}."))),
    }
}

fn contents(era: Era, uri: &str, text: &str) -> Vec<u8> {
    let contents = json!([{ "uri": uri, "mimeType": RESOURCE_MEDIA_TYPE, "text": text }]).to_string();
    // Not a list by name, but kept by clients for as long.
    list_result(era, "contents", contents.as_bytes())
}

/// `prompts/get`: the prompt's one message, with what the user filled in.
pub(super) fn get_prompt(context: &Context<'_>, era: Era, params: Option<&RawValue>) -> Reply {
    #[derive(Deserialize)]
    struct GetParams {
        name: String,
        #[serde(default)]
        arguments: Option<Map<String, Value>>,
    }
    let Some(GetParams { name, arguments }) = params.and_then(|params| serde_json::from_str(params.get()).ok()) else {
        return Reply::error(
            200,
            RpcError::invalid_params("`name` is a string and required, and `arguments` is an object"),
        );
    };
    let Some(prompt) = context.registry.prompts().find(&name) else {
        let name: String = name.chars().take(64).collect();
        return context.not_found(era, RpcError::invalid_params(&format!("there is no prompt {name:?}")));
    };
    match prompt.fill_in(&arguments.unwrap_or_default()) {
        Err(words) => Reply::error(200, RpcError::invalid_params(&words)),
        Ok(text) => {
            let message = json!([{ "role": "user", "content": { "type": "text", "text": text } }]);
            let description = Value::from(prompt.description);
            let mut result = format!(r#"{{"description":{description},"messages":{message}"#).into_bytes();
            close_result(era, &mut result);
            Reply::raw_result(result)
        }
    }
}
