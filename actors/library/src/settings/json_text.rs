//! A JSON document as text, so that every number and every unknown member passes through unchanged.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Exactly one JSON document, as text. What a service stores passes through it unread: `1.0` stays `1.0`, and members this program does not
/// know stay where they are. `Debug` prints its length only.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct JsonText(String);

/// A text that is not exactly one JSON document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this is not exactly one JSON document")]
pub struct NotJson;

impl JsonText {
    /// Takes a text that is one JSON document and nothing else.
    ///
    /// # Errors
    /// [`NotJson`].
    pub fn new(text: impl Into<String>) -> Result<Self, NotJson> {
        let text = text.into();
        serde_json::from_str::<&RawValue>(&text).map_err(|_| NotJson)?;
        Ok(Self(text))
    }

    /// `null`: what stands before something that was made.
    pub fn null() -> Self {
        Self("null".to_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// How many bytes it has.
    pub fn n_bytes(&self) -> usize {
        self.0.len()
    }
}

impl fmt::Debug for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JsonText({} bytes)", self.0.len())
    }
}

impl TryFrom<String> for JsonText {
    type Error = NotJson;

    fn try_from(text: String) -> Result<Self, NotJson> {
        Self::new(text)
    }
}

impl From<JsonText> for String {
    fn from(text: JsonText) -> String {
        text.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_document_and_nothing_after_it() {
        assert_eq!(JsonText::new("{\"size\": 1.0}").map(String::from), Ok("{\"size\": 1.0}".to_owned()));
        for text in ["", "{", "{} {}", "[1],"] {
            assert_eq!(JsonText::new(text), Err(NotJson), "{text}");
        }
    }
}
