//! Takes secrets out of what the services say.
//!
//! Their texts repeat addresses with keys in them, headers, and settings; their objects carry keys under many names. What is left is data and
//! nothing else: harmless parts stay as they are.

mod names;
mod text;

use serde_json::Value;

use names::Where;
use text::redact_words;

/// What stands where a secret stood.
pub const MARK: &str = "[REDACTED]";

/// Takes the secrets out of a text: logins in addresses, the values of secret query parameters, headers and settings, and keys that stand alone. A
/// text that is JSON itself loses what [`redact_json`] takes out of a value.
pub fn redact_text(text: &str) -> String {
    match redacted_json(text) {
        Some(json) => redact_words(&json),
        None => redact_words(text),
    }
}

/// The text written anew without its secrets, where it is an object or a list of JSON with secrets in it. One inside the other takes twice the
/// room, so this does not go deep.
fn redacted_json(text: &str) -> Option<String> {
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let before: Value = serde_json::from_str(text).ok()?;
    let mut value = before.clone();
    redact_json(&mut value);
    (value != before).then(|| value.to_string())
}

/// Takes the secrets out of a value: members whose name tells of one, the values of objects that pair a name with a value, and whatever stands
/// in texts.
pub fn redact_json(value: &mut Value) {
    match value {
        Value::String(text) => *text = redact_text(text),
        Value::Array(elements) => elements.iter_mut().for_each(redact_json),
        Value::Object(members) => {
            let names_a_secret = ["name", "key"].iter().any(|member| {
                members.get(*member).and_then(Value::as_str).is_some_and(|name| names::is_secret(name, Where::Member))
            });
            for (name, member) in members.iter_mut() {
                let is_paired = names_a_secret && name.eq_ignore_ascii_case("value");
                match is_paired || names::is_secret(name, Where::Member) {
                    true => blot_out(member),
                    false => redact_json(member),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Everything in it, whatever its shape. Nothing is hidden where nothing is.
fn blot_out(value: &mut Value) {
    match value {
        Value::Null | Value::Bool(_) => {}
        Value::String(text) if text.is_empty() => {}
        _ => *value = Value::from(MARK),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_whose_name_tells_of_a_secret_lose_their_value_at_any_depth() {
        let mut value = json!({
            "title": "Dune", "apiKey": "a1", "settings": [{"Password": "p", "authToken": 7, "userAgent": "x"}],
            "cookies": "", "setCookie": "c", "x-api-key": "k", "tokenCount": 3, "downloadUrl": "http://i/g?id=4&apikey=abc"
        });

        redact_json(&mut value);

        assert_eq!(
            value,
            json!({
                "title": "Dune", "apiKey": MARK, "settings": [{"Password": MARK, "authToken": MARK, "userAgent": "x"}],
                "cookies": "", "setCookie": MARK, "x-api-key": MARK, "tokenCount": 3,
                "downloadUrl": "http://i/g?id=4&apikey=[REDACTED]"
            })
        );
    }

    #[test]
    fn json_inside_a_text_of_json_is_json() {
        let pair = json!([{"name": "apiKey", "value": "s3cret"}, {"name": "host", "value": "x"}]);
        let twice = json!({ "body": json!({ "fields": pair.to_string(), "Password": "s3cret" }).to_string() });
        let mut value = json!({ "message": twice.to_string(), "harmless": "{ \"a\" : 1 }", "odd": "{\"a\"" });

        redact_json(&mut value);

        let printed = value.to_string();
        assert!(!printed.contains("s3cret") && printed.contains("host"), "{printed}");
        assert_eq!((&value["harmless"], &value["odd"]), (&json!("{ \"a\" : 1 }"), &json!("{\"a\"")));
        assert_eq!(
            redact_text(&pair.to_string()),
            r#"[{"name":"apiKey","value":"[REDACTED]"},{"name":"host","value":"x"}]"#
        );
    }

    #[test]
    fn a_name_paired_with_a_value_tells_of_it() {
        let mut value = json!([{"name": "apiKey", "value": "a1"}, {"key": "password", "value": ["p"]}, {"name": "seedRatio", "value": 2}]);

        redact_json(&mut value);

        assert_eq!(
            value,
            json!([{"name": "apiKey", "value": MARK}, {"key": "password", "value": MARK}, {"name": "seedRatio", "value": 2}])
        );
    }
}
