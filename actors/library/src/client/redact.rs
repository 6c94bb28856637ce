//! Takes secrets out of what the services say.
//!
//! Their texts repeat addresses with keys in them, headers, and settings; their objects carry keys under many names. What is left is data and
//! nothing else: harmless parts stay as they are.

mod names;
mod text;

use serde_json::Value;

pub use text::redact_text;

use names::Where;

/// What stands where a secret stood.
pub const MARK: &str = "[REDACTED]";

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
    fn a_name_paired_with_a_value_tells_of_it() {
        let mut value = json!([{"name": "apiKey", "value": "a1"}, {"key": "password", "value": ["p"]}, {"name": "seedRatio", "value": 2}]);

        redact_json(&mut value);

        assert_eq!(
            value,
            json!([{"name": "apiKey", "value": MARK}, {"key": "password", "value": MARK}, {"name": "seedRatio", "value": 2}])
        );
    }
}
