//! What the running service and its handle both see.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::watch;

use super::{
    Misbehaviour, RequestViolation, SeenRequest,
    rules::{self, Rule, Treatment},
};

/// A demo may run for days; older requests are forgotten, but counted.
const MOST_REQUESTS: usize = 10_000;

#[derive(Default)]
pub(crate) struct State {
    inner: Mutex<Inner>,
    /// Told after every change of `inner`.
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct Inner {
    requests: VecDeque<SeenRequest>,
    n_requests: usize,
    violations: Vec<RequestViolation>,
    manner: Misbehaviour,
    /// For the next requests, in place of `manner`.
    prepared: VecDeque<Misbehaviour>,
    /// For some calls, in place of `manner`; the newest counts most.
    rules: Vec<Rule>,
    n_held: usize,
    n_releases: u64,
}

impl State {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        // A panic elsewhere must not hide a test's own message behind a poisoned lock.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut Inner) -> T) -> T {
        let result = change(&mut self.inner());
        self.changed.send_replace(());
        result
    }

    async fn wait_until(&self, reached: impl Fn(&Inner) -> bool) {
        // Subscribed before the first look, so that no change falls in between.
        let mut changed = self.changed.subscribe();
        while !reached(&self.inner()) {
            // The sender lives as long as `self`.
            let _ = changed.changed().await;
        }
    }

    /// Notes a request and says how it is to be treated.
    pub(crate) fn arrived(&self, request: SeenRequest) -> Treatment {
        self.change(|inner| {
            inner.n_requests += 1;
            if inner.requests.len() == MOST_REQUESTS {
                inner.requests.pop_front();
            }
            let prepared = inner.prepared.pop_front();
            let treatment = rules::treat(&mut inner.rules, &request, prepared, inner.manner);
            inner.requests.push_back(request);
            treatment
        })
    }

    pub(crate) fn violated(&self, violation: RequestViolation) {
        self.change(|inner| {
            // The same mistake once is enough, also over days.
            if !inner.violations.contains(&violation) {
                inner.violations.push(violation);
            }
        });
    }

    /// Waits until what is held is released. A client that goes away meanwhile ends the wait, and is no longer counted.
    pub(crate) async fn hold(&self) {
        let (_held, n_releases) = Held::new(self);
        self.wait_until(|inner| inner.n_releases > n_releases).await;
    }

    pub(crate) fn release(&self) {
        self.change(|inner| inner.n_releases += 1);
    }

    pub(crate) async fn until_held(&self, n_requests: usize) {
        self.wait_until(|inner| inner.n_held >= n_requests).await;
    }

    pub(crate) async fn until_none_is_held(&self) {
        self.wait_until(|inner| inner.n_held == 0).await;
    }

    pub(crate) fn behave(&self, manner: Misbehaviour) {
        self.change(|inner| inner.manner = manner);
    }

    pub(crate) fn prepare(&self, manners: impl IntoIterator<Item = Misbehaviour>) {
        self.change(|inner| inner.prepared.extend(manners));
    }

    pub(crate) fn rule(&self, rule: Rule) {
        self.change(|inner| inner.rules.push(rule));
    }

    pub(crate) fn forget_rules(&self) {
        self.change(|inner| inner.rules.clear());
    }

    pub(crate) fn requests(&self) -> Vec<SeenRequest> {
        self.inner().requests.iter().cloned().collect()
    }

    pub(crate) fn n_requests(&self) -> usize {
        self.inner().n_requests
    }

    pub(crate) fn forget_requests(&self) {
        self.change(|inner| {
            inner.requests.clear();
            inner.n_requests = 0;
        });
    }

    pub(crate) fn forget_violations(&self) {
        self.change(|inner| inner.violations.clear());
    }

    pub(crate) fn violations(&self) -> Vec<RequestViolation> {
        self.inner().violations.clone()
    }
}

struct Held<'a>(&'a State);

impl<'a> Held<'a> {
    /// Counts one more, and says how many releases came before it: in one step, so that none falls in between.
    fn new(state: &'a State) -> (Self, u64) {
        let n_releases = state.change(|inner| {
            inner.n_held += 1;
            inner.n_releases
        });
        (Self(state), n_releases)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.change(|inner| inner.n_held -= 1);
    }
}
