//! A small histogram: how long callers waited, in 160 bytes an actor.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::health::Latency;

/// Each bucket is √2 times as wide as the one before; 40 of them reach from 16 µs to 16 s.
const BUCKETS: usize = 40;

/// The upper end of the first bucket.
const FIRST_MICROSECONDS: f64 = 16.0;

/// When so many values are in, all counts are halved: yesterday's answers weigh little against today's.
const HALVE_AT: u32 = 4_096;

#[derive(Debug)]
pub(crate) struct Histogram {
    buckets: [AtomicU32; BUCKETS],
}

impl Default for Histogram {
    fn default() -> Self {
        Self { buckets: [const { AtomicU32::new(0) }; BUCKETS] }
    }
}

impl Histogram {
    pub(crate) fn record(&self, waited: Duration) {
        let before = self.buckets[bucket_of(waited)].fetch_add(1, Ordering::Relaxed);
        if before >= HALVE_AT {
            for bucket in &self.buckets {
                // Not exact when two threads record together; a quantile does not mind.
                bucket.store(bucket.load(Ordering::Relaxed) / 2, Ordering::Relaxed);
            }
        }
    }

    /// The quantiles, each the upper end of its bucket: at most 41 % too high, never too low. `None` without values.
    pub(crate) fn quantiles(&self) -> Option<Latency> {
        let counts: [u64; BUCKETS] = std::array::from_fn(|i| u64::from(self.buckets[i].load(Ordering::Relaxed)));
        let total: u64 = counts.iter().sum();
        if total == 0 {
            return None;
        }
        let quantile = |percent: u64| {
            let rank = (total * percent).div_ceil(100);
            let mut seen = 0;
            let bucket = counts.iter().position(|count| {
                seen += count;
                seen >= rank
            });
            upper_end(bucket.unwrap_or(BUCKETS - 1))
        };
        Some(Latency { p50: quantile(50), p90: quantile(90), p99: quantile(99) })
    }
}

fn bucket_of(waited: Duration) -> usize {
    let ratio = waited.as_secs_f64() * 1e6 / FIRST_MICROSECONDS;
    if ratio <= 1.0 {
        return 0;
    }
    // The cast saturates, and an endless wait belongs into the last bucket anyway.
    ((ratio.log2() * 2.0).ceil() as usize).min(BUCKETS - 1)
}

fn upper_end(bucket: usize) -> Duration {
    Duration::from_secs_f64(FIRST_MICROSECONDS * 1e-6 * 2f64.powf(bucket as f64 / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_values_no_quantiles() {
        assert_eq!(Histogram::default().quantiles(), None);
    }

    #[test]
    fn one_slow_answer_in_a_hundred_is_not_yet_the_99th_percentile() {
        let histogram = Histogram::default();
        for _ in 0..99 {
            histogram.record(Duration::from_millis(1));
        }
        histogram.record(Duration::from_secs(5));

        let latency = histogram.quantiles().unwrap();
        assert!(latency.p99 < Duration::from_millis(2), "{latency:?}");
        histogram.record(Duration::from_secs(5));
        assert!(histogram.quantiles().unwrap().p99 >= Duration::from_secs(5));
    }

    #[test]
    fn old_answers_fade() {
        let histogram = Histogram::default();
        for _ in 0..10_000 {
            histogram.record(Duration::from_secs(1));
        }
        for _ in 0..5_000 {
            histogram.record(Duration::from_millis(1));
        }

        assert!(histogram.quantiles().unwrap().p50 < Duration::from_millis(2));
    }

    proptest::proptest! {
        #[test]
        fn a_quantile_is_never_too_low_and_at_most_two_fifths_too_high(microseconds in 17u64..11_000_000) {
            let histogram = Histogram::default();
            let waited = Duration::from_micros(microseconds);
            histogram.record(waited);

            let p50 = histogram.quantiles().unwrap().p50;
            proptest::prop_assert!(p50 + Duration::from_nanos(10) >= waited, "{p50:?} for {waited:?}");
            proptest::prop_assert!(p50 <= waited.mul_f64(1.42), "{p50:?} for {waited:?}");
        }
    }
}
