//! Records of a whole library, with no more of each than a list of them says: a film is 4.6 kB of JSON on average, and there are libraries
//! of a hundred thousand.

use super::lenient::resource;
use super::movie::MovieStatistics;
use super::series::EpisodeStatistics;

resource! {
    /// A film of a list.
    pub MovieSummary {
        /// Radarr's own.
        id: i64,
        /// As it is catalogued.
        title: Option<String>,
        /// 0 for one of the future.
        year: Option<i64>,
        /// TMDB's; 0 means unknown.
        tmdb_id: i64,
        /// Whether it is looked for.
        monitored: Option<bool>,
        /// Whether a file is there. `statistics` knows it better where it is present.
        has_file: Option<bool>,
        /// Files in numbers.
        statistics: Option<MovieStatistics>,
    }
}

impl MovieSummary {
    /// Whether a file is there, from the source that knows it best.
    pub fn is_on_disk(&self) -> bool {
        let counted = self.statistics.as_ref().and_then(|statistics| statistics.movie_file_count);
        counted.map_or(self.has_file == Some(true), |n_files| n_files > 0)
    }
}

resource! {
    /// A series of a list.
    pub SeriesSummary {
        /// Sonarr's own.
        id: i64,
        /// As it is catalogued.
        title: Option<String>,
        /// Of its first episode.
        year: Option<i64>,
        /// TVDB's; 0 means unknown.
        tvdb_id: i64,
        /// TMDB's; 0 means unknown.
        tmdb_id: i64,
        /// Whether anything of it is looked for.
        monitored: Option<bool>,
        /// Its seasons; 0 is the specials.
        seasons: Vec<SeasonSummary>,
        /// Episodes in numbers.
        statistics: Option<EpisodeStatistics>,
    }
}

resource! {
    /// A season of a list.
    pub SeasonSummary {
        /// 0 is the specials.
        season_number: Option<i64>,
        /// Episodes in numbers.
        statistics: Option<EpisodeStatistics>,
    }
}
