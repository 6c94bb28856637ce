//! Makes a right answer wrong.

use serde_json::{Value, json};

/// Gives every text, number, truth value and null another type. Objects and lists stay.
pub(crate) fn wrong_types(value: &mut Value) {
    match value {
        Value::Object(fields) => fields.values_mut().for_each(wrong_types),
        Value::Array(entries) => entries.iter_mut().for_each(wrong_types),
        Value::String(text) => *value = json!({ "was": text }),
        Value::Number(number) => *value = json!([number]),
        Value::Bool(truth) => *value = json!(truth.to_string()),
        Value::Null => *value = json!(0),
    }
}

/// Puts null for all that lies deeper than so many levels of objects and lists.
pub(crate) fn nulls(value: &mut Value, below: usize) {
    match value {
        Value::Object(fields) if below > 0 => fields.values_mut().for_each(|field| nulls(field, below - 1)),
        Value::Array(entries) if below > 0 => entries.iter_mut().for_each(|entry| nulls(entry, below - 1)),
        other => *other = Value::Null,
    }
}

/// Puts a word that is in no documentation for every word out of a fixed set: `FLATRATE`, `_4K`, and TMDB's `media_type`.
pub(crate) fn unknown_words(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::String(word) if is_enum(name, word) => *word = "HOLOGRAM".to_owned(),
                    other => unknown_words(other),
                }
            }
        }
        Value::Array(entries) => entries.iter_mut().for_each(unknown_words),
        _ => {}
    }
}

fn is_enum(name: &str, word: &str) -> bool {
    matches!(name, "monetizationType" | "presentationType" | "objectType" | "media_type" | "status")
        || (name == "type" && word.bytes().all(|byte| byte.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer() -> Value {
        json!({ "data": { "node": { "id": "tm10", "objectType": "MOVIE", "offers": [{ "type": "STANDARD", "n": 1, "x": null }] } } })
    }

    fn spoilt(spoil: impl Fn(&mut Value)) -> Value {
        let mut spoilt = answer();
        spoil(&mut spoilt);
        spoilt
    }

    #[test]
    fn each_level_can_be_null() {
        assert_eq!(spoilt(|value| nulls(value, 0)), json!(null));
        assert_eq!(spoilt(|value| nulls(value, 1)), json!({ "data": null }));
        assert_eq!(
            spoilt(|value| nulls(value, 100)),
            json!({ "data": { "node": { "id": null, "objectType": null, "offers": [{ "type": null, "n": null, "x": null }] } } })
        );
    }

    #[test]
    fn nothing_keeps_its_type_but_objects_and_lists() {
        let node = json!({ "id": { "was": "tm10" }, "objectType": { "was": "MOVIE" },
            "offers": [{ "type": { "was": "STANDARD" }, "n": [1], "x": 0 }] });
        assert_eq!(spoilt(wrong_types), json!({ "data": { "node": node } }));
    }

    #[test]
    fn only_words_out_of_a_fixed_set_become_unknown() {
        let node =
            json!({ "id": "tm10", "objectType": "HOLOGRAM", "offers": [{ "type": "HOLOGRAM", "n": 1, "x": null }] });
        assert_eq!(spoilt(unknown_words), json!({ "data": { "node": node } }));
    }
}
