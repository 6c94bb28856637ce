//! Counts what goes out. Labelled by the upstream's name and a fixed set of outcomes, never by house, title or address.

use std::time::Duration;

use crate::error::UpstreamError;

#[derive(Debug)]
pub(crate) struct Meter {
    pub(crate) upstream: &'static str,
}

impl Meter {
    /// One attempt, the first being 1.
    pub(crate) fn request(&self, attempt: u32, error: Option<&UpstreamError>, took: Duration) {
        let outcome = error.map_or("answered", UpstreamError::class);
        metrics::counter!("playhouse_upstream_requests_total", "upstream" => self.upstream, "outcome" => outcome)
            .increment(1);
        metrics::histogram!("playhouse_upstream_request_seconds", "upstream" => self.upstream).record(took);
        if attempt > 1 {
            metrics::counter!("playhouse_upstream_retries_total", "upstream" => self.upstream).increment(1);
        }
    }

    /// A call that was answered without a request being sent.
    pub(crate) fn not_sent(&self, error: &UpstreamError) {
        metrics::counter!("playhouse_upstream_not_sent_total", "upstream" => self.upstream, "why" => error.class())
            .increment(1);
    }

    /// One more service of this name is left alone, or one fewer, or no change: so that a service that never failed is told apart from one
    /// that is not measured. Several may share a name, as the instances of many houses do.
    pub(crate) fn circuits_open(&self, change: f64) {
        metrics::gauge!("playhouse_upstream_circuit_open", "upstream" => self.upstream).increment(change);
    }
}

#[cfg(test)]
mod tests {
    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;

    #[test]
    fn metrics_are_told_apart_by_the_upstreams_name_and_the_outcome_alone() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let error = UpstreamError::NotFound { title: "Testflix".into(), said: Default::default() };
        metrics::with_local_recorder(&recorder, || {
            let meter = Meter { upstream: "test" };
            meter.request(1, None, Duration::from_millis(20));
            meter.request(2, Some(&error), Duration::from_millis(20));
            meter.not_sent(&UpstreamError::Crowded { title: "Testflix".into() });
            meter.circuits_open(0.0);
            meter.circuits_open(1.0);
        });

        let text = recorder.handle().render();
        let mut counted: Vec<_> = text.lines().filter(|line| !line.starts_with('#') && line.contains("} 1")).collect();
        counted.sort_unstable();
        assert_eq!(
            counted,
            [
                r#"playhouse_upstream_circuit_open{upstream="test"} 1"#,
                r#"playhouse_upstream_not_sent_total{upstream="test",why="crowded"} 1"#,
                r#"playhouse_upstream_requests_total{upstream="test",outcome="answered"} 1"#,
                r#"playhouse_upstream_requests_total{upstream="test",outcome="not_found"} 1"#,
                r#"playhouse_upstream_retries_total{upstream="test"} 1"#,
            ]
        );
    }
}
