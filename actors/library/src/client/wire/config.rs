//! Settings of an instance as a whole.

use super::common::Language;
use super::lenient::resource;

resource! {
    /// Where a download client's folder is for the service.
    pub RemotePathMapping {
        /// The instance's own.
        id: i64,
        /// The download client's.
        host: Option<String>,
        /// As the download client sees it.
        remote_path: Option<String>,
        /// As the service sees it.
        local_path: Option<String>,
    }
}

resource! {
    /// A folder of libraries.
    pub RootFolder {
        /// The instance's own.
        id: i64,
        /// With or without a slash at its end.
        path: Option<String>,
        /// Lidarr and Chaptarr.
        name: Option<String>,
        /// Absent means yes.
        accessible: Option<bool>,
        /// Bytes; absent when it cannot be reached.
        free_space: Option<i64>,
        /// Bytes.
        total_space: Option<i64>,
    }
}

resource! {
    /// A tag and how often it is used, by kind of record.
    pub TagDetail {
        /// The instance's own.
        id: i64,
        /// In lower case.
        label: Option<String>,
        /// Delay profiles.
        delay_profile_ids: Vec<i64>,
        /// Radarr.
        movie_ids: Vec<i64>,
        /// Sonarr.
        series_ids: Vec<i64>,
        /// Indexers.
        indexer_ids: Vec<i64>,
    }
}

resource! {
    /// How files are named and kept. Radarr's and Sonarr's names differ; what is common is read.
    pub Naming {
        /// Always 1.
        id: i64,
        /// Radarr.
        rename_movies: Option<bool>,
        /// Sonarr.
        rename_episodes: Option<bool>,
        /// Radarr.
        standard_movie_format: Option<String>,
        /// Sonarr.
        standard_episode_format: Option<String>,
    }
}

resource! {
    /// How files are handled.
    pub MediaManagement {
        /// Always 1.
        id: i64,
        /// Where deleted files go; empty for nowhere.
        recycle_bin: Option<String>,
        /// Whether files of torrents are linked and not copied.
        copy_using_hardlinks: Option<bool>,
        /// Whether extra files are imported.
        import_extra_files: Option<bool>,
    }
}

resource! {
    /// How an instance is reached. Its key, password and certificates are not read.
    pub HostConfig {
        /// Always 1.
        id: i64,
        /// Where it listens.
        port: Option<i64>,
        /// `/radarr`.
        url_base: Option<String>,
        /// `none`, `forms`, `external` …
        authentication_method: Option<String>,
        /// Where it looks for updates.
        branch: Option<String>,
    }
}

resource! {
    /// What a release's name says.
    pub Parsed {
        /// Always 0 or 1.
        id: i64,
        /// The name.
        title: Option<String>,
        /// Radarr: what it matches; absent when nothing does, which is an ordinary answer.
        movie: Option<Box<super::Movie>>,
        /// Sonarr: what it matches; absent when nothing does, which is an ordinary answer.
        series: Option<Box<super::Series>>,
        /// Sonarr.
        episodes: Vec<super::Episode>,
        /// What is spoken.
        languages: Vec<Language>,
    }
}
