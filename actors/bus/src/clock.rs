//! One clock for timers and for people.

use jiff::Timestamp;
use tokio::time::Instant;

/// Turns the instants the bus measures with into times of day.
///
/// The time of day is taken once, when the bus starts, and counted on from there: health then never jumps when the
/// machine's clock is set, and a test that stops time reads exact values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    origin: Instant,
    wall: Timestamp,
}

impl Clock {
    pub(crate) fn starting_at(wall: Timestamp) -> Self {
        Self { origin: Instant::now(), wall }
    }

    /// The time of day at `instant`.
    pub(crate) fn time_of(&self, instant: Instant) -> Timestamp {
        let passed = instant.saturating_duration_since(self.origin);
        self.wall.checked_add(passed).unwrap_or(Timestamp::MAX)
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.time_of(Instant::now())
    }

    /// Milliseconds since the bus started: an instant that fits an atomic.
    pub(crate) fn milliseconds(&self, instant: Instant) -> u64 {
        u64::try_from(instant.saturating_duration_since(self.origin).as_millis()).unwrap_or(u64::MAX)
    }
}
