//! Checks a call's arguments against the tool's schema and says what is wrong in words that a model can act on.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value};

/// The faults as one sentence for a model.
pub(crate) fn sentence(faults: &[String]) -> String {
    let joined = faults.join("; ");
    let stop = if joined.ends_with('?') { "" } else { "." };
    format!("Wrong arguments: {joined}{stop}")
}

/// Checks arguments against one tool's schema.
pub(crate) struct ArgumentCheck {
    validator: Validator,
    schema: Value,
}

/// How many faults one answer lists; more would bury the first.
const MAX_FAULTS: usize = 5;
/// How many characters of a wrong value are quoted back.
const MAX_QUOTED: usize = 60;

impl ArgumentCheck {
    /// Compiles `schema`, as made by `schema::input_schema`.
    pub(crate) fn new(schema: &Value) -> Result<Self, String> {
        let validator = jsonschema::draft202012::new(schema).map_err(|error| error.to_string())?;
        Ok(Self { validator, schema: schema.clone() })
    }

    /// What is wrong with `arguments`, fault by fault; empty when they fit. `offered` is the name of the caller argument, which is not in the
    /// schema. An argument of `null` counts as absent: several hosts send one for each optional argument left out.
    pub(crate) fn faults(&self, arguments: &mut Map<String, Value>, offered: Option<&str>) -> Vec<String> {
        arguments.retain(|_, value| !value.is_null());
        let object = Value::Object(std::mem::take(arguments));
        let mut faults = Vec::new();
        if !self.validator.is_valid(&object) {
            faults
                .extend(self.validator.iter_errors(&object).take(MAX_FAULTS).map(|error| self.fault(&error, offered)));
        }
        if let Value::Object(object) = object {
            *arguments = object;
        }
        faults
    }

    /// The names that the object at this place may have.
    fn names_at(&self, pointer: &str) -> impl Iterator<Item = &str> {
        let steps = pointer.split('/').filter(|step| !step.is_empty());
        let schema = steps.fold(&self.schema, |schema, step| match schema["type"] == "array" {
            true => &schema["items"],
            false => &schema["properties"][step],
        });
        schema["properties"].as_object().into_iter().flat_map(|names| names.keys().map(String::as_str))
    }

    fn fault(&self, error: &ValidationError<'_>, offered: Option<&str>) -> String {
        let path = error.instance_path().as_str().trim_start_matches('/').replace('/', ".");
        let found = quoted(error.instance());
        match error.kind() {
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                let offered = offered.filter(|_| path.is_empty());
                let names: Vec<&str> = self.names_at(error.instance_path().as_str()).chain(offered).collect();
                unknown_names(unexpected, &path, &names)
            }
            ValidationErrorKind::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                format!("`{}{name}` is required", if path.is_empty() { String::new() } else { format!("{path}.") })
            }
            ValidationErrorKind::Enum { options } => format!("`{path}` is {found}, expected one of {}", list(options)),
            ValidationErrorKind::Type { .. } => format!("`{path}` is {found}, {}", strip(&error.to_string())),
            ValidationErrorKind::Minimum { limit } => format!("`{path}` is {found}, expected at least {limit}"),
            ValidationErrorKind::Maximum { limit } => format!("`{path}` is {found}, expected at most {limit}"),
            ValidationErrorKind::MinLength { limit } => {
                format!("`{path}` is too short, expected at least {limit} character(s)")
            }
            ValidationErrorKind::MaxLength { limit } => {
                format!("`{path}` is too long, expected at most {limit} characters")
            }
            ValidationErrorKind::Pattern { pattern } => format!("`{path}` is {found}, expected the form {pattern}"),
            _ => format!("`{path}`: {error}"),
        }
    }
}

/// What the validator says of a type, without the value it repeats.
fn strip(words: &str) -> String {
    match words.rsplit_once(" is not of type") {
        Some((_, expected)) => format!("expected{}", expected.replace('"', "").replace("types", "one of")),
        None => words.to_owned(),
    }
}

fn unknown_names(unexpected: &[String], path: &str, names: &[&str]) -> String {
    let (what, all) = match path {
        "" => ("argument", "the arguments are".to_owned()),
        _ => ("member", format!("`{path}` has")),
    };
    let within = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    let each: Vec<String> = unexpected
        .iter()
        .map(|name| (shortened(&within(name)), nearest(name, names.iter().copied())))
        .map(|(shown, near)| match near {
            Some(near) => format!("there is no {what} `{shown}`; did you mean `{}`?", within(near)),
            None if names.is_empty() => format!("there is no {what} `{shown}`; this tool takes none"),
            None => format!("there is no {what} `{shown}`; {all} {}", names.join(", ")),
        })
        .collect();
    each.join("; ")
}

/// The candidate that comes nearest to `name`, if one is near enough to be what was meant.
pub(crate) fn nearest<'c>(name: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    const NEAR: f64 = 0.7;
    candidates
        .map(|candidate| (strsim::jaro_winkler(&name.to_lowercase(), candidate), candidate))
        .filter(|(likeness, _)| *likeness >= NEAR)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, candidate)| candidate)
}

fn list(options: &Value) -> String {
    options
        .as_array()
        .map(|options| options.iter().map(quoted).collect::<Vec<_>>().join(", "))
        .unwrap_or_else(|| options.to_string())
}

fn quoted(value: &Value) -> String {
    shortened(&value.to_string())
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn check(arguments: Value) -> Result<Value, String> {
        let schema = json!({
            "type": "object",
            "properties": {
                "key": {"type": "string", "enum": ["UP", "DOWN"]},
                "repeat": {"type": "integer", "minimum": 1, "maximum": 20},
                "name": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 5},
                "steps": {"type": "array", "items": {
                    "type": "object", "properties": {"wait": {"type": "integer"}}, "additionalProperties": false,
                }},
            },
            "required": ["key"],
            "additionalProperties": false,
        });
        let Value::Object(mut arguments) = arguments else { panic!("an object") };
        let check = ArgumentCheck::new(&schema).unwrap();
        let faults = check.faults(&mut arguments, None);
        if faults.is_empty() { Ok(Value::Object(arguments)) } else { Err(sentence(&faults)) }
    }

    fn refused(arguments: Value) -> String {
        check(arguments).expect_err("refused")
    }

    #[test]
    fn arguments_that_fit_pass() {
        assert_eq!(check(json!({"key": "UP", "repeat": 3})), Ok(json!({"key": "UP", "repeat": 3})));
    }

    #[test]
    fn null_counts_as_absent() {
        assert_eq!(check(json!({"key": "UP", "repeat": null})), Ok(json!({"key": "UP"})));
        assert_eq!(refused(json!({"key": null})), "Wrong arguments: `key` is required.");
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_nearest_one() {
        assert_eq!(
            refused(json!({"key": "UP", "repeats": 3})),
            "Wrong arguments: there is no argument `repeats`; did you mean `repeat`?"
        );
        assert_eq!(
            refused(json!({"key": "UP", "device_id": "den"})),
            "Wrong arguments: there is no argument `device_id`; the arguments are key, name, repeat, steps."
        );
    }

    #[test]
    fn an_unknown_name_deeper_down_is_refused_with_the_nearest_one_of_that_place() {
        assert_eq!(
            refused(json!({"key": "UP", "steps": [{"wait": 1}, {"waits": 2}]})),
            "Wrong arguments: there is no member `steps.1.waits`; did you mean `steps.1.wait`?"
        );
        assert_eq!(
            refused(json!({"key": "UP", "steps": [{"key": 2}]})),
            "Wrong arguments: there is no member `steps.0.key`; `steps.0` has wait."
        );
    }

    #[test]
    fn each_fault_says_what_was_found_and_what_was_expected() {
        assert_eq!(refused(json!({"key": "up"})), r#"Wrong arguments: `key` is "up", expected one of "UP", "DOWN"."#);
        assert_eq!(
            refused(json!({"key": "UP", "repeat": 21})),
            "Wrong arguments: `repeat` is 21, expected at most 20."
        );
        assert_eq!(
            refused(json!({"key": "UP", "repeat": "3"})),
            r#"Wrong arguments: `repeat` is "3", expected integer."#
        );
        assert_eq!(refused(json!({"key": "UP", "repeat": 1.5})), "Wrong arguments: `repeat` is 1.5, expected integer.");
        assert_eq!(
            refused(json!({"key": "UP", "name": "toolong"})),
            "Wrong arguments: `name` is too long, expected at most 5 characters."
        );
    }

    #[test]
    fn a_long_wrong_value_is_not_repeated_whole() {
        assert!(refused(json!({"key": "x".repeat(10_000)})).len() < 200);
    }

    proptest! {
        #[test]
        fn any_arguments_are_taken_or_refused_with_words(name in "\\PC{0,12}", text in "\\PC{0,80}", number in any::<f64>()) {
            let mut arguments = Map::new();
            arguments.insert(name, Value::from(text));
            arguments.insert("repeat".to_owned(), Value::from(number));
            let _ = check(Value::Object(arguments));
        }
    }
}
