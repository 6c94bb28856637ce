//! Finding a title by its id elsewhere.

use serde::{Deserialize, Serialize};

use super::candidate::{Candidate, WireResult};
use super::title_id::{TitleKind, TmdbId};
use crate::{ImdbId, lenient};

/// A title's id elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OtherId {
    /// At IMDb.
    Imdb(ImdbId),
    /// At TheTVDB.
    Tvdb(u64),
}

impl OtherId {
    /// The id and the name of its source, as TMDB wants them.
    pub(crate) fn as_asked(&self) -> (String, &'static str) {
        match self {
            OtherId::Imdb(id) => (id.to_string(), "imdb_id"),
            OtherId::Tvdb(id) => (id.to_string(), "tvdb_id"),
        }
    }
}

/// What goes by an id elsewhere. Usually one of the lists has one entry. People are left out.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Found {
    /// Movies and series.
    pub titles: Vec<Candidate>,
    /// Seasons of a series.
    pub seasons: Vec<SeasonFound>,
    /// Episodes of a series.
    pub episodes: Vec<EpisodeFound>,
}

/// A season that was found by an id of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeasonFound {
    /// Its series.
    #[serde(rename = "show_id")]
    pub series: TmdbId,
    /// Its number.
    #[serde(rename = "season_number")]
    pub season: u32,
}

/// An episode that was found by an id of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpisodeFound {
    /// Its series.
    #[serde(rename = "show_id")]
    pub series: TmdbId,
    /// Its season's number.
    #[serde(rename = "season_number")]
    pub season: u32,
    /// Its number within the season.
    #[serde(rename = "episode_number")]
    pub episode: u32,
}

#[derive(Debug, Deserialize)]
pub(crate) struct WireFound {
    #[serde(default, deserialize_with = "lenient::readable_entries")]
    movie_results: Vec<WireResult>,
    #[serde(default, deserialize_with = "lenient::readable_entries")]
    tv_results: Vec<WireResult>,
    #[serde(default, deserialize_with = "lenient::readable_entries")]
    tv_season_results: Vec<SeasonFound>,
    #[serde(default, deserialize_with = "lenient::readable_entries")]
    tv_episode_results: Vec<EpisodeFound>,
}

impl WireFound {
    pub(crate) fn into_found(self) -> Found {
        let movies = self.movie_results.into_iter().filter_map(|movie| movie.into_candidate(Some(TitleKind::Movie)));
        let series = self.tv_results.into_iter().filter_map(|series| series.into_candidate(Some(TitleKind::Series)));
        Found {
            titles: movies.chain(series).collect(),
            seasons: self.tv_season_results,
            episodes: self.tv_episode_results,
        }
    }
}
