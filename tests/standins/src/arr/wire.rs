//! How values are written, the same in all four applications.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

/// What stands for "never".
pub(crate) const YEAR_ONE: &str = "0001-01-01T00:00:00Z";

/// UTC, to the second.
pub(crate) fn date(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// `[d.]hh:mm:ss`: days are there only when there are any, and a dot after them.
pub(crate) fn span(length: Duration) -> String {
    let seconds = length.as_secs();
    let (days, hours, minutes, seconds) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let clock = format!("{hours:02}:{minutes:02}:{seconds:02}");
    if days == 0 { clock } else { format!("{days}.{clock}") }
}

/// Leaves out what is null, at every depth: the applications never write it.
pub(crate) fn resource(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(name, value)| (name, resource(value))).collect::<Map<_, _>>())
        }
        Value::Array(entries) => Value::Array(entries.into_iter().map(resource).collect()),
        other => other,
    }
}

/// As titles are sorted: lower case, without the article.
pub(crate) fn sort_title(title: &str) -> String {
    let lower = title.to_lowercase();
    ["the ", "a ", "an "].iter().find_map(|article| lower.strip_prefix(article)).unwrap_or(&lower).to_owned()
}

/// As releases and slugs write titles: letters and digits, joined.
pub(crate) fn joined(title: &str, with: char) -> String {
    let mut words = String::new();
    for word in title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if !words.is_empty() {
            words.push(with);
        }
        words.push_str(word);
    }
    words
}

/// A picture on a host that does not exist.
pub(crate) fn images(id: u32, cover: &str) -> Value {
    json!([{ "coverType": cover, "url": format!("/MediaCover/{id}/{cover}.jpg"),
        "remoteUrl": format!("https://images.example.org/{cover}/{id}.jpg") }])
}

/// A number that says nothing and stays the same: as download and queue ids look.
pub(crate) fn hash(text: &str) -> u64 {
    // FNV-1a: enough to tell texts apart, and nobody's dependency.
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_followed_by_a_dot() {
        assert_eq!(span(Duration::from_secs(93_784)), "1.02:03:04");
        assert_eq!(span(Duration::from_secs(59)), "00:00:59");
    }

    #[test]
    fn what_is_null_is_left_out_at_every_depth() {
        assert_eq!(resource(json!({ "a": null, "b": [{ "c": null, "d": 1 }] })), json!({ "b": [{ "d": 1 }] }));
    }
}
