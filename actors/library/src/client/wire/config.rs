//! Settings of an instance, without anything secret.

use std::fmt;

use serde::de::MapAccess;
use serde::{Deserialize, Serialize};

use super::common::{Language, Named, Quality};
use super::lenient::{Lenient, Texts, resource};

resource! {
    /// An indexer, a download client, an import list or a notification.
    pub Provider {
        /// The instance's own.
        id: i64,
        /// As people named it.
        name: Option<String>,
        /// `Torznab`, `QBittorrent`.
        implementation: Option<String>,
        /// `usenet`, `torrent`; a class name in plug-in builds of Lidarr.
        protocol: Option<String>,
        /// Download clients.
        enable: Option<bool>,
        /// 1 is the first.
        priority: Option<i64>,
        /// Indexers.
        enable_rss: Option<bool>,
        /// Indexers.
        enable_automatic_search: Option<bool>,
        /// Indexers.
        enable_interactive_search: Option<bool>,
        /// The rest of its settings; secret ones have no value here.
        fields: Vec<ProviderField>,
        /// The instance's own.
        tags: Vec<i64>,
    }
}

/// One setting of a provider. The value of one that is or may be secret is dropped while it is read: one of the four services answers them in
/// clear.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProviderField {
    /// `seedCriteria.seedRatio`.
    pub name: String,
    /// `None` also where it is secret.
    pub value: Option<FieldValue>,
}

/// What a setting of a provider is. Lists and objects are not read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FieldValue {
    /// On or off.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}

impl fmt::Display for FieldValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldValue::Flag(flag) => write!(f, "{flag}"),
            FieldValue::Number(number) => write!(f, "{number}"),
            FieldValue::Text(text) => f.write_str(text),
        }
    }
}

impl Lenient for FieldValue {
    fn of_bool(value: bool) -> Option<Self> {
        Some(FieldValue::Flag(value))
    }

    fn of_integer(value: i64) -> Option<Self> {
        Some(FieldValue::Number(value as f64))
    }

    fn of_float(value: f64) -> Option<Self> {
        Some(FieldValue::Number(value))
    }

    fn of_text(text: &str) -> Option<Self> {
        Some(FieldValue::Text(text.to_owned()))
    }
}

resource! {
    /// A setting as it is written.
    WireField {
        /// Which.
        name: Option<String>,
        /// What it is set to.
        value: Option<FieldValue>,
        /// `normal`, `password`, `apiKey`, `userName`.
        privacy: Option<String>,
        /// `textbox`, `password` …
        r#type: Option<String>,
    }
}

impl Lenient for ProviderField {
    fn of_object<'de, A: MapAccess<'de>>(object: A) -> Result<Option<Self>, A::Error> {
        let Some(WireField { name: Some(name), value, privacy, r#type }) = WireField::of_object(object)? else {
            return Ok(None);
        };
        let is_private = privacy.is_some_and(|privacy| !privacy.eq_ignore_ascii_case("normal"))
            || r#type.is_some_and(|kind| kind.eq_ignore_ascii_case("password"))
            || names_a_secret(&name);
        Ok(Some(Self { name, value: value.filter(|_| !is_private) }))
    }
}

/// Whether a setting of this name may be secret, whatever it says of its privacy.
fn names_a_secret(name: &str) -> bool {
    const MARKS: [&str; 9] = ["key", "pass", "token", "cookie", "secret", "user", "auth", "captcha", "url"];
    let name = name.to_ascii_lowercase();
    MARKS.iter().any(|mark| name.contains(mark))
}

resource! {
    /// How long releases wait before they are grabbed. Plug-in builds of Lidarr have another shape, of which `items` is all that is read.
    pub DelayProfile {
        /// The instance's own.
        id: i64,
        /// Whether usenet is used.
        enable_usenet: Option<bool>,
        /// Whether torrents are used.
        enable_torrent: Option<bool>,
        /// `usenet`, `torrent`.
        preferred_protocol: Option<String>,
        /// Minutes.
        usenet_delay: Option<i64>,
        /// Minutes.
        torrent_delay: Option<i64>,
        /// The first that fits holds.
        order: Option<i64>,
        /// The instance's own.
        tags: Vec<i64>,
        /// The other shape.
        items: Vec<Named>,
    }
}

resource! {
    /// Terms that releases must or must not have.
    pub ReleaseProfile {
        /// The instance's own.
        id: i64,
        /// As people named it.
        name: Option<String>,
        /// Whether it holds.
        enabled: Option<bool>,
        /// A list, or one text in older versions.
        required: Option<Texts>,
        /// A list, or one text in older versions.
        ignored: Option<Texts>,
        /// The instance's own.
        tags: Vec<i64>,
    }
}

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
    /// Which qualities are wanted, in which order.
    pub QualityProfile {
        /// The instance's own.
        id: i64,
        /// As people named it.
        name: Option<String>,
        /// Whether better files replace others.
        upgrade_allowed: Option<bool>,
        /// The id of a quality or group.
        cutoff: Option<i64>,
        /// Qualities and groups of them, worst first.
        items: Vec<QualityItem>,
        /// Chaptarr: a text or a number.
        profile_type: Option<String>,
    }
}

resource! {
    /// A quality or a group of qualities in a profile.
    pub QualityItem {
        /// Of a group; 0 for a single quality.
        id: i64,
        /// Of a group.
        name: Option<String>,
        /// A single one.
        quality: Option<Quality>,
        /// Of a group.
        items: Vec<QualityItem>,
        /// Whether it is wanted.
        allowed: Option<bool>,
    }
}

resource! {
    /// How large a quality may be.
    pub QualityDefinition {
        /// The instance's own.
        id: i64,
        /// Which.
        quality: Option<Quality>,
        /// As people see it.
        title: Option<String>,
        /// Megabytes a minute.
        min_size: Option<f64>,
        /// Megabytes a minute; absent means no limit.
        max_size: Option<f64>,
    }
}

resource! {
    /// A format of releases that scores.
    pub CustomFormat {
        /// The instance's own; 0 in guides.
        id: i64,
        /// Unique in an instance.
        name: Option<String>,
        /// Whether it is part of file names.
        include_custom_format_when_renaming: Option<bool>,
        /// What a release must be.
        specifications: Vec<Specification>,
    }
}

resource! {
    /// One condition of a custom format.
    pub Specification {
        /// As people named it.
        name: Option<String>,
        /// `ReleaseTitleSpecification`.
        implementation: Option<String>,
        /// Whether it must not hold.
        negate: Option<bool>,
        /// Whether it must hold whatever the others do.
        required: Option<bool>,
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
