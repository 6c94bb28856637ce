//! As much of JSON Schema as the descriptions use.

use jiff::Timestamp;
use serde_json::Value;

/// The schemas of a description, by name.
#[derive(Debug)]
pub(super) struct Schemas {
    by_name: Value,
}

impl Schemas {
    pub(super) fn new(by_name: Value) -> Self {
        Self { by_name }
    }

    fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
        match name {
            Some(name) => &self.by_name[name],
            None => match schema["allOf"].as_array().and_then(|all| all.first()) {
                Some(first) => self.resolve(first),
                None => schema,
            },
        }
    }

    /// Whether a parameter takes this text; of a list each value is one.
    pub(super) fn takes(&self, schema: &Value, text: &str) -> bool {
        let schema = self.resolve(schema);
        if let Some(words) = schema["enum"].as_array() {
            return words.iter().any(|word| word.as_str().is_some_and(|word| word.eq_ignore_ascii_case(text)))
                || text.parse::<i64>().is_ok();
        }
        match schema["type"].as_str() {
            Some("integer") => text.parse::<i64>().is_ok(),
            Some("boolean") => ["true", "false"].iter().any(|word| word.eq_ignore_ascii_case(text)),
            Some("array") => self.takes(&schema["items"], text),
            _ if schema["format"] == "date-time" => text.parse::<Timestamp>().is_ok(),
            _ => true,
        }
    }

    /// Adds what is wrong with a value. An open object may have fields that are not described.
    pub(super) fn check(&self, schema: &Value, value: &Value, at: &str, is_open: bool, reasons: &mut Vec<String>) {
        let schema = self.resolve(schema);
        if value.is_null() {
            reasons.push(format!("{at} is null"));
            return;
        }
        if let Some(words) = schema["enum"].as_array() {
            if !words.contains(value) && !value.is_i64() {
                reasons.push(format!("{at} is {value}, which is none of its words"));
            }
            return;
        }
        let fits = match schema["type"].as_str() {
            Some("object") => return self.check_fields(schema, value, at, is_open, reasons),
            Some("array") => match value.as_array() {
                Some(entries) => {
                    for entry in entries {
                        self.check(&schema["items"], entry, &format!("{at}[]"), is_open, reasons);
                    }
                    return;
                }
                None => false,
            },
            Some("integer") => value.is_i64() || value.is_u64(),
            Some("number") => value.is_number(),
            Some("boolean") => value.is_boolean(),
            Some("string") if schema["format"] == "date-time" => {
                value.as_str().is_some_and(|text| text.parse::<Timestamp>().is_ok())
            }
            Some("string") => value.is_string(),
            _ => true,
        };
        if !fits {
            reasons.push(format!("{at} is {value}, which is no {}", schema["type"]));
        }
    }

    fn check_fields(&self, schema: &Value, value: &Value, at: &str, is_open: bool, reasons: &mut Vec<String>) {
        let Some(fields) = value.as_object() else {
            reasons.push(format!("{at} is {value}, which is no object"));
            return;
        };
        let known = schema["properties"].as_object();
        for (name, field) in fields {
            let at = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
            match known.and_then(|known| known.get(name)) {
                Some(schema) => self.check(schema, field, &at, is_open, reasons),
                None if schema["additionalProperties"].is_object() => {
                    self.check(&schema["additionalProperties"], field, &at, is_open, reasons);
                }
                None if is_open => {}
                None => reasons.push(format!("{at} is not described")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reasons(value: &Value) -> Vec<String> {
        let schemas = Schemas::new(json!({
            "Film": { "type": "object", "additionalProperties": false, "properties": {
                "id": { "type": "integer" }, "state": { "$ref": "#/components/schemas/State" },
                "added": { "type": "string", "format": "date-time" }, "parts": { "type": "array", "items": { "type": "string" } } } },
            "State": { "type": "string", "enum": ["here", "there"] },
        }));
        let mut reasons = Vec::new();
        schemas.check(&json!({ "$ref": "#/components/schemas/Film" }), value, "", false, &mut reasons);
        reasons
    }

    #[test]
    fn what_is_described_is_taken() {
        let film = json!({ "id": 1, "state": "here", "added": "0001-01-01T00:00:00Z", "parts": ["one"] });
        assert_eq!(reasons(&film), [""; 0]);
    }

    #[test]
    fn what_is_not_described_or_described_otherwise_is_told() {
        let film = json!({ "id": "1", "state": "away", "added": "soon", "parts": [2], "more": true, "gone": null });
        let told = reasons(&film);
        for name in ["id", "state", "added", "parts[]", "more", "gone"] {
            assert!(told.iter().any(|reason| reason.starts_with(name)), "{name} in {told:?}");
        }
    }
}
