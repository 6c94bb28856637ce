//! One-way references to releases.
//!
//! A release's guid orders its download for whoever holds it, and many guids are signed links. So none leaves this server: answers carry
//! a digest, and whoever wants the release searches again and finds the guid whose digest it is.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

const OPENING: &str = "[REDACTED release sha256:";

/// A reference to a release: `[REDACTED release sha256:` and 16 lower-case hexadecimal digits and `]`, the first eight bytes of the guid's
/// SHA-256. It tells releases apart and proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ReleaseReference([u8; 8]);

impl ReleaseReference {
    /// The reference to the release of this guid, taken over its exact bytes.
    pub fn of(guid: &str) -> Self {
        let digest = Sha256::digest(guid.as_bytes());
        let mut first = [0; 8];
        first.copy_from_slice(&digest[..8]);
        Self(first)
    }

    /// Reads a reference; `None` for upper case, other lengths, blanks around it and raw guids.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(OPENING)?.strip_suffix(']')?;
        if digits.len() != 16 || !digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')) {
            return None;
        }
        let digest = u64::from_str_radix(digits, 16).ok()?;
        Some(Self(digest.to_be_bytes()))
    }
}

impl fmt::Display for ReleaseReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{OPENING}{:016x}]", u64::from_be_bytes(self.0))
    }
}

impl From<ReleaseReference> for String {
    fn from(reference: ReleaseReference) -> String {
        reference.to_string()
    }
}

impl TryFrom<String> for ReleaseReference {
    type Error = MalformedReference;

    fn try_from(text: String) -> Result<Self, MalformedReference> {
        Self::parse(&text).ok_or(MalformedReference)
    }
}

/// A text that is no reference to a release. Does not repeat the text, which may be a guid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is no reference to a release; pass `reference` exactly as search_releases answered it")]
pub struct MalformedReference;

/// The text with each of these guids replaced by its reference; where one guid begins another, the longer one is meant.
pub fn scrub(text: &str, guids: &[impl AsRef<str>]) -> String {
    let guids: Vec<&str> = guids.iter().map(AsRef::as_ref).filter(|guid| !guid.is_empty()).collect();
    let mut scrubbed = String::with_capacity(text.len());
    let mut rest = text;
    // One pass, so that nothing is replaced inside a reference that was just put in.
    while let Some((at, guid)) = guids
        .iter()
        .filter_map(|guid| Some((rest.find(guid)?, *guid)))
        .min_by_key(|(at, guid)| (*at, std::cmp::Reverse(guid.len())))
    {
        scrubbed.push_str(&rest[..at]);
        scrubbed.push_str(&ReleaseReference::of(guid).to_string());
        rest = &rest[at + guid.len()..];
    }
    scrubbed + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUID: &str = "https://indexer.example.org/getnzb/1234?apikey=secret";

    #[test]
    fn a_reference_is_the_first_eight_bytes_of_the_guids_digest() {
        // The first bytes of SHA-256 over "abc", FIPS 180-2 appendix B.1.
        assert_eq!(ReleaseReference::of("abc").to_string(), "[REDACTED release sha256:ba7816bf8f01cfea]");
        assert_eq!(ReleaseReference::parse(&ReleaseReference::of(GUID).to_string()), Some(ReleaseReference::of(GUID)));
    }

    #[test]
    fn anything_else_is_no_reference() {
        for text in [
            "[REDACTED release sha256:BA7816BF8F01CFEA]",
            "[REDACTED release sha256:ba7816bf8f01cfe]",
            "[REDACTED release sha256:ba7816bf8f01cfea0]",
            " [REDACTED release sha256:ba7816bf8f01cfea]",
            "[REDACTED release sha256:ba7816bf8f01cfea]\n",
            "[REDACTED release sha256:+a7816bf8f01cfea]",
            "ba7816bf8f01cfea",
            GUID,
            "",
        ] {
            assert_eq!(ReleaseReference::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_guid_that_occurs_in_the_reference_text_itself_spoils_no_reference() {
        assert_eq!(
            scrub("sha256 abc", &["abc", "sha256"]),
            format!("{} {}", ReleaseReference::of("sha256"), ReleaseReference::of("abc"))
        );
    }

    #[test]
    fn guids_are_replaced_wherever_they_occur_and_the_longest_first() {
        let guids = ["abc", "abc-def"];
        let scrubbed = scrub("abc-def beats abc", &guids);

        assert_eq!(scrubbed, format!("{} beats {}", ReleaseReference::of("abc-def"), ReleaseReference::of("abc")));
    }
}
