//! Asks one instance of one of the four services.
//!
//! It never follows a redirect, checks the status, then the content type, then the shape, and tells for each write that failed whether it may
//! have happened. No error names a host, a port, an address or a key, and nothing that a service wrote in a refusal goes further than here.

pub mod base_url;
pub mod calls;
pub mod command;
pub mod error;
pub mod http;
pub mod key;
mod list;
pub mod patience;
mod projection;
pub mod redact;
pub mod release_reference;
mod settings;
pub mod wire;

use std::fmt;
use std::sync::Arc;

use playhouse_bus::Deadline;
use playhouse_upstream::{
    CircuitSettings, CircuitState, Credential, Login, Request, RetrySettings, Upstream, UpstreamError,
    UpstreamSettings, Verb, WebPage,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use base_url::{BaseUrl, BaseUrlFault};
pub use command::{Command, Id, Ids, ImportFile, ImportMode, NonEmpty, RescanFilter};
pub use error::{ArrError, ArrFault, WriteError};
pub use http::ArrHttp;
pub use key::{ArrKey, KeyFault, ProxyLogin};
pub use patience::Patience;
pub use redact::{redact_json, redact_text};
pub use release_reference::{MalformedReference, ReleaseReference, scrub};
pub use wire::{CommandAccepted, Listed};

use crate::Service;
use list::{ListFault, ListSink};

/// Lists, queues, histories and releases are read up to here.
const LIST_LIMIT_BYTES: usize = 64 << 20;

/// Single records are read up to here.
const RECORD_LIMIT_BYTES: usize = 4 << 20;

/// A backstop: how many requests are at one instance at once. What may come together is decided by its actor.
const MAX_IN_FLIGHT: usize = 8;

/// An answer that is not longer is read where it is: another thread would cost more than it saves.
const SMALL_BYTES: usize = 16 * 1024;

/// Asks one instance. Cheap to clone; all clones share its circuit.
#[derive(Clone)]
pub struct ArrClient(Arc<Inner>);

struct Inner {
    service: Service,
    upstream: Upstream,
    credential: Credential,
    /// What may stand in no answer, beside the key.
    base: BaseUrl,
    key: ArrKey,
}

impl ArrClient {
    /// Makes ready to ask the instance at `base`. Nothing is sent yet.
    pub fn new(service: Service, base: &BaseUrl, key: &ArrKey, http: &ArrHttp) -> Self {
        Self::build(service, base, key, None, http)
    }

    /// The same for an instance behind a proxy that asks for a login of its own.
    pub fn behind_proxy(service: Service, base: &BaseUrl, key: &ArrKey, login: &ProxyLogin, http: &ArrHttp) -> Self {
        let login = Login { user: login.user.clone(), password: login.password.clone() };
        Self::build(service, base, key, Some(login), http)
    }

    fn build(service: Service, base: &BaseUrl, key: &ArrKey, login: Option<Login>, http: &ArrHttp) -> Self {
        let settings = UpstreamSettings {
            max_in_flight: MAX_IN_FLIGHT,
            // The caller decides; a write is never repeated anyway.
            retry: RetrySettings { attempts: 1, ..RetrySettings::default() },
            circuit: CircuitSettings { only_silence: true, ..CircuitSettings::default() },
            ..UpstreamSettings::new(service.key(), service.title(), base.url().clone())
        };
        let credential = Credential::Header { name: "x-api-key", secret: key.secret().clone(), login };
        let upstream = Upstream::over(settings, &http.0);
        Self(Arc::new(Inner { service, upstream, credential, base: base.clone(), key: key.clone() }))
    }

    /// The kind of service it asks.
    pub fn service(&self) -> Service {
        self.0.service
    }

    /// Whether the instance is asked at present, for the health page.
    pub fn circuit(&self) -> CircuitState {
        self.0.upstream.circuit()
    }

    /// Reads what is at `path`, below the service's API: `queue`.
    pub async fn read<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        patience: Patience,
        deadline: Deadline,
    ) -> Result<T, ArrError> {
        let call = Call { path, query, patience, deadline };
        let body = self.bytes(call).await?;
        self.decode(path, body).await
    }

    /// Reads one record; `None` when the service has none there (status 404).
    pub async fn read_optional<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        patience: Patience,
        deadline: Deadline,
    ) -> Result<Option<T>, ArrError> {
        match self.read(path, query, patience, deadline).await {
            Ok(record) => Ok(Some(record)),
            Err(ArrError { fault: ArrFault::NotFound, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads a list element by element. A list in an envelope (`{"records": […]}`, `{"releases": […]}`) is found there.
    pub async fn read_list<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        patience: Patience,
        deadline: Deadline,
    ) -> Result<Listed<T>, ArrError> {
        let mut items = Vec::new();
        let n_skipped = self.stream_list(path, query, patience, deadline, |item| items.push(item)).await?;
        Ok(Listed { items, n_skipped })
    }

    /// Reads a list of any length in constant memory; answers how many elements could not be read. `each` has seen the beginning of a list that
    /// ends in an error.
    pub async fn stream_list<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        patience: Patience,
        deadline: Deadline,
        each: impl FnMut(T) + Send,
    ) -> Result<usize, ArrError> {
        let full_path = self.full_path(path);
        let request = self.request(&full_path, Call { path, query, patience, deadline });
        let mut sink = ListSink::new(each);
        // On the heap, as below: a request's future is some kilobytes, and those of callers would carry it along.
        let streamed = Box::pin(self.0.upstream.stream(&request, deadline, &mut sink)).await;
        streamed.map_err(|error| self.error(Verb::Get, path, error))?;
        sink.finish().await.map_err(|fault| {
            let title = self.0.service.title().into();
            let error = match fault {
                ListFault::CutOff => UpstreamError::CutOff { title },
                ListFault::NotAList => UpstreamError::Unexpected { title, line: 1, column: 1 },
                ListFault::WebPage => UpstreamError::NotJson { title, page: Some(WebPage::Other) },
                ListFault::Unreadable => UpstreamError::NotJson { title, page: None },
            };
            self.error(Verb::Get, path, error)
        })
    }

    /// Gives the instance a command. The receipt says that it was taken, not that it was done.
    pub async fn command(&self, command: &Command, deadline: Deadline) -> Result<CommandAccepted, WriteError> {
        const PATH: &str = "command";
        if command.service().is_some_and(|service| service != self.0.service) {
            let error = ArrFault::OtherServicesCommand;
            return Err(WriteError::NotSent(self.fault(Verb::Post, PATH, error)));
        }
        let body = self.write(Verb::Post, PATH, &[], Some(command), deadline).await?;
        self.0.upstream.decode(&body).map_err(|error| WriteError::Unknown(self.error(Verb::Post, PATH, error)))
    }

    /// Removes what is at `path`. The answer's body is not looked at: success has none.
    pub async fn delete(&self, path: &str, query: &[(&str, &str)], deadline: Deadline) -> Result<(), WriteError> {
        self.write::<()>(Verb::Delete, path, query, None, deadline).await.map(drop)
    }

    /// Sends `body` to `path`. The answer's body is not looked at: it is no receipt.
    pub async fn post<B: Serialize>(&self, path: &str, body: &B, deadline: Deadline) -> Result<(), WriteError> {
        self.write(Verb::Post, path, &[], Some(body), deadline).await.map(drop)
    }

    async fn write<B: Serialize>(
        &self,
        verb: Verb,
        path: &str,
        query: &[(&str, &str)],
        body: Option<&B>,
        deadline: Deadline,
    ) -> Result<Vec<u8>, WriteError> {
        self.check_listed(verb, path, query);
        let full_path = self.full_path(path);
        let body = body.map(serde_json::to_vec).transpose().map_err(|_| {
            let error = UpstreamError::NotJson { title: self.0.service.title().into(), page: None };
            WriteError::NotSent(self.error(verb, path, error))
        })?;
        let request = Request {
            query,
            body: body.as_deref(),
            read_timeout: Some(write_patience(path).duration()),
            max_body_bytes: Some(RECORD_LIMIT_BYTES),
            ..Request::new(verb, &full_path, &self.0.credential)
        };
        Box::pin(self.0.upstream.write(&request, deadline)).await.map_err(|error| {
            let named = |error| self.error(verb, path, error);
            match error {
                playhouse_upstream::WriteError::NotSent(error) => WriteError::NotSent(named(error)),
                playhouse_upstream::WriteError::Refused(error) => WriteError::Refused(named(error)),
                playhouse_upstream::WriteError::Unknown(error) => WriteError::Unknown(named(error)),
            }
        })
    }

    async fn bytes(&self, call: Call<'_>) -> Result<Vec<u8>, ArrError> {
        let full_path = self.full_path(call.path);
        let request = self.request(&full_path, call);
        Box::pin(self.0.upstream.read(&request, call.deadline))
            .await
            .map_err(|error| self.error(Verb::Get, call.path, error))
    }

    fn request<'a>(&'a self, full_path: &'a str, call: Call<'a>) -> Request<'a> {
        self.check_listed(Verb::Get, call.path, call.query);
        Request {
            query: call.query,
            read_timeout: Some(call.patience.duration()),
            max_body_bytes: Some(limit_bytes(call.path)),
            ..Request::new(Verb::Get, full_path, &self.0.credential)
        }
    }

    /// An answer read as JSON of this shape; a long one on a thread where the work holds nobody up.
    async fn decode<T: DeserializeOwned + Send + 'static>(&self, path: &str, body: Vec<u8>) -> Result<T, ArrError> {
        let decoded = if body.len() <= SMALL_BYTES {
            self.0.upstream.decode(&body)
        } else {
            let upstream = self.0.upstream.clone();
            let decoding = tokio::task::spawn_blocking(move || upstream.decode(&body));
            let lost = UpstreamError::NotJson { title: self.0.service.title().into(), page: None };
            decoding.await.unwrap_or(Err(lost))
        };
        decoded.map_err(|error| self.error(Verb::Get, path, error))
    }

    /// A call that is not in the table is a fault of this program, found by its tests.
    fn check_listed(&self, verb: Verb, path: &str, query: &[(&str, &str)]) {
        debug_assert!(
            calls::is_listed(self.0.service, verb, path, query),
            "{} {} {path} with {query:?} is not listed in client/calls.rs",
            self.0.service,
            verb.as_str(),
        );
    }

    /// Below the instance's address: `/api/v3/queue`.
    fn full_path(&self, path: &str) -> String {
        format!("{}/{path}", self.0.service.facts().api)
    }

    fn error(&self, verb: Verb, path: &str, error: UpstreamError) -> ArrError {
        self.fault(verb, path, ArrFault::of(error))
    }

    fn fault(&self, verb: Verb, path: &str, fault: ArrFault) -> ArrError {
        ArrError { service: self.0.service, method: verb.as_str().to_owned(), path: self.full_path(path), fault }
    }
}

/// One read.
#[derive(Clone, Copy)]
struct Call<'a> {
    path: &'a str,
    query: &'a [(&'a str, &'a str)],
    patience: Patience,
    deadline: Deadline,
}

/// How long the answer to a read may be. A path that ends in a number leads to one record.
fn limit_bytes(path: &str) -> usize {
    let last = path.rsplit('/').next().unwrap_or_default();
    let is_record = path == "system/status" || (!last.is_empty() && last.bytes().all(|digit| digit.is_ascii_digit()));
    if is_record { RECORD_LIMIT_BYTES } else { LIST_LIMIT_BYTES }
}

/// How long a write may take. A grab has the indexer hand over its file first.
fn write_patience(path: &str) -> Patience {
    if path == "release" { Patience::Slow120s } else { Patience::Quick30s }
}

impl fmt::Debug for ArrClient {
    /// Without address and key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrClient")
            .field("service", &self.0.service)
            .field("circuit", &self.circuit())
            .finish_non_exhaustive()
    }
}
