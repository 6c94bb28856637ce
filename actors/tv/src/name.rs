//! The name by which people and assistants call a TV.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

/// A TV's name within its house, such as `living-room`: 1 to 32 of `a`–`z`, `0`–`9` and `-`, not starting with `-`.
///
/// The seed calls it the device id. It may change (renaming); what stays the same is the TV's `TvId`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct DeviceName(String);

/// The rule of [`DeviceName`] as a regular expression, for schemas and pages.
pub const DEVICE_NAME_PATTERN: &str = "^[a-z0-9][a-z0-9-]{0,31}$";

const MAX_LENGTH: usize = 32;

impl DeviceName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Names for a TV that was given none, best first and without end: `living-room`, `tv-2`, `tv-3` …
    pub fn defaults() -> impl Iterator<Item = DeviceName> {
        let first = std::iter::once("living-room".to_owned());
        first.chain((2_u64..).map(|n| format!("tv-{n}"))).map(DeviceName)
    }
}

/// Why a text is no device name. The words are for whoever typed it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceNameFault {
    /// Nothing was given.
    #[error("a TV needs a name, for example `living-room`")]
    Empty,
    /// Too long, or characters outside the rule. Carries the nearest name that would do, when there is one.
    #[error(
        "a TV name is 1 to 32 of a-z, 0-9 and `-`, starting with a letter or a digit{}",
        .suggestion.as_ref().map(|name| format!("; `{name}` would do")).unwrap_or_default()
    )]
    OutsideRule {
        /// The text made to fit the rule.
        suggestion: Option<DeviceName>,
    },
}

impl FromStr for DeviceName {
    type Err = DeviceNameFault;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.is_empty() {
            return Err(DeviceNameFault::Empty);
        }
        if follows_rule(text) {
            return Ok(DeviceName(text.to_owned()));
        }
        Err(DeviceNameFault::OutsideRule { suggestion: nearest(text) })
    }
}

fn follows_rule(text: &str) -> bool {
    text.len() <= MAX_LENGTH
        && !text.starts_with('-')
        && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

/// `Living Room!` becomes `living-room`; a text without a usable character becomes nothing.
fn nearest(text: &str) -> Option<DeviceName> {
    let mut name = String::new();
    for character in text.chars() {
        match character.to_ascii_lowercase() {
            kept @ ('a'..='z' | '0'..='9') => name.push(kept),
            _ if name.is_empty() || name.ends_with('-') => {}
            _ => name.push('-'),
        }
        if name.len() == MAX_LENGTH {
            break;
        }
    }
    let name = name.trim_end_matches('-');
    follows_rule(name).then(|| name.to_owned()).filter(|name| !name.is_empty()).map(DeviceName)
}

impl fmt::Display for DeviceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for DeviceName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for DeviceName {
    fn schema_name() -> Cow<'static, str> {
        "DeviceName".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": DEVICE_NAME_PATTERN })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_within_the_rule_are_kept_as_they_are() {
        for text in ["living-room", "a", "0", "tv-2", "bedroom-", "a--b", &"x".repeat(32)] {
            assert_eq!(text.parse::<DeviceName>().unwrap().as_str(), text);
        }
    }

    #[test]
    fn names_outside_the_rule_come_back_with_one_that_would_do() {
        let cases = [
            ("Living Room", Some("living-room")),
            (" living-room", Some("living-room")),
            ("-tv", Some("tv")),
            ("TV", Some("tv")),
            ("Küche", Some("k-che")),
            ("dad's tv!!", Some("dad-s-tv")),
            ("../../etc", Some("etc")),
            ("居間", None),
            ("---", None),
            ("\u{0}", None),
        ];
        for (text, suggested) in cases {
            let Err(DeviceNameFault::OutsideRule { suggestion }) = text.parse::<DeviceName>() else {
                panic!("`{text}` was taken or refused for another reason")
            };
            assert_eq!(suggestion.as_ref().map(DeviceName::as_str), suggested, "{text}");
        }
    }

    #[test]
    fn a_name_of_33_characters_is_refused() {
        assert!("x".repeat(33).parse::<DeviceName>().is_err());
    }

    #[test]
    fn an_empty_name_is_asked_for() {
        assert_eq!("".parse::<DeviceName>(), Err(DeviceNameFault::Empty));
    }

    #[test]
    fn a_stored_name_is_checked_again() {
        assert!(serde_json::from_str::<DeviceName>(r#""living-room""#).is_ok());
        assert!(serde_json::from_str::<DeviceName>(r#""Living Room""#).is_err());
    }

    #[test]
    fn default_names_go_on_without_end() {
        let names: Vec<String> = DeviceName::defaults().take(4).map(|name| name.to_string()).collect();
        assert_eq!(names, ["living-room", "tv-2", "tv-3", "tv-4"]);
    }

    proptest! {
        #[test]
        fn every_suggestion_is_itself_a_name(text in "\\PC{0,60}") {
            if let Err(DeviceNameFault::OutsideRule { suggestion: Some(name) }) = text.parse::<DeviceName>() {
                prop_assert!(follows_rule(name.as_str()) && !name.as_str().is_empty());
            }
        }
    }
}
