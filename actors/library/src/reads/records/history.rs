//! Events of the history.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::lenient::{instant, or_default, whole};
use super::{AlbumRecord, BookRecord, CreatorRecord, EpisodeRecord, MovieRecord, QualityRecord, SeriesRecord};
use crate::reads::identity::RowIdentity;

/// One event, whatever the service.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct HistoryRecord {
    #[serde(deserialize_with = "instant")]
    pub(crate) date: Option<Timestamp>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) event_type: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) source_title: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) download_id: String,
    #[serde(deserialize_with = "or_default")]
    pub(crate) quality: QualityRecord,
    /// Of the data only the message is read; the rest holds download addresses with keys, and paths.
    #[serde(deserialize_with = "or_default")]
    data: EventData,
    #[serde(deserialize_with = "whole")]
    movie_id: i64,
    movie: Option<MovieRecord>,
    #[serde(deserialize_with = "whole")]
    series_id: i64,
    series: Option<SeriesRecord>,
    episode: Option<EpisodeRecord>,
    #[serde(deserialize_with = "whole")]
    author_id: i64,
    author: Option<CreatorRecord>,
    #[serde(deserialize_with = "whole")]
    pub(crate) book_id: i64,
    book: Option<BookRecord>,
    #[serde(deserialize_with = "whole")]
    artist_id: i64,
    artist: Option<CreatorRecord>,
    #[serde(deserialize_with = "whole")]
    pub(crate) album_id: i64,
    album: Option<AlbumRecord>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct EventData {
    #[serde(deserialize_with = "or_default", alias = "Message")]
    message: String,
}

impl HistoryRecord {
    /// What it says of itself.
    pub(crate) fn identity(&self) -> RowIdentity {
        let series = self.series.as_ref();
        RowIdentity {
            title_id: self.movie_id.max(self.series_id),
            tmdb_id: self
                .movie
                .as_ref()
                .map(|movie| movie.tmdb_id)
                .or(series.map(|series| series.tmdb_id))
                .unwrap_or(0),
            tvdb_id: series.map_or(0, |series| series.tvdb_id),
            season_number: self.episode.as_ref().and_then(|episode| episode.season_number),
            episode_number: self.episode.as_ref().and_then(|episode| episode.episode_number),
            author_id: self.author_id,
            book_id: self.book_id,
            artist_id: self.artist_id,
            album_id: self.album_id,
        }
    }

    /// What it is about, in words: `Dune (2026)`, `Show S01E02 "Pilot"`, `Author — Book`, `Artist — Album`; empty where nothing is embedded.
    pub(crate) fn media_title(&self) -> String {
        let of_creator = |creator: Option<&CreatorRecord>, title: &str| match creator {
            Some(creator) if !creator.artist_name.is_empty() => format!("{} — {title}", creator.artist_name),
            _ => title.to_owned(),
        };
        if let Some(movie) = &self.movie {
            return if movie.year > 0 { format!("{} ({})", movie.title, movie.year) } else { movie.title.clone() };
        }
        if let Some(series) = &self.series {
            let episode = self.episode.as_ref().and_then(|episode| {
                let (season, number) = (episode.season_number?, episode.episode_number?);
                let name = if episode.title.is_empty() { String::new() } else { format!(" \"{}\"", episode.title) };
                Some(format!(" S{season:02}E{number:02}{name}"))
            });
            return series.title.clone() + &episode.unwrap_or_default();
        }
        match (&self.book, &self.album) {
            (Some(book), _) => of_creator(self.author.as_ref(), &book.title),
            (_, Some(album)) => of_creator(self.artist.as_ref(), &album.title),
            (None, None) => String::new(),
        }
    }

    /// Why it happened, where the service says so.
    pub(crate) fn reason(&self) -> Option<&str> {
        Some(self.data.message.as_str()).filter(|message| !message.trim().is_empty())
    }
}

/// One page of a paged history. What is no event is passed over and counted.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct HistoryPage {
    #[serde(deserialize_with = "whole")]
    pub(crate) total_records: i64,
    #[serde(deserialize_with = "or_default")]
    records: Vec<Value>,
}

impl HistoryPage {
    /// Its events, and how many could not be read.
    pub(crate) fn events(self) -> (Vec<HistoryRecord>, usize) {
        let n_records = self.records.len();
        let events: Vec<HistoryRecord> =
            self.records.into_iter().filter_map(|record| serde_json::from_value(record).ok()).collect();
        let n_skipped = n_records - events.len();
        (events, n_skipped)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn record(value: Value) -> HistoryRecord {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn an_event_names_what_it_is_about() {
        for (value, expected) in [
            (json!({"movieId": 1, "movie": {"title": "Dune", "year": 2026}}), "Dune (2026)"),
            (
                json!({"series": {"title": "Show"}, "episode": {"seasonNumber": 0, "episodeNumber": 2, "title": "Pilot"}}),
                "Show S00E02 \"Pilot\"",
            ),
            (json!({"series": {"title": "Show"}}), "Show"),
            (json!({"author": {"authorName": "Le Guin"}, "book": {"title": "Lavinia"}}), "Le Guin — Lavinia"),
            (json!({"artist": {"artistName": "Björk"}, "album": {"title": "Post"}}), "Björk — Post"),
            (json!({"sourceTitle": "x"}), ""),
        ] {
            assert_eq!(record(value).media_title(), expected);
        }
    }

    #[test]
    fn of_the_data_only_the_message_is_read() {
        let event = record(json!({
            "eventType": "downloadFailed",
            "data": {"message": "Aborted", "downloadUrl": "https://secret", "guid": "secret", "age": 3, "releaseGroup": null},
        }));
        assert_eq!(event.reason(), Some("Aborted"));
        assert!(!format!("{event:?}").contains("secret"));
    }

    #[test]
    fn a_page_passes_over_what_is_no_event_and_counts_it() {
        let page: HistoryPage = serde_json::from_value(
            json!({"totalRecords": 3.0, "records": [{"id": 1}, "odd", {"date": "2026-01-01T00:00:00Z"}]}),
        )
        .unwrap();
        assert_eq!(page.total_records, 3);
        let (events, n_skipped) = page.events();
        assert_eq!((events.len(), n_skipped), (2, 1));
    }
}
