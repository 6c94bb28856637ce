//! Counts what goes out. Labelled by the upstream's name and a fixed set of outcomes, never by house, title or address.

use std::time::Duration;

use crate::error::UpstreamError;

/// Requests sent, each attempt for itself.
pub const REQUESTS: &str = "playhouse_upstream_requests_total";
/// How long a request took, in seconds.
pub const REQUEST_SECONDS: &str = "playhouse_upstream_request_seconds";
/// Attempts that repeated an earlier one.
pub const RETRIES: &str = "playhouse_upstream_retries_total";
/// Calls that were answered without a request being sent.
pub const NOT_SENT: &str = "playhouse_upstream_not_sent_total";
/// 1 while the service is left alone, 0 otherwise.
pub const CIRCUIT_OPEN: &str = "playhouse_upstream_circuit_open";

#[derive(Debug)]
pub(crate) struct Meter {
    pub(crate) upstream: &'static str,
}

impl Meter {
    pub(crate) fn request(&self, error: Option<&UpstreamError>, took: Duration) {
        let outcome = error.map_or("answered", UpstreamError::class);
        metrics::counter!(REQUESTS, "upstream" => self.upstream, "outcome" => outcome).increment(1);
        metrics::histogram!(REQUEST_SECONDS, "upstream" => self.upstream).record(took);
    }

    pub(crate) fn retries(&self) {
        metrics::counter!(RETRIES, "upstream" => self.upstream).increment(1);
    }

    pub(crate) fn not_sent(&self, error: &UpstreamError) {
        metrics::counter!(NOT_SENT, "upstream" => self.upstream, "reason" => error.class()).increment(1);
    }

    pub(crate) fn circuit_open(&self, open: bool) {
        metrics::gauge!(CIRCUIT_OPEN, "upstream" => self.upstream).set(if open { 1.0 } else { 0.0 });
    }
}
