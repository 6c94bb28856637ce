//! Indexers, download clients, import lists and notifications, without anything secret.

use std::fmt;

use serde::de::MapAccess;
use serde::{Deserialize, Serialize};

use super::lenient::{Lenient, resource};

resource! {
    /// An indexer, a download client, an import list or a notification.
    pub Provider {
        /// The instance's own.
        id: i64,
        /// As people named it.
        name: Option<String>,
        /// `Torznab`, `QBittorrent`.
        implementation: Option<String>,
        /// `usenet`, `torrent`; a class name in plug-in builds of Lidarr.
        protocol: Option<String>,
        /// Download clients.
        enable: Option<bool>,
        /// 1 is the first.
        priority: Option<i64>,
        /// Indexers.
        enable_rss: Option<bool>,
        /// Indexers.
        enable_automatic_search: Option<bool>,
        /// Indexers.
        enable_interactive_search: Option<bool>,
        /// The rest of its settings; secret ones have no value here.
        fields: Vec<ProviderField>,
        /// The instance's own.
        tags: Vec<i64>,
    }
}

/// One setting of a provider. The value of one that is or may be secret is dropped while it is read: one of the four services answers them in
/// clear.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProviderField {
    /// `seedCriteria.seedRatio`.
    pub name: String,
    /// `None` also where it is secret.
    pub value: Option<FieldValue>,
}

/// What a setting of a provider is. Lists and objects are not read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FieldValue {
    /// On or off.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}

impl fmt::Display for FieldValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldValue::Flag(flag) => write!(f, "{flag}"),
            FieldValue::Number(number) => write!(f, "{number}"),
            FieldValue::Text(text) => f.write_str(text),
        }
    }
}

impl Lenient for FieldValue {
    fn of_bool(value: bool) -> Option<Self> {
        Some(FieldValue::Flag(value))
    }

    fn of_integer(value: i64) -> Option<Self> {
        Some(FieldValue::Number(value as f64))
    }

    fn of_float(value: f64) -> Option<Self> {
        Some(FieldValue::Number(value))
    }

    fn of_text(text: &str) -> Option<Self> {
        Some(FieldValue::Text(text.to_owned()))
    }
}

resource! {
    /// A setting as it is written.
    WireField {
        /// Which.
        name: Option<String>,
        /// What it is set to.
        value: Option<FieldValue>,
        /// `normal`, `password`, `apiKey`, `userName`.
        privacy: Option<String>,
        /// `textbox`, `password` …
        r#type: Option<String>,
    }
}

impl Lenient for ProviderField {
    fn of_object<'de, A: MapAccess<'de>>(object: A) -> Result<Option<Self>, A::Error> {
        let Some(WireField { name: Some(name), value, privacy, r#type }) = WireField::of_object(object)? else {
            return Ok(None);
        };
        let is_private = privacy.is_some_and(|privacy| !privacy.eq_ignore_ascii_case("normal"))
            || r#type.is_some_and(|kind| kind.eq_ignore_ascii_case("password"))
            || names_a_secret(&name);
        Ok(Some(Self { name, value: value.filter(|_| !is_private) }))
    }
}

/// Whether a setting of this name may be secret, whatever it says of its privacy.
fn names_a_secret(name: &str) -> bool {
    const MARKS: [&str; 9] = ["key", "pass", "token", "cookie", "secret", "user", "auth", "captcha", "url"];
    let name = name.to_ascii_lowercase();
    MARKS.iter().any(|mark| name.contains(mark))
}

resource! {
    /// What the test of one provider found.
    pub ProviderTest {
        /// The provider's.
        id: i64,
        /// Whether it may be used.
        is_valid: Option<bool>,
        /// What is wrong with it.
        validation_failures: Vec<ProviderFault>,
    }
}

resource! {
    /// One thing that is wrong with a provider.
    pub ProviderFault {
        /// Which setting.
        property_name: Option<String>,
        /// What is wrong with it.
        error_message: Option<String>,
        /// Whether it may be used all the same.
        is_warning: Option<bool>,
        /// `error`, `warning`, `info`.
        severity: Option<String>,
    }
}
