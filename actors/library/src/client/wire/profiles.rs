//! What an instance wants of releases.

use super::common::{Named, Quality};
use super::lenient::{Texts, resource};

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
