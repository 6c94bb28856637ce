//! A language, as catalogues name it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A language with or without a region: `en`, `en-US`, `es-419`. Catalogues fall back to English where they do not know one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Language(String);

/// The text is not a language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a language is written like `en` or `en-US`")]
pub struct MalformedLanguage;

impl Language {
    /// English of the United States, which catalogues know best.
    pub fn american_english() -> Self {
        Self("en-US".to_owned())
    }

    /// The text: `en-US`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The language without its region: `en`.
    pub fn primary(&self) -> &str {
        &self.0[..2]
    }
}

impl FromStr for Language {
    type Err = MalformedLanguage;

    /// Takes any case and `_` for `-`: `en_us` is what many systems write.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim().replace('_', "-");
        let (primary, region) = match text.split_once('-') {
            Some((primary, region)) => (primary, Some(region)),
            None => (&*text, None),
        };
        let primary_fits = primary.len() == 2 && primary.bytes().all(|byte| byte.is_ascii_alphabetic());
        let region_fits = region.is_none_or(|region| {
            (2..=4).contains(&region.len()) && region.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        if !primary_fits || !region_fits {
            return Err(MalformedLanguage);
        }
        let primary = primary.to_ascii_lowercase();
        Ok(Self(region.map_or(primary.clone(), |region| format!("{primary}-{}", region.to_ascii_uppercase()))))
    }
}

impl TryFrom<String> for Language {
    type Error = MalformedLanguage;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Language> for String {
    fn from(language: Language) -> Self {
        language.0
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_written_one_way() {
        for (text, written) in [("en", "en"), ("EN-us", "en-US"), ("pt_BR", "pt-BR"), (" es-419 ", "es-419")] {
            let language: Language = text.parse().unwrap();
            assert_eq!((language.as_str(), language.primary()), (written, &written[..2]));
        }
        for text in ["", "e", "eng", "english", "en-", "en-U", "en-US-x", "é", "en-ÜS", "1n"] {
            assert_eq!(text.parse::<Language>(), Err(MalformedLanguage), "{text}");
        }
    }
}
