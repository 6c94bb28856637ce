//! The four services and what tells them apart, as data.
//!
//! What the four do alike is written once elsewhere and asks this table; a service that differs in more than a name has a small file
//! of its own in the capability concerned.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::words::schema_of_words;

/// One of the four library services.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Service {
    /// Films.
    Radarr,
    /// Series.
    Sonarr,
    /// Music.
    Lidarr,
    /// Books; Readarr and its descendants.
    Chaptarr,
}

/// What a service's library holds, as tools name it. Each belongs to exactly one service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MediaType {
    /// Films, in Radarr.
    Movie,
    /// Series, in Sonarr.
    Tv,
    /// Books, in Chaptarr.
    Book,
    /// Albums, in Lidarr.
    Music,
}

/// A media type, or all of them: the argument of tools that read every library at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MediaSelection {
    /// Films, in Radarr.
    Movie,
    /// Series, in Sonarr.
    Tv,
    /// Books, in Chaptarr.
    Book,
    /// Albums, in Lidarr.
    Music,
    /// The libraries of all four services.
    #[default]
    All,
}

/// What is known of a service before it is asked.
#[derive(Debug, PartialEq, Eq)]
pub struct Facts {
    /// As ids and arguments name it: `radarr`. Instance ids begin with it.
    pub key: &'static str,
    /// As people know it: `Radarr`.
    pub title: &'static str,
    /// What its library holds.
    pub media_type: MediaType,
    /// Between the address of the instance and each path: `/api/v3`.
    pub api: &'static str,
    /// What `appName` in `system/status` may say.
    pub app_names: &'static [&'static str],
    /// The port it is installed with. For texts that help people; nothing is decided by it.
    pub default_port: u16,
    /// What one item of its library is called: `movie`.
    pub item: &'static str,
    /// What its items belong to, where they belong to something: `series`.
    pub parent: Option<&'static str>,
    /// The query by which its whole queue is read as one page, with what rows refer to and with unknown downloads.
    pub queue_query: &'static [(&'static str, &'static str)],
    /// The numbers by which `/history` is filtered, with the names its records carry.
    pub history_events: &'static [(u16, &'static str, HistoryKind)],
}

/// What a history event is, whatever its service calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HistoryKind {
    /// A release was handed to a download client.
    Grabbed,
    /// A file of a finished download came into the library.
    Imported,
    /// A download came into the library as a whole.
    DownloadImported,
    /// Files that were in the folder already came into the library.
    FolderImported,
    /// A download failed.
    Failed,
    /// A file left the library.
    Deleted,
    /// A file was renamed.
    Renamed,
    /// The tags inside a file were rewritten.
    Retagged,
    /// Only a part of a download could be imported.
    Incomplete,
    /// A download was taken from the queue and left alone.
    Ignored,
}

schema_of_words!(Service: "radarr", "sonarr", "lidarr", "chaptarr");
schema_of_words!(MediaType: "movie", "tv", "book", "music");
schema_of_words!(MediaSelection: "movie", "tv", "book", "music", "all");

impl Service {
    /// All four, in the order in which answers list them.
    pub const ALL: [Service; 4] = [Service::Radarr, Service::Sonarr, Service::Lidarr, Service::Chaptarr];

    /// What tells this service from the others.
    pub const fn facts(self) -> &'static Facts {
        match self {
            Service::Radarr => &RADARR,
            Service::Sonarr => &SONARR,
            Service::Lidarr => &LIDARR,
            Service::Chaptarr => &CHAPTARR,
        }
    }

    /// `radarr`.
    pub const fn key(self) -> &'static str {
        self.facts().key
    }

    /// `Radarr`.
    pub const fn title(self) -> &'static str {
        self.facts().title
    }

    /// What its library holds.
    pub const fn media_type(self) -> MediaType {
        self.facts().media_type
    }

    /// The service of this key; `None` for any other text.
    pub fn of_key(key: &str) -> Option<Service> {
        Service::ALL.into_iter().find(|service| service.key() == key)
    }

    /// What an event of this name is; `None` for a name that this version does not know.
    pub fn history_kind(self, event: &str) -> Option<HistoryKind> {
        self.facts().history_events.iter().find(|(_, name, _)| name.eq_ignore_ascii_case(event)).map(|(.., kind)| *kind)
    }

    /// The number by which `/history` is filtered for events of this kind; `None` where the service has none.
    pub fn history_event(self, kind: HistoryKind) -> Option<u16> {
        self.facts().history_events.iter().find(|(.., known)| *known == kind).map(|(number, ..)| *number)
    }
}

impl fmt::Display for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

impl MediaType {
    /// All four, in the order in which schemas list them.
    pub const ALL: [MediaType; 4] = [MediaType::Movie, MediaType::Tv, MediaType::Book, MediaType::Music];

    /// Whose library holds this.
    pub const fn service(self) -> Service {
        match self {
            MediaType::Movie => Service::Radarr,
            MediaType::Tv => Service::Sonarr,
            MediaType::Book => Service::Chaptarr,
            MediaType::Music => Service::Lidarr,
        }
    }

    /// As arguments and answers say it: `movie`.
    pub const fn as_str(self) -> &'static str {
        match self {
            MediaType::Movie => "movie",
            MediaType::Tv => "tv",
            MediaType::Book => "book",
            MediaType::Music => "music",
        }
    }
}

impl fmt::Display for MediaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl MediaSelection {
    /// The one media type that was asked for; `None` for all.
    pub const fn one(self) -> Option<MediaType> {
        match self {
            MediaSelection::Movie => Some(MediaType::Movie),
            MediaSelection::Tv => Some(MediaType::Tv),
            MediaSelection::Book => Some(MediaType::Book),
            MediaSelection::Music => Some(MediaType::Music),
            MediaSelection::All => None,
        }
    }

    /// The services that are asked, in the order in which answers list them.
    pub fn services(self) -> Vec<Service> {
        self.one().map_or_else(|| Service::ALL.to_vec(), |media_type| vec![media_type.service()])
    }
}

use HistoryKind::{
    Deleted, DownloadImported, Failed, FolderImported, Grabbed, Ignored, Imported, Incomplete, Renamed, Retagged,
};

static RADARR: Facts = Facts {
    key: "radarr",
    title: "Radarr",
    media_type: MediaType::Movie,
    api: "/api/v3",
    app_names: &["Radarr"],
    default_port: 7878,
    item: "movie",
    parent: None,
    queue_query: &[
        ("page", "1"),
        ("pageSize", "1000"),
        ("includeMovie", "true"),
        ("includeUnknownMovieItems", "true"),
        ("sortKey", "id"),
        ("sortDirection", "ascending"),
    ],
    history_events: &[
        (1, "grabbed", Grabbed),
        (3, "downloadFolderImported", Imported),
        (4, "downloadFailed", Failed),
        (6, "movieFileDeleted", Deleted),
        (7, "movieFolderImported", FolderImported),
        (8, "movieFileRenamed", Renamed),
        (9, "downloadIgnored", Ignored),
    ],
};

static SONARR: Facts = Facts {
    key: "sonarr",
    title: "Sonarr",
    media_type: MediaType::Tv,
    api: "/api/v3",
    app_names: &["Sonarr"],
    default_port: 8989,
    item: "episode",
    parent: Some("series"),
    queue_query: &[
        ("page", "1"),
        ("pageSize", "1000"),
        ("includeSeries", "true"),
        ("includeEpisode", "true"),
        ("includeUnknownSeriesItems", "true"),
        ("sortKey", "id"),
        ("sortDirection", "ascending"),
    ],
    history_events: &[
        (1, "grabbed", Grabbed),
        (2, "seriesFolderImported", FolderImported),
        (3, "downloadFolderImported", Imported),
        (4, "downloadFailed", Failed),
        (5, "episodeFileDeleted", Deleted),
        (6, "episodeFileRenamed", Renamed),
        (7, "downloadIgnored", Ignored),
    ],
};

static LIDARR: Facts = Facts {
    key: "lidarr",
    title: "Lidarr",
    media_type: MediaType::Music,
    api: "/api/v1",
    app_names: &["Lidarr"],
    default_port: 8686,
    item: "album",
    parent: Some("artist"),
    queue_query: &[
        ("page", "1"),
        ("pageSize", "1000"),
        ("includeArtist", "true"),
        ("includeAlbum", "true"),
        ("includeUnknownArtistItems", "true"),
        ("sortKey", "id"),
        ("sortDirection", "ascending"),
    ],
    history_events: &[
        (1, "grabbed", Grabbed),
        (2, "artistFolderImported", FolderImported),
        (3, "trackFileImported", Imported),
        (4, "downloadFailed", Failed),
        (5, "trackFileDeleted", Deleted),
        (6, "trackFileRenamed", Renamed),
        (7, "albumImportIncomplete", Incomplete),
        (8, "downloadImported", DownloadImported),
        (9, "trackFileRetagged", Retagged),
        (10, "downloadIgnored", Ignored),
    ],
};

static CHAPTARR: Facts = Facts {
    key: "chaptarr",
    title: "Chaptarr",
    media_type: MediaType::Book,
    api: "/api/v1",
    app_names: &["Chaptarr", "Readarr"],
    default_port: 8789,
    item: "book",
    parent: Some("author"),
    queue_query: &[
        ("page", "1"),
        ("pageSize", "1000"),
        ("includeAuthor", "true"),
        ("includeBook", "true"),
        ("includeUnknownAuthorItems", "true"),
        ("sortKey", "id"),
        ("sortDirection", "ascending"),
    ],
    history_events: &[
        (1, "grabbed", Grabbed),
        (3, "bookFileImported", Imported),
        (4, "downloadFailed", Failed),
        (5, "bookFileDeleted", Deleted),
        (6, "bookFileRenamed", Renamed),
        (7, "bookImportIncomplete", Incomplete),
        (8, "downloadImported", DownloadImported),
        (9, "bookFileRetagged", Retagged),
        (10, "downloadIgnored", Ignored),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_media_type_belongs_to_one_service_and_back() {
        for media_type in MediaType::ALL {
            assert_eq!(media_type.service().media_type(), media_type);
        }
        for service in Service::ALL {
            assert_eq!(Service::of_key(service.key()), Some(service));
            assert_eq!(serde_json::to_value(service).unwrap(), service.key());
        }
        assert_eq!(Service::of_key("prowlarr"), None);
    }

    #[test]
    fn the_same_number_is_a_deletion_in_one_and_a_rename_in_another() {
        assert_eq!(Service::Radarr.history_event(Deleted), Some(6));
        assert_eq!(Service::Sonarr.history_event(Deleted), Some(5));
        assert_eq!(Service::Sonarr.history_event(Renamed), Some(6));
        assert_eq!(Service::Radarr.history_event(DownloadImported), None);
    }

    #[test]
    fn events_are_known_by_the_name_their_service_gives_them() {
        assert_eq!(Service::Lidarr.history_kind("trackFileImported"), Some(Imported));
        assert_eq!(Service::Radarr.history_kind("trackFileImported"), None);
        assert_eq!(Service::Chaptarr.history_kind("bookFileConverted"), None);
    }

    #[test]
    fn all_asks_the_four_services_and_one_asks_its_own() {
        assert_eq!(MediaSelection::All.services(), Service::ALL);
        assert_eq!(MediaSelection::Book.services(), [Service::Chaptarr]);
    }
}
