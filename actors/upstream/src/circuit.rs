//! Leaves a service alone that failed several times in a row, and tries it again with one request.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::settings::CircuitSettings;

/// Whether a service is asked, for the health page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum CircuitState {
    /// As usual.
    Closed,
    /// It failed too often: nothing is sent to it for so long.
    Open {
        /// When it is tried next.
        retry_after: Duration,
    },
    /// The next request, or the one under way, is its trial.
    HalfOpen,
}

/// What one attempt told about the service's health.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It works, even if it refused this question.
    Works,
    /// It does not.
    Fails,
    /// Nothing can be concluded.
    Unknown,
}

/// What one attempt changed, to be logged and counted by whoever asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Nothing,
    Opened { for_the: Duration },
    Closed,
}

#[derive(Clone, Debug)]
pub(crate) struct Circuit(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: CircuitSettings,
    now: Mutex<Now>,
}

#[derive(Debug)]
struct Now {
    phase: Phase,
    /// Counted up with each change of phase, so that an attempt begun before it says nothing about after.
    generation: u64,
}

#[derive(Debug, Clone, Copy)]
enum Phase {
    Closed { failures: u32 },
    Open { until: Instant, last_open: Duration },
    Trial { last_open: Duration },
}

impl Circuit {
    pub(crate) fn new(settings: CircuitSettings) -> Self {
        let now = Now { phase: Phase::Closed { failures: 0 }, generation: 0 };
        Self(Arc::new(Inner { settings, now: Mutex::new(now) }))
    }

    pub(crate) fn state(&self) -> CircuitState {
        match self.0.now.lock().phase {
            Phase::Closed { .. } => CircuitState::Closed,
            Phase::Trial { .. } => CircuitState::HalfOpen,
            Phase::Open { until, .. } => match until.saturating_duration_since(Instant::now()) {
                Duration::ZERO => CircuitState::HalfOpen,
                retry_after => CircuitState::Open { retry_after },
            },
        }
    }

    /// Leave to send one request, or how long to stay away.
    pub(crate) fn admit(&self) -> Result<Pass, Duration> {
        let mut now = self.0.now.lock();
        match now.phase {
            Phase::Closed { .. } => {}
            Phase::Open { until, last_open } => {
                let left = until.saturating_duration_since(Instant::now());
                if !left.is_zero() {
                    return Err(left);
                }
                now.enter(Phase::Trial { last_open });
            }
            // How long the trial takes is not known; a second is soon enough to ask again.
            Phase::Trial { .. } => return Err(Duration::from_secs(1)),
        }
        Ok(Pass { circuit: self.clone(), generation: now.generation })
    }
}

impl Now {
    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.generation += 1;
    }
}

/// Leave to send one request.
#[derive(Debug)]
#[must_use = "a trial without a verdict would keep the circuit half open for ever"]
pub(crate) struct Pass {
    circuit: Circuit,
    generation: u64,
}

impl Pass {
    /// Says how the request ended. After [`Verdict::Unknown`] a trial is free for the next caller.
    pub(crate) fn settle(self, verdict: Verdict) -> Change {
        let CircuitSettings { failures: enough, open_for, longest_open, .. } = self.circuit.0.settings;
        let mut now = self.circuit.0.now.lock();
        if now.generation != self.generation {
            return Change::Nothing;
        }
        match (now.phase, verdict) {
            (Phase::Closed { failures }, Verdict::Fails) if failures + 1 >= enough => {
                now.enter(Phase::Open { until: Instant::now() + open_for, last_open: open_for });
                Change::Opened { for_the: open_for }
            }
            (Phase::Closed { failures }, Verdict::Fails) => {
                now.phase = Phase::Closed { failures: failures + 1 };
                Change::Nothing
            }
            (Phase::Closed { .. }, Verdict::Works) => {
                now.phase = Phase::Closed { failures: 0 };
                Change::Nothing
            }
            (Phase::Trial { last_open }, Verdict::Fails) => {
                let open_for = (last_open * 2).min(longest_open);
                now.enter(Phase::Open { until: Instant::now() + open_for, last_open: open_for });
                Change::Opened { for_the: open_for }
            }
            (Phase::Trial { .. }, Verdict::Works) => {
                now.enter(Phase::Closed { failures: 0 });
                Change::Closed
            }
            (Phase::Trial { last_open }, Verdict::Unknown) => {
                now.enter(Phase::Open { until: Instant::now(), last_open });
                Change::Nothing
            }
            (Phase::Closed { .. }, Verdict::Unknown) | (Phase::Open { .. }, _) => Change::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: CircuitSettings = CircuitSettings {
        failures: 3,
        open_for: Duration::from_secs(10),
        longest_open: Duration::from_secs(25),
        only_silence: false,
    };

    /// One request with this outcome; whether it was let through.
    fn ask(circuit: &Circuit, verdict: Verdict) -> bool {
        circuit.admit().map(|pass| pass.settle(verdict)).is_ok()
    }

    fn open_circuit() -> Circuit {
        let circuit = Circuit::new(SETTINGS);
        for _ in 0..SETTINGS.failures {
            assert!(ask(&circuit, Verdict::Fails));
        }
        circuit
    }

    #[tokio::test(start_paused = true)]
    async fn failures_in_a_row_open_it_and_a_success_in_between_does_not() {
        let circuit = Circuit::new(SETTINGS);
        for verdict in
            [Verdict::Fails, Verdict::Fails, Verdict::Works, Verdict::Fails, Verdict::Unknown, Verdict::Fails]
        {
            assert!(ask(&circuit, verdict));
        }
        assert_eq!(circuit.state(), CircuitState::Closed);

        ask(&circuit, Verdict::Fails);
        assert_eq!(circuit.state(), CircuitState::Open { retry_after: SETTINGS.open_for });
        assert_eq!(circuit.admit().unwrap_err(), SETTINGS.open_for);
    }

    #[tokio::test(start_paused = true)]
    async fn one_trial_closes_it_and_others_wait_for_its_outcome() {
        let circuit = open_circuit();
        tokio::time::advance(SETTINGS.open_for).await;
        assert_eq!(circuit.state(), CircuitState::HalfOpen);

        let trial = circuit.admit().unwrap();
        assert!(!ask(&circuit, Verdict::Works), "a second request came through during the trial");
        assert_eq!(trial.settle(Verdict::Works), Change::Closed);
        assert_eq!(circuit.state(), CircuitState::Closed);
    }

    #[tokio::test(start_paused = true)]
    async fn each_failed_trial_doubles_the_rest_up_to_a_limit() {
        let circuit = open_circuit();
        let mut rests = Vec::new();
        for _ in 0..3 {
            let rest = circuit.admit().unwrap_err();
            rests.push(rest.as_secs());
            tokio::time::advance(rest).await;
            assert!(ask(&circuit, Verdict::Fails));
        }

        assert_eq!(rests, [10, 20, 25]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_trial_that_was_given_up_is_free_for_the_next() {
        let circuit = open_circuit();
        tokio::time::advance(SETTINGS.open_for).await;

        assert!(ask(&circuit, Verdict::Unknown));

        assert!(ask(&circuit, Verdict::Works));
        assert_eq!(circuit.state(), CircuitState::Closed);
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_to_a_question_from_before_says_nothing() {
        let circuit = Circuit::new(SETTINGS);
        let early = circuit.admit().unwrap();
        for _ in 0..SETTINGS.failures {
            ask(&circuit, Verdict::Fails);
        }
        tokio::time::advance(SETTINGS.open_for).await;
        let trial = circuit.admit().unwrap();

        assert_eq!(early.settle(Verdict::Works), Change::Nothing);
        assert_eq!(circuit.state(), CircuitState::HalfOpen);
        assert_eq!(trial.settle(Verdict::Works), Change::Closed);
    }
}
