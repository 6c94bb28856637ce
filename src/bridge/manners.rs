//! How much a TV may say unasked.
//!
//! The app only ever answers. So frames that answer something cost nothing, however many there are, and everything else is paid from
//! an allowance that fills up slowly: late and doubled answers happen, floods do not. Frames that cannot be read are counted apart.

use tokio::time::Instant;

/// Frames that a TV may send unasked at once.
const UNASKED_AT_ONCE: f64 = 200.0;

/// Frames that a TV may send unasked in a second, for as long as it likes.
const UNASKED_PER_SECOND: f64 = 20.0;

/// Unreadable frames in a row after which a TV is closed.
const MAX_UNREADABLE: u32 = 8;

/// What one TV has said so far.
#[derive(Debug)]
pub(super) struct Manners {
    /// Frames sent to the TV to which no answer has come.
    n_owed: u64,
    unasked_left: f64,
    counted_at: Instant,
    n_unreadable: u32,
}

/// Why a TV is not listened to any longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum BadManners {
    /// Too many frames that answer nothing.
    #[error("too many frames that answer nothing")]
    Flood,
    /// Too many frames that cannot be read.
    #[error("too many frames that are no replies")]
    Garbage,
}

impl Manners {
    /// A TV that has said nothing yet.
    pub(super) fn new(now: Instant) -> Self {
        Manners { n_owed: 0, unasked_left: UNASKED_AT_ONCE, counted_at: now, n_unreadable: 0 }
    }

    /// The TV was sent a frame, which it owes an answer to.
    pub(super) fn asked(&mut self) {
        self.n_owed += 1;
    }

    /// The TV sent a message of any kind.
    ///
    /// # Errors
    /// [`BadManners::Flood`].
    pub(super) fn spoke(&mut self, now: Instant) -> Result<(), BadManners> {
        if self.n_owed > 0 {
            self.n_owed -= 1;
            return Ok(());
        }
        let passed = now.saturating_duration_since(self.counted_at);
        self.counted_at = now;
        self.unasked_left = (self.unasked_left + passed.as_secs_f64() * UNASKED_PER_SECOND).min(UNASKED_AT_ONCE);
        if self.unasked_left < 1.0 {
            return Err(BadManners::Flood);
        }
        self.unasked_left -= 1.0;
        Ok(())
    }

    /// What the TV sent is a reply.
    pub(super) fn was_readable(&mut self) {
        self.n_unreadable = 0;
    }

    /// What the TV sent is no reply.
    ///
    /// # Errors
    /// [`BadManners::Garbage`] when that happened too often in a row.
    pub(super) fn was_unreadable(&mut self) -> Result<(), BadManners> {
        self.n_unreadable += 1;
        if self.n_unreadable >= MAX_UNREADABLE { Err(BadManners::Garbage) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn answers_are_free_however_many_there_are() {
        let now = Instant::now();
        let mut manners = Manners::new(now);
        for _ in 0..10_000 {
            manners.asked();
            assert_eq!(manners.spoke(now), Ok(()));
        }
    }

    #[test]
    fn a_flood_is_cut_off_and_a_trickle_is_not() {
        let start = Instant::now();
        let mut manners = Manners::new(start);
        let n_taken = (0..1_000).take_while(|_| manners.spoke(start).is_ok()).count();
        assert_eq!(n_taken, 200);

        let mut manners = Manners::new(start);
        for n in 0..1_000 {
            assert_eq!(manners.spoke(start + Duration::from_millis(50 * n)), Ok(()), "frame {n}");
        }
    }

    #[test]
    fn garbage_is_borne_for_a_while_unless_it_goes_on() {
        let mut manners = Manners::new(Instant::now());
        for _ in 0..100 {
            for _ in 1..MAX_UNREADABLE {
                assert_eq!(manners.was_unreadable(), Ok(()));
            }
            manners.was_readable();
        }
        let n_borne = (0..100).take_while(|_| manners.was_unreadable().is_ok()).count();
        assert_eq!(n_borne, 7);
    }
}
