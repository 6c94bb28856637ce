//! Metrics that can name no house: a recorder in front of the real one that lets only known labels through.
//!
//! A label on the list takes few values, all of them ours (`tool`, `door`, `kind`, …). Whatever else somebody adds one day,
//! a house's id above all, is dropped here and complained about once, so that neither privacy nor memory depends on
//! everybody remembering the rule.

use std::sync::atomic::{AtomicBool, Ordering};

use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};

use super::names;

/// Lets [`names::LABELS`] through to `R`, and no others.
#[derive(Debug)]
pub struct HouseFree<R> {
    inner: R,
    has_complained: AtomicBool,
}

impl<R> HouseFree<R> {
    /// Guards `inner`.
    pub fn new(inner: R) -> Self {
        HouseFree { inner, has_complained: AtomicBool::new(false) }
    }

    fn guarded<T>(&self, key: &Key, register: impl FnOnce(&R, &Key) -> T) -> T {
        if key.labels().all(|label| is_allowed(label.key())) {
            return register(&self.inner, key);
        }
        let (allowed, refused): (Vec<_>, Vec<_>) = key.labels().cloned().partition(|label| is_allowed(label.key()));
        if !self.has_complained.swap(true, Ordering::Relaxed) {
            let labels: Vec<&str> = refused.iter().map(|label| label.key()).collect();
            tracing::error!(metric = key.name(), ?labels, "dropped labels that telemetry/names.rs does not list");
        }
        register(&self.inner, &Key::from_parts(key.name().to_owned(), allowed))
    }
}

fn is_allowed(label: &str) -> bool {
    names::LABELS.contains(&label)
}

impl<R: Recorder> Recorder for HouseFree<R> {
    fn describe_counter(&self, name: KeyName, unit: Option<Unit>, description: SharedString) {
        self.inner.describe_counter(name, unit, description);
    }

    fn describe_gauge(&self, name: KeyName, unit: Option<Unit>, description: SharedString) {
        self.inner.describe_gauge(name, unit, description);
    }

    fn describe_histogram(&self, name: KeyName, unit: Option<Unit>, description: SharedString) {
        self.inner.describe_histogram(name, unit, description);
    }

    fn register_counter(&self, key: &Key, metadata: &Metadata<'_>) -> Counter {
        self.guarded(key, |inner, key| inner.register_counter(key, metadata))
    }

    fn register_gauge(&self, key: &Key, metadata: &Metadata<'_>) -> Gauge {
        self.guarded(key, |inner, key| inner.register_gauge(key, metadata))
    }

    fn register_histogram(&self, key: &Key, metadata: &Metadata<'_>) -> Histogram {
        self.guarded(key, |inner, key| inner.register_histogram(key, metadata))
    }
}

#[cfg(test)]
mod tests {
    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;

    #[test]
    fn a_label_that_names_a_house_never_reaches_prometheus() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        metrics::with_local_recorder(&HouseFree::new(recorder), || {
            metrics::counter!("one_total", "tool" => "tv_observe", "house" => "the-smiths").increment(1);
            metrics::gauge!("two", "tv" => "bedroom").set(2.0);
            metrics::histogram!("three", "kind" => "tv", "key_id" => "k1").record(3.0);
        });

        let text = handle.render();
        assert!(text.contains("one_total{tool=\"tv_observe\"} 1\n"), "{text}");
        assert!(text.contains("two 2\n"), "{text}");
        assert!(text.contains("three_count{kind=\"tv\"} 1\n"), "{text}");
        for secret in ["smiths", "bedroom", "k1"] {
            assert!(!text.contains(secret), "{text}");
        }
    }
}
