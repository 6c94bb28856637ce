//! How good a file or a release is, in each application's own numbers.

use super::{kind::ArrKind, library::BookFormat};

/// A quality by its name; number and source are the application's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quality {
    pub(crate) id: u32,
    pub(crate) name: &'static str,
    pub(crate) source: Option<&'static str>,
    pub(crate) resolution: Option<u32>,
}

impl Quality {
    /// What is downloaded and kept as a rule.
    pub(crate) fn usual(kind: ArrKind, format: Option<BookFormat>) -> Self {
        let of = |id, name| Self { id, name, source: None, resolution: None };
        match (kind, format) {
            (ArrKind::Radarr, _) => Self { id: 3, name: "WEBDL-1080p", source: Some("webdl"), resolution: Some(1080) },
            (ArrKind::Sonarr, _) => Self { id: 3, name: "WEBDL-1080p", source: Some("web"), resolution: Some(1080) },
            (ArrKind::Lidarr, _) => of(6, "FLAC"),
            (ArrKind::Chaptarr, Some(BookFormat::Audiobook)) => of(12, "M4B"),
            (ArrKind::Chaptarr, _) => of(3, "EPUB"),
        }
    }

    /// Better than the usual one, where it is offered at all.
    pub(crate) fn better(kind: ArrKind, format: Option<BookFormat>) -> Self {
        match kind {
            ArrKind::Radarr | ArrKind::Sonarr => {
                Self { id: 7, name: "Bluray-1080p", source: Some("bluray"), resolution: Some(1080) }
            }
            _ => Self::usual(kind, format),
        }
    }

    pub(crate) fn unknown(kind: ArrKind) -> Self {
        match kind {
            ArrKind::Radarr | ArrKind::Sonarr => {
                Self { id: 0, name: "Unknown", source: Some("unknown"), resolution: Some(0) }
            }
            ArrKind::Lidarr => Self { id: 0, name: "Unknown", source: None, resolution: None },
            ArrKind::Chaptarr => Self { id: 0, name: "Unknown Text", source: None, resolution: None },
        }
    }
}
