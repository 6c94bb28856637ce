//! Secrets at rest: sealed under one master key, each to its own house and record.
//!
//! XChaCha20-Poly1305 with a random nonce of 24 bytes. House and record path are associated data, so a sealed secret that is copied to
//! another record, or to another house, does not open there.

use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};
use playhouse_bus::HouseId;
use playhouse_store::Path;
use rand::Rng as _;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use zeroize::{Zeroize, Zeroizing};

const NONCE_BYTES: usize = 24;
/// The first byte of a sealed secret: how it was sealed.
const FORMAT: u8 = 1;

/// Seals and opens secrets. Cheap to clone; all clones hold one key. It prints only its name in `Debug`.
#[derive(Clone)]
pub struct Sealer {
    cipher: Arc<XChaCha20Poly1305>,
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealer")
    }
}

/// A sealed secret as it lies in a record: base 64 text in JSON. It prints only its name in `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct Sealed(Vec<u8>);

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealed")
    }
}

impl Serialize for Sealed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Sealed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        STANDARD.decode(text.as_bytes()).map(Self).map_err(|_| serde::de::Error::custom("a sealed secret is base 64"))
    }
}

/// A sealed secret does not open here: another master key, another house or record, or damage. Which of them cannot be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the stored secret cannot be opened with this instance's master key; enter it again")]
pub struct SealError;

impl Sealer {
    /// A sealer under a master key of 256 random bits. The key is wiped from the argument.
    pub fn from_master_key(mut key: [u8; 32]) -> Self {
        let cipher = Arc::new(XChaCha20Poly1305::new((&key).into()));
        key.zeroize();
        Self { cipher }
    }

    /// A sealer under a fresh key that nobody else has: what it seals opens in this process only.
    pub fn random() -> Self {
        let mut key = [0; 32];
        rand::rng().fill_bytes(&mut key);
        Self::from_master_key(key)
    }

    /// Seals `secret` to the record at `path` of `house`.
    pub fn seal(&self, house: HouseId, path: &Path, secret: &SecretString) -> Sealed {
        let mut nonce = [0; NONCE_BYTES];
        rand::rng().fill_bytes(&mut nonce);
        let payload = Payload { msg: secret.expose_secret().as_bytes(), aad: &associated(house, path) };
        let sealed = self
            .cipher
            .encrypt(&XNonce::from(nonce), payload)
            .expect("the cipher takes up to 256 GB, and a secret is in memory");
        Sealed([&[FORMAT], &nonce[..], &sealed[..]].concat())
    }

    /// Opens what was sealed to the record at `path` of `house`.
    ///
    /// # Errors
    /// [`SealError`].
    pub fn open(&self, house: HouseId, path: &Path, sealed: &Sealed) -> Result<SecretString, SealError> {
        let rest = sealed.0.strip_prefix(&[FORMAT]).ok_or(SealError)?;
        let (nonce, sealed) = rest.split_first_chunk::<NONCE_BYTES>().ok_or(SealError)?;
        let payload = Payload { msg: sealed, aad: &associated(house, path) };
        let opened = self.cipher.decrypt(&XNonce::from(*nonce), payload).map_err(|_| SealError)?;
        let opened = Zeroizing::new(opened);
        std::str::from_utf8(&opened).map(SecretString::from).map_err(|_| SealError)
    }
}

/// A house id is of fixed length, so no two pairs of house and path are the same bytes.
fn associated(house: HouseId, path: &Path) -> Vec<u8> {
    [house.as_uuid().as_bytes(), path.as_str().as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    const HOUSE: HouseId = HouseId::INSTANCE;
    const PATH: Path = Path::literal("arr");

    fn opened(sealer: &Sealer, house: HouseId, path: &Path, sealed: &Sealed) -> Result<String, SealError> {
        sealer.open(house, path, sealed).map(|secret| secret.expose_secret().to_owned())
    }

    #[test]
    fn a_secret_opens_in_its_own_record_of_its_own_house_under_its_own_key_only() {
        let sealer = Sealer::random();
        let sealed = sealer.seal(HOUSE, &PATH, &"k3y".into());
        assert_eq!(opened(&sealer, HOUSE, &PATH, &sealed).as_deref(), Ok("k3y"));
        assert_eq!(opened(&sealer, HouseId::from_uuid(Uuid::max()), &PATH, &sealed), Err(SealError));
        assert_eq!(opened(&sealer, HOUSE, &Path::literal("arr2"), &sealed), Err(SealError));
        assert_eq!(opened(&Sealer::random(), HOUSE, &PATH, &sealed), Err(SealError));
    }

    #[test]
    fn the_same_secret_is_never_sealed_the_same_way_twice() {
        let sealer = Sealer::random();
        assert_ne!(sealer.seal(HOUSE, &PATH, &"k3y".into()), sealer.seal(HOUSE, &PATH, &"k3y".into()));
    }

    #[test]
    fn neither_sealer_nor_sealed_prints_what_it_holds() {
        let sealer = Sealer::from_master_key([7; 32]);
        let sealed = sealer.seal(HOUSE, &PATH, &"k3y".into());
        assert_eq!(format!("{sealer:?} {sealed:?}"), "Sealer Sealed");
        let json = serde_json::to_string(&sealed).unwrap();
        assert!(!json.contains("k3y"));
        assert_eq!(serde_json::from_str::<Sealed>(&json).unwrap(), sealed);
    }

    proptest! {
        #[test]
        fn a_changed_byte_never_opens(at in 0usize..200, bit in 0u8..8) {
            let sealer = Sealer::from_master_key([7; 32]);
            let Sealed(mut bytes) = sealer.seal(HOUSE, &PATH, &"a secret of some length".into());
            let at = at % bytes.len();
            bytes[at] ^= 1 << bit;
            prop_assert_eq!(opened(&sealer, HOUSE, &PATH, &Sealed(bytes)), Err(SealError));
        }
    }
}
