//! Reading numbers and texts of which versions of the app disagree on the JSON type.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A whole number given as a number, a fraction (rounded) or text. Null and anything else count as missing.
pub(super) fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::Number(number) => number.as_i64().or_else(|| number.as_f64().and_then(rounded)),
        Value::String(text) => {
            let text = text.trim();
            text.parse().ok().or_else(|| text.parse().ok().and_then(rounded))
        }
        _ => None,
    })
}

/// A text, or a scalar as its text. Null and anything else count as missing.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    })
}

/// A flag given as a boolean or as its text. Anything else counts as missing.
pub(super) fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::Bool(flag) => Some(flag),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    })
}

/// A fraction of the screen, clamped to it. Anything else counts as missing.
pub(super) fn fraction<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let value = match Value::deserialize(deserializer)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    Ok(value.filter(|value: &f64| value.is_finite()).map(|value| value.clamp(0.0, 1.0)))
}

fn rounded(value: f64) -> Option<i64> {
    // Within ±2^53 every whole number has an exact float, so the cast cannot surprise.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (value.abs() <= EXACT).then(|| value.round() as i64)
}
