//! `/v1/tools…`: which tools the calling house has, and switching them off and on.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::web::{self, Data, Path, Payload, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use playhouse_bus::{Deadline, HouseId};
use playhouse_house::{HouseActor, SwitchTool};
use playhouse_tools::Descriptor;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::RestServices;
use super::admin::{admit, answer};
use crate::http::{Refusal, method_not_allowed, sentence, small_body};

/// How long a switch may take: one commit.
const CALL_DEADLINE: Duration = Duration::from_secs(25);

/// Adds the addresses.
pub(super) fn routes(config: &mut ServiceConfig) {
    let only = |allowed: &'static str| web::to(move || async move { method_not_allowed(allowed) });
    config
        .service(web::resource("/v1/tools").route(web::get().to(list)).default_service(only("GET")))
        .service(web::resource("/v1/tools/{name}").route(web::put().to(switch)).default_service(only("PUT")));
}

/// A tool as it is shown to those who switch it.
#[derive(Serialize)]
struct Shown {
    name: &'static str,
    description: &'static str,
    enabled: bool,
    admin_only: bool,
    /// The scope that a key needs for it.
    permission: &'static str,
}

async fn list(request: HttpRequest, door: Data<RestServices>) -> Result<HttpResponse, Refusal> {
    let house = admit(&request, &door)?.house;
    let tools: Vec<Shown> = door.registry.descriptors().map(|tool| shown(&door, house, tool)).collect();
    Ok(answer(StatusCode::OK, &json!({ "tools": tools })))
}

async fn switch(
    request: HttpRequest,
    door: Data<RestServices>,
    name: Path<String>,
    body: Payload,
) -> Result<HttpResponse, Refusal> {
    let house = admit(&request, &door)?.house;
    let enabled = enabled(&small_body(&request, body).await?)?;
    let no_such_tool =
        || Refusal::new(StatusCode::NOT_FOUND, "There is no tool of this name; GET /v1/tools lists them.");
    // Named by what lists show, so that a switch never misses its tool.
    let listed = door.registry.listed_name(&name).ok_or_else(no_such_tool)?;
    let tool = door.registry.descriptors().find(|tool| tool.name == listed).ok_or_else(no_such_tool)?;
    let order = SwitchTool { tool: listed.to_owned(), enabled };
    let reply = door.bus.call(HouseActor::key(house), order, Deadline::after(CALL_DEADLINE)).await?;
    // The name is one of ours, so only the store is left to refuse.
    reply.map_err(|error| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, sentence(&error.to_string())))?;
    Ok(answer(StatusCode::OK, &shown(&door, house, tool)))
}

/// The tool as it is at this moment.
fn shown(door: &RestServices, house: HouseId, descriptor: &Descriptor) -> Shown {
    let Descriptor { name, description, admin_only, scope, effect, .. } = *descriptor;
    let enabled = !door.switches.forbid(house, name, effect.read_only());
    Shown { name, description, enabled, admin_only, permission: scope.as_str() }
}

/// What the body of a switch says.
fn enabled(body: &[u8]) -> Result<bool, Refusal> {
    let body: Map<String, Value> = serde_json::from_slice(body).unwrap_or_default();
    match (body.len(), body.get("enabled")) {
        (1, Some(Value::Bool(enabled))) => Ok(*enabled),
        _ => {
            let words = r#"Send {"enabled": true} or {"enabled": false} as the body."#;
            Err(Refusal::new(StatusCode::BAD_REQUEST, words))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_says_on_or_off_and_nothing_else() {
        assert_eq!(enabled(br#"{"enabled":false}"#).ok(), Some(false));
        assert_eq!(enabled(br#" {"enabled": true} "#).ok(), Some(true));
        for body in
            ["", "{}", "true", "[true]", r#"{"enabled":"yes"}"#, r#"{"enabled":true,"hours":3}"#, r#"{"Enabled":true}"#]
        {
            assert!(enabled(body.as_bytes()).is_err(), "{body}");
        }
    }
}
