//! The text of a key: how it is made and how a presented one is read.
//!
//! `ph_<id>_<secret><check>` for access keys and `pht_<id>_<secret><check>` for TV tokens: ten characters of id, 43 of secret
//! (base 62, drawn evenly: 256 bits) and 6 of CRC-32 (base 62) over all that stands before it. The id lets one record be found and
//! shown in lists and logs; the check sum catches typing errors without a look-up and lets secret scanners recognise a key.

use std::fmt;

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::ids::CredentialId;

const BASE_62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH: usize = 43;
const CHECK_LENGTH: usize = 6;

/// Which family of credentials a key's text belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyPrefix {
    /// `ph`: an access key of an account.
    Access,
    /// `pht`: a token for one TV, the assistant's or the bridge's.
    Tv,
}

impl KeyPrefix {
    /// The letters before the first underscore. They never change once keys are out.
    pub const fn as_str(self) -> &'static str {
        match self {
            KeyPrefix::Access => "ph",
            KeyPrefix::Tv => "pht",
        }
    }
}

/// The text of a new key, in the clear. Shown once and never stored; `Debug` prints only the type's name.
///
/// It serialises in the clear because the reply that makes a key has to carry it; no record ever holds one.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Zeroize, ZeroizeOnDrop)]
#[serde(transparent)]
pub struct PlainKey(String);

impl PlainKey {
    /// Draws the secret of a new key with `id`; answers the text and the hash to store.
    pub fn draw(prefix: KeyPrefix, id: CredentialId, rng: &mut impl Rng) -> (PlainKey, [u8; 32]) {
        let mut text = String::with_capacity(3 + 2 + CredentialId::LENGTH + SECRET_LENGTH + CHECK_LENGTH);
        text.push_str(prefix.as_str());
        text.push('_');
        text.push_str(id.as_str());
        text.push('_');
        let secret_at = text.len();
        for _ in 0..SECRET_LENGTH {
            text.push(char::from(BASE_62[rng.random_range(0..BASE_62.len())]));
        }
        let hash = hash_of(&text[secret_at..]);
        let check = check_sum(&text);
        text.extend(check.iter().copied().map(char::from));
        (PlainKey(text), hash)
    }

    /// The key itself. Call it only where the key is handed to the person it was made for.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PlainKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PlainKey")
    }
}

/// The text is no key of ours: wrong prefix, length, alphabet or check sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a key: keys start with `ph_` or `pht_` and end in a check sum")]
pub struct MalformedKey;

/// A presented key whose shape and check sum are right. Whether it opens anything is for the key ring to say.
pub struct KeyText {
    /// Which family it claims to be of.
    pub prefix: KeyPrefix,
    /// Which credential it claims to be.
    pub id: CredentialId,
    /// SHA-256 of the secret that was presented.
    pub secret_hash: [u8; 32],
}

impl KeyText {
    /// Reads a presented key. No look-up, no allocation; the secret itself is not kept.
    ///
    /// # Errors
    /// [`MalformedKey`] when shape, alphabet or check sum are off.
    pub fn parse(text: &str) -> Result<Self, MalformedKey> {
        let (prefix, rest) = match text.strip_prefix("pht_") {
            Some(rest) => (KeyPrefix::Tv, rest),
            None => (KeyPrefix::Access, text.strip_prefix("ph_").ok_or(MalformedKey)?),
        };
        // Only ASCII may be sliced by position below.
        if !rest.is_ascii() || rest.len() != CredentialId::LENGTH + 1 + SECRET_LENGTH + CHECK_LENGTH {
            return Err(MalformedKey);
        }
        let (id, tail) = rest.split_at(CredentialId::LENGTH);
        let tail = tail.strip_prefix('_').ok_or(MalformedKey)?;
        let (secret, check) = tail.split_at(SECRET_LENGTH);
        if check.as_bytes() != check_sum(&text[..text.len() - CHECK_LENGTH]) {
            return Err(MalformedKey);
        }
        let id = id.parse().map_err(|_| MalformedKey)?;
        Ok(Self { prefix, id, secret_hash: hash_of(secret) })
    }
}

fn hash_of(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// CRC-32 of `text` as six characters of base 62 (62^6 is above 2^32).
fn check_sum(text: &str) -> [u8; CHECK_LENGTH] {
    let mut rest = crc32fast::hash(text.as_bytes()) as usize;
    let mut check = [b'0'; CHECK_LENGTH];
    for place in check.iter_mut().rev() {
        *place = BASE_62[rest % BASE_62.len()];
        rest /= BASE_62.len();
    }
    check
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn drawn(prefix: KeyPrefix) -> (PlainKey, CredentialId, [u8; 32]) {
        let mut rng = rand::rng();
        let id = CredentialId::draw(&mut rng);
        let (key, hash) = PlainKey::draw(prefix, id, &mut rng);
        (key, id, hash)
    }

    #[test]
    fn a_new_key_reads_back_as_itself() {
        for prefix in [KeyPrefix::Access, KeyPrefix::Tv] {
            let (key, id, hash) = drawn(prefix);
            let read = KeyText::parse(key.reveal()).unwrap();
            assert_eq!((read.prefix, read.id, read.secret_hash), (prefix, id, hash));
        }
    }

    #[test]
    fn an_access_key_has_the_documented_shape() {
        let (key, id, _) = drawn(KeyPrefix::Access);
        assert_eq!(key.reveal().len(), "ph_".len() + 10 + 1 + 43 + 6);
        assert!(key.reveal().starts_with(&format!("ph_{id}_")));
    }

    #[test]
    fn one_wrong_character_is_caught_by_the_check_sum() {
        let (key, _, _) = drawn(KeyPrefix::Access);
        for place in 0..key.reveal().len() {
            let mut typed = key.reveal().as_bytes().to_vec();
            typed[place] = if typed[place] == b'7' { b'8' } else { b'7' };
            let typed = String::from_utf8(typed).unwrap();
            assert!(KeyText::parse(&typed).is_err(), "changed at {place}");
        }
    }

    #[test]
    fn debug_does_not_print_a_key() {
        let (key, _, _) = drawn(KeyPrefix::Access);
        assert_eq!(format!("{key:?}"), "PlainKey");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,80}") {
            let _ = KeyText::parse(&text);
        }

        #[test]
        fn text_that_looks_like_a_key_is_read_or_refused(text in "pht?_[0-9a-zé]{8,12}_[0-9A-Za-zé]{45,52}") {
            let _ = KeyText::parse(&text);
        }
    }
}
