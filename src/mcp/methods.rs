//! The methods of both eras: from a method's name and parameters to its reply.

use std::time::Duration;

use playhouse_bus::{Bus, Deadline};
use playhouse_house::{Principal, Scope};
use playhouse_tools::Registry;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::calls::call_tool;
use super::context::{get_prompt, list_prompts, list_resources, read_resource};
use super::era::{Era, MODERN_VERSION, negotiated};
use super::reply::{Reply, RpcError};
use super::result::{SERVER_INFO_META, list_result};
use super::router::{ListTools, McpRouter};

/// How long clients of revision 2026-07-28 may keep what the server says of itself.
const DISCOVER_TTL_MS: u32 = 3_600_000;

/// What a model reads about the whole server.
const INSTRUCTIONS: &str = "Playhouse runs a household's TVs and media libraries, and film productions' offices; the tools that are listed are \
what this key may use. TVs: look before you act. tv_list_devices tells which TVs are on, tv_observe what a screen shows. A key press or \
launch that was accepted says that the TV took it, not that the screen changed: observe again to check. A production's office: where an \
answer says `\"view\": \"engagement\"`, it covers that engagement's part only, so do not conclude from what is missing. When a result is an \
error, it says what to do next; do not repeat a call whose outcome is unknown without looking first.";

/// Who calls, and by what way the wings are reached.
pub(super) struct Context<'c> {
    pub(super) principal: &'c Principal,
    pub(super) bus: &'c Bus,
    /// For the listed names, which are what a call is traced and counted under.
    pub(super) registry: &'c Registry,
    /// How long a tool may take.
    pub(super) call_deadline: Duration,
}

/// The scopes of the production office.
const OFFICE_SCOPES: [Scope; 4] = [Scope::Read, Scope::Write, Scope::ReadMoney, Scope::SubmitTurnover];

impl Context<'_> {
    /// Whether the key belongs to the production office and to nothing else. Such keys are answered in the manner of the system that this
    /// wing comes from where that differs: its clients know -32601 for whatever is not there, and no arrays of messages.
    pub(super) fn is_office(&self) -> bool {
        self.principal.scopes.iter().all(|scope| OFFICE_SCOPES.contains(&scope))
    }

    /// Whether the key opens the production office, perhaps beside other things.
    pub(super) fn reaches_office(&self) -> bool {
        OFFICE_SCOPES.iter().any(|scope| self.principal.scopes.contains(*scope))
    }

    /// The answer for a tool, resource or prompt that there is not: `error`, under the office's code where the key is the office's.
    pub(super) fn not_found(&self, era: Era, error: RpcError) -> Reply {
        match (self.is_office(), era) {
            (false, _) => Reply::error(200, error),
            (true, Era::Legacy) => Reply::error(200, RpcError { code: -32601, ..error }),
            (true, Era::Modern) => Reply::error(404, RpcError { code: -32601, ..error }),
        }
    }
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
        (_, "resources/list") => with_first_page(params, async { list_resources(context, era) }).await,
        (_, "resources/templates/list") => {
            with_first_page(params, async { empty_list(era, "resourceTemplates") }).await
        }
        (_, "resources/read") => read_resource(context, era, params).await,
        (_, "prompts/list") => with_first_page(params, async { list_prompts(context, era) }).await,
        (_, "prompts/get") => get_prompt(context, era, params),
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
