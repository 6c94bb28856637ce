//! What happened.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::common::{Language, QualityModel};
use super::lenient::resource;
use super::{Album, Artist, Author, Book, Episode, Movie, Series, Track};

resource! {
    /// An event of the history, of any of the four services.
    pub HistoryEvent {
        /// The service's own.
        id: i64,
        /// When.
        date: Option<Timestamp>,
        /// The service's own name: `grabbed`, `trackFileImported` … See [`crate::Service::history_kind`].
        event_type: Option<String>,
        /// The release or file.
        source_title: Option<String>,
        /// The download client's.
        download_id: Option<String>,
        /// What it is.
        quality: Option<QualityModel>,
        /// Radarr and Sonarr.
        languages: Vec<Language>,
        /// Texts whose names depend on the event; numbers and flags are texts too. Holds download addresses with keys: redact before it goes
        /// further.
        data: BTreeMap<String, String>,
        /// Radarr.
        movie_id: i64,
        /// Radarr, where asked for.
        movie: Option<Box<Movie>>,
        /// Sonarr.
        series_id: i64,
        /// Sonarr.
        episode_id: i64,
        /// Sonarr, where asked for.
        series: Option<Box<Series>>,
        /// Sonarr, where asked for.
        episode: Option<Box<Episode>>,
        /// Lidarr.
        artist_id: i64,
        /// Lidarr.
        album_id: i64,
        /// Lidarr.
        track_id: i64,
        /// Lidarr, where asked for.
        artist: Option<Box<Artist>>,
        /// Lidarr, where asked for.
        album: Option<Box<Album>>,
        /// Lidarr, where asked for.
        track: Option<Box<Track>>,
        /// Chaptarr.
        author_id: i64,
        /// Chaptarr.
        book_id: i64,
        /// Chaptarr, where asked for.
        author: Option<Box<Author>>,
        /// Chaptarr, where asked for.
        book: Option<Box<Book>>,
    }
}

resource! {
    /// A release that is not to be grabbed again.
    pub BlocklistItem {
        /// The service's own.
        id: i64,
        /// When.
        date: Option<Timestamp>,
        /// The release.
        source_title: Option<String>,
        /// `usenet`, `torrent`.
        protocol: Option<String>,
        /// Where it was found.
        indexer: Option<String>,
        /// Why, in the download client's own language.
        message: Option<String>,
        /// What it is.
        quality: Option<QualityModel>,
        /// Radarr.
        movie_id: i64,
        /// Sonarr.
        series_id: i64,
        /// Lidarr.
        artist_id: i64,
        /// Chaptarr.
        author_id: i64,
    }
}
