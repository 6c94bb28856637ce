//! Whole numbers that were written as decimals.

use serde_json::{Map, Number, Value};

/// From here on not every whole number has a decimal of its own, so that what was written is not known any more.
const FIRST_INEXACT: f64 = 9_007_199_254_740_992.0;

/// Writes `10` for `10.0` where `schema` asks for an integer: JSON does not tell them apart and several hosts write the latter, but Rust's
/// integers take the former only. What is not whole, or too large to be known exactly, stays as it is and is refused by the type.
pub(crate) fn write_whole(arguments: &mut Map<String, Value>, schema: &Value) {
    for (name, value) in arguments {
        write_value(value, &schema["properties"][name.as_str()]);
    }
}

fn write_value(value: &mut Value, schema: &Value) {
    match value {
        Value::Number(number) if schema["type"] == "integer" => {
            if let Some(whole) = number.as_f64().filter(|_| number.is_f64()).and_then(whole) {
                *number = whole;
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(|element| write_value(element, &schema["items"])),
        Value::Object(members) => write_whole(members, schema),
        _ => {}
    }
}

fn whole(number: f64) -> Option<Number> {
    // Every whole number below the bound fits.
    (number.fract() == 0.0 && number.abs() < FIRST_INEXACT).then(|| Number::from(number as i64))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(arguments: Value) -> Value {
        let schema = json!({ "properties": {
            "id": { "type": "integer" },
            "size": { "type": "number" },
            "open": { "type": "object" },
            "scores": { "type": "array", "items": { "properties": { "score": { "type": "integer" } } } },
        } });
        let Value::Object(mut arguments) = arguments else { panic!("an object") };
        write_whole(&mut arguments, &schema);
        Value::Object(arguments)
    }

    #[test]
    fn a_whole_decimal_becomes_an_integer_where_one_is_asked_for() {
        let deep = |score: Value| json!({ "scores": [{ "score": score }] });
        assert_eq!(written(json!({ "id": 10.0 })), json!({ "id": 10 }));
        assert_eq!(written(json!({ "id": -0.0 })), json!({ "id": 0 }));
        assert_eq!(written(deep(json!(-5.0))), deep(json!(-5)));
        for other in
            [json!({ "size": 10.0 }), json!({ "open": { "id": 1.0 } }), json!({ "id": 1.5 }), json!({ "more": 1.0 })]
        {
            assert_eq!(written(other.clone()).to_string(), other.to_string());
        }
    }

    #[test]
    fn nothing_beyond_53_bits_is_damaged() {
        let exact = json!({ "id": 9_007_199_254_740_993_i64 });
        assert_eq!(written(exact.clone()), exact);
        let largest = json!({ "id": u64::MAX });
        assert_eq!(written(largest.clone()), largest);
        // Written as a decimal, it is another number by the time that it is read; so it stays what no integer takes.
        let inexact: Value = serde_json::from_str(r#"{"id":9007199254740993.0}"#).unwrap();
        assert!(written(inexact)["id"].is_f64());
        assert_eq!(written(json!({ "id": 9_007_199_254_740_991.0 })), json!({ "id": 9_007_199_254_740_991_i64 }));
    }
}
