//! How long to wait before a read is tried again.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::settings::RetrySettings;

#[derive(Debug)]
pub(crate) struct Retry {
    settings: RetrySettings,
    state: AtomicU64,
}

impl Retry {
    pub(crate) fn new(settings: RetrySettings, seed: u64) -> Self {
        Self { settings, state: AtomicU64::new(seed) }
    }

    /// The wait after this attempt, counted from 1; `None` when it was the last one.
    pub(crate) fn wait_after(&self, attempt: u32) -> Option<Duration> {
        (attempt < self.settings.attempts).then(|| self.shorten(self.doubled(attempt)))
    }

    /// How long everyone keeps silent when a service says "slow down" and not for how long.
    pub(crate) fn silence_after(&self, attempt: u32) -> Duration {
        self.doubled(attempt).max(Duration::from_secs(1))
    }

    fn doubled(&self, attempt: u32) -> Duration {
        let RetrySettings { first_wait, longest_wait, .. } = self.settings;
        2u32.checked_pow(attempt.saturating_sub(1))
            .map_or(longest_wait, |factor| first_wait.saturating_mul(factor).min(longest_wait))
    }

    /// Between half of `wait` and all of it. SplitMix64: good enough to spread load, and seeded, so that tests repeat.
    fn shorten(&self, wait: Duration) -> Duration {
        let mut z = self.state.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let unit = ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
        wait.mul_f64(0.5 + unit / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest_and_are_shortened_by_up_to_half() {
        let retry = Retry::new(RetrySettings { attempts: 7, ..RetrySettings::default() }, 1);

        for (attempt, whole) in [(1, 250), (2, 500), (3, 1_000), (4, 2_000), (5, 2_000), (6, 2_000)] {
            let wait = retry.wait_after(attempt).unwrap().as_millis();
            assert!((whole / 2..=whole).contains(&wait), "{wait} of {whole}");
        }
        assert_eq!(retry.wait_after(7), None);
    }

    #[test]
    fn two_callers_that_fail_together_come_back_apart() {
        let retry = Retry::new(RetrySettings::default(), 1);

        assert_ne!(retry.wait_after(1), retry.wait_after(1));
    }
}
