//! Asks one instance of one of the four services.
//!
//! It never follows a redirect, checks the status, then the content type, then the shape, and tells for each write that failed whether it may
//! have happened. No error names a host, a port, an address or a key, and nothing that a service wrote in a refusal goes further than here.

pub mod base_url;
pub mod command;
pub mod error;
pub mod http;
pub mod key;
pub mod patience;
pub mod release_reference;
pub mod wire;

use std::fmt;
use std::sync::Arc;

use playhouse_bus::Deadline;
use playhouse_upstream::{
    CircuitSettings, CircuitState, Credential, Login, Request, RetrySettings, Upstream, UpstreamError,
    UpstreamSettings, Verb,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

pub use base_url::{BaseUrl, BaseUrlFault};
pub use command::{Command, Id, Ids, ImportFile, ImportMode, NonEmpty, RescanFilter};
pub use error::{ArrError, ArrFault, WriteError};
pub use http::ArrHttp;
pub use key::{ArrKey, KeyFault, ProxyLogin};
pub use patience::Patience;
pub use release_reference::{MalformedReference, ReleaseReference, scrub};
pub use wire::{CommandAccepted, Listed};

use crate::Service;

/// Lists, queues, histories and releases are read up to here.
const LIST_LIMIT_BYTES: usize = 64 << 20;

/// Single records are read up to here.
const RECORD_LIMIT_BYTES: usize = 4 << 20;

/// A backstop: how many requests are at one instance at once. What may come together is decided by its actor.
const MAX_IN_FLIGHT: usize = 8;

/// Asks one instance. Cheap to clone; all clones share its circuit.
#[derive(Clone)]
pub struct ArrClient(Arc<Inner>);

struct Inner {
    service: Service,
    upstream: Upstream,
    credential: Credential,
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
        Self(Arc::new(Inner { service, upstream: Upstream::over(settings, &http.0), credential }))
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
        let body = self.bytes(path, query, patience, LIST_LIMIT_BYTES, deadline).await?;
        self.0.upstream.decode(&body).map_err(|error| self.error(Verb::Get, path, error))
    }

    /// Reads one record; `None` when the service has none there (status 404).
    pub async fn read_optional<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        patience: Patience,
        deadline: Deadline,
    ) -> Result<Option<T>, ArrError> {
        match self.bytes(path, query, patience, RECORD_LIMIT_BYTES, deadline).await {
            Ok(body) => self.0.upstream.decode(&body).map(Some).map_err(|error| self.error(Verb::Get, path, error)),
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
        mut each: impl FnMut(T) + Send,
    ) -> Result<usize, ArrError> {
        let elements: Vec<Box<RawValue>> = self.read(path, query, patience, deadline).await?;
        let mut n_skipped = 0;
        for element in elements {
            match serde_json::from_str(element.get()) {
                Ok(element) => each(element),
                Err(_) => n_skipped += 1,
            }
        }
        Ok(n_skipped)
    }

    /// Gives the instance a command. The receipt says that it was taken, not that it was done.
    pub async fn command(&self, command: &Command, deadline: Deadline) -> Result<CommandAccepted, WriteError> {
        const PATH: &str = "command";
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
        let full_path = self.full_path(path);
        let body = body.map(serde_json::to_vec).transpose().map_err(|_| {
            let error = UpstreamError::NotJson { title: self.0.service.title().into(), page: None };
            WriteError::NotSent(self.error(verb, path, error))
        })?;
        let request = Request {
            query,
            body: body.as_deref(),
            read_timeout: Some(Patience::Quick30s.duration()),
            max_body_bytes: Some(RECORD_LIMIT_BYTES),
            ..Request::new(verb, &full_path, &self.0.credential)
        };
        self.0.upstream.write(&request, deadline).await.map_err(|error| {
            let named = |error| self.error(verb, path, error);
            match error {
                playhouse_upstream::WriteError::NotSent(error) => WriteError::NotSent(named(error)),
                playhouse_upstream::WriteError::Refused(error) => WriteError::Refused(named(error)),
                playhouse_upstream::WriteError::Unknown(error) => WriteError::Unknown(named(error)),
            }
        })
    }

    async fn bytes(
        &self,
        path: &str,
        query: &[(&str, &str)],
        patience: Patience,
        limit_bytes: usize,
        deadline: Deadline,
    ) -> Result<Vec<u8>, ArrError> {
        let full_path = self.full_path(path);
        let request = Request {
            query,
            read_timeout: Some(patience.duration()),
            max_body_bytes: Some(limit_bytes),
            ..Request::new(Verb::Get, &full_path, &self.0.credential)
        };
        self.0.upstream.read(&request, deadline).await.map_err(|error| self.error(Verb::Get, path, error))
    }

    /// Below the instance's address: `/api/v3/queue`.
    fn full_path(&self, path: &str) -> String {
        format!("{}/{path}", self.0.service.facts().api)
    }

    fn error(&self, verb: Verb, path: &str, error: UpstreamError) -> ArrError {
        ArrError::of(self.0.service, verb.as_str(), &self.full_path(path), error)
    }
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
