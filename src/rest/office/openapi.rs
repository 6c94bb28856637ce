//! The OpenAPI document of the office, made from the table of endpoints and the types of its bodies.
//!
//! The table says all that a description of handlers would say once more, so the document is put together from it directly; the bodies'
//! schemas come from the types themselves through schemars, whose JSON Schema 2020-12 is what OpenAPI 3.1 wants.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::table::{Body, Door, ENDPOINTS, Endpoint, Method, PathForm, Work, import_kinds};

/// Where the schemas of types lie in the document.
const COMPONENTS: &str = "/components/schemas";

/// The whole document. It is the same for everybody and for as long as the program runs.
pub fn document() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = COMPONENTS.into();
        settings.meta_schema = None;
    });
    let mut generator = settings.into_generator();
    let mut paths: Map<String, Value> = Map::new();
    for endpoint in &ENDPOINTS {
        let path = paths.entry(endpoint.path.to_owned()).or_insert_with(|| json!({}));
        let method = match endpoint.method {
            Method::Get => "get",
            Method::Post => "post",
        };
        path[method] = operation(endpoint, &mut generator);
    }
    let mut schemas = generator.take_definitions(true);
    schemas.insert("Refusal".to_owned(), refusal_schema());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Playhouse production office",
            "description": "Reads, submissions and writes of a film production's office. Every refusal is {\"detail\": …} with its status.",
            "version": env!("CARGO_PKG_VERSION"),
        },
        "servers": [{ "url": "/v1" }, { "url": "/api/v1" }],
        "security": [{ "accessKey": [] }],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": { "accessKey": { "type": "http", "scheme": "bearer", "description": "An access key of the house." } },
        },
    })
}

fn operation(endpoint: &Endpoint, generator: &mut SchemaGenerator) -> Value {
    let who = match endpoint.door {
        Door::Production => "Production-wide keys only.",
        Door::Either => "Keys bound to an engagement see that engagement's part.",
    };
    let same = endpoint.tool.map(|tool| format!(" The same as the tool `{tool}`.")).unwrap_or_default();
    let more = endpoint.scope_of_word.map(|(word, scope)| format!(", and `{scope}` for `{word}`")).unwrap_or_default();
    let mut operation = json!({
        "summary": endpoint.summary,
        "description": format!("Scope `{}`{more}. {who}{same}", endpoint.scope),
        "operationId": operation_id(endpoint),
        "parameters": parameters(endpoint),
        "responses": responses(endpoint, generator),
    });
    if let Some(body) = request_body(endpoint, generator) {
        operation["requestBody"] = body;
    }
    operation
}

/// The tool's name where there is one, else the method and the path's own words: `post_assets_notes`.
fn operation_id(endpoint: &Endpoint) -> String {
    endpoint.tool.map(str::to_owned).unwrap_or_else(|| {
        let words = endpoint.path.split('/').filter(|part| !part.is_empty() && !part.starts_with('{'));
        let words: Vec<String> = words.map(|part| part.replace('-', "_")).collect();
        let one = if endpoint.path.ends_with('}') { "_one" } else { "" };
        format!("{}_{}{one}", endpoint.method.as_str().to_lowercase(), words.join("_"))
    })
}

fn parameters(endpoint: &Endpoint) -> Vec<Value> {
    let in_path = match endpoint.path_form {
        PathForm::Plain => None,
        PathForm::Id(name) => Some((name, json!({ "type": "integer" }))),
        PathForm::Text(name @ "kind") => Some((name, json!({ "type": "string", "enum": import_kinds() }))),
        PathForm::Text(name) => Some((name, json!({ "type": "string" }))),
    };
    let in_path =
        in_path.map(|(name, schema)| json!({ "name": name, "in": "path", "required": true, "schema": schema }));
    let in_query = endpoint.query.iter().map(|parameter| {
        json!({ "name": parameter.name, "in": "query", "description": parameter.about, "schema": parameter.form.schema() })
    });
    let header = match endpoint.method {
        Method::Get => None,
        Method::Post => Some(json!({
            "name": "Idempotency-Key",
            "in": "header",
            "description": "The same key and body within 24 hours are answered with the first reply.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 100 },
        })),
    };
    in_path.into_iter().chain(in_query).chain(header).collect()
}

fn request_body(endpoint: &Endpoint, generator: &mut SchemaGenerator) -> Option<Value> {
    let content = match endpoint.body {
        Body::None => return None,
        Body::Json(shape) => json!({ "application/json": { "schema": (shape.0)(generator) } }),
        Body::File => json!({ "application/octet-stream": { "schema": { "type": "string", "format": "binary" } } }),
        Body::Submission => json!({ "multipart/form-data": { "schema": {
            "type": "object",
            "description": "The text parts come before the files.",
            "properties": {
                "title": { "type": "string", "maxLength": 200 },
                "note": { "type": "string", "maxLength": 4000 },
                "sha256": { "type": "string", "description": "A JSON object from file names to SHA-256 sums in hex, which are then checked." },
                "files": { "type": "array", "minItems": 1, "items": { "type": "string", "format": "binary" } },
            },
            "required": ["files"],
        } } }),
    };
    Some(json!({ "required": true, "content": content }))
}

fn responses(endpoint: &Endpoint, generator: &mut SchemaGenerator) -> Value {
    let answer = match endpoint.work {
        Work::Content => json!({ "application/octet-stream": { "schema": { "type": "string", "format": "binary" } } }),
        _ => json!({ "application/json": { "schema": (endpoint.answer.0)(generator) } }),
    };
    let mut responses = Map::new();
    let mut add = |status: u16, about: &str| {
        let response = match status {
            200 | 201 | 206 => json!({ "description": about, "content": answer }),
            304 => json!({ "description": about }),
            _ => json!({
                "description": about,
                "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Refusal" } } },
            }),
        };
        responses.insert(status.to_string(), response);
    };
    match (&endpoint.work, endpoint.method) {
        (Work::Content, _) => {
            add(200, "The file.");
            add(206, "The part asked for.");
            add(304, "The client has it.");
            add(410, "Staff removed the file.");
            add(416, "The part is behind the end of the file.");
        }
        (_, Method::Get) => {
            add(200, "The answer.");
            add(304, "The client has it: its `If-None-Match` names the `ETag`.");
        }
        (Work::Decide, Method::Post) => add(200, "The decision."),
        (_, Method::Post) => {
            add(200, "It was there already, or nothing was to be written.");
            add(201, "It was written.");
        }
    }
    add(401, "No key, or one that opens nothing.");
    add(403, "The key lacks the scope, or is bound to an engagement, or that is not active.");
    add(404, "No such thing, or out of the key's reach: one answer for both.");
    add(422, "A parameter or the body is wrong.");
    add(503, "Try again shortly.");
    if endpoint.method == Method::Post {
        add(409, "What is there does not allow it.");
        add(413, "The body is too large.");
        add(415, "Another media type is wanted.");
    }
    if matches!(endpoint.work, Work::Submit) {
        add(408, "The sender was silent for too long.");
        add(507, "Storage is full.");
    }
    Value::Object(responses)
}

fn refusal_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "detail": { "type": "string", "description": "What is wrong, in one sentence." },
            "errors": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": { "field": { "type": "string" }, "message": { "type": "string" } },
                    "required": ["field", "message"],
                },
            },
        },
        "required": ["detail"],
    })
}
