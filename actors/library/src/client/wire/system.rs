//! The application itself.

use jiff::Timestamp;

use super::lenient::resource;
use super::time::TimeSpan;

resource! {
    /// What application answers, and which version of it.
    pub SystemStatus {
        /// `Radarr`.
        app_name: Option<String>,
        /// As people named it.
        instance_name: Option<String>,
        /// Four numbers with points; not semantic.
        version: Option<String>,
        /// `/radarr`.
        url_base: Option<String>,
        /// `sqLite`, `postgreSQL`.
        database_type: Option<String>,
        /// `none`, `forms`, `external` …
        authentication: Option<String>,
        /// Whether its paths are those of a container.
        is_docker: Option<bool>,
        /// When it started.
        start_time: Option<Timestamp>,
    }
}

resource! {
    /// Something that the application thinks is wrong with itself.
    pub HealthCheck {
        /// May be absent.
        id: i64,
        /// The check, not translated: `IndexerStatusCheck`.
        source: Option<String>,
        /// `ok`, `notice`, `warning`, `error`.
        r#type: Option<String>,
        /// In the instance's own language.
        message: Option<String>,
        /// What to do.
        wiki_url: Option<String>,
    }
}

resource! {
    /// A volume that the application sees.
    pub DiskSpace {
        /// Where it is mounted.
        path: Option<String>,
        /// May be empty.
        label: Option<String>,
        /// Bytes; may be absurd on network mounts.
        free_space: Option<i64>,
        /// Bytes; may be 0 or absent.
        total_space: Option<i64>,
    }
}

resource! {
    /// What the application does by itself, again and again.
    pub SystemTask {
        /// The service's own.
        id: i64,
        /// `Refresh Monitored Downloads`.
        name: Option<String>,
        /// `RefreshMonitoredDownloads`.
        task_name: Option<String>,
        /// Minutes.
        interval: Option<i64>,
        /// When it last ended.
        last_execution: Option<Timestamp>,
        /// How long it took.
        last_duration: Option<TimeSpan>,
        /// When it comes next.
        next_execution: Option<Timestamp>,
    }
}

resource! {
    /// A version that there is.
    pub Update {
        /// Four numbers with points.
        version: Option<String>,
        /// `master`, `develop`.
        branch: Option<String>,
        /// When it came out.
        release_date: Option<Timestamp>,
        /// Whether it runs.
        installed: Option<bool>,
        /// Whether it is the newest.
        latest: Option<bool>,
    }
}
