//! JustWatch's unofficial GraphQL service: a search, a show's seasons, a season's episodes, and all their offers.

mod answer;
mod graphql;
mod node;
mod recorded;
mod schema;

use serde_json::{Map, Value, json};

use crate::{
    loopback::{Incoming, Reply, RequestViolation, Service, Standin},
    settings::StandinSettings,
};
use answer::Answering;
use graphql::Operation;
use node::Node;

/// JustWatch on loopback. [`Standin::url`] stands for `https://apis.justwatch.com`; the questions go to `graphql` below it.
///
/// It answers with the fields that were asked for and no others, knows the same limits of complexity, and says what is wrong in a body with
/// status 200, as the service does.
pub type JustWatchStandin = Standin<JustWatch>;

/// What [`JustWatchStandin`] knows.
pub struct JustWatch {
    nodes: Vec<Node>,
    packages: Vec<Value>,
}

impl JustWatchStandin {
    /// Starts it.
    ///
    /// # Panics
    /// Outside a tokio runtime, and where loopback cannot be listened on.
    #[must_use]
    pub fn start(settings: &StandinSettings) -> Self {
        Standin::serve(JustWatch::furnished(settings), "")
    }
}

impl JustWatch {
    fn furnished(settings: &StandinSettings) -> Self {
        let recorded = settings.recordings.as_ref().map(|recordings| recordings.of("justwatch")).unwrap_or_default();
        let mut nodes = node::all(settings.today);
        nodes.extend(recorded::nodes(&recorded));
        let recorded_packages = recorded.iter().find_map(|(_, answer)| answer["data"]["packages"].as_array().cloned());
        let packages = recorded_packages.unwrap_or_else(|| packages_of(&nodes));
        Self { nodes, packages }
    }
}

/// Every package that has an offer in the United States.
fn packages_of(nodes: &[Node]) -> Vec<Value> {
    let mut packages: Vec<Value> = Vec::new();
    for offer in nodes.iter().filter_map(|node| node.offers.get("US")).flatten() {
        let package = &offer["package"];
        if package.is_object() && !packages.contains(package) {
            packages.push(package.clone());
        }
    }
    packages
}

/// What recordings say about movies and shows, for TMDB to know them too: id, name, kind, date, IMDb id.
pub(crate) fn recorded_titles(files: &[(String, Value)]) -> Vec<(String, Value, Vec<Value>)> {
    let described = recorded::nodes(files).into_iter().map(|title| {
        let seasons = title.parts.iter().map(|season| {
            let mut content = season.content.clone();
            content["episodes"] = json!(season.parts.len());
            content
        });
        (title.object_type.clone(), title.content.clone(), seasons.collect())
    });
    described.collect()
}

/// A question as it was posted.
struct Posted {
    operation: Operation,
    variables: Map<String, Value>,
}

impl Service for JustWatch {
    fn answer(&self, request: &Incoming) -> Reply {
        let mut violations = Vec::new();
        if request.path != "/graphql" || request.method != "POST" {
            let (method, path) = (request.method.clone(), request.path.clone());
            let status = if request.path == "/graphql" { 405 } else { 404 };
            return Reply::new(status, self.refusal(status)).with(vec![RequestViolation::Unknown { method, path }]);
        }
        if request.authorization.is_some() {
            violations.push(RequestViolation::Credential { reason: "JustWatch takes none" });
        }
        if !request.content_type.as_deref().is_some_and(|sort| sort.starts_with("application/json")) {
            let reason = format!("sent as {:?}, not application/json", request.content_type);
            violations.push(RequestViolation::Body { reason });
        }
        let posted = match read(request, &mut violations) {
            Ok(posted) => posted,
            Err(reason) => {
                violations.push(RequestViolation::Body { reason: reason.clone() });
                return Reply::ok(json!({ "errors": [{ "message": reason }], "data": null })).with(violations);
            }
        };
        let mut answering = Answering {
            nodes: &self.nodes,
            packages: &self.packages,
            variables: &posted.variables,
            errors: Vec::new(),
            violations,
        };
        let body = answering.answer(&posted.operation);
        Reply::ok(body).with(answering.violations)
    }

    fn refusal(&self, status: u16) -> Value {
        json!({ "errors": [{ "message": format!("refused with {status}") }] })
    }

    fn error_in_200(&self) -> Value {
        json!({ "errors": [{ "message": "internal system error", "path": ["node"] }], "data": null })
    }
}

fn read(request: &Incoming, violations: &mut Vec<RequestViolation>) -> Result<Posted, String> {
    let body: Value = serde_json::from_slice(&request.body).map_err(|_| "the body is no JSON".to_owned())?;
    let text = body["query"].as_str().ok_or("`query` is no text")?;
    let operation = graphql::parse(text).map_err(|reason| format!("`query` cannot be read: {reason}"))?;
    let name = body["operationName"].as_str().map(str::to_owned);
    if name.is_none() || name != operation.name {
        let reason =
            format!("`operationName` is {:?}, the operation's name {:?}", body["operationName"], operation.name);
        violations.push(RequestViolation::Body { reason });
    }
    let variables = body["variables"].as_object().cloned().ok_or("`variables` is no object")?;
    violations.extend(check_variables(&operation, &variables));
    Ok(Posted { operation, variables })
}

/// Every declared variable has a value that fits, every used one is declared, and every value given is declared.
fn check_variables(operation: &Operation, variables: &Map<String, Value>) -> Vec<RequestViolation> {
    let is_declared = |name: &str| operation.variables.iter().any(|(declared, _)| declared == name);
    let unfit = operation.variables.iter().filter_map(|(name, type_name)| {
        let reason = schema::fault(type_name, variables.get(name).unwrap_or(&Value::Null))?;
        Some(RequestViolation::Variable { name: name.clone(), reason })
    });
    let undeclared =
        |name: &str| RequestViolation::Variable { name: name.to_owned(), reason: "is not declared".to_owned() };
    let given = variables.keys().filter(|name| !is_declared(name)).map(|name| undeclared(name));
    let used = operation.used_variables().into_iter().filter(|name| !is_declared(name)).map(undeclared);
    unfit.chain(given).chain(used).collect()
}

#[cfg(test)]
mod tests;
