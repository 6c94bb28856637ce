//! What the running television and its handle both see.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::watch;

use crate::{
    app::{Installation, OpTimes},
    event::TvEvent,
    frame::Command,
    misbehaviour::Manner,
    ops::{self, Answer},
    pairing::StoredPairing,
    violation::Violation,
    world::World,
};

/// A demo may run for days; older events are forgotten.
const MOST_EVENTS: usize = 10_000;

pub(crate) type OnEvent = Box<dyn Fn(&TvEvent) + Send + Sync>;

pub(crate) struct Shared {
    pub(crate) app: Installation,
    pub(crate) manner: watch::Sender<Manner>,
    state: Mutex<State>,
    /// Told after every change of `state`.
    changed: watch::Sender<()>,
    on_event: Option<OnEvent>,
}

pub(crate) struct State {
    pub(crate) world: World,
    pub(crate) op_times: OpTimes,
    pub(crate) pairing: Option<StoredPairing>,
    pub(crate) online: bool,
    pub(crate) events: Vec<TvEvent>,
    pub(crate) violations: Vec<Violation>,
    /// Answers to give instead of the app's own, by operation.
    pub(crate) prepared: BTreeMap<String, VecDeque<Answer>>,
}

impl Shared {
    pub(crate) fn new(
        app: Installation,
        world: World,
        op_times: OpTimes,
        pairing: Option<StoredPairing>,
        on_event: Option<OnEvent>,
    ) -> Self {
        let state = State {
            world,
            op_times,
            pairing,
            online: false,
            events: Vec::new(),
            violations: Vec::new(),
            prepared: BTreeMap::new(),
        };
        Self {
            app,
            manner: watch::Sender::new(Manner::default()),
            state: Mutex::new(state),
            changed: watch::Sender::new(()),
            on_event,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic in a test's closure must not hide the test's own message behind a poisoned lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn read<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&self.state())
    }

    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let result = change(&mut self.state());
        self.changed.send_replace(());
        result
    }

    /// Waits until `reached` finds what it looks for.
    pub(crate) async fn wait_for<T>(&self, mut reached: impl FnMut(&State) -> Option<T>) -> T {
        // Subscribed before the first look, so that no change falls in between.
        let mut changed = self.changed.subscribe();
        loop {
            if let Some(found) = reached(&self.state()) {
                return found;
            }
            // The sender lives as long as `self`.
            let _ = changed.changed().await;
        }
    }

    pub(crate) fn note(&self, event: TvEvent) {
        if let Some(on_event) = &self.on_event {
            on_event(&event);
        }
        self.change(|state| {
            match &event {
                TvEvent::Online => state.online = true,
                TvEvent::ClosedByRelay { .. } | TvEvent::ClosedByTv { .. } | TvEvent::Dropped { .. } => {
                    state.online = false
                }
                TvEvent::Violated(violation) => state.violations.push(violation.clone()),
                _ => {}
            }
            if state.events.len() == MOST_EVENTS {
                state.events.drain(..MOST_EVENTS / 2);
            }
            state.events.push(event);
        });
    }

    /// Carries out a command on the world, or gives the answer that a test prepared for it.
    pub(crate) fn perform(&self, command: &Command) -> Answer {
        self.change(|state| match state.prepared.get_mut(&command.op).and_then(VecDeque::pop_front) {
            Some(prepared) => prepared,
            None => ops::perform(self.app, &mut state.world, command),
        })
    }
}
