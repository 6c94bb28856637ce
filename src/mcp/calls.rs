//! `tools/call`: from a tool's name and arguments to its outcome, in the words of the protocol.

use playhouse_bus::{CallError, Deadline};
use playhouse_production::OfficeRefusal;
use playhouse_tools::Outcome;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::era::Era;
use super::methods::Context;
use super::reply::{Reply, RpcError};
use super::result::{answered, document, failed};
use super::router::{CallTool, McpRouter};
use crate::http::sentence;
use crate::telemetry::calls::{CallOutcome, CallSpan};

#[derive(Deserialize)]
struct ToolParams {
    name: String,
    #[serde(default)]
    arguments: Option<Map<String, Value>>,
}

/// Answers the request of one call.
pub(super) async fn call_tool(context: &Context<'_>, era: Era, params: Option<&RawValue>) -> Reply {
    let malformed = |what: &str| Reply::error(200, RpcError::invalid_params(what));
    let Some(params) = params else { return malformed("`params` with the tool's `name` is required") };
    let ToolParams { name, arguments } = match serde_json::from_str(params.get()) {
        Ok(params) => params,
        Err(_) => return malformed("`name` is a string and `arguments` an object"),
    };
    let asked_for: String = name.chars().take(64).collect();
    let is_office = context.registry.is_office(&name);
    match run_tool(context, era, name, arguments.unwrap_or_default()).await {
        Ok(Outcome::Answered { structured, prose, is_error }) => {
            Reply::raw_result(answered(era, &structured, &prose, is_error))
        }
        Ok(Outcome::Document { json, is_object }) => Reply::raw_result(document(era, &json, is_object)),
        Ok(Outcome::Malformed { words }) => Reply::error(200, RpcError::new(-32602, words)),
        Ok(Outcome::RefusedByOffice(refusal)) => Reply::refused_plainly(&refusal),
        Ok(Outcome::Failed { words }) => failed(era, &words),
        Ok(Outcome::Refused(refusal)) => Reply::refused(refusal),
        Ok(Outcome::NoSuchTool { nearest }) => {
            let hint = nearest.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            context.not_found(era, RpcError::new(-32602, format!("Unknown tool: {asked_for}{hint}")))
        }
        // Busy or late, the office says so in one way at both doors.
        Err(error) if is_office => not_answered(error),
        Err(error) => failed(era, &sentence(&error.to_string())),
    }
}

/// The answer of the production office where it was not reached: REST's own.
pub(super) fn not_answered(error: CallError) -> Reply {
    Reply::refused_plainly(&OfficeRefusal::from(error).into())
}

/// Has the house's router run a tool, and counts and traces it.
pub(super) async fn run_tool(
    context: &Context<'_>,
    era: Era,
    name: String,
    arguments: Map<String, Value>,
) -> Result<Outcome, CallError> {
    let router = McpRouter::key(context.principal.house);
    let span =
        CallSpan::begin(context.principal.house, context.registry.listed_name(&name).unwrap_or("unknown"), router);
    let time_limit = context.registry.time_limit(&name).unwrap_or(context.call_deadline);
    let call = CallTool { principal: context.principal.clone(), name, arguments, stop_with_caller: era == Era::Modern };
    let called = context.bus.call(router, call, Deadline::after(time_limit)).await;
    span.end(match &called {
        Ok(Outcome::Answered { is_error: false, .. } | Outcome::Document { .. }) => CallOutcome::Answered,
        Ok(Outcome::Refused(_) | Outcome::RefusedByOffice(_)) => CallOutcome::Refused,
        Ok(
            Outcome::Answered { is_error: true, .. }
            | Outcome::Malformed { .. }
            | Outcome::Failed { .. }
            | Outcome::NoSuchTool { .. },
        ) => CallOutcome::Failed,
        Err(error) => outcome_of(error),
    });
    called
}

fn outcome_of(error: &CallError) -> CallOutcome {
    match error {
        CallError::Busy { .. } | CallError::Parked { .. } | CallError::Closing => CallOutcome::Busy,
        CallError::Deadline { .. } => CallOutcome::DeadlinePassed,
        CallError::Panicked { .. } => CallOutcome::Panicked,
        CallError::NotFound | CallError::NotServed { .. } => CallOutcome::Failed,
    }
}
