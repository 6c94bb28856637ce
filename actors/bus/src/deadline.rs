//! The time by which a call must be answered; it travels with the call through every actor.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tokio::time::Instant;

/// An absolute point in time on this process's own clock (tokio's, so that tests can stop it).
///
/// Between machines it travels as the milliseconds that are left: their clocks need not agree, and the time on the
/// wire is given to the call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Deadline(Instant);

impl Deadline {
    /// No further off than this, so that adding to a clock can never overflow. No call waits for a year.
    const FURTHEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

    /// From now on, at most `duration` (a year if it is longer).
    pub fn after(duration: Duration) -> Self {
        Self(Instant::now() + duration.min(Self::FURTHEST))
    }

    /// At this instant.
    pub const fn at(instant: Instant) -> Self {
        Self(instant)
    }

    /// What is left; zero when it has passed.
    pub fn remaining(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// The instant itself, for timers.
    pub const fn instant(self) -> Instant {
        self.0
    }

    /// The nearer of the two: what a part of a call may take, within the whole.
    pub fn earlier(self, other: Deadline) -> Self {
        self.min(other)
    }

    /// Whether an answer would come too late.
    pub fn has_passed(self) -> bool {
        self.0 <= Instant::now()
    }
}

impl Serialize for Deadline {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let milliseconds = u64::try_from(self.remaining().as_millis()).unwrap_or(u64::MAX);
        serializer.serialize_u64(milliseconds)
    }
}

impl<'de> Deserialize<'de> for Deadline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u64::deserialize(deserializer).map(|milliseconds| Self::after(Duration::from_millis(milliseconds)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_deadline_passes_when_nothing_is_left() {
        let deadline = Deadline::after(Duration::from_millis(20));

        assert_eq!(deadline.remaining(), Duration::from_millis(20));
        tokio::time::advance(Duration::from_millis(20)).await;
        assert!(deadline.has_passed());
        assert_eq!(deadline.remaining(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn it_travels_as_the_milliseconds_left() {
        let sent = serde_json::to_string(&Deadline::after(Duration::from_millis(1_500))).unwrap();

        assert_eq!(sent, "1500");
        assert_eq!(serde_json::from_str::<Deadline>(&sent).unwrap().remaining(), Duration::from_millis(1_500));
    }

    #[tokio::test(start_paused = true)]
    async fn an_endless_duration_is_a_year() {
        assert_eq!(Deadline::after(Duration::MAX).remaining(), Deadline::FURTHEST);
    }
}
