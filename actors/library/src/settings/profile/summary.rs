//! Profiles in a few words each, for whoever chooses one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::settings::exact::Exact;
use crate::settings::shortened;

/// Of the allowed qualities, the best are shown.
const MAX_QUALITIES: usize = 8;

/// Of the scores that are not zero, this many are shown.
const MAX_SCORES: usize = 6;

/// A quality profile in a few words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct ProfileSummary {
    /// Its id in the instance.
    pub(crate) id: i64,
    /// What it is called.
    pub(crate) name: String,
    /// Whether better releases replace files that are there.
    pub(crate) upgrade_allowed: bool,
    /// At which quality or group upgrading stops; only where upgrades are allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cutoff: Option<CutoffName>,
    /// The best of the allowed qualities and groups at the top level, worst first.
    pub(crate) qualities: Vec<String>,
    /// How many worse ones are allowed beside them.
    pub(crate) n_more_qualities: usize,
    /// Some of the custom formats that have a score.
    pub(crate) scores: Vec<ScoreSummary>,
    /// How many have one that is not zero.
    pub(crate) n_scored: usize,
    /// How many custom formats it lists.
    pub(crate) n_formats: usize,
    /// The least custom-format score that a release needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) min_format_score: Option<i64>,
    /// The custom-format score at which upgrading stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cutoff_format_score: Option<i64>,
    /// Its language; only Radarr's profiles have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<String>,
}

/// A quality or group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct CutoffName {
    /// Its id.
    pub(crate) id: i64,
    /// What it is called.
    pub(crate) name: String,
}

/// A custom format's score in a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct ScoreSummary {
    /// The format.
    pub(crate) name: String,
    /// Its score.
    pub(crate) score: i64,
}

impl ProfileSummary {
    /// The summary of a stored profile; `None` where its shape is unknown.
    pub(super) fn of(profile: &Exact) -> Option<Self> {
        let integer = |name: &str| profile.member(name).and_then(Exact::as_integer);
        let upgrade_allowed = profile.member("upgradeAllowed")?.as_switch()?;
        let top = profile.member("items")?.elements()?;
        let cutoff = integer("cutoff").filter(|_| upgrade_allowed);
        let allowed: Vec<String> = top
            .iter()
            .filter(|item| item.member("allowed").and_then(Exact::as_switch) == Some(true))
            .filter_map(|item| entry(item).map(|(_, name)| name))
            .collect();
        let n_more_qualities = allowed.len().saturating_sub(MAX_QUALITIES);
        let formats = profile.member("formatItems").and_then(Exact::elements).unwrap_or_default();
        let scored: Vec<ScoreSummary> = formats.iter().filter_map(score).filter(|one| one.score != 0).collect();
        let language = profile.member("language").and_then(|language| language.member("name")?.as_text());
        Some(Self {
            id: integer("id")?,
            name: shortened(profile.member("name")?.as_text()?),
            upgrade_allowed,
            cutoff: cutoff.and_then(|id| {
                let (_, name) = top.iter().filter_map(entry).find(|(found, _)| *found == id)?;
                Some(CutoffName { id, name })
            }),
            qualities: allowed[n_more_qualities..].to_vec(),
            n_more_qualities,
            n_scored: scored.len(),
            n_formats: formats.len(),
            scores: scored.into_iter().take(MAX_SCORES).collect(),
            min_format_score: integer("minFormatScore"),
            cutoff_format_score: integer("cutoffFormatScore"),
            language: language.map(shortened),
        })
    }
}

/// Id and name of a quality or a group.
fn entry(item: &Exact) -> Option<(i64, String)> {
    let entry = item.member("quality").filter(|quality| quality.members().is_some()).unwrap_or(item);
    Some((entry.member("id")?.as_integer()?, shortened(entry.member("name")?.as_text()?)))
}

fn score(item: &Exact) -> Option<ScoreSummary> {
    let score = item.member("score")?.as_integer()?;
    let name = match item.member("name").and_then(Exact::as_text) {
        Some(name) => shortened(name),
        None => format!("[{}]", item.member("format")?.as_integer()?),
    };
    Some(ScoreSummary { name, score })
}
