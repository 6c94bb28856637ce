//! Where metrics are collected, and the text that Prometheus reads.

use std::sync::{Mutex, OnceLock};

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

use super::house_free::HouseFree;
use super::names::{self, MetricKind};
use super::{TelemetryError, process};

/// Upper ends of the buckets of all histograms in seconds. Calls without a TV take less than a millisecond, those with
/// one up to the deadline of 25 s; a factor of about 2.5 keeps the series few.
const SECONDS: [f64; 13] = [0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 2.5, 10.0, 25.0];

/// Upper ends of the buckets of histograms that count things.
const COUNTS: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// The metrics of this process as text. Clones show the same.
#[derive(Clone)]
pub struct Exposition(PrometheusHandle);

impl Exposition {
    /// Installs the recorder for this process, or answers the one installed before: a process has one, however many
    /// instances it runs, as tests do.
    ///
    /// # Errors
    /// [`TelemetryError::Metrics`] when another recorder was installed.
    pub fn of_process() -> Result<Exposition, TelemetryError> {
        static INSTALLED: OnceLock<Exposition> = OnceLock::new();
        static INSTALLING: Mutex<()> = Mutex::new(());

        let _one_at_a_time = INSTALLING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(exposition) = INSTALLED.get() {
            return Ok(exposition.clone());
        }
        let recorder = build().map_err(TelemetryError::Recorder)?;
        let exposition = Exposition(recorder.handle());
        metrics::set_global_recorder(HouseFree::new(recorder)).map_err(|_| TelemetryError::Metrics)?;
        describe();
        metrics::gauge!(names::BUILD_INFO, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
        Ok(INSTALLED.get_or_init(|| exposition).clone())
    }

    /// The text that `GET /metrics` answers, in Prometheus's format 0.0.4.
    pub fn render(&self) -> String {
        process::measure();
        self.0.render()
    }

    /// Moves what histograms recorded out of their buffers. Without it, and without anybody who reads, they would grow.
    pub fn tidy(&self) {
        self.0.run_upkeep();
    }

    #[cfg(test)]
    pub(super) fn of(recorder: &PrometheusRecorder) -> Exposition {
        Exposition(recorder.handle())
    }
}

pub(super) fn build() -> Result<PrometheusRecorder, BuildError> {
    Ok(PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)?
        .set_buckets(&COUNTS)?
        .build_recorder())
}

fn describe() {
    for metric in names::ALL {
        match metric.kind {
            MetricKind::Counter => metrics::describe_counter!(metric.name, metric.help),
            MetricKind::Gauge => metrics::describe_gauge!(metric.name, metric.help),
            MetricKind::Histogram => metrics::describe_histogram!(metric.name, metric.help),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_buckets_in_seconds_and_counts_have_their_own() {
        let recorder = build().unwrap();
        let exposition = Exposition::of(&recorder);
        metrics::with_local_recorder(&recorder, || {
            describe();
            metrics::histogram!(names::MCP_CALL_SECONDS, "tool" => "tv_observe").record(0.003);
            metrics::histogram!("playhouse_store_round_requests").record(3.0);
        });
        exposition.tidy();

        let text = exposition.0.render();
        assert!(text.contains("playhouse_mcp_call_seconds_bucket{tool=\"tv_observe\",le=\"0.0025\"} 0\n"), "{text}");
        assert!(text.contains("playhouse_mcp_call_seconds_bucket{tool=\"tv_observe\",le=\"0.005\"} 1\n"), "{text}");
        assert!(text.contains("# HELP playhouse_mcp_call_seconds Time a tool call took."), "{text}");
        assert!(text.contains("playhouse_store_round_requests_bucket{le=\"4\"} 1\n"), "{text}");
    }
}
