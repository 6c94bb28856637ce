//! Which title is meant.

use std::fmt;

use serde::{Deserialize, Serialize};

/// TMDB's number for a movie, a series, a season or an episode; each kind counts for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TmdbId(pub u64);

impl fmt::Display for TmdbId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What sort of title it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TitleKind {
    /// A movie.
    Movie,
    /// A series.
    Series,
}

impl TitleKind {
    /// The kind in TMDB's paths and answers.
    pub(crate) const fn segment(self) -> &'static str {
        match self {
            TitleKind::Movie => "movie",
            TitleKind::Series => "tv",
        }
    }
}

/// One title of TMDB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TitleId {
    /// Its kind.
    pub kind: TitleKind,
    /// Its number among those of its kind.
    pub id: TmdbId,
}

impl TitleId {
    /// The title's path below TMDB's address.
    pub(crate) fn path(self) -> String {
        format!("{}/{}", self.kind.segment(), self.id)
    }
}
