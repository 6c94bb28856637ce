//! One service that is called over HTTP.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use playhouse_bus::Deadline;
use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, Response, StatusCode, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::Host;

use crate::body::{BodyFault, read_start, read_whole};
use crate::circuit::CircuitState;
use crate::credential::Credential;
use crate::discipline::{Discipline, Fault, Repeat};
use crate::error::{Said, UpstreamError};
use crate::retry_after::retry_after;
use crate::settings::{BuildError, UpstreamSettings};

/// One service that is called over HTTP. Cheap to clone; all clones share connections, turns and the circuit.
///
/// Paths are relative to the service's base address and given unencoded: `movie/550`.
#[derive(Clone)]
pub struct Upstream(Arc<Inner>);

struct Inner {
    settings: UpstreamSettings,
    http: reqwest::Client,
    discipline: Discipline,
}

impl Upstream {
    /// Makes ready to call the service. Nothing is sent yet.
    pub fn new(settings: UpstreamSettings) -> Result<Self, BuildError> {
        settings.check()?;
        let title = settings.title;
        let user_agent = reqwest::header::HeaderValue::from_str(&settings.user_agent)
            .map_err(|_| BuildError::UserAgent { title })?;
        let mut builder = reqwest::Client::builder()
            .redirect(Policy::none())
            .connect_timeout(settings.connect_timeout)
            .user_agent(user_agent);
        if is_loopback(&settings.base) {
            // A proxy named in the environment is for the world outside; this machine is reached without it.
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|_| BuildError::Tls { title })?;
        let discipline = Discipline::new(&settings);
        Ok(Self(Arc::new(Inner { settings, http, discipline })))
    }

    /// The service's name in metrics and logs.
    pub fn name(&self) -> &'static str {
        self.0.settings.name
    }

    /// Whether the service is asked at present, for the health page.
    pub fn circuit(&self) -> CircuitState {
        self.0.discipline.circuit()
    }

    /// Reads what is at `path`. Tried again when that may help, within the deadline.
    pub async fn get_json<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        credential: &Credential,
        deadline: Deadline,
    ) -> Result<T, UpstreamError> {
        let mut url = self.url(path);
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        credential.put_in_query(&mut url);
        let request = || credential.put_in_headers(self.0.http.get(url.clone()));
        self.0.discipline.run(Repeat::Allowed, deadline, || self.attempt(request(), credential)).await
    }

    /// Puts a question that is too long for an address, as GraphQL does. It changes nothing at the service, and is therefore tried
    /// again like [`Upstream::get_json`].
    pub async fn query_json<B: Serialize, T: DeserializeOwned>(
        &self,
        path: &str,
        body: &B,
        credential: &Credential,
        deadline: Deadline,
    ) -> Result<T, UpstreamError> {
        self.post(Repeat::Allowed, path, body, credential, deadline).await
    }

    /// Sends what may change something at the service: once, whatever happens. When no answer came, the outcome is unknown.
    pub async fn post_json<B: Serialize, T: DeserializeOwned>(
        &self,
        path: &str,
        body: &B,
        credential: &Credential,
        deadline: Deadline,
    ) -> Result<T, UpstreamError> {
        self.post(Repeat::Never, path, body, credential, deadline).await
    }

    async fn post<B: Serialize, T: DeserializeOwned>(
        &self,
        repeat: Repeat,
        path: &str,
        body: &B,
        credential: &Credential,
        deadline: Deadline,
    ) -> Result<T, UpstreamError> {
        let mut url = self.url(path);
        credential.put_in_query(&mut url);
        let request = || credential.put_in_headers(self.0.http.post(url.clone()).json(body));
        self.0.discipline.run(repeat, deadline, || self.attempt(request(), credential)).await
    }

    /// The base address with `path` below it. Segments are encoded; `.` and `..` lead nowhere.
    fn url(&self, path: &str) -> Url {
        let mut url = self.0.settings.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path.split('/').filter(|segment| !segment.is_empty()));
        }
        url
    }

    async fn attempt<T: DeserializeOwned>(&self, request: RequestBuilder, credential: &Credential) -> Result<T, Fault> {
        let title = || self.0.settings.title.into();
        // An error of reqwest names the address, and with it the query: nothing of it goes further than this match.
        let response = request.send().await.map_err(|error| {
            Fault::Other(match error.is_builder() {
                // Path and query are encoded, so only a credential can hold what no header may.
                true => UpstreamError::Unauthorised { title: title(), said: Said::default() },
                false => UpstreamError::Unreachable { title: title() },
            })
        })?;
        if !response.status().is_success() {
            return Err(self.refusal(response, credential).await);
        }
        let limit_bytes = self.0.settings.max_body_bytes;
        let body = read_whole(response, limit_bytes).await.map_err(|fault| {
            Fault::Other(match fault {
                BodyFault::TooLarge => UpstreamError::TooLarge { title: title(), limit_bytes },
                BodyFault::CutOff => UpstreamError::CutOff { title: title() },
            })
        })?;
        serde_json::from_slice(&body).map_err(|error| {
            Fault::Other(match error.classify() {
                serde_json::error::Category::Data => {
                    UpstreamError::Unexpected { title: title(), line: error.line(), column: error.column() }
                }
                _ => UpstreamError::NotJson { title: title(), looks_like_html: looks_like_html(&body) },
            })
        })
    }

    async fn refusal(&self, response: Response, credential: &Credential) -> Fault {
        let title = self.0.settings.title.into();
        let status = response.status();
        if status == StatusCode::TOO_MANY_REQUESTS || self.0.settings.also_means_slow_down.contains(&status.as_u16()) {
            return Fault::SlowDown { asked: retry_after(response.headers()) };
        }
        let said = Said::new(credential.strike_from(read_start(response, Said::LIMIT).await));
        Fault::Other(match status {
            StatusCode::UNAUTHORIZED => UpstreamError::Unauthorised { title, said },
            StatusCode::NOT_FOUND => UpstreamError::NotFound { title, said },
            _ => UpstreamError::Refused { title, status: status.as_u16(), said },
        })
    }
}

impl fmt::Debug for Upstream {
    /// Without the address.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upstream").field("name", &self.name()).field("circuit", &self.circuit()).finish_non_exhaustive()
    }
}

fn is_loopback(base: &Url) -> bool {
    match base.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

fn looks_like_html(body: &[u8]) -> bool {
    body.trim_ascii_start().first() == Some(&b'<')
}
