//! Reads what another service wrote without trusting it: a field may be missing, null, empty or of another type, and one
//! unreadable entry does not spoil a list.

use jiff::civil::Date;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// The value, or `None` when there is none or it is not of this type.
pub(crate) fn readable<'de, D: Deserializer<'de>, T: DeserializeOwned>(input: D) -> Result<Option<T>, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(input)?).ok())
}

/// The entries that are of this type; none when it is no list.
pub(crate) fn readable_entries<'de, D: Deserializer<'de>, T: DeserializeOwned>(input: D) -> Result<Vec<T>, D::Error> {
    let Value::Array(entries) = Value::deserialize(input)? else { return Ok(Vec::new()) };
    Ok(entries.into_iter().filter_map(|entry| serde_json::from_value(entry).ok()).collect())
}

/// The text without spaces around it; `None` when it is empty or no text.
pub(crate) fn text<'de, D: Deserializer<'de>>(input: D) -> Result<Option<String>, D::Error> {
    let text: Option<String> = readable(input)?;
    Ok(text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()))
}

/// A date as `1999-10-15`; `None` when it is missing, null, `""` or no date.
pub(crate) fn date<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Date>, D::Error> {
    Ok(text(input)?.and_then(|text| text.parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Entry {
        #[serde(default, deserialize_with = "date")]
        date: Option<Date>,
        #[serde(default, deserialize_with = "readable_entries")]
        numbers: Vec<u32>,
    }

    fn read(json: &str) -> Entry {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn a_date_that_is_none_is_no_date() {
        for json in ["{}", r#"{"date":null}"#, r#"{"date":""}"#, r#"{"date":"soon"}"#, r#"{"date":1999}"#] {
            assert_eq!(read(json).date, None, "{json}");
        }
        assert_eq!(read(r#"{"date":"1999-10-15"}"#).date.unwrap().year(), 1999);
    }

    #[test]
    fn one_unreadable_entry_does_not_spoil_a_list() {
        assert_eq!(read(r#"{"numbers":[1,"two",null,4]}"#).numbers, [1, 4]);
        for json in ["{}", r#"{"numbers":null}"#, r#"{"numbers":{"a":1}}"#] {
            assert!(read(json).numbers.is_empty(), "{json}");
        }
    }
}
