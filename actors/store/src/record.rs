//! Typed records: a small envelope round a JSON body.
//!
//! ```text
//! 0xB1 | format: u16 | CRC-32: u32 | length of kind: u8 | kind | JSON body        (numbers big-endian)
//! ```
//! The check sum covers everything but itself, so a body that was cut, changed or put under another kind is found.

use bytes::{BufMut, Bytes, BytesMut};
use serde::{Serialize, de::DeserializeOwned};

/// First byte of every envelope. No UTF-8 text starts with it, so a bare JSON value is never taken for a record.
const MARK: u8 = 0xB1;
const HEADER_BYTES: usize = 1 + 2 + 4 + 1;

/// Something that is stored under a key.
///
/// Adding an optional field keeps `FORMAT`. Any change an older program would misread or drop raises it, and the type
/// then reads the older formats too (an enum over old bodies or serde defaults).
pub trait Record: Serialize + DeserializeOwned {
    /// The newest format this program writes and reads, from 1.
    const FORMAT: u16;
    /// What the record is, such as `tv`; at most 255 bytes. It never changes.
    const KIND: &'static str;
}

/// A kind of record and the newest format of it that this program reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownKind {
    /// The kind.
    pub kind: &'static str,
    /// The newest format.
    pub newest_format: u16,
}

impl KnownKind {
    /// What this program knows of `R`.
    pub const fn of<R: Record>() -> Self {
        Self { kind: R::KIND, newest_format: R::FORMAT }
    }
}

/// Why bytes are no record of the wanted type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Not an envelope, or one that was cut.
    #[error("the stored bytes are no record")]
    NotARecord,
    /// The check sum does not match.
    #[error("the stored record is damaged: its check sum does not match")]
    Damaged,
    /// Another kind of record lies there.
    #[error("a record of kind `{found}` lies where `{wanted}` was expected")]
    OtherKind {
        /// The kind asked for.
        wanted: &'static str,
        /// The kind found.
        found: String,
    },
    /// Written by a newer program.
    #[error(
        "a `{kind}` record has format {found}, and this program knows formats up to {newest}; run the newer playhouse"
    )]
    NewerFormat {
        /// Which kind.
        kind: &'static str,
        /// The stored format.
        found: u16,
        /// The newest format this program knows.
        newest: u16,
    },
    /// The body is not what the type reads.
    #[error("a `{kind}` record cannot be read: {cause}")]
    Body {
        /// Which kind.
        kind: &'static str,
        /// What serde says.
        cause: String,
    },
    /// The value cannot be written as JSON (a map with keys that are no strings, or its own `Serialize` failed).
    #[error("a `{kind}` record cannot be written: {cause}")]
    Unwritable {
        /// Which kind.
        kind: &'static str,
        /// What serde says.
        cause: String,
    },
}

/// An envelope taken apart, its check sum verified, its body not read yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// The stored kind.
    pub kind: &'a str,
    /// The stored format.
    pub format: u16,
    /// The JSON body, not parsed.
    pub body: &'a [u8],
}

impl<'a> Envelope<'a> {
    /// Takes stored bytes apart. Never panics, whatever they are.
    pub fn open(bytes: &'a [u8]) -> Result<Self, RecordError> {
        let (header, rest) = bytes.split_first_chunk::<HEADER_BYTES>().ok_or(RecordError::NotARecord)?;
        let [mark, format_high, format_low, sum @ .., kind_bytes] = *header;
        if mark != MARK {
            return Err(RecordError::NotARecord);
        }
        let format = u16::from_be_bytes([format_high, format_low]);
        let (kind, body) = rest.split_at_checked(usize::from(kind_bytes)).ok_or(RecordError::NotARecord)?;
        let kind = std::str::from_utf8(kind).map_err(|_| RecordError::Damaged)?;
        let envelope = Envelope { kind, format, body };
        if envelope.check_sum() != u32::from_be_bytes(sum) {
            return Err(RecordError::Damaged);
        }
        Ok(envelope)
    }

    /// The stored bytes; [`Envelope::open`] turned round. `None` when the kind is longer than 255 bytes.
    pub fn seal(&self) -> Option<Bytes> {
        let kind_bytes = u8::try_from(self.kind.len()).ok()?;
        let mut bytes = BytesMut::with_capacity(HEADER_BYTES + self.kind.len() + self.body.len());
        bytes.put_u8(MARK);
        bytes.put_u16(self.format);
        bytes.put_u32(self.check_sum());
        bytes.put_u8(kind_bytes);
        bytes.put_slice(self.kind.as_bytes());
        bytes.put_slice(self.body);
        Some(bytes.freeze())
    }

    fn check_sum(&self) -> u32 {
        let mut sum = crc32fast::Hasher::new();
        sum.update(&self.format.to_be_bytes());
        // The length parts kind and body: without it `("ab", "c")` and `("a", "bc")` would have the same sum.
        sum.update(&(self.kind.len() as u64).to_be_bytes());
        sum.update(self.kind.as_bytes());
        sum.update(self.body);
        sum.finalize()
    }
}

/// The bytes to store for a record.
pub fn encode<R: Record>(record: &R) -> Result<Bytes, RecordError> {
    const { assert!(R::KIND.len() <= 255, "a kind has at most 255 bytes") };
    let unwritable = |cause: String| RecordError::Unwritable { kind: R::KIND, cause };
    let body = serde_json::to_vec(record).map_err(|error| unwritable(error.to_string()))?;
    let envelope = Envelope { kind: R::KIND, format: R::FORMAT, body: &body };
    envelope.seal().ok_or_else(|| unwritable("its kind is too long".to_owned()))
}

/// Reads a stored record, verified. A newer format than [`Record::FORMAT`] is refused rather than guessed at.
pub fn decode<R: Record>(bytes: &[u8]) -> Result<R, RecordError> {
    let envelope = Envelope::open(bytes)?;
    if envelope.kind != R::KIND {
        return Err(RecordError::OtherKind { wanted: R::KIND, found: envelope.kind.to_owned() });
    }
    if envelope.format > R::FORMAT {
        return Err(RecordError::NewerFormat { kind: R::KIND, found: envelope.format, newest: R::FORMAT });
    }
    serde_json::from_slice(envelope.body).map_err(|error| RecordError::Body { kind: R::KIND, cause: error.to_string() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Tv {
        name: String,
        volume: Option<u8>,
    }

    impl Record for Tv {
        const FORMAT: u16 = 2;
        const KIND: &'static str = "tv";
    }

    fn sealed(kind: &str, format: u16, body: &str) -> Bytes {
        Envelope { kind, format, body: body.as_bytes() }.seal().unwrap()
    }

    #[test]
    fn other_kinds_newer_formats_and_other_bodies_are_told_apart() {
        let body = r#"{"name":"den","volume":null}"#;
        let other_kind = RecordError::OtherKind { wanted: "tv", found: "key".to_owned() };
        assert_eq!(decode::<Tv>(&sealed("key", 1, body)), Err(other_kind));
        let newer = RecordError::NewerFormat { kind: "tv", found: 3, newest: 2 };
        assert_eq!(decode::<Tv>(&sealed("tv", 3, body)), Err(newer));
        assert!(matches!(decode::<Tv>(&sealed("tv", 1, "{}")), Err(RecordError::Body { .. })));
        assert_eq!(decode::<Tv>(&sealed("tv", 1, body)), Ok(Tv { name: "den".to_owned(), volume: None }));
        assert_eq!(decode::<Tv>(body.as_bytes()), Err(RecordError::NotARecord));
    }

    #[test]
    fn a_kind_that_does_not_fit_is_not_sealed() {
        assert_eq!(Envelope { kind: &"k".repeat(256), format: 1, body: b"" }.seal(), None);
    }

    proptest! {
        #[test]
        fn what_was_encoded_is_decoded(name in any::<String>(), volume in any::<Option<u8>>()) {
            let tv = Tv { name, volume };
            prop_assert_eq!(decode::<Tv>(&encode(&tv).unwrap()), Ok(tv));
        }

        #[test]
        fn no_bytes_make_decoding_panic(bytes in any::<Vec<u8>>()) {
            prop_assert!(decode::<Tv>(&bytes).is_err());
        }

        #[test]
        fn bytes_behind_a_mark_do_not_either(mut bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            bytes.insert(0, MARK);
            prop_assert!(decode::<Tv>(&bytes).is_err());
        }

        #[test]
        fn an_envelope_opens_to_what_was_sealed(kind in ".{0,60}", format in any::<u16>(), body in any::<Vec<u8>>()) {
            let envelope = Envelope { kind: &kind, format, body: &body };
            let bytes = envelope.seal().unwrap();
            prop_assert_eq!(Envelope::open(&bytes), Ok(envelope));
        }

        #[test]
        fn one_changed_or_missing_byte_is_noticed(name in any::<String>(), at in any::<prop::sample::Index>(), by in 1u8..) {
            let good = encode(&Tv { name, volume: Some(1) }).unwrap();
            let mut changed = good.to_vec();
            changed[at.index(good.len())] ^= by;
            prop_assert!(decode::<Tv>(&changed).is_err());
            prop_assert!(decode::<Tv>(&good[..at.index(good.len())]).is_err());
        }
    }
}
