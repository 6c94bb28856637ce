//! A country, as catalogues name it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A country by its two letters (ISO 3166-1 alpha-2), upper case. Whether a country of this name exists is the catalogue's to say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Country([u8; 2]);

/// The text is not a country.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a country is two letters, such as `US` or `FR`")]
pub struct MalformedCountry;

impl Country {
    /// The two letters.
    pub fn as_str(&self) -> &str {
        // Only ASCII letters are ever stored.
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl FromStr for Country {
    type Err = MalformedCountry;

    /// Takes lower case, too, and spaces around it: people write `us`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match *text.trim().as_bytes() {
            [first, second] if first.is_ascii_alphabetic() && second.is_ascii_alphabetic() => {
                Ok(Self([first.to_ascii_uppercase(), second.to_ascii_uppercase()]))
            }
            _ => Err(MalformedCountry),
        }
    }
}

impl TryFrom<String> for Country {
    type Error = MalformedCountry;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Country> for String {
    fn from(country: Country) -> Self {
        country.as_str().to_owned()
    }
}

impl fmt::Display for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_is_two_letters_in_either_case() {
        for text in ["US", "us", " Us "] {
            assert_eq!(text.parse::<Country>().unwrap().as_str(), "US");
        }
        for text in ["", "U", "USA", "U1", "É", "u s"] {
            assert_eq!(text.parse::<Country>(), Err(MalformedCountry), "{text}");
        }
    }

    #[test]
    fn it_is_its_letters_on_the_wire() {
        let country: Country = serde_json::from_str("\"fr\"").unwrap();
        assert_eq!(serde_json::to_string(&country).unwrap(), "\"FR\"");
        assert!(serde_json::from_str::<Country>("\"France\"").is_err());
    }
}
