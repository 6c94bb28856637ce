//! What a question is answered with: where a title can be seen, whichever TV it is for.

use std::fmt;

use playhouse_catalog::tmdb::{Candidate, TitleKind, TmdbError};
use playhouse_catalog::{Country, ImdbId};
use serde::{Deserialize, Serialize};

use crate::offer::TitleOffer;
use crate::provider::Provider;
use crate::text::plain;

/// Titles are written by anybody; the longest honest ones are shorter.
pub(crate) const MAX_TITLE_CHARS: usize = 200;

/// Where a title can be seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    /// The title that was taken.
    pub title: MatchedTitle,
    /// Who says where it can be seen.
    pub source: Source,
    /// Where it can be opened, best first; never empty.
    pub offers: Vec<TitleOffer>,
    /// Where else it can be seen.
    pub alternatives: Vec<TitleOffer>,
    /// Titles that fit nearly as well.
    pub runners_up: Vec<OtherTitle>,
}

/// Who says where a title can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// JustWatch, with links.
    JustWatch,
    /// TMDB, which has it from JustWatch and knows services but no links.
    Tmdb,
    /// Nobody needs to: Stremio opens any title by its IMDb id.
    Stremio,
}

impl Source {
    /// Its word in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Source::JustWatch => "justwatch",
            Source::Tmdb => "tmdb",
            Source::Stremio => "stremio",
        }
    }
}

/// The title that was taken, and the part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchedTitle {
    /// TMDB's number among its kind.
    pub tmdb_id: u64,
    /// Movie or series.
    pub kind: TitleKind,
    /// Its name.
    pub name: String,
    /// The year it was first shown.
    pub year: Option<i16>,
    /// The season asked for.
    pub season: Option<u32>,
    /// The episode asked for.
    pub episode: Option<u32>,
    /// Its id at IMDb.
    pub imdb_id: Option<ImdbId>,
}

/// Another title that may have been meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherTitle {
    /// TMDB's number among its kind.
    pub tmdb_id: u64,
    /// Movie or series.
    pub kind: TitleKind,
    /// Its name.
    pub name: String,
    /// The year it was first shown.
    pub year: Option<i16>,
}

impl From<&Candidate> for OtherTitle {
    fn from(candidate: &Candidate) -> Self {
        Self {
            tmdb_id: candidate.id.id.0,
            kind: candidate.id.kind,
            name: plain(&candidate.title, MAX_TITLE_CHARS),
            year: candidate.year(),
        }
    }
}

/// The word for a kind in answers.
pub(crate) const fn media_type(kind: TitleKind) -> &'static str {
    match kind {
        TitleKind::Movie => "movie",
        TitleKind::Series => "tv",
    }
}

fn with_year(f: &mut fmt::Formatter<'_>, name: &str, year: Option<i16>) -> fmt::Result {
    write!(f, "\"{name}\"")?;
    year.map_or(Ok(()), |year| write!(f, " ({year})"))
}

impl fmt::Display for MatchedTitle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_year(f, &self.name, self.year)?;
        match (self.season, self.episode) {
            (Some(season), Some(episode)) => write!(f, " season {season} episode {episode}"),
            (Some(season), None) => write!(f, " season {season}"),
            (None, _) => Ok(()),
        }
    }
}

impl fmt::Display for OtherTitle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_year(f, &self.name, self.year)?;
        write!(f, ", a {}", if self.kind == TitleKind::Movie { "movie" } else { "series" })
    }
}

/// Why a title was not resolved. The words of the first three are known to assistants, and begin as the seed has them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResolveError {
    /// The operator gave no key.
    #[error("resolver disabled: TMDB_API_KEY is not set")]
    Disabled,
    /// There is no such title.
    #[error("title not found on TMDB. {0}")]
    NotFound(Missing),
    /// It cannot be played there.
    #[error("no matching streaming provider for this title in this country{0}")]
    NoProvider(Box<Nowhere>),
    /// TMDB gave no answer.
    #[error("The title could not be looked up. {0}")]
    Tmdb(TmdbError),
    /// Something went wrong half way.
    #[error("Looking the title up was broken off. Try again.")]
    BrokenOff,
}

/// What exactly there is none of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// Nothing by that name.
    Title,
    /// Only titles of other years.
    Year {
        /// The year asked for.
        year: i16,
        /// The titles that there are.
        others: Vec<OtherTitle>,
    },
    /// The series has no such season or episode.
    Part {
        /// The title, with the part asked for.
        title: Box<MatchedTitle>,
        /// The seasons that it has, with the number of episodes where known.
        seasons: Vec<(u32, Option<u32>)>,
    },
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Title => f.write_str("Check the spelling, give a more specific title, or pass `year`; a title with `season` is looked for among series only."),
            Missing::Year { year, others } => {
                let others: Vec<String> = others.iter().map(OtherTitle::to_string).collect();
                write!(f, "Nothing by that name is from {year}; there is {}. Call again with the year of the one that is meant.", others.join("; "))
            }
            Missing::Part { title, seasons } => {
                write!(f, "There is no {title}; ")?;
                let season = |(number, n_episodes): &(u32, Option<u32>)| match n_episodes {
                    Some(n_episodes) => format!("{number} ({n_episodes} episodes)"),
                    None => number.to_string(),
                };
                let seasons: Vec<String> = seasons.iter().take(30).map(season).collect();
                write!(f, "its seasons are {}.", seasons.join(", "))
            }
        }
    }
}

/// A title that cannot be played where it was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nowhere {
    /// The title.
    pub title: MatchedTitle,
    /// The country.
    pub country: Country,
    /// The service asked for.
    pub asked: Option<Provider>,
    /// Where else it can be seen there.
    pub alternatives: Vec<TitleOffer>,
    /// Whether it can be rented or bought.
    pub only_paid: bool,
    /// Whether only TMDB's list of services could be looked at.
    pub without_links: bool,
    /// Titles that fit nearly as well.
    pub runners_up: Vec<OtherTitle>,
}

impl fmt::Display for Nowhere {
    /// Goes on behind the seed's words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ": {} ", self.title)?;
        match (self.asked, &self.alternatives[..]) {
            (Some(Provider::Stremio), _) => {
                return f.write_str("has no IMDb id, without which Stremio cannot open it.");
            }
            (None, []) => write!(f, "is on no service that can be opened in {}.", self.country)?,
            (Some(provider), []) => {
                write!(f, "is not on {} in {}, nor on another service.", provider.name(), self.country)?
            }
            (asked, others) => {
                if let Some(provider) = asked {
                    write!(f, "is not on {} in {}, but ", provider.name(), self.country)?;
                }
                let others: Vec<String> = others.iter().map(said).collect();
                write!(f, "is on {}.", others.join("; "))?;
            }
        }
        if self.only_paid {
            f.write_str(" It can only be rented or bought elsewhere.")?;
        }
        if self.without_links {
            f.write_str(" Only TMDB's list of services could be looked at.")?;
        }
        f.write_str(" Another country or `provider: \"stremio\"` may have it.")?;
        runners_up_words(f, &self.runners_up)
    }
}

/// A service in a sentence: what to call it by, and what is special about it.
pub(crate) fn said(offer: &TitleOffer) -> String {
    let service = &offer.service;
    match (service.provider, service.is_channel) {
        (Some(provider), false) => format!("{} (provider `{provider}`)", provider.name()),
        (Some(provider), true) => {
            format!("{} (a channel inside {}, with a subscription of its own)", service.name, provider.name())
        }
        (None, _) => format!("{} (which this relay cannot open by name)", service.name),
    }
}

/// The sentence that lets an assistant ask.
pub(crate) fn runners_up_words(f: &mut impl fmt::Write, runners_up: &[OtherTitle]) -> fmt::Result {
    if runners_up.is_empty() {
        return Ok(());
    }
    let others: Vec<String> = runners_up.iter().map(OtherTitle::to_string).collect();
    write!(f, " It may have been meant: {}; ask, and call again with its `year`.", others.join("; "))
}
