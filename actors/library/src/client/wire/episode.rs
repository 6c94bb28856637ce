//! Episodes and their files, in Sonarr.

use jiff::Timestamp;
use jiff::civil::Date;

use super::common::{IndexerFlags, Language, MediaInfo, Named, QualityModel};
use super::lenient::resource;
use super::series::Series;

resource! {
    /// An episode.
    pub Episode {
        /// Sonarr's own.
        id: i64,
        /// The series'.
        series_id: i64,
        /// TVDB's; 0 means unknown.
        tvdb_id: i64,
        /// 0 is the specials.
        season_number: Option<i64>,
        /// From 1.
        episode_number: Option<i64>,
        /// Of anime.
        absolute_episode_number: Option<i64>,
        /// `TBA` before it is known.
        title: Option<String>,
        /// When it airs. Absent means that it is not scheduled.
        air_date_utc: Option<Timestamp>,
        /// The network's local date, which may be another day. Use `air_date_utc`.
        air_date: Option<Date>,
        /// Minutes.
        runtime: Option<i64>,
        /// `season`, `series`, `midseason`.
        finale_type: Option<String>,
        /// Whether it is looked for.
        monitored: Option<bool>,
        /// Whether a file is there.
        has_file: Option<bool>,
        /// 0 means none; absent means not known.
        episode_file_id: Option<i64>,
        /// Where asked for.
        episode_file: Option<Box<EpisodeFile>>,
        /// Where asked for.
        series: Option<Box<Series>>,
    }
}

resource! {
    /// A file of one or more episodes.
    pub EpisodeFile {
        /// Sonarr's own.
        id: i64,
        /// The series'.
        series_id: i64,
        /// 0 is the specials.
        season_number: Option<i64>,
        /// Below the series' folder.
        relative_path: Option<String>,
        /// As Sonarr sees it.
        path: Option<String>,
        /// Bytes.
        size: Option<i64>,
        /// When it was imported.
        date_added: Option<Timestamp>,
        /// The release it came from.
        scene_name: Option<String>,
        /// Of the release.
        release_group: Option<String>,
        /// `singleEpisode`, `multiEpisode`, `seasonPack`.
        release_type: Option<String>,
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
