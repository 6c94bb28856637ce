//! A season laid out episode by episode: what has aired, what is on disk, and what was on disk before it can have existed.
//!
//! A plain function of the episodes and the time, so that the same season gives the same verdict whoever reads it. Air dates are always
//! `airDateUtc`: `airDate` is the network's local day and may be a day early.

mod read;
mod words;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::words::schema_of_words;
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How long before its stated air time a file may be there without meaning anything: the episodes of a premiere that is released at once are
/// stamped one running time after the other, the last of them hours after the files are out.
const TOLERANCE: SignedDuration = SignedDuration::from_hours(12);

/// How many episodes with files for what has not aired make a finding. A single early file is mostly a wrong date.
const FINDING_FROM: usize = 2;

/// Episodes of one season that an answer lists.
pub(crate) const MAX_LISTED_EPISODES: usize = 60;

/// One episode as the library knows it, joined with its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DatedEpisode {
    /// Its season; 0 holds the specials.
    pub(crate) season: u32,
    /// Its number within the season.
    pub(crate) number: u32,
    /// Its title, empty where there is none yet.
    pub(crate) title: String,
    /// When it airs; `None` for one that is not scheduled.
    pub(crate) air: Option<Timestamp>,
    /// Whether the library says that it holds a file.
    pub(crate) has_file: bool,
    /// That file, where its record was read too.
    pub(crate) file: Option<EpisodeFileFacts>,
}

/// What the timeline needs of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct EpisodeFileFacts {
    /// When the service imported it.
    pub(crate) imported: Option<Timestamp>,
    /// The release it came from, else its file name.
    pub(crate) release: Option<String>,
    /// Name of its quality.
    pub(crate) quality: Option<String>,
}

/// Where an episode stands against the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AirState {
    /// Its air time has come.
    Aired,
    /// Its air time is still ahead.
    Unaired,
    /// It has no air time.
    Unscheduled,
}

schema_of_words!(AirState: "aired", "unaired", "unscheduled");

/// Something about an episode that the reader should look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EpisodeFlag {
    /// There is a file, and it airs more than twelve hours from now.
    UnairedWithFile,
    /// Its file was imported more than twelve hours before it aired.
    ImportedBeforeAir,
    /// It has aired, and there is no file.
    AiredMissing,
}

schema_of_words!(EpisodeFlag: "unaired_with_file", "imported_before_air", "aired_missing");

/// One episode of a laid-out season.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct EpisodeLine {
    /// Its number within the season.
    pub number: u32,
    /// Its title.
    pub title: String,
    /// When it airs, in UTC.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Option<String>")]
    pub air_utc: Option<Timestamp>,
    /// Where it stands against the clock.
    pub state: AirState,
    /// Whether the library holds a file for it.
    pub has_file: bool,
    /// The release its file came from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub release: Option<String>,
    /// The file's quality.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub quality: Option<String>,
    /// When the file was imported, in UTC.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Option<String>")]
    pub imported_utc: Option<Timestamp>,
    /// What to look at.
    pub flags: Vec<EpisodeFlag>,
}

/// A season in three numbers, for the overview of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct SeasonCounts {
    /// The season; 0 holds the specials.
    pub season: u32,
    /// Episodes it has, announced ones included.
    pub total: usize,
    /// Of these, how many have aired.
    pub aired: usize,
    /// Of all, how many the library holds a file for.
    pub with_files: usize,
    /// Whether files are there for content that cannot exist yet.
    pub pre_air_fill: bool,
}

/// A season laid out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct SeasonLayout {
    /// Season, episodes, aired, with files, finding.
    #[serde(flatten)]
    pub counts: SeasonCounts,
    /// Numbers of the episodes with a file that air more than twelve hours from now; sorted, each once.
    pub unaired_with_file: Vec<u32>,
    /// Numbers of the episodes whose file was imported more than twelve hours before they aired; sorted, each once.
    pub imported_before_air: Vec<u32>,
    /// Numbers of the episodes that have aired and have no file; sorted, each once.
    pub aired_missing: Vec<u32>,
    /// The earliest air time that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Option<String>")]
    pub first_air: Option<Timestamp>,
    /// The latest air time that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Option<String>")]
    pub last_air: Option<Timestamp>,
    /// The earliest import that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Option<String>")]
    pub earliest_import: Option<Timestamp>,
    /// What all this means, in plain words.
    pub explanation: String,
    /// The first sixty episodes, by number.
    pub episodes: Vec<EpisodeLine>,
    /// How many more there are.
    pub n_more_episodes: usize,
}

impl SeasonLayout {
    /// The episodes whose files should be deleted and blocklisted: named only where the finding holds and the imports are dated.
    pub fn episodes_to_clear(&self) -> Option<&[u32]> {
        (self.counts.pre_air_fill && !self.imported_before_air.is_empty())
            .then_some(self.imported_before_air.as_slice())
    }
}

impl DatedEpisode {
    fn state(&self, now: Timestamp) -> AirState {
        match self.air {
            None => AirState::Unscheduled,
            // A file on disk does not make it aired.
            Some(air) if air <= now => AirState::Aired,
            Some(_) => AirState::Unaired,
        }
    }

    fn imported(&self) -> Option<Timestamp> {
        self.file.as_ref()?.imported
    }

    fn flags(&self, now: Timestamp) -> Vec<EpisodeFlag> {
        // Without an air date there is nothing to compare with, so such an episode is in no list.
        let Some(air) = self.air else { return Vec::new() };
        let mut flags = Vec::new();
        if self.has_file && air.duration_since(now) > TOLERANCE {
            flags.push(EpisodeFlag::UnairedWithFile);
        }
        let early = self.imported().is_some_and(|imported| air.duration_since(imported) > TOLERANCE);
        if self.has_file && early {
            flags.push(EpisodeFlag::ImportedBeforeAir);
        }
        if !self.has_file && air <= now {
            flags.push(EpisodeFlag::AiredMissing);
        }
        flags
    }

    fn line(&self, now: Timestamp) -> EpisodeLine {
        let file = self.file.clone().unwrap_or_default();
        EpisodeLine {
            number: self.number,
            title: self.title.clone(),
            air_utc: self.air,
            state: self.state(now),
            has_file: self.has_file,
            release: file.release,
            quality: file.quality,
            imported_utc: file.imported,
            flags: self.flags(now),
        }
    }
}

/// Lays out one season. `episodes` are those of this season, in any order.
pub(crate) fn lay_out(season: u32, episodes: &[DatedEpisode], now: Timestamp) -> SeasonLayout {
    let mut lines: Vec<EpisodeLine> = episodes.iter().map(|episode| episode.line(now)).collect();
    lines.sort_by_key(|line| line.number);
    let flagged = |flag| {
        let mut numbers: Vec<u32> =
            lines.iter().filter(|line| line.flags.contains(&flag)).map(|line| line.number).collect();
        numbers.dedup();
        numbers
    };
    let unaired_with_file = flagged(EpisodeFlag::UnairedWithFile);
    let imported_before_air = flagged(EpisodeFlag::ImportedBeforeAir);
    let aired_missing = flagged(EpisodeFlag::AiredMissing);
    let counts = SeasonCounts {
        season,
        total: lines.len(),
        aired: lines.iter().filter(|line| line.state == AirState::Aired).count(),
        with_files: lines.iter().filter(|line| line.has_file).count(),
        pre_air_fill: unaired_with_file.len() >= FINDING_FROM,
    };
    let mut layout = SeasonLayout {
        counts,
        unaired_with_file,
        imported_before_air,
        aired_missing,
        first_air: lines.iter().filter_map(|line| line.air_utc).min(),
        last_air: lines.iter().filter_map(|line| line.air_utc).max(),
        earliest_import: lines.iter().filter_map(|line| line.imported_utc).min(),
        explanation: String::new(),
        n_more_episodes: lines.len().saturating_sub(MAX_LISTED_EPISODES),
        episodes: Vec::new(),
    };
    lines.truncate(MAX_LISTED_EPISODES);
    layout.episodes = lines;
    layout.explanation = words::explanation(&layout);
    layout
}

/// Every season of a series laid out, by number.
pub(crate) fn lay_out_all(episodes: Vec<DatedEpisode>, now: Timestamp) -> Vec<SeasonLayout> {
    let mut seasons: BTreeMap<u32, Vec<DatedEpisode>> = BTreeMap::new();
    for episode in episodes {
        seasons.entry(episode.season).or_default().push(episode);
    }
    seasons.iter().map(|(season, episodes)| lay_out(*season, episodes, now)).collect()
}

/// Of several laid-out seasons, the newest with the finding: the one whose details an overview shows.
pub(crate) fn newest_flagged(seasons: &[SeasonLayout]) -> Option<&SeasonLayout> {
    seasons.iter().filter(|layout| layout.counts.pre_air_fill).max_by_key(|layout| layout.counts.season)
}

pub use read::{ReadTimeline, Timeline};
pub(crate) use words::layout_prose;
