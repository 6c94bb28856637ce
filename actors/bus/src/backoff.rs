//! How long to wait before trying again, and when to stop trying for a while.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use crate::error::Cause;
use crate::kinds::RestartLimit;

/// The wait after the first failure; it doubles with each further one.
const FIRST_WAIT: Duration = Duration::from_millis(10);

/// No wait is longer.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// A parked actor rests at least so long: shorter, and parking would not spare the store anything.
const SHORTEST_REST: Duration = Duration::from_secs(1);

/// Spreads retries, so that actors which failed together do not come back together. Seeded, so that tests repeat.
#[derive(Debug)]
pub(crate) struct Jitter(AtomicU64);

impl Jitter {
    pub(crate) fn seeded(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }

    /// Between half of `wait` and all of it.
    fn shorten(&self, wait: Duration) -> Duration {
        // SplitMix64: one atomic addition a number, and good enough to spread load.
        let mut z = self.0.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let unit = ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
        wait.mul_f64(0.5 + unit / 2.0)
    }
}

/// What follows a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Start again at this time.
    RestartAt(Instant),
    /// Answer calls with the cause until this time; the first call after it tries again.
    ParkUntil(Instant),
}

/// One actor's failures: kept outside the actor, as the actor itself may be lost.
#[derive(Debug)]
pub(crate) struct Record {
    /// Invariant: at most one more than the limit; the oldest go first.
    recent: VecDeque<Instant>,
    in_a_row: u32,
    pub(crate) last_cause: Cause,
}

impl Record {
    pub(crate) fn new(first_cause: Cause) -> Self {
        Self { recent: VecDeque::new(), in_a_row: 0, last_cause: first_cause }
    }

    /// Takes a failure down and says what follows.
    pub(crate) fn failed(&mut self, now: Instant, cause: Cause, limit: RestartLimit, jitter: &Jitter) -> Plan {
        self.last_cause = cause;
        // Counting from the longest rest, too: an actor that fails on each waking has never been well.
        let well_since = limit.window + LONGEST_WAIT;
        if self.recent.back().is_some_and(|last| now.saturating_duration_since(*last) > well_since) {
            self.in_a_row = 0;
        }
        self.recent.retain(|at| now.saturating_duration_since(*at) < limit.window);
        self.recent.push_back(now);
        let wait = jitter.shorten(exponential(self.in_a_row));
        self.in_a_row = self.in_a_row.saturating_add(1);

        let n_failures = u32::try_from(self.recent.len()).unwrap_or(u32::MAX);
        if n_failures <= limit.restarts {
            return Plan::RestartAt(now + wait);
        }
        // The oldest has done its work; without it the record stays small however long the storm lasts.
        self.recent.pop_front();
        Plan::ParkUntil(now + wait.max(jitter.shorten(2 * SHORTEST_REST)))
    }
}

fn exponential(failures_before: u32) -> Duration {
    2u32.checked_pow(failures_before).map_or(LONGEST_WAIT, |factor| FIRST_WAIT.saturating_mul(factor).min(LONGEST_WAIT))
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::error::Failure;

    const LIMIT: RestartLimit = RestartLimit { restarts: 5, window: Duration::from_secs(60) };

    fn cause(text: &str) -> Cause {
        Cause { what: Failure::Panic, text: text.into(), place: None, at: Timestamp::UNIX_EPOCH }
    }

    struct Patient {
        record: Record,
        jitter: Jitter,
        now: Instant,
    }

    impl Patient {
        fn new() -> Self {
            Self { record: Record::new(cause("first")), jitter: Jitter::seeded(1), now: Instant::now() }
        }

        fn fails_after(&mut self, pause: Duration) -> (&'static str, Duration) {
            self.now += pause;
            match self.record.failed(self.now, cause("again"), LIMIT, &self.jitter) {
                Plan::RestartAt(at) => ("restart", at - self.now),
                Plan::ParkUntil(at) => ("park", at - self.now),
            }
        }
    }

    #[test]
    fn waits_double_and_then_the_actor_is_parked() {
        let mut patient = Patient::new();
        for doubled in [10, 20, 40, 80, 160] {
            let (plan, wait) = patient.fails_after(Duration::ZERO);
            assert_eq!(plan, "restart");
            let longest = Duration::from_millis(doubled);
            assert!(longest / 2 <= wait && wait <= longest, "{wait:?} of {longest:?}");
        }

        let (plan, wait) = patient.fails_after(Duration::ZERO);
        assert_eq!(plan, "park");
        assert!(wait >= SHORTEST_REST, "{wait:?}");
    }

    #[test]
    fn failures_far_apart_never_park() {
        let mut patient = Patient::new();
        for _ in 0..100 {
            let (plan, wait) = patient.fails_after(Duration::from_secs(100));
            assert_eq!(plan, "restart");
            assert!(wait <= FIRST_WAIT, "{wait:?}");
        }
    }

    #[test]
    fn an_actor_that_fails_on_each_waking_rests_longer_each_time_but_not_for_ever() {
        let mut patient = Patient::new();
        let mut rests = Vec::new();
        let mut pause = Duration::ZERO;
        for _ in 0..100 {
            let (_, wait) = patient.fails_after(pause);
            rests.push(wait);
            pause = wait;
        }

        assert!(rests.iter().all(|rest| *rest <= LONGEST_WAIT));
        assert!(rests[99] >= LONGEST_WAIT / 2, "{:?}", rests[99]);
        assert!(patient.record.recent.len() <= 6, "{}", patient.record.recent.len());
    }

    #[test]
    fn two_actors_that_fail_together_come_back_apart() {
        let jitter = Jitter::seeded(7);
        let mut waits: Vec<_> = (0..100).map(|_| jitter.shorten(LONGEST_WAIT)).collect();
        waits.sort();
        waits.dedup();

        assert_eq!(waits.len(), 100);
    }
}
