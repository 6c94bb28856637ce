//! The requests.

use std::fmt;
use std::time::Duration;

use playhouse_bus::Deadline;
use playhouse_upstream::{BuildError, CircuitState, Upstream, UpstreamSettings};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use url::Url;

use super::details::{ExternalIds, TitleDetails, WireDetails};
use super::error::TmdbError;
use super::find::{Found, OtherId, WireFound};
use super::key::TmdbKey;
use super::providers::WatchProviders;
use super::question::{Locale, TitleQuestion};
use super::search::{self, SearchOutcome};
use super::title_id::{TitleId, TmdbId};
use crate::Language;

/// How TMDB is reached.
#[derive(Debug, Clone)]
pub struct TmdbSettings {
    /// Its address; [`PUBLIC_ADDRESS`](super::PUBLIC_ADDRESS) unless it is a stand-in.
    pub base: Url,
    /// The operator's key.
    pub key: TmdbKey,
}

impl TmdbSettings {
    fn upstream(self) -> UpstreamSettings {
        UpstreamSettings {
            // TMDB allows some 40 to 50 requests a second from one address.
            min_interval: Duration::from_millis(25),
            ..UpstreamSettings::new("tmdb", "TMDB", self.base)
        }
    }
}

/// Asks TMDB. Cheap to clone; all clones share connections, pace and circuit.
#[derive(Clone)]
pub struct TmdbClient {
    upstream: Upstream,
    key: TmdbKey,
}

impl TmdbClient {
    /// Makes ready to ask TMDB. Nothing is sent yet.
    pub fn new(settings: TmdbSettings) -> Result<Self, BuildError> {
        let key = settings.key.clone();
        Ok(Self { upstream: Upstream::new(settings.upstream())?, key })
    }

    /// Whether TMDB is asked at present, for the health page.
    pub fn circuit(&self) -> CircuitState {
        self.upstream.circuit()
    }

    /// Titles that may be meant, best first as TMDB sees it. Takes one to three requests and says how many.
    pub async fn search(
        &self,
        question: &TitleQuestion,
        locale: &Locale,
        deadline: Deadline,
    ) -> Result<SearchOutcome, TmdbError> {
        search::search(self, question, locale, deadline).await
    }

    /// One title in detail, with external ids and watch providers. One request.
    pub async fn details(
        &self,
        title: TitleId,
        language: &Language,
        deadline: Deadline,
    ) -> Result<TitleDetails, TmdbError> {
        let query = [("language", language.as_str()), ("append_to_response", "external_ids,watch/providers")];
        let details: WireDetails = self.get(&title.path(), &query, deadline).await?;
        Ok(details.into_details(title.kind))
    }

    /// A title's ids elsewhere, alone. One request; [`TmdbClient::details`] has them too.
    pub async fn external_ids(&self, title: TitleId, deadline: Deadline) -> Result<ExternalIds, TmdbError> {
        self.get(&format!("{}/external_ids", title.path()), &[], deadline).await
    }

    /// The services that have a title, alone. One request; [`TmdbClient::details`] has them too.
    pub async fn watch_providers(&self, title: TitleId, deadline: Deadline) -> Result<WatchProviders, TmdbError> {
        self.get(&format!("{}/watch/providers", title.path()), &[], deadline).await
    }

    /// Whether a series has this season. One request; mostly [`TitleDetails::lists`] knows it without.
    pub async fn has_season(&self, series: TmdbId, season: u32, deadline: Deadline) -> Result<bool, TmdbError> {
        self.exists(&format!("tv/{series}/season/{season}"), deadline).await
    }

    /// Whether a series has this episode. One request; mostly [`TitleDetails::lists`] knows it without.
    pub async fn has_episode(
        &self,
        series: TmdbId,
        season: u32,
        episode: u32,
        deadline: Deadline,
    ) -> Result<bool, TmdbError> {
        self.exists(&format!("tv/{series}/season/{season}/episode/{episode}"), deadline).await
    }

    /// What goes by an id elsewhere. One request.
    pub async fn find(&self, id: &OtherId, language: &Language, deadline: Deadline) -> Result<Found, TmdbError> {
        let (id, source) = id.as_asked();
        let query = [("external_source", source), ("language", language.as_str())];
        let found: WireFound = self.get(&format!("find/{id}"), &query, deadline).await?;
        Ok(found.into_found())
    }

    /// Only TMDB's own "not found" means no; another 404 comes from something that stands in between.
    async fn exists(&self, path: &str, deadline: Deadline) -> Result<bool, TmdbError> {
        match self.get::<AnyObject>(path, &[], deadline).await {
            Ok(_) => Ok(true),
            Err(TmdbError::NotFound) => Ok(false),
            Err(error) => Err(error),
        }
    }

    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        deadline: Deadline,
    ) -> Result<T, TmdbError> {
        self.upstream.get_json(path, query, self.key.credential(), deadline).await.map_err(TmdbError::of)
    }
}

/// Any object at all; a list or a text is not what TMDB answers with.
#[derive(Deserialize)]
struct AnyObject {
    #[serde(default, rename = "id")]
    _id: IgnoredAny,
}

impl fmt::Debug for TmdbClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TmdbClient").field("upstream", &self.upstream).finish_non_exhaustive()
    }
}
