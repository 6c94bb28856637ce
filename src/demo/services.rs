//! The demo's TMDB and JustWatch: stand-ins on loopback with some thirty titles, so that titles open without keys and without the internet.

use playhouse_standins::{JustWatchStandin, StandinSettings, TmdbStandin};

use crate::config::{Resolver, Secret};

/// A key of the right shape. The stand-in takes any.
const KEY: &str = "00000000000000000000000000000000";

/// The services that are up. Dropping them ends them.
pub(super) struct Services {
    tmdb: TmdbStandin,
    justwatch: JustWatchStandin,
}

impl Services {
    pub(super) fn start() -> Self {
        let settings = StandinSettings::default();
        Self { tmdb: TmdbStandin::start(&settings), justwatch: JustWatchStandin::start(&settings) }
    }

    /// The configuration that leads to them.
    pub(super) fn configuration(&self) -> Resolver {
        Resolver {
            tmdb_api_key: Secret::new(KEY),
            tmdb_url: self.tmdb.url(),
            justwatch_url: self.justwatch.url(),
            ..Resolver::default()
        }
    }
}
