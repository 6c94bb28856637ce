//! Which searches are made for a question, and when they have found enough.
//!
//! Years lie: people name the year of a season, of the release in their country, or one off. So a year only narrows the first
//! searches, and the last one goes without; whoever ranks the candidates weighs the year then.

use futures_util::future::try_join;
use playhouse_bus::Deadline;
use serde::{Deserialize, Serialize};

use super::candidate::{Candidate, WirePage};
use super::client::TmdbClient;
use super::error::TmdbError;
use super::question::{Locale, TitleQuestion};
use super::title_id::TitleKind;

/// What a search brought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchOutcome {
    /// Titles that may be meant, each once; those that fit the year come first, and otherwise TMDB's order stands, in which the exact title is
    /// not always first.
    pub candidates: Vec<Candidate>,
    /// How many requests that took, of the [`REQUESTS_PER_RESOLVE`](super::REQUESTS_PER_RESOLVE) that a resolution has.
    pub n_requests: u32,
}

/// How a year narrows a typed search.
#[derive(Debug, Clone, Copy)]
enum Narrowed {
    /// The year of any release of a movie, or of any episode of a series.
    Year(i16),
    /// The year of a series' first episode.
    FirstAirYear(i16),
    /// Not at all.
    No,
}

pub(super) async fn search(
    client: &TmdbClient,
    question: &TitleQuestion,
    locale: &Locale,
    deadline: Deadline,
) -> Result<SearchOutcome, TmdbError> {
    let title = question.title.trim();
    if title.is_empty() {
        // TMDB would answer 422; there is no need to ask.
        return Err(TmdbError::BadQuestion { reasons: vec!["no title was given".to_owned()] });
    }
    let asker = Asker { client, title, locale, deadline };
    let mut walk = Walk { title, outcome: SearchOutcome { candidates: Vec::new(), n_requests: 0 } };

    match (question.only_kind(), question.year) {
        (None, None) => {
            walk.found(asker.multi().await?, 1);
        }
        (Some(kind), None) => {
            walk.found(asker.typed(kind, Narrowed::No).await?, 1);
        }
        (None, Some(year)) => {
            let movies = asker.typed(TitleKind::Movie, Narrowed::Year(year));
            let series = asker.typed(TitleKind::Series, Narrowed::FirstAirYear(year));
            let (mut both, series) = try_join(movies, series).await?;
            both.extend(series);
            if !walk.found(both, 2) {
                // A search by the year of any episode would find nothing that this one does not, and would cost one request more
                // than a resolution has.
                walk.found(asker.multi().await?, 1);
            }
        }
        (Some(TitleKind::Movie), Some(year)) => {
            walk.typed(&asker, TitleKind::Movie, &[Narrowed::Year(year), Narrowed::No]).await?;
        }
        (Some(TitleKind::Series), Some(year)) => {
            let steps = [Narrowed::FirstAirYear(year), Narrowed::Year(year), Narrowed::No];
            walk.typed(&asker, TitleKind::Series, &steps).await?;
        }
    }
    Ok(walk.outcome)
}

/// What has been found so far.
struct Walk<'a> {
    title: &'a str,
    outcome: SearchOutcome,
}

impl Walk<'_> {
    /// Takes down what a search brought, and says whether a title of this very name is among it: then the walk is over.
    fn found(&mut self, candidates: Vec<Candidate>, n_requests: u32) -> bool {
        self.outcome.n_requests += n_requests;
        let is_there = candidates.iter().any(|candidate| candidate.is_called(self.title));
        for candidate in candidates {
            if self.outcome.candidates.iter().all(|known| known.id != candidate.id) {
                self.outcome.candidates.push(candidate);
            }
        }
        is_there
    }

    async fn typed(&mut self, asker: &Asker<'_>, kind: TitleKind, steps: &[Narrowed]) -> Result<(), TmdbError> {
        for narrowed in steps {
            if self.found(asker.typed(kind, *narrowed).await?, 1) {
                break;
            }
        }
        Ok(())
    }
}

/// Makes single searches.
struct Asker<'a> {
    client: &'a TmdbClient,
    title: &'a str,
    locale: &'a Locale,
    deadline: Deadline,
}

impl Asker<'_> {
    /// Movies, series and people together; people are dropped. Takes no year.
    async fn multi(&self) -> Result<Vec<Candidate>, TmdbError> {
        let page: WirePage = self.client.get("search/multi", &self.common(), self.deadline).await?;
        Ok(page.into_candidates(None))
    }

    async fn typed(&self, kind: TitleKind, narrowed: Narrowed) -> Result<Vec<Candidate>, TmdbError> {
        let year;
        let mut query = self.common().to_vec();
        match (kind, narrowed) {
            (_, Narrowed::No) => {}
            (TitleKind::Series, Narrowed::FirstAirYear(number)) => {
                year = number.to_string();
                query.push(("first_air_date_year", &year));
            }
            (_, Narrowed::Year(number) | Narrowed::FirstAirYear(number)) => {
                year = number.to_string();
                query.push(("year", &year));
            }
        }
        if kind == TitleKind::Movie {
            query.push(("region", self.locale.country.as_str()));
        }
        let page: WirePage = self.client.get(&format!("search/{}", kind.segment()), &query, self.deadline).await?;
        Ok(page.into_candidates(Some(kind)))
    }

    fn common(&self) -> [(&str, &str); 3] {
        [("query", self.title), ("language", self.locale.language.as_str()), ("include_adult", "false")]
    }
}
