//! Decoders for what the services write in several ways.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A value that may be null.
pub(super) fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(from)?.unwrap_or_default())
}

/// A whole number, with or without a fraction; 0 for null and for what is no number.
pub(super) fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
    let value = Value::deserialize(from)?;
    #[expect(clippy::cast_possible_truncation, reason = "a size with a fraction; the cast saturates")]
    Ok(value.as_i64().or_else(|| value.as_f64().map(|number| number as i64)).unwrap_or(0))
}

/// An instant; `None` for null, for what is no instant, and for the first year, by which the services mean "never".
pub(super) fn instant<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Timestamp>, D::Error> {
    let value = Value::deserialize(from)?;
    let at = value.as_str().and_then(|text| text.parse::<Timestamp>().ok());
    let first_years: Timestamp = Timestamp::from_second(FIRST_YEARS_END).unwrap_or(Timestamp::MIN);
    Ok(at.filter(|at| *at > first_years))
}

/// 0100-01-01 in seconds of the Unix epoch: no date of a library lies before it.
const FIRST_YEARS_END: i64 = -59_011_459_200;
