//! `playhouse docs`: the page of all tools, made from the descriptors that the server lists.

use std::fmt::Write;

use playhouse_house::{KeyRing, system_clock};
use playhouse_production::media::SubmissionDesk;
use playhouse_tools::{DuplicateTool, Registry, ToolDocument};
use serde_json::Value;

use crate::config::Config;
use crate::instance::{add_tools, media_store};

/// Every tool of this build.
///
/// # Errors
/// As [`Registry::add`].
pub fn all_tools() -> Result<Vec<ToolDocument>, DuplicateTool> {
    let mut registry = Registry::new(playhouse_house::ToolSwitches::new());
    let config = Config::default();
    let media = media_store(&config);
    let desk = SubmissionDesk { media, key_ring: KeyRing::new(), clock: system_clock() };
    add_tools(&mut registry, &playhouse_tv::TvDirectory::new(), &config.resolver, &desk)?;
    Ok(registry.documents())
}

/// The page.
pub fn markdown(tools: &[ToolDocument]) -> String {
    let mut page = String::from(
        "# Tools\n\nMade by `playhouse docs` from the descriptors that `tools/list` shows; a test keeps it current.\n\n",
    );
    page.push_str("| tool | scope | what for |\n|---|---|---|\n");
    for tool in tools {
        let _ = writeln!(page, "| [`{0}`](#{0}) | `{1}` | {2} |", tool.name, tool.scope, tool.title);
    }
    for tool in tools {
        describe(&mut page, tool);
    }
    page
}

fn describe(page: &mut String, tool: &ToolDocument) {
    let _ = write!(page, "\n## {}\n\n{}\n\n", tool.name, tool.description);
    let _ = write!(page, "Scope `{}`.", tool.scope);
    if let Some(seed_name) = tool.seed_name {
        let _ = write!(page, " Also answers to `{seed_name}`.");
    }
    let hint = |name: &str| tool.annotations[name].as_bool().unwrap_or_default();
    page.push_str(match (hint("readOnlyHint"), hint("destructiveHint"), hint("idempotentHint")) {
        (true, _, _) => " Changes nothing.",
        (_, true, _) => " May take away something for good.",
        (_, _, true) => " Repeating it changes nothing further.",
        _ => " Acts each time it is called.",
    });
    page.push_str("\n\n");
    arguments(page, tool);
    page.push_str("Answers:\n\n");
    if tool.output["type"] == "array" {
        page.push_str("A list of:\n\n");
    }
    fields(page, &tool.output, 0);
}

/// The fields of an object, or of the objects in a list, one a line with theirs below them. The exact schema is in `tools/list`.
fn fields(page: &mut String, schema: &Value, depth: usize) {
    let schema = if schema["type"] == "array" { &schema["items"] } else { schema };
    let required =
        |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|other| other == name));
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let absent = if required(name) { "" } else { ", may be absent" };
        let words = field["description"].as_str().unwrap_or_default().replace('\n', " ");
        let _ = writeln!(page, "{:1$}- `{name}` ({2}{absent}): {words}", "", depth * 2, kind_of(field));
        fields(page, field, depth + 1);
    }
}

/// What a field of an answer is: a list says of what.
fn kind_of(schema: &Value) -> String {
    match schema["type"].as_str() {
        Some("array") => format!("list of {}", kind_of(&schema["items"])),
        Some(_) => type_of(schema),
        None => match schema["oneOf"].as_array() {
            Some(options) => {
                let names: Vec<String> = options
                    .iter()
                    .map(|option| option.get("const").map_or_else(|| type_of(option), |name| format!("`{name}`")))
                    .collect();
                names.join(", ")
            }
            None => "any".to_owned(),
        },
    }
}

fn arguments(page: &mut String, tool: &ToolDocument) {
    let properties = tool.input["properties"].as_object();
    if properties.is_none_or(serde_json::Map::is_empty) && tool.caller_argument.is_none() {
        page.push_str("No arguments.\n\n");
        return;
    }
    page.push_str("| argument | type | |\n|---|---|---|\n");
    let required =
        |name: &str| tool.input["required"].as_array().is_some_and(|names| names.iter().any(|other| other == name));
    for (name, schema) in properties.into_iter().flatten() {
        let presence = if required(name) { "required" } else { "optional" };
        let words = schema["description"].as_str().unwrap_or_default().replace('\n', " ");
        let _ = writeln!(page, "| `{name}` | {} | {presence}. {words} |", type_of(schema));
    }
    if let Some((name, words)) = tool.caller_argument {
        let _ = writeln!(page, "| `{name}` | string | required where it is listed. {words} |");
    }
    page.push('\n');
}

fn type_of(schema: &Value) -> String {
    if let Some(options) = schema["enum"].as_array() {
        return options.iter().map(|option| format!("`{option}`")).collect::<Vec<_>>().join(", ");
    }
    let mut words = schema["type"].as_str().unwrap_or("any").to_owned();
    match (&schema["minimum"], &schema["maximum"]) {
        (Value::Null, Value::Null) => {}
        (least, Value::Null) => words.push_str(&format!(", at least {least}")),
        (Value::Null, most) => words.push_str(&format!(", at most {most}")),
        (least, most) => words.push_str(&format!(", {least} to {most}")),
    }
    words
}
