//! Which TVs have a line laid over their screen.

use std::sync::atomic::{AtomicU64, Ordering};

use dashmap::DashMap;
use playhouse_house::TvId;

/// Which showing of a line is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Showing(u64);

/// TVs with a line over their screen. It outlives sockets and actors, because the line does.
#[derive(Default)]
pub(crate) struct Overlays {
    up: DashMap<TvId, Showing>,
    n_shown: AtomicU64,
}

impl Overlays {
    /// Notes that `tv` is about to show a line.
    pub(crate) fn note(&self, tv: TvId) -> Showing {
        let showing = Showing(self.n_shown.fetch_add(1, Ordering::Relaxed));
        self.up.insert(tv, showing);
        showing
    }

    /// Notes that `tv` shows none any more.
    pub(crate) fn forget(&self, tv: TvId) {
        self.up.remove(&tv);
    }

    /// Whether `tv` shows a line.
    pub(crate) fn is_up(&self, tv: TvId) -> bool {
        self.up.contains_key(&tv)
    }

    /// Whether the line that `tv` shows is that of `showing`.
    pub(crate) fn is_latest(&self, tv: TvId, showing: Showing) -> bool {
        self.up.get(&tv).is_some_and(|latest| *latest == showing)
    }
}
