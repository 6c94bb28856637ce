//! The name of bytes: their SHA-256.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The SHA-256 of a file's bytes. Written as 64 lower-case hexadecimal digits; read in either case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

/// A text that is no SHA-256.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a sha256 is 64 hexadecimal digits")]
pub struct NotAHash;

impl ContentHash {
    /// The hash with these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The two digits that name the folder in which the file lies.
    pub(super) fn folder(self) -> String {
        format!("{:02x}", self.0[0])
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ContentHash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Checked first: `from_str_radix` would take a sign, and slicing would panic within a character.
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(NotAHash);
        }
        let mut bytes = [0; 32];
        for (byte, place) in bytes.iter_mut().zip((0..).step_by(2)) {
            *byte = u8::from_str_radix(&text[place..place + 2], 16).map_err(|_| NotAHash)?;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for ContentHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ContentHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_survives_its_digits_in_either_case() {
        let hash = ContentHash::from_bytes(std::array::from_fn(|place| place as u8 * 7));
        assert_eq!(hash.to_string().parse(), Ok(hash));
        assert_eq!(hash.to_string().to_uppercase().parse(), Ok(hash));
        assert_eq!(hash.folder(), "00");
    }

    #[test]
    fn what_is_not_64_digits_is_no_hash() {
        for text in ["", "ab", &"g".repeat(64), &"+1".repeat(32), &"é".repeat(32), &"a".repeat(65)] {
            assert_eq!(text.parse::<ContentHash>(), Err(NotAHash), "{text}");
        }
    }
}
