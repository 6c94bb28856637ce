//! Asking JustWatch, slowly.

use std::fmt;
use std::time::Duration;

use playhouse_bus::Deadline;
use playhouse_catalog::{Country, Language};
use playhouse_upstream::{
    BuildError, CircuitState, Credential, RetrySettings, Upstream, UpstreamError, UpstreamSettings,
};
use url::Url;

use super::query::{self, Query};
use super::wire::{Data, Node, Reply};
use crate::text::plain;

/// Where JustWatch is; the questions go to `graphql` below it.
pub const PUBLIC_ADDRESS: &str = "https://apis.justwatch.com";

/// How JustWatch is reached.
#[derive(Debug, Clone)]
pub struct JustWatchSettings {
    /// Its address; [`PUBLIC_ADDRESS`] unless it is a stand-in.
    pub base: Url,
    /// The language of names. One that JustWatch does not know is taken as English.
    pub language: Language,
    /// Between the starts of two requests. No limit is published; a quarter of a second has troubled nobody.
    pub min_interval: Duration,
}

impl JustWatchSettings {
    /// JustWatch at `base`, in English, at the usual pace.
    pub fn at(base: Url) -> Self {
        Self { base, language: Language::american_english(), min_interval: Duration::from_millis(250) }
    }

    fn upstream(self) -> UpstreamSettings {
        UpstreamSettings {
            max_in_flight: 1,
            min_interval: self.min_interval,
            also_means_slow_down: &[403],
            // A second attempt would be a fourth request. TMDB answers without links instead.
            retry: RetrySettings { attempts: 1, ..RetrySettings::default() },
            read_timeout: Duration::from_secs(6),
            ..UpstreamSettings::new("justwatch", "JustWatch", self.base)
        }
    }
}

/// Asks JustWatch. Cheap to clone; all clones share pace and circuit.
#[derive(Clone)]
pub struct JustWatchClient {
    upstream: Upstream,
    language: Language,
}

/// Why JustWatch gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum JustWatchError {
    /// It could not be asked, or its answer not be read.
    #[error(transparent)]
    Upstream(#[from] UpstreamError),
    /// It answered with errors and without data.
    #[error("JustWatch refuses the question: {0}")]
    Refused(String),
}

impl JustWatchClient {
    /// Makes ready to ask JustWatch. Nothing is sent yet.
    ///
    /// # Errors
    /// [`BuildError`] for the operator.
    pub fn new(settings: JustWatchSettings) -> Result<Self, BuildError> {
        let language = settings.language.clone();
        Ok(Self { upstream: Upstream::new(settings.upstream())?, language })
    }

    /// Whether JustWatch is asked at present, for the health page.
    pub fn circuit(&self) -> CircuitState {
        self.upstream.circuit()
    }

    pub(super) async fn search(
        &self,
        name: &str,
        object_type: &str,
        country: Country,
        deadline: Deadline,
    ) -> Result<Vec<Node>, JustWatchError> {
        let data = self.ask(&query::search(name, object_type, country, self.language.primary()), deadline).await?;
        Ok(data.popular_titles.unwrap_or_default().edges.into_iter().map(|edge| edge.node).collect())
    }

    pub(super) async fn seasons(
        &self,
        show: &str,
        country: Country,
        deadline: Deadline,
    ) -> Result<Vec<Node>, JustWatchError> {
        let data = self.ask(&query::seasons(show, country, self.language.primary()), deadline).await?;
        Ok(data.node.unwrap_or_default().seasons)
    }

    pub(super) async fn episodes(
        &self,
        season: &str,
        country: Country,
        deadline: Deadline,
    ) -> Result<Vec<Node>, JustWatchError> {
        let data = self.ask(&query::episodes(season, country, self.language.primary()), deadline).await?;
        Ok(data.node.unwrap_or_default().episodes)
    }

    /// Errors beside data cost only what they are about, so the data counts.
    async fn ask(&self, query: &Query, deadline: Deadline) -> Result<Data, JustWatchError> {
        let reply: Reply = self.upstream.query_json("graphql", query, &Credential::None, deadline).await?;
        let has_data = reply.data.node.is_some() || reply.data.popular_titles.is_some();
        if has_data || reply.errors.is_empty() {
            return Ok(reply.data);
        }
        let said: Vec<String> =
            reply.errors.into_iter().filter_map(|error| error.message).take(3).map(|said| plain(&said, 120)).collect();
        Err(JustWatchError::Refused(said.join("; ")))
    }
}

impl fmt::Debug for JustWatchClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JustWatchClient").field("upstream", &self.upstream).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn justwatch_is_asked_one_question_at_a_time_a_quarter_of_a_second_apart_and_never_twice() {
        let settings = JustWatchSettings::at(PUBLIC_ADDRESS.parse().unwrap()).upstream();
        assert_eq!((settings.max_in_flight, settings.min_interval), (1, Duration::from_millis(250)));
        assert_eq!(settings.retry.attempts, 1);
        assert_eq!(settings.also_means_slow_down, [403], "beside 429");
        assert!(settings.user_agent.starts_with("Playhouse/"), "we say who we are");
    }
}
