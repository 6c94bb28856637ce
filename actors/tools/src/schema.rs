//! JSON schemas of arguments and outputs, in the form that every host accepts.
//!
//! Hosts drop a tool, or a whole connector, over an input schema that is not a plain root object or that uses composition keywords.
//! So schemas are made inline (no `$ref`), without `null` alternatives (an absent argument is simply absent) and without the
//! number formats of Rust.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

/// The schema of a tool's arguments: a plain object that refuses unknown names.
pub(crate) fn input_schema<T: JsonSchema>() -> Value {
    let mut schema = plain(
        SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<T>(),
        Nulls::Drop,
    );
    if let Some(object) = schema.as_object_mut() {
        object.insert("type".to_owned(), json!("object"));
        object.entry("properties").or_insert_with(|| json!({}));
        object.insert("additionalProperties".to_owned(), json!(false));
    }
    schema
}

/// The schema of a tool's structured answer.
pub(crate) fn output_schema<T: JsonSchema>() -> Value {
    plain(SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>(), Nulls::Drop)
}

/// The schema of a document of the production office, in which what is absent stands as `null`.
pub(crate) fn document_schema<T: JsonSchema>() -> Value {
    plain(SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>(), Nulls::Keep)
}

/// What becomes of the alternative that a value may be `null`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nulls {
    Drop,
    Keep,
}

fn plain(root: Schema, nulls: Nulls) -> Value {
    let mut schema = root.to_value();
    let definitions = schema.as_object_mut().and_then(|object| object.remove("$defs"));
    let definitions = definitions.as_ref().and_then(Value::as_object);
    if let Some(object) = schema.as_object_mut() {
        object.remove("$schema");
        object.remove("title");
        object.remove("description");
    }
    tidy(&mut schema, definitions, nulls, 0);
    schema
}

/// Deepest nesting of types that is followed; a recursive type would never end.
const MAX_DEPTH: usize = 32;

fn tidy(schema: &mut Value, definitions: Option<&Map<String, Value>>, nulls: Nulls, depth: usize) {
    assert!(depth < MAX_DEPTH, "a tool's schema may not be recursive");
    match schema {
        Value::Object(object) => {
            // Once before and once behind: the one alternative left may be a reference, and what it names may have a null of its own.
            if nulls == Nulls::Drop {
                drop_null_alternative(object);
            }
            inline_reference(object, definitions);
            if nulls == Nulls::Drop {
                drop_null_alternative(object);
            }
            if_numeric_drop_format(object);
            for (keyword, inner) in object.iter_mut() {
                // Data, not schemas: left as they are.
                if !matches!(keyword.as_str(), "enum" | "const" | "default" | "examples") {
                    tidy(inner, definitions, nulls, depth + 1);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| tidy(item, definitions, nulls, depth + 1)),
        _ => {}
    }
}

fn inline_reference(object: &mut Map<String, Value>, definitions: Option<&Map<String, Value>>) {
    let target = object
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.strip_prefix("#/$defs/"))
        .and_then(|name| definitions?.get(name)?.as_object());
    if let Some(target) = target {
        let target = target.clone();
        object.remove("$ref");
        for (keyword, value) in target {
            // What stands beside the reference (a field's own description) is nearer to the reader.
            object.entry(keyword).or_insert(value);
        }
    }
}

fn if_numeric_drop_format(object: &mut Map<String, Value>) {
    let numeric = object.get("format").and_then(Value::as_str).is_some_and(|format| {
        format.starts_with("int") || format.starts_with("uint") || matches!(format, "float" | "double")
    });
    if numeric {
        object.remove("format");
    }
}

/// Turns `["integer", "null"]` into `"integer"` and `anyOf: [T, null]` into `T`.
fn drop_null_alternative(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if types.len() == 1 {
            let only = types.remove(0);
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(options)) = object.get_mut("enum") {
        options.retain(|option| !option.is_null());
    }
    let mut single = None;
    if let Some(Value::Array(alternatives)) = object.get_mut("anyOf") {
        alternatives.retain(|alternative| alternative.get("type").and_then(Value::as_str) != Some("null"));
        if alternatives.len() == 1 {
            single = alternatives.pop();
        }
    }
    if let Some(Value::Object(only)) = single {
        object.remove("anyOf");
        for (keyword, value) in only {
            object.entry(keyword).or_insert(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Direction {
        Up,
        Down,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Inner {
        x: f64,
    }

    /// Words that are not for the model.
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Arguments {
        /// Which way.
        direction: Direction,
        /// How often.
        #[schemars(range(min = 1, max = 20))]
        repeat: Option<u8>,
        inner: Option<Inner>,
        again: Option<Direction>,
    }

    #[test]
    fn an_input_schema_is_a_plain_object_without_references_nulls_or_composition() {
        assert_eq!(
            input_schema::<Arguments>(),
            json!({
                "type": "object",
                "properties": {
                    "direction": {"type": "string", "enum": ["up", "down"], "description": "Which way."},
                    "repeat": {"type": "integer", "minimum": 1, "maximum": 20, "description": "How often."},
                    "inner": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]},
                    "again": {"type": "string", "enum": ["up", "down"]},
                },
                "required": ["direction"],
                "additionalProperties": false,
            })
        );
    }

    #[test]
    fn no_arguments_is_an_empty_object() {
        #[derive(Deserialize, JsonSchema)]
        struct None {}
        assert_eq!(input_schema::<None>(), json!({"type": "object", "properties": {}, "additionalProperties": false}));
    }
}
