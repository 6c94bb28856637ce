//! What several resources are made of.

use std::fmt;

use serde::de::{DeserializeOwned, MapAccess, SeqAccess};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::lenient::{Field, Lenient, resource};

resource! {
    /// A language. Its id means another language in another service; go by the name.
    pub Language {
        /// The service's own.
        id: i64,
        /// `English`.
        name: Option<String>,
    }
}

resource! {
    /// A quality with its revision, as files and releases carry it.
    pub QualityModel {
        /// Which quality.
        quality: Option<Quality>,
        /// Proper, repack, first.
        revision: Option<Revision>,
    }
}

impl QualityModel {
    /// `Bluray-1080p`.
    pub fn name(&self) -> Option<&str> {
        self.quality.as_ref()?.name.as_deref()
    }
}

resource! {
    /// A quality. Its id means another quality in another service; go by the name.
    pub Quality {
        /// The service's own.
        id: i64,
        /// `Bluray-1080p`.
        name: Option<String>,
        /// `bluray`, `webdl`, `web` …
        source: Option<String>,
        /// Lines of the picture.
        resolution: Option<i64>,
        /// Radarr: `remux` …
        modifier: Option<String>,
    }
}

resource! {
    /// Which issue of a release it is.
    pub Revision {
        /// From 1.
        version: Option<i64>,
        /// REAL in the name.
        real: Option<i64>,
        /// REPACK in the name.
        is_repack: Option<bool>,
    }
}

resource! {
    /// What is inside a media file. Any part may be missing for files that were never scanned.
    pub MediaInfo {
        /// Video: `1920x1080`.
        resolution: Option<String>,
        /// Video: `x265`.
        video_codec: Option<String>,
        /// Video: `HDR`.
        video_dynamic_range: Option<String>,
        /// Video: `DV HDR10`.
        video_dynamic_range_type: Option<String>,
        /// Video, bits a second.
        video_bitrate: Option<i64>,
        /// Video, bits a sample.
        video_bit_depth: Option<i64>,
        /// Video, frames a second.
        video_fps: Option<f64>,
        /// Video: `Progressive`.
        scan_type: Option<String>,
        /// `1:42:07`.
        run_time: Option<String>,
        /// `EAC3 Atmos`, `FLAC`.
        audio_codec: Option<String>,
        /// 5.1, 2.
        audio_channels: Option<f64>,
        /// Video: `eng/fre`.
        audio_languages: Option<String>,
        /// Video: how many.
        audio_stream_count: Option<i64>,
        /// Music: `1411 kbps`.
        audio_bit_rate: Option<String>,
        /// Music: `24bit`.
        audio_bits: Option<String>,
        /// Music: `44.1kHz`.
        audio_sample_rate: Option<String>,
        /// Video: `eng/fre`; empty when none is inside.
        subtitles: Option<String>,
    }
}

/// Why a release or file was turned down: a text in one version, an object in another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rejection {
    /// In words, in part in the instance's own language.
    pub reason: String,
    /// `permanent` or `temporary`, where the service tells.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

impl Rejection {
    /// Whether waiting may change it. What the service does not call temporary is permanent.
    pub fn is_permanent(&self) -> bool {
        self.kind.as_deref().is_none_or(|kind| !kind.eq_ignore_ascii_case("temporary"))
    }
}

resource! {
    /// A rejection as an object.
    WireRejection {
        /// v3 and v1.
        reason: Option<String>,
        /// v5.
        message: Option<String>,
        /// `permanent`, `temporary`.
        r#type: Option<String>,
    }
}

impl Lenient for Rejection {
    fn of_text(text: &str) -> Option<Self> {
        Some(Self { reason: text.to_owned(), kind: None })
    }

    fn of_object<'de, A: MapAccess<'de>>(object: A) -> Result<Option<Self>, A::Error> {
        let Some(wire) = WireRejection::of_object(object)? else { return Ok(None) };
        Ok(wire.message.or(wire.reason).map(|reason| Self { reason, kind: wire.r#type }))
    }
}

/// Flags that an indexer set: bits on files and most releases, names on Radarr's releases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum IndexerFlags {
    /// The service's own bits.
    Bits(i64),
    /// `G_Freeleech`.
    Names(Vec<String>),
}

impl Lenient for IndexerFlags {
    fn of_integer(value: i64) -> Option<Self> {
        Some(IndexerFlags::Bits(value))
    }

    fn of_float(value: f64) -> Option<Self> {
        i64::of_float(value).map(IndexerFlags::Bits)
    }

    fn of_text(text: &str) -> Option<Self> {
        Some(IndexerFlags::Names(vec![text.to_owned()]))
    }

    fn of_list<'de, A: SeqAccess<'de>>(list: A) -> Result<Option<Self>, A::Error> {
        Ok(Vec::of_list(list)?.map(IndexerFlags::Names))
    }
}

/// JSON that goes back to the service exactly as it came.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Verbatim(Box<RawValue>);

impl Verbatim {
    /// Exactly what came.
    pub fn json(&self) -> &RawValue {
        &self.0
    }

    /// What it means, read leniently; `None` when it is of another shape.
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_str(self.0.get()).ok()
    }
}

impl fmt::Debug for Verbatim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.get())
    }
}

impl PartialEq for Verbatim {
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}

impl Field for Option<Verbatim> {
    fn read<'de, D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let value = Option::<Box<RawValue>>::deserialize(input)?;
        Ok(value.filter(|value| value.get() != "null").map(Verbatim))
    }
}

resource! {
    /// A record of which only id and name matter: a profile, a tag, a definition.
    pub Named {
        /// The instance's own.
        id: i64,
        /// Profiles, formats.
        name: Option<String>,
        /// Tags, in lower case.
        label: Option<String>,
        /// Definitions.
        title: Option<String>,
    }
}

resource! {
    /// How many people like it, in one of several scales.
    pub Rating {
        /// 0 to 10, mostly.
        value: Option<f64>,
        /// How many voted.
        votes: Option<i64>,
    }
}
