//! A title's id at IMDb.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A title's id at IMDb: `tt0133093`. It goes into addresses and links, so nothing else fits into it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ImdbId(String);

/// The text is not the id of a title.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an IMDb id is `tt` and digits, such as `tt0133093`")]
pub struct MalformedImdbId;

impl ImdbId {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ImdbId {
    type Err = MalformedImdbId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let digits = text.strip_prefix("tt").ok_or(MalformedImdbId)?;
        if !(5..=12).contains(&digits.len()) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(MalformedImdbId);
        }
        Ok(Self(text.to_owned()))
    }
}

impl TryFrom<String> for ImdbId {
    type Error = MalformedImdbId;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<ImdbId> for String {
    fn from(id: ImdbId) -> Self {
        id.0
    }
}

impl fmt::Display for ImdbId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_of_titles_fit() {
        assert_eq!(" tt0133093 ".parse::<ImdbId>().unwrap().as_str(), "tt0133093");
        for text in ["", "tt", "tt12", "nm0000206", "TT0133093", "tt0133093/../x", "tt01330๙3", "0133093"] {
            assert_eq!(text.parse::<ImdbId>(), Err(MalformedImdbId), "{text}");
        }
    }
}
