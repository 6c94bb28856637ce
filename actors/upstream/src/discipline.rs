//! What stands between a caller and the network: turns, the time-out of each attempt, the circuit, and what is tried again.
//!
//! It knows no HTTP: an attempt is any future that ends in an answer or a [`Fault`].

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use playhouse_bus::Deadline;
use tokio::time::{Instant, timeout_at};

use crate::circuit::{Change, Circuit, CircuitState, Pass, Verdict};
use crate::error::UpstreamError;
use crate::meter::Meter;
use crate::pace::{NoTurn, Pace};
use crate::retry::Retry;
use crate::settings::UpstreamSettings;

/// On what terms a call is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terms {
    /// How long one attempt may take.
    pub(crate) read_timeout: Duration,
    /// When its caller no longer waits.
    pub(crate) deadline: Deadline,
}

/// Why one attempt gave no answer.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The service asks us to slow down, perhaps for so long.
    SlowDown { asked: Option<Duration> },
    /// Anything else.
    Other(UpstreamError),
}

#[derive(Debug)]
pub(crate) struct Discipline {
    title: &'static str,
    pace: Pace,
    circuit: Circuit,
    only_silence: bool,
    retry: Retry,
    meter: Meter,
    /// Whether the gauge counts this circuit as open: a trial that fails opens it again without having closed it.
    counted_open: AtomicBool,
}

/// Why a call failed, and whether its last attempt was sent.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) error: UpstreamError,
    pub(crate) was_sent: bool,
}

impl Discipline {
    pub(crate) fn new(settings: &UpstreamSettings) -> Self {
        let meter = Meter { upstream: settings.name };
        meter.circuits_open(0.0);
        Self {
            title: settings.title,
            only_silence: settings.circuit.only_silence,
            pace: Pace::new(settings.max_in_flight, settings.min_interval),
            circuit: Circuit::new(settings.circuit),
            retry: Retry::new(settings.retry, settings.seed),
            meter,
            counted_open: AtomicBool::new(false),
        }
    }

    pub(crate) fn circuit(&self) -> CircuitState {
        self.circuit.state()
    }

    /// Makes attempts until one has an answer, none is left, or the next could not begin before the deadline. Each is told when its time is up. Only
    /// for what reads: when the answer to a change is lost, nobody knows whether it was made.
    ///
    /// `attempt` is a function to a future and no async closure, because the compiler cannot yet tell that what an async closure makes may
    /// cross threads.
    pub(crate) async fn run<T, Attempt: Future<Output = Result<T, Fault>>>(
        &self,
        terms: Terms,
        attempt: impl Fn(Instant) -> Attempt,
    ) -> Result<T, Failed> {
        let mut last_error = None;
        let mut n = 0;
        loop {
            n += 1;
            let failed = match self.try_once(n, terms, &attempt).await {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            if !failed.was_sent {
                // What the service did tells the caller more than that we did not ask it again.
                let was_sent = last_error.is_some();
                return Err(Failed { error: last_error.unwrap_or(failed.error), was_sent });
            }
            let wait = match &failed.error {
                // The silence that was asked for is kept where turns are given out.
                UpstreamError::RateLimited { .. } => self.retry.wait_after(n).map(|_| Duration::ZERO),
                error if may_pass(error) => self.retry.wait_after(n),
                _ => None,
            };
            let Some(wait) = wait.filter(|wait| *wait < terms.deadline.remaining()) else { return Err(failed) };
            last_error = Some(failed.error);
            tokio::time::sleep(wait).await;
        }
    }

    /// Makes one attempt and no other.
    pub(crate) async fn once<T, Attempt: Future<Output = Result<T, Fault>>>(
        &self,
        terms: Terms,
        attempt: impl FnOnce(Instant) -> Attempt,
    ) -> Result<T, Failed> {
        self.try_once(1, terms, attempt).await
    }

    async fn try_once<T, Attempt: Future<Output = Result<T, Fault>>>(
        &self,
        n: u32,
        Terms { read_timeout, deadline, .. }: Terms,
        attempt: impl FnOnce(Instant) -> Attempt,
    ) -> Result<T, Failed> {
        if deadline.has_passed() {
            return Err(self.not_sent(UpstreamError::TimedOut { title: self.title.into(), waited: Duration::ZERO }));
        }
        // Asked twice: a call must not wait for its turn only to learn what is known now, and what is known now may change while it waits.
        if let CircuitState::Open { retry_after } = self.circuit.state() {
            return Err(self.not_sent(self.circuit_open(retry_after)));
        }
        let _turn = self.pace.turn(deadline).await.map_err(|no_turn| self.not_sent(self.no_turn(no_turn)))?;
        let pass = self.circuit.admit().map_err(|retry_after| self.not_sent(self.circuit_open(retry_after)))?;

        let request = UnderWay { discipline: self, pass: Some(pass), begun: Instant::now(), read_timeout };
        let until = Deadline::after(read_timeout).earlier(deadline).instant();
        let outcome = timeout_at(until, attempt(until)).await.unwrap_or_else(|_| {
            Err(Fault::Other(UpstreamError::TimedOut { title: self.title.into(), waited: request.begun.elapsed() }))
        });
        let took = request.begun.elapsed();
        request.ended(self.verdict(&outcome, read_timeout));

        let outcome = outcome.map_err(|fault| match fault {
            Fault::Other(error) => error,
            Fault::SlowDown { asked } => {
                let retry_after = asked.unwrap_or_else(|| self.retry.silence_after(n));
                self.pace.keep_silent_for(retry_after);
                UpstreamError::RateLimited { title: self.title.into(), retry_after }
            }
        });
        self.meter.request(n, outcome.as_ref().err(), took);
        outcome.map_err(|error| {
            tracing::debug!(
                upstream = self.meter.upstream,
                attempt = n,
                class = error.class(),
                "upstream request failed"
            );
            Failed { error, was_sent: true }
        })
    }

    /// What an outcome tells of the service's health.
    fn verdict<T>(&self, outcome: &Result<T, Fault>, read_timeout: Duration) -> Verdict {
        match outcome {
            Ok(_) => Verdict::Works,
            Err(Fault::Other(UpstreamError::TimedOut { waited, .. })) => verdict_on_silence(*waited, read_timeout),
            // What the operator or a certificate keeps from being sent tells nothing of the service, and must not be hidden behind an open
            // circuit: somebody has to read it to put it right.
            Err(Fault::Other(UpstreamError::Unreachable { why, .. })) if why.waits_for_somebody() => Verdict::Unknown,
            Err(Fault::Other(UpstreamError::Unreachable { .. })) => Verdict::Fails,
            Err(_) if self.only_silence => Verdict::Works,
            // Saying when to come back is good order; saying only "no" may be a block that is made worse by asking on.
            Err(Fault::SlowDown { asked: Some(_) }) => Verdict::Works,
            Err(Fault::SlowDown { asked: None }) => Verdict::Fails,
            Err(Fault::Other(error)) => match error {
                error if may_pass(error) => Verdict::Fails,
                UpstreamError::NotJson { .. } => Verdict::Fails,
                _ => Verdict::Works,
            },
        }
    }

    fn no_turn(&self, no_turn: NoTurn) -> UpstreamError {
        let title = self.title.into();
        match no_turn {
            NoTurn::Crowded => UpstreamError::Crowded { title },
            NoTurn::Silence(retry_after) => UpstreamError::RateLimited { title, retry_after },
        }
    }

    fn circuit_open(&self, retry_after: Duration) -> UpstreamError {
        UpstreamError::CircuitOpen { title: self.title.into(), retry_after }
    }

    fn not_sent(&self, error: UpstreamError) -> Failed {
        self.meter.not_sent(&error);
        Failed { error, was_sent: false }
    }

    fn count_open(&self, open: bool) {
        if self.counted_open.swap(open, Ordering::Relaxed) != open {
            self.meter.circuits_open(if open { 1.0 } else { -1.0 });
        }
    }

    fn log_change(&self, change: Change) {
        let upstream = self.meter.upstream;
        match change {
            Change::Nothing => {}
            Change::Opened { for_the } => {
                self.count_open(true);
                tracing::warn!(upstream, for_seconds = for_the.as_secs(), "upstream keeps failing and is left alone");
            }
            Change::Closed => {
                self.count_open(false);
                tracing::info!(upstream, "upstream works again");
            }
        }
    }
}

impl Drop for Discipline {
    /// A service that nobody asks any more is not counted as failing.
    fn drop(&mut self) {
        self.count_open(false);
    }
}

/// A request that was sent. It tells the circuit how it ended, also when its caller leaves: if all callers left a silent service a moment
/// before its time is up, nobody would ever notice that it is down.
struct UnderWay<'a> {
    discipline: &'a Discipline,
    /// `None` once the circuit knows.
    pass: Option<Pass>,
    begun: Instant,
    read_timeout: Duration,
}

impl UnderWay<'_> {
    fn ended(mut self, verdict: Verdict) {
        self.tell(verdict);
    }

    fn tell(&mut self, verdict: Verdict) {
        if let Some(pass) = self.pass.take() {
            self.discipline.log_change(pass.settle(verdict));
        }
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.tell(verdict_on_silence(self.begun.elapsed(), self.read_timeout));
    }
}

/// A caller in a hurry is no proof that the service is slow.
fn verdict_on_silence(lasted: Duration, read_timeout: Duration) -> Verdict {
    if lasted < read_timeout / 2 { Verdict::Unknown } else { Verdict::Fails }
}

/// Whether the same request may well succeed a moment later.
fn may_pass(error: &UpstreamError) -> bool {
    match error {
        UpstreamError::Unreachable { why, .. } => !why.waits_for_somebody(),
        UpstreamError::TimedOut { .. } | UpstreamError::CutOff { .. } => true,
        UpstreamError::Refused { status, .. } => matches!(status, 500 | 502 | 503 | 504),
        UpstreamError::Slow { .. }
        | UpstreamError::Crowded { .. }
        | UpstreamError::RateLimited { .. }
        | UpstreamError::CircuitOpen { .. }
        | UpstreamError::Redirected { .. }
        | UpstreamError::Unauthorised { .. }
        | UpstreamError::NotFound { .. }
        | UpstreamError::TooLarge { .. }
        | UpstreamError::NotJson { .. }
        | UpstreamError::Unexpected { .. } => false,
    }
}

#[cfg(test)]
mod tests;
