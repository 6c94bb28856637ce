//! Why TMDB gave no answer.

use playhouse_upstream::UpstreamError;
use serde::{Deserialize, Serialize};

use crate::lenient;

/// TMDB's codes, <https://developer.themoviedb.org/docs/errors>.
mod code {
    pub(super) const INVALID_KEY: u16 = 7;
    pub(super) const SUSPENDED_KEY: u16 = 10;
    pub(super) const NOT_FOUND: u16 = 34;
    pub(super) const GATEWAY: u16 = 43;
    pub(super) const MAINTENANCE: u16 = 46;
}

/// Why TMDB gave no answer, in words that say what to do next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TmdbError {
    /// The key is wrong.
    #[error("TMDB does not accept this instance's key. The operator has to set a valid TMDB_API_KEY.")]
    InvalidKey,
    /// The key was valid once.
    #[error("TMDB has suspended this instance's key. The operator has to ask TMDB why, or set another TMDB_API_KEY.")]
    SuspendedKey,
    /// It has no such title, season or episode.
    #[error("TMDB has no such title, season or episode.")]
    NotFound,
    /// The question itself is at fault.
    #[error("TMDB cannot answer this question: {}.", .reasons.join("; "))]
    BadQuestion {
        /// What TMDB said is wrong with it.
        reasons: Vec<String>,
    },
    /// It is being worked on.
    #[error("TMDB is under maintenance. Try again in some minutes.")]
    Maintenance,
    /// Anything that is not particular to TMDB.
    #[error(transparent)]
    Upstream {
        /// What happened.
        #[from]
        error: UpstreamError,
    },
}

/// What TMDB writes when it refuses.
#[derive(Debug, Default, Deserialize)]
struct WireError {
    #[serde(default, deserialize_with = "lenient::readable")]
    status_code: Option<u16>,
    #[serde(default, deserialize_with = "lenient::readable_entries")]
    errors: Vec<String>,
}

impl TmdbError {
    /// Whether the same question may get an answer later without anybody having put something right.
    pub fn is_temporary(&self) -> bool {
        match self {
            TmdbError::Maintenance => true,
            TmdbError::Upstream { error } => error.is_temporary(),
            TmdbError::InvalidKey | TmdbError::SuspendedKey | TmdbError::NotFound | TmdbError::BadQuestion { .. } => {
                false
            }
        }
    }

    /// Reads TMDB's own words, which tell more than the status does.
    pub(crate) fn of(error: UpstreamError) -> Self {
        let (UpstreamError::Unauthorised { said, .. }
        | UpstreamError::NotFound { said, .. }
        | UpstreamError::Refused { said, .. }) = &error
        else {
            return TmdbError::Upstream { error };
        };
        let WireError { status_code, errors } = said.json().unwrap_or_default();
        match (status_code, &error) {
            (Some(code::SUSPENDED_KEY), _) => TmdbError::SuspendedKey,
            (Some(code::INVALID_KEY), _) | (None, UpstreamError::Unauthorised { .. }) => TmdbError::InvalidKey,
            (Some(code::NOT_FOUND), _) => TmdbError::NotFound,
            (Some(code::GATEWAY | code::MAINTENANCE), _) => TmdbError::Maintenance,
            (_, UpstreamError::Refused { status: 422 | 400, .. }) if !errors.is_empty() => {
                TmdbError::BadQuestion { reasons: errors.iter().take(3).map(|reason| plain(reason)).collect() }
            }
            _ => TmdbError::Upstream { error },
        }
    }
}

/// Another's words, short and without anything but text in them.
fn plain(reason: &str) -> String {
    reason.chars().filter(|character| !character.is_control()).take(120).collect()
}
