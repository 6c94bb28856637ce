//! One title in detail.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::providers::WatchProviders;
use super::title_id::{TitleId, TitleKind, TmdbId};
use crate::{ImdbId, lenient};

/// One title in detail, with its ids elsewhere and the services that have it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TitleDetails {
    /// Which title.
    pub id: TitleId,
    /// Its name in the language asked for, or in its own; `None` when TMDB has none.
    pub title: Option<String>,
    /// Its name in its own language, where that is another.
    pub original_title: Option<String>,
    /// When it was first shown: a movie's release, a series' first episode.
    pub first_shown: Option<Date>,
    /// When a series' newest episode was shown.
    pub last_shown: Option<Date>,
    /// Its ids elsewhere.
    pub external_ids: ExternalIds,
    /// The services that have it.
    pub providers: WatchProviders,
    /// A series' seasons; empty for a movie, and where TMDB lists none.
    pub seasons: Vec<SeasonSummary>,
}

/// Whether the details of a series know a season or an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Listed {
    /// It is there.
    Yes,
    /// It is not.
    No,
    /// The details do not tell; [`TmdbClient::has_episode`](super::TmdbClient::has_episode) and
    /// [`TmdbClient::has_season`](super::TmdbClient::has_season) do.
    Unclear,
}

impl TitleDetails {
    /// The year it was first shown.
    pub fn year(&self) -> Option<i16> {
        self.first_shown.map(Date::year)
    }

    /// A season by its number.
    pub fn season(&self, number: u32) -> Option<&SeasonSummary> {
        self.seasons.iter().find(|season| season.number == number)
    }

    /// Whether the season, and the episode if one is given, exists, as far as the details tell without a further request.
    pub fn lists(&self, season: u32, episode: Option<u32>) -> Listed {
        if self.id.kind == TitleKind::Movie {
            return Listed::No;
        }
        let Some(season) = self.season(season) else {
            return if self.seasons.is_empty() { Listed::Unclear } else { Listed::No };
        };
        match (episode, season.n_episodes) {
            (None, _) => Listed::Yes,
            (Some(episode), Some(n_episodes)) if (1..=n_episodes).contains(&episode) => Listed::Yes,
            // Some series number their episodes on through all seasons, so a number above the count may exist.
            (Some(_), _) => Listed::Unclear,
        }
    }

    /// Whether `year` is that of the first showing or of a season, give or take one: people name any of them.
    pub fn fits_year(&self, year: i16) -> bool {
        let seasons = self.seasons.iter().filter_map(|season| season.first_shown);
        self.first_shown.into_iter().chain(seasons).any(|shown| (shown.year() - year).abs() <= 1)
    }
}

/// A title's ids elsewhere. Each may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ExternalIds {
    /// At IMDb.
    #[serde(default, rename = "imdb_id", deserialize_with = "lenient::readable")]
    pub imdb: Option<ImdbId>,
    /// At TheTVDB.
    #[serde(default, rename = "tvdb_id", deserialize_with = "lenient::readable")]
    pub tvdb: Option<u64>,
    /// At Wikidata: `Q190050`.
    #[serde(default, rename = "wikidata_id", deserialize_with = "lenient::text")]
    pub wikidata: Option<String>,
}

/// A season, as the details of its series list it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeasonSummary {
    /// Its number; 0 are the specials.
    #[serde(rename = "season_number")]
    pub number: u32,
    /// How many episodes TMDB knows, announced ones included.
    #[serde(default, rename = "episode_count", deserialize_with = "lenient::readable")]
    pub n_episodes: Option<u32>,
    /// When its first episode was shown.
    #[serde(default, rename = "air_date", deserialize_with = "lenient::date")]
    pub first_shown: Option<Date>,
    /// Its name: `Season 1`, `Specials`.
    #[serde(default, deserialize_with = "lenient::text")]
    pub name: Option<String>,
}

/// Details as TMDB writes them, with what was asked to be appended.
#[derive(Debug, Deserialize)]
pub(crate) struct WireDetails {
    id: TmdbId,
    #[serde(default, deserialize_with = "lenient::text")]
    title: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    name: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    original_title: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    original_name: Option<String>,
    #[serde(default, deserialize_with = "lenient::date")]
    release_date: Option<Date>,
    #[serde(default, deserialize_with = "lenient::date")]
    first_air_date: Option<Date>,
    #[serde(default, deserialize_with = "lenient::date")]
    last_air_date: Option<Date>,
    /// Only movies have it outside `external_ids` as well.
    #[serde(default, deserialize_with = "lenient::readable")]
    imdb_id: Option<ImdbId>,
    #[serde(default, deserialize_with = "lenient::readable")]
    external_ids: Option<ExternalIds>,
    #[serde(default, rename = "watch/providers", deserialize_with = "lenient::readable")]
    providers: Option<WatchProviders>,
    #[serde(default, deserialize_with = "lenient::readable_entries")]
    seasons: Vec<SeasonSummary>,
}

impl WireDetails {
    pub(crate) fn into_details(self, kind: TitleKind) -> TitleDetails {
        let (title, original, first_shown) = match kind {
            TitleKind::Movie => (self.title, self.original_title, self.release_date),
            TitleKind::Series => (self.name, self.original_name, self.first_air_date),
        };
        let title = title.or_else(|| original.clone());
        let mut external_ids = self.external_ids.unwrap_or_default();
        external_ids.imdb = external_ids.imdb.or(self.imdb_id);
        TitleDetails {
            id: TitleId { kind, id: self.id },
            original_title: original.filter(|original| Some(original) != title.as_ref()),
            title,
            first_shown,
            last_shown: self.last_air_date,
            external_ids,
            providers: self.providers.unwrap_or_default(),
            seasons: self.seasons,
        }
    }
}
