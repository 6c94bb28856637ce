//! A title that TMDB offers as the answer to a search.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::title_id::{TitleId, TitleKind, TmdbId};
use crate::lenient;
use crate::title_text::comparable_title;

/// A title that TMDB offers as the answer to a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Which title.
    pub id: TitleId,
    /// Its name in the language asked for, or in its own.
    pub title: String,
    /// Its name in its own language, where that is another.
    pub original_title: Option<String>,
    /// When it was first shown: a movie's release, a series' first episode.
    pub first_shown: Option<Date>,
    /// The language it was made in: `fr`.
    pub original_language: Option<String>,
    /// TMDB's own measure: the larger, the more people look at it now. No unit, no upper bound.
    pub popularity: f64,
    /// How many people voted on it: a steadier measure of how well known it is.
    pub n_votes: u64,
}

impl Candidate {
    /// The year it was first shown.
    pub fn year(&self) -> Option<i16> {
        self.first_shown.map(Date::year)
    }

    /// Whether it is written like `title`, by its name or its original name; see [`comparable_title`].
    pub fn is_called(&self, title: &str) -> bool {
        let wanted = comparable_title(title);
        std::iter::once(&self.title).chain(&self.original_title).any(|name| comparable_title(name) == wanted)
    }
}

/// One result as TMDB writes it: movies have `title` and `release_date`, series `name` and `first_air_date`.
#[derive(Debug, Deserialize)]
pub(crate) struct WireResult {
    id: TmdbId,
    /// Only where kinds are mixed.
    #[serde(default, deserialize_with = "lenient::text")]
    media_type: Option<String>,
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
    #[serde(default, deserialize_with = "lenient::text")]
    original_language: Option<String>,
    #[serde(default, deserialize_with = "lenient::readable")]
    popularity: Option<f64>,
    #[serde(default, deserialize_with = "lenient::readable")]
    vote_count: Option<u64>,
}

impl WireResult {
    /// The candidate; `None` for what is no title, such as a person, and for what has no name at all.
    pub(crate) fn into_candidate(self, searched: Option<TitleKind>) -> Option<Candidate> {
        let kind = match (self.media_type.as_deref(), searched) {
            (Some("movie"), _) => TitleKind::Movie,
            (Some("tv"), _) => TitleKind::Series,
            (Some(_), _) => return None,
            (None, searched) => searched?,
        };
        let (title, original, first_shown) = match kind {
            TitleKind::Movie => (self.title, self.original_title, self.release_date),
            TitleKind::Series => (self.name, self.original_name, self.first_air_date),
        };
        let title = title.or_else(|| original.clone())?;
        Some(Candidate {
            id: TitleId { kind, id: self.id },
            original_title: original.filter(|original| *original != title),
            title,
            first_shown,
            original_language: self.original_language,
            popularity: self.popularity.unwrap_or(0.0),
            n_votes: self.vote_count.unwrap_or(0),
        })
    }
}

/// A page of results.
#[derive(Debug, Deserialize)]
pub(crate) struct WirePage {
    #[serde(default, deserialize_with = "lenient::readable_entries")]
    results: Vec<WireResult>,
}

impl WirePage {
    pub(crate) fn into_candidates(self, searched: Option<TitleKind>) -> Vec<Candidate> {
        self.results.into_iter().filter_map(|result| result.into_candidate(searched)).collect()
    }
}
