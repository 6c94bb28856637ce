//! One span and two metrics for each tool call.
//!
//! The span's fields are the house, the tool, the actor, the outcome and the duration; never an argument, which may be
//! what somebody watches or types. The house is in the log and not in the metrics: a log line is read when something is
//! wrong with that house, a dashboard by anyone.
//!
//! A call that went well is a line at level `debug`, any other at `info`, under the target `playhouse::calls`; so
//! `logging.filter = "info,playhouse::calls=debug"` shows all of them.

use std::fmt::Display;
use std::time::{Duration, Instant};

use tracing::Span;
use tracing::field::Empty;

use super::names;

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallOutcome {
    /// The tool answered.
    Answered,
    /// The world refused (TV off, title not found) or the arguments did not fit: a result with `isError`.
    Failed,
    /// The key may not: scope, role or another house's thing.
    Refused,
    /// Too much under way, or the actor is parked.
    Busy,
    /// The deadline passed. The effect, if any, is unknown.
    DeadlinePassed,
    /// Our own fault.
    Panicked,
    /// The caller went away before there was an answer.
    Abandoned,
}

impl CallOutcome {
    /// The name in logs and in the metric's label.
    pub const fn as_str(self) -> &'static str {
        match self {
            CallOutcome::Answered => "answered",
            CallOutcome::Failed => "failed",
            CallOutcome::Refused => "refused",
            CallOutcome::Busy => "busy",
            CallOutcome::DeadlinePassed => "deadline_passed",
            CallOutcome::Panicked => "panicked",
            CallOutcome::Abandoned => "abandoned",
        }
    }
}

/// A call under way. Ended by [`CallSpan::end`]; dropped without it, the caller went away.
#[must_use = "dropping it says that the caller went away"]
#[derive(Debug)]
pub struct CallSpan {
    tool: &'static str,
    span: Span,
    started: Instant,
    outcome: CallOutcome,
}

impl CallSpan {
    /// Begins a call of a listed tool. `tool` is a label of metrics, hence static: a name that a caller made up must not
    /// become one.
    pub fn begin(house: impl Display, tool: &'static str, actor: impl Display) -> Self {
        let span = tracing::info_span!(
            target: "playhouse::calls", "call", %house, tool, %actor, outcome = Empty, duration_ms = Empty
        );
        CallSpan { tool, span, started: Instant::now(), outcome: CallOutcome::Abandoned }
    }

    /// The span, to run the call's work in.
    pub fn span(&self) -> &Span {
        &self.span
    }

    /// Ends the call.
    pub fn end(mut self, outcome: CallOutcome) {
        self.outcome = outcome;
    }
}

impl Drop for CallSpan {
    fn drop(&mut self) {
        let (took, outcome) = (self.started.elapsed(), self.outcome.as_str());
        self.span.record("outcome", outcome).record("duration_ms", milliseconds(took));
        match self.outcome {
            CallOutcome::Answered => tracing::debug!(target: "playhouse::calls", parent: &self.span, "call ended"),
            _ => tracing::info!(target: "playhouse::calls", parent: &self.span, "call ended"),
        }
        metrics::counter!(names::MCP_CALLS, "tool" => self.tool, "outcome" => outcome).increment(1);
        metrics::histogram!(names::MCP_CALL_SECONDS, "tool" => self.tool).record(took);
    }
}

/// To the microsecond, which is as fine as anyone reads.
fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use metrics_exporter_prometheus::PrometheusBuilder;
    use serde_json::Value;

    use super::super::logging::tests::logged;
    use super::*;
    use crate::config::LogFormat;

    #[test]
    fn a_call_is_one_line_with_its_house_tool_actor_outcome_and_duration_and_nothing_else() {
        let text = logged(LogFormat::Json, "info", || {
            CallSpan::begin("h1", "tv_send_key", "tv/h1/t1").end(CallOutcome::Failed);
            CallSpan::begin("h1", "tv_send_key", "tv/h1/t1").end(CallOutcome::Answered);
        });
        let line: Value = serde_json::from_str(&text).expect("the call that went well is a line at level debug");
        let span = line["span"].as_object().unwrap();
        let mut fields: Vec<&str> = span.keys().map(String::as_str).collect();
        fields.sort_unstable();
        assert_eq!(fields, ["actor", "duration_ms", "house", "name", "outcome", "tool"]);
        assert_eq!(
            (&span["house"], &span["tool"], &span["outcome"]),
            (&"h1".into(), &"tv_send_key".into(), &"failed".into())
        );
        assert!(span["duration_ms"].is_number());
    }

    #[test]
    fn calls_are_counted_by_tool_and_outcome_and_never_by_house() {
        let recorder = PrometheusBuilder::new().build_recorder();
        metrics::with_local_recorder(&recorder, || {
            CallSpan::begin("h1", "tv_observe", "tv/h1/t1").end(CallOutcome::Answered);
            drop(CallSpan::begin("h1", "tv_observe", "tv/h1/t1"));
        });
        let text = recorder.handle().render();
        for outcome in ["answered", "abandoned"] {
            let line = format!("playhouse_mcp_calls_total{{tool=\"tv_observe\",outcome=\"{outcome}\"}} 1\n");
            assert!(text.contains(&line), "{text}");
        }
        assert!(text.contains("playhouse_mcp_call_seconds_count{tool=\"tv_observe\"} 2\n"), "{text}");
        assert!(!text.contains("h1"), "{text}");
    }
}
