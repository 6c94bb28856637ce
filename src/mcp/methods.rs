//! The methods of both eras: from a method's name and parameters to its reply.

use std::time::Duration;

use playhouse_bus::{Bus, CallError, Deadline};
use playhouse_house::Principal;
use playhouse_tools::{Outcome, Registry};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::era::{Era, MODERN_VERSION, negotiated};
use super::reply::{Reply, RpcError};
use super::router::{CallTool, ListTools, McpRouter};
use crate::http::sentence;
use crate::telemetry::calls::{CallOutcome, CallSpan};

/// How long clients of revision 2026-07-28 may keep a list, in milliseconds. Short: a list changes with the key's grants and the TVs' names.
const LIST_TTL_MS: u32 = 5_000;
/// How long they may keep what the server says of itself.
const DISCOVER_TTL_MS: u32 = 3_600_000;

const SERVER_INFO_META: &str = "io.modelcontextprotocol/serverInfo";

/// What a model reads about the whole server.
const INSTRUCTIONS: &str = "Playhouse runs this household's TVs. Look before you act: tv_list_devices tells which TVs are on, tv_observe \
what a screen shows. A key press or launch that was accepted says that the TV took it, not that the screen changed: observe again to \
check. When a result is an error, it says what to do next; do not repeat a call whose outcome is unknown without looking first.";

/// Who calls, and by what way the wings are reached.
pub(super) struct Context<'c> {
    pub(super) principal: &'c Principal,
    pub(super) bus: &'c Bus,
    /// For the listed names, which are what a call is traced and counted under.
    pub(super) registry: &'c Registry,
    /// How long a tool may take.
    pub(super) call_deadline: Duration,
}

/// Answers one request.
pub(super) async fn answer(context: &Context<'_>, era: Era, method: &str, params: Option<&RawValue>) -> Reply {
    match (era, method) {
        (Era::Legacy, "initialize") => initialize(params),
        (Era::Legacy, "ping") => Reply::result(&json!({})),
        (Era::Legacy, "logging/setLevel") => set_log_level(params),
        (Era::Modern, "server/discover") => discover(),
        (_, "tools/list") => with_first_page(params, list_tools(context, era)).await,
        (_, "tools/call") => call_tool(context, era, params).await,
        (_, "resources/list") => with_first_page(params, async { empty_list(era, "resources") }).await,
        (_, "resources/templates/list") => {
            with_first_page(params, async { empty_list(era, "resourceTemplates") }).await
        }
        (_, "resources/read") => read_resource(era, params),
        (_, "prompts/list") => with_first_page(params, async { empty_list(era, "prompts") }).await,
        (_, "prompts/get") => get_prompt(params),
        // A 404 would read as "session lost" to a client of the legacy era.
        (Era::Legacy, unknown) => Reply::error(200, RpcError::no_such_method(unknown)),
        (Era::Modern, unknown) => Reply::error(404, RpcError::no_such_method(unknown)),
    }
}

fn initialize(params: Option<&RawValue>) -> Reply {
    #[derive(Deserialize, Default)]
    #[serde(rename_all = "camelCase", default)]
    struct Initialize {
        protocol_version: Option<Value>,
    }
    let asked: Initialize = params.and_then(|params| serde_json::from_str(params.get()).ok()).unwrap_or_default();
    let asked = asked.protocol_version.as_ref().and_then(Value::as_str);
    Reply::result(&json!({
        "protocolVersion": negotiated(asked),
        "capabilities": capabilities(),
        "serverInfo": server_info(),
        "instructions": INSTRUCTIONS,
    }))
}

/// Takes any level there is. Nothing follows from it: answers are single JSON bodies, so no log line ever goes to a client.
fn set_log_level(params: Option<&RawValue>) -> Reply {
    #[derive(Deserialize)]
    struct SetLevel {
        level: String,
    }
    const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
    match params.and_then(|params| serde_json::from_str::<SetLevel>(params.get()).ok()) {
        Some(SetLevel { level }) if LEVELS.contains(&level.as_str()) => Reply::result(&json!({})),
        _ => Reply::error(200, RpcError::invalid_params(&format!("`level` is one of {}", LEVELS.join(", ")))),
    }
}

fn discover() -> Reply {
    Reply::result(&json!({
        "resultType": "complete",
        "supportedVersions": [MODERN_VERSION],
        "capabilities": capabilities(),
        "instructions": INSTRUCTIONS,
        "ttlMs": DISCOVER_TTL_MS,
        "cacheScope": "public",
        "_meta": { SERVER_INFO_META: server_info() },
    }))
}

fn capabilities() -> Value {
    json!({ "tools": {}, "resources": {}, "prompts": {} })
}

fn server_info() -> Value {
    json!({ "name": "playhouse", "title": "Playhouse", "version": env!("CARGO_PKG_VERSION") })
}

/// Lists are one page each; a cursor that is not ours is refused rather than answered with the first page again.
async fn with_first_page(params: Option<&RawValue>, list: impl Future<Output = Reply>) -> Reply {
    #[derive(Deserialize, Default)]
    struct Page {
        #[serde(default)]
        cursor: Option<Value>,
    }
    let page: Page = params.and_then(|params| serde_json::from_str(params.get()).ok()).unwrap_or_default();
    match page.cursor {
        None => list.await,
        Some(Value::String(cursor)) if cursor.is_empty() => list.await,
        Some(_) => {
            Reply::error(200, RpcError::invalid_params("unknown cursor; the list has one page, leave the cursor out"))
        }
    }
}

async fn list_tools(context: &Context<'_>, era: Era) -> Reply {
    let question = ListTools { principal: context.principal.clone() };
    let deadline = Deadline::after(context.call_deadline);
    match context.bus.call(McpRouter::key(context.principal.house), question, deadline).await {
        Ok(tools) => Reply::raw_result(list_result(era, "tools", &tools)),
        Err(error) => Reply::error(503, RpcError::new(-32603, format!("Not answered: {error}."))),
    }
}

fn empty_list(era: Era, member: &str) -> Reply {
    Reply::raw_result(list_result(era, member, b"[]"))
}

/// A list result round an array that is encoded already.
fn list_result(era: Era, member: &str, array: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(array.len() + 256);
    result.extend_from_slice(b"{\"");
    result.extend_from_slice(member.as_bytes());
    result.extend_from_slice(b"\":");
    result.extend_from_slice(array);
    if era == Era::Modern {
        // Lists differ from key to key, so nobody between us and the client may share them.
        result.extend_from_slice(format!(r#","ttlMs":{LIST_TTL_MS},"cacheScope":"private""#).as_bytes());
    }
    close_result(era, &mut result);
    result
}

/// Ends a result object with what its era asks of every result.
fn close_result(era: Era, result: &mut Vec<u8>) {
    if era == Era::Modern {
        const TAIL: &str = concat!(
            r#","resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"playhouse","title":"Playhouse","version":""#,
            env!("CARGO_PKG_VERSION"),
            r#""}}"#
        );
        result.extend_from_slice(TAIL.as_bytes());
    }
    result.push(b'}');
}

#[derive(Deserialize)]
struct ToolParams {
    name: String,
    #[serde(default)]
    arguments: Option<Map<String, Value>>,
}

async fn call_tool(context: &Context<'_>, era: Era, params: Option<&RawValue>) -> Reply {
    let malformed = |what: &str| Reply::error(200, RpcError::invalid_params(what));
    let Some(params) = params else { return malformed("`params` with the tool's `name` is required") };
    let ToolParams { name, arguments } = match serde_json::from_str(params.get()) {
        Ok(params) => params,
        Err(_) => return malformed("`name` is a string and `arguments` an object"),
    };
    let router = McpRouter::key(context.principal.house);
    let span =
        CallSpan::begin(context.principal.house, context.registry.listed_name(&name).unwrap_or("unknown"), router);
    let asked_for: String = name.chars().take(64).collect();
    let call = CallTool {
        principal: context.principal.clone(),
        name,
        arguments: arguments.unwrap_or_default(),
        stop_with_caller: era == Era::Modern,
    };
    let time_limit = context.registry.time_limit(&call.name).unwrap_or(context.call_deadline);
    let called = context.bus.call(router, call, Deadline::after(time_limit)).await;
    let (reply, outcome) = match called {
        Ok(Outcome::Answered { structured, prose, is_error }) => {
            let outcome = if is_error { CallOutcome::Failed } else { CallOutcome::Answered };
            (Reply::raw_result(answered(era, &structured, &prose, is_error)), outcome)
        }
        Ok(Outcome::Document { json, is_object }) => {
            (Reply::raw_result(document(era, &json, is_object)), CallOutcome::Answered)
        }
        Ok(Outcome::Malformed { words }) => (Reply::error(200, RpcError::new(-32602, words)), CallOutcome::Failed),
        Ok(Outcome::RefusedByOffice(refusal)) => (Reply::refused_plainly(&refusal), CallOutcome::Refused),
        Ok(Outcome::Failed { words }) => (failed(era, &words), CallOutcome::Failed),
        Ok(Outcome::Refused(refusal)) => (Reply::refused(refusal), CallOutcome::Refused),
        Ok(Outcome::NoSuchTool { nearest }) => {
            let hint = nearest.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            (Reply::error(200, RpcError::new(-32602, format!("Unknown tool: {asked_for}{hint}"))), CallOutcome::Failed)
        }
        Err(error) => (failed(era, &sentence(&error.to_string())), outcome_of(&error)),
    };
    span.end(outcome);
    reply
}

fn outcome_of(error: &CallError) -> CallOutcome {
    match error {
        CallError::Busy { .. } | CallError::Parked { .. } | CallError::Closing => CallOutcome::Busy,
        CallError::Deadline { .. } => CallOutcome::DeadlinePassed,
        CallError::Panicked { .. } => CallOutcome::Panicked,
        CallError::NotFound | CallError::NotServed { .. } => CallOutcome::Failed,
    }
}

/// A document of the production office: as text always, and as structured content where it is an object.
fn document(era: Era, json: &str, is_object: bool) -> Vec<u8> {
    let mut result = Vec::with_capacity(json.len() * 2 + 256);
    result.extend_from_slice(br#"{"content":["#);
    text_block(&mut result, json);
    result.push(b']');
    if is_object {
        result.extend_from_slice(br#","structuredContent":"#);
        result.extend_from_slice(json.as_bytes());
    }
    result.extend_from_slice(br#","isError":false"#);
    close_result(era, &mut result);
    result
}

/// A tool's answer: the JSON as text, the prose as text, and the JSON once more as structured content.
fn answered(era: Era, structured: &str, prose: &str, is_error: bool) -> Vec<u8> {
    let mut result = Vec::with_capacity(structured.len() * 2 + prose.len() + 256);
    result.extend_from_slice(br#"{"content":["#);
    text_block(&mut result, structured);
    if !prose.is_empty() {
        result.push(b',');
        text_block(&mut result, prose);
    }
    result.extend_from_slice(br#"],"structuredContent":"#);
    result.extend_from_slice(structured.as_bytes());
    result.extend_from_slice(if is_error { br#","isError":true"# } else { br#","isError":false"# });
    close_result(era, &mut result);
    result
}

/// What the world refused: words for the model, and no structured content, which would have to match the schema.
fn failed(era: Era, words: &str) -> Reply {
    let mut result = Vec::with_capacity(words.len() + 256);
    result.extend_from_slice(br#"{"content":["#);
    text_block(&mut result, words);
    result.extend_from_slice(br#"],"isError":true"#);
    close_result(era, &mut result);
    Reply::raw_result(result)
}

fn text_block(result: &mut Vec<u8>, text: &str) {
    result.extend_from_slice(br#"{"type":"text","text":"#);
    result.extend_from_slice(Value::from(text).to_string().as_bytes());
    result.push(b'}');
}

fn read_resource(era: Era, params: Option<&RawValue>) -> Reply {
    #[derive(Deserialize)]
    struct ReadParams {
        uri: String,
    }
    let Some(ReadParams { uri }) = params.and_then(|params| serde_json::from_str(params.get()).ok()) else {
        return Reply::error(200, RpcError::invalid_params("`uri` is a string and required"));
    };
    let code = match era {
        Era::Legacy => -32002,
        Era::Modern => -32602,
    };
    Reply::error(200, RpcError::new(code, "Resource not found").with_data(json!({ "uri": uri })))
}

fn get_prompt(params: Option<&RawValue>) -> Reply {
    #[derive(Deserialize)]
    struct GetParams {
        name: String,
    }
    match params.and_then(|params| serde_json::from_str::<GetParams>(params.get()).ok()) {
        Some(GetParams { name }) => {
            let name: String = name.chars().take(64).collect();
            Reply::error(200, RpcError::invalid_params(&format!("there is no prompt {name:?}")))
        }
        None => Reply::error(200, RpcError::invalid_params("`name` is a string and required")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(bytes: &[u8]) -> Value {
        serde_json::from_slice(bytes).unwrap()
    }

    #[test]
    fn an_answer_is_text_and_structured_content_of_the_same_json() {
        let result = parsed(&answered(Era::Legacy, r#"{"a":"\"x\""}"#, "It is \"x\".", false));
        assert_eq!(result["structuredContent"], json!({"a": "\"x\""}));
        assert_eq!(parsed(result["content"][0]["text"].as_str().unwrap().as_bytes()), result["structuredContent"]);
        assert_eq!(result["content"][1]["text"], "It is \"x\".");
        assert_eq!(result["isError"], false);
        assert_eq!(result.get("resultType"), None);
    }

    #[test]
    fn a_failure_has_words_and_no_structured_content() {
        let reply = failed(Era::Modern, "The TV is off.");
        let result = &parsed(&reply.encode(None))["result"];
        assert_eq!(result["content"][0]["text"], "The TV is off.");
        assert_eq!((&result["isError"], result.get("structuredContent")), (&json!(true), None));
        assert_eq!(result["resultType"], "complete");
    }

    #[test]
    fn a_modern_list_may_be_kept_by_its_own_client_only() {
        let result = parsed(&list_result(Era::Modern, "tools", b"[]"));
        assert_eq!((&result["cacheScope"], &result["tools"]), (&json!("private"), &json!([])));
        assert!(result["ttlMs"].as_u64().unwrap() > 0);
        assert_eq!(result["_meta"][SERVER_INFO_META]["name"], "playhouse");
        assert_eq!(parsed(&list_result(Era::Legacy, "tools", b"[]")), json!({"tools": []}));
    }
}
