//! Every metric, its labels and what it means: for doors that count, for the rules and the dashboard in `ops/`, and for
//! [`house_free`](super::house_free), which lets no other label through.
//!
//! The crates below the doors cannot import this file, so they write their names out; a test compares both.

/// What Prometheus calls a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricKind {
    /// Only grows; the name ends in `_total`.
    Counter,
    /// Goes up and down.
    Gauge,
    /// Shown as `…_bucket`, `…_sum` and `…_count`.
    Histogram,
}

/// One metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: MetricKind,
    /// Its labels.
    pub labels: &'static [&'static str],
    /// What it counts or measures.
    pub help: &'static str,
}

/// HTTP requests answered.
pub const HTTP_REQUESTS: &str = "playhouse_http_requests_total";
/// Time from a request's head to its answer's head.
pub const HTTP_REQUEST_SECONDS: &str = "playhouse_http_request_seconds";
/// Tool calls ended.
pub const MCP_CALLS: &str = "playhouse_mcp_calls_total";
/// How long tool calls took.
pub const MCP_CALL_SECONDS: &str = "playhouse_mcp_call_seconds";
/// Requests refused by a limit.
pub const LIMIT_REFUSALS: &str = "playhouse_limit_refusals_total";
/// Client addresses a limit remembers.
pub const LIMIT_TRACKED_ADDRESSES: &str = "playhouse_limit_tracked_addresses";
/// TVs connected to this process.
pub const BRIDGE_SOCKETS: &str = "playhouse_bridge_sockets";
/// Streams of events that are open.
pub const EVENT_STREAMS: &str = "playhouse_event_streams";
/// Panics outside actors.
pub const PANICS: &str = "playhouse_panics_total";
/// 1, with the version as label.
pub const BUILD_INFO: &str = "playhouse_build_info";
/// File descriptors open in this process.
pub const OPEN_FDS: &str = "process_open_fds";
/// File descriptors this process may open.
pub const MAX_FDS: &str = "process_max_fds";
/// Memory of this process.
pub const RESIDENT_MEMORY: &str = "process_resident_memory_bytes";

/// All labels there are. None names a house, a TV or a person, and each takes few values, all of them ours.
pub const LABELS: [&str; 10] =
    ["door", "status", "tool", "outcome", "limit", "version", "kind", "why", "state", "upstream"];

/// All metrics there are.
pub const ALL: &[Metric] = &[
    counter(HTTP_REQUESTS, &["door", "status"], "HTTP requests answered, by door and status."),
    histogram(HTTP_REQUEST_SECONDS, &["door"], "Time from a request's head to its answer's head."),
    counter(MCP_CALLS, &["tool", "outcome"], "Tool calls ended, by tool and outcome."),
    histogram(MCP_CALL_SECONDS, &["tool"], "Time a tool call took."),
    counter(LIMIT_REFUSALS, &["limit"], "Requests answered 429, by limit."),
    gauge(LIMIT_TRACKED_ADDRESSES, &["limit"], "Client addresses a limit remembers; updated each minute."),
    gauge(BRIDGE_SOCKETS, &[], "TVs connected to this process."),
    gauge(EVENT_STREAMS, &[], "Streams of events that admins have open."),
    counter(PANICS, &[], "Panics outside actors. Those inside are playhouse_actor_failures_total."),
    gauge(BUILD_INFO, &["version"], "Always 1; the label is the version."),
    gauge(OPEN_FDS, &[], "File descriptors open in this process."),
    gauge(MAX_FDS, &[], "File descriptors this process may open."),
    gauge(RESIDENT_MEMORY, &[], "Resident memory of this process."),
    counter("playhouse_actor_calls_total", &["kind", "outcome"], "Calls that an actor took, by kind and outcome."),
    histogram("playhouse_actor_call_seconds", &["kind"], "Time from a call's admission to its answer."),
    counter("playhouse_actor_refused_total", &["kind", "why"], "Calls refused before an actor took them."),
    counter("playhouse_actor_restarts_total", &["kind"], "Starts of actors after a failure."),
    counter("playhouse_actor_failures_total", &["kind", "why"], "Failures of actors, by what failed."),
    gauge("playhouse_actor_calls_admitted", &["kind"], "Calls queued and in flight."),
    gauge("playhouse_actors", &["kind", "state"], "Actors the bus remembers, by state."),
    counter("playhouse_store_overloaded_total", &[], "Commits refused because too many were waiting."),
    histogram("playhouse_store_durable_write_seconds", &[], "Time a round of commits took until it was durable."),
    histogram("playhouse_store_round_requests", &[], "Commits written in one round."),
    counter(
        "playhouse_upstream_requests_total",
        &["upstream", "outcome"],
        "Requests sent to a service, each attempt for itself.",
    ),
    histogram("playhouse_upstream_request_seconds", &["upstream"], "Time a request to a service took."),
    counter("playhouse_upstream_retries_total", &["upstream"], "Requests that repeated an earlier one."),
    counter("playhouse_upstream_not_sent_total", &["upstream", "why"], "Calls answered without asking the service."),
    counter("playhouse_submission_bytes_total", &[], "Bytes of submissions that came in."),
    gauge("playhouse_submissions_under_way", &[], "Submissions that are coming in."),
    gauge("playhouse_upstream_circuit_open", &["upstream"], "Failing services of this name that are left alone."),
];

const fn counter(name: &'static str, labels: &'static [&'static str], help: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Counter, labels, help }
}

const fn gauge(name: &'static str, labels: &'static [&'static str], help: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Gauge, labels, help }
}

const fn histogram(name: &'static str, labels: &'static [&'static str], help: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Histogram, labels, help }
}

#[cfg(test)]
mod tests;
