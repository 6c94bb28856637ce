//! The memory of a limit by address, with a hard bound.
//!
//! governor's own keyed store grows by an entry for each address ever seen. This one holds at most `most` addresses; while
//! it is full, all addresses that it does not hold share one more allowance. So a flood from ever new addresses costs no
//! memory and slows only other new addresses, never those already held. Room comes back as allowances fill up again and
//! the sweep forgets them.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use dashmap::DashMap;
use governor::nanos::Nanos;
use governor::state::keyed::ShrinkableKeyedStateStore;
use governor::state::{InMemoryState, NotKeyed, StateStore};

use super::ClientAddress;

/// The state of each address. Clones share it.
#[derive(Clone)]
pub(super) struct BoundedStates(Arc<Inner>);

struct Inner {
    states: DashMap<ClientAddress, InMemoryState>,
    most: usize,
    /// The allowance shared by addresses for which there is no room.
    overflow: InMemoryState,
}

impl BoundedStates {
    pub(super) fn new(most: usize) -> Self {
        BoundedStates(Arc::new(Inner { states: DashMap::new(), most, overflow: InMemoryState::default() }))
    }

    /// Takes one charge back from an address, or from the shared allowance when the address is not held. `cost` is the
    /// quota's replenish interval: the time that one charge takes to fill up again.
    pub(super) fn give_back(&self, address: &ClientAddress, cost: Duration) {
        match self.0.states.get(address) {
            Some(state) => give_back(&state, cost),
            None => give_back(&self.0.overflow, cost),
        }
    }
}

impl StateStore for BoundedStates {
    type Key = ClientAddress;

    fn measure_and_replace<T, F, E>(&self, address: &ClientAddress, decide: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let inner = &*self.0;
        if let Some(state) = inner.states.get(address) {
            return state.measure_and_replace(&NotKeyed::NonKey, decide);
        }
        // Threads that pass this test at the same time may each add one more; that is the only way past the bound.
        if inner.states.len() >= inner.most {
            return inner.overflow.measure_and_replace(&NotKeyed::NonKey, decide);
        }
        inner.states.entry(*address).or_default().measure_and_replace(&NotKeyed::NonKey, decide)
    }
}

impl ShrinkableKeyedStateStore<ClientAddress> for BoundedStates {
    fn retain_recent(&self, drop_below: Nanos) {
        ShrinkableKeyedStateStore::retain_recent(&self.0.states, drop_below);
    }

    fn shrink_to_fit(&self) {
        self.0.states.shrink_to_fit();
    }

    fn len(&self) -> usize {
        self.0.states.len()
    }

    fn is_empty(&self) -> bool {
        self.0.states.is_empty()
    }
}

/// The state of one allowance that all share. Clones share it.
#[derive(Clone, Default)]
pub(super) struct SharedState(Arc<InMemoryState>);

impl SharedState {
    pub(super) fn give_back(&self, cost: Duration) {
        give_back(&self.0, cost);
    }
}

impl StateStore for SharedState {
    type Key = NotKeyed;

    fn measure_and_replace<T, F, E>(&self, key: &NotKeyed, decide: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        self.0.measure_and_replace(key, decide)
    }
}

/// governor's state is the time at which the allowance will be full again; taking a charge back brings it nearer.
fn give_back(state: &InMemoryState, cost: Duration) {
    let result: Result<(), Infallible> = state.measure_and_replace(&NotKeyed::NonKey, |full_at| {
        Ok(((), full_at.unwrap_or_default().saturating_sub(cost.into())))
    });
    match result {
        Ok(()) => (),
    }
}
