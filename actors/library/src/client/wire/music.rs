//! Artists, albums, tracks and their files, in Lidarr.

use jiff::Timestamp;

use super::common::{IndexerFlags, MediaInfo, Named, QualityModel};
use super::lenient::resource;

resource! {
    /// An artist. `lastAlbum` and `nextAlbum` are raw rows of its database and are not read.
    pub Artist {
        /// Lidarr's own; 0 for a look-up's result that is not in the library.
        id: i64,
        /// The name.
        artist_name: Option<String>,
        /// MusicBrainz's.
        foreign_artist_id: Option<String>,
        /// `Person`, `Group` …
        artist_type: Option<String>,
        /// Tells artists of one name apart.
        disambiguation: Option<String>,
        /// Whether anything of it is looked for.
        monitored: Option<bool>,
        /// `continuing`, `ended`, `deleted`.
        status: Option<String>,
        /// Tracks in numbers.
        statistics: Option<TrackStatistics>,
        /// Its folder, as Lidarr sees it.
        path: Option<String>,
        /// The instance's own.
        quality_profile_id: i64,
        /// The instance's own.
        metadata_profile_id: i64,
        /// When it came into the library.
        added: Option<Timestamp>,
        /// The instance's own.
        tags: Vec<i64>,
    }
}

resource! {
    /// Tracks of an artist or album in numbers.
    pub TrackStatistics {
        /// Artists only.
        album_count: Option<i64>,
        /// With a file.
        track_file_count: Option<i64>,
        /// Monitored, or with a file.
        track_count: Option<i64>,
        /// All that are known.
        total_track_count: Option<i64>,
        /// Bytes.
        size_on_disk: Option<i64>,
        /// Of `track_count`.
        percent_of_tracks: Option<f64>,
    }
}

resource! {
    /// An album.
    pub Album {
        /// Lidarr's own; 0 for a look-up's result that is not in the library.
        id: i64,
        /// The title.
        title: Option<String>,
        /// The artist's.
        artist_id: i64,
        /// MusicBrainz's, of the release group.
        foreign_album_id: Option<String>,
        /// `Album`, `EP`, `Single` …
        album_type: Option<String>,
        /// Tells albums of one title apart.
        disambiguation: Option<String>,
        /// Whether it is looked for.
        monitored: Option<bool>,
        /// Whether any of its releases will do.
        any_release_ok: Option<bool>,
        /// When it came out.
        release_date: Option<Timestamp>,
        /// Its releases; one of them is monitored.
        releases: Vec<AlbumRelease>,
        /// Tracks in numbers.
        statistics: Option<TrackStatistics>,
        /// Where asked for.
        artist: Option<Box<Artist>>,
    }
}

resource! {
    /// One release of an album.
    pub AlbumRelease {
        /// Lidarr's own.
        id: i64,
        /// The title.
        title: Option<String>,
        /// MusicBrainz's.
        foreign_release_id: Option<String>,
        /// Whether it is the one that is looked for.
        monitored: Option<bool>,
        /// How many tracks it has.
        track_count: Option<i64>,
        /// `CD`, `2xVinyl` …
        format: Option<String>,
    }
}

resource! {
    /// A track.
    pub Track {
        /// Lidarr's own.
        id: i64,
        /// The artist's.
        artist_id: i64,
        /// The album's.
        album_id: i64,
        /// The title.
        title: Option<String>,
        /// As it is printed: `A1`, `12`.
        track_number: Option<String>,
        /// From 1.
        absolute_track_number: Option<i64>,
        /// Which disc.
        medium_number: Option<i64>,
        /// 0 means none; absent means not known.
        track_file_id: Option<i64>,
        /// Whether a file is there.
        has_file: Option<bool>,
    }
}

resource! {
    /// A file of one or more tracks.
    pub TrackFile {
        /// Lidarr's own.
        id: i64,
        /// The artist's.
        artist_id: i64,
        /// The album's.
        album_id: i64,
        /// As Lidarr sees it.
        path: Option<String>,
        /// Bytes.
        size: Option<i64>,
        /// When it was imported.
        date_added: Option<Timestamp>,
        /// The release it came from.
        scene_name: Option<String>,
        /// Of the release.
        release_group: Option<String>,
        /// What it is.
        quality: Option<QualityModel>,
        /// What is inside.
        media_info: Option<MediaInfo>,
        /// Set by the indexer.
        indexer_flags: Option<IndexerFlags>,
        /// Formats it matches.
        custom_formats: Vec<Named>,
        /// Whether a better one would be taken.
        quality_cutoff_not_met: Option<bool>,
    }
}
