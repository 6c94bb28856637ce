//! Downloads in flight.

use jiff::Timestamp;

use super::common::{Language, QualityModel};
use super::lenient::resource;
use super::time::TimeSpan;
use super::{Album, Artist, Author, Book, Episode, Movie, Series};

resource! {
    /// One row of a queue, of any of the four services.
    ///
    /// A row is not a download: a season pack is a row for each episode, a discography one for each album, all with the same download id and
    /// each with the size of the whole. A release that was not sent anywhere yet has no download id, no client and no tracked states.
    pub QueueRow {
        /// A hash of client and download: stable while the row lives, and nothing else.
        id: i64,
        /// The release.
        title: Option<String>,
        /// What the download client says: `downloading`, `paused`, `delay` … Free text in Lidarr and Chaptarr.
        status: Option<String>,
        /// `ok`, `warning`, `error`.
        tracked_download_status: Option<String>,
        /// `importPending`, `importBlocked`, `failedPending` …; the words differ between the services.
        tracked_download_state: Option<String>,
        /// What is wrong, by file or release. Partly in the instance's own language.
        status_messages: Vec<StatusMessage>,
        /// What the download client says is wrong, in its own language.
        error_message: Option<String>,
        /// The client's own id. Rows that share it are one download.
        download_id: Option<String>,
        /// `usenet`, `torrent`; a class name in plug-in builds of Lidarr.
        protocol: Option<String>,
        /// As the instance's settings name it.
        download_client: Option<String>,
        /// Whether `changeCategory` can do anything.
        download_client_has_post_import_category: Option<bool>,
        /// Where the release was found.
        indexer: Option<String>,
        /// Where the download is, as the service sees it.
        output_path: Option<String>,
        /// When it was added; absent in older versions.
        added: Option<Timestamp>,
        /// Bytes of the whole download; 0 while its metadata loads.
        size: Option<f64>,
        /// Bytes that are missing.
        sizeleft: Option<f64>,
        /// Absent when nothing moves; the delay of a release that waits.
        timeleft: Option<TimeSpan>,
        /// Absent when nothing moves.
        estimated_completion_time: Option<Timestamp>,
        /// What it is, where that is known.
        quality: Option<QualityModel>,
        /// Radarr and Sonarr.
        languages: Vec<Language>,
        /// Sum of the scores of its formats.
        custom_format_score: Option<i64>,
        /// Radarr; 0 for a download that belongs to no film.
        movie_id: i64,
        /// Radarr, where asked for.
        movie: Option<Box<Movie>>,
        /// Sonarr; 0 for a download that belongs to no series.
        series_id: i64,
        /// Sonarr; 0 where none was matched.
        episode_id: i64,
        /// Sonarr.
        season_number: Option<i64>,
        /// Sonarr: whether the episode has a file already.
        episode_has_file: Option<bool>,
        /// Sonarr, where asked for.
        series: Option<Box<Series>>,
        /// Sonarr, where asked for.
        episode: Option<Box<Episode>>,
        /// Lidarr; 0 for a download that belongs to no artist.
        artist_id: i64,
        /// Lidarr; 0 where none was matched.
        album_id: i64,
        /// Lidarr, where asked for.
        artist: Option<Box<Artist>>,
        /// Lidarr, where asked for.
        album: Option<Box<Album>>,
        /// Lidarr: tracks that the release should have.
        track_file_count: Option<i64>,
        /// Lidarr: tracks of it that are there.
        track_has_file_count: Option<i64>,
        /// Chaptarr; 0 for a download that belongs to no author.
        author_id: i64,
        /// Chaptarr; 0 where none was matched.
        book_id: i64,
        /// Chaptarr, where asked for.
        author: Option<Box<Author>>,
        /// Chaptarr, where asked for.
        book: Option<Box<Book>>,
    }
}

resource! {
    /// What is wrong with one file or release of a download.
    pub StatusMessage {
        /// A file, or the release; the message itself when `messages` is empty.
        title: Option<String>,
        /// What is wrong.
        messages: Vec<String>,
    }
}

resource! {
    /// The queue in numbers. Unknown downloads are counted here and left out of the queue unless asked for.
    pub QueueStatus {
        /// Always 0 or 1.
        id: i64,
        /// All rows.
        total_count: Option<i64>,
        /// Rows that belong to something.
        count: Option<i64>,
        /// Rows that belong to nothing.
        unknown_count: Option<i64>,
        /// Whether a row has an error.
        errors: Option<bool>,
        /// Whether a row has a warning.
        warnings: Option<bool>,
    }
}
