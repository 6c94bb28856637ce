//! TMDB on loopback, and where recorded answers are found.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use playhouse_bus::Deadline;
use playhouse_catalog::tmdb::{Locale, TmdbClient, TmdbSettings};
use serde_json::Value;
use wiremock::{Match, Mock, MockServer, Request, ResponseTemplate, matchers};

pub(crate) const V3_KEY: &str = "c0ffee00c0ffee00c0ffee00c0ffee00";

/// A TMDB on loopback that knows only what a test told it.
pub(crate) struct Tmdb {
    pub(crate) server: MockServer,
    pub(crate) client: TmdbClient,
}

impl Tmdb {
    pub(crate) async fn start() -> Self {
        Self::with_key(V3_KEY).await
    }

    pub(crate) async fn with_key(key: &str) -> Self {
        let server = MockServer::start().await;
        let settings = TmdbSettings { base: format!("{}/3", server.uri()).parse().unwrap(), key: key.parse().unwrap() };
        Self { server, client: TmdbClient::new(settings).unwrap() }
    }

    /// Answers `path` with this, whatever is asked about it.
    pub(crate) async fn knows(&self, path: &str, answer: Value) {
        self.answers(path, ResponseTemplate::new(200).set_body_json(answer)).await;
    }

    /// Answers `path` with exactly this.
    pub(crate) async fn answers(&self, path: &str, answer: ResponseTemplate) {
        Mock::given(matchers::path(format!("/3/{path}"))).respond_with(answer).mount(&self.server).await;
    }

    /// Answers `path` with this if exactly these of the parameters that narrow a search by year are given.
    pub(crate) async fn knows_of_year(
        &self,
        path: &str,
        years: &'static [(&'static str, &'static str)],
        answer: Value,
    ) {
        Mock::given(matchers::path(format!("/3/{path}")))
            .and(Years(years))
            .respond_with(ResponseTemplate::new(200).set_body_json(answer))
            .mount(&self.server)
            .await;
    }

    /// What was asked so far, without the key, language and filter that every request has: `search/tv?query=Lost&year=2004`.
    pub(crate) async fn asked(&self) -> Vec<String> {
        let requests = self.server.received_requests().await.unwrap();
        requests.iter().map(told_apart).collect()
    }
}

fn told_apart(request: &Request) -> String {
    let path = request.url.path().trim_start_matches("/3/");
    let mut parameters: Vec<_> = request
        .url
        .query_pairs()
        .filter(|(name, _)| !["api_key", "language", "include_adult", "region"].contains(&name.as_ref()))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    parameters.sort();
    if parameters.is_empty() { path.to_owned() } else { format!("{path}?{}", parameters.join("&")) }
}

struct Years(&'static [(&'static str, &'static str)]);

impl Match for Years {
    fn matches(&self, request: &Request) -> bool {
        let given: Vec<_> = request.url.query_pairs().filter(|(name, _)| name.contains("year")).collect();
        given.len() == self.0.len()
            && self.0.iter().all(|(name, value)| given.iter().any(|(n, v)| n == name && v == value))
    }
}

pub(crate) fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(20))
}

pub(crate) fn locale() -> Locale {
    Locale { language: "en-US".parse().unwrap(), country: "US".parse().unwrap() }
}

/// A recorded answer of TMDB. The recordings are not part of this repository: they are looked for in `tv-fixtures/tmdb` below the
/// folder that `PLAYHOUSE_SHARED` names, or below `shared` beside the repository. `None`, said loudly, when they are not there.
pub(crate) fn recorded(name: &str) -> Option<Value> {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let shared = std::env::var_os("PLAYHOUSE_SHARED").map_or_else(beside, PathBuf::from);
    let path = shared.join("tv-fixtures/tmdb").join(name);
    match std::fs::read(&path) {
        Ok(bytes) => Some(serde_json::from_slice(&bytes).unwrap()),
        Err(_) => {
            // Not by `eprintln!`: the test harness swallows that when the test passes.
            let _ = writeln!(
                std::io::stderr(),
                "NOT TESTED with recorded answers: {} is not there (see PLAYHOUSE_SHARED)",
                path.display()
            );
            None
        }
    }
}
