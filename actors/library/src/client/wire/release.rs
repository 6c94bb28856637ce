//! Releases that indexers offer.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::common::{IndexerFlags, Language, QualityModel, Rejection};
use super::lenient::{Lenient, resource};

/// A release's guid: whoever holds it can order the download, so it never leaves this server. `Debug` prints only its name.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Guid(String);

impl Guid {
    /// The guid itself: an address, a magnet link or any text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Guid {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Guid")
    }
}

impl Lenient for Guid {
    fn of_text(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }
}

resource! {
    /// A release that an indexer offers, of any of the four services. Its addresses are not read: they carry keys.
    pub Release {
        /// By which it is grabbed, within half an hour.
        guid: Option<Guid>,
        /// The instance's own.
        indexer_id: i64,
        /// As the instance's settings name it.
        indexer: Option<String>,
        /// The name of the release.
        title: Option<String>,
        /// What it is.
        quality: Option<QualityModel>,
        /// Radarr and Sonarr.
        languages: Vec<Language>,
        /// Bytes.
        size: Option<i64>,
        /// `usenet`, `torrent`.
        protocol: Option<String>,
        /// Torrents; may be unknown.
        seeders: Option<i64>,
        /// Torrents; may be unknown.
        leechers: Option<i64>,
        /// Days since it was published.
        age: Option<i64>,
        /// When it was published.
        publish_date: Option<Timestamp>,
        /// Whether the service would take it by itself.
        approved: Option<bool>,
        /// Whether it would not.
        rejected: Option<bool>,
        /// Whether it would not yet.
        temporarily_rejected: Option<bool>,
        /// Why not.
        rejections: Vec<Rejection>,
        /// Whether it was matched to something at all.
        download_allowed: Option<bool>,
        /// The place in the service's own preference.
        release_weight: Option<i64>,
        /// Of the release.
        release_group: Option<String>,
        /// Names in Radarr, bits elsewhere.
        indexer_flags: Option<IndexerFlags>,
        /// Sum of the scores of its formats.
        custom_format_score: Option<i64>,
        /// Sonarr: whether it is a season pack.
        full_season: Option<bool>,
        /// Sonarr.
        season_number: Option<i64>,
        /// Sonarr: as read from its name.
        episode_numbers: Vec<i64>,
    }
}

impl Release {
    /// Whether the service would turn it down at present.
    pub fn is_rejected(&self) -> bool {
        self.rejected == Some(true) || self.temporarily_rejected == Some(true) || self.approved == Some(false)
    }
}
