//! How many sockets the instance holds at once. Each takes a file descriptor, and assistants need some too.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::telemetry::names;

/// The places for sockets. Clones share them.
#[derive(Clone)]
pub(super) struct Places {
    shared: Arc<Shared>,
}

struct Shared {
    most: usize,
    taken: AtomicUsize,
}

/// One place; free again when it is dropped.
pub(super) struct Place {
    shared: Arc<Shared>,
}

impl Places {
    /// `most` free places.
    pub(super) fn new(most: usize) -> Self {
        Places { shared: Arc::new(Shared { most, taken: AtomicUsize::new(0) }) }
    }

    /// Takes a place, if there is one.
    pub(super) fn take(&self) -> Option<Place> {
        let one_more = |taken: usize| (taken < self.shared.most).then_some(taken + 1);
        let taken = self.shared.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more);
        taken.ok()?;
        metrics::gauge!(names::BRIDGE_SOCKETS).increment(1);
        Some(Place { shared: Arc::clone(&self.shared) })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.shared.taken.fetch_sub(1, Ordering::Relaxed);
        metrics::gauge!(names::BRIDGE_SOCKETS).decrement(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again_after_its_socket() {
        let places = Places::new(2);
        let first = places.take();
        let second = places.take();
        assert!(first.is_some() && second.is_some() && places.take().is_none());
        drop(first);
        assert!(places.take().is_some());
    }
}
