//! Files that can be imported by hand.

use super::common::{IndexerFlags, Rejection, Verbatim};
use super::lenient::resource;
use super::{Album, Artist, Author, Book, Episode, Movie, Series, Track};

resource! {
    /// A file of a download and what the service takes it for. Parts that could not be mapped are absent.
    pub ImportCandidate {
        /// Invented for this answer.
        id: i64,
        /// As the service sees it.
        path: Option<String>,
        /// Radarr and Sonarr: below the folder.
        relative_path: Option<String>,
        /// Radarr and Sonarr.
        folder_name: Option<String>,
        /// Without its extension.
        name: Option<String>,
        /// Bytes.
        size: Option<i64>,
        /// To be sent back exactly as it came.
        quality: Option<Verbatim>,
        /// To be sent back exactly as it came.
        languages: Option<Verbatim>,
        /// Of the release.
        release_group: Option<String>,
        /// Sonarr: `singleEpisode`, `multiEpisode`, `seasonPack`.
        release_type: Option<String>,
        /// Set by the indexer.
        indexer_flags: Option<IndexerFlags>,
        /// The download client's.
        download_id: Option<String>,
        /// Why it would not be imported by itself.
        rejections: Vec<Rejection>,
        /// Radarr.
        movie: Option<Box<Movie>>,
        /// Sonarr.
        series: Option<Box<Series>>,
        /// Sonarr.
        season_number: Option<i64>,
        /// Sonarr.
        episodes: Vec<Episode>,
        /// Lidarr.
        artist: Option<Box<Artist>>,
        /// Lidarr.
        album: Option<Box<Album>>,
        /// Lidarr.
        album_release_id: i64,
        /// Lidarr.
        tracks: Vec<Track>,
        /// Chaptarr.
        author: Option<Box<Author>>,
        /// Chaptarr.
        book: Option<Box<Book>>,
        /// Chaptarr.
        foreign_edition_id: Option<String>,
        /// Lidarr and Chaptarr: not a track or book itself.
        additional_file: Option<bool>,
        /// Lidarr and Chaptarr.
        replace_existing_files: Option<bool>,
        /// Lidarr and Chaptarr.
        disable_release_switching: Option<bool>,
    }
}

resource! {
    /// A new name that a file would get.
    pub RenameProposal {
        /// The author's, artist's, series' or film's file.
        id: i64,
        /// Chaptarr.
        book_file_id: i64,
        /// What it is called.
        existing_path: Option<String>,
        /// What it would be called.
        new_path: Option<String>,
    }
}

resource! {
    /// Tags inside a file that would be rewritten.
    pub RetagProposal {
        /// The file's.
        id: i64,
        /// Lidarr.
        track_file_id: i64,
        /// As the service sees it.
        path: Option<String>,
        /// What would change.
        changes: Vec<TagChange>,
    }
}

resource! {
    /// One tag inside a file.
    pub TagChange {
        /// Which.
        field: Option<String>,
        /// What it says.
        old_value: Option<String>,
        /// What it would say.
        new_value: Option<String>,
    }
}
