//! The configuration: one TOML file, the environment over it, and documented defaults under it.
//!
//! ```text
//! defaults (sections.rs)  ◀─ overridden by ─  playhouse.toml  ◀─ overridden by ─  PLAYHOUSE_<SECTION>_<KEY>
//! ```
//!
//! Nothing is guessed and nothing is ignored: an unknown key, an unknown `PLAYHOUSE_…` variable, a value of the wrong
//! kind or outside its range, and two values that contradict each other each stop the start. All mistakes are reported
//! at once, each with its file and line (or its variable), what was found and what was expected.
//!
//! The structs of the sections are the only list of keys. The names of the variables, the nearest-name hints and the
//! check of the shipped example `ops/playhouse.example.toml` are derived from them.

mod assignments;
mod keys;
mod problems;
mod production;
mod reach;
mod report;
mod rules;
mod sections;
mod values;

use std::path::Path;

use serde::{Deserialize, Serialize};

pub use problems::{ConfigError, Origin, Problem};
pub use production::Production;
pub use reach::Reach;
pub use sections::{
    Bridge, Bus, Data, Events, Library, Limits, LogFormat, Logging, Metrics, Pairing, PublicUrl, Resolver, Secret,
    Secrets, Server, Waitlist,
};

use assignments::Assignment;
use keys::Keys;
use report::Origins;

/// Everything an operator decides. Built by [`Config::load`]; `Config::default()` is what an empty file gives.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Where the service listens and how it is reached.
    pub server: Server,
    /// Where it keeps what it must not forget.
    pub data: Data,
    /// The listener for Prometheus.
    pub metrics: Metrics,
    /// How new TVs come in.
    pub pairing: Pairing,
    /// Who would like to be let in.
    pub waitlist: Waitlist,
    /// How often one client address may use the doors that need no key.
    pub limits: Limits,
    /// How many calls may be under way, and for how long.
    pub bus: Bus,
    /// The sockets of the TVs.
    pub bridge: Bridge,
    /// The streams of events that admins listen to.
    pub events: Events,
    /// What a house's own credentials are sealed with.
    pub secrets: Secrets,
    /// Where houses may have their media libraries.
    pub library: Library,
    /// How titles are found.
    pub resolver: Resolver,
    /// What productions and their vendors may send in.
    pub production: Production,
    /// What is logged, and how.
    pub logging: Logging,
    #[serde(skip)]
    origins: Origins,
}

impl Config {
    /// Reads the file (if one is named) and the environment, in that order, over the defaults.
    ///
    /// `environment` may hold any variables; only those that start with `PLAYHOUSE_` are looked at, and `TMDB_API_KEY` and
    /// `RESOLVE_DEFAULT_COUNTRY`.
    ///
    /// # Errors
    /// [`ConfigError::Unreadable`] when the named file cannot be read, [`ConfigError::Wrong`] with every mistake found.
    pub fn load(
        path: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<Config, ConfigError> {
        let keys = Keys::of(&Config::default())?;
        let mut problems = Vec::new();
        let mut assignments = Vec::new();
        if let Some(path) = path {
            let text = std::fs::read_to_string(path)
                .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
            assignments::from_file(&keys, path, &text, &mut assignments, &mut problems);
        }
        assignments::from_environment(&keys, environment, &mut assignments, &mut problems);

        assignments.retain(|assignment| match assignment.check() {
            Ok(()) => true,
            Err(problem) => {
                problems.push(problem);
                false
            }
        });
        let config = Config::from_assignments(assignments)?;
        rules::check(&config, &mut problems);

        if problems.is_empty() { Ok(config) } else { Err(ConfigError::Wrong { problems }) }
    }

    /// Puts the assignments over the defaults; a later one wins.
    fn from_assignments(assignments: Vec<Assignment>) -> Result<Config, ConfigError> {
        let mut table = toml::Table::new();
        let mut origins = Origins::default();
        for Assignment { section, key, value, origin } in assignments {
            origins.set(&section, &key, origin);
            let entry = table.entry(section).or_insert_with(|| toml::Table::new().into());
            if let toml::Value::Table(entries) = entry {
                entries.insert(key, value);
            }
        }
        // Every assignment was read on its own before, so this fails only through a fault of ours; say so all the same.
        let mut config: Config =
            table.try_into().map_err(|source| ConfigError::Internal { source: Box::new(source) })?;
        config.origins = origins;
        Ok(config)
    }

    /// Every key with the value in force, its variable and where the value came from: what `playhouse check` prints.
    ///
    /// # Errors
    /// [`ConfigError::Internal`] when a value cannot be written as TOML, which no file or variable can bring about.
    pub fn in_force(&self) -> Result<String, ConfigError> {
        Ok(report::in_force(&Keys::of(self)?, &self.origins))
    }
}

/// The process's variables that concern us, for [`Config::load`].
///
/// Unlike [`std::env::vars`] it does not panic when some unrelated variable is not UTF-8; one of ours that is not
/// arrives with replacement characters and is then refused like any other wrong value.
pub fn process_environment() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
        .filter(|(name, _)| keys::is_ours(name))
}

#[cfg(test)]
mod tests;
