//! Turns: how many requests are on the way at once, how far apart they start, and everyone's silence after "slow down".

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use playhouse_bus::Deadline;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until, timeout_at};

/// Why a turn did not come in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoTurn {
    /// Others are before this call.
    Crowded,
    /// The service asked for silence, for this much longer.
    Silence(Duration),
}

#[derive(Debug)]
pub(crate) struct Pace {
    places: Arc<Semaphore>,
    min_interval: Duration,
    plan: Mutex<Plan>,
}

#[derive(Debug, Clone, Copy)]
struct Plan {
    next_start: Instant,
    silent_until: Instant,
}

impl Pace {
    pub(crate) fn new(max_in_flight: usize, min_interval: Duration) -> Self {
        let now = Instant::now();
        Self {
            places: Arc::new(Semaphore::new(max_in_flight.clamp(1, Semaphore::MAX_PERMITS))),
            min_interval,
            plan: Mutex::new(Plan { next_start: now, silent_until: now }),
        }
    }

    /// Waits until a request may start. The place is held until what is returned is dropped.
    pub(crate) async fn turn(&self, deadline: Deadline) -> Result<OwnedSemaphorePermit, NoTurn> {
        self.refuse_in_silence(deadline)?;
        let place = timeout_at(deadline.instant(), Arc::clone(&self.places).acquire_owned()).await;
        let Ok(Ok(place)) = place else { return Err(NoTurn::Crowded) };
        self.wait_for_start(deadline).await?;
        Ok(place)
    }

    async fn wait_for_start(&self, deadline: Deadline) -> Result<(), NoTurn> {
        loop {
            self.refuse_in_silence(deadline)?;
            let start = {
                let mut plan = self.plan.lock();
                let start = plan.next_start.max(plan.silent_until).max(Instant::now());
                if start > deadline.instant() {
                    return Err(NoTurn::Crowded);
                }
                plan.next_start = start + self.min_interval;
                start
            };
            sleep_until(start).await;
            // Silence may have been asked for while this call slept.
            if self.plan.lock().silent_until <= Instant::now() {
                return Ok(());
            }
        }
    }

    fn refuse_in_silence(&self, deadline: Deadline) -> Result<(), NoTurn> {
        let silent_until = self.plan.lock().silent_until;
        if silent_until > deadline.instant() { Err(NoTurn::Silence(silent_until - Instant::now())) } else { Ok(()) }
    }

    /// Nobody starts a request for so long.
    pub(crate) fn keep_silent_for(&self, duration: Duration) {
        let mut plan = self.plan.lock();
        plan.silent_until = plan.silent_until.max(Instant::now() + duration);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// When each of `n` calls started, in milliseconds, if each takes `takes`.
    async fn starts(pace: &Pace, n: usize, takes: Duration) -> Vec<u128> {
        let begin = Instant::now();
        let calls = (0..n).map(async |_| {
            let _place = pace.turn(Deadline::after(60 * SECOND)).await.unwrap();
            let started = begin.elapsed().as_millis();
            tokio::time::sleep(takes).await;
            started
        });
        join_all(calls).await
    }

    #[tokio::test(start_paused = true)]
    async fn requests_start_at_least_an_interval_apart() {
        let pace = Pace::new(8, Duration::from_millis(250));

        assert_eq!(starts(&pace, 4, Duration::ZERO).await, [0, 250, 500, 750]);
    }

    #[tokio::test(start_paused = true)]
    async fn no_more_are_on_the_way_than_are_allowed() {
        let pace = Pace::new(2, Duration::ZERO);

        assert_eq!(starts(&pace, 5, SECOND).await, [0, 0, 1_000, 1_000, 2_000]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_whose_turn_would_come_too_late_is_told_so_at_once_and_takes_no_turn() {
        let pace = Pace::new(8, 10 * SECOND);
        drop(pace.turn(Deadline::after(SECOND)).await.unwrap());

        let begin = Instant::now();
        assert_eq!(pace.turn(Deadline::after(SECOND)).await.unwrap_err(), NoTurn::Crowded);
        assert_eq!(begin.elapsed(), Duration::ZERO);
        assert!(pace.turn(Deadline::after(10 * SECOND)).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn silence_holds_for_those_who_were_already_waiting() {
        let pace = Pace::new(8, SECOND);
        drop(pace.turn(Deadline::after(SECOND)).await.unwrap());
        let begin = Instant::now();

        let patient = pace.turn(Deadline::after(60 * SECOND));
        let silence = async {
            tokio::time::sleep(SECOND / 2).await;
            pace.keep_silent_for(20 * SECOND);
            assert_eq!(pace.turn(Deadline::after(SECOND)).await.unwrap_err(), NoTurn::Silence(20 * SECOND));
        };
        let (turn, ()) = futures_util::join!(patient, silence);

        assert!(turn.is_ok());
        assert!(begin.elapsed() >= 20 * SECOND, "{:?}", begin.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_shorter_silence_does_not_end_a_longer_one() {
        let pace = Pace::new(1, Duration::ZERO);
        pace.keep_silent_for(20 * SECOND);
        pace.keep_silent_for(SECOND);

        assert_eq!(pace.turn(Deadline::after(2 * SECOND)).await.unwrap_err(), NoTurn::Silence(20 * SECOND));
    }
}
