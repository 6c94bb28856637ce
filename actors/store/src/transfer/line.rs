//! One line of an export.

use std::borrow::Cow;

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use bytes::Bytes;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::Scope;
use crate::{Envelope, HouseId, IdemKey, MAX_VALUE_BYTES, Path, Seq};

/// The format of the file.
pub(super) const EXPORT_FORMAT: u32 = 1;

/// The longest line, in bytes: the largest value in base64 with room for its names. Nothing longer was written by an
/// export.
pub(super) const MAX_LINE_BYTES: usize = 2 * MAX_VALUE_BYTES;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line<'a> {
    Header(Header),
    House(HouseId),
    #[serde(borrow)]
    Record(RecordLine<'a>),
    #[serde(borrow)]
    Log(LogLine<'a>),
    End(End),
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) playhouse_export: u32,
    pub(super) written_at: Timestamp,
    /// `all` or a house's id; for people who look at the file.
    pub(super) scope: String,
}

impl Header {
    pub(super) fn new(scope: Scope, written_at: Timestamp) -> Self {
        let scope = match scope {
            Scope::All => "all".to_owned(),
            Scope::House(house) => house.to_string(),
        };
        Self { playhouse_export: EXPORT_FORMAT, written_at, scope }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RecordLine<'a> {
    pub(super) path: Path,
    #[serde(borrow)]
    pub(super) value: Value<'a>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LogLine<'a> {
    pub(super) path: Path,
    pub(super) seq: Seq,
    pub(super) idem: IdemKey,
    #[serde(borrow)]
    pub(super) value: Value<'a>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct End {
    pub(super) n_lines: u64,
    pub(super) sha256: String,
}

/// Stored bytes, readable where they are one of our records.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Value<'a> {
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) format: Option<u16>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    body: Option<&'a RawValue>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
}

impl<'a> Value<'a> {
    pub(super) fn of(stored: &'a [u8]) -> Self {
        Self::readable(stored).unwrap_or_else(|| Self {
            kind: None,
            format: None,
            body: None,
            base64: Some(BASE64.encode(stored)),
        })
    }

    /// Kind, format and body, if they give back exactly these bytes from within one line.
    fn readable(stored: &'a [u8]) -> Option<Self> {
        let envelope = Envelope::open(stored).ok()?;
        if envelope.body.contains(&b'\n') || envelope.body.contains(&b'\r') {
            return None;
        }
        let body: &RawValue = serde_json::from_slice(envelope.body).ok()?;
        if body.get().as_bytes() != envelope.body {
            return None;
        }
        let kind = Some(Cow::Borrowed(envelope.kind));
        Some(Self { kind, format: Some(envelope.format), body: Some(body), base64: None })
    }

    /// The stored bytes again, or what is wrong.
    pub(super) fn bytes(&self) -> Result<Bytes, String> {
        let bytes = match (&self.kind, self.format, self.body, &self.base64) {
            (Some(kind), Some(format), Some(body), None) => {
                let envelope = Envelope { kind, format, body: body.get().as_bytes() };
                envelope.seal().ok_or("the record's kind is too long")?
            }
            (None, None, None, Some(base64)) => BASE64.decode(base64).map_err(|error| error.to_string())?.into(),
            _ => return Err("a value has either kind, format and body, or base64".to_owned()),
        };
        if bytes.len() > MAX_VALUE_BYTES {
            return Err(format!("the value has {} bytes; the limit is {MAX_VALUE_BYTES}", bytes.len()));
        }
        Ok(bytes)
    }
}
