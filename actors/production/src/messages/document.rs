//! An answer that is encoded already: what REST sends as it is.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::OfficeRefusal;

/// The body of an answer, encoded once in the actor. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Compact JSON. Always UTF-8: it is made by [`Document::of`] only.
    json: Bytes,
    /// Whether it is an object; otherwise it is an array.
    pub is_object: bool,
    /// A strong entity tag, quotes included. It depends on the bytes alone, so it says nothing about what is not in them.
    pub etag: String,
}

impl Document {
    /// Encodes an answer.
    ///
    /// # Errors
    /// 503 when it cannot be written as JSON, which no type of this crate comes to.
    pub fn of(answer: &impl Serialize) -> Result<Document, OfficeRefusal> {
        let json = serde_json::to_vec(answer).map_err(|error| {
            tracing::error!(%error, "an answer could not be written as JSON");
            OfficeRefusal::unavailable()
        })?;
        Ok(Self::from_json(json.into()))
    }

    pub(crate) fn from_json(json: Bytes) -> Document {
        use std::fmt::Write;
        let sum = Sha256::digest(&json);
        let mut etag = String::with_capacity(34);
        etag.push('"');
        for byte in &sum[..16] {
            // Writing to a string cannot fail.
            let _ = write!(etag, "{byte:02x}");
        }
        etag.push('"');
        Document { is_object: json.first() == Some(&b'{'), json, etag }
    }

    /// The JSON as text.
    pub fn json(&self) -> &str {
        // A document from another node may hold anything; an empty text is then what nothing can be read from.
        std::str::from_utf8(&self.json).unwrap_or_default()
    }

    /// How many bytes it has; never none.
    #[expect(clippy::len_without_is_empty, reason = "no JSON text is empty")]
    pub fn len(&self) -> usize {
        self.json.len()
    }

    /// The JSON as bytes to send, without copying them.
    pub fn bytes(&self) -> Bytes {
        self.json.clone()
    }
}

impl std::fmt::Debug for Document {
    /// Its size and tag: what it says may be somebody's script.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Document({} bytes, {})", self.json.len(), self.etag)
    }
}

/// The answer to a write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// The body.
    pub document: Document,
    /// 201 for something new, 200 for what was there already.
    pub status: u16,
    /// Where the new thing is, below the base path: `/assets/307`.
    pub location: Option<String>,
    /// Whether this is the first reply again (`Idempotent-Replay: true`).
    pub replayed: bool,
}

/// An `Idempotency-Key` and the body it came with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idempotency {
    /// 1 to 100 visible ASCII characters; the door checks that.
    pub key: String,
    /// SHA-256 over method, path and body, in hex: the same key with another request is refused.
    pub request_sha256: String,
}
