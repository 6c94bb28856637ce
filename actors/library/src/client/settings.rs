//! Profiles and custom formats: read and sent as the text that they are.

use playhouse_bus::Deadline;
use playhouse_upstream::{Request, UpstreamError, Verb};
use serde_json::value::RawValue;

use super::projection::{self, Secrets};
use super::{ArrClient, ArrError, ArrFault, Patience, RECORD_LIMIT_BYTES, SMALL_BYTES, WriteError};

impl ArrClient {
    /// Reads a list of settings, each element to the byte as the service wrote it. The whole may have 4 MiB.
    pub(crate) async fn read_elements(&self, path: &str, deadline: Deadline) -> Result<Vec<String>, ArrError> {
        self.check_listed(Verb::Get, path, &[]);
        let full_path = self.full_path(path);
        let request = Request {
            read_timeout: Some(Patience::Quick30s.duration()),
            max_body_bytes: Some(RECORD_LIMIT_BYTES),
            ..Request::new(Verb::Get, &full_path, &self.0.credential)
        };
        let read = Box::pin(self.0.upstream.read(&request, deadline)).await;
        let body = read.map_err(|error| self.error(Verb::Get, path, error))?;
        let elements = if body.len() <= SMALL_BYTES {
            self.elements(&body)
        } else {
            let client = self.clone();
            let cutting = tokio::task::spawn_blocking(move || client.elements(&body));
            let lost = UpstreamError::NotJson { title: self.0.service.title().into(), page: None };
            cutting.await.unwrap_or(Err(lost))
        };
        elements.map_err(|error| self.error(Verb::Get, path, error))
    }

    fn elements(&self, body: &[u8]) -> Result<Vec<String>, UpstreamError> {
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        let body = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
        let elements: Vec<Box<RawValue>> = self.0.upstream.decode(body)?;
        Ok(elements.into_iter().map(|element| String::from(Box::<str>::from(element))).collect())
    }

    /// Replaces the object at `path` by `body`, which is JSON, and answers the answer's body as it came: perhaps nothing.
    ///
    /// # Errors
    /// What is known of the write. A refusal by the service's rules (status 400) says which, as [`ArrFault::Rejected`].
    pub(crate) async fn put_settings(&self, path: &str, body: &str, deadline: Deadline) -> Result<Vec<u8>, WriteError> {
        self.write_settings(Verb::Put, path, body, deadline).await
    }

    /// Makes an object of `body`. In everything else as [`ArrClient::put_settings`].
    ///
    /// # Errors
    /// As [`ArrClient::put_settings`].
    pub(crate) async fn post_settings(
        &self,
        path: &str,
        body: &str,
        deadline: Deadline,
    ) -> Result<Vec<u8>, WriteError> {
        self.write_settings(Verb::Post, path, body, deadline).await
    }

    async fn write_settings(
        &self,
        verb: Verb,
        path: &str,
        body: &str,
        deadline: Deadline,
    ) -> Result<Vec<u8>, WriteError> {
        self.check_listed(verb, path, &[]);
        let full_path = self.full_path(path);
        let request = Request {
            body: Some(body.as_bytes()),
            read_timeout: Some(Patience::Quick30s.duration()),
            max_body_bytes: Some(RECORD_LIMIT_BYTES),
            // One more than is taken, so that what is longer is known to be.
            max_said_bytes: projection::MAX_BYTES + 1,
            ..Request::new(verb, &full_path, &self.0.credential)
        };
        Box::pin(self.0.upstream.write(&request, deadline)).await.map_err(|error| {
            use playhouse_upstream::WriteError as Of;
            let named = |error| self.error(verb, path, error);
            match error {
                Of::NotSent(error) => WriteError::NotSent(named(error)),
                Of::Refused(error) => match self.details(&error) {
                    Some(details) => WriteError::Refused(self.fault(verb, path, ArrFault::Rejected { details })),
                    None => WriteError::Refused(named(error)),
                },
                Of::Unknown(error) => WriteError::Unknown(named(error)),
            }
        })
    }

    fn details(&self, error: &UpstreamError) -> Option<String> {
        match error {
            UpstreamError::Refused { status: 400, said, .. } => {
                projection::details(said.bytes(), &Secrets::of(&self.0.key, &self.0.base))
            }
            _ => None,
        }
    }
}
