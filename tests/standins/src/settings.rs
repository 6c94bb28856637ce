//! What the stand-ins of TMDB and JustWatch know.

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use crate::titles::{self, Recordings};

/// What the stand-ins of TMDB and JustWatch know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandinSettings {
    /// Answers of the real services to serve beside our own titles. None unless asked for, so that a test does not depend on what
    /// lies beside the repository.
    pub recordings: Option<Recordings>,
    /// The day on which offers end tomorrow, or ended yesterday.
    pub today: Date,
}

impl Default for StandinSettings {
    fn default() -> Self {
        Self { recordings: None, today: TimeZone::UTC.to_datetime(Timestamp::now()).date() }
    }
}

impl StandinSettings {
    /// With recorded answers, where there are any: under `$PLAYHOUSE_SHARED/tv-fixtures` or in a folder `shared` beside the repository.
    #[must_use]
    pub fn with_recordings_if_any() -> Self {
        Self { recordings: titles::find_recordings(), ..Self::default() }
    }
}
