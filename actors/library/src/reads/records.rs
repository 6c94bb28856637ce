//! What the reads take from the services' records, and nothing else.
//!
//! Everything is optional: the services leave out what is null, send 0 for an unknown id and the year 1 for "never", and write whole numbers
//! with or without a fraction. A record of ten thousand that lacks a field is still a record.

mod history;
mod lenient;

use jiff::Timestamp;
use serde::Deserialize;

pub(crate) use history::{HistoryPage, HistoryRecord};
use lenient::{instant, or_default, whole};

/// A film.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct MovieRecord {
    #[serde(deserialize_with = "whole")]
    pub(crate) id: i64,
    #[serde(deserialize_with = "whole")]
    pub(crate) tmdb_id: i64,
    #[serde(deserialize_with = "or_default")]
    pub(crate) title: String,
    #[serde(deserialize_with = "whole")]
    pub(crate) year: i64,
    #[serde(deserialize_with = "or_default")]
    pub(crate) has_file: bool,
    #[serde(deserialize_with = "whole")]
    pub(crate) movie_file_id: i64,
    pub(crate) movie_file: Option<RecordId>,
    #[serde(deserialize_with = "instant")]
    pub(crate) in_cinemas: Option<Timestamp>,
    #[serde(deserialize_with = "instant")]
    pub(crate) digital_release: Option<Timestamp>,
    #[serde(deserialize_with = "instant")]
    pub(crate) physical_release: Option<Timestamp>,
}

/// Only the id of a record.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RecordId {
    #[serde(deserialize_with = "whole")]
    pub(crate) id: i64,
}

/// A series.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct SeriesRecord {
    #[serde(deserialize_with = "whole")]
    pub(crate) id: i64,
    #[serde(deserialize_with = "whole")]
    pub(crate) tmdb_id: i64,
    #[serde(deserialize_with = "whole")]
    pub(crate) tvdb_id: i64,
    #[serde(deserialize_with = "or_default")]
    pub(crate) title: String,
    #[serde(deserialize_with = "whole")]
    pub(crate) year: i64,
}

/// An episode.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct EpisodeRecord {
    #[serde(deserialize_with = "whole")]
    pub(crate) id: i64,
    pub(crate) season_number: Option<i64>,
    pub(crate) episode_number: Option<i64>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) title: String,
    #[serde(deserialize_with = "instant")]
    pub(crate) air_date_utc: Option<Timestamp>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) has_file: bool,
    #[serde(deserialize_with = "whole")]
    pub(crate) episode_file_id: i64,
    pub(crate) series: Option<SeriesRecord>,
}

/// An artist or an author.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct CreatorRecord {
    #[serde(deserialize_with = "whole")]
    pub(crate) id: i64,
    #[serde(deserialize_with = "or_default", alias = "authorName")]
    pub(crate) artist_name: String,
}

/// An album.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct AlbumRecord {
    #[serde(deserialize_with = "whole")]
    pub(crate) id: i64,
    #[serde(deserialize_with = "whole")]
    pub(crate) artist_id: i64,
    #[serde(deserialize_with = "or_default")]
    pub(crate) title: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) album_type: String,
    #[serde(deserialize_with = "instant")]
    pub(crate) release_date: Option<Timestamp>,
    pub(crate) artist: Option<CreatorRecord>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) statistics: AlbumStatistics,
}

/// What is on disk of an album.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct AlbumStatistics {
    #[serde(deserialize_with = "whole")]
    pub(crate) track_file_count: i64,
}

/// A book; ebook and audiobook are two.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct BookRecord {
    #[serde(deserialize_with = "whole")]
    pub(crate) id: i64,
    #[serde(deserialize_with = "whole")]
    pub(crate) author_id: i64,
    #[serde(deserialize_with = "or_default")]
    pub(crate) title: String,
    pub(crate) author: Option<CreatorRecord>,
}

/// A file of any service.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct FileRecord {
    #[serde(deserialize_with = "whole")]
    pub(crate) id: i64,
    #[serde(deserialize_with = "whole")]
    pub(crate) album_id: i64,
    #[serde(deserialize_with = "whole")]
    pub(crate) book_id: i64,
    #[serde(deserialize_with = "or_default")]
    pub(crate) relative_path: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) path: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) scene_name: String,
    #[serde(deserialize_with = "whole")]
    pub(crate) size: i64,
    #[serde(deserialize_with = "instant")]
    pub(crate) date_added: Option<Timestamp>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) quality: QualityRecord,
    pub(crate) media_info: Option<serde_json::Map<String, serde_json::Value>>,
}

impl FileRecord {
    /// Its name without the folders above it: those are the house's own affair.
    pub(crate) fn file_name(&self) -> String {
        let whole = if self.relative_path.is_empty() { &self.path } else { &self.relative_path };
        whole.rsplit(['/', '\\']).next().unwrap_or_default().to_owned()
    }
}

/// A quality with its revision, of which only the name is of interest.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct QualityRecord {
    #[serde(deserialize_with = "or_default")]
    quality: QualityName,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct QualityName {
    #[serde(deserialize_with = "or_default")]
    name: String,
}

impl QualityRecord {
    /// Its name; `None` where there is none.
    pub(crate) fn name(&self) -> Option<String> {
        Some(self.quality.name.clone()).filter(|name| !name.is_empty())
    }
}

/// A release as an indexer offers it.
#[derive(Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct ReleaseRecord {
    #[serde(deserialize_with = "or_default")]
    pub(crate) guid: String,
    #[serde(deserialize_with = "whole")]
    pub(crate) indexer_id: i64,
    #[serde(deserialize_with = "or_default")]
    pub(crate) indexer: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) title: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) quality: QualityRecord,
    #[serde(deserialize_with = "whole")]
    pub(crate) size: i64,
    #[serde(deserialize_with = "whole")]
    pub(crate) age: i64,
    #[serde(deserialize_with = "or_default")]
    pub(crate) protocol: String,
    pub(crate) seeders: Option<i64>,
    pub(crate) leechers: Option<i64>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) rejected: bool,
    #[serde(deserialize_with = "or_default")]
    pub(crate) temporarily_rejected: bool,
    /// Texts in some versions, objects with a `reason` in others.
    #[serde(deserialize_with = "or_default")]
    pub(crate) rejections: Vec<serde_json::Value>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_left_out_null_or_written_with_a_fraction_is_read_all_the_same() {
        let movie: MovieRecord = serde_json::from_value(json!({
            "id": 7.0, "tmdbId": null, "title": null, "hasFile": null, "movieFile": null, "inCinemas": "0001-01-01T00:00:00Z",
            "digitalRelease": "2026-12-01T00:00:00Z", "physicalRelease": "soon", "somethingNew": {"a": 1},
        }))
        .unwrap();
        assert_eq!((movie.id, movie.tmdb_id, movie.title.as_str(), movie.has_file), (7, 0, "", false));
        assert_eq!((movie.in_cinemas, movie.physical_release), (None, None));
        assert_eq!(movie.digital_release.unwrap().to_string(), "2026-12-01T00:00:00Z");
        assert_eq!(serde_json::from_value::<EpisodeRecord>(json!({})).unwrap().season_number, None);
    }

    #[test]
    fn a_file_goes_by_its_name_without_folders() {
        let file = |relative_path: &str, path: &str| FileRecord {
            relative_path: relative_path.into(),
            path: path.into(),
            ..FileRecord::default()
        };
        assert_eq!(file("Season 01/Show.mkv", "/media/tv/Show/Season 01/Show.mkv").file_name(), "Show.mkv");
        assert_eq!(file("", "/music/Artist/Album/01 Track.flac").file_name(), "01 Track.flac");
        assert_eq!(file("", "D:\\Books\\Author\\Book.epub").file_name(), "Book.epub");
    }
}
