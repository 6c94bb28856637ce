//! Series, in Sonarr.

use jiff::Timestamp;

use super::lenient::resource;

resource! {
    /// A series, in the library or found by a look-up.
    pub Series {
        /// Sonarr's own; 0 for a look-up's result that is not in the library.
        id: i64,
        /// As it is catalogued.
        title: Option<String>,
        /// Of its first episode.
        year: Option<i64>,
        /// TVDB's; 0 means unknown.
        tvdb_id: i64,
        /// TMDB's; 0 means unknown.
        tmdb_id: i64,
        /// `tt0944947`.
        imdb_id: Option<String>,
        /// Whether anything of it is looked for.
        monitored: Option<bool>,
        /// `continuing`, `ended`, `upcoming`, `deleted`.
        status: Option<String>,
        /// Whether it has ended.
        ended: Option<bool>,
        /// `standard`, `daily`, `anime`.
        series_type: Option<String>,
        /// Its seasons; 0 is the specials.
        seasons: Vec<Season>,
        /// Episodes in numbers.
        statistics: Option<EpisodeStatistics>,
        /// Its folder, as Sonarr sees it.
        path: Option<String>,
        /// The instance's own.
        quality_profile_id: i64,
        /// Where it is shown.
        network: Option<String>,
        /// `21:00`, in the network's time.
        air_time: Option<String>,
        /// Minutes of an episode.
        runtime: Option<i64>,
        /// The next episode's.
        next_airing: Option<Timestamp>,
        /// The last episode's.
        previous_airing: Option<Timestamp>,
        /// When it came into the library.
        added: Option<Timestamp>,
        /// The instance's own.
        tags: Vec<i64>,
    }
}

resource! {
    /// A season.
    pub Season {
        /// 0 is the specials.
        season_number: Option<i64>,
        /// Whether it is looked for.
        monitored: Option<bool>,
        /// Episodes in numbers.
        statistics: Option<EpisodeStatistics>,
    }
}

resource! {
    /// Episodes of a season or series in numbers.
    pub EpisodeStatistics {
        /// With a file.
        episode_file_count: Option<i64>,
        /// Monitored and aired, or with a file.
        episode_count: Option<i64>,
        /// All that are known, announced ones included.
        total_episode_count: Option<i64>,
        /// Series only; without the specials.
        season_count: Option<i64>,
        /// Bytes.
        size_on_disk: Option<i64>,
        /// Of `episode_count`.
        percent_of_episodes: Option<f64>,
    }
}
