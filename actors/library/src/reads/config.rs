//! One section of a service's settings, without anything secret.
//!
//! Records of settings hold keys, passwords, cookies and addresses, and some services send them in clear. So this is an allow-list: what is
//! not named here is never looked at, whatever it is called, and only summaries leave the actor.

mod read;
mod summary;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use crate::words::schema_of_words;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use read::ReadConfig;

/// Most records of a section that are answered.
const MAX_ENTRIES: usize = 100;

/// A section of a service's settings that can be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfigSection {
    /// Where releases are searched.
    Indexers,
    /// How long releases are held back, and which protocol is preferred.
    DelayProfiles,
    /// Terms that releases must or must not contain.
    ReleaseProfiles,
    /// Where releases are downloaded.
    DownloadClients,
    /// How paths of download clients translate into the service's own.
    RemotePathMappings,
}

schema_of_words!(ConfigSection: "indexers", "delay_profiles", "release_profiles", "download_clients", "remote_path_mappings");

impl ConfigSection {
    /// The path of its list, below the API.
    pub(crate) const fn path(self) -> &'static str {
        match self {
            ConfigSection::Indexers => "indexer",
            ConfigSection::DelayProfiles => "delayprofile",
            ConfigSection::ReleaseProfiles => "releaseprofile",
            ConfigSection::DownloadClients => "downloadclient",
            ConfigSection::RemotePathMappings => "remotepathmapping",
        }
    }

    /// Its name in a sentence.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            ConfigSection::Indexers => "indexers",
            ConfigSection::DelayProfiles => "delay profiles",
            ConfigSection::ReleaseProfiles => "release profiles",
            ConfigSection::DownloadClients => "download clients",
            ConfigSection::RemotePathMappings => "remote path mappings",
        }
    }
}

impl fmt::Display for ConfigSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// One record of a section, without anything secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct ConfigEntry {
    /// What it is called there.
    pub name: String,
    /// Its settings in words; empty where only its name is known.
    pub detail: String,
    /// Its settings by the service's own names; numbers, texts and switches only.
    pub values: BTreeMap<String, Value>,
}

/// One section of a service's settings, without anything secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Config {
    /// Its records, in the service's order.
    pub entries: Vec<ConfigEntry>,
    /// How many more there are.
    pub n_more: usize,
    /// Records of a shape that this version does not know.
    pub n_skipped: usize,
    /// Whether this build of the service has such a section at all.
    pub exists: bool,
}
