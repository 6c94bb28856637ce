//! One service that is called over HTTP.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use playhouse_bus::Deadline;
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Response, StatusCode, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout_at};
use url::Host;

use crate::body::{BodyFault, Sink, Start, read_pieces, read_start, read_whole};
use crate::circuit::CircuitState;
use crate::credential::Credential;
use crate::discipline::{Discipline, Fault, Terms};
use crate::error::{Said, UpstreamError, WriteError};
use crate::http::HttpClient;
use crate::page::{self, WebPage};
use crate::redirect::RedirectTarget;
use crate::request::{Request, Verb};
use crate::retry_after::retry_after;
use crate::settings::{BuildError, UpstreamSettings};
use crate::unreached::Unreached;

/// One service that is called over HTTP. Cheap to clone; all clones share connections, turns and the circuit.
///
/// Paths are relative to the service's base address and given unencoded: `movie/550`.
#[derive(Clone)]
pub struct Upstream(Arc<Inner>);

struct Inner {
    settings: UpstreamSettings,
    http: HttpClient,
    discipline: Discipline,
}

impl Upstream {
    /// Makes ready to call the service over connections of its own. Nothing is sent yet.
    pub fn new(settings: UpstreamSettings) -> Result<Self, BuildError> {
        settings.check()?;
        let title = settings.title;
        // A proxy named in the environment is for the world outside; this machine is reached without it.
        let through_proxy = !is_loopback(&settings.base);
        let http = HttpClient::new(settings.http(through_proxy)).map_err(|fault| BuildError::Http { title, fault })?;
        Ok(Self::over(settings, &http))
    }

    /// Makes ready to call the service over connections that others use too; their limits and agent hold instead of the settings' own.
    /// The base address is taken as it is: that it is an http or https address is for the caller to know.
    pub fn over(settings: UpstreamSettings, http: &HttpClient) -> Self {
        let discipline = Discipline::new(&settings);
        Self(Arc::new(Inner { settings, http: http.clone(), discipline }))
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
        let request = Request { query, ..Request::new(Verb::Get, path, credential) };
        self.json(&request, deadline).await
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
        // Only a map with keys that are no text cannot be JSON; what the service then says of an empty body is as good an answer.
        let body = serde_json::to_vec(body).unwrap_or_default();
        let request = Request { body: Some(&body), ..Request::new(Verb::Post, path, credential) };
        self.json(&request, deadline).await
    }

    /// Reads what a request asks for, as it came. Tried again when that may help, within the deadline.
    pub async fn read(&self, request: &Request<'_>, deadline: Deadline) -> Result<Vec<u8>, UpstreamError> {
        let terms = self.terms(request, deadline);
        let outcome = self.0.discipline.run(terms, async |until| self.attempt(request, until).await);
        outcome.await.map_err(|failed| failed.error)
    }

    /// Reads what a request asks for piece by piece, so that memory does not grow with the answer. Not tried again: the sink cannot give back
    /// what it took, and has the beginning of an answer that ends in an error.
    pub async fn stream(
        &self,
        request: &Request<'_>,
        deadline: Deadline,
        sink: &mut impl Sink,
    ) -> Result<(), UpstreamError> {
        let terms = self.terms(request, deadline);
        let outcome = self.0.discipline.once(terms, async |until| {
            let response = self.open(request, until).await?;
            let limit = self.limit(request);
            self.while_answering(until, limit, read_pieces(response, limit, sink)).await
        });
        outcome.await.map_err(|failed| failed.error)
    }

    /// Sends what may change something at the service: once, whatever happens. The error tells whether it may have happened.
    pub async fn write(&self, request: &Request<'_>, deadline: Deadline) -> Result<Vec<u8>, WriteError> {
        let terms = self.terms(request, deadline);
        let outcome = self.0.discipline.once(terms, async |until| self.attempt(request, until).await);
        outcome.await.map_err(|failed| WriteError::of(failed.error, failed.was_sent))
    }

    async fn json<T: DeserializeOwned>(&self, request: &Request<'_>, deadline: Deadline) -> Result<T, UpstreamError> {
        let terms = self.terms(request, deadline);
        let attempt = async |until| {
            let body = self.attempt(request, until).await?;
            self.decode(&body).map_err(Fault::Other)
        };
        self.0.discipline.run(terms, attempt).await.map_err(|failed| failed.error)
    }

    fn terms(&self, request: &Request<'_>, deadline: Deadline) -> Terms {
        Terms { read_timeout: request.read_timeout.unwrap_or(self.0.settings.read_timeout), deadline }
    }

    fn limit(&self, request: &Request<'_>) -> usize {
        request.max_body_bytes.unwrap_or(self.0.settings.max_body_bytes)
    }

    /// An answer read as JSON of this shape.
    pub fn decode<T: DeserializeOwned>(&self, body: &[u8]) -> Result<T, UpstreamError> {
        let title = self.0.settings.title;
        serde_json::from_slice(body).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => {
                UpstreamError::Unexpected { title: title.into(), line: error.line(), column: error.column() }
            }
            _ => self.not_json(body),
        })
    }

    /// What a body that is no JSON is reported as.
    pub fn not_json(&self, body: &[u8]) -> UpstreamError {
        let title = self.0.settings.title;
        let page = page::looks_like_one(body).then(|| WebPage::of(&body[..body.len().min(Said::LIMIT)], title));
        UpstreamError::NotJson { title: title.into(), page }
    }

    /// The base address with `path` below it. Segments are encoded; `.` and `..` lead nowhere.
    fn url(&self, request: &Request<'_>) -> Url {
        let mut url = self.0.settings.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(request.path.split('/').filter(|segment| !segment.is_empty()));
        }
        if !request.query.is_empty() {
            url.query_pairs_mut().extend_pairs(request.query);
        }
        request.credential.put_in_query(&mut url);
        url
    }

    async fn attempt(&self, request: &Request<'_>, until: Instant) -> Result<Vec<u8>, Fault> {
        let response = self.open(request, until).await?;
        let limit = self.limit(request);
        self.while_answering(until, limit, read_whole(response, limit)).await
    }

    /// Sends the request and judges the answer by its head: status first, then what it says of its content.
    async fn open(&self, request: &Request<'_>, until: Instant) -> Result<Response, Fault> {
        let title = || self.0.settings.title.into();
        let url = self.url(request);
        if !self.0.http.permits(&url) {
            return Err(Fault::Other(UpstreamError::Unreachable { title: title(), why: Unreached::NotAllowed }));
        }
        let mut call = self.0.http.client().request(request.verb.method(), url.clone());
        if let Some(body) = request.body {
            call = call.header(CONTENT_TYPE, "application/json").body(body.to_vec());
        }
        // An error of reqwest names the address, and with it the query: nothing of it goes further than this match.
        let response = request.credential.put_in_headers(call).send().await.map_err(|error| {
            Fault::Other(match error.is_builder() {
                // Path and query are encoded, so only a credential can hold what no header may.
                true => UpstreamError::Unauthorised { title: title(), said: Said::default() },
                false => UpstreamError::Unreachable { title: title(), why: Unreached::of(&error) },
            })
        })?;
        let status = response.status();
        if status.is_redirection() {
            let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            let target = RedirectTarget::of(&url, location);
            return Err(Fault::Other(UpstreamError::Redirected { title: title(), status: status.as_u16(), target }));
        }
        if !status.is_success() {
            return Err(self.refusal(response, request, until).await);
        }
        if page::is_announced(response.headers()) {
            let start = self.start(response, Said::LIMIT, until).await;
            let page = Some(WebPage::of(&start.bytes, self.0.settings.title));
            return Err(Fault::Other(UpstreamError::NotJson { title: title(), page }));
        }
        Ok(response)
    }

    /// Reading a body that began to come: if it does not end in time, the service is slow and not down.
    async fn while_answering<T>(
        &self,
        until: Instant,
        limit_bytes: usize,
        body: impl Future<Output = Result<T, BodyFault>>,
    ) -> Result<T, Fault> {
        let title = || self.0.settings.title.into();
        let begun = Instant::now();
        let outcome = timeout_at(until, body).await;
        outcome
            .map_or_else(
                |_| Err(UpstreamError::Slow { title: title(), waited: begun.elapsed() }),
                |body| {
                    body.map_err(|fault| match fault {
                        BodyFault::TooLarge => UpstreamError::TooLarge { title: title(), limit_bytes },
                        BodyFault::CutOff => UpstreamError::CutOff { title: title() },
                    })
                },
            )
            .map_err(Fault::Other)
    }

    /// The beginning of what is no answer; less of it when it does not come in time.
    async fn start(&self, response: Response, limit_bytes: usize, until: Instant) -> Start {
        /// A hint is not worth more waiting.
        const HINT: Duration = Duration::from_secs(2);
        let until = until.min(Instant::now() + HINT);
        timeout_at(until, read_start(response, limit_bytes)).await.unwrap_or_default()
    }

    async fn refusal(&self, response: Response, request: &Request<'_>, until: Instant) -> Fault {
        let title = self.0.settings.title.into();
        let status = response.status();
        if status == StatusCode::TOO_MANY_REQUESTS || self.0.settings.also_means_slow_down.contains(&status.as_u16()) {
            return Fault::SlowDown { asked: retry_after(response.headers()) };
        }
        let Start { bytes, is_whole } = self.start(response, request.max_said_bytes, until).await;
        let said = Said::new(request.credential.strike_from(bytes), is_whole);
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
