//! The handle to a running service.

use std::{net::SocketAddr, sync::Arc};

use bytes::Bytes;
use serde_json::Value;

use tokio::{net::TcpListener, task::JoinHandle};
use url::Url;

use super::{
    Misbehaviour, RequestViolation, SeenRequest, Service, State, accept,
    rules::{Done, Rule, Words},
};

/// A service on loopback, alive until it is dropped.
///
/// It runs on the runtime that started it and waits for nothing but the network and [`Standin::release`]: a test's paused clock does
/// not touch it.
pub struct Standin<S> {
    address: SocketAddr,
    base_path: String,
    pub(crate) service: Arc<S>,
    state: Arc<State>,
    task: JoinHandle<()>,
}

impl<S> Standin<S> {
    /// Starts on a port that is free.
    pub(crate) fn serve(service: S, base_path: &str) -> Self
    where
        S: Service,
    {
        Self::serve_at(service, base_path, 0)
    }

    /// Starts on this port, or on a free one for 0.
    pub(crate) fn serve_at(service: S, base_path: &str, port: u16) -> Self
    where
        S: Service,
    {
        // Bound at once and not in the task, so that the address is known to the caller.
        let listener = std::net::TcpListener::bind(("127.0.0.1", port)).expect("a port on loopback that is free");
        listener.set_nonblocking(true).expect("a socket of ours can be made non-blocking");
        let address = listener.local_addr().expect("a bound socket has an address");
        let listener = TcpListener::from_std(listener).expect("a tokio runtime to run on");
        let state = Arc::new(State::default());
        let service = Arc::new(service);
        let task = tokio::spawn(accept(listener, Arc::clone(&service), Arc::clone(&state)));
        Self { address, base_path: base_path.to_owned(), service, state, task }
    }

    /// The address to set in place of the real service's.
    ///
    /// # Panics
    /// Never: loopback with a port and a path is an address.
    #[must_use]
    pub fn url(&self) -> Url {
        format!("http://{}{}", self.address, self.base_path).parse().expect("loopback with a port and a path")
    }

    /// What it was asked, oldest first, also while it misbehaved. Of very many only the newest 10,000.
    #[must_use]
    pub fn requests(&self) -> Vec<SeenRequest> {
        self.state.requests()
    }

    /// How often it was asked.
    #[must_use]
    pub fn n_requests(&self) -> usize {
        self.state.n_requests()
    }

    /// Counts from zero again.
    pub fn forget_requests(&self) {
        self.state.forget_requests();
    }

    /// What was wrong with what it was asked; each thing once.
    #[must_use]
    pub fn violations(&self) -> Vec<RequestViolation> {
        self.state.violations()
    }

    /// Holds nothing against anybody any more.
    pub fn forget_violations(&self) {
        self.state.forget_violations();
    }

    /// Behaves like this from now on. What is held stays held.
    pub fn behave(&self, misbehaviour: Misbehaviour) {
        self.state.behave(misbehaviour);
    }

    /// Behaves like this for the next requests, one after the other, and then again as it was told last by [`Standin::behave`].
    pub fn prepare(&self, misbehaviours: impl IntoIterator<Item = Misbehaviour>) {
        self.state.prepare(misbehaviours);
    }

    /// Behaves like this to some calls until it is told to [forget](Standin::forget_rules) it, whatever it does to the others.
    ///
    /// `calls` is a path in which `*` stands for anything, with or without a method before it: `DELETE */queue/*`. Of several that fit the
    /// newest counts.
    pub fn misbehave(&self, calls: &str, misbehaviour: Misbehaviour) {
        self.state.rule(Rule::new(calls, Done::Misbehave(misbehaviour)));
    }

    /// As [`Standin::misbehave`], but only for the next of these calls.
    pub fn misbehave_once(&self, calls: &str, misbehaviour: Misbehaviour) {
        self.misbehave_nth(calls, 1, misbehaviour);
    }

    /// As [`Standin::misbehave`], but only for the n-th of these calls from now, counted from 1.
    pub fn misbehave_nth(&self, calls: &str, nth: usize, misbehaviour: Misbehaviour) {
        self.state.rule(Rule::new(calls, Done::Misbehave(misbehaviour)).for_nth(nth));
    }

    /// Answers some calls with this instead of asking the service, which does not do what they ask either. `calls` as for
    /// [`Standin::misbehave`].
    pub fn answer_instead(&self, calls: &str, status: u16, body: Value) {
        self.state.rule(Rule::new(calls, Done::Instead(status, Words::Json(body))));
    }

    /// As [`Standin::answer_instead`], with any bytes, which are said to be JSON.
    pub fn answer_bytes_instead(&self, calls: &str, status: u16, body: impl Into<Bytes>) {
        self.state.rule(Rule::new(calls, Done::Instead(status, Words::Bytes(body.into()))));
    }

    /// Does what some calls ask, and answers with these bytes whatever the service said to it: nothing, what nobody can read, or what
    /// something else is like. They are said to be JSON. `calls` as for [`Standin::misbehave`].
    pub fn do_but_answer(&self, calls: &str, status: u16, body: impl Into<Bytes>) {
        self.state.rule(Rule::new(calls, Done::Beside(status, Words::Bytes(body.into()))));
    }

    /// Changes the JSON of right answers to some calls before they go out. `calls` as for [`Standin::misbehave`].
    pub fn alter(&self, calls: &str, alteration: impl Fn(&mut Value) + Send + Sync + 'static) {
        self.state.rule(Rule::new(calls, Done::Alter(Arc::new(alteration))));
    }

    /// As [`Standin::alter`], but only for the n-th of these calls from now, counted from 1.
    pub fn alter_nth(&self, calls: &str, nth: usize, alteration: impl Fn(&mut Value) + Send + Sync + 'static) {
        self.state.rule(Rule::new(calls, Done::Alter(Arc::new(alteration))).for_nth(nth));
    }

    /// Does something once, right before the n-th of these calls from now is carried out, counted from 1. `calls` as for
    /// [`Standin::misbehave`].
    pub fn before(&self, calls: &str, nth: usize, act: impl FnOnce() + Send + 'static) {
        self.state.rule(Rule::new(calls, Done::Before(Some(Box::new(act)))).for_nth(nth));
    }

    /// Does something once, right after the n-th of these calls from now was carried out, counted from 1, and before its answer goes out.
    /// `calls` as for [`Standin::misbehave`].
    pub fn after(&self, calls: &str, nth: usize, act: impl FnOnce() + Send + 'static) {
        self.state.rule(Rule::new(calls, Done::After(Some(Box::new(act)))).for_nth(nth));
    }

    /// Treats all calls alike again.
    pub fn forget_rules(&self) {
        self.state.forget_rules();
    }

    /// Answers everything that [`Misbehaviour::Slow`] and [`Misbehaviour::SlowToStart`] hold back at this moment.
    pub fn release(&self) {
        self.state.release();
    }

    /// Waits until [`Misbehaviour::Slow`] and [`Misbehaviour::SlowToStart`] hold so many requests back.
    pub async fn until_held(&self, n_requests: usize) {
        self.state.until_held(n_requests).await;
    }

    /// Waits until none is held back any more: they were released, or whoever asked went away.
    pub async fn until_none_is_held(&self) {
        self.state.until_none_is_held().await;
    }
}

impl<S> Drop for Standin<S> {
    fn drop(&mut self) {
        self.task.abort();
    }
}
