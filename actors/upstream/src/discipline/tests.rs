use std::cell::{Cell, RefCell};

use futures_util::future::join;
use url::Url;

use super::*;
use crate::settings::{CircuitSettings, RetrySettings};
use crate::unreached::Unreached;

const SECOND: Duration = Duration::from_secs(1);

/// A service that gives the answers of a script, and "works" when the script is at its end.
struct Service {
    discipline: Discipline,
    script: RefCell<Vec<Reply>>,
    n_asked: Cell<u32>,
}

#[derive(Clone, Copy)]
enum Reply {
    Works,
    Never,
    Unreachable,
    WaitsForSomebody(Unreached),
    Status(u16),
    SlowDown(Option<u64>),
}

impl Service {
    fn with(script: &[Reply]) -> Self {
        Self::pacing(script, |_| {})
    }

    fn pacing(script: &[Reply], change: impl FnOnce(&mut UpstreamSettings)) -> Self {
        let mut settings = UpstreamSettings {
            circuit: CircuitSettings {
                failures: 5,
                open_for: 15 * SECOND,
                longest_open: 60 * SECOND,
                only_silence: false,
            },
            retry: RetrySettings { attempts: 3, first_wait: SECOND, longest_wait: 4 * SECOND },
            seed: 1,
            ..UpstreamSettings::new("test", "Testflix", Url::parse("http://127.0.0.1/").unwrap())
        };
        change(&mut settings);
        let script = script.iter().rev().copied().collect();
        Self { discipline: Discipline::new(&settings), script: RefCell::new(script), n_asked: Cell::new(0) }
    }

    /// Asks what may be asked again.
    async fn ask(&self, deadline: Duration) -> Result<&'static str, UpstreamError> {
        let answer = self.discipline.run(Self::terms(deadline), |_| self.attempt()).await;
        answer.map_err(|failed| failed.error)
    }

    /// Sends what may change something.
    async fn send(&self, deadline: Duration) -> Result<&'static str, UpstreamError> {
        let answer = self.discipline.once(Self::terms(deadline), |_| self.attempt()).await;
        answer.map_err(|failed| failed.error)
    }

    fn terms(deadline: Duration) -> Terms {
        Terms { read_timeout: 10 * SECOND, deadline: Deadline::after(deadline) }
    }

    async fn attempt(&self) -> Result<&'static str, Fault> {
        self.n_asked.set(self.n_asked.get() + 1);
        let reply = self.script.borrow_mut().pop().unwrap_or(Reply::Works);
        let title = "Testflix".into();
        match reply {
            Reply::Works => Ok("works"),
            Reply::Never => std::future::pending().await,
            Reply::Unreachable => Err(Fault::Other(UpstreamError::Unreachable { title, why: Unreached::Refused })),
            Reply::WaitsForSomebody(why) => Err(Fault::Other(UpstreamError::Unreachable { title, why })),
            Reply::SlowDown(asked) => Err(Fault::SlowDown { asked: asked.map(Duration::from_secs) }),
            Reply::Status(status) => {
                Err(Fault::Other(UpstreamError::Refused { title, status, said: Default::default() }))
            }
        }
    }

    async fn read(&self) -> &'static str {
        self.ask(60 * SECOND).await.unwrap_or_else(|error| error.class())
    }

    fn n_asked(&self) -> u32 {
        self.n_asked.get()
    }
}

#[tokio::test(start_paused = true)]
async fn a_read_is_tried_again_after_what_may_pass() {
    for passing in [Reply::Unreachable, Reply::Never, Reply::Status(500), Reply::Status(503), Reply::SlowDown(None)] {
        let service = Service::with(&[passing, passing]);

        assert_eq!((service.read().await, service.n_asked()), ("works", 3));
    }
}

#[tokio::test(start_paused = true)]
async fn after_the_last_attempt_its_error_is_told() {
    let service = Service::with(&[Reply::Unreachable, Reply::Unreachable, Reply::Status(502)]);

    assert_eq!((service.read().await, service.n_asked()), ("refused", 3));
}

#[tokio::test(start_paused = true)]
async fn what_will_not_pass_is_not_tried_again() {
    for lasting in [Reply::Status(400), Reply::Status(302), Reply::Status(501)] {
        let service = Service::with(&[lasting]);

        assert_eq!((service.read().await, service.n_asked()), ("refused", 1));
    }
}

#[tokio::test(start_paused = true)]
async fn what_somebody_has_to_put_right_is_told_each_time_and_opens_no_circuit() {
    for why in [Unreached::NotAllowed, Unreached::Tls] {
        let service = Service::with(&[Reply::WaitsForSomebody(why); 20]);
        for n in 1..=20 {
            let error = service.ask(60 * SECOND).await.unwrap_err();
            assert_eq!(error, UpstreamError::Unreachable { title: "Testflix".into(), why });
            assert_eq!((service.n_asked(), service.discipline.circuit()), (n, CircuitState::Closed));
        }
        assert_eq!(service.read().await, "works", "as soon as it is put right");
    }
}

#[tokio::test(start_paused = true)]
async fn what_may_change_something_is_sent_once() {
    for passing in [Reply::Unreachable, Reply::Never, Reply::Status(503), Reply::SlowDown(Some(1))] {
        let service = Service::with(&[passing]);

        assert!(service.send(60 * SECOND).await.is_err());
        assert_eq!(service.n_asked(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn no_attempt_begins_that_the_caller_would_not_live_to_see() {
    let service = Service::with(&[Reply::Unreachable]);
    let begin = Instant::now();

    let outcome = service.ask(SECOND / 4).await;

    assert_eq!(outcome.unwrap_err().class(), "unreachable");
    assert_eq!((service.n_asked(), begin.elapsed()), (1, Duration::ZERO), "it waited for nothing");
}

#[tokio::test(start_paused = true)]
async fn an_attempt_ends_with_its_time_or_with_the_callers() {
    for (deadline, waited) in [(60 * SECOND, 10 * SECOND), (3 * SECOND, 3 * SECOND)] {
        let service = Service::with(&[Reply::Never]);
        let begin = Instant::now();

        let outcome = service.send(deadline).await;

        assert_eq!(outcome.unwrap_err(), UpstreamError::TimedOut { title: "Testflix".into(), waited });
        assert_eq!(begin.elapsed(), waited);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_late_already_is_not_sent() {
    let service = Service::with(&[]);

    let outcome = service.ask(Duration::ZERO).await;

    assert_eq!((outcome.unwrap_err().class(), service.n_asked()), ("timed_out", 0));
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_was_asked_for_is_kept_when_there_is_time_for_it() {
    let service = Service::with(&[Reply::SlowDown(Some(20))]);
    let begin = Instant::now();

    assert_eq!(service.read().await, "works");
    assert_eq!(begin.elapsed(), 20 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_was_asked_for_binds_every_caller() {
    let service = Service::with(&[Reply::SlowDown(Some(20))]);
    let first = service.ask(5 * SECOND).await;
    let second = service.ask(5 * SECOND).await;

    assert_eq!(first.unwrap_err().retry_after(), Some(20 * SECOND));
    assert_eq!(second.unwrap_err().retry_after(), Some(20 * SECOND));
    assert_eq!(service.n_asked(), 1);

    tokio::time::advance(20 * SECOND).await;
    assert_eq!(service.read().await, "works");
}

#[tokio::test(start_paused = true)]
async fn failures_in_a_row_stop_all_requests_until_a_trial_succeeds() {
    let service = Service::with(&[Reply::Status(503); 6]);
    assert_eq!(service.read().await, "refused");
    assert_eq!(service.read().await, "refused", "what the service did is told, not that the circuit opened");
    assert_eq!(service.n_asked(), 5);

    assert_eq!(service.read().await, "circuit_open");
    assert_eq!(service.n_asked(), 5, "nothing is sent while the circuit is open");

    tokio::time::advance(15 * SECOND).await;
    assert_eq!(service.discipline.circuit(), CircuitState::HalfOpen);
    assert_eq!(service.read().await, "refused");
    assert_eq!(service.n_asked(), 6, "one trial, not tried again");

    tokio::time::advance(30 * SECOND).await;
    assert_eq!(service.read().await, "works");
    assert_eq!(service.discipline.circuit(), CircuitState::Closed);
}

#[tokio::test(start_paused = true)]
async fn refusals_of_the_question_say_nothing_against_the_service() {
    let service = Service::with(&[Reply::Status(400); 20]);
    for _ in 0..20 {
        assert_eq!(service.read().await, "refused");
    }

    assert_eq!(service.discipline.circuit(), CircuitState::Closed);
}

#[tokio::test(start_paused = true)]
async fn callers_in_a_hurry_do_not_open_the_circuit_but_real_slowness_does() {
    let service = Service::with(&[Reply::Never; 10]);
    for _ in 0..5 {
        assert!(service.send(SECOND).await.is_err());
    }
    assert_eq!(service.discipline.circuit(), CircuitState::Closed);

    for _ in 0..5 {
        assert!(service.send(6 * SECOND).await.is_err());
    }
    assert!(matches!(service.discipline.circuit(), CircuitState::Open { .. }));
}

#[tokio::test(start_paused = true)]
async fn callers_that_leave_a_silent_service_open_the_circuit_too() {
    let service = Service::with(&[Reply::Never; 10]);
    let leave_after = async |patience| tokio::time::timeout(patience, service.read()).await.is_err();
    for _ in 0..5 {
        assert!(leave_after(SECOND).await);
    }
    assert_eq!(service.discipline.circuit(), CircuitState::Closed);

    for _ in 0..5 {
        assert!(leave_after(6 * SECOND).await);
    }
    assert!(matches!(service.discipline.circuit(), CircuitState::Open { .. }));
}

#[tokio::test(start_paused = true)]
async fn a_trial_whose_caller_leaves_is_free_for_the_next() {
    let service = Service::with(&[[Reply::Status(503); 5].as_slice(), &[Reply::Never]].concat());
    service.read().await;
    service.read().await;
    tokio::time::advance(15 * SECOND).await;

    assert!(tokio::time::timeout(SECOND, service.read()).await.is_err());

    assert_eq!(service.read().await, "works");
}

#[tokio::test(start_paused = true)]
async fn a_service_that_only_says_no_is_left_alone_and_one_that_says_when_is_not() {
    let service = Service::with(&[Reply::SlowDown(None); 5]);
    service.read().await;
    service.read().await;
    assert!(matches!(service.discipline.circuit(), CircuitState::Open { .. }));

    let service = Service::with(&[Reply::SlowDown(Some(1)); 12]);
    for _ in 0..4 {
        assert_eq!(service.read().await, "rate_limited");
    }
    assert_eq!(service.discipline.circuit(), CircuitState::Closed);
}

#[tokio::test(start_paused = true)]
async fn quick_refusals_are_not_hidden_behind_an_open_circuit_where_only_silence_counts() {
    let service = Service::pacing(&[Reply::Status(503); 20], |settings| {
        settings.circuit.only_silence = true;
        settings.retry.attempts = 1;
    });
    for _ in 0..20 {
        assert_eq!(service.read().await, "refused");
    }

    let silent = Service::pacing(&[Reply::Never; 5], |settings| settings.circuit.only_silence = true);
    silent.read().await;
    silent.read().await;
    assert!(matches!(silent.discipline.circuit(), CircuitState::Open { .. }));
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_leaves_takes_no_turn_along() {
    let service = Service::pacing(&[Reply::Never], |settings| settings.max_in_flight = 1);
    let leaving = tokio::time::timeout(SECOND, service.ask(60 * SECOND));

    let (left, stayed) = join(leaving, service.read()).await;

    assert!(left.is_err());
    assert_eq!(stayed, "works");
}

#[tokio::test(start_paused = true)]
async fn a_caller_whose_turn_does_not_come_in_time_is_told_that_nothing_was_sent() {
    let service = Service::pacing(&[Reply::Never], |settings| settings.max_in_flight = 1);

    let (_, crowded) = join(service.send(10 * SECOND), service.ask(SECOND)).await;

    assert_eq!(crowded.unwrap_err().class(), "crowded");
    assert_eq!(service.n_asked(), 1);
}
