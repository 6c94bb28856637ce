//! Films, in Radarr.

use jiff::Timestamp;

use super::common::{IndexerFlags, Language, MediaInfo, Named, QualityModel};
use super::lenient::resource;

resource! {
    /// A film, in the library or found by a look-up.
    pub Movie {
        /// Radarr's own; 0 for a look-up's result that is not in the library.
        id: i64,
        /// As it is catalogued.
        title: Option<String>,
        /// In its own language.
        original_title: Option<String>,
        /// 0 for one of the future.
        year: Option<i64>,
        /// TMDB's; 0 means unknown.
        tmdb_id: i64,
        /// `tt0133093`.
        imdb_id: Option<String>,
        /// Whether it is looked for.
        monitored: Option<bool>,
        /// Whether a file is there. `statistics` knows it better where it is present.
        has_file: Option<bool>,
        /// 0 means none, unless `statistics` says otherwise; absent means not known.
        movie_file_id: Option<i64>,
        /// The file.
        movie_file: Option<Box<MovieFile>>,
        /// Files in numbers.
        statistics: Option<MovieStatistics>,
        /// `announced`, `inCinemas`, `released` …
        status: Option<String>,
        /// From when on it is looked for.
        minimum_availability: Option<String>,
        /// Whether that time has come.
        is_available: Option<bool>,
        /// In cinemas.
        in_cinemas: Option<Timestamp>,
        /// To buy or stream.
        digital_release: Option<Timestamp>,
        /// On disc.
        physical_release: Option<Timestamp>,
        /// When it came into the library.
        added: Option<Timestamp>,
        /// Its folder, as Radarr sees it.
        path: Option<String>,
        /// The instance's own.
        quality_profile_id: i64,
        /// Bytes.
        size_on_disk: Option<i64>,
        /// Minutes.
        runtime: Option<i64>,
        /// The instance's own.
        tags: Vec<i64>,
    }
}

impl Movie {
    /// Whether a file is there, from the sources that know it, the surest first; `None` when none says.
    pub fn is_on_disk(&self) -> Option<bool> {
        let counted = self.statistics.as_ref().and_then(|statistics| statistics.movie_file_count);
        counted.map(|n_files| n_files > 0).or(self.has_file).or(self.movie_file_id.map(|id| id > 0))
    }
}

resource! {
    /// A film's files in numbers.
    pub MovieStatistics {
        /// How many.
        movie_file_count: Option<i64>,
        /// Bytes.
        size_on_disk: Option<i64>,
    }
}

resource! {
    /// A file of a film.
    pub MovieFile {
        /// Radarr's own.
        id: i64,
        /// The film's.
        movie_id: i64,
        /// Below the film's folder.
        relative_path: Option<String>,
        /// As Radarr sees it.
        path: Option<String>,
        /// Bytes.
        size: Option<i64>,
        /// When it was imported.
        date_added: Option<Timestamp>,
        /// The release it came from.
        scene_name: Option<String>,
        /// Of the release.
        release_group: Option<String>,
        /// `Director's Cut`.
        edition: Option<String>,
        /// What it is.
        quality: Option<QualityModel>,
        /// What is spoken.
        languages: Vec<Language>,
        /// What is inside.
        media_info: Option<MediaInfo>,
        /// Set by the indexer.
        indexer_flags: Option<IndexerFlags>,
        /// Formats it matches.
        custom_formats: Vec<Named>,
        /// Sum of their scores.
        custom_format_score: Option<i64>,
        /// Whether a better one would be taken.
        quality_cutoff_not_met: Option<bool>,
    }
}
